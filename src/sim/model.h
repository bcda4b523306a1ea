/* SPDX-License-Identifier: MIT */
/* The model: what a step computes with. It is made from the definitions when these have changed, and holds forces,
 * matrix, contacts and work space, so that a steady step calls no allocator. The phases of a step are handed the model
 * and the state that it starts from; only the commit (commit.c) writes the state. */
#ifndef WEFT_SIM_MODEL_H
#define WEFT_SIM_MODEL_H

#include <stdatomic.h>

#include "base/arena.h"
#include "contact/collider/collider_contact.h"
#include "sim/cloth_contact.h"
#include "sim/definitions.h"
#include "sim/dirty_set.h"
#include "sim/guard.h"
#include "sim/state.h"
#include "solve/newton.h"

/* A node between two neighbours of one attachment is held with them. */
typedef struct held_between {
    int32_t node, end[2]; /* in the state */
    int32_t owner;        /* attachment */
    bool is_rod;
} held_between;

/* The meshes among the colliders during a substep, one after the other: immovable nodes, each on its straight way. */
typedef struct model_mesh {
    int32_t n_meshes, n_nodes, n_triangles;
    vec3 *x0, *x1;           /* at the substep's start and at its end, on the grid */
    int32_t (*triangles)[3]; /* nodes count from 0 over all meshes */
    int32_t *owner;          /* of each triangle: its collider in the model */
    int32_t *node_owner;     /* of each node */
} model_mesh;

/* Made by model_build, valid while `dirty` is false. */
typedef struct model {
    /* The simulation's own, for as long as it lives. */
    mem *mem;
    arena *scratch; /* that phases take of; nothing is taken between steps */
    pool *pool;
    const weft_sim_def *def;
    definitions *defs;
    atomic_bool *cancel;
    guard *guard;
    void (*watch)(void *watcher); /* newton_problem's, for benches; or NULL */
    void *watcher;
    struct directions *bvh_spare; /* what a model that goes leaves to the next */
    struct {
        int32_t n_tangled;  /* pairs that intersect … */
        int32_t n_enclosed; /* … and cloths wholly in closed meshes, as was told last (tangled.c) */
    } told;
    struct {
        bool is_told; /* by untangling_use_groups */
        int rings;    /* of groups; 0: by contours … */
        bool plain;   /* … by ye2012 eq. 2 alone */
    } untangling_way;

    /* Made anew from the definitions. */
    bool dirty; /* it has to be: they have changed */
    int32_t n;  /* degrees of freedom, and nodes of cloth */
    forces forces;
    node_row *rows;
    double *mass;
    double *area;        /* of cloth, by T, m² (pressure.c) */
    double mean_edge;    /* m; 1 cm where there are no edges */
    collider *colliders; /* analytic ones first; then meshes, which have a pose but no shape */
    sim_collider **collider_owner;
    int32_t n_colliders, n_analytic;
    model_mesh mesh;
    held_between *between; /* the ends of each are nodes of an attachment, or come before it */
    int32_t n_between;
    assembly assembly;
    newton_work newton;
    collider_contacts collider_contacts;
    cloth_contact cloth_contact;

    /* What a substep starts from, and what drives it: by constrain.c and predict.c. */
    filter *filters;
    rod_term *rods;
    int32_t n_rods, rod_room; /* those that hold in this substep; all */
    vec3 *external;           /* accelerations by gravity and the user's forces; NULL: gravity alone (external_at) */
    double gamma[2];          /* γ of the step, and of nodes that start anew in it (newton.h) */
    assembly_motion motion;   /* of the step's formula, for damping and air */
    vec3 *target;             /* q̃: where inertia and outside forces alone would take nodes */
    double way;               /* that free flight would take the fastest node in this step, m */
    vec3 *x0;                 /* nodes at the start: cloth, then, where these meet it, meshes; the state's or … */
    vec3 *own_x0;             /* … these, if nodes follow others or there are meshes */
    vec3 *x;                  /* nodes during the solve, likewise */
    int64_t n_placed;         /* counts changes of x, of cloth */

    /* What it proposes: integrators fill it in, untangling and prevention change it, the commit reads it. */
    vec3 *q1; /* ends of nodes: cloth, then meshes */
    vec3 *v1; /* velocities; these and what follows in scratch, from model_take_next to the end of the substep */
    contact_memory *next_memory;
    int32_t *next_restart;
    double *next_radius;
    bool violent;               /* the substep is short for violence (substep.h), and is solved as roughly */
    double weight;              /* of what is free, N, in this substep */
    double accuracy, free_mass; /* what a solve may be off by, m, and what is free, kg: of this solve */
    vec3 *jump;                 /* per row: velocity that impacts between cloths have given in this substep, m/s */

    double *pressed;     /* normal forces of contacts, mean over the step so far, N */
    int32_t *shortened;  /* sweep over edges that last moved it (limit_edges.c) */
    dirty_set dirty_set; /* edges that such a sweep has to look at */
} model;

weft_result model_build(model *m, const state *st, weft_error *e);
void model_destroy(model *m);
/* The definitions have changed. */
void model_invalidate(model *m);
/* After a solve: takes scratch for what the state being made has beside q1, and for corrections at colliders. False
 * without memory. */
bool model_take_next(model *m);

/* ---- parts of making it ------------------------------------------------------------------------------------------ */

/* With the rows of cloths made: those of welded nodes become one (weld.c). */
void weld_rows(const definitions *d, node_row *rows, int32_t n);
/* With the rows: bending across welded seams (seam_bending.c). False without memory. */
bool seam_bending(model *m);
/* With the colliders made: the nodes and triangles of meshes (sim_mesh.c). False without memory. */
bool model_mesh_make(model *m);
void model_mesh_free(model *m);

/* a[i] of each welded node becomes that of its degree of freedom (weld.c). */
void weld_follow(const model *m, vec3 *a);
/* Nodes that hang take the mean of their edge's ends, welded ones are where the first of them is. */
void follow_parents(const model *m, vec3 *a);

#endif
