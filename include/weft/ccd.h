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

/* Many pairs at once, of nodes that all move from x0 to x1: the answers are those of the functions above, but for their
 * false alarms, which may be fewer. Most pairs are settled eight at a time, in floats with bounds of all their errors;
 * the others go to the functions above. */
typedef struct weft_ccd_place {
    float at[8]; /* before and after, from the middle of all nodes on, scaled */
} weft_ccd_place;

typedef struct weft_ccd_motion {
    const weft_vec3 *x0, *x1;
    const weft_ccd_place *places;
    double scale; /* from metres to places; 0: places are of no use (coordinates not finite, or all the same) */
} weft_ccd_motion;

/* Fills one place a node. x0, x1 and places have to stay as they are while the motion is in use. */
WEFT_API weft_ccd_motion weft_ccd_motion_of(int32_t n_nodes, const weft_vec3 *x0, const weft_vec3 *x1,
                                            weft_ccd_place *places);

/* Pairs are two indices each: of a node and a triangle (three nodes each), or of two edges (two nodes each). `found`
 * gets the numbers of pairs that meet, ascending, and has room for n of them; how many there are is returned. Any
 * indices are to be in range. Threads may share a motion. */
WEFT_API int64_t weft_ccd_find_vertex_triangle(const weft_ccd_motion *motion, const int32_t *triangles,
                                               const int32_t *pairs, int64_t n, double thickness, int64_t *found);
WEFT_API int64_t weft_ccd_find_edge_edge(const weft_ccd_motion *motion, const int32_t *edges, const int32_t *pairs,
                                         int64_t n, double thickness, int64_t *found);

#ifdef __cplusplus
}
#endif
#endif
