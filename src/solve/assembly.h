/* SPDX-License-Identifier: MIT */
/* Energy, gradient and Hessian of all forces, by degrees of freedom: E(T q), Tᵀ∇E, Tᵀ∇²E T.
 *
 * Elements are cut into batches by the highest of their nodes, so that a batch has elements of all kinds near each
 * other and what it adds to stays in cache; a few batches in a row are a task. Tasks that share a degree of freedom
 * get different colours; colours run one after the other, the tasks of one colour side by side. Every sum is thus made
 * in an order that the mesh alone decides, and no thread waits for another within a colour.
 *
 * Where an element's blocks go in the matrix is looked up once for a pattern, and again when it has been widened.
 *
 * Calls that need velocities of nodes take them of the scratch arena, and leave nothing taken: assembly_eval,
 * assembly_energy, assembly_least and assembly_prepare one vector, assembly_pull two. Values of the matrix are the
 * caller's to take (blockmat_take). */
#ifndef WEFT_SOLVE_ASSEMBLY_H
#define WEFT_SOLVE_ASSEMBLY_H

#include "base/pool.h"
#include "force/forces.h"
#include "force/force_simd4.h"
#include "solve/blockmat.h"

/* Elements of kind k are a->items[begin[k]] … a->items[begin[k + 1] − 1]. */
typedef struct batch {
    int32_t begin[FORCE_KINDS + 1];
    int64_t place; /* of its first element's first block, in a->places */
} batch;

/* Bits of a word: tasks that find no free colour share the last one, and run one after the other. */
#define ASSEMBLY_COLOURS 64

typedef struct assembly {
    mem *mem;
    arena *scratch;
    pool *pool;
    forces *forces;
    const force_kernel *four;
    const node_row *rows;
    int32_t n_nodes, n_dofs;
    batch *batches;
    int32_t *items; /* elements by batch and kind */
    int32_t n_batches, n_items, n_tasks, per_task, n_colours;
    int32_t *tasks; /* by colour; task i has the batches [i · per_task, (i + 1) · per_task) */
    int32_t colour_start[ASSEMBLY_COLOURS + 1];
    int32_t *places; /* of elements but springs in the order of items, places_of(kind) each (assembly_inside.h) */
    int64_t n_places;
    int32_t placed;                /* revision of the matrix that they are for */
    double (*energy)[FORCE_KINDS]; /* per batch */
    air_par air;                   /* of the step, but for the area … */
    const vec3 *start;             /* … which is that of nodes here: somebody else's */
    vec3 *x;                       /* node positions of the last evaluation */
    bool has_angles;               /* the theta of bend elements are those at x */
    vec3 *speed;                   /* node velocities, in scratch memory during a call; else NULL */
    blockmat hessian;
} assembly;

/* rows, forces and scratch stay the caller's. False without memory. */
bool assembly_create(assembly *a, mem *m, arena *scratch, pool *p, forces *f, const node_row *rows, int32_t n_nodes,
                     int32_t n_dofs);
void assembly_destroy(assembly *a);

/* x = T q. Returns whether any of x was something else before. */
bool assembly_expand(const assembly *a, const vec3 *q, vec3 *x);

/* Damping and air for a step: past strains are weight[0] · s(q[0]) + weight[1] · s(q[1]) (q[1] may be NULL), rates
 * are rate · (s − past). air holds all but the area: faces have those of q[0]. start is made where nodes are there, and
 * is read until the next call; it may be q[0] where no node follows others. False without memory. */
bool assembly_prepare(assembly *a, const vec3 *q[2], const double weight[2], double rate, const air_par *air,
                      vec3 *start);

/* How velocities follow from positions during the step: v = (q − base)/time, base being where it began, `from`, or with
 * a step before that, which began at `past`, (4 from − past)/3. */
typedef struct assembly_motion {
    const vec3 *from, *past; /* past: or NULL */
    double time;
} assembly_motion;

static inline vec3 motion_base(const assembly_motion *m, int32_t dof)
{
    return m->past ? v3_scale(1.0 / 3, v3_sub(v3_scale(4, m->from[dof]), m->past[dof])) : m->from[dof];
}

/* Energy at q (with damping, air as time · D, pressure); adds to gradient and, if with_hessian, to a->hessian,
 * which is finished when all is in; with_hessian needs a gradient. Not a number without memory, as what follows. */
double assembly_eval(assembly *a, const vec3 *q, const assembly_motion *motion, vec3 *gradient, bool with_hessian);

/* The energy alone; or HUGE_VAL, should that of stretch be more than `most` already: angles are not looked at then. */
double assembly_energy(assembly *a, const vec3 *q, const assembly_motion *motion, double most);

/* What assembly_eval gives at q is not less, but for rounding: the energy of stretch. Only pressure has one below 0. */
double assembly_least(assembly *a, const vec3 *q);

/* Adds to gradient what the forces at q are where nodes move with v: all that an explicit step of length h needs. Rates
 * of strain are those of v. Then balances the tilts of edges, by one sweep. False without memory. */
bool assembly_pull(assembly *a, const vec3 *q, const vec3 *v, double h, const air_par *air, vec3 *gradient);

/* One sweep of sharing the angles of edges between their triangles (bend.h), at q. */
void assembly_sweep_tilts(assembly *a, const vec3 *q);

/* The same with the angles that the elements have. */
void assembly_sweep_tilts_by_angles(assembly *a);

/* Shares [begin, begin + n) as numbers, one an edge: out of the elements, or into them. */
void assembly_get_tilts(const assembly *a, int32_t begin, int32_t n, double *out);
void assembly_set_tilts(assembly *a, int32_t begin, int32_t n, const double *in);

/* Elastic energies alone, without damping, by kind. */
void assembly_elastic(assembly *a, const vec3 *q, double out[FORCE_KINDS]);

#endif
