/* SPDX-License-Identifier: MIT */
#include "math/node_box.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define WITH_AVX2 1
#include <immintrin.h>
#else
#define WITH_AVX2 0
#endif

static bool usable(vec3 x)
{
    return v3_max_abs(x) <= BOX_MOST && v3_is_finite(x);
}

bool node_boxes_plain(const vec3 *x0, const vec3 *x1, int32_t n, double inflate, box *out)
{
    vec3 d = v3(inflate, inflate, inflate);
    bool fine = true;
    for (int32_t i = 0; i < n; i++) {
        vec3 lo = x0[i], hi = lo, to = x1 ? x1[i] : lo;
        fine = fine && usable(lo) && usable(to);
        lo = v3(min_of(lo.x, to.x), min_of(lo.y, to.y), min_of(lo.z, to.z));
        hi = v3(max_of(hi.x, to.x), max_of(hi.y, to.y), max_of(hi.z, to.z));
        out[i] = box_of(v3_sub(lo, d), v3_add(hi, d));
    }
    return fine;
}

#if WITH_AVX2

#define AVX2 __attribute__((target("avx2")))
#define INLINE AVX2 static inline __attribute__((always_inline))

/* box_below, step by step, of x, y and z, with the fourth that a box has. */
INLINE __m128 below_simd4(__m256d a, float fourth)
{
    __m128 f = _mm256_cvtpd_ps(a), size = _mm_andnot_ps(_mm_set1_ps(-0.0f), f);
    f = _mm_sub_ps(f, _mm_mul_ps(size, _mm_set1_ps(0x1p-22f)));
    return _mm_blend_ps(_mm_sub_ps(f, _mm_set1_ps(1e-37f)), _mm_set1_ps(fourth), 8);
}

INLINE __m256d is_usable(__m256d x)
{
    return _mm256_cmp_pd(_mm256_andnot_pd(_mm256_set1_pd(-0.0), x), _mm256_set1_pd(BOX_MOST), _CMP_LE_OQ);
}

/* n places behind which there is another. */
INLINE bool boxes_of(const vec3 *x0, const vec3 *x1, int32_t n, double inflate, box *out)
{
    const __m256d sign = _mm256_set1_pd(-0.0), d = _mm256_set1_pd(inflate);
    __m256d fine = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
    for (int32_t i = 0; i < n; i++) {
        __m256d lo = _mm256_loadu_pd(&x0[i].x), hi = lo;
        fine = _mm256_and_pd(fine, is_usable(lo));
        if (x1) {
            __m256d to = _mm256_loadu_pd(&x1[i].x);
            fine = _mm256_and_pd(fine, is_usable(to));
            lo = _mm256_min_pd(lo, to);
            hi = _mm256_max_pd(hi, to);
        }
        _mm_storeu_ps(out[i].lo, below_simd4(_mm256_sub_pd(lo, d), 0));
        _mm_storeu_ps(out[i].top, below_simd4(_mm256_sub_pd(_mm256_xor_pd(hi, sign), d), -BOX_FAR));
    }
    return (_mm256_movemask_pd(fine) & 7) == 7;
}

/* Two versions, so that what does not move is not asked whether it does. The last place has none behind it to read. */
AVX2 static bool boxes_avx2(const vec3 *x0, const vec3 *x1, int32_t n, double inflate, box *out)
{
    bool fine = x1 ? boxes_of(x0, x1, n - 1, inflate, out) : boxes_of(x0, NULL, n - 1, inflate, out);
    return node_boxes_plain(x0 + n - 1, x1 ? x1 + n - 1 : NULL, 1, inflate, out + n - 1) && fine;
}

#endif

bool node_boxes(const vec3 *x0, const vec3 *x1, int32_t n, double inflate, box *out)
{
#if WITH_AVX2
    if (n > 0 && __builtin_cpu_supports("avx2"))
        return boxes_avx2(x0, x1, n, inflate, out);
#endif
    return node_boxes_plain(x0, x1, n, inflate, out);
}
