/* SPDX-License-Identifier: MIT */
/* Four doubles at a time, with the operators of C. No operation is fused and none changes its order: bits do not
 * depend on the instructions that these become.
 *
 * With them kernels are written (math/kernel.h), which are compiled plain and for AVX2. Where the operators have no
 * word for what a processor can do in one instruction, the copy for AVX2 says it here by its name.
 *
 * The types are extensions that gcc and clang share; they are named here alone. Functions that take them are inlined,
 * since how they are passed depends on the instructions that may be used. */
#ifndef WEFT_MATH_LANES_H
#define WEFT_MATH_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "math/vec.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define LANE_INLINE static inline __attribute__((always_inline))

typedef double lanes __attribute__((vector_size(32)));
typedef int64_t lane_mask __attribute__((vector_size(32)));

typedef int32_t lanes4_int __attribute__((vector_size(16)));

/* Four and eight floats at a time. */
typedef float lanes4 __attribute__((vector_size(16)));
typedef float lanes8 __attribute__((vector_size(32)));

typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

LANE_INLINE lanes lane_all(double a)
{
    return (lanes){a, a, a, a};
}

/* a where the mask is set, else b. */
LANE_INLINE lanes lane_select(lane_mask m, lanes a, lanes b)
{
    return (lanes)((m & (lane_mask)a) | (~m & (lane_mask)b));
}

LANE_INLINE bool lane_any(lane_mask m)
{
#if defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)m, (__m256i)m);
#else
    return (m[0] | m[1] | m[2] | m[3]) != 0;
#endif
}

LANE_INLINE lanes lane_max(lanes a, lanes b)
{
    return lane_select((lane_mask)(a > b), a, b);
}

LANE_INLINE lanes lane_min(lanes a, lanes b)
{
    return lane_select((lane_mask)(a < b), a, b);
}

LANE_INLINE lanes lane_abs(lanes a)
{
    return (lanes)((lane_mask)a & INT64_MAX);
}

/* Towards zero; of numbers that an int can hold. */
LANE_INLINE lanes4_int lane_truncate(lanes a)
{
    return __builtin_convertvector(a, lanes4_int);
}

LANE_INLINE lanes lane_load(const double *from)
{
    lanes a;
    memcpy(&a, from, sizeof a);
    return a;
}

LANE_INLINE void lane_store(double *to, lanes a)
{
    memcpy(to, &a, sizeof a);
}

/* Rows to columns. */
LANE_INLINE void lane_transpose(lanes a, lanes b, lanes c, lanes d, lanes out[4])
{
    lanes ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    lanes cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

LANE_INLINE void lane4_transpose(lanes4 a, lanes4 b, lanes4 c, lanes4 d, lanes4 out[4])
{
    lanes4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    lanes4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    out[0] = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    out[2] = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    out[3] = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

LANE_INLINE lanes lane_sqrt(lanes a)
{
#if defined(__AVX2__)
    return (lanes)_mm256_sqrt_pd((__m256d)a);
#else
    return (lanes){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}

/* Says that something in memory will be read soon. */
LANE_INLINE void lane_fetch(const void *p)
{
    __builtin_prefetch(p);
}

LANE_INLINE lanes3 l3_of(const vec3 *a, const vec3 *b, const vec3 *c, const vec3 *d)
{
    return (lanes3){{a->x, b->x, c->x, d->x}, {a->y, b->y, c->y, d->y}, {a->z, b->z, c->z, d->z}};
}

LANE_INLINE lanes3 l3_add(lanes3 a, lanes3 b)
{
    return (lanes3){a.x + b.x, a.y + b.y, a.z + b.z};
}

LANE_INLINE lanes3 l3_sub(lanes3 a, lanes3 b)
{
    return (lanes3){a.x - b.x, a.y - b.y, a.z - b.z};
}

LANE_INLINE lanes3 l3_scale(lanes k, lanes3 a)
{
    return (lanes3){k * a.x, k * a.y, k * a.z};
}

/* a where the mask is set, else 0. */
LANE_INLINE lanes3 l3_select(lane_mask m, lanes3 a)
{
    return (lanes3){(lanes)(m & (lane_mask)a.x), (lanes)(m & (lane_mask)a.y), (lanes)(m & (lane_mask)a.z)};
}

LANE_INLINE lanes3 l3_neg(lanes3 a)
{
    return (lanes3){-a.x, -a.y, -a.z};
}

LANE_INLINE lanes l3_dot(lanes3 a, lanes3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

LANE_INLINE lanes3 l3_cross(lanes3 a, lanes3 b)
{
    return (lanes3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Of lane i: to out[i · stride]. */
LANE_INLINE void l3_store(lanes3 a, vec3 *out, int stride)
{
    for (int i = 0; i < 4; i++)
        out[i * stride] = (vec3){a.x[i], a.y[i], a.z[i]};
}

#endif
