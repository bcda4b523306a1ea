/* SPDX-License-Identifier: MIT */
/* Axis-parallel boxes of floats, rounded outward, four lanes at a time.
 *
 * A box keeps its lower corner and the negative of its upper one, so that uniting is one minimum over eight numbers and
 * two boxes are apart if and only if some lane of lo_a + top_b or lo_b + top_a is positive: the sign of a sum of two
 * floats is exact. The fourth lane is the same in every box and never decides. */
#ifndef WEFT_MATH_BOX_H
#define WEFT_MATH_BOX_H

#include "math/vec.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef struct box {
    float lo[4];  /* x, y, z, 0 */
    float top[4]; /* −x, −y, −z of the upper corner, then −BOX_FAR */
} box;

#define BOX_FAR 1e37f
/* Beyond this a coordinate is refused by those who make boxes. */
#define BOX_MOST 1e30

static inline box box_empty(void)
{
    return (box){{BOX_FAR, BOX_FAR, BOX_FAR, 0}, {BOX_FAR, BOX_FAR, BOX_FAR, -BOX_FAR}};
}

/* At most x, and above x − 2⁻²¹ |x| − 2e-37: two roundings of 2⁻²⁴ are less than the 2⁻²² taken off. */
static inline float box_below(double x)
{
    float f = (float)x;
    return f - fabsf(f) * 0x1p-22f - 1e-37f;
}

/* [lo, hi] in each coordinate, rounded outward. */
#if defined(__SSE2__)

/* box_below of x, y and z, step by step; the fourth number as it is. */
static inline __m128 box_below_three(__m128d xy, __m128d z)
{
    const __m128 part = _mm_setr_ps(0x1p-22f, 0x1p-22f, 0x1p-22f, 0), least = _mm_setr_ps(1e-37f, 1e-37f, 1e-37f, 0);
    __m128 f = _mm_movelh_ps(_mm_cvtpd_ps(xy), _mm_cvtpd_ps(z));
    return _mm_sub_ps(_mm_sub_ps(f, _mm_mul_ps(_mm_andnot_ps(_mm_set1_ps(-0.0f), f), part)), least);
}

static inline box box_of(vec3 lo, vec3 hi)
{
    box b;
    _mm_storeu_ps(b.lo, box_below_three(_mm_setr_pd(lo.x, lo.y), _mm_setr_pd(lo.z, 0)));
    _mm_storeu_ps(b.top, box_below_three(_mm_setr_pd(-hi.x, -hi.y), _mm_setr_pd(-hi.z, -(double)BOX_FAR)));
    return b;
}

#else

static inline box box_of(vec3 lo, vec3 hi)
{
    return (box){{box_below(lo.x), box_below(lo.y), box_below(lo.z), 0},
                 {box_below(-hi.x), box_below(-hi.y), box_below(-hi.z), -BOX_FAR}};
}

#endif

/* How far an outward rounded coordinate of this size may lie from the true one; twice what box_below may take off. */
static inline float box_slack(float size)
{
    return size * 0x1p-20f + 1e-36f;
}

#if defined(__SSE2__)

static inline box box_union(const box *a, const box *b)
{
    box r;
    _mm_storeu_ps(r.lo, _mm_min_ps(_mm_loadu_ps(a->lo), _mm_loadu_ps(b->lo)));
    _mm_storeu_ps(r.top, _mm_min_ps(_mm_loadu_ps(a->top), _mm_loadu_ps(b->top)));
    return r;
}

static inline bool box_overlap(const box *a, const box *b)
{
    __m128 p = _mm_add_ps(_mm_loadu_ps(a->lo), _mm_loadu_ps(b->top));
    __m128 q = _mm_add_ps(_mm_loadu_ps(b->lo), _mm_loadu_ps(a->top));
    return _mm_movemask_ps(_mm_cmpgt_ps(_mm_max_ps(p, q), _mm_setzero_ps())) == 0;
}

/* Whether things whose corners go straight on from boxes a, b to a_end, b_end may meet on the way: not if along one
 * axis the one is beyond the other at both ends. */
static inline bool box_ends_overlap(const box *a, const box *a_end, const box *b, const box *b_end)
{
    __m128 p = _mm_add_ps(_mm_loadu_ps(a->lo), _mm_loadu_ps(b->top));
    __m128 q = _mm_add_ps(_mm_loadu_ps(b->lo), _mm_loadu_ps(a->top));
    __m128 p_end = _mm_add_ps(_mm_loadu_ps(a_end->lo), _mm_loadu_ps(b_end->top));
    __m128 q_end = _mm_add_ps(_mm_loadu_ps(b_end->lo), _mm_loadu_ps(a_end->top));
    __m128 apart = _mm_max_ps(_mm_min_ps(p, p_end), _mm_min_ps(q, q_end));
    return _mm_movemask_ps(_mm_cmpgt_ps(apart, _mm_setzero_ps())) == 0;
}

