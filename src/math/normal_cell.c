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

/* How far floats of places from one of them on may be off, by the bounds of all: their own rounding, that of the
 * difference, and that of another difference of two. */
static inline float place_error(vec3 lo, vec3 hi)
{
    double extent = max_of(max_of(hi.x - lo.x, hi.y - lo.y), hi.z - lo.z);
    double size = max_of(v3_max_abs(lo), v3_max_abs(hi));
    return (float)(1.0001 * (0x1p-23 * extent + 0x1p-52 * size));
}

/* With d the error of a place, sides are off by less than 4 d, and coordinates of their cross product by less than
 * 16 d (l + m + d), where l and m are the lengths |x| + |y| + |z| of the sides, which rounding of products is part
 * of: it is below 2⁻²² l m, and l below 6 extents. So normals longer than this are exact to NORMAL_ERROR. */
static inline float least_normal(float l, float m, float d)
{
    return ((float)(17 / NORMAL_ERROR) * d) * ((l + m) + d);
}

typedef struct float3 {
    float x, y, z;
} float3;

static inline float3 f3_sub(float3 a, float3 b)
{
    return (float3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline float f3_length(float3 a)
{
    return (fabsf(a.x) + fabsf(a.y)) + fabsf(a.z);
}

static int32_t listed_cell(float3 a, float3 b, float3 c, float error)
{
    float3 e = f3_sub(b, a), f = f3_sub(c, a);
    float3 n = {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
    float sum = f3_length(n);
    if (!(sum > least_normal(f3_length(e), f3_length(f), error)) || !(sum > 1e-30f))
        return -1;
    float scale = (NORMAL_CELLS / 2) / sum;
    int32_t i = (int32_t)(n.x * scale + NORMAL_CELLS / 2), j = (int32_t)(n.y * scale + NORMAL_CELLS / 2);
    i = i < NORMAL_CELLS ? i : NORMAL_CELLS - 1;
    j = j < NORMAL_CELLS ? j : NORMAL_CELLS - 1;
    return ((n.z < 0 ? NORMAL_CELLS : 0) + i) * NORMAL_CELLS + j;
}

bool normal_leaf_fit_listed_plain(const vec3 *x, const int32_t *nodes, int n_nodes, const uint8_t *corners, int n,
                                  const normal_table table, double inflate, normal_leaf *out)
{
    float3 at[NORMAL_NODES];
    vec3 origin = x[nodes[0]], lo = origin, hi = origin, d = v3(inflate, inflate, inflate);
    for (int i = 0; i < n_nodes; i++) {
        vec3 p = x[nodes[i]], q = v3_sub(p, origin);
        extend(&lo, &hi, p);
        at[i] = (float3){(float)q.x, (float)q.y, (float)q.z};
    }
    float error = place_error(lo, hi);
    out->mask = ~UINT64_C(0);
    out->n_unknown = 0;
    for (int i = 0; i < n; i++) {
        int32_t cell = listed_cell(at[corners[i]], at[corners[n + i]], at[corners[2 * n + i]], error);
        if (cell < 0)
            return false;
        out->mask &= table[cell];
    }
    out->bounds = box_of(v3_sub(lo, d), v3_add(hi, d));
    return true;
}

#if WITH_AVX2

#define AVX2 __attribute__((target("avx2")))
#define INLINE AVX2 static inline __attribute__((always_inline))

/* Four vectors. */
typedef struct four {
    __m256d x, y, z;
} four;

INLINE four load_four(const vec3 *x, const int32_t v[4])
{
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    __m256d a = _mm256_maskload_pd(&x[v[0]].x, three), b = _mm256_maskload_pd(&x[v[1]].x, three);
    __m256d c = _mm256_maskload_pd(&x[v[2]].x, three), d = _mm256_maskload_pd(&x[v[3]].x, three);
    __m256d ab_xz = _mm256_unpacklo_pd(a, b), ab_y = _mm256_unpackhi_pd(a, b);
    __m256d cd_xz = _mm256_unpacklo_pd(c, d), cd_y = _mm256_unpackhi_pd(c, d);
    return (four){_mm256_permute2f128_pd(ab_xz, cd_xz, 0x20), _mm256_permute2f128_pd(ab_y, cd_y, 0x20),
                  _mm256_permute2f128_pd(ab_xz, cd_xz, 0x31)};
}

INLINE four sub_four(four a, four b)
{
    return (four){_mm256_sub_pd(a.x, b.x), _mm256_sub_pd(a.y, b.y), _mm256_sub_pd(a.z, b.z)};
}

INLINE __m256d abs_four(__m256d a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

INLINE __m256d length_1_four(four a)
{
    return _mm256_add_pd(_mm256_add_pd(abs_four(a.x), abs_four(a.y)), abs_four(a.z));
}

INLINE four cross_four(four a, four b)
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
INLINE __m128i cells_of_four(four n, __m256d size)
{
    const __m256d half = _mm256_set1_pd(NORMAL_CELLS / 2);
    const __m128i last = _mm_set1_epi32(NORMAL_CELLS - 1);
    __m256d sum = length_1_four(n), scale = _mm256_div_pd(half, sum);
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

INLINE void extend_four(four *lo, four *hi, four p)
{
    *lo = (four){_mm256_min_pd(p.x, lo->x), _mm256_min_pd(p.y, lo->y), _mm256_min_pd(p.z, lo->z)};
    *hi = (four){_mm256_max_pd(p.x, hi->x), _mm256_max_pd(p.y, hi->y), _mm256_max_pd(p.z, hi->z)};
}

/* Corners of four triangles. */
typedef struct four_triangles {
    four a, b, c;
} four_triangles;

INLINE four_triangles load_corners(const vec3 *x, const int32_t v[12], four *lo, four *hi)
{
    const int32_t a[4] = {v[0], v[3], v[6], v[9]}, b[4] = {v[1], v[4], v[7], v[10]}, c[4] = {v[2], v[5], v[8], v[11]};
    four_triangles t = {load_four(x, a), load_four(x, b), load_four(x, c)};
    extend_four(lo, hi, t.a);
    extend_four(lo, hi, t.b);
    extend_four(lo, hi, t.c);
    return t;
}

/* What the table has for the normals of four triangles; *cells: those at x0. */
INLINE uint64_t mask_of_four(const vec3 *x0, const vec3 *x1, const int32_t v[12], const normal_table table, four *lo,
                             four *hi, __m128i *cells)
{
    four_triangles t = load_corners(x0, v, lo, hi);
    four e1 = sub_four(t.b, t.a), e2 = sub_four(t.c, t.a);
    __m256d e = length_1_four(e1), e_ = length_1_four(e2);
    *cells = cells_of_four(cross_four(e1, e2), _mm256_mul_pd(e, e_));
    uint64_t mask = look_up(table, *cells);
    if (!x1)
        return mask;
    four_triangles u = load_corners(x1, v, lo, hi);
    four f1 = sub_four(u.b, u.a), f2 = sub_four(u.c, u.a);
    __m256d f = length_1_four(f1), f_ = length_1_four(f2);
    four p = cross_four(e1, f2), q = cross_four(f1, e2);
    four mixed = {_mm256_add_pd(p.x, q.x), _mm256_add_pd(p.y, q.y), _mm256_add_pd(p.z, q.z)};
    mask &= look_up(table, cells_of_four(cross_four(f1, f2), _mm256_mul_pd(f, f_)));
    return mask & look_up(table, cells_of_four(mixed, _mm256_add_pd(_mm256_mul_pd(e, f_), _mm256_mul_pd(f, e_))));
}

/* From x, y and z of four to the least x, y and z of all; the fourth is any. */
INLINE __m256d least_of_four(four a)
{
    __m256d xy = _mm256_min_pd(_mm256_unpacklo_pd(a.x, a.y), _mm256_unpackhi_pd(a.x, a.y));
    __m256d z = _mm256_min_pd(a.z, _mm256_permute_pd(a.z, 5));
    return _mm256_min_pd(_mm256_permute2f128_pd(xy, z, 0x20), _mm256_permute2f128_pd(xy, z, 0x31));
}

INLINE four minus_four(four a)
{
    const __m256d sign = _mm256_set1_pd(-0.0);
    return (four){_mm256_xor_pd(a.x, sign), _mm256_xor_pd(a.y, sign), _mm256_xor_pd(a.z, sign)};
}

/* box_below, step by step, of x, y and z, with the fourth that a box has. */
INLINE __m128 below_four(__m256d a, float fourth)
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
    four lo = {far, far, far}, hi = minus_four(lo);
    out->mask = ~UINT64_C(0);
    out->n_unknown = 0;
    for (int i = 0; i < n; i += 4) {
        int32_t last[12];
        const int32_t *v = nodes + 3 * i;
        __m128i cells;
        for (int k = 0; n - i < 4 && k < 12; k++)
            last[k] = v[k < 3 * (n - i) ? k : k % 3];
        out->mask &= mask_of_four(x0, x1, n - i < 4 ? last : v, table, &lo, &hi, &cells);
        out->n_unknown += n_none(cells, n - i);
    }
    __m256d d = _mm256_set1_pd(inflate);
    _mm_storeu_ps(out->bounds.lo, below_four(_mm256_sub_pd(least_of_four(lo), d), 0));
    _mm_storeu_ps(out->bounds.top, below_four(_mm256_sub_pd(least_of_four(minus_four(hi)), d), -BOX_FAR));
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

/* ---- leaves with a list of nodes, eight triangles at a time ---- */

typedef struct eight {
    __m256 x, y, z;
} eight;

/* Four floats for each of eight places, of which three count, to eights. */
INLINE eight turn_eight(float (*p)[4])
{
    __m256 a[4];
    for (int k = 0; k < 4; k++)
        a[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p[k])), _mm_loadu_ps(p[k + 4]), 1);
    __m256 xy = _mm256_unpacklo_ps(a[0], a[1]), more_xy = _mm256_unpacklo_ps(a[2], a[3]);
    __m256 z = _mm256_unpackhi_ps(a[0], a[1]), more_z = _mm256_unpackhi_ps(a[2], a[3]);
    return (eight){_mm256_shuffle_ps(xy, more_xy, 0x44), _mm256_shuffle_ps(xy, more_xy, 0xee),
                   _mm256_shuffle_ps(z, more_z, 0x44)};
}

INLINE __m256 pick_one(__m256 a, __m256 b, __m256i at, bool two)
{
    __m256 from_a = _mm256_permutevar8x32_ps(a, at);
    if (!two)
        return from_a;
    __m256 in_b = _mm256_castsi256_ps(_mm256_slli_epi32(at, 28));
    return _mm256_blendv_ps(from_a, _mm256_permutevar8x32_ps(b, at), in_b);
}

/* Eight places out of eight, or out of two eights. */
INLINE eight pick(const eight *p, const uint8_t *corners, bool two)
{
    __m256i at = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)corners));
    return (eight){pick_one(p[0].x, p[1].x, at, two), pick_one(p[0].y, p[1].y, at, two),
                   pick_one(p[0].z, p[1].z, at, two)};
}

