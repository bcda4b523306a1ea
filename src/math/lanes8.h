/* SPDX-License-Identifier: MIT */
/* Eight floats at a time, as math/lanes.h has it for four doubles. */
#ifndef WEFT_MATH_LANES8_H
#define WEFT_MATH_LANES8_H

#include "math/lanes.h"

/* Before a loop of a few turns over lanes or corners: what it keeps in arrays then stays in registers. */
#if defined(__clang__)
#define LANE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LANE_UNROLL _Pragma("GCC unroll 9")
#endif

typedef int32_t lane8_mask __attribute__((vector_size(32)));

typedef struct lanes8_3 {
    lanes8 x, y, z;
} lanes8_3;

LANE_INLINE lanes8 lane8_all(float a)
{
    return (lanes8){a, a, a, a, a, a, a, a};
}

LANE_INLINE lanes8 lane8_load(const float *from)
{
    lanes8 a;
    memcpy(&a, from, sizeof a);
    return a;
}

LANE_INLINE void lane8_store(float *to, lanes8 a)
{
    memcpy(to, &a, sizeof a);
}

/* Four numbers, and the same again. */
LANE_INLINE lanes8 lane8_twice(const float from[4])
{
#if defined(__AVX2__)
    return (lanes8)_mm256_broadcast_ps((const __m128 *)from);
#else
    lanes8 a;
    memcpy(&a, from, 4 * sizeof *from);
    memcpy((float *)&a + 4, from, 4 * sizeof *from);
    return a;
#endif
}

/* Lane i is that of a with the number at[i]. */
LANE_INLINE lanes8 lane8_pick(lanes8 a, const int32_t at[8])
{
#if defined(__AVX2__)
    return (lanes8)_mm256_permutevar8x32_ps((__m256)a, _mm256_loadu_si256((const __m256i *)at));
#else
    return (lanes8){a[at[0]], a[at[1]], a[at[2]], a[at[3]], a[at[4]], a[at[5]], a[at[6]], a[at[7]]};
#endif
}

/* The same by vectors; of the numbers the last three bits count. */
LANE_INLINE lanes8 lane8_permute(lanes8 a, lane8_mask at)
{
#if defined(__AVX2__)
    return (lanes8)_mm256_permutevar8x32_ps((__m256)a, (__m256i)at);
#else
    at &= 7;
    return (lanes8){a[at[0]], a[at[1]], a[at[2]], a[at[3]], a[at[4]], a[at[5]], a[at[6]], a[at[7]]};
#endif
}

/* Eight bytes as numbers. */
LANE_INLINE lane8_mask lane8_of_bytes(const uint8_t from[8])
{
#if defined(__AVX2__)
    return (lane8_mask)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
#else
    return (lane8_mask){from[0], from[1], from[2], from[3], from[4], from[5], from[6], from[7]};
#endif
}

/* Towards zero; of numbers that an int can hold. */
LANE_INLINE lane8_mask lane8_truncate(lanes8 a)
{
    return __builtin_convertvector(a, lane8_mask);
}

/* a where the mask is set, else b. */
LANE_INLINE lanes8 lane8_select(lane8_mask m, lanes8 a, lanes8 b)
{
    return (lanes8)((m & (lane8_mask)a) | (~m & (lane8_mask)b));
}

/* The two halves. */
LANE_INLINE lanes4 lane8_low(lanes8 a)
{
    return __builtin_shufflevector(a, a, 0, 1, 2, 3);
}

LANE_INLINE lanes4 lane8_high(lanes8 a)
{
    return __builtin_shufflevector(a, a, 4, 5, 6, 7);
}

LANE_INLINE lanes8 lane8_join(lanes4 low, lanes4 high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* a > b, and a ≤ b. By halves without AVX2: compilers would compare one lane after the other. */
LANE_INLINE lane8_mask lane8_above(lanes8 a, lanes8 b)
{
#if defined(__AVX2__)
    return (lane8_mask)(a > b);
#else
    return (lane8_mask)lane8_join((lanes4)(lane8_low(a) > lane8_low(b)), (lanes4)(lane8_high(a) > lane8_high(b)));
#endif
}

LANE_INLINE lane8_mask lane8_not_above(lanes8 a, lanes8 b)
{
#if defined(__AVX2__)
    return (lane8_mask)(a <= b);
#else
    return (lane8_mask)lane8_join((lanes4)(lane8_low(a) <= lane8_low(b)), (lanes4)(lane8_high(a) <= lane8_high(b)));
#endif
}

/* a > b ? a : b, and a < b ? a : b. */
LANE_INLINE lanes8 lane8_max(lanes8 a, lanes8 b)
{
#if defined(__AVX2__)
    return (lanes8)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return lane8_join((lanes4)_mm_max_ps((__m128)lane8_low(a), (__m128)lane8_low(b)),
                      (lanes4)_mm_max_ps((__m128)lane8_high(a), (__m128)lane8_high(b)));
#else
    return lane8_select((lane8_mask)(a > b), a, b);
#endif
}

LANE_INLINE lanes8 lane8_min(lanes8 a, lanes8 b)
{
#if defined(__AVX2__)
    return (lanes8)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return lane8_join((lanes4)_mm_min_ps((__m128)lane8_low(a), (__m128)lane8_low(b)),
                      (lanes4)_mm_min_ps((__m128)lane8_high(a), (__m128)lane8_high(b)));
#else
    return lane8_select((lane8_mask)(a < b), a, b);
#endif
}

/* The lesser of both. */
LANE_INLINE lane8_mask lane8_int_min(lane8_mask a, lane8_mask b)
{
#if defined(__AVX2__)
    return (lane8_mask)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    lane8_mask m = a < b;
    return (m & a) | (~m & b);
#endif
}

LANE_INLINE lanes8 lane8_abs(lanes8 a)
{
    return (lanes8)((lane8_mask)a & INT32_MAX);
}

LANE_INLINE lanes8 lane8_sqrt(lanes8 a)
{
#if defined(__AVX2__)
    return (lanes8)_mm256_sqrt_ps((__m256)a);
#else
    return (lanes8){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3]),
                    sqrtf(a[4]), sqrtf(a[5]), sqrtf(a[6]), sqrtf(a[7])};
