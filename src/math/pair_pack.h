/* SPDX-License-Identifier: MIT */
/* Rows of bits to lists of pairs. A kernel (math/kernel.h). */
#ifndef WEFT_MATH_PAIR_PACK_H
#define WEFT_MATH_PAIR_PACK_H

#include <stdint.h>

/* For each byte the places of its bits, from the lowest up. */
typedef uint8_t pair_table[256][8];

/* More pairs than are found may be written, but not read again. */
enum { PAIR_MORE = 8 };

void pair_table_fill(pair_table t);

/* For each bit i of `which`, and each bit j of hits[i], the pair (p[i], q[j]), by i, then by j. There is room for all
 * and PAIR_MORE; hits have at most n bits, and q has room for n, a multiple of 8. How many there are. */
typedef int32_t pair_pack_fn(const pair_table t, const int32_t *p, uint32_t which, const int32_t *q, int n,
                             const uint32_t *hits, int32_t (*out)[2]);
pair_pack_fn pair_pack, pair_pack_plain, pair_pack_avx2;

#endif
