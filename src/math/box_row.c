/* SPDX-License-Identifier: MIT */
#include "math/box_row.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define WITH_AVX2 1
#include <immintrin.h>
#else
#define WITH_AVX2 0
#endif

static inline float greater(float a, float b)
{
    return a > b ? a : b;
}

/* ---- plain ------------------------------------------------------------------------------------------------------- */

/* How far eight boxes of a row are from one: > 0 apart, else by how much they overlap. */
static inline void gaps(const box_row *r, int i, const float lo[3], const float top[3], float out[8])
{
    for (int j = 0; j < 8; j++) {
        float x = greater(lo[0] + r->top[0][i + j], top[0] + r->lo[0][i + j]);
        float y = greater(lo[1] + r->top[1][i + j], top[1] + r->lo[1][i + j]);
        float z = greater(lo[2] + r->top[2][i + j], top[2] + r->lo[2][i + j]);
        out[j] = greater(greater(x, y), z);
    }
}

static inline uint32_t not_above(const float gap[8], float limit)
{
    uint32_t bits = 0;
    for (int j = 0; j < 8; j++)
        bits |= (uint32_t)(gap[j] <= limit) << j;
    return bits;
}

/* Bits of the boxes first to first + n of a row that meet a box; of those that do so by `slack`. */
static inline uint32_t meet_plain(const box_row *r, int first, int n, const float lo[3], const float top[3],
                                  float slack, uint32_t *sure)
{
    uint32_t bits = 0;
    float gap[8];
    *sure = 0;
    for (int i = 0; i < n; i += 8) {
        gaps(r, first + i, lo, top, gap);
        bits |= not_above(gap, 0) << i;
        *sure |= not_above(gap, -slack) << i;
    }
    return bits;
}

/* ---- AVX2 -------------------------------------------------------------------------------------------------------- */

#if WITH_AVX2

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256 gaps_avx2(const box_row *r, int i, const __m256 lo[3], const __m256 top[3])
{
    __m256 x = _mm256_max_ps(_mm256_add_ps(lo[0], _mm256_loadu_ps(&r->top[0][i])),
                             _mm256_add_ps(top[0], _mm256_loadu_ps(&r->lo[0][i])));
    __m256 y = _mm256_max_ps(_mm256_add_ps(lo[1], _mm256_loadu_ps(&r->top[1][i])),
                             _mm256_add_ps(top[1], _mm256_loadu_ps(&r->lo[1][i])));
    __m256 z = _mm256_max_ps(_mm256_add_ps(lo[2], _mm256_loadu_ps(&r->top[2][i])),
                             _mm256_add_ps(top[2], _mm256_loadu_ps(&r->lo[2][i])));
    return _mm256_max_ps(_mm256_max_ps(x, y), z);
}

AVX2 static inline uint32_t not_above_avx2(__m256 gap, __m256 limit)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(gap, limit, _CMP_LE_OQ));
}

AVX2 static inline uint32_t meet_avx2(const box_row *r, int first, int n, const float lo[3], const float top[3],
                                      float slack, uint32_t *sure)
{
    const __m256 zero = _mm256_setzero_ps(), least = _mm256_set1_ps(-slack);
    const __m256 l[3] = {_mm256_set1_ps(lo[0]), _mm256_set1_ps(lo[1]), _mm256_set1_ps(lo[2])};
    const __m256 t[3] = {_mm256_set1_ps(top[0]), _mm256_set1_ps(top[1]), _mm256_set1_ps(top[2])};
    uint32_t bits = 0, certain = 0;
    for (int i = 0; i < n; i += 8) {
        __m256 gap = gaps_avx2(r, first + i, l, t);
        bits |= not_above_avx2(gap, zero) << i;
        certain |= not_above_avx2(gap, least) << i;
    }
    *sure = certain;
    return bits;
}

#endif

/* ---- for either -------------------------------------------------------------------------------------------------- */

#if defined(__GNUC__)
#define TEMPLATE static inline __attribute__((always_inline))
#else
#define TEMPLATE static inline
#endif

typedef uint32_t meet_fn(const box_row *r, int first, int n, const float lo[3], const float top[3], float slack,
                         uint32_t *sure);

TEMPLATE void find_near(meet_fn *meet, const box_row *r, const box *whole, uint32_t near[3])
{
    uint32_t sure;
    for (int kind = 0; kind < 3; kind++)
        near[kind] = meet(r, r->start[kind], r->n[kind], whole->lo, whole->top, 0, &sure) & ((1u << r->n[kind]) - 1);
}

/* Box i of a kind of p with a kind of q. */
TEMPLATE uint32_t meet_kind(meet_fn *meet, const box_row *p, int p_kind, int i, const box_row *q, int q_kind,
                            float slack, uint32_t *sure)
{
    int at = p->start[p_kind] + i;
    const float lo[3] = {p->lo[0][at], p->lo[1][at], p->lo[2][at]};
    const float top[3] = {p->top[0][at], p->top[1][at], p->top[2][at]};
    return meet(q, q->start[q_kind], q->n[q_kind], lo, top, slack, sure);
}

TEMPLATE void meet_kinds(meet_fn *meet, const box_row *p, int p_kind, uint32_t p_bits, const box_row *q, int q_kind,
                         uint32_t q_bits, float slack, uint32_t *hits, uint32_t *sure)
{
    for (; p_bits != 0; p_bits &= p_bits - 1) {
        int i = box_lowest_bit(p_bits);
        hits[i] = meet_kind(meet, p, p_kind, i, q, q_kind, slack, &sure[i]) & q_bits;
    }
}

TEMPLATE void rows_meet(meet_fn *meet, const box_row *p, const box *p_whole, const box_row *q, const box *q_whole,
                        float slack, box_meetings *m)
{
    uint32_t sure;
    find_near(meet, p, q_whole, m->near_p);
    find_near(meet, q, p_whole, m->near_q);
    m->faces = 0;
    for (uint32_t left = m->near_p[0]; left != 0; left &= left - 1) {
        int i = box_lowest_bit(left);
        m->faces |= (uint64_t)(meet_kind(meet, p, 0, i, q, 0, 0, &sure) & m->near_q[0]) << BOX_FACES * i;
    }
    if (m->faces == 0)
        return;
    meet_kinds(meet, p, 1, m->near_p[1], q, 0, m->near_q[0], slack, m->hits[0], m->sure[0]);
    meet_kinds(meet, q, 1, m->near_q[1], p, 0, m->near_p[0], slack, m->hits[1], m->sure[1]);
    meet_kinds(meet, p, 2, m->near_p[2], q, 2, m->near_q[2], slack, m->hits[2], m->sure[2]);
}

#if WITH_AVX2
AVX2 static void rows_meet_avx2(const box_row *p, const box *p_whole, const box_row *q, const box *q_whole, float slack,
                                box_meetings *m)
{
    rows_meet(meet_avx2, p, p_whole, q, q_whole, slack, m);
}
#endif

void box_rows_meet_plain(const box_row *p, const box *p_whole, const box_row *q, const box *q_whole, float slack,
                         box_meetings *m)
{
    rows_meet(meet_plain, p, p_whole, q, q_whole, slack, m);
}

void box_rows_meet(const box_row *p, const box *p_whole, const box_row *q, const box *q_whole, float slack,
                   box_meetings *m)
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2")) {
        rows_meet_avx2(p, p_whole, q, q_whole, slack, m);
        return;
    }
#endif
    box_rows_meet_plain(p, p_whole, q, q_whole, slack, m);
}
