/* SPDX-License-Identifier: MIT */
/* What the ways to fit pairs of leaves share.
 *
 * Exactness. With u = 2⁻²⁴, a place from the first node on is off by u of itself (what the difference of doubles adds
 * is 2⁻⁵³ of it), so a side e = b − a by less than 2.1 u (|a| + |e|) in each coordinate, and a coordinate of e × f,
 * with the lengths |x| + |y| + |z| of a, e and f, by less than 2.2 u (a (e + f) + 3 e f), which the rounding of
 * products is part of; of the sum of two such by what both are off, and rounded once more. Second order is below that
 * by far where a normal passes: it is not longer than e f. So one longer than 4 u / NORMAL_ERROR (a (e + f) + 4 e f) is
 * exact to NORMAL_ERROR. e f is infinite if a coordinate may be; NORMAL_FAINT covers what floats near 0 lose. */
#ifndef WEFT_MATH_NORMAL_PAIR_INSIDE_H
#define WEFT_MATH_NORMAL_PAIR_INSIDE_H

#include "math/lanes8.h"
#include "math/normal_pair.h"
#include "math/params.h"

/* What a normal's length is to exceed, beside the lengths that it was made of, and what is added to a length. */
#define NORMAL_LEAST (float)(4 * 0x1p-24 / NORMAL_ERROR)
#define NORMAL_FAINT 0x1p-100f

enum {
    NORMAL_TIMES = 3,  /* Bernstein points in a motion */
    NORMAL_OTHER = 128 /* bit of a corner that is not the first node */
};

/* Cells of some pairs: those at x0, then, in a motion, at x1 and between. */
typedef struct cell_row {
    uint32_t cell[NORMAL_PAIR_ROW][NORMAL_TIMES][2 * NORMAL_TRIANGLES];
} cell_row;

LANE_INLINE void fetch_pair(const double *x0, const double *x1, const normal_pair *p)
{
    for (int half = 0; half < 2; half++) {
        LANE_UNROLL
        for (int i = 0; i < NORMAL_NODES; i++) {
            lane_fetch(x0 + p->place[half][i]);
            if (x1)
                lane_fetch(x1 + p->place[half][i]);
        }
    }
}

LANE_INLINE uint64_t look_up(const normal_table table, const uint32_t *c)
{
    return ((table[c[0]] & table[c[1]]) & (table[c[2]] & table[c[3]])) &
           ((table[c[4]] & table[c[5]]) & (table[c[6]] & table[c[7]]));
}

static inline bool is_known(const uint32_t (*cells)[2 * NORMAL_TRIANGLES], int half, int n_times)
{
    for (int k = 0; k < n_times; k++)
        for (int i = half * NORMAL_TRIANGLES; i < (half + 1) * NORMAL_TRIANGLES; i++)
            if (cells[k][i] == NORMAL_NONE)
                return false;
    return true;
}

/* Masks of n pairs from `first` on by their cells; leaves that are left are added to the n_left of *left. */
LANE_INLINE int32_t fill_masks(const normal_pair *pairs, int32_t first, int n, const cell_row *row, int n_times,
                               const normal_table table, uint64_t *masks, int32_t *left, int32_t n_left)
{
    for (int i = 0; i < n; i++)
        for (int half = 0; half < 2; half++) {
            const uint32_t(*cells)[2 * NORMAL_TRIANGLES] = row->cell[i];
            uint64_t mask = look_up(table, cells[0] + half * NORMAL_TRIANGLES);
            for (int k = 1; k < n_times; k++)
                mask &= look_up(table, cells[k] + half * NORMAL_TRIANGLES);
            masks[pairs[first + i].zone[half]] = mask;
            if (mask == 0 && !is_known(cells, half, n_times))
                left[n_left++] = 2 * (first + i) + half;
        }
    return n_left;
}

#endif
