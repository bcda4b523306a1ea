/* SPDX-License-Identifier: MIT */
/* Arrays that grow: three variables T *items; int32_t n, room. */
#ifndef WEFT_GARMENT_GROW_H
#define WEFT_GARMENT_GROW_H

#include "base/mem.h"

/* Room for at least `wanted` items. False: out of memory, all as it was. */
static inline bool grow_reserve(mem *m, void **items, int32_t *room, int64_t wanted, size_t size)
{
    if (wanted <= *room)
        return true;
    int64_t next = *room < 8 ? 8 : *room + (int64_t)*room / 2;
    next = next < wanted ? wanted : next;
    if (next > INT32_MAX)
        return false;
    void *grown = mem_resized(m, *items, *room, next, size);
    if (!grown)
        return false;
    *items = grown;
    *room = (int32_t)next;
    return true;
}

/* Adds a value; false: out of memory. */
#define GROW_PUSH(m, items, n, room, value)                                                                            \
    (grow_reserve((m), (void **)&(items), &(room), (int64_t)(n) + 1, sizeof *(items)) &&                               \
     ((items)[(n)++] = (value), true))

#endif
