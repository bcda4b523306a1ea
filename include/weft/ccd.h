/* SPDX-License-Identifier: MIT */
/* Continuous collision detection: do a vertex and a triangle, or two edges, meet while their corners move on straight
 * lines from x0 (time 0) to x1 (time 1)?
 *
 * There are no misses: `false` is proven, for the very numbers given, rounding included. `true` means that they meet,
 * or come so near that doubles cannot tell: some 1e-15 of the largest difference of coordinates between the two, or,
 * for some that turn about each other closely, a little more.
 *
 * Any motion is fine: coplanar throughout, parallel edges, edges without length, triangles without area, none at all.
 * Coordinates are finite, of magnitude up to 1e100; what is not finite is answered by a hit at 0. The functions need
 * no memory, have no state and give the same bits everywhere. */
#ifndef WEFT_CCD_H
#define WEFT_CCD_H

#include <weft/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_ccd_hit {
    double time;       /* of the first contact found, in [0, 1] */
    double time_lower; /* proven: no contact in [0, time_lower); at most `time`, and very near it as a rule */
    /* Of the four corners: the sum of weight[i] · x[i] at `time` is the gap, from the nearest point of the second
     * primitive to that of the first. Vertex and triangle: 1, −b0, −b1, −b2; edges: 1−s, s, −(1−t), −t. */
    double weight[4];
    weft_vec3 normal; /* of unit length, from the second primitive to the first, just before contact */
} weft_ccd_hit;

/* Corners: the vertex, then those of the triangle.
 *
 * A hit is when the distance becomes ≤ thickness (m, ≥ 0). With 0 that is touching. Pairs that are within the thickness
 * at the start hit at 0, also if they part from there: see weft_ccd_*_thickness below. `hit` is set if the answer is
 * true; it may be NULL. */
WEFT_API bool weft_ccd_vertex_triangle(const weft_vec3 x0[4], const weft_vec3 x1[4], double thickness,
                                       weft_ccd_hit *hit);

/* The same for two edges: the two ends of the first, then those of the second. */
WEFT_API bool weft_ccd_edge_edge(const weft_vec3 x0[4], const weft_vec3 x1[4], double thickness, weft_ccd_hit *hit);

/* The thickness to ask with if pairs may be closer than they should already: min(thickness, factor × distance), with a
 * lower bound of the distance of these corners. factor in [0, 1); with 0.9 a pair may come nearer by a tenth. */
WEFT_API double weft_ccd_vertex_triangle_thickness(const weft_vec3 x[4], double thickness, double factor);
WEFT_API double weft_ccd_edge_edge_thickness(const weft_vec3 x[4], double thickness, double factor);

#ifdef __cplusplus
}
#endif
#endif
