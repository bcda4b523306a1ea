/* SPDX-License-Identifier: MIT */
/* The inside of a simulation: definitions (cloths, colliders, attachments, ties) behind ids; the state; and the model,
 * which is made from the definitions when they have changed. The API's functions are handed all of it; the phases of a
 * step (phases.h) the model and the state. */
#ifndef WEFT_SIM_SIM_H
#define WEFT_SIM_SIM_H

#include <stdatomic.h>
#include <weft/weft.h>

#include "sim/definitions.h"
#include "sim/guard.h"
#include "sim/model.h"
#include "sim/state.h"
#include "sim/substep.h"

#if defined(__GNUC__)
#define SIM_LIKE_PRINTF __attribute__((format(printf, 3, 4)))
#else
#define SIM_LIKE_PRINTF
#endif

struct weft_sim {
    mem mem;
    arena scratch; /* that phases of a step take of; nothing is taken between steps, nor kept from model to model */
    weft_sim_def def;
    pool *pool;
    definitions defs;
    state state;
    backup backup; /* of the state when the step began */
    model model;
    atomic_bool cancel;
    guard guard;           /* against calls from within callbacks */
    weft_step_stats stats; /* of the last step */
};

/* ---- definitions (sim_cloth.c, sim_collider.c, sim_attachment.c, sim_mesh.c) ------------------------------------- */

/* The code for what could not be got: no such id, or (then *e is filled in) no simulation. */
static inline weft_result sim_missing(const weft_sim *s, weft_error *e)
{
    return s ? WEFT_ERROR_STALE_ID : error_set(e, WEFT_ERROR_ARGUMENT, -1, "the simulation is NULL");
}

/* Farthest coordinate that is accepted from outside, m. */
double sim_world_limit(const weft_sim *s);

cloth *sim_get_cloth(const weft_sim *s, weft_cloth_id id, weft_error *e);
sim_collider *sim_get_collider(const weft_sim *s, weft_collider_id id, weft_error *e);
void cloth_destroy(weft_sim *s, cloth *c);
void sim_collider_destroy(weft_sim *s, sim_collider *c);
void attachment_destroy(weft_sim *s, attachment *a);
void tie_destroy(weft_sim *s, tie *t);
/* All of a definition but what is of meshes; and the shape of one that is not a mesh. */
weft_result collider_def_check(const weft_collider_def *d, weft_error *e);
shape collider_def_shape(const weft_collider_def *d);

/* Of a mesh: puts the vertices where the pose has them now; whether x is there already, but for rounding; how far a
 * cloth is from it (weft_collider_get_clearance). */
void sim_mesh_place(const weft_sim *s, sim_collider *c);
bool sim_mesh_is_placed(const weft_sim *s, const sim_collider *c, const vec3 *x);
double sim_mesh_clearance(const weft_sim *s, const sim_collider *c, const cloth *cl);

/* Removes attachments and ties that name the cloth (or collider). */
void attachments_drop_cloth(weft_sim *s, weft_cloth_id id);
void attachments_drop_collider(weft_sim *s, weft_collider_id id);
/* Layers that name it. */
void layers_drop_cloth(weft_sim *s, weft_cloth_id id);

/* ---- telling (sim.c, outcome.c) ---------------------------------------------------------------------------------- */

/* What is to be logged of a cloth's model of stretch (sim_cloth.c). */
void sim_tell_model(const weft_sim *s, const cloth *c, int32_t index);
/* Through the user's log callback, if there is one; where the state is whole, since the callback may read it. */
void sim_log(const model *m, weft_log_level level, const char *format, ...) SIM_LIKE_PRINTF;

/* The result of a step that has come to this end, with a text in *e or in the log. */
weft_result step_outcome(const weft_sim *s, substep_end end, const weft_step_stats *stats, weft_error *e);

#endif
