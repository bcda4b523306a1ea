/* SPDX-License-Identifier: MIT */
/* The phases of a step, in the order in which step.c calls them. Each is handed the model, which it reads and writes,
 * and the state that the substep starts from, which none but the commit writes; then the substep, and the statistics
 * that it adds to. */
#ifndef WEFT_SIM_PHASES_H
#define WEFT_SIM_PHASES_H

#include "sim/model.h"
#include "sim/substep.h"

/* ---- what is prescribed (constrain.c, sim_mesh.c) ---------------------------------------------------------------- */

/* Places colliders; sets filters, and q1 of held nodes to where they are at the substep's end; fills rods; gravity and
 * the user's forces. */
void constrain(model *m, const state *st, const substep *sub);
/* Vertices of mesh colliders: their way through the substep into model.mesh, called by constrain; its end becomes where
 * they are. Where they are when a step begins is kept, and comes back if it fails. */
void move_meshes(model *m, const state *st, const substep *sub);
/* Where they are now, into model.mesh as where they start: for what is asked between steps. */
void find_meshes(model *m);
void commit_meshes(model *m);
void keep_meshes(model *m);
void return_meshes(model *m);
/* Gravity and the user's forces on a degree of freedom, m/s². */
vec3 external_at(const model *m, int32_t dof);
air_par air_now(const weft_sim_def *def);

/* By how many halvings the substep should be shorter, by how far held nodes part from free ones in it, which is known
 * of the guess; −1: it could be twice as long (held_motion.c). */
int32_t held_motion_wish(const model *m, const state *st);

/* Forces that attachments and colliders have felt: forgotten when a step begins; `fraction` of a substep's added, where
 * `reaction` is what holds each node, N. Those of nodes held between others are added to theirs. */
void forget_forces(model *m);
void record_reactions(model *m, vec3 *reaction, const vec3 *q, double fraction);
void record_contact(model *m, int32_t ci, vec3 point, vec3 force, double fraction);

/* What contacts press on nodes with (pressure.c): forgotten when a step begins; `fraction` of a substep's added: of all
 * contacts of an implicit solve, or a force on one node, N. */
void pressure_clear(model *m);
void pressure_record(model *m, double fraction);
void pressure_add(model *m, int32_t node, double force);
/* With the rows made. False without memory. */
bool pressure_make(model *m);
void pressure_free(model *m);

/* ---- the integrator's formula (predict.c) ------------------------------------------------------------------------ */

/* γ, q̃ and a first guess q1 of each node; damping and air as they are at the start. False without memory. */
bool predict(model *m, const state *st, double h);
/* In q1 = base + γ v1, of one node. */
vec3 base_of(const model *m, const state *st, int32_t i);
double gamma_of(const model *m, const state *st, int32_t i);

/* ---- touch: contacts with colliders, pairs of cloth (implicit.c, cloth_contact.c) -------------------------------- */

/* From the state and the guess. False without memory. */
bool touch(model *m, const state *st, double h, weft_step_stats *stats);

/* ---- solve (implicit.c, explicit.c) ------------------------------------------------------------------------------ */

typedef enum solve_end { SOLVE_DONE, SOLVE_FAILED, SOLVE_CANCELLED } solve_end;

/* Integrators propose q1, v1, next_memory, next_restart and next_radius, and commit nothing. round: 0, or how often
 * prevention has found hits that this solve feels too. */
solve_end implicit_propose(model *m, const state *st, const substep *sub, int round, weft_step_stats *stats);
solve_end explicit_propose(model *m, const state *st, const substep *sub, weft_step_stats *stats);
/* Velocities at the end of a solve, and before it as the next step takes them (model.jump), where cloths and meshes
 * have hit each other (impact_impulse.c). */
void impacts_between_cloths(model *m, const state *st, double h);
/* Momentum and angular momentum of cloths that fly, of a solve's end (free_flight.c). False without memory. */
bool keep_flight(model *m, const state *st, double h);
/* Whether there is no air, of any kind. */
bool is_vacuum(const model *m);
/* Forces on colliders and attachments, of an implicit substep that was accepted whole. */
void implicit_record_forces(model *m, double fraction);

/* Shortens edges of a first guess q to their length at q0, or at rest (limit_edges.c). */
void keep_edges(model *m, const vec3 *q0, vec3 *q);
/* Provot 1995 (limit_edges.c): shortens edges that exceed their limit. */
void limit_edges(model *m, double h);
/* Draws a trial of Newton's method out of contacts, and edges in it back from their limit, if they have one; else
 * false. context: the model. */
