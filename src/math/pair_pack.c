/* SPDX-License-Identifier: MIT */
#include "math/pair_pack.h"

#include "math/box.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define WITH_AVX2 1
#include <immintrin.h>
#else
#define WITH_AVX2 0
#endif

void pair_table_fill(pair_table t)
{
    for (int byte = 0; byte < 256; byte++) {
        int n = 0;
        for (int k = 0; k < 8; k++) {
            t[byte][k] = 0;
            if (byte >> k & 1)
                t[byte][n++] = (uint8_t)k;
        }
    }
}

int32_t pair_pack_plain(const int32_t *p, uint32_t which, const int32_t *q, const uint32_t *hits, int32_t (*out)[2])
{
    int32_t n = 0;
    for (; which != 0; which &= which - 1) {
        int i = box_lowest_bit(which);
        for (uint32_t bits = hits[i]; bits != 0; bits &= bits - 1) {
            out[n][0] = p[i];
            out[n++][1] = q[box_lowest_bit(bits)];
        }
    }
    return n;
}

#if WITH_AVX2

/* About half of the pairs are there, in no order that a processor could guess: so eight are written at once, those that
 * are there in front, and as many counted. */
__attribute__((target("avx2,popcnt"))) static int32_t pack_avx2(const pair_table t, const int32_t *p, uint32_t which,
                                                                const int32_t *q, int n, const uint32_t *hits,
                                                                int32_t (*out)[2])
{
    int32_t(*at)[2] = out;
    for (; which != 0; which &= which - 1) {
        int i = box_lowest_bit(which);
        __m256i a = _mm256_set1_epi32(p[i]);
        uint32_t bits = hits[i];
        for (int k = 0; k < n; k += 8, bits >>= 8) {
            __m256i places = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)t[bits & 255]));
            __m256i b = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(q + k)), places);
            __m256i even = _mm256_unpacklo_epi32(a, b), odd = _mm256_unpackhi_epi32(a, b);
            _mm256_storeu_si256((__m256i *)at, _mm256_permute2x128_si256(even, odd, 0x20));
            _mm256_storeu_si256((__m256i *)(at + 4), _mm256_permute2x128_si256(even, odd, 0x31));
            at += __builtin_popcount(bits & 255);
        }
    }
    return (int32_t)(at - out);
}

#endif

int32_t pair_pack(const pair_table t, const int32_t *p, uint32_t which, const int32_t *q, int n, const uint32_t *hits,
                  int32_t (*out)[2])
{
#if WITH_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        return pack_avx2(t, p, which, q, n, hits, out);
#endif
    (void)t;
    (void)n;
    return pair_pack_plain(p, which, q, hits, out);
}
