/* SPDX-License-Identifier: MIT */
/* The kernel of planar_row.h: a box of the row is a lane. */
#include "math/planar_row.h"

#include "math/kernel.h"
#include "math/lanes8.h"

/* Lanes where a + row > least, for eight of the row. */
LANE_INLINE lane8_mask is_beyond(float a, const float *row, lanes8 least)
{
    return lane8_above(a + lane8_load(row), least);
}

/* Bits of eight boxes of the row, from j on. */
LANE_INLINE uint32_t near_simd8(const planar_row *r, int j, const box *b, lanes8 least, int n_times)
{
    lane8_mask apart = {0};
    for (int k = 0; k < 2; k++) {
        lane8_mask up = is_beyond(b->lo[k], &r->top[k][j], least), down = is_beyond(b->top[k], &r->lo[k][j], least);
        if (n_times == 2) {
            up &= is_beyond(b->lo[k + 2], &r->top[k + 2][j], least);
            down &= is_beyond(b->top[k + 2], &r->lo[k + 2][j], least);
        }
        apart |= up | down;
    }
    return ~lane8_bits(apart) & 0xff;
}

uint32_t KERNEL(planar_row_near)(const planar_row *r, const box *b, float least, int n_times)
{
    lanes8 limit = lane8_all(least);
    return near_simd8(r, 0, b, limit, n_times) | near_simd8(r, 8, b, limit, n_times) << 8;
}

#if KERNEL_ONCE
uint32_t planar_row_near(const planar_row *r, const box *b, float least, int n_times)
{
    return KERNEL_BEST(planar_row_near)(r, b, least, n_times);
}
#endif