/* 0: apart; 1: they overlap by less than `slack` in some coordinate; 2: they overlap by more. */
static inline int box_overlap_by(const box *a, const box *b, float slack)
{
    __m128 p = _mm_add_ps(_mm_loadu_ps(a->lo), _mm_loadu_ps(b->top));
    __m128 q = _mm_add_ps(_mm_loadu_ps(b->lo), _mm_loadu_ps(a->top));
    __m128 apart = _mm_max_ps(p, q);
    if (_mm_movemask_ps(_mm_cmpgt_ps(apart, _mm_setzero_ps())) != 0)
        return 0;
    return _mm_movemask_ps(_mm_cmpgt_ps(apart, _mm_set1_ps(-slack))) != 0 ? 1 : 2;
}

#else

static inline box box_union(const box *a, const box *b)
{
    box r;
    for (int i = 0; i < 4; i++) {
        r.lo[i] = a->lo[i] < b->lo[i] ? a->lo[i] : b->lo[i];
        r.top[i] = a->top[i] < b->top[i] ? a->top[i] : b->top[i];
    }
    return r;
}

static inline int box_overlap_by(const box *a, const box *b, float slack)
{
    bool sure = true;
    for (int i = 0; i < 3; i++) {
        float p = a->lo[i] + b->top[i], q = b->lo[i] + a->top[i], apart = p > q ? p : q;
        if (apart > 0)
            return 0;
        sure = sure && !(apart > -slack);
    }
    return sure ? 2 : 1;
}

static inline bool box_overlap(const box *a, const box *b)
{
    return box_overlap_by(a, b, 0) != 0;
}

static inline bool box_ends_overlap(const box *a, const box *a_end, const box *b, const box *b_end)
{
    for (int i = 0; i < 3; i++)
        if ((a->lo[i] + b->top[i] > 0 && a_end->lo[i] + b_end->top[i] > 0) ||
            (b->lo[i] + a->top[i] > 0 && b_end->lo[i] + a_end->top[i] > 0))
            return false;
    return true;
}

#endif

/* A box may also hold two planar boxes, of a thing at two times: x and y at the first, x and y at the second. */
static inline box box_of_planar(const double x_lo[2], const double x_hi[2], const double y_lo[2], const double y_hi[2])
{
    return (box){{box_below(x_lo[0]), box_below(y_lo[0]), box_below(x_lo[1]), box_below(y_lo[1])},
                 {box_below(-x_hi[0]), box_below(-y_hi[0]), box_below(-x_hi[1]), box_below(-y_hi[1])}};
}

/* Whether two such are apart by more than `least` in the same direction along the same axis at both times. */
static inline bool box_planar_apart(const box *a, const box *b, float least)
{
#if defined(__SSE2__)
    __m128 limit = _mm_set1_ps(least);
    __m128 p = _mm_add_ps(_mm_loadu_ps(a->lo), _mm_loadu_ps(b->top));
    __m128 q = _mm_add_ps(_mm_loadu_ps(b->lo), _mm_loadu_ps(a->top));
    int up = _mm_movemask_ps(_mm_cmpgt_ps(p, limit)), down = _mm_movemask_ps(_mm_cmpgt_ps(q, limit));
#else
    int up = 0, down = 0;
    for (int i = 0; i < 4; i++) {
        up |= (a->lo[i] + b->top[i] > least) << i;
        down |= (b->lo[i] + a->top[i] > least) << i;
    }
#endif
    up &= up >> 2;
    down &= down >> 2;
    return ((up | down) & 3) != 0;
}

/* Says that something in memory will be read soon. */
static inline void box_fetch(const void *p)
{
#if defined(__GNUC__)
    __builtin_prefetch(p);
#else
    (void)p;
#endif
}

/* The number of the lowest bit of a value that is not 0. */
static inline int box_lowest_bit(uint32_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctz(bits);
#else
    int i = 0;
    while (!(bits >> i & 1))
        i++;
    return i;
#endif
}

static inline int box_n_bits(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    return (int)((((bits + (bits >> 4)) & 0x0f0f0f0f) * 0x01010101u) >> 24);
}

/* The largest absolute coordinate. */
static inline float box_size(const box *b)
{
    float most = 0;
    for (int i = 0; i < 3; i++) {
        most = fabsf(b->lo[i]) > most ? fabsf(b->lo[i]) : most;
        most = fabsf(b->top[i]) > most ? fabsf(b->top[i]) : most;
    }
    return most;
}

#endif
