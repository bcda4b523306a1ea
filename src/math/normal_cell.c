/* SPDX-License-Identifier: MIT */
#include "math/normal_cell.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define WITH_AVX2 1
#include <immintrin.h>
#else
#define WITH_AVX2 0
#endif

static double length_1(vec3 a)
{
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

static inline void add_cell(normal_leaf *out, const normal_table table, int32_t cell)
{
    out->mask &= cell < 0 ? 0 : table[cell];
}

static inline void extend(vec3 *lo, vec3 *hi, vec3 x)
{
    *lo = v3(min_of(x.x, lo->x), min_of(x.y, lo->y), min_of(x.z, lo->z));
    *hi = v3(max_of(x.x, hi->x), max_of(x.y, hi->y), max_of(x.z, hi->z));
}

void normal_leaf_fit_plain(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, const normal_table table,
                           double inflate, normal_leaf *out)
{
    vec3 lo = x0[nodes[0]], hi = lo, d = v3(inflate, inflate, inflate);
    out->mask = ~UINT64_C(0);
    out->n_unknown = 0;
    for (int i = 0; i < n; i++) {
        const int32_t *v = nodes + 3 * i;
        vec3 e1 = v3_sub(x0[v[1]], x0[v[0]]), e2 = v3_sub(x0[v[2]], x0[v[0]]);
        double e = length_1(e1), e_ = length_1(e2);
        int32_t cell = normal_cell(v3_cross(e1, e2), e * e_);
        out->n_unknown += cell < 0;
        add_cell(out, table, cell);
        for (int k = 0; k < 3; k++) {
            extend(&lo, &hi, x0[v[k]]);
            if (x1)
                extend(&lo, &hi, x1[v[k]]);
        }
        if (!x1)
            continue;
        vec3 f1 = v3_sub(x1[v[1]], x1[v[0]]), f2 = v3_sub(x1[v[2]], x1[v[0]]);
        double f = length_1(f1), f_ = length_1(f2);
        add_cell(out, table, normal_cell(v3_cross(f1, f2), f * f_));
        add_cell(out, table, normal_cell(v3_add(v3_cross(e1, f2), v3_cross(f1, e2)), e * f_ + f * e_));
    }
    out->bounds = box_of(v3_sub(lo, d), v3_add(hi, d));
}

#if WITH_AVX2

#define AVX2 __attribute__((target("avx2")))
#define INLINE AVX2 static inline __attribute__((always_inline))

/* Four vectors. */
typedef struct four {
    __m256d x, y, z;
} four;

INLINE four load_simd4(const vec3 *x, const int32_t v[4])
{
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    __m256d a = _mm256_maskload_pd(&x[v[0]].x, three), b = _mm256_maskload_pd(&x[v[1]].x, three);
    __m256d c = _mm256_maskload_pd(&x[v[2]].x, three), d = _mm256_maskload_pd(&x[v[3]].x, three);
    __m256d ab_xz = _mm256_unpacklo_pd(a, b), ab_y = _mm256_unpackhi_pd(a, b);
    __m256d cd_xz = _mm256_unpacklo_pd(c, d), cd_y = _mm256_unpackhi_pd(c, d);
    return (four){_mm256_permute2f128_pd(ab_xz, cd_xz, 0x20), _mm256_permute2f128_pd(ab_y, cd_y, 0x20),
                  _mm256_permute2f128_pd(ab_xz, cd_xz, 0x31)};
}

INLINE four sub_simd4(four a, four b)
{
    return (four){_mm256_sub_pd(a.x, b.x), _mm256_sub_pd(a.y, b.y), _mm256_sub_pd(a.z, b.z)};
}

INLINE __m256d abs_simd4(__m256d a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

INLINE __m256d length_1_simd4(four a)
{
    return _mm256_add_pd(_mm256_add_pd(abs_simd4(a.x), abs_simd4(a.y)), abs_simd4(a.z));
}

INLINE four cross_simd4(four a, four b)
{
    return (four){_mm256_sub_pd(_mm256_mul_pd(a.y, b.z), _mm256_mul_pd(a.z, b.y)),
                  _mm256_sub_pd(_mm256_mul_pd(a.z, b.x), _mm256_mul_pd(a.x, b.z)),
                  _mm256_sub_pd(_mm256_mul_pd(a.x, b.y), _mm256_mul_pd(a.y, b.x))};
}

/* The lower halves of four numbers, as they come from comparisons. */
INLINE __m128i narrow(__m256d a)
{
    __m128 lo = _mm_castpd_ps(_mm256_castpd256_pd128(a)), hi = _mm_castpd_ps(_mm256_extractf128_pd(a, 1));
    return _mm_castps_si128(_mm_shuffle_ps(lo, hi, 0x88));
}

/* The same as normal_cell, step by step; NORMAL_NONE: it is too small to tell. */
INLINE __m128i cells_of_simd4(four n, __m256d size)
{
    const __m256d half = _mm256_set1_pd(NORMAL_HALF);
    const __m128i last = _mm_set1_epi32(NORMAL_CELLS - 1);
    __m256d sum = length_1_simd4(n), scale = _mm256_div_pd(half, sum);
    __m256d known = _mm256_and_pd(_mm256_cmp_pd(sum, _mm256_mul_pd(_mm256_set1_pd(0x1p-28), size), _CMP_GT_OQ),
                                  _mm256_cmp_pd(sum, _mm256_set1_pd(1e-290), _CMP_GT_OQ));
    __m128i i = _mm256_cvttpd_epi32(_mm256_add_pd(_mm256_mul_pd(n.x, scale), half));
    __m128i j = _mm256_cvttpd_epi32(_mm256_add_pd(_mm256_mul_pd(n.y, scale), half));
    __m128i below = narrow(_mm256_cmp_pd(n.z, _mm256_setzero_pd(), _CMP_LT_OQ));
    __m128i at = _mm_add_epi32(_mm_slli_epi32(_mm_min_epi32(i, last), 6), _mm_min_epi32(j, last));
    at = _mm_add_epi32(at, _mm_and_si128(below, _mm_set1_epi32(NORMAL_CELLS * NORMAL_CELLS)));
    return _mm_blendv_epi8(_mm_set1_epi32(NORMAL_NONE), at, narrow(known));
}

INLINE uint64_t look_up(const normal_table table, __m128i cells)
{
    int32_t at[4];
    _mm_storeu_si128((__m128i *)at, cells);
    return (table[at[0]] & table[at[1]]) & (table[at[2]] & table[at[3]]);
}

INLINE void extend_simd4(four *lo, four *hi, four p)
{
    *lo = (four){_mm256_min_pd(p.x, lo->x), _mm256_min_pd(p.y, lo->y), _mm256_min_pd(p.z, lo->z)};
    *hi = (four){_mm256_max_pd(p.x, hi->x), _mm256_max_pd(p.y, hi->y), _mm256_max_pd(p.z, hi->z)};
}

/* Corners of four triangles. */
typedef struct simd4_triangles {
    four a, b, c;
} simd4_triangles;

INLINE simd4_triangles load_corners(const vec3 *x, const int32_t v[12], four *lo, four *hi)
{
    const int32_t a[4] = {v[0], v[3], v[6], v[9]}, b[4] = {v[1], v[4], v[7], v[10]}, c[4] = {v[2], v[5], v[8], v[11]};
    simd4_triangles t = {load_simd4(x, a), load_simd4(x, b), load_simd4(x, c)};
    extend_simd4(lo, hi, t.a);
    extend_simd4(lo, hi, t.b);
    extend_simd4(lo, hi, t.c);
    return t;
}

/* What the table has for the normals of four triangles; *cells: those at x0. */
INLINE uint64_t mask_of_simd4(const vec3 *x0, const vec3 *x1, const int32_t v[12], const normal_table table, four *lo,
                              four *hi, __m128i *cells)
{
    simd4_triangles t = load_corners(x0, v, lo, hi);
    four e1 = sub_simd4(t.b, t.a), e2 = sub_simd4(t.c, t.a);
    __m256d e = length_1_simd4(e1), e_ = length_1_simd4(e2);
    *cells = cells_of_simd4(cross_simd4(e1, e2), _mm256_mul_pd(e, e_));
    uint64_t mask = look_up(table, *cells);
    if (!x1)
        return mask;
    simd4_triangles u = load_corners(x1, v, lo, hi);
    four f1 = sub_simd4(u.b, u.a), f2 = sub_simd4(u.c, u.a);
    __m256d f = length_1_simd4(f1), f_ = length_1_simd4(f2);
    four p = cross_simd4(e1, f2), q = cross_simd4(f1, e2);
    four mixed = {_mm256_add_pd(p.x, q.x), _mm256_add_pd(p.y, q.y), _mm256_add_pd(p.z, q.z)};
    mask &= look_up(table, cells_of_simd4(cross_simd4(f1, f2), _mm256_mul_pd(f, f_)));
    return mask & look_up(table, cells_of_simd4(mixed, _mm256_add_pd(_mm256_mul_pd(e, f_), _mm256_mul_pd(f, e_))));
}

/* From x, y and z of four to the least x, y and z of all; the fourth is any. */
INLINE __m256d least_of_simd4(four a)
{
    __m256d xy = _mm256_min_pd(_mm256_unpacklo_pd(a.x, a.y), _mm256_unpackhi_pd(a.x, a.y));
    __m256d z = _mm256_min_pd(a.z, _mm256_permute_pd(a.z, 5));
    return _mm256_min_pd(_mm256_permute2f128_pd(xy, z, 0x20), _mm256_permute2f128_pd(xy, z, 0x31));
}

INLINE four minus_simd4(four a)
{
    const __m256d sign = _mm256_set1_pd(-0.0);
    return (four){_mm256_xor_pd(a.x, sign), _mm256_xor_pd(a.y, sign), _mm256_xor_pd(a.z, sign)};
}

/* box_below, step by step, of x, y and z, with the fourth that a box has. */
INLINE __m128 below_simd4(__m256d a, float fourth)
{
    __m128 f = _mm256_cvtpd_ps(a), size = _mm_andnot_ps(_mm_set1_ps(-0.0f), f);
    f = _mm_sub_ps(f, _mm_mul_ps(size, _mm_set1_ps(0x1p-22f)));
    return _mm_blend_ps(_mm_sub_ps(f, _mm_set1_ps(1e-37f)), _mm_set1_ps(fourth), 8);
}

INLINE int n_none(__m128i cells, int n)
{
    int none = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(cells, _mm_set1_epi32(NORMAL_NONE))));
    return box_n_bits((uint32_t)(n < 4 ? none & ((1 << n) - 1) : none));
}

