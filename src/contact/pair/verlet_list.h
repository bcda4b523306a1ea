/* SPDX-License-Identifier: MIT */
/* Pairs that may come near, found with some slack and kept while no node has gone farther than its bound.
 *
 * A list is made for nodes at X that may go to and fro between two points about it, from boxes of these ways that are
 * larger by a slack e. It holds for a motion x0 → x1 if every node has both ends in the box of its way, larger by e,
 * and |x0 − X| + |x1 − x0|, what it has gone, is at most half of its way plus e. Then:
 *
 *  1. Primitives whose boxes over x0 → x1, each larger by half of `reach`, overlap did so when the list was made, for
 *     those boxes lie within these.
 *  2. At any moment of the motion a node is no farther than it has gone from where it was at X. So two primitives that
 *     were D apart then are no nearer than D − g all through the present step, g the farthest that a node of the one
 *     has gone plus the farthest of the other; nor are their closest points at x0, carried straight on to x1 (a point
 *     of a primitive goes no farther than the mean of what its corners go, by its weights). So pairs whose D is beyond
 *     `reach`, or their own, by more than g can become are left out, neighbours in fine cloth among them; of the others
 *     a lower bound of D is kept, which tells most of them apart at a glance.
 *
 * Where too many nodes go too far for that, a list is made for one step alone, from boxes at its start and at its end:
 * it lacks pairs that are beyond the reach along one axis, in one direction, at both, and so all the way. What moves as
 * one is as near as at rest, however far it goes. Such pairs count as near from no list, kept or not.
 *
 * A list says which pairs have to be looked at. What is found must not depend on how long it was kept, or a state that
 * is restored, and begins with a list of its own, would go on otherwise. Its order means nothing. */
#ifndef WEFT_CONTACT_PAIR_VERLET_LIST_H
#define WEFT_CONTACT_PAIR_VERLET_LIST_H

#include "base/pool.h"
#include "bvh/bvh.h"

/* Two primitives: a vertex and a triangle, or two edges. */
typedef struct contact_pair {
    int32_t node[4];
    bool edges; /* two edges; else a vertex and a triangle */
} contact_pair;

/* Where a node may be: X is in the middle. In single precision, which bounds make up for. */
typedef struct verlet_way {
    float from[3], to[3];
} verlet_way;

/* Least that a pair's own reach counts for, over the list's. */
#define VERLET_LEAST_REACH 0.1

typedef struct verlet_list {
    mem *mem;
    pool *pool;
    bvh *bvh;
    const int32_t (*triangles)[3];
    int32_t n_nodes;
    double reach; /* pairs farther apart do not matter, m */
    double (*reach_of)(const void *context,
                       const contact_pair *p); /* a pair's own, if it may be less; NULL: it is not */
    const void *reach_context;
    bvh_pairs pairs; /* in scratch memory of the tree; or, of a list that is kept, … */
    bool kept;
    bvh_vertex_triangle *vertex_triangle; /* … these */
    bvh_edge_edge *edge_edge;
    float *least; /* lower bounds of D, of one kind after the other, m */
    int64_t vertex_room, edge_room, least_room;
    arena *scratch;   /* for making it, beside the tree's */
    verlet_way *ways; /* of all nodes; NULL: never made */
    float *gone;      /* per node, of the motion that was asked for last, m */
    double slack;     /* m */
    double rounding;  /* farthest that a corner of a way is from where it should be, m */
    double most_way;  /* |x1 − x0| of any node, likewise */
    double most_gone; /* of any node, likewise */
    int32_t n_quick;  /* nodes that go so far that boxes about their way are large, likewise */
} verlet_list;

void verlet_list_destroy(verlet_list *l);

/* Whether a list that is kept holds for a motion of all nodes. */
bool verlet_list_is_valid(verlet_list *l, const vec3 *x0, const vec3 *x1);

/* Makes one that holds for it. The pairs of one that is not kept stay taken of the tree's scratch arena, and last until
 * the caller releases them; nothing else does. False without memory, or with too many pairs. */
bool verlet_list_make(verlet_list *l, const vec3 *x0, const vec3 *x1);

/* Pair i, those of vertices and triangles first. */
contact_pair verlet_list_pair(const verlet_list *l, int64_t i);

static inline double verlet_list_gone(const verlet_list *l, const contact_pair *p)
{
    const float *g = l->gone;
    const int32_t *node = p->node;
    float first = g[node[0]], second = g[node[3]] > g[node[2]] ? g[node[3]] : g[node[2]], other = g[node[1]];
    if (p->edges)
        first = other > first ? other : first;
    else
        second = other > second ? other : second;
    return (double)first + (double)second;
}

/* Whether pair i of a list that is kept is farther apart than `beyond` all through the motion; if not so told, it may
 * be all the same. A pair that is not in the list is farther apart than its reach. */
static inline bool verlet_list_is_apart(const verlet_list *l, int64_t i, const contact_pair *p, double beyond)
{
    return (double)l->least[i] > beyond + verlet_list_gone(l, p);
}

#endif
