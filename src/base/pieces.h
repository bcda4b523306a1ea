/* SPDX-License-Identifier: MIT */
/* Cutting n items into pieces for pool_for: by their number alone, and into so few that sums, maxima and flags of each
 * piece fit into an array of PIECES_MOST. */
#ifndef WEFT_BASE_PIECES_H
#define WEFT_BASE_PIECES_H

#include <stdint.h>

#define PIECES_MOST 64
#define PIECES_LEAST 256 /* items in a piece */

typedef struct pieces {
    int32_t n; /* of them */
    int32_t size, n_items;
} pieces;

static inline pieces pieces_of(int32_t n_items)
{
    int32_t size = PIECES_LEAST;
    if (n_items > PIECES_MOST * PIECES_LEAST)
        size = (int32_t)(((int64_t)n_items + PIECES_MOST - 1) / PIECES_MOST);
    return (pieces){(int32_t)(((int64_t)n_items + size - 1) / size), size, n_items};
}

static inline int32_t pieces_begin(const pieces *p, int32_t i)
{
    return i * p->size;
}

static inline int32_t pieces_end(const pieces *p, int32_t i)
{
    return i + 1 < p->n ? (i + 1) * p->size : p->n_items;
}

#endif
