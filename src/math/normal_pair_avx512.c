/* SPDX-License-Identifier: MIT */
/* Pairs of leaves by AVX-512: two leaves, sixteen triangles at a time, in the halves of a register;
 * normal_pair_kernel.c step by step. It is no third copy of that kernel, for two leaves at a time are read and
 * written in another way. CMake compiles this file for AVX-512; without these options it is empty, and nobody calls
 * it. */
#include "math/normal_pair_inside.h"

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__AVX512BW__)

typedef struct sixteen {
    __m512 x, y, z;
} sixteen;

typedef struct sides16 {
    sixteen e, f;
    __m512 a, l, m;
} sides16;

/* Bounds of two leaves' nodes; in each half of two of them, of which both count. */
typedef struct bounds16 {
    __m512d lo[2], hi[2];
} bounds16;

/* a − b, and the same bits. Additions, bounds and conversions wait for each other; multipliers are idle. */
LANE_INLINE __m512d minus_by_multiplier(__m512d a, __m512d b)
{
    return _mm512_fmsub_pd(a, _mm512_set1_pd(1), b);
}

LANE_INLINE __m512d two_places(const double *x, int32_t a, int32_t b)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(x + a)), _mm256_loadu_pd(x + b), 1);
}

LANE_INLINE __m512 join_simd8(__m256 a, __m256 b)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(a), b, 1);
}

/* Two nodes each, as four floats of which three count. */
typedef struct simd8_places {
    __m256 p[4];
} simd8_places;

LANE_INLINE simd8_places load_half(const double *x, const int32_t *at, __m512d *lo, __m512d *hi, bool more)
{
    __m512d o = _mm512_broadcast_f64x4(_mm256_loadu_pd(x + at[0]));
    __m512d p = two_places(x, at[1], at[5]), q = two_places(x, at[2], at[6]);
    __m512d r = two_places(x, at[3], at[7]), s = two_places(x, at[4], at[8]);
    __m512d least = _mm512_min_pd(_mm512_min_pd(_mm512_min_pd(p, q), _mm512_min_pd(r, s)), o);
    __m512d most = _mm512_max_pd(_mm512_max_pd(_mm512_max_pd(p, q), _mm512_max_pd(r, s)), o);
    *lo = more ? _mm512_min_pd(least, *lo) : least;
    *hi = more ? _mm512_max_pd(most, *hi) : most;
    return (simd8_places){{_mm512_cvtpd_ps(minus_by_multiplier(p, o)), _mm512_cvtpd_ps(minus_by_multiplier(q, o)),
                           _mm512_cvtpd_ps(minus_by_multiplier(r, o)), _mm512_cvtpd_ps(minus_by_multiplier(s, o))}};
}

LANE_INLINE sixteen load_sixteen(const double *x, const normal_pair *l, bounds16 *b, bool more)
{
    simd8_places p = load_half(x, l->place[0], &b->lo[0], &b->hi[0], more);
    simd8_places q = load_half(x, l->place[1], &b->lo[1], &b->hi[1], more);
    __m512 a = join_simd8(p.p[0], q.p[0]), c = join_simd8(p.p[1], q.p[1]), d = join_simd8(p.p[2], q.p[2]),
           e = join_simd8(p.p[3], q.p[3]);
    __m512 xy = _mm512_unpacklo_ps(a, c), more_xy = _mm512_unpacklo_ps(d, e);
    __m512 z = _mm512_unpackhi_ps(a, c), more_z = _mm512_unpackhi_ps(d, e);
    return (sixteen){_mm512_shuffle_ps(xy, more_xy, 0x44), _mm512_shuffle_ps(xy, more_xy, 0xee),
                     _mm512_shuffle_ps(z, more_z, 0x44)};
}

LANE_INLINE sixteen pick_sixteen(sixteen p, const uint8_t *corners)
{
    __m128i c = _mm_loadu_si128((const __m128i *)corners);
    __m512i at = _mm512_cvtepu8_epi32(c);
    __mmask16 other = _mm_movepi8_mask(c);
    return (sixteen){_mm512_maskz_permutexvar_ps(other, at, p.x), _mm512_maskz_permutexvar_ps(other, at, p.y),
                     _mm512_maskz_permutexvar_ps(other, at, p.z)};
}

