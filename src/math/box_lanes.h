/* SPDX-License-Identifier: MIT */
/* Boxes (math/box.h) made in lanes, for kernels (math/kernel.h). */
#ifndef WEFT_MATH_BOX_LANES_H
#define WEFT_MATH_BOX_LANES_H

#include "math/box.h"
#include "math/lanes.h"

/* box_below of four numbers, step by step. */
LANE_INLINE lanes4 box_below_simd4(lanes a)
{
    lanes4 f = __builtin_convertvector(a, lanes4);
    return f - lane4_abs(f) * 0x1p-22f - 1e-37f;
}

/* The box of corners (x, y, z, any), enlarged and rounded outward. */
LANE_INLINE void box_store(box *out, lanes lo, lanes hi, double inflate)
{
    const lanes4 fourth = {0, 0, 0, -BOX_FAR};
    lanes4 below = __builtin_shufflevector(box_below_simd4(lo - inflate), fourth, 0, 1, 2, 4);
    lanes4 top = __builtin_shufflevector(box_below_simd4(-hi - inflate), fourth, 0, 1, 2, 7);
    memcpy(out->lo, &below, sizeof below);
    memcpy(out->top, &top, sizeof top);
}

#endif
