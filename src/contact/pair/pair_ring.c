/* SPDX-License-Identifier: MIT */
/* Sides are put into a table by their two nodes; the second that comes to a place is the first's neighbour. */
#include "contact/pair/pair_ring.h"

#include <string.h>

/* An edge by the nodes that stand for its ends, with the opposite corners so far. */
typedef struct ring_place {
    int32_t low, high; /* −1: empty */
    int32_t n, opposite[2];
} ring_place;

typedef struct ring_table {
    ring_place *places;
    int64_t room; /* 2^k */
} ring_table;

static ring_place *ring_find(const ring_table *t, int32_t a, int32_t b)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t h = ((uint32_t)low * 0x9e3779b1u) ^ ((uint32_t)high * 0x85ebca6bu);
    int64_t mask = t->room - 1, at = (h ^ h >> 15) & mask;
    while (t->places[at].n > 0 && (t->places[at].low != low || t->places[at].high != high))
        at = (at + 1) & mask;
    t->places[at].low = low;
    t->places[at].high = high;
    return &t->places[at];
}

static bool fill_table(ring_table *t, mem *m, const int32_t (*triangles)[3], int32_t n, const int32_t *same)
{
    t->room = 64;
    while (t->room < 6 * (int64_t)n)
        t->room *= 2;
    if (!MEM_MAKE(m, t->places, t->room))
        return false;
    memset(t->places, 0, (size_t)t->room * sizeof *t->places);
    for (int32_t ti = 0; ti < n; ti++)
        for (int k = 0; k < 3; k++) {
            ring_place *p = ring_find(t, same[triangles[ti][k]], same[triangles[ti][(k + 1) % 3]]);
            if (p->n < 2)
                p->opposite[p->n] = triangles[ti][(k + 2) % 3];
            p->n++;
        }
    return true;
}

bool pair_ring_create(pair_ring *r, mem *m, const bvh *tree, const int32_t (*triangles)[3], int32_t n_triangles,
                      const int32_t *same)
{
    ring_table t;
    const bvh_edge *edges = bvh_edges(tree);
    *r = (pair_ring){.n_triangles = n_triangles, .n_edges = bvh_n_edges(tree)};
    if (!MEM_MAKE(m, r->triangle, n_triangles) || !MEM_MAKE(m, r->edge, r->n_edges) ||
        !fill_table(&t, m, triangles, n_triangles, same))
        return false;
    for (int32_t ti = 0; ti < n_triangles; ti++)
        for (int k = 0; k < 3; k++) {
            const ring_place *p = ring_find(&t, same[triangles[ti][k]], same[triangles[ti][(k + 1) % 3]]);
            bool first = p->opposite[0] == triangles[ti][(k + 2) % 3];
            r->triangle[ti][k] = p->n == 2 ? p->opposite[first ? 1 : 0] : PAIR_RING_NONE;
        }
    for (int32_t ei = 0; ei < r->n_edges; ei++) {
        const ring_place *p = ring_find(&t, same[edges[ei].node[0]], same[edges[ei].node[1]]);
        for (int k = 0; k < 2; k++)
            r->edge[ei][k] = p->n == 2 || (p->n == 1 && k == 0) ? p->opposite[k] : PAIR_RING_NONE;
    }
    MEM_FREE(m, t.places, t.room);
    return true;
}

void pair_ring_destroy(pair_ring *r, mem *m)
{
    MEM_FREE(m, r->triangle, r->n_triangles);
    MEM_FREE(m, r->edge, r->n_edges);
    *r = (pair_ring){0};
}
