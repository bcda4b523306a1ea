/* SPDX-License-Identifier: MIT */
#include "math/planar_row.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define WITH_AVX2 1
#include <immintrin.h>
#else
#define WITH_AVX2 0
#endif

uint32_t planar_row_near_plain(const planar_row *r, const box *b, float least, int n_times)
{
    uint32_t near = 0;
    int second = n_times == 1 ? 0 : 2;
    for (int j = 0; j < PLANAR_ROW; j++) {
        bool apart = false;
        for (int k = 0; k < 2; k++) {
            bool up = (b->lo[k] + r->top[k][j] > least) & (b->lo[k + second] + r->top[k + second][j] > least);
            bool down = (r->lo[k][j] + b->top[k] > least) & (r->lo[k + second][j] + b->top[k + second] > least);
            apart = apart | up | down;
        }
        near |= (uint32_t)!apart << j;
    }
    return near;
}

#if WITH_AVX2

#define AVX2 __attribute__((target("avx2")))

/* Lanes where a + row > least, for eight of the row. */
AVX2 static inline __m256 beyond(float a, const float *row, __m256 least)
{
    return _mm256_cmp_ps(_mm256_add_ps(_mm256_set1_ps(a), _mm256_loadu_ps(row)), least, _CMP_GT_OQ);
}

AVX2 static inline uint32_t near_simd8(const planar_row *r, int j, const box *b, __m256 least, int n_times)
{
    __m256 apart = _mm256_setzero_ps();
    for (int k = 0; k < 2; k++) {
        __m256 up = beyond(b->lo[k], &r->top[k][j], least), down = beyond(b->top[k], &r->lo[k][j], least);
        if (n_times == 2) {
            up = _mm256_and_ps(up, beyond(b->lo[k + 2], &r->top[k + 2][j], least));
            down = _mm256_and_ps(down, beyond(b->top[k + 2], &r->lo[k + 2][j], least));
        }
        apart = _mm256_or_ps(apart, _mm256_or_ps(up, down));
    }
    return ~(uint32_t)_mm256_movemask_ps(apart) & 0xff;
}

AVX2 static uint32_t pair_kernel_avx2(const planar_row *r, const box *b, float least, int n_times)
{
    __m256 limit = _mm256_set1_ps(least);
    return near_simd8(r, 0, b, limit, n_times) | near_simd8(r, 8, b, limit, n_times) << 8;
}

#endif

uint32_t planar_row_near(const planar_row *r, const box *b, float least, int n_times)
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2"))
        return pair_kernel_avx2(r, b, least, n_times);
#endif
    return planar_row_near_plain(r, b, least, n_times);
}
