/* SPDX-License-Identifier: MIT */
/* Planar boxes at two times (box_of_planar), sixteen side by side, to be compared with one. A kernel
 * (math/kernel.h). */
#ifndef WEFT_MATH_PLANAR_ROW_H
#define WEFT_MATH_PLANAR_ROW_H

#include "math/box.h"

enum { PLANAR_ROW = 16 };

/* Lanes that are not in use may hold any numbers. */
typedef struct planar_row {
    float lo[4][PLANAR_ROW], top[4][PLANAR_ROW];
} planar_row;

static inline void planar_row_set(planar_row *r, int i, const box *b)
{
    for (int k = 0; k < 4; k++) {
        r->lo[k][i] = b->lo[k];
        r->top[k][i] = b->top[k];
    }
}

static inline box planar_row_get(const planar_row *r, int i)
{
    return (box){{r->lo[0][i], r->lo[1][i], r->lo[2][i], r->lo[3][i]},
                 {r->top[0][i], r->top[1][i], r->top[2][i], r->top[3][i]}};
}

/* Bits of those that are not apart from b as box_planar_apart has it. n_times 1: both times are the same. */
typedef uint32_t planar_row_near_fn(const planar_row *r, const box *b, float least, int n_times);
planar_row_near_fn planar_row_near, planar_row_near_plain, planar_row_near_avx2;

#endif
