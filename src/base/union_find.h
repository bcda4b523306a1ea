/* SPDX-License-Identifier: MIT */
/* Things that belong together: disjoint sets of numbers 0 … n-1, joined two at a time.
 *
 * lead[i] leads on to another number of i's group, and at last to the least, which leads to itself: the same groups
 * have the same leaders, in whatever order they came about. Finding one shortens the way for the next. */
#ifndef WEFT_BASE_UNION_FIND_H
#define WEFT_BASE_UNION_FIND_H

#include <stdint.h>

/* Each number is a group of its own. */
static inline void union_find_begin(int32_t *lead, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        lead[i] = i;
}

static inline int32_t union_find_root(int32_t *lead, int32_t i)
{
    while (lead[i] != i)
        i = lead[i] = lead[lead[i]];
    return i;
}

/* Returns the leader of both. */
static inline int32_t union_find_join(int32_t *lead, int32_t i, int32_t j)
{
    int32_t a = union_find_root(lead, i), b = union_find_root(lead, j);
    return a < b ? (lead[b] = a) : (lead[a] = b);
}

/* Every number leads to its group's least at once. */
static inline void union_find_end(int32_t *lead, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        lead[i] = union_find_root(lead, i);
}

#endif
