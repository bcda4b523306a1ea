/* SPDX-License-Identifier: MIT */
/* What lies beside triangles and edges: for each side of a triangle the corner of the neighbour that is opposite to it,
 * for each edge the opposite corners of its two triangles. Sides of sewn panels are neighbours, too. */
#ifndef WEFT_CONTACT_PAIR_PAIR_RING_H
#define WEFT_CONTACT_PAIR_PAIR_RING_H

#include "base/mem.h"
#include "bvh/bvh.h"

/* A border, or an edge that is not of exactly two triangles. */
#define PAIR_RING_NONE (-1)

typedef struct pair_ring {
    int32_t (*triangle)[3]; /* beside side k, from corner k to the next */
    int32_t (*edge)[2];     /* by the numbers of bvh_edges */
    int32_t n_triangles, n_edges;
} pair_ring;

/* same: per node, which stands for it and for those that are sewn to it. False without memory. */
bool pair_ring_create(pair_ring *r, mem *m, const bvh *tree, const int32_t (*triangles)[3], int32_t n_triangles,
                      const int32_t *same);
void pair_ring_destroy(pair_ring *r, mem *m);

#endif
