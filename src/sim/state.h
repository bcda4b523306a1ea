/* SPDX-License-Identifier: MIT */
/* The mutable state: everything that a snapshot holds. Indexed by degree of freedom. */
#ifndef WEFT_SIM_STATE_H
#define WEFT_SIM_STATE_H

#include "contact/pair/pair_set.h"
#include "contact/collider/collider_contact.h"
#include "math/grid.h"
#include "untangle/group_memory.h"

typedef struct state {
    int32_t n;
    double time;
    double last_h;         /* of the step that made the history; 0: no history */
    vec3 *q, *v;           /* on the grid; any */
    vec3 *q_past, *v_past; /* one step before */
    vec3 *accel;           /* over the last step */
    contact_memory *memory;
    int32_t *restart;    /* 1: the velocity jumped, the next step takes implicit Euler here */
    double *pair_radius; /* from how far beyond its thickness a node feels cloth: less once it rests (pair_rest.c), m */
    pair_memories pairs; /* of cloth with cloth, and with meshes */
    group_memory groups; /* of what is tangled */
    int32_t n_tilts;
    double *tilt; /* of the normals at the middles of edges (bend.h), rad */
} state;

bool state_create(state *s, mem *m, int32_t n, int32_t n_tilts);
void state_destroy(state *s, mem *m);

/* Copies [from, from + n) of src to [to, …) of dst. */
void state_copy_range(state *dst, int32_t to, const state *src, int32_t from, int32_t n);
void state_copy_tilts(state *dst, int32_t to, const state *src, int32_t from, int32_t n);
/* All but the pairs and groups, which go by the numbers of nodes. */
void state_copy_nodes(state *dst, const state *src);
/* False without memory for the pairs; none is needed to take back a copy that was made before. */
bool state_copy(state *dst, mem *m, const state *src);

/* A state from before a step, kept while the step may still fail: made when a substep that others may follow is
 * committed, dropped when a step has needed none, so that steps in parts, which come in rows, copy into memory that is
 * there. */
typedef struct backup {
    state state;
    bool kept; /* in this step */
} backup;

void backup_forget(backup *b);                           /* a step begins */
bool backup_keep(backup *b, mem *m, const state *st);    /* the first time in a step; false without memory */
void backup_restore(const backup *b, mem *m, state *st); /* if something was kept */
void backup_trim(backup *b, mem *m);                     /* a step ends: gives back memory that it did not need */
void backup_destroy(backup *b, mem *m);

#endif
