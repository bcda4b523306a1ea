/* SPDX-License-Identifier: MIT */
/* Eight boxes of a planar row compared with one, for kernels (math/kernel.h). */
#ifndef WEFT_MATH_PLANAR_ROW_LANES_H
#define WEFT_MATH_PLANAR_ROW_LANES_H

#include "math/lanes8.h"
#include "math/planar_row.h"

/* Lanes where a + row > least, for eight of the row. */
LANE_INLINE lane8_mask planar_is_beyond(float a, const float *row, lanes8 least)
{
    return lane8_above(a + lane8_load(row), least);
}

/* Bits of eight boxes of the row, from `first` on, that are not apart from b. */
LANE_INLINE uint32_t planar_near_simd8(const planar_row *r, int first, const box *b, lanes8 least, int n_times)
{
    lane8_mask apart = {0};
    LANE_UNROLL
    for (int k = 0; k < 2; k++) {
        lane8_mask up = planar_is_beyond(b->lo[k], &r->top[k][first], least);
        lane8_mask down = planar_is_beyond(b->top[k], &r->lo[k][first], least);
        if (n_times == 2) {
            up &= planar_is_beyond(b->lo[k + 2], &r->top[k + 2][first], least);
            down &= planar_is_beyond(b->top[k + 2], &r->lo[k + 2][first], least);
        }
        apart |= up | down;
    }
    return ~lane8_bits(apart) & 0xff;
}

#endif
