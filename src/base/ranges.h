/* SPDX-License-Identifier: MIT */
/* Cutting n items into pieces for pool_for: by their number alone, and into so few that sums, maxima and flags of each
 * piece fit into an array of RANGES_MOST. */
#ifndef WEFT_BASE_RANGES_H
#define WEFT_BASE_RANGES_H

#include <stdint.h>

/* The most pieces: more than most machines have threads, and few enough for arrays on the stack. The least items in a
 * piece: a smaller one costs a thread more to fetch than to do. Sums are made by pieces, so other numbers give other
 * bits in the last places. */
#define RANGES_MOST 64
#define RANGE_LEAST_ITEMS 256

typedef struct ranges {
    int32_t n; /* of them */
    int32_t size, n_items;
} ranges;

static inline ranges ranges_of(int32_t n_items)
{
    int32_t size = RANGE_LEAST_ITEMS;
    if (n_items > RANGES_MOST * RANGE_LEAST_ITEMS)
        size = (int32_t)(((int64_t)n_items + RANGES_MOST - 1) / RANGES_MOST);
    return (ranges){(int32_t)(((int64_t)n_items + size - 1) / size), size, n_items};
}

static inline int32_t ranges_begin(const ranges *p, int32_t i)
{
    return i * p->size;
}

static inline int32_t ranges_end(const ranges *p, int32_t i)
{
    return i + 1 < p->n ? (i + 1) * p->size : p->n_items;
}

#endif
