/* SPDX-License-Identifier: MIT */
/* Analytic convex solids in their own frame: signed distance, the deepest point of a triangle, the first touch of a
 * moving point. All of them are convex, so the signed distance is a convex function and 1-Lipschitz. */
#ifndef WEFT_CONTACT_COLLIDER_SHAPE_H
#define WEFT_CONTACT_COLLIDER_SHAPE_H

#include <stdbool.h>

#include "math/vec.h"

typedef enum shape_kind {
    SHAPE_PLANE,    /* solid below y = 0 */
    SHAPE_SPHERE,   /* radius, about 0 */
    SHAPE_CAPSULE,  /* within radius of the segment from (0, −half_height, 0) to (0, half_height, 0) */
    SHAPE_CYLINDER, /* axis y, half_height, radius, flat ends with sharp rims */
    SHAPE_BOX,      /* |x| ≤ half, component by component */
} shape_kind;

/* Lengths in metres, ≥ 0; zero is allowed (a disc, a plate, a needle). Those a kind does not use are ignored. */
typedef struct shape {
    shape_kind kind;
    double radius;
    double half_height;
    vec3 half;
} shape;

/* Distance is negative inside: minus the distance to the surface. The normal is its gradient, of unit length and
 * outward; where the gradient is not unique (centre, axis, equally near faces) a fixed one of its limits. */
typedef struct shape_near {
    double distance;
    vec3 normal;
} shape_near;

shape_near shape_distance(const shape *s, vec3 x);

/* The largest n·y over the solid, n of unit length. Not for planes. */
double shape_support(const shape *s, vec3 n);

/* The largest coordinate of the solid, for bounds on rounding; 0 for planes. */
double shape_size(const shape *s);

/* The least signed distance over a triangle, where (weights ≥ 0 with sum 1) and the normal there.
 * lower ≤ the true minimum ≤ distance, and distance − lower ≤ max(1e-10 m, 2e-13 × largest coordinate). */
typedef struct shape_deepest {
    double distance;
    double b[3];
    vec3 normal;
    double lower;
} shape_deepest;

shape_deepest shape_triangle(const shape *s, const vec3 x[3]);

/* When a point on the straight way from a to b first comes within `margin` of the solid: true, the time in [0, 1] and
 * the normal there. A point within the margin from the start hits at 0 if it moves inward and not at all otherwise.
 * Never misses: at that time the distance is margin ± 1e-13 × (margin + largest coordinates), so a closer near miss is
 * a hit, and before it the distance was larger. t and normal are overwritten in any case. */
bool shape_path(const shape *s, double margin, vec3 a, vec3 b, double *t, vec3 *normal);

#endif
