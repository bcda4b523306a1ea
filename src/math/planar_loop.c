/* SPDX-License-Identifier: MIT */
#include "math/planar_loop.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define WITH_AVX2 1
#include <immintrin.h>
#else
#define WITH_AVX2 0
#endif

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* ---- plain ------------------------------------------------------------------------------------------------------- */

typedef struct plain_lanes {
    double v[4];
} plain_lanes;

#define PLAIN_LANES(name, value)                                                                                       \
    INLINE plain_lanes name(plain_lanes a, plain_lanes b)                                                              \
    {                                                                                                                  \
        plain_lanes r;                                                                                                 \
        for (int i = 0; i < 4; i++)                                                                                    \
            r.v[i] = value;                                                                                            \
        return r;                                                                                                      \
    }

PLAIN_LANES(plain_add, a.v[i] + b.v[i])
PLAIN_LANES(plain_sub, a.v[i] - b.v[i])
PLAIN_LANES(plain_mul, a.v[i] * b.v[i])
PLAIN_LANES(plain_min, a.v[i] < b.v[i] ? a.v[i] : b.v[i])
PLAIN_LANES(plain_max, a.v[i] > b.v[i] ? a.v[i] : b.v[i])

INLINE plain_lanes plain_load(const double *p)
{
    return (plain_lanes){{p[0], p[1], p[2], p[3]}};
}

INLINE void plain_store(double *p, plain_lanes a)
{
    for (int i = 0; i < 4; i++)
        p[i] = a.v[i];
}

INLINE plain_lanes plain_all(double x)
{
    return (plain_lanes){{x, x, x, x}};
}

INLINE plain_lanes plain_abs(plain_lanes a)
{
    return (plain_lanes){{fabs(a.v[0]), fabs(a.v[1]), fabs(a.v[2]), fabs(a.v[3])}};
}

/* p where a > b, else q. */
INLINE plain_lanes plain_above(plain_lanes a, plain_lanes b, plain_lanes p, plain_lanes q)
{
    plain_lanes r;
    for (int i = 0; i < 4; i++)
        r.v[i] = a.v[i] > b.v[i] ? p.v[i] : q.v[i];
    return r;
}

INLINE int plain_bits_above(plain_lanes a, plain_lanes b)
{
    int bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (a.v[i] > b.v[i]) << i;
    return bits;
}

INLINE void plain_load_points(const vec3 *x, const int32_t v[4], plain_lanes p[3])
{
    for (int i = 0; i < 4; i++) {
        p[0].v[i] = x[v[i]].x;
        p[1].v[i] = x[v[i]].y;
        p[2].v[i] = x[v[i]].z;
    }
}

INLINE void plain_store_below(float *out, plain_lanes a)
{
    for (int i = 0; i < 4; i++)
        out[i] = box_below(a.v[i]);
}

/* Of up to eight numbers. */
INLINE float plain_least_of(const float *p, int n)
{
    float least = p[0];
    for (int i = 1; i < n && i < 8; i++)
        least = p[i] < least ? p[i] : least;
    return least;
}

INLINE bool plain_apart(const box *a, const box *b, float least, int n_times)
{
    int second = n_times == 1 ? 0 : 2;
    for (int k = 0; k < 2; k++)
        if ((a->lo[k] + b->top[k] > least && a->lo[k + second] + b->top[k + second] > least) ||
            (b->lo[k] + a->top[k] > least && b->lo[k + second] + a->top[k + second] > least))
            return true;
    return false;
}

/* Bits of eight boxes of a row, from `first` on, that are not apart from box i of another. */
INLINE uint32_t plain_near_simd8(const planar_row *p, int i, const planar_row *q, int first, float least, int n_times)
{
    uint32_t near = 0;
    int second = n_times == 1 ? 0 : 2;
    for (int j = 0; j < 8; j++) {
        bool apart = false;
        for (int k = 0; k < 2; k++) {
            int m = k + second, at = first + j;
            bool up = (p->lo[k][i] + q->top[k][at] > least) & (p->lo[m][i] + q->top[m][at] > least);
            bool down = (p->top[k][i] + q->lo[k][at] > least) & (p->top[m][i] + q->lo[m][at] > least);
            apart = apart | up | down;
        }
        near |= (uint32_t)!apart << j;
    }
    return near;
}

#define LANE_FN INLINE
#define LANE_NAME(name) plain_##name
#define lanes plain_lanes
#define lane_load plain_load
#define lane_store plain_store
#define lane_all plain_all
#define lane_add plain_add
#define lane_sub plain_sub
#define lane_mul plain_mul
#define lane_min plain_min
#define lane_max plain_max
#define lane_abs plain_abs
#define lane_above plain_above
#define lane_bits_above plain_bits_above
#include "math/planar_kernel.h"
#undef LANE_FN
#undef LANE_NAME
#undef lanes
#undef lane_load
#undef lane_store
#undef lane_all
#undef lane_add
#undef lane_sub
#undef lane_mul
#undef lane_min
#undef lane_max
#undef lane_abs
#undef lane_above
#undef lane_bits_above

void planar_loop_project_plain(planar_loop *l, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b)
{
    plain_project(l, x0, x1, a, b);
}

void planar_loop_bound_plain(planar_loop *l, double least)
{
    plain_bound(l, least);
}

int planar_loop_near_plain(const planar_loop *l, float least, planar_near *out, int room)
{
    return plain_pair_blocks(l, least, out, room);
}

