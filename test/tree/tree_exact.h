/* SPDX-License-Identifier: MIT */
/* Whether things touch, by exact arithmetic.
 *
 * Nodes lie on multiples of 2^-TREE_GRID within ±64 at x0 and x1, times are multiples of 2^-TREE_CLOCK: a place at a
 * time is then an integer below 2^37, and a determinant of three differences fits in 128 bits. */
#ifndef TEST_TREE_TREE_EXACT_H
#define TEST_TREE_TREE_EXACT_H

#include "tree/tree_kit.h"

enum { TREE_GRID = 18, TREE_CLOCK = 12 };

/* Rounds all places to the grid. */
void tree_exact_snap(tree_mesh *m);

/* Whether two triangles have a common point outside their common vertices at time k / 2^TREE_CLOCK. False for pairs
 * with two common vertices and for triangles without area. */
bool tree_exact_meet(const tree_mesh *m, int32_t ti, int32_t tj, int32_t k);

/* Whether a vertex is seen to pass through a triangle, or an edge through an edge: the volume of the four points
 * changes its sign between two ticks of the clock, at both of which they cover each other. */
bool tree_exact_vertex_passes(const tree_mesh *m, int32_t vi, int32_t ti);
bool tree_exact_edge_passes(const tree_mesh *m, tree_edge e, tree_edge f);

#endif
