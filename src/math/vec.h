/* SPDX-License-Identifier: MIT */
/* Small vectors and 3×3 matrices, by value. */
#ifndef WEFT_MATH_VEC_H
#define WEFT_MATH_VEC_H

#include <math.h>
#include <weft/base.h>

typedef weft_vec3 vec3;
typedef weft_vec2 vec2;

/* Row-major: m[3 * row + column]. */
typedef struct mat3 {
    double m[9];
} mat3;

/* In place of fmin and fmax, which compilers turn into calls, or into code that treats −0 in ways of its own. */
static inline double min_of(double a, double b)
{
    return a < b ? a : b;
}

static inline double max_of(double a, double b)
{
    return a > b ? a : b;
}

static inline vec3 v3(double x, double y, double z)
{
    return (vec3){x, y, z};
}

static inline vec3 v3_zero(void)
{
    return (vec3){0, 0, 0};
}

static inline vec3 v3_add(vec3 a, vec3 b)
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec3 v3_sub(vec3 a, vec3 b)
{
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec3 v3_scale(double s, vec3 a)
{
    return (vec3){s * a.x, s * a.y, s * a.z};
}

static inline vec3 v3_neg(vec3 a)
{
    return (vec3){-a.x, -a.y, -a.z};
}

/* a + s b */
static inline vec3 v3_madd(vec3 a, double s, vec3 b)
{
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double v3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 v3_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double v3_len_sq(vec3 a)
{
    return v3_dot(a, a);
}

static inline double v3_len(vec3 a)
{
    return sqrt(v3_dot(a, a));
}

static inline double v3_max_abs(vec3 a)
{
    return max_of(fabs(a.x), max_of(fabs(a.y), fabs(a.z)));
}

/* a / |a|, or `otherwise` if a is too short to have a direction. */
static inline vec3 v3_unit_or(vec3 a, vec3 otherwise)
{
    double l = v3_len(a);
    return l > 1e-150 ? v3_scale(1.0 / l, a) : otherwise;
}

static inline bool v3_is_finite(vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline mat3 m3_zero(void)
{
    return (mat3){{0}};
}

static inline mat3 m3_scaled_identity(double s)
{
    return (mat3){{s, 0, 0, 0, s, 0, 0, 0, s}};
}

/* a bᵀ */
static inline mat3 m3_outer(vec3 a, vec3 b)
{
    return (mat3){{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z}};
}

/* The matrix of v ↦ a × v. */
static inline mat3 m3_skew(vec3 a)
{
    return (mat3){{0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0}};
}

static inline mat3 m3_add(mat3 a, mat3 b)
{
    mat3 r;
    for (int i = 0; i < 9; i++)
        r.m[i] = a.m[i] + b.m[i];
    return r;
}

static inline mat3 m3_scale(double s, mat3 a)
{
    mat3 r;
    for (int i = 0; i < 9; i++)
        r.m[i] = s * a.m[i];
    return r;
}

/* a + s b */
static inline mat3 m3_madd(mat3 a, double s, mat3 b)
{
    mat3 r;
    for (int i = 0; i < 9; i++)
        r.m[i] = a.m[i] + s * b.m[i];
    return r;
}

static inline mat3 m3_transpose(mat3 a)
{
    return (mat3){{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}

static inline vec3 m3_mul_v(mat3 a, vec3 v)
{
    return (vec3){a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
                  a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
}

static inline mat3 m3_mul(mat3 a, mat3 b)
{
    mat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[3 * i + j] = a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
    return r;
}

static inline double m3_det(mat3 a)
{
    const double *m = a.m;
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/* Inverse by cofactors. The caller knows that a is regular. */
static inline mat3 m3_inverse(mat3 a)
{
    const double *m = a.m;
    double d = 1.0 / m3_det(a);
    return (mat3){{d * (m[4] * m[8] - m[5] * m[7]), d * (m[2] * m[7] - m[1] * m[8]), d * (m[1] * m[5] - m[2] * m[4]),
                   d * (m[5] * m[6] - m[3] * m[8]), d * (m[0] * m[8] - m[2] * m[6]), d * (m[2] * m[3] - m[0] * m[5]),
                   d * (m[3] * m[7] - m[4] * m[6]), d * (m[1] * m[6] - m[0] * m[7]), d * (m[0] * m[4] - m[1] * m[3])}};
}

/* (I − n nᵀ), n of unit length */
static inline mat3 m3_project_out(vec3 n)
{
    return m3_madd(m3_scaled_identity(1.0), -1.0, m3_outer(n, n));
}

#endif
