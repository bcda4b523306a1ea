/* SPDX-License-Identifier: MIT */
/* One implicit step: Newton's method with line search on the incremental potential
 *
 *     Φ(q) = Σ m/(2γ²) |q − q̃|² + E(Tq) + contacts,
 *
 * where q̃ is where the step would end without forces that depend on q. Implicit Euler: γ = h, q̃ = q0 + h v0 + h² f/m;
 * BDF2: γ = 2h/3, q̃ = (4q0 − q₋₁)/3 + γ (4v0 − v₋₁)/3 + γ² f/m. γ may differ from node to node.
 *
 * Scratch memory of a solve: a vector and the values of the matrix, from its beginning to its end; on top of them, in
 * turns, what `refresh` takes for contacts, with what an evaluation takes, and what the inner solve takes (cg.h). The
 * end gives back all of it, and then finds the contacts at the result: what `refresh` has taken for these stays taken,
 * for the caller to read, who releases it. */
#ifndef WEFT_SOLVE_NEWTON_H
#define WEFT_SOLVE_NEWTON_H

#include "solve/assembly.h"
#include "solve/cg.h"
#include "solve/contact_sum.h"
#include "solve/params.h"

/* Friction along a rod: the node is filtered to the line; its normal force is the reaction across the line. */
typedef struct rod_term {
    int32_t dof;
    vec3 axis; /* unit */
    double k;  /* of the stiff start of friction, N/m */
    double friction;
    vec3 anchor;
    double force; /* normal, lagged, N */
} rod_term;

/* What friction adds to the gradient along the axis, N. */
double rod_friction(const rod_term *r, const vec3 *q);

/* Friction is renewed between Newton steps, by what the last of them has done; not in line searches, nor before the
 * first. After the last one that of colliders is, for those who read it. */
typedef enum newton_moment { NEWTON_TRIAL, NEWTON_FIRST, NEWTON_NEXT, NEWTON_LAST } newton_moment;

typedef struct newton_problem {
    assembly *assembly;
    pool *pool;
    int32_t n;
    const double *mass;
    const vec3 *target;     /* q̃ */
    const int32_t *restart; /* per row: takes gamma[1], else gamma[0] */
    double gamma[2];
    const filter *filters;
    assembly_motion motion;
    const contact_term *const *contacts; /* with colliders; `refresh` may move them, and change how many there are */
    const int32_t *n_contacts;
    const contact_term *pairs; /* between cloths, and with meshes; planned in newton_work by the caller */
    int32_t n_pairs;
    rod_term *rods;
    int32_t n_rods;
    /* Finds the contacts at q anew, and may take scratch for them, which lasts until they are found once more, or an
     * inner solve begins. Returns whether friction has settled. */
    bool (*refresh)(void *context, const vec3 *q, newton_moment moment);
    /* How many times `limit` steps it may take from q, where `last`, the direction of the last step, has led; or
     * NULL: once. */
    int32_t (*patience)(void *context, const vec3 *q, const vec3 *last);
    /* Whether `accuracy` is asked for, where the last step has led, and steps go on until it is reached, up to
     * NEWTON_ACCURATE times the limit; NULL: it is not. */
    bool (*wants_accuracy)(void *context);
    /* The mean is of moves of parts as a whole: nodes that go to and fro by themselves count for little. */
    bool in_parts;
    double accuracy; /* how far rows may be from the solution, in the mean by mass, by estimate, m */
    /* Draws a trial that is too far from what forces allow towards it, by cheap means, or NULL: a direction is
     * straight, and cloth that turns is not. False: it has done nothing. */
    bool (*retract)(void *context, vec3 *q);
    void *context;
    bool wants_gradient;     /* at the result */
    bool flies;              /* nothing from outside touches it: each direction is to lead the whole where it belongs */
    double tolerance;        /* stop when no node moves more, m */
    double acceptable;       /* beyond the limit of steps, go on for a while if a node still moves more, m */
    double linear_tolerance; /* of the inner solve, relative */
    int32_t limit, linear_limit;
    arena *scratch;
    atomic_bool *cancel;
    void (*watch)(void *watcher); /* called after each inner solve, while its matrix is there; or NULL */
    void *watcher;
} newton_problem;

typedef struct newton_work {
    vec3 *gradient, *direction;
    vec3 *trial;       /* in scratch memory during a solve; also the right side of the inner solve */
    arena_mark before; /* what `refresh` took last */
    multigrid multigrid;
    contact_sum contacts, pairs;
    bool is_known;   /* Φ of the result was found last: the assembly is there, and it is a number */
    bool is_renewed; /* friction, since the last inner solve */
    int32_t n;
} newton_work;

/* For Hessians of this pattern. rest: where its rows are at rest; read here only. False without memory. */
bool newton_create(newton_work *w, mem *m, const blockmat *hessian, const vec3 *rest);
void newton_destroy(newton_work *w, mem *m);

/* Scratch that a solve with this matrix takes, but for contacts: reserved where nothing is taken, it lies in one block,
 * and what evaluations take never fails. */
int64_t newton_bytes(const newton_work *w, const blockmat *hessian);

/* For another pattern, that of newton_create and `extra`, with the same aggregates. False without memory. */
bool newton_renew(newton_work *w, mem *m, pool *p, const blockmat *hessian, const sparsity *extra);

typedef enum newton_end { NEWTON_CONVERGED, NEWTON_LIMIT, NEWTON_STALLED, NEWTON_BROKEN, NEWTON_CANCELLED } newton_end;

typedef struct newton_stats {
    int32_t iterations, linear_iterations;
    double residual; /* largest move of the last step, m */
    double moves;    /* Σ mass · move of the last step, kg m */
    bool grows;      /* the largest is more than that of the step before, and not of a few nodes alone */
    int32_t still;   /* steps in a row that moved no node by more than the tolerance */
    int32_t near;    /* steps in a row whose mean was within the accuracy */
    double mean;     /* move of the last step, m, in the mean by mass of what is free; … */
    double ratio;    /* … over that of the step before */
    double unsolved; /* how far the inner solve may have left rows from its solution, root of mean square by mass, m */
    double way;      /* share of the way to the solution, were Φ quadratic: 1 after a step that was not shortened */
    double seconds_touch, seconds_assemble, seconds_solve;
} newton_stats;

/* Φ(q); or HUGE_VAL, where the energy of stretch alone is more than `most`. What `refresh` takes stays taken, here and
 * by newton_rest. */
double newton_energy(newton_work *w, const newton_problem *p, const vec3 *q, double most);

/* The same in two parts: what elements and inertia have of it, to which contacts only add, and then the whole. */
double newton_least(newton_work *w, const newton_problem *p, const vec3 *q);
double newton_rest(newton_work *w, const newton_problem *p, const vec3 *q, double least);

/* q: first guess in, result out; fixed directions are as the guess has them. w->gradient is ∇Φ at the result, if it is
 * wanted: what holds each node, and nothing else where Newton has converged. STALLED: no step along the last direction
 * lowers Φ, or only one that is shorter than the tolerance. */
newton_end newton_solve(newton_work *w, const newton_problem *p, vec3 *q, newton_stats *stats);

#endif