#endif
}

/* Bit i is set if lane i is. */
LANE_INLINE unsigned lane8_bits(lane8_mask m)
{
#if defined(__AVX2__)
    return (unsigned)_mm256_movemask_ps((__m256)m);
#elif defined(__SSE2__)
    return (unsigned)(_mm_movemask_ps((__m128)lane8_low((lanes8)m)) | _mm_movemask_ps((__m128)lane8_high((lanes8)m))
                                                                          << 4);
#else
    unsigned bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (unsigned)(m[i] & 1) << i;
    return bits;
#endif
}

/* For each four bits the places of those that are set, from the lowest up. */
static const int32_t lane8_places[16][4] = {
    {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
    {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
};
static const uint8_t lane8_counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

/* How many of eight bits are set. */
LANE_INLINE int lane8_count(unsigned bits)
{
    return lane8_counts[bits & 15] + lane8_counts[bits >> 4];
}

/* Stores the lanes of which the bits are set, one after the other. There is room for eight, and what is not used of it
 * may be overwritten. */
LANE_INLINE void lane8_pack(float *to, lanes8 a, unsigned bits)
{
#if defined(__AVX2__)
    const int32_t *low = lane8_places[bits & 15], *high = lane8_places[bits >> 4];
    __m128 first = _mm256_castps256_ps128((__m256)a), second = _mm256_extractf128_ps((__m256)a, 1);
    _mm_storeu_ps(to, _mm_permutevar_ps(first, _mm_loadu_si128((const __m128i *)low)));
    _mm_storeu_ps(to + lane8_counts[bits & 15], _mm_permutevar_ps(second, _mm_loadu_si128((const __m128i *)high)));
#else
    for (int i = 0; i < 8; i++)
        if (bits >> i & 1) {
            float lane = a[i];
            memcpy(to++, &lane, sizeof lane); /* what is there may be of another type */
        }
#endif
}

/* x, y and z of the first halves of four rows, and of the second halves. */
LANE_INLINE lanes8_3 lane8_columns(lanes8 a, lanes8 b, lanes8 c, lanes8 d)
{
    lanes8 ab_low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    lanes8 ab_high = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    lanes8 cd_low = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    lanes8 cd_high = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    return (lanes8_3){__builtin_shufflevector(ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13),
                      __builtin_shufflevector(ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15),
                      __builtin_shufflevector(ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13)};
}

/* The first halves of both, and the second halves. */
LANE_INLINE void lane8_halves(lanes8 a, lanes8 b, lanes8 *first, lanes8 *second)
{
    *first = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
    *second = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

LANE_INLINE lanes8_3 l83_sub(lanes8_3 a, lanes8_3 b)
{
    return (lanes8_3){a.x - b.x, a.y - b.y, a.z - b.z};
}

LANE_INLINE lanes8_3 l83_add(lanes8_3 a, lanes8_3 b)
{
    return (lanes8_3){a.x + b.x, a.y + b.y, a.z + b.z};
}

LANE_INLINE lanes8_3 l83_scale(lanes8 k, lanes8_3 a)
{
    return (lanes8_3){k * a.x, k * a.y, k * a.z};
}

LANE_INLINE lanes8 l83_dot(lanes8_3 a, lanes8_3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

LANE_INLINE lanes8_3 l83_cross(lanes8_3 a, lanes8_3 b)
{
    return (lanes8_3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

LANE_INLINE lanes8_3 l83_select(lane8_mask m, lanes8_3 a, lanes8_3 b)
{
    return (lanes8_3){lane8_select(m, a.x, b.x), lane8_select(m, a.y, b.y), lane8_select(m, a.z, b.z)};
}

/* The other way round where a is negative. */
LANE_INLINE lanes8_3 l83_turn(lanes8_3 v, lanes8 a)
{
    lane8_mask sign = (lane8_mask)a & INT32_MIN;
    return (lanes8_3){(lanes8)((lane8_mask)v.x ^ sign), (lanes8)((lane8_mask)v.y ^ sign),
                      (lanes8)((lane8_mask)v.z ^ sign)};
}

/* |x| + |y| + |z| */
LANE_INLINE lanes8 l83_sum(lanes8_3 a)
{
    return lane8_abs(a.x) + lane8_abs(a.y) + lane8_abs(a.z);
}

#endif
