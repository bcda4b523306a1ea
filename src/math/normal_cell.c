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

void normal_cells_plain(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, int32_t cells[3][NORMAL_TRIANGLES])
{
    for (int i = 0; i < n; i++) {
        const int32_t *v = nodes + 3 * i;
        vec3 e1 = v3_sub(x0[v[1]], x0[v[0]]), e2 = v3_sub(x0[v[2]], x0[v[0]]);
        double e = length_1(e1), e_ = length_1(e2);
        cells[0][i] = normal_cell(v3_cross(e1, e2), e * e_);
        if (!x1)
            continue;
        vec3 f1 = v3_sub(x1[v[1]], x1[v[0]]), f2 = v3_sub(x1[v[2]], x1[v[0]]);
        double f = length_1(f1), f_ = length_1(f2);
        cells[1][i] = normal_cell(v3_cross(f1, f2), f * f_);
        cells[2][i] = normal_cell(v3_add(v3_cross(e1, f2), v3_cross(f1, e2)), e * f_ + f * e_);
    }
}

#if WITH_AVX2

#define AVX2 __attribute__((target("avx2")))

/* Four vectors. */
typedef struct four {
    __m256d x, y, z;
} four;

AVX2 static inline four load_four(const vec3 *x, const int32_t v[4])
{
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    __m256d a = _mm256_maskload_pd(&x[v[0]].x, three), b = _mm256_maskload_pd(&x[v[1]].x, three);
    __m256d c = _mm256_maskload_pd(&x[v[2]].x, three), d = _mm256_maskload_pd(&x[v[3]].x, three);
    __m256d ab_xz = _mm256_unpacklo_pd(a, b), ab_y = _mm256_unpackhi_pd(a, b);
    __m256d cd_xz = _mm256_unpacklo_pd(c, d), cd_y = _mm256_unpackhi_pd(c, d);
    return (four){_mm256_permute2f128_pd(ab_xz, cd_xz, 0x20), _mm256_permute2f128_pd(ab_y, cd_y, 0x20),
                  _mm256_permute2f128_pd(ab_xz, cd_xz, 0x31)};
}

AVX2 static inline four sub_four(four a, four b)
{
    return (four){_mm256_sub_pd(a.x, b.x), _mm256_sub_pd(a.y, b.y), _mm256_sub_pd(a.z, b.z)};
}

AVX2 static inline __m256d abs_four(__m256d a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

AVX2 static inline __m256d length_1_four(four a)
{
    return _mm256_add_pd(_mm256_add_pd(abs_four(a.x), abs_four(a.y)), abs_four(a.z));
}

AVX2 static inline four cross_four(four a, four b)
{
    return (four){_mm256_sub_pd(_mm256_mul_pd(a.y, b.z), _mm256_mul_pd(a.z, b.y)),
                  _mm256_sub_pd(_mm256_mul_pd(a.z, b.x), _mm256_mul_pd(a.x, b.z)),
                  _mm256_sub_pd(_mm256_mul_pd(a.x, b.y), _mm256_mul_pd(a.y, b.x))};
}

/* The same as normal_cell, step by step. */
AVX2 static inline void cells_of_four(four n, __m256d size, int32_t out[4])
{
    const __m256d half = _mm256_set1_pd(NORMAL_CELLS / 2);
    const __m128i last = _mm_set1_epi32(NORMAL_CELLS - 1);
    __m256d sum = length_1_four(n), scale = _mm256_div_pd(half, sum);
    __m256d known = _mm256_and_pd(_mm256_cmp_pd(sum, _mm256_mul_pd(_mm256_set1_pd(0x1p-28), size), _CMP_GT_OQ),
                                  _mm256_cmp_pd(sum, _mm256_set1_pd(1e-290), _CMP_GT_OQ));
    __m128i i = _mm256_cvttpd_epi32(_mm256_add_pd(_mm256_mul_pd(n.x, scale), half));
    __m128i j = _mm256_cvttpd_epi32(_mm256_add_pd(_mm256_mul_pd(n.y, scale), half));
    int below = _mm256_movemask_pd(_mm256_cmp_pd(n.z, _mm256_setzero_pd(), _CMP_LT_OQ));
    int told = _mm256_movemask_pd(known);
    int32_t at[4];
    i = _mm_min_epi32(i, last);
    j = _mm_min_epi32(j, last);
    _mm_storeu_si128((__m128i *)at, _mm_add_epi32(_mm_slli_epi32(i, 6), j));
    for (int k = 0; k < 4; k++)
        out[k] = told >> k & 1 ? at[k] + (below >> k & 1) * NORMAL_CELLS * NORMAL_CELLS : -1;
}

AVX2 static void cells_avx2(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n,
                            int32_t cells[3][NORMAL_TRIANGLES])
{
    for (int i = 0; i < n; i += 4) {
        int32_t v[3][4];
        for (int k = 0; k < 4; k++) {
            const int32_t *w = nodes + 3 * (i + k < n ? i + k : n - 1);
            v[0][k] = w[0];
            v[1][k] = w[1];
            v[2][k] = w[2];
        }
        four a = load_four(x0, v[0]), e1 = sub_four(load_four(x0, v[1]), a), e2 = sub_four(load_four(x0, v[2]), a);
        __m256d e = length_1_four(e1), e_ = length_1_four(e2);
        cells_of_four(cross_four(e1, e2), _mm256_mul_pd(e, e_), &cells[0][i]);
        if (!x1)
            continue;
        four b = load_four(x1, v[0]), f1 = sub_four(load_four(x1, v[1]), b), f2 = sub_four(load_four(x1, v[2]), b);
        __m256d f = length_1_four(f1), f_ = length_1_four(f2);
        four p = cross_four(e1, f2), q = cross_four(f1, e2);
        four mixed = {_mm256_add_pd(p.x, q.x), _mm256_add_pd(p.y, q.y), _mm256_add_pd(p.z, q.z)};
        cells_of_four(cross_four(f1, f2), _mm256_mul_pd(f, f_), &cells[1][i]);
        cells_of_four(mixed, _mm256_add_pd(_mm256_mul_pd(e, f_), _mm256_mul_pd(f, e_)), &cells[2][i]);
    }
}

#endif

void normal_cells(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, int32_t cells[3][NORMAL_TRIANGLES])
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2")) {
        cells_avx2(x0, x1, nodes, n, cells);
        return;
    }
#endif
    normal_cells_plain(x0, x1, nodes, n, cells);
}
