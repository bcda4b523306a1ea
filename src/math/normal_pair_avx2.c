/* SPDX-License-Identifier: MIT */
/* Pairs of leaves by AVX2: one leaf, eight triangles at a time. normal_pair.c, step by step. */
#include "math/normal_pair_inside.h"

#if PAIRS_WITH_AVX

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE2 AVX2 static inline __attribute__((always_inline))

typedef struct eight {
    __m256 x, y, z;
} eight;

typedef struct sides8 {
    eight e, f;
    __m256 a, l, m;
} sides8;

/* Four floats for each of eight places, of which three count, to eights. */
INLINE2 eight turn_simd8(float (*p)[4])
{
    __m256 a[4];
    for (int k = 0; k < 4; k++)
        a[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p[k])), _mm_loadu_ps(p[k + 4]), 1);
    __m256 xy = _mm256_unpacklo_ps(a[0], a[1]), more_xy = _mm256_unpacklo_ps(a[2], a[3]);
    __m256 z = _mm256_unpackhi_ps(a[0], a[1]), more_z = _mm256_unpackhi_ps(a[2], a[3]);
    return (eight){_mm256_shuffle_ps(xy, more_xy, 0x44), _mm256_shuffle_ps(xy, more_xy, 0xee),
                   _mm256_shuffle_ps(z, more_z, 0x44)};
}

INLINE2 eight load_simd8(const double *x, const int32_t *place, __m256d *lo, __m256d *hi)
{
    float at[LANES][4];
    __m256d origin = _mm256_loadu_pd(x + place[0]);
    *lo = _mm256_min_pd(origin, *lo);
    *hi = _mm256_max_pd(origin, *hi);
    for (int i = 0; i < LANES; i++) {
        __m256d p = _mm256_loadu_pd(x + place[i + 1]);
        *lo = _mm256_min_pd(p, *lo);
        *hi = _mm256_max_pd(p, *hi);
        _mm_storeu_ps(at[i], _mm256_cvtpd_ps(_mm256_sub_pd(p, origin)));
    }
    return turn_simd8(at);
}

INLINE2 eight pick_simd8(eight p, const uint8_t *corners)
{
    __m256i at = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)corners));
    __m256 other = _mm256_castsi256_ps(_mm256_srai_epi32(_mm256_slli_epi32(at, 24), 31));
    return (eight){_mm256_and_ps(other, _mm256_permutevar8x32_ps(p.x, at)),
                   _mm256_and_ps(other, _mm256_permutevar8x32_ps(p.y, at)),
                   _mm256_and_ps(other, _mm256_permutevar8x32_ps(p.z, at))};
}

INLINE2 eight sub_simd8(eight a, eight b)
{
    return (eight){_mm256_sub_ps(a.x, b.x), _mm256_sub_ps(a.y, b.y), _mm256_sub_ps(a.z, b.z)};
}

INLINE2 eight add_simd8(eight a, eight b)
{
    return (eight){_mm256_add_ps(a.x, b.x), _mm256_add_ps(a.y, b.y), _mm256_add_ps(a.z, b.z)};
}

INLINE2 __m256 length_of_simd8(eight a)
{
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return _mm256_add_ps(_mm256_add_ps(_mm256_andnot_ps(sign, a.x), _mm256_andnot_ps(sign, a.y)),
                         _mm256_andnot_ps(sign, a.z));
}

INLINE2 eight cross_simd8(eight a, eight b)
{
    return (eight){_mm256_sub_ps(_mm256_mul_ps(a.y, b.z), _mm256_mul_ps(a.z, b.y)),
                   _mm256_sub_ps(_mm256_mul_ps(a.z, b.x), _mm256_mul_ps(a.x, b.z)),
                   _mm256_sub_ps(_mm256_mul_ps(a.x, b.y), _mm256_mul_ps(a.y, b.x))};
}

INLINE2 sides8 sides_of_simd8(eight p, const normal_pair *l, int half)
{
    eight a = pick_simd8(p, l->corner[0] + half * LANES);
    eight e = sub_simd8(pick_simd8(p, l->corner[1] + half * LANES), a);
    eight f = sub_simd8(pick_simd8(p, l->corner[2] + half * LANES), a);
    return (sides8){e, f, _mm256_add_ps(length_of_simd8(a), _mm256_set1_ps(FAINT)), length_of_simd8(e),
                    length_of_simd8(f)};
}

/* cell_of, step by step. */
INLINE2 void put_cells_of_simd8(eight v, __m256 scale, uint32_t *out)
{
    const __m256 half = _mm256_set1_ps(NORMAL_HALF);
    const __m256i last = _mm256_set1_epi32(NORMAL_CELLS - 1);
    __m256 sum = length_of_simd8(v), to_cells = _mm256_div_ps(half, sum);
    __m256 least = _mm256_add_ps(_mm256_mul_ps(scale, _mm256_set1_ps(LEAST)), _mm256_set1_ps(1e-30f));
    __m256 known = _mm256_cmp_ps(sum, least, _CMP_GT_OQ);
    __m256i i = _mm256_cvttps_epi32(_mm256_add_ps(_mm256_mul_ps(v.x, to_cells), half));
    __m256i j = _mm256_cvttps_epi32(_mm256_add_ps(_mm256_mul_ps(v.y, to_cells), half));
    __m256i below = _mm256_castps_si256(_mm256_cmp_ps(v.z, _mm256_setzero_ps(), _CMP_LT_OQ));
    __m256i at = _mm256_add_epi32(_mm256_slli_epi32(_mm256_min_epi32(i, last), 6), _mm256_min_epi32(j, last));
    at = _mm256_add_epi32(at, _mm256_and_si256(below, _mm256_set1_epi32(NORMAL_CELLS * NORMAL_CELLS)));
    at = _mm256_blendv_epi8(_mm256_set1_epi32(NORMAL_NONE), at, _mm256_castps_si256(known));
    _mm256_storeu_si256((__m256i *)out, at);
}

