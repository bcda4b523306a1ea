/* SPDX-License-Identifier: MIT */
/* Phase 6 of the step: nothing passes through anything. From start positions that are free of intersections and
 * proposed ends it makes ends that can be reached on straight lines without any two primitives meeting, by impulses
 * that keep momentum; and proves it on the very numbers that will be stored.
 *
 * Plain arrays in, nothing of the simulation is known here. Nodes are those of all cloths (those that hang included),
 * then those of collider meshes. The latter, and whatever filters hold, are immovable: they go where x1 says. */
#ifndef WEFT_CONTACT_PREVENT_PREVENT_H
#define WEFT_CONTACT_PREVENT_PREVENT_H

#include "base/pool.h"
#include "contact/pair/verlet_list.h"
#include "solve/filter.h"
#include "mesh/surface.h"
#include "bvh/bvh.h"

#include <weft/step_stats.h>

typedef struct prevent_pair {
    int32_t node[4]; /* a vertex and a triangle, or the ends of two edges */
    bool edges;
    bool held; /* nothing of it can move but as prescribed: no response could have helped */
} prevent_pair;

typedef struct prevent_world {
    mem *mem;
    pool *pool;
    bvh *bvh;          /* of all triangles: */
    arena *scratch;    /* that a call takes two places and a mark a node of, beside the tree's; nothing stays taken */
    verlet_list *list; /* of pairs that may come near: spares a walk while it is kept; NULL: there is none */
    const int32_t (*triangles)[3];
    bvh_mode mode;
    int32_t n_nodes, n_dofs;              /* nodes [0, n_dofs) are cloth, the others belong to collider meshes */
    const node_row *rows;                 /* T, one a cloth node */
    const double *mass;                   /* per cloth node; counts where it is a degree of freedom, kg */
    const filter *filters;                /* likewise */
    const double *radius;                 /* contact radius r, m; ≥ 0 … */
    const double *friction, *dissipation; /* k_f and k_d of fabrics; of colliders the factors on them … */
    int32_t stride;                       /* … so many numbers apart, … */
    const int32_t *common;                /* … for each node the number of its own; NULL: as nodes are numbered … */
    int32_t common_stride;                /* … so many numbers apart */
    double h;                             /* of the substep, s */
    int32_t world_scale;

    /* What else cloth must keep clear of (analytic colliders): moves nodes of x1 where it has to, and nothing
     * where it need not. Snapping to the grid must not undo it. NULL: nothing. */
    void (*keep)(void *context, vec3 *x1);
    /* Pairs that are not looked at (patches that are being untangled); called from several threads. NULL: none. */
    bool (*exempt)(void *context, const int32_t node[4], bool edges);
    void *context;

    struct prevent_work *work; /* NULL at first; grows and stays: prevent_destroy */
} prevent_world;

static inline double prevent_of_node(const prevent_world *w, const double *numbers, int32_t vi)
{
    int64_t i = w->common ? w->common[(int64_t)w->common_stride * vi] : vi;
    return numbers[w->stride * i];
}

typedef enum prevent_response {
    PREVENT_WEFT,  /* impulses at the time of contact, inelastic zones, a shorter step, rigid zones, fail-safe */
    PREVENT_PROVOT /* provot1997 §3.3, §4: one response at the step's start, then rigid zones; fail-safe */
} prevent_response;

typedef struct prevent_options {
    prevent_response response;
    bool last_chance; /* the step cannot be shortened any more: no PREVENT_RETRY */
    bool ask;         /* hits are told of, not responded to: PREVENT_HITS */
} prevent_options;

typedef enum prevent_end {
    PREVENT_FREE,  /* x1 is safe */
    PREVENT_HITS,  /* as asked: x1 is not safe, prevent_hits tells why */
    PREVENT_RETRY, /* hits remain: solve again with a shorter step. x1 and v1 are of no use */
    PREVENT_CUT,   /* x1 is safe and what everything (colliders too) reaches at the fraction stats->cut of the step */
    PREVENT_SQUEEZED, /* x1 is safe but for the pairs of prevent_squeezed */
    PREVENT_FAILED    /* no memory, too many pairs, or a node that left the world. x1 and v1 are of no use */
} prevent_end;

/* Those statistics of a step that prevention makes, and two more. Candidates and hits are counted at the first look,
 * settled pairs and tests at every one. */
typedef struct prevent_stats {
    WEFT_STATS_PREVENTION(WEFT_STATS_FIELD)
    int32_t checks; /* full ones; one in a step without hits */
    double cut;     /* PREVENT_CUT: the fraction of the step */
} prevent_stats;

/* x0, x1: n_nodes; x0 on the grid. v1: n_dofs; impulses change it as they change x1. x1 comes back snapped to the grid,
 * nodes that hang in the middle of their edge. Adds to stats (cut and smallest_gap are set). */
prevent_end prevent(prevent_world *w, const vec3 *x0, vec3 *x1, vec3 *v1, const prevent_options *o,
                    prevent_stats *stats);

/* A pair that would come too near: Σ w_i x_i is its gap at the contact's time, along the unit normal; there it should
 * be `aim`. */
typedef struct prevent_hit {
    int32_t node[4];
    bool edges;
    double w[4];
    vec3 normal;
    double aim; /* m */
} prevent_hit;

/* After PREVENT_HITS: how many, on how many nodes in all; and the i-th, in the order of their times. */
int32_t prevent_n_hits(const prevent_world *w);
int32_t prevent_n_hit_nodes(const prevent_world *w);
prevent_hit prevent_get_hit(const prevent_world *w, int32_t i);

/* After PREVENT_SQUEEZED: the pairs; valid until the next call. */
const prevent_pair *prevent_squeezed(const prevent_world *w, int32_t *n);

void prevent_destroy(prevent_world *w);

#endif
