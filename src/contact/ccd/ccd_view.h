/* SPDX-License-Identifier: MIT */
/* Two primitives as one: the differences between points of the first and of the second fill a flat convex polygon, a
 * triangle for a vertex and a triangle, a parallelogram for two edges. Its corners move on straight lines as theirs
 * do, and the distance of the primitives is the distance of the polygon from the origin. A view is how the origin
 * sees it at one time. Views are computed in plain doubles; what they prove, they prove by margins (invariants in
 * ccd.c). */
#ifndef WEFT_CONTACT_CCD_CCD_VIEW_H
#define WEFT_CONTACT_CCD_CCD_VIEW_H

#include "math/vec.h"

/* Corners of the polygon in cyclic order at both ends. With u = w[1] − w[0], v = w[n − 1] − w[0] its points are
 * w[0] + s u + r v with (s, r) in the unit triangle (n = 3) or the unit square (n = 4). */
typedef struct ccd_motion {
    int n;
    vec3 w0[4], w1[4];
    vec3 most;   /* of |x|, |y|, |z| over all corners and both ends: what rounding errors are measured by */
    double size; /* the largest of them */
    double thickness;
} ccd_motion;

typedef struct ccd_view {
    double t;
    vec3 w[4];     /* the corners at t */
    vec3 n;        /* a direction of length 1 or so, by which the polygon is in front; 0 if there is none */
    double gap;    /* the least n · w */
    double noise;  /* bound of the rounding error of any n · w at any time */
    double margin; /* a computed n · w above this is proof of a true one above thickness · |n| */
    double s, r;   /* the nearest point */
} ccd_view;

void ccd_motion_of_vertex_triangle(const vec3 x0[4], const vec3 x1[4], double thickness, ccd_motion *out);
void ccd_motion_of_edge_edge(const vec3 x0[4], const vec3 x1[4], double thickness, ccd_motion *out);

void ccd_view_take(const ccd_motion *m, double t, ccd_view *out);

static inline double ccd_least_dot(const vec3 *w, int n, vec3 direction)
{
    double least = v3_dot(direction, w[0]);
    for (int i = 1; i < n; i++) {
        double d = v3_dot(direction, w[i]);
        least = d > least ? least : d; /* NaN stays */
    }
    return least;
}

#endif
