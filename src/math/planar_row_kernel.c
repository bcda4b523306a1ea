/* SPDX-License-Identifier: MIT */
/* The kernel of planar_row.h: a box of the row is a lane. */
#include "math/planar_row.h"

#include "math/kernel.h"
#include "math/planar_row_lanes.h"

uint32_t KERNEL(planar_row_near)(const planar_row *r, const box *b, float least, int n_times)
{
    lanes8 limit = lane8_all(least);
    return planar_near_simd8(r, 0, b, limit, n_times) | planar_near_simd8(r, 8, b, limit, n_times) << 8;
}

#if KERNEL_ONCE
uint32_t planar_row_near(const planar_row *r, const box *b, float least, int n_times)
{
    return KERNEL_BEST(planar_row_near)(r, b, least, n_times);
}
#endif
