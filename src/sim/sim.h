/* SPDX-License-Identifier: MIT */
/* The inside of a simulation: definitions (cloths, colliders, attachments, ties) behind ids; the state; and the model,
 * which is made from the definitions when they have changed and holds everything that a step needs, so that a steady
 * step calls no allocator. */
#ifndef WEFT_SIM_INTERNAL_H
#define WEFT_SIM_INTERNAL_H

#include <stdatomic.h>
#include <weft/weft.h>

#include "contact/touch.h"
#include "sim/keys.h"
#include "sim/slots.h"
#include "sim/state.h"
#include "solve/newton.h"

#if defined(__GNUC__)
#define SIM_LIKE_PRINTF __attribute__((format(printf, 3, 4)))
#else
#define SIM_LIKE_PRINTF
#endif

typedef struct cloth {
    surface *surface;
    cloth_material material; /* fabrics and node_mass are the two arrays below */
    weft_fabric *fabrics;
    int32_t n_fabrics;
    double *node_mass;
    int32_t offset;   /* of its nodes in the state */
    int32_t n_shares; /* of its bending (forces.h) */
    int32_t share_offset;
    int32_t model_shares; /* where they begin in the model */
} cloth;

typedef struct sim_collider {
    shape shape;
    pose still;
    keys keys; /* n = 0: stands still */
    double friction, dissipation;
    int32_t model_index;
    vec3 force, torque; /* by cloth, over the last step */
} sim_collider;

typedef struct attachment {
    weft_attachment_kind kind;
    weft_cloth_id cloth;
    weft_collider_id collider;
    int32_t n;
    int32_t *nodes;    /* of the cloth */
    vec3 *targets;     /* PIN, SOFT: in the world; COLLIDER: in the collider's frame */
    double *stiffness; /* SOFT */
    keys keys;
    vec3 rod_point, rod_axis;
    double rod_friction;
    vec3 *force; /* by the cloth, over the last step */
} attachment;

typedef struct tie {
    weft_cloth_id cloth_a, cloth_b;
    int32_t n;
    int32_t *a, *b;
    double stiffness, length, damping;
} tie;

/* Made by model_build, valid while `dirty` is false. */
typedef struct model {
    bool dirty;
    int32_t n;
    forces forces;
    node_row *rows;
    assembly assembly;
    newton_work newton;
    touch touch;
    filter *filters;
    double *mass, *gamma;
    vec3 *base;   /* x̂ of each node's own formula */
    vec3 *motion; /* x̂ of the step's formula, for damping and air */
    vec3 *target, *q1, *v1, *external, *moved, *x0, *x;
    contact_memory *next_memory; /* of the state being made */
    int32_t *next_restart;
    double mean_edge; /* m; 1 cm where there are no edges */
    collider *colliders;
    sim_collider **collider_owner;
    int32_t n_colliders;
    rod_term *rods;
    int32_t n_rods;
} model;

struct weft_sim {
    mem mem;
    weft_sim_def def;
    pool *pool;
    slots cloths, colliders, attachments, ties;
    state state, backup;
    model model;
    atomic_bool cancel;
    weft_step_stats stats;
};

/* ---- definitions (sim_cloth.c, sim_collider.c, sim_attachment.c) ------------------------------------------------- */

/* The code for what could not be got: no such id, or (then *e is filled in) no simulation. */
weft_result sim_missing(const weft_sim *s, weft_error *e);

/* Farthest coordinate that is accepted from outside, m. */
double sim_world_limit(const weft_sim *s);

cloth *sim_get_cloth(const weft_sim *s, weft_cloth_id id, weft_error *e);
sim_collider *sim_get_collider(const weft_sim *s, weft_collider_id id, weft_error *e);
void cloth_destroy(weft_sim *s, cloth *c);
void sim_collider_destroy(weft_sim *s, sim_collider *c);
void attachment_destroy(weft_sim *s, attachment *a);
void tie_destroy(weft_sim *s, tie *t);
pose sim_collider_pose(const sim_collider *c, double time);

/* Removes attachments and ties that name the cloth (or collider). */
void attachments_drop_cloth(weft_sim *s, weft_cloth_id id);
void attachments_drop_collider(weft_sim *s, weft_collider_id id);

/* Through the user's log callback, if there is one. */
void sim_log(const weft_sim *s, weft_log_level level, const char *format, ...) SIM_LIKE_PRINTF;

/* ---- model (model.c) --------------------------------------------------------------------------------------------- */

weft_result model_build(weft_sim *s, weft_error *e);
void model_destroy(weft_sim *s);
/* The definitions have changed. */
void model_invalidate(weft_sim *s);

/* ---- the step (step.c, implicit.c, explicit.c, hold.c) ----------------------------------------------------------- */

/* Outcome of one attempt at a substep of length h from the present state. On STEP_DONE the state is the new one. */
typedef enum step_end { STEP_DONE, STEP_FAILED, STEP_CANCELLED } step_end;

/* The substep [time, time + h] is part of a step of length `whole`, `done` of which lies behind (for targets set by
 * hand). */
typedef struct substep {
    double h, whole, done;
} substep;

step_end implicit_step(weft_sim *s, const substep *sub, weft_step_stats *stats);
step_end explicit_step(weft_sim *s, const substep *sub, weft_step_stats *stats);

/* Sets filters, and q1 of held nodes to where they are at the substep's end; places colliders; fills rods. */
void hold_nodes(weft_sim *s, const substep *sub);
/* Gravity and the user's forces per mass, m/s², into model.external. */
void external_accelerations(weft_sim *s);
air_par air_now(const weft_sim *s);

/* Adds to the forces that attachments and colliders have felt: `reaction` is what holds each node, N. */
void record_reactions(weft_sim *s, const vec3 *reaction, const vec3 *q, double share);
void record_contact(weft_sim *s, int32_t collider, vec3 point, vec3 force, double share);

/* Thickness, grid, finiteness; then q1, v1 become the state. STEP_FAILED leaves the state alone. */
step_end commit_step(weft_sim *s, double h, weft_step_stats *stats);

/* Provot 1995: shortens edges that exceed their limit. */
void limit_edges(weft_sim *s, double h);

#endif