INLINE2 void cells_at_simd8(const sides8 *s, uint32_t *out)
{
    const __m256 four = _mm256_set1_ps(4);
    __m256 scale =
        _mm256_add_ps(_mm256_mul_ps(s->a, _mm256_add_ps(s->l, s->m)), _mm256_mul_ps(_mm256_mul_ps(four, s->l), s->m));
    put_cells_of_simd8(cross_simd8(s->e, s->f), scale, out);
}

INLINE2 void cells_between_simd8(const sides8 *s, const sides8 *t, uint32_t *out)
{
    const __m256 four = _mm256_set1_ps(4);
    __m256 ends =
        _mm256_mul_ps(_mm256_add_ps(s->a, t->a), _mm256_add_ps(_mm256_add_ps(s->l, s->m), _mm256_add_ps(t->l, t->m)));
    __m256 both =
        _mm256_add_ps(_mm256_mul_ps(_mm256_mul_ps(four, s->l), t->m), _mm256_mul_ps(_mm256_mul_ps(four, t->l), s->m));
    put_cells_of_simd8(add_simd8(cross_simd8(s->e, t->f), cross_simd8(t->e, s->f)), _mm256_add_ps(ends, both), out);
}

/* box_below, step by step, of x, y and z, with the fourth that a box has. */
INLINE2 __m128 below_simd4(__m256d a, float fourth)
{
    __m128 f = _mm256_cvtpd_ps(a), size = _mm_andnot_ps(_mm_set1_ps(-0.0f), f);
    f = _mm_sub_ps(f, _mm_mul_ps(size, _mm_set1_ps(0x1p-22f)));
    return _mm_blend_ps(_mm_sub_ps(f, _mm_set1_ps(1e-37f)), _mm_set1_ps(fourth), 8);
}

INLINE2 void fit_leaf_simd8(const double *x0, const double *x1, const normal_pair *l, int half, double inflate,
                            box *boxes, uint32_t (*cells)[2 * LANES])
{
    const __m256d d = _mm256_set1_pd(inflate), sign = _mm256_set1_pd(-0.0);
    __m256d lo = _mm256_set1_pd(1e300), hi = _mm256_set1_pd(-1e300);
    eight p = load_simd8(x0, l->place[half], &lo, &hi);
    sides8 s = sides_of_simd8(p, l, half);
    cells_at_simd8(&s, cells[0] + half * LANES);
    if (x1) {
        sides8 t = sides_of_simd8(load_simd8(x1, l->place[half], &lo, &hi), l, half);
        cells_at_simd8(&t, cells[1] + half * LANES);
        cells_between_simd8(&s, &t, cells[2] + half * LANES);
    }
    box *b = &boxes[l->zone[half]];
    _mm_storeu_ps(b->lo, below_simd4(_mm256_sub_pd(lo, d), 0));
    _mm_storeu_ps(b->top, below_simd4(_mm256_sub_pd(_mm256_xor_pd(hi, sign), d), -BOX_FAR));
}

INLINE2 int32_t fit_eights(const double *x0, const double *x1, const normal_pair *pairs, int32_t n,
                           const normal_table table, double inflate, box *boxes, uint64_t *masks, int32_t *left)
{
    cell_row row;
    int32_t n_left = 0;
    for (int32_t first = 0; first < n; first += ROW) {
        int m = n - first < ROW ? n - first : ROW;
        for (int i = 0; i < m; i++) {
            fetch_pair(x0, x1, &pairs[first + i + AHEAD < n ? first + i + AHEAD : n - 1]);
            for (int half = 0; half < 2; half++)
                fit_leaf_simd8(x0, x1, &pairs[first + i], half, inflate, boxes, row.cell[i]);
        }
        n_left = fill_masks(pairs, first, m, &row, x1 ? TIMES : 1, table, masks, left, n_left);
    }
    return n_left;
}

/* Two versions, so that what does not move is not asked whether it does. */
AVX2 int32_t normal_pairs_fit_avx2(const vec3 *x0, const vec3 *x1, const normal_pair *pairs, int32_t n,
                                   const normal_table table, double inflate, box *boxes, uint64_t *masks, int32_t *left)
{
    if (x1)
        return fit_eights(&x0->x, &x1->x, pairs, n, table, inflate, boxes, masks, left);
    return fit_eights(&x0->x, NULL, pairs, n, table, inflate, boxes, masks, left);
}

#else

typedef int normal_pair_avx2; /* a file has to have something */

#endif