/* ---- AVX2 -------------------------------------------------------------------------------------------------------- */

#if WITH_AVX2

#define AVX2 __attribute__((target("avx2")))
#define LANE_FN AVX2 INLINE
#define LANE_NAME(name) wide_##name
#define lanes __m256d
#define lane_load _mm256_loadu_pd
#define lane_store _mm256_storeu_pd
#define lane_all _mm256_set1_pd
#define lane_add _mm256_add_pd
#define lane_sub _mm256_sub_pd
#define lane_mul _mm256_mul_pd
#define lane_min _mm256_min_pd
#define lane_max _mm256_max_pd
#define lane_abs wide_abs
#define lane_above wide_above
#define lane_bits_above wide_bits_above

LANE_FN __m256d wide_abs(__m256d a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

LANE_FN __m256d wide_above(__m256d a, __m256d b, __m256d p, __m256d q)
{
    return _mm256_blendv_pd(q, p, _mm256_cmp_pd(a, b, _CMP_GT_OQ));
}

LANE_FN int wide_bits_above(__m256d a, __m256d b)
{
    return _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ));
}

LANE_FN void wide_load_points(const vec3 *x, const int32_t v[4], __m256d p[3])
{
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    __m256d a = _mm256_maskload_pd(&x[v[0]].x, three), b = _mm256_maskload_pd(&x[v[1]].x, three);
    __m256d c = _mm256_maskload_pd(&x[v[2]].x, three), d = _mm256_maskload_pd(&x[v[3]].x, three);
    __m256d ab_xz = _mm256_unpacklo_pd(a, b), ab_y = _mm256_unpackhi_pd(a, b);
    __m256d cd_xz = _mm256_unpacklo_pd(c, d), cd_y = _mm256_unpackhi_pd(c, d);
    p[0] = _mm256_permute2f128_pd(ab_xz, cd_xz, 0x20);
    p[1] = _mm256_permute2f128_pd(ab_y, cd_y, 0x20);
    p[2] = _mm256_permute2f128_pd(ab_xz, cd_xz, 0x31);
}

/* box_below, step by step. */
LANE_FN void wide_store_below(float *out, __m256d a)
{
    __m128 f = _mm256_cvtpd_ps(a), size = _mm_andnot_ps(_mm_set1_ps(-0.0f), f);
    f = _mm_sub_ps(f, _mm_mul_ps(size, _mm_set1_ps(0x1p-22f)));
    _mm_storeu_ps(out, _mm_sub_ps(f, _mm_set1_ps(1e-37f)));
}

LANE_FN float wide_least_of(const float *p, int n)
{
    if (n < 8)
        return plain_least_of(p, n);
    __m128 least = _mm_min_ps(_mm_loadu_ps(p), _mm_loadu_ps(p + 4));
    least = _mm_min_ps(least, _mm_movehl_ps(least, least));
    return _mm_cvtss_f32(_mm_min_ss(least, _mm_shuffle_ps(least, least, 1)));
}

LANE_FN bool wide_apart(const box *a, const box *b, float least, int n_times)
{
    return plain_apart(a, b, least, n_times);
}

/* Lanes where a + row > least, for eight of the row. */
LANE_FN __m256 beyond(const float *a, const float *row, __m256 least)
{
    return _mm256_cmp_ps(_mm256_add_ps(_mm256_broadcast_ss(a), _mm256_loadu_ps(row)), least, _CMP_GT_OQ);
}

LANE_FN uint32_t wide_near_simd8(const planar_row *p, int i, const planar_row *q, int first, float least, int n_times)
{
    __m256 apart = _mm256_setzero_ps(), limit = _mm256_set1_ps(least);
    for (int k = 0; k < 2; k++) {
        __m256 up = beyond(&p->lo[k][i], &q->top[k][first], limit),
               down = beyond(&p->top[k][i], &q->lo[k][first], limit);
        if (n_times == 2) {
            up = _mm256_and_ps(up, beyond(&p->lo[k + 2][i], &q->top[k + 2][first], limit));
            down = _mm256_and_ps(down, beyond(&p->top[k + 2][i], &q->lo[k + 2][first], limit));
        }
        apart = _mm256_or_ps(apart, _mm256_or_ps(up, down));
    }
    return ~(uint32_t)_mm256_movemask_ps(apart) & 0xff;
}

#include "math/planar_kernel.h"

AVX2 static int pair_kernel_avx2(const planar_loop *l, float least, planar_near *out, int room)
{
    return wide_pair_blocks(l, least, out, room);
}

AVX2 static void project_avx2(planar_loop *l, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b)
{
    wide_project(l, x0, x1, a, b);
}

AVX2 static void bound_avx2(planar_loop *l, double least)
{
    wide_bound(l, least);
}

#endif

/* ---- either ------------------------------------------------------------------------------------------------------ */

void planar_loop_project(planar_loop *l, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b)
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2")) {
        project_avx2(l, x0, x1, a, b);
        return;
    }
#endif
    planar_loop_project_plain(l, x0, x1, a, b);
}

void planar_loop_bound(planar_loop *l, double least)
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2")) {
        bound_avx2(l, least);
        return;
    }
#endif
    planar_loop_bound_plain(l, least);
}

int planar_loop_near(const planar_loop *l, float least, planar_near *out, int room)
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2"))
        return pair_kernel_avx2(l, least, out, room);
#endif
    return planar_loop_near_plain(l, least, out, room);
}
