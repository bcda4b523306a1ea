/* SPDX-License-Identifier: MIT */
/* Whether a ring, a closed polyline of nodes that move along straight lines, goes round no point of a plane more than
 * once as seen there, by filling dents. So the contour of triangles that are all positive is simple.
 *
 * A ring whose edges all turn left about one point, once round in all, is a star, and goes round no point twice. Most
 * contours of triangles are not stars, for they go in zigzag; but they become stars if some of their dents are filled.
 * To leave out a point where the ring turns right adds a positive triangle to what it goes round: how often a point is
 * gone round grows, or stays. So if the ring that is left goes round no point twice, nor did the ring before; and the
 * triangles that it is the contour of do not lie over each other (bvh/bvh_simple.c has what this is about).
 *
 * All through a motion: turns are quadratic in time, and their three Bernstein coefficients must have the sign. A
 * kernel (math/kernel.h). */
#ifndef WEFT_MATH_PLANAR_RING_H
#define WEFT_MATH_PLANAR_RING_H

#include "math/vec.h"

#include <stdint.h>

enum {
    PLANAR_RING = 3072, /* points of a ring at most */
    PLANAR_BENT = 256,  /* edges at most that do not turn left about the middle */
};

/* x, y at the first time, x, y at the second; without a motion the same. */
typedef double planar_point[4];

typedef struct planar_ring {
    int n;      /* points, at least 3: edge i runs from point i to the next */
    int n_up;   /* edges from below the middle to above it, at the first time */
    int n_bent; /* edges that do not turn left about the middle for certain; more than PLANAR_BENT: too many */
    int16_t bent[PLANAR_BENT + 1];
    int16_t next[PLANAR_RING], past[PLANAR_RING]; /* of points that are left; next -1: it is not */
    planar_point middle;
    planar_point at[PLANAR_RING + 2]; /* behind the last stand the first two again */
    int32_t node[PLANAR_RING];
} planar_ring;

/* Of r `n` and as many of `node` are given; seen along the axes a and b; x1 NULL: there is no motion. Turns by `least`
 * or less (twice the area of a triangle) are none. False: it may be simple or not. */
typedef bool planar_ring_is_simple_fn(planar_ring *r, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b, double least);
planar_ring_is_simple_fn planar_ring_is_simple, planar_ring_is_simple_plain, planar_ring_is_simple_avx2;

#endif
