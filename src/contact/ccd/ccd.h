/* SPDX-License-Identifier: MIT */
/* The quick part of continuous collision detection, to be inlined where candidates are made: boxes that move with their
 * primitives. The proof and the rest are in ccd.c.
 *
 * Nothing is rounded the wrong way: if a − b ≤ d then fl(a − b) ≤ d, since rounding is monotone and d is a double. So
 * fl(a − b) > d proves a − b > d. */
#ifndef WEFT_CONTACT_CCD_CCD_H
#define WEFT_CONTACT_CCD_CCD_H

#include <weft/ccd.h>

#include "math/vec.h"

/* More than d apart on one side at both ends, hence at all times in between: the gap is linear. */
static inline bool ccd_sides_apart(double low0, double high0, double low1, double high1, double low0_b, double high0_b,
                                   double low1_b, double high1_b, double d)
{
    return (low0 - high0_b > d && low1 - high1_b > d) || (low0_b - high0 > d && low1_b - high1 > d);
}

static inline double ccd_low3(double a, double b, double c)
{
    return min_of(a, min_of(b, c));
}

static inline double ccd_high3(double a, double b, double c)
{
    return max_of(a, max_of(b, c));
}

#define CCD_VERTEX_TRIANGLE_AXIS(k)                                                                                    \
    ccd_sides_apart(x0[0].k, x0[0].k, x1[0].k, x1[0].k, ccd_low3(x0[1].k, x0[2].k, x0[3].k),                           \
                    ccd_high3(x0[1].k, x0[2].k, x0[3].k), ccd_low3(x1[1].k, x1[2].k, x1[3].k),                         \
                    ccd_high3(x1[1].k, x1[2].k, x1[3].k), thickness)

/* True: proven to stay farther apart than the thickness. Corners as in weft_ccd_vertex_triangle. */
static inline bool ccd_vertex_triangle_apart(const vec3 x0[4], const vec3 x1[4], double thickness)
{
    return CCD_VERTEX_TRIANGLE_AXIS(x) || CCD_VERTEX_TRIANGLE_AXIS(y) || CCD_VERTEX_TRIANGLE_AXIS(z);
}

#define CCD_EDGE_EDGE_AXIS(k)                                                                                          \
    ccd_sides_apart(min_of(x0[0].k, x0[1].k), max_of(x0[0].k, x0[1].k), min_of(x1[0].k, x1[1].k),                      \
                    max_of(x1[0].k, x1[1].k), min_of(x0[2].k, x0[3].k), max_of(x0[2].k, x0[3].k),                      \
                    min_of(x1[2].k, x1[3].k), max_of(x1[2].k, x1[3].k), thickness)

/* The same for two edges. */
static inline bool ccd_edge_edge_apart(const vec3 x0[4], const vec3 x1[4], double thickness)
{
    return CCD_EDGE_EDGE_AXIS(x) || CCD_EDGE_EDGE_AXIS(y) || CCD_EDGE_EDGE_AXIS(z);
}

#endif