LANE_INLINE sixteen sub_sixteen(sixteen a, sixteen b)
{
    return (sixteen){_mm512_sub_ps(a.x, b.x), _mm512_sub_ps(a.y, b.y), _mm512_sub_ps(a.z, b.z)};
}

LANE_INLINE sixteen add_sixteen(sixteen a, sixteen b)
{
    return (sixteen){_mm512_add_ps(a.x, b.x), _mm512_add_ps(a.y, b.y), _mm512_add_ps(a.z, b.z)};
}

LANE_INLINE __m512 length_of_sixteen(sixteen a)
{
    return _mm512_add_ps(_mm512_add_ps(_mm512_abs_ps(a.x), _mm512_abs_ps(a.y)), _mm512_abs_ps(a.z));
}

LANE_INLINE sixteen cross_sixteen(sixteen a, sixteen b)
{
    return (sixteen){_mm512_sub_ps(_mm512_mul_ps(a.y, b.z), _mm512_mul_ps(a.z, b.y)),
                     _mm512_sub_ps(_mm512_mul_ps(a.z, b.x), _mm512_mul_ps(a.x, b.z)),
                     _mm512_sub_ps(_mm512_mul_ps(a.x, b.y), _mm512_mul_ps(a.y, b.x))};
}

LANE_INLINE sides16 sides_of_sixteen(sixteen p, const normal_pair *l)
{
    sixteen a = pick_sixteen(p, l->corner[0]);
    sixteen e = sub_sixteen(pick_sixteen(p, l->corner[1]), a), f = sub_sixteen(pick_sixteen(p, l->corner[2]), a);
    return (sides16){e, f, _mm512_add_ps(length_of_sixteen(a), _mm512_set1_ps(NORMAL_FAINT)), length_of_sixteen(e),
                     length_of_sixteen(f)};
}

/* cell_of, step by step. */
LANE_INLINE void put_cells_of_sixteen(sixteen v, __m512 scale, uint32_t *out)
{
    const __m512 half = _mm512_set1_ps(NORMAL_HALF);
    const __m512i last = _mm512_set1_epi32(NORMAL_CELLS - 1);
    __m512 sum = length_of_sixteen(v), to_cells = _mm512_div_ps(half, sum);
    __m512 least = _mm512_add_ps(_mm512_mul_ps(scale, _mm512_set1_ps(NORMAL_LEAST)), _mm512_set1_ps(1e-30f));
    __mmask16 known = _mm512_cmp_ps_mask(sum, least, _CMP_GT_OQ);
    __m512i i = _mm512_cvttps_epi32(_mm512_add_ps(_mm512_mul_ps(v.x, to_cells), half));
    __m512i j = _mm512_cvttps_epi32(_mm512_add_ps(_mm512_mul_ps(v.y, to_cells), half));
    __mmask16 below = _mm512_cmp_ps_mask(v.z, _mm512_setzero_ps(), _CMP_LT_OQ);
    __m512i at = _mm512_add_epi32(_mm512_slli_epi32(_mm512_min_epi32(i, last), 6), _mm512_min_epi32(j, last));
    at = _mm512_mask_add_epi32(at, below, at, _mm512_set1_epi32(NORMAL_CELLS * NORMAL_CELLS));
    _mm512_storeu_si512(out, _mm512_mask_mov_epi32(_mm512_set1_epi32(NORMAL_NONE), known, at));
}

LANE_INLINE void cells_at_sixteen(const sides16 *s, uint32_t *out)
{
    __m512 product = _mm512_mul_ps(_mm512_mul_ps(_mm512_set1_ps(4), s->l), s->m);
    put_cells_of_sixteen(cross_sixteen(s->e, s->f),
                         _mm512_add_ps(_mm512_mul_ps(s->a, _mm512_add_ps(s->l, s->m)), product), out);
}

LANE_INLINE void cells_between_sixteen(const sides16 *s, const sides16 *t, uint32_t *out)
{
    const __m512 four = _mm512_set1_ps(4);
    __m512 ends =
        _mm512_mul_ps(_mm512_add_ps(s->a, t->a), _mm512_add_ps(_mm512_add_ps(s->l, s->m), _mm512_add_ps(t->l, t->m)));
    __m512 both =
        _mm512_add_ps(_mm512_mul_ps(_mm512_mul_ps(four, s->l), t->m), _mm512_mul_ps(_mm512_mul_ps(four, t->l), s->m));
    put_cells_of_sixteen(add_sixteen(cross_sixteen(s->e, t->f), cross_sixteen(t->e, s->f)), _mm512_add_ps(ends, both),
                         out);
}

