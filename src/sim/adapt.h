/* SPDX-License-Identifier: MIT */
/* Adapting: meshes split where the cloth bends and merge where it is flat (adapt.c decides, merge_motion.c tries
 * merging as a motion, reshape.c changes a cloth's mesh and carries the state over, stitch.c has both sides of a seam
 * do the same). */
#ifndef WEFT_SIM_ADAPT_H
#define WEFT_SIM_ADAPT_H

#include "sim/definitions.h"
#include "sim/state.h"

weft_result adapt_check(const weft_adapt *a, weft_error *e);

/* A node's part of the state, while the mesh changes; indexed by node of the forest. */
typedef struct carrier {
    vec3 q, v, q_past, v_past, accel;
    contact_memory memory;
    int32_t restart;
    double pair_radius;
    double mass;       /* of its degree of freedom, kg */
    vec3 momentum;     /* kg m/s; counts where `gained` */
    vec3 rest;         /* counts where `placed` */
    int32_t centre_of; /* a quad that has split: its number + 1; 0: of none */
    bool known;        /* false: it is the middle of its parents */
    bool gained;
    bool placed;
    bool stayed; /* the place held the same node before */
} carrier;

/* A change of a cloth's mesh: begun, made on a copy of the forest, then committed or dropped; once committed, kept or
 * undone. `forest` and the fields below `nodes` are what the cloth has not got: before the commit what it will have,
 * after it what it had. */
typedef struct reshape {
    weft_sim *sim;
    cloth *cloth;
    forest forest;
    carrier *nodes;
    int32_t n_nodes;
    surface *surface;
    state state;
    double *node_mass;
    int32_t n_tilts;
    int32_t *number; /* by node of the forest: in the surface that comes */
    int32_t n_number;
} reshape;

weft_result reshape_begin(reshape *r, weft_sim *s, cloth *c, weft_error *e);
/* Moves nodes onto the coarse element, hands their momentum to its corners, and merges; forest_can_merge must hold. */
void reshape_merge(reshape *r, int32_t ei);
/* A failure changes nothing and drops the reshape. */
weft_result reshape_commit(reshape *r, weft_error *e);
void reshape_undo(reshape *r); /* the last one first */
void reshape_drop(reshape *r); /* also of one that is to be kept */

/* Whether attachments or ties name nodes that are not of the first mesh: another one may lack them. */
bool reshape_names_new_nodes(const weft_sim *s, const cloth *c);

/* A forest of a cloth's roots, with the borders that welded ties join stitched to each other (stitch.c). A failure
 * leaves it empty. */
weft_result stitch_forest(weft_sim *s, const cloth *c, forest *out, weft_error *e);
/* When its welded ties have changed, if it adapts; refused, with nothing done, when something has split. */
weft_result stitch_again(weft_sim *s, cloth *c, weft_error *e);

/* What adapting has changed, until the step has come to its end. */
typedef struct adaptation {
    reshape *changes;
    int32_t n, capacity;
    double time; /* when it looked, s */
} adaptation;

/* The first phase of a step: the mesh for it, and the model of it. Also after a failure it must be ended: kept, or
 * undone. */
weft_result adapt(weft_sim *s, adaptation *a, weft_step_stats *stats, weft_error *e);
void adapt_end(weft_sim *s, adaptation *a, bool keep);
/* The part of it that splits and merges, where that is called for; the model is not made anew. */
weft_result adapt_cloths(weft_sim *s, adaptation *a, bool split_only, weft_step_stats *stats, weft_error *e);
/* Of all that the looks have found, takes out what cannot merge without coming too near to something on its way. */
weft_result merges_try(weft_sim *s, weft_step_stats *stats, weft_error *e);

#endif
