/* SPDX-License-Identifier: MIT */
#include "math/box_row.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define WITH_AVX2 1
#include <immintrin.h>
#else
#define WITH_AVX2 0
#endif

/* A box, at the start and at the end of a way; the latter is not read where rows have no ends. */
typedef struct box_way {
    float lo[2][3], top[2][3];
} box_way;

static inline float greater(float a, float b)
{
    return a > b ? a : b;
}

static inline float lesser(float a, float b)
{
    return a < b ? a : b;
}

/* ---- plain ------------------------------------------------------------------------------------------------------- */

/* How far box i of a row is beyond another along an axis, in the direction where it is so farther; on a way, at the end
 * where it is so less. */
static inline float gap_along(const box_row *r, const box_row *end, int axis, int i, const box_way *b)
{
    float up = b->lo[0][axis] + r->top[axis][i], down = b->top[0][axis] + r->lo[axis][i];
    if (end) {
        up = lesser(up, b->lo[1][axis] + end->top[axis][i]);
        down = lesser(down, b->top[1][axis] + end->lo[axis][i]);
    }
    return greater(up, down);
}

/* How far eight boxes of a row are from one: > 0 apart, else by how much they overlap. */
static inline void gaps(const box_row *r, const box_row *end, int i, const box_way *b, float out[8])
{
    for (int j = 0; j < 8; j++) {
        float x = gap_along(r, end, 0, i + j, b), y = gap_along(r, end, 1, i + j, b);
        out[j] = greater(greater(x, y), gap_along(r, end, 2, i + j, b));
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
static inline uint32_t meet_plain(const box_row *r, const box_row *end, int first, int n, const box_way *b, float slack,
                                  uint32_t *sure)
{
    uint32_t bits = 0;
    float gap[8];
    *sure = 0;
    for (int i = 0; i < n; i += 8) {
        gaps(r, end, first + i, b, gap);
        bits |= not_above(gap, 0) << i;
        *sure |= not_above(gap, -slack) << i;
    }
    return bits;
}

/* ---- AVX2 -------------------------------------------------------------------------------------------------------- */

#if WITH_AVX2

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256 gap_along_avx2(const box_row *r, const box_row *end, int axis, int i, const box_way *b)
{
    __m256 up = _mm256_add_ps(_mm256_set1_ps(b->lo[0][axis]), _mm256_loadu_ps(&r->top[axis][i]));
    __m256 down = _mm256_add_ps(_mm256_set1_ps(b->top[0][axis]), _mm256_loadu_ps(&r->lo[axis][i]));
    if (end) {
        up = _mm256_min_ps(up, _mm256_add_ps(_mm256_set1_ps(b->lo[1][axis]), _mm256_loadu_ps(&end->top[axis][i])));
        down = _mm256_min_ps(down, _mm256_add_ps(_mm256_set1_ps(b->top[1][axis]), _mm256_loadu_ps(&end->lo[axis][i])));
    }
    return _mm256_max_ps(up, down);
}

AVX2 static inline __m256 gaps_avx2(const box_row *r, const box_row *end, int i, const box_way *b)
{
    __m256 x = gap_along_avx2(r, end, 0, i, b), y = gap_along_avx2(r, end, 1, i, b);
    return _mm256_max_ps(_mm256_max_ps(x, y), gap_along_avx2(r, end, 2, i, b));
}

AVX2 static inline uint32_t not_above_avx2(__m256 gap, __m256 limit)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(gap, limit, _CMP_LE_OQ));
}