bool retract_trial(void *context, vec3 *q);
/* Whether so many edges are near the limit by stiffening that Newton's method should go on from q; `last`: how its last
 * step has moved degrees of freedom. Then: shortens those that are left in q1. */
bool edges_are_taut(model *m, const vec3 *q, const vec3 *last);
void loosen_edges(model *m, const state *st, const vec3 *last);

/* What the way that weight goes in a step is reckoned with, m/s²: gravity, or 1 where there is hardly any. */
static inline double gravity_or_one(const weft_sim_def *d)
{
    return max_of(1.0, sqrt(d->gravity.x * d->gravity.x + d->gravity.y * d->gravity.y + d->gravity.z * d->gravity.z));
}

/* ---- untangle (untangling.c, tangled.c) -------------------------------------------------------------------------- */

/* Which patches intersect others at x, all nodes. What does is let pass until it is free. */
weft_result tangled_find(model *m, const state *st, const vec3 *x, weft_error *e);
bool tangled_exempts(void *context, const int32_t node[4], bool edges);
/* Things were put elsewhere by hand: they may intersect. */
void tangled_suspect(model *m);
/* Looks at what intersects at x, with untangling.pairs filled in, and marks intruders as tangled. False without
 * memory. */
bool untangling_look(model *m, const state *st, const vec3 *x);
/* Moves q1 so that contours get shorter. False without memory. */
bool untangling_step(model *m, const state *st, const substep *sub, weft_step_stats *stats);
/* When the substep has become the state up to `fraction` of it: moves the history along. */
void untangling_commit(model *m, state *st, double fraction);
void untangling_free(model *m);
/* What step control is to wish for (cloth_contact_wish), given what passing pairs do: steps are short while something
 * is parted. */
int32_t untangling_wish(const model *m, int32_t wish);
/* Masses and targets of the solve where something is tangled, or was of late, from the arena (untangling_drag.c); else
 * they stay. False without memory. */
bool untangling_drag(const model *m, const state *st, double h, const double **mass, const vec3 **target);
/* What groups know of their ways becomes part of the state. False without memory. */
bool untangling_remember(const model *m, state *st);
/* For the tool (repair/repair.c), which has air and attempts of its own: contours are shortened (rings 0), or parted by
 * groups with patches of so many rings, without drag, in steps of any length; plain: contours by eq. 2 alone. */
void untangling_use_groups(model *m, int rings, bool plain);
/* On which side of each object others belong, as the user says, and the outside of closed meshes; which object is worn
 * over which, as many as there are layers (sim_side.c). */
void untangling_find_sides(const model *m, weft_untangle_side *sides);
void untangling_find_layers(const model *m, weft_untangle_layer *layers);

/* ---- prevent (prevention.c) -------------------------------------------------------------------------------------- */

/* Keeps thickness, puts q1 on the grid, and makes q1 and v1 safe. PREVENT_HITS, if ask: something would pass through,
 * and nothing was done about it. PREVENT_CUT: q1 and v1 are what is reached at the part *cut of the substep. */
prevent_end prevent_passage(model *m, const state *st, const substep *sub, bool ask, double *cut,
                            weft_step_stats *stats);
/* Whether everything can go from where it is to q1, meshes staying where they are; PREVENT_HITS: prevent_get_hit tells
 * what is in the way. */
prevent_end prevent_ask(model *m, const state *st, const vec3 *q1);
/* Pairs that colliders left no room (squeezed.c): forgotten when a step begins; those of the last prevention added. */
void squeezed_clear(cloth_contact *cc);
void squeezed_note(model *m);
void squeezed_free(model *m);

/* The longest edge over its limit by stiffening; 0: none has one (overstretch.c). */
double stretch_over_limit(const model *m, const vec3 *q);
/* Whether q1 stretches an edge far beyond its limit, beyond what it was, and beyond what held nodes force. */
bool substep_overstretches(const model *m, const state *st);
/* A lower bound of stretch_over_limit by where held nodes are at q (forced_stretch.c); 0: none, or no memory. */
double forced_stretch(const model *m, const vec3 *q);

/* ---- commit (commit.c) ------------------------------------------------------------------------------------------- */

/* The proposal becomes the state, up to `cut` of the substep. False without memory: the state is as it was. */
bool commit(model *m, state *st, const substep *sub, double cut);
/* Tilts of bends (force/bend.h): from the state into the model before a substep, and back by commit. */
void tilts_into_model(model *m, const state *st);

/* ---- statistics (measure.c) -------------------------------------------------------------------------------------- */

/* Energies, stretch, speed: what is measured at the end of a step. */
void measure(model *m, const state *st, weft_step_stats *out);
double elastic_energy(model *m, const state *st);

#endif