INLINE eight sub_eight(eight a, eight b)
{
    return (eight){_mm256_sub_ps(a.x, b.x), _mm256_sub_ps(a.y, b.y), _mm256_sub_ps(a.z, b.z)};
}

INLINE __m256 length_of_eight(eight a)
{
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return _mm256_add_ps(_mm256_add_ps(_mm256_andnot_ps(sign, a.x), _mm256_andnot_ps(sign, a.y)),
                         _mm256_andnot_ps(sign, a.z));
}

INLINE eight cross_eight(eight a, eight b)
{
    return (eight){_mm256_sub_ps(_mm256_mul_ps(a.y, b.z), _mm256_mul_ps(a.z, b.y)),
                   _mm256_sub_ps(_mm256_mul_ps(a.z, b.x), _mm256_mul_ps(a.x, b.z)),
                   _mm256_sub_ps(_mm256_mul_ps(a.x, b.y), _mm256_mul_ps(a.y, b.x))};
}

/* listed_cell, step by step; false: one of the first n is not exact enough. */
INLINE bool cells_of_eight(eight e, eight f, float error, int n, int32_t cells[8])
{
    const __m256 half = _mm256_set1_ps(NORMAL_CELLS / 2), d = _mm256_set1_ps(error);
    const __m256i last = _mm256_set1_epi32(NORMAL_CELLS - 1), count = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    eight v = cross_eight(e, f);
    __m256 sum = length_of_eight(v);
    __m256 least = _mm256_mul_ps(_mm256_set1_ps((float)(17 / NORMAL_ERROR) * error),
                                 _mm256_add_ps(_mm256_add_ps(length_of_eight(e), length_of_eight(f)), d));
    least = _mm256_max_ps(_mm256_set1_ps(1e-30f), least);
    __m256i used = _mm256_cmpgt_epi32(_mm256_set1_epi32(n), count);
    __m256 known = _mm256_cmp_ps(sum, least, _CMP_GT_OQ);
    __m256 scale = _mm256_div_ps(half, sum);
    __m256i i = _mm256_cvttps_epi32(_mm256_add_ps(_mm256_mul_ps(v.x, scale), half));
    __m256i j = _mm256_cvttps_epi32(_mm256_add_ps(_mm256_mul_ps(v.y, scale), half));
    __m256i below = _mm256_castps_si256(_mm256_cmp_ps(v.z, _mm256_setzero_ps(), _CMP_LT_OQ));
    __m256i at = _mm256_add_epi32(_mm256_slli_epi32(_mm256_min_epi32(i, last), 6), _mm256_min_epi32(j, last));
    at = _mm256_add_epi32(at, _mm256_and_si256(below, _mm256_set1_epi32(NORMAL_CELLS * NORMAL_CELLS)));
    _mm256_storeu_si256((__m256i *)cells, _mm256_blendv_epi8(_mm256_set1_epi32(NORMAL_ANY), at, used));
    return _mm256_movemask_ps(_mm256_andnot_ps(known, _mm256_castsi256_ps(used))) == 0;
}

