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
#elif defined(__SSE2__)
#include <emmintrin.h>
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

/* Bit i is set if lane i is. */
LANE_INLINE unsigned lane_bits(lane_mask m)
{
#if defined(__AVX2__)
    return (unsigned)_mm256_movemask_pd((__m256d)m);
#else
    return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}

/* a > b ? a : b, and a < b ? a : b. */
LANE_INLINE lanes lane_max(lanes a, lanes b)
{
#if defined(__AVX2__)
    return (lanes)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return lane_select((lane_mask)(a > b), a, b);
#endif
}

LANE_INLINE lanes lane_min(lanes a, lanes b)
{
#if defined(__AVX2__)
    return (lanes)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return lane_select((lane_mask)(a < b), a, b);
#endif
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

/* The lesser of both. */
LANE_INLINE lanes4_int lane4_int_min(lanes4_int a, lanes4_int b)
{
#if defined(__AVX2__)
    return (lanes4_int)_mm_min_epi32((__m128i)a, (__m128i)b);
#else
    lanes4_int m = a < b;
    return (m & a) | (~m & b);
#endif
}

LANE_INLINE lanes4 lane4_abs(lanes4 a)
{
    return (lanes4)((lanes4_int)a & INT32_MAX);
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

/* For each four bits the lanes that are set, from the lowest up; a lane is two numbers of half its size. */
#if defined(__AVX2__)
static const int32_t lane_places[16][8] = {
    {0, 1, 0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 1}, {2, 3, 0, 1, 0, 1, 0, 1}, {0, 1, 2, 3, 0, 1, 0, 1},
    {4, 5, 0, 1, 0, 1, 0, 1}, {0, 1, 4, 5, 0, 1, 0, 1}, {2, 3, 4, 5, 0, 1, 0, 1}, {0, 1, 2, 3, 4, 5, 0, 1},
    {6, 7, 0, 1, 0, 1, 0, 1}, {0, 1, 6, 7, 0, 1, 0, 1}, {2, 3, 6, 7, 0, 1, 0, 1}, {0, 1, 2, 3, 6, 7, 0, 1},
    {4, 5, 6, 7, 0, 1, 0, 1}, {0, 1, 4, 5, 6, 7, 0, 1}, {2, 3, 4, 5, 6, 7, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7},
};
#endif

/* Stores the lanes of which the bits are set, one after the other. There is room for four, and what is not used of it
 * may be overwritten. */
LANE_INLINE void lane_pack(double *to, lanes a, unsigned bits)
{
#if defined(__AVX2__)
    __m256i at = _mm256_loadu_si256((const __m256i *)lane_places[bits]);
    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32((__m256i)a, at));
#else
    for (int i = 0; i < 4; i++)
        if (bits >> i & 1)
            *to++ = a[i];
#endif
}

/* How many of four bits are set. */
LANE_INLINE int lane_count(unsigned bits)
{
    return (int)(0x4332322132212110 >> 4 * bits & 15);
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

/* Points of four nodes. */
LANE_INLINE lanes3 l3_load(const vec3 *x, const int32_t node[4])
{
#if defined(__AVX2__)
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    lanes column[4];
    lane_transpose((lanes)_mm256_maskload_pd(&x[node[0]].x, three), (lanes)_mm256_maskload_pd(&x[node[1]].x, three),
                   (lanes)_mm256_maskload_pd(&x[node[2]].x, three), (lanes)_mm256_maskload_pd(&x[node[3]].x, three),
                   column);
    return (lanes3){column[0], column[1], column[2]};
#else
    return l3_of(&x[node[0]], &x[node[1]], &x[node[2]], &x[node[3]]);
#endif
}

LANE_INLINE lanes3 l3_min(lanes3 a, lanes3 b)
{
    return (lanes3){lane_min(a.x, b.x), lane_min(a.y, b.y), lane_min(a.z, b.z)};
}

LANE_INLINE lanes3 l3_max(lanes3 a, lanes3 b)
{
    return (lanes3){lane_max(a.x, b.x), lane_max(a.y, b.y), lane_max(a.z, b.z)};
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

/* |x| + |y| + |z| */
LANE_INLINE lanes l3_sum(lanes3 a)
{
    return lane_abs(a.x) + lane_abs(a.y) + lane_abs(a.z);
}

/* Of lane i: to out[i · stride]. */
LANE_INLINE void l3_store(lanes3 a, vec3 *out, int stride)
{
    for (int i = 0; i < 4; i++)
        out[i * stride] = (vec3){a.x[i], a.y[i], a.z[i]};
}

#endif
