/* SPDX-License-Identifier: MIT */
/* The kernel of pair_pack.h. About half of the pairs are there, in no order that a processor could guess. So with AVX2
 * eight are written at once, those that are there in front, and as many counted; without, it costs less to look at one
 * bit after the other. */
#include "math/pair_pack.h"

#include "math/box.h"
#include "math/kernel.h"
#include "math/lanes8.h"

#if defined(__AVX2__)

/* The pairs of one a with those of q that `bits` has, n or fewer; how many. */
LANE_INLINE int32_t pack_row(const pair_table t, int32_t a, const int32_t *q, int n, uint32_t bits, int32_t (*out)[2])
{
    int32_t(*at)[2] = out;
    __m256i first = _mm256_set1_epi32(a);
    for (int k = 0; k < n; k += 8, bits >>= 8) {
        __m256i places = (__m256i)lane8_of_bytes(t[bits & 255]);
        __m256i second = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(q + k)), places);
        __m256i even = _mm256_unpacklo_epi32(first, second), odd = _mm256_unpackhi_epi32(first, second);
        _mm256_storeu_si256((__m256i *)at, _mm256_permute2x128_si256(even, odd, 0x20));
        _mm256_storeu_si256((__m256i *)(at + 4), _mm256_permute2x128_si256(even, odd, 0x31));
        at += __builtin_popcount(bits & 255);
    }
    return (int32_t)(at - out);
}

#else

LANE_INLINE int32_t pack_row(const pair_table t, int32_t a, const int32_t *q, int n, uint32_t bits, int32_t (*out)[2])
{
    int32_t n_out = 0;
    (void)t;
    (void)n;
    for (; bits != 0; bits &= bits - 1) {
        out[n_out][0] = a;
        out[n_out++][1] = q[box_lowest_bit(bits)];
    }
    return n_out;
}

#endif

int32_t KERNEL(pair_pack)(const pair_table t, const int32_t *p, uint32_t which, const int32_t *q, int n,
                          const uint32_t *hits, int32_t (*out)[2])
{
    int32_t n_out = 0;
    for (; which != 0; which &= which - 1) {
        int i = box_lowest_bit(which);
        n_out += pack_row(t, p[i], q, n, hits[i], out + n_out);
    }
    return n_out;
}

#if KERNEL_ONCE

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

int32_t pair_pack(const pair_table t, const int32_t *p, uint32_t which, const int32_t *q, int n, const uint32_t *hits,
                  int32_t (*out)[2])
{
    return KERNEL_BEST(pair_pack)(t, p, which, q, n, hits, out);
}

#endif
