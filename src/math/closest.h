/* SPDX-License-Identifier: MIT */
/* Closest points of points, segments and triangles. Triangles and segments without extent are fine: they count as the
 * segment or point that they are. */
#ifndef WEFT_MATH_CLOSEST_H
#define WEFT_MATH_CLOSEST_H

#include "math/vec.h"

/* Weights of a triangle's corners (≥ 0, their sum is 1) at its point nearest to p. A corner that the point does not
 * belong to has weight 0 exactly, so the weights tell corner, side and inside apart. */
typedef struct closest_on_triangle {
    double b[3];
    vec3 point;
    double distance_sq;
} closest_on_triangle;

closest_on_triangle closest_point_triangle(vec3 p, const vec3 x[3]);

/* Squared distance of the segments a0 a1 and b0 b1. */
double closest_segments_sq(vec3 a0, vec3 a1, vec3 b0, vec3 b1);

/* Distance of two triangles, 0 where they cross. */
double closest_triangles(const vec3 a[3], const vec3 b[3]);

#endif
