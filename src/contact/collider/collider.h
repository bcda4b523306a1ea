/* SPDX-License-Identifier: MIT */
/* A collider during a step: its shape, where it stands at the beginning and at the end. */
#ifndef WEFT_CONTACT_COLLIDER_COLLIDER_H
#define WEFT_CONTACT_COLLIDER_COLLIDER_H

#include "contact/collider/shape.h"
#include "math/pose.h"

typedef struct collider {
    shape shape;
    pose from, to;
    double friction, dissipation; /* factors on the fabric's */
} collider;

/* A half-space that a point has to stay in: n·p ≥ reach. */
typedef struct half_space {
    vec3 normal;
    double reach;
} half_space;

/* Where the collider carries, during the step, a point that was at x when it began. */
static inline vec3 collider_carry(const collider *c, vec3 x)
{
    return pose_apply(&c->to, pose_unapply(&c->from, x));
}

/* The half-space that keeps a point, which goes from x0 to x1 during the step, `margin` away from the collider: at the
 * place of first touch if its way (seen from the collider) leads there, else at the nearest point of the end. False if
 * the end is farther than margin + radius and the way leads nowhere near: then there is nothing to keep. As the solid
 * is convex, all of it lies beyond the half-space. */
bool collider_keep_out(const collider *c, double margin, double radius, vec3 x0, vec3 x1, half_space *out);

/* Signed distance of a point from the collider at the step's end. */
double collider_distance(const collider *c, vec3 x);

/* No point of a triangle is nearer, but for rounding of the result: by the corners, whose distances are known, or by
 * how far its plane is. Of spheres; −∞ for other shapes. */
double collider_bound(const collider *c, const vec3 x[3], const double distance[3]);

/* The deepest point of a triangle against the collider at the step's end; the normal in the world. */
shape_deepest collider_deepest(const collider *c, const vec3 x[3]);

#endif
