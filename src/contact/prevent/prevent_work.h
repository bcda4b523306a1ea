/* SPDX-License-Identifier: MIT */
/* What the parts of prevention share: one call's job, and arrays that stay from call to call. */
#ifndef WEFT_CONTACT_PREVENT_PREVENT_WORK_H
#define WEFT_CONTACT_PREVENT_PREVENT_WORK_H

#include "contact/prevent/impact.h"
#include "contact/prevent/prevent.h"

typedef struct prevent_work {
    int32_t n_nodes, n_dofs;
    vec3 *x_boxed;  /* x1 when the tree's boxes were made: pairs are complete while nodes stay within them; and … */
    vec3 *x_tested; /* … x1 at the last test: in scratch memory */
    vec3 *x_unkept; /* x1 before `keep` */
    vec3 *x_base;   /* x1 and v1 before impulses; then those when impact zones began to move as one */
    vec3 *v_base;
    uint8_t *moved;     /* node: since the last test */
    obstacle *obstacle; /* dof: what `keep` has pushed it away from; NULL: there was no response yet (prevent_ready) */

    bvh_pairs pairs;  /* in scratch memory of the tree */
    uint8_t *verdict; /* of each pair of the tree's lists */
    int64_t verdict_room;
    struct detect_block *blocks;
    int64_t block_room;
    int64_t *hit_pair; /* numbers of the pairs that hit */
    int64_t hit_pair_room;
    impact *hits;
    int64_t hit_room;
    int32_t *order; /* of hits, by time */
    int64_t order_room;
    int32_t n_told; /* hits that the caller may ask for */
    int32_t n_told_nodes;

    ledger ledger;
    impact *constraints; /* of the inelastic solve; of zones: all that made them */
    int64_t n_constraints, constraint_room;
    impact_reach *reaches; /* of the constraints */
    int64_t reach_room;

    int32_t *parent;              /* dof: impact zones as a union-find; −1: in none */
    int32_t *impact_zone_of;      /* root: number */
    int32_t *impact_zone_size;    /* root: degrees of freedom */
    double *impact_zone_fraction; /* root: fraction of its step that is taken */
    int32_t *self_hits;           /* root: rounds in which the zone hit itself */
    int32_t *self_hit_round;      /* root: the last of them, plus one */
    struct impact_zone_motion *motions;
    int64_t motion_room;
    int32_t n_motions;

    prevent_pair *squeezed;
    int64_t squeezed_room;
    int32_t n_squeezed;
} prevent_work;

typedef struct prevent_job {
    prevent_world *world;
    prevent_work *work;
    const vec3 *x0;
    vec3 *x1, *v1;
    const prevent_options *options;
    prevent_stats *stats;
    arena_mark before_walk; /* of the tree's arena: a walk releases what the last one took */
    double reach;           /* impulses may move what is free so far from x_base, m; 0: anywhere */
    double slack;           /* by which x1 may leave the boxes, m */
    int64_t n_pairs;        /* vertex–triangle pairs, then pairs of edges */
    int32_t n_hits;
    int32_t n_checks; /* full ones */
    bool in_sweeps, in_failsafe;
    bool ran_away; /* x1 has left the world, or the reach of impulses */
    bool walked;   /* there are pairs to look at again */
    bool complete; /* the last test was of all pairs, from fresh boxes */
} prevent_job;

/* Room for n items; false without memory. Grows by half, so that steady steps ask for none. */
bool work_room(mem *m, void **items, int64_t *room, int64_t n, size_t item_size);
#define WORK_ROOM(m, items, room, n) work_room((m), (void **)&(items), &(room), (n), sizeof *(items))

/* Makes what only a response needs: most steps have none. False without memory. */
bool prevent_ready(prevent_job *j);

/* x1 onto the grid, and nodes that hang where they belong; false if one has run away. */
bool prevent_settle(prevent_job *j);

/* After a response: keep, snap, and test again what moved; ends with a full check where nothing hits any more. False:
 * failed. */
bool prevent_test_again(prevent_job *j);

#endif