INLINE void fit_fours(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, const normal_table table,
                      double inflate, normal_leaf *out)
{
    const __m256d far = _mm256_set1_pd(1e300);
    four lo = {far, far, far}, hi = minus_simd4(lo);
    out->mask = ~UINT64_C(0);
    out->n_unknown = 0;
    for (int i = 0; i < n; i += 4) {
        int32_t last[12];
        const int32_t *v = nodes + 3 * i;
        __m128i cells;
        for (int k = 0; n - i < 4 && k < 12; k++)
            last[k] = v[k < 3 * (n - i) ? k : k % 3];
        out->mask &= mask_of_simd4(x0, x1, n - i < 4 ? last : v, table, &lo, &hi, &cells);
        out->n_unknown += n_none(cells, n - i);
    }
    __m256d d = _mm256_set1_pd(inflate);
    _mm_storeu_ps(out->bounds.lo, below_simd4(_mm256_sub_pd(least_of_simd4(lo), d), 0));
    _mm_storeu_ps(out->bounds.top, below_simd4(_mm256_sub_pd(least_of_simd4(minus_simd4(hi)), d), -BOX_FAR));
}

/* Two versions, so that what does not move is not asked whether it does. */
AVX2 static void leaf_avx2(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, const normal_table table,
                           double inflate, normal_leaf *out)
{
    if (x1)
        fit_fours(x0, x1, nodes, n, table, inflate, out);
    else
        fit_fours(x0, NULL, nodes, n, table, inflate, out);
}

#endif

void normal_leaf_fit(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, const normal_table table,
                     double inflate, normal_leaf *out)
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2")) {
        leaf_avx2(x0, x1, nodes, n, table, inflate, out);
        return;
    }
#endif
    normal_leaf_fit_plain(x0, x1, nodes, n, table, inflate, out);
}
