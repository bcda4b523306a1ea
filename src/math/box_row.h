/* SPDX-License-Identifier: MIT */
/* Boxes side by side, to be compared with a row of others, eight at a time. A kernel (math/kernel.h); what comes out
 * are signs of sums of two floats. */
#ifndef WEFT_MATH_BOX_ROW_H
#define WEFT_MATH_BOX_ROW_H

#include "math/box.h"

enum { BOX_FACES = 8, BOX_KIND = 24, BOX_ROW = BOX_FACES + 2 * BOX_KIND };

/* Boxes of three kinds: up to 8 of the first, up to 24 of the others. Lanes that are not in use may hold any. */
typedef struct box_row {
    int start[3], n[3]; /* of each kind; starts are multiples of 8 */
    float lo[3][BOX_ROW], top[3][BOX_ROW];
} box_row;

/* Boxes i to i + 3. */
static inline void box_row_set_simd4(box_row *r, int i, const box *const b[4])
{
#if defined(__SSE2__)
    __m128 lo[4], top[4];
    for (int j = 0; j < 4; j++) {
        lo[j] = _mm_loadu_ps(b[j]->lo);
        top[j] = _mm_loadu_ps(b[j]->top);
    }
    _MM_TRANSPOSE4_PS(lo[0], lo[1], lo[2], lo[3]);
    _MM_TRANSPOSE4_PS(top[0], top[1], top[2], top[3]);
    for (int k = 0; k < 3; k++) {
        _mm_storeu_ps(&r->lo[k][i], lo[k]);
        _mm_storeu_ps(&r->top[k][i], top[k]);
    }
#else
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 3; k++) {
            r->lo[k][i + j] = b[j]->lo[k];
            r->top[k][i + j] = b[j]->top[k];
        }
#endif
}

/* What overlaps what between two rows p and q (or in one: q = p): bits of boxes from the start of their kind. */
typedef struct box_overlaps {
    uint32_t near_p[3], near_q[3]; /* by kind: what is near the other row's whole */
    uint64_t faces;                /* kind 0 with kind 0: eight bits for each of p. If none does, there is no more. */
    /* Of p's kind 1 with q's kind 0, q's kind 1 with p's kind 0, kind 2 with kind 2: for each of those that are near,
     * which of the others that are near it overlaps, and which by `slack` or more. */
    uint32_t hits[3][BOX_KIND], sure[3][BOX_KIND];
} box_overlaps;

/* A row and a box that holds all of it; of things on a straight way also those at its end, else NULL. */
typedef struct box_side {
    const box_row *row, *end;
    const box *whole, *whole_end;
} box_side;

/* Both sides have ends, or neither has. With them, two boxes overlap unless along one axis the one is beyond the other
 * at the start and at the end. */
typedef void box_rows_overlap_fn(const box_side *p, const box_side *q, float slack, box_overlaps *o);
box_rows_overlap_fn box_rows_overlap, box_rows_overlap_plain, box_rows_overlap_avx2;

#endif
