/* SPDX-License-Identifier: MIT */
/* Closest points of two primitives, in floating point: good to a few ulp of the coordinates, no more. What must be sure
 * is left to the continuous test (weft/ccd.h) and to exact predicates. */
#ifndef WEFT_CONTACT_GAP_H
#define WEFT_CONTACT_GAP_H

#include <stdbool.h>

#include "math/vec.h"

/* The vector from the second primitive to the first is Σ w_i x_i at the closest points. `inside`: neither point lies on
 * the border of its primitive, so no other pair of features has the same two. */
typedef struct gap {
    double w[4];
    vec3 vector;
    double distance;
    bool inside;
} gap;

/* x: the vertex, the triangle. w = (1, −b). */
gap gap_vertex_triangle(const vec3 x[4]);

/* x: one edge, the other. w = (1 − s, s, −(1 − t), −t). */
gap gap_edge_edge(const vec3 x[4]);

static inline vec3 gap_weigh(const double w[4], const vec3 x[4])
{
    vec3 p = v3_scale(w[0], x[0]);
    for (int i = 1; i < 4; i++)
        p = v3_madd(p, w[i], x[i]);
    return p;
}

#endif
