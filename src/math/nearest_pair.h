/* SPDX-License-Identifier: MIT */
/* Distances between a point and a triangle, and between two segments. */
#ifndef WEFT_MATH_NEAREST_PAIR_H
#define WEFT_MATH_NEAREST_PAIR_H

#include "math/vec.h"

/* Degenerate triangles and segments are fine. */
double nearest_point_triangle(vec3 p, vec3 a, vec3 b, vec3 c);
double nearest_edges(vec3 a, vec3 b, vec3 c, vec3 d);

#endif