INLINE double greatest_of(__m256d a)
{
    __m128d two = _mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

INLINE bool fit_listed(const vec3 *x, const int32_t *nodes, int n_nodes, const uint8_t *corners, int n,
                       const normal_table table, double inflate, normal_leaf *out, bool two)
{
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    const __m256d sign = _mm256_set1_pd(-0.0), d = _mm256_set1_pd(inflate);
    const __m256d origin = _mm256_maskload_pd(&x[nodes[0]].x, three);
    __m256d lo = origin, hi = origin;
    float at[NORMAL_NODES][4];
    for (int i = 0; i < n_nodes; i++) {
        __m256d p = _mm256_maskload_pd(&x[nodes[i]].x, three);
        lo = _mm256_min_pd(p, lo);
        hi = _mm256_max_pd(p, hi);
        _mm_storeu_ps(at[i], _mm256_cvtpd_ps(_mm256_sub_pd(p, origin)));
    }
    double extent = greatest_of(_mm256_sub_pd(hi, lo));
    double size = greatest_of(_mm256_max_pd(_mm256_andnot_pd(sign, lo), _mm256_andnot_pd(sign, hi)));
    float error = (float)(1.0001 * (0x1p-23 * extent + 0x1p-52 * size));
    eight p[2];
    p[0] = turn_eight(at);
    p[1] = two ? turn_eight(at + 8) : p[0];
    eight a = pick(p, corners, two);
    eight e = sub_eight(pick(p, corners + n, two), a), f = sub_eight(pick(p, corners + 2 * n, two), a);
    int32_t c[8];
    if (!cells_of_eight(e, f, error, n, c))
        return false;
    out->mask = (table[c[0]] & table[c[1]] & table[c[2]] & table[c[3]]) &
                (table[c[4]] & table[c[5]] & table[c[6]] & table[c[7]]);
    out->n_unknown = 0;
    _mm_storeu_ps(out->bounds.lo, below_four(_mm256_sub_pd(lo, d), 0));
    _mm_storeu_ps(out->bounds.top, below_four(_mm256_sub_pd(_mm256_xor_pd(hi, sign), d), -BOX_FAR));
    return true;
}

AVX2 static bool listed_avx2(const vec3 *x, const int32_t *nodes, int n_nodes, const uint8_t *corners, int n,
                             const normal_table table, double inflate, normal_leaf *out)
{
    if (n_nodes <= 8)
        return fit_listed(x, nodes, n_nodes, corners, n, table, inflate, out, false);
    return fit_listed(x, nodes, n_nodes, corners, n, table, inflate, out, true);
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

bool normal_leaf_fit_listed(const vec3 *x, const int32_t *nodes, int n_nodes, const uint8_t *corners, int n,
                            const normal_table table, double inflate, normal_leaf *out)
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2"))
        return listed_avx2(x, nodes, n_nodes, corners, n, table, inflate, out);
#endif
    return normal_leaf_fit_listed_plain(x, nodes, n_nodes, corners, n, table, inflate, out);
}
