/* SPDX-License-Identifier: MIT */
/* Rigid placement: x ↦ R x + p, and its interpolation between keys. */
#ifndef WEFT_MATH_POSE_H
#define WEFT_MATH_POSE_H

#include "math/vec.h"

typedef struct pose {
    mat3 r;
    vec3 p;
} pose;

static inline pose pose_identity(void)
{
    return (pose){m3_scaled_identity(1.0), {0, 0, 0}};
}

static inline vec3 pose_apply(const pose *a, vec3 x)
{
    return v3_add(m3_mul_v(a->r, x), a->p);
}

/* Rᵀ v */
static inline vec3 pose_unrotate(const pose *a, vec3 v)
{
    const double *m = a->r.m;
    return v3(m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
              m[2] * v.x + m[5] * v.y + m[8] * v.z);
}

static inline vec3 pose_unapply(const pose *a, vec3 x)
{
    return pose_unrotate(a, v3_sub(x, a->p));
}

/* q is normalised first; it must not be zero. */
mat3 mat3_from_quat(weft_quat q);
/* Of a rotation; of unit length but for rounding. */
weft_quat mat3_to_quat(const mat3 *r);

#endif
