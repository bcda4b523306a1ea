/* SPDX-License-Identifier: MIT */
/* Whether things touch, by exact arithmetic.
 *
 * Nodes lie on multiples of 2^-BVH_GRID within ±64 at x0 and x1, times are multiples of 2^-BVH_CLOCK: a place at a
 * time is then an integer below 2^37, and a determinant of three differences fits in 128 bits. */
#ifndef TEST_TREE_TREE_EXACT_H
#define TEST_TREE_TREE_EXACT_H

#include "bvh/bvh_kit.h"

enum { BVH_GRID = 18, BVH_CLOCK = 12 };

/* Rounds all places to the grid. */
void bvh_exact_snap(bvh_mesh *m);

/* Whether two triangles have a common point outside their common vertices at time k / 2^BVH_CLOCK. False for pairs
 * with two common vertices and for triangles without area. */
bool bvh_exact_meet(const bvh_mesh *m, int32_t ti, int32_t tj, int32_t k);

/* Whether a vertex is seen to pass through a triangle, or an edge through an edge: the volume of the four points
 * changes its sign between two ticks of the clock, at both of which they cover each other. */
bool bvh_exact_vertex_passes(const bvh_mesh *m, int32_t vi, int32_t ti);
bool bvh_exact_edge_passes(const bvh_mesh *m, bvh_edge e, bvh_edge f);

#endif
