/* SPDX-License-Identifier: MIT */
/* Vectors of the scenes of contact, which know the public API alone. */
#ifndef CONTACT_VEC_H
#define CONTACT_VEC_H

#include <math.h>

#include <weft/base.h>

static inline weft_vec3 cv_add(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline weft_vec3 cv_sub(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline weft_vec3 cv_scale(double s, weft_vec3 a)
{
    return (weft_vec3){s * a.x, s * a.y, s * a.z};
}

static inline weft_vec3 cv_madd(weft_vec3 a, double s, weft_vec3 b)
{
    return cv_add(a, cv_scale(s, b));
}

static inline double cv_dot(weft_vec3 a, weft_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline weft_vec3 cv_cross(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double cv_length(weft_vec3 a)
{
    return sqrt(cv_dot(a, a));
}

#endif