/* The lower halves of a and b, and the upper ones. */
LANE_INLINE __m512d lower_halves(__m512d a, __m512d b)
{
    return _mm512_insertf64x4(a, _mm512_castpd512_pd256(b), 1);
}

LANE_INLINE __m512d upper_halves(__m512d a, __m512d b)
{
    return _mm512_shuffle_f64x2(a, b, 0xee);
}

/* box_below, step by step, with the fourth numbers that boxes have. */
LANE_INLINE void put_boxes(const bounds16 *b, __m512d inflate, const int32_t *zone, box *boxes)
{
    const __m512 fourth = _mm512_setr_ps(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -BOX_FAR, 0, 0, 0, -BOX_FAR);
    __m512d lo = _mm512_min_pd(lower_halves(b->lo[0], b->lo[1]), upper_halves(b->lo[0], b->lo[1]));
    __m512d hi = _mm512_max_pd(lower_halves(b->hi[0], b->hi[1]), upper_halves(b->hi[0], b->hi[1]));
    hi = _mm512_xor_pd(hi, _mm512_set1_pd(-0.0));
    __m512 f = join_simd8(_mm512_cvtpd_ps(minus_by_multiplier(lo, inflate)),
                          _mm512_cvtpd_ps(minus_by_multiplier(hi, inflate)));
    f = _mm512_sub_ps(f, _mm512_mul_ps(_mm512_abs_ps(f), _mm512_set1_ps(0x1p-22f)));
    f = _mm512_mask_blend_ps(0x8888, _mm512_sub_ps(f, _mm512_set1_ps(1e-37f)), fourth);
    f = _mm512_shuffle_f32x4(f, f, 0xd8); /* from lo, lo, top, top */
    _mm256_storeu_ps(boxes[zone[0]].lo, _mm512_castps512_ps256(f));
    _mm256_storeu_ps(boxes[zone[1]].lo, _mm512_extractf32x8_ps(f, 1));
}

LANE_INLINE void fit_pair(const double *x0, const double *x1, const normal_pair *l, __m512d inflate, box *boxes,
                          uint32_t (*cells)[2 * NORMAL_TRIANGLES])
{
    bounds16 b;
    sides16 s = sides_of_sixteen(load_sixteen(x0, l, &b, false), l);
    cells_at_sixteen(&s, cells[0]);
    if (x1) {
        sides16 t = sides_of_sixteen(load_sixteen(x1, l, &b, true), l);
        cells_at_sixteen(&t, cells[1]);
        cells_between_sixteen(&s, &t, cells[2]);
    }
    put_boxes(&b, inflate, l->zone, boxes);
}

LANE_INLINE int32_t fit_sixteens(const double *x0, const double *x1, const normal_pair *pairs, int32_t n,
                                 const normal_table table, double inflate, box *boxes, uint64_t *masks, int32_t *left)
{
    const __m512d d = _mm512_set1_pd(inflate);
    cell_row row;
    int32_t n_left = 0;
    for (int32_t first = 0; first < n; first += NORMAL_PAIR_ROW) {
        int m = n - first < NORMAL_PAIR_ROW ? n - first : NORMAL_PAIR_ROW;
        for (int i = 0; i < m; i++) {
            fetch_pair(x0, x1, &pairs[first + i + NORMAL_PAIR_AHEAD < n ? first + i + NORMAL_PAIR_AHEAD : n - 1]);
            fit_pair(x0, x1, &pairs[first + i], d, boxes, row.cell[i]);
        }
        n_left = fill_masks(pairs, first, m, &row, x1 ? NORMAL_TIMES : 1, table, masks, left, n_left);
    }
    return n_left;
}

int32_t normal_pairs_fit_avx512(const vec3 *x0, const vec3 *x1, const normal_pair *pairs, int32_t n,
                                const normal_table table, double inflate, box *boxes, uint64_t *masks, int32_t *left)
{
    if (x1)
        return fit_sixteens(&x0->x, &x1->x, pairs, n, table, inflate, boxes, masks, left);
    return fit_sixteens(&x0->x, NULL, pairs, n, table, inflate, boxes, masks, left);
}

#endif
