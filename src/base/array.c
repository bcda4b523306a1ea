/* SPDX-License-Identifier: MIT */
/* How much growable arrays grow. Sizes in bytes are checked by mem_resized. */
#include "base/array.h"

/* Room for exactly `next` items, where there is memory for them. */
static void *array_resized(mem *m, void *items, int64_t *room, int64_t next, size_t item_size)
{
    void *moved = mem_resized(m, items, *room, next, item_size);
    if (!moved)
        return items;
    *room = next;
    return moved;
}

void *array_reserve(mem *m, void *items, int64_t *room, int64_t n, size_t item_size)
{
    if (n <= *room)
        return items;
    int64_t next = *room < 8 ? 8 : *room + *room / 2;
    return array_resized(m, items, room, next < n ? n : next, item_size);
}

void *array_reserve_steady(mem *m, void *items, int64_t *room, int64_t n, size_t item_size)
{
    if (n <= *room || n > INT64_MAX / 2)
        return items;
    return array_resized(m, items, room, n + n / 8 + 256, item_size);
}

bool array_trim(mem *m, void **items, int64_t *room, int64_t n, size_t item_size)
{
    if (n == *room || n == 0)
        return true;
    *items = array_resized(m, *items, room, n, item_size);
    return *room == n;
}