AVX2 static inline uint32_t meet_avx2(const box_row *r, const box_row *end, int first, int n, const box_way *b,
                                      float slack, uint32_t *sure)
{
    const __m256 zero = _mm256_setzero_ps(), least = _mm256_set1_ps(-slack);
    uint32_t bits = 0, certain = 0;
    for (int i = 0; i < n; i += 8) {
        __m256 gap = gaps_avx2(r, end, first + i, b);
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

typedef uint32_t meet_fn(const box_row *r, const box_row *end, int first, int n, const box_way *b, float slack,
                         uint32_t *sure);

/* Box i of a row. */
TEMPLATE box_way way_of(const box_row *r, const box_row *end, int i)
{
    box_way w;
    for (int k = 0; k < 3; k++) {
        w.lo[0][k] = r->lo[k][i];
        w.top[0][k] = r->top[k][i];
        w.lo[1][k] = end ? end->lo[k][i] : 0;
        w.top[1][k] = end ? end->top[k][i] : 0;
    }
    return w;
}

TEMPLATE box_way way_of_whole(const box_side *s, const box_row *end)
{
    box_way w;
    for (int k = 0; k < 3; k++) {
        w.lo[0][k] = s->whole->lo[k];
        w.top[0][k] = s->whole->top[k];
        w.lo[1][k] = end ? s->whole_end->lo[k] : 0;
        w.top[1][k] = end ? s->whole_end->top[k] : 0;
    }
    return w;
}

TEMPLATE void find_near(meet_fn *meet, const box_row *r, const box_row *end, const box_way *whole, uint32_t near[3])
{
    uint32_t sure;
    for (int kind = 0; kind < 3; kind++)
        near[kind] = meet(r, end, r->start[kind], r->n[kind], whole, 0, &sure) & ((1u << r->n[kind]) - 1);
}

/* Those of p_bits of a kind of p with q_bits of a kind of q. */
TEMPLATE void meet_kinds(meet_fn *meet, const box_row *p, const box_row *p_end, int p_kind, uint32_t p_bits,
                         const box_row *q, const box_row *q_end, int q_kind, uint32_t q_bits, float slack,
                         uint32_t *hits, uint32_t *sure)
{
    for (; p_bits != 0; p_bits &= p_bits - 1) {
        int i = box_lowest_bit(p_bits);
        const box_way b = way_of(p, p_end, p->start[p_kind] + i);
        hits[i] = meet(q, q_end, q->start[q_kind], q->n[q_kind], &b, slack, &sure[i]) & q_bits;
    }
}

/* The ends are given apart, so that they are known to be NULL where they are. */
TEMPLATE void rows_meet(meet_fn *meet, const box_side *s, const box_row *p_end, const box_side *t, const box_row *q_end,
                        float slack, box_meetings *m)
{
    const box_row *p = s->row, *q = t->row;
    const box_way p_whole = way_of_whole(s, p_end), q_whole = way_of_whole(t, q_end);
    uint32_t faces[BOX_FACES], sure[BOX_FACES];
    find_near(meet, p, p_end, &q_whole, m->near_p);
    find_near(meet, q, q_end, &p_whole, m->near_q);
    m->faces = 0;
    meet_kinds(meet, p, p_end, 0, m->near_p[0], q, q_end, 0, m->near_q[0], 0, faces, sure);
    for (uint32_t left = m->near_p[0]; left != 0; left &= left - 1) {
        int i = box_lowest_bit(left);
        m->faces |= (uint64_t)faces[i] << BOX_FACES * i;
    }
    if (m->faces == 0)
        return;
    meet_kinds(meet, p, p_end, 1, m->near_p[1], q, q_end, 0, m->near_q[0], slack, m->hits[0], m->sure[0]);
    meet_kinds(meet, q, q_end, 1, m->near_q[1], p, p_end, 0, m->near_p[0], slack, m->hits[1], m->sure[1]);
    meet_kinds(meet, p, p_end, 2, m->near_p[2], q, q_end, 2, m->near_q[2], slack, m->hits[2], m->sure[2]);
}

#if WITH_AVX2
AVX2 static void rows_meet_avx2(const box_side *p, const box_side *q, float slack, box_meetings *m)
{
    if (p->end)
        rows_meet(meet_avx2, p, p->end, q, q->end, slack, m);
    else
        rows_meet(meet_avx2, p, NULL, q, NULL, slack, m);
}
#endif

void box_rows_meet_plain(const box_side *p, const box_side *q, float slack, box_meetings *m)
{
    if (p->end)
        rows_meet(meet_plain, p, p->end, q, q->end, slack, m);
    else
        rows_meet(meet_plain, p, NULL, q, NULL, slack, m);
}

void box_rows_meet(const box_side *p, const box_side *q, float slack, box_meetings *m)
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2")) {
        rows_meet_avx2(p, q, slack, m);
        return;
    }
#endif
    box_rows_meet_plain(p, q, slack, m);
}
