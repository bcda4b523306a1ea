/* SPDX-License-Identifier: MIT */
/* Vectors and light of the renderer, in floats. */
#ifndef PICTURE_FLOAT3_H
#define PICTURE_FLOAT3_H

#include <math.h>
#include <weft/base.h>

typedef struct float3 {
    float x, y, z;
} float3;

static inline float3 f3(float x, float y, float z)
{
    return (float3){x, y, z};
}

static inline float3 f3_from_double(weft_vec3 a)
{
    return f3((float)a.x, (float)a.y, (float)a.z);
}

static inline float3 f3_add(float3 a, float3 b)
{
    return f3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline float3 f3_sub(float3 a, float3 b)
{
    return f3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline float3 f3_mul(float3 a, float3 b)
{
    return f3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline float3 f3_scale(float3 a, float s)
{
    return f3(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
static inline float3 f3_mad(float3 a, float s, float3 b)
{
    return f3_add(a, f3_scale(b, s));
}

static inline float3 f3_mix(float3 a, float3 b, float share_of_b)
{
    return f3_mad(f3_scale(a, 1.0f - share_of_b), share_of_b, b);
}

static inline float f3_dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline float3 f3_cross(float3 a, float3 b)
{
    return f3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float f3_length(float3 a)
{
    return sqrtf(f3_dot(a, a));
}

/* Of unit length; the second if the first has no direction. */
static inline float3 f3_unit_or(float3 a, float3 otherwise)
{
    float l = f3_length(a);
    return l > 1e-30f ? f3_scale(a, 1.0f / l) : otherwise;
}

/* Inlined, unlike fminf and fmaxf, which care for NaN. */
static inline float least_of(float a, float b)
{
    return a < b ? a : b;
}

static inline float most_of(float a, float b)
{
    return a > b ? a : b;
}

/* Two unit vectors perpendicular to the unit vector n and to each other. */
static inline void f3_frame(float3 n, float3 *a, float3 *b)
{
    float3 away = fabsf(n.x) < 0.7f ? f3(1, 0, 0) : f3(0, 1, 0);
    *a = f3_unit_or(f3_cross(n, away), f3(0, 0, 1));
    *b = f3_cross(n, *a);
}

#endif
