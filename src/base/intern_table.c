/* SPDX-License-Identifier: MIT */
/* A hash table with open addressing, at most half full; items lie in one array, in the order in which they came, and
 * slots hold their numbers. So numbers do not depend on the hash. */
#include "base/intern_table.h"

#include <string.h>

#include "base/array.h"
#include "base/hash.h"

static const char *item_at(const intern_table *a, int32_t i, size_t size)
{
    return (const char *)a->items + (size_t)i * size;
}

/* Where the item is, or where it would go. */
static int32_t slot_of(const intern_table *a, const void *item, size_t size)
{
    int32_t i = (int32_t)(hash_bytes(HASH_START, item, size) & (uint64_t)(a->n_slots - 1));
    while (a->slots[i] && memcmp(item_at(a, a->slots[i] - 1, size), item, size) != 0)
        i = (i + 1) & (a->n_slots - 1);
    return i;
}

/* At most half of the slots are taken. */
static bool more_slots(intern_table *a, mem *m, size_t size)
{
    if (2 * a->n_taken < a->n_slots)
        return true;
    intern_table more = *a;
    more.n_slots = a->n_slots ? 2 * a->n_slots : 256;
    if (!MEM_MAKE(m, more.slots, more.n_slots))
        return false;
    for (int32_t i = 0; i < a->n_slots; i++)
        if (a->slots[i])
            more.slots[slot_of(&more, item_at(a, a->slots[i] - 1, size), size)] = a->slots[i];
    MEM_FREE(m, a->slots, a->n_slots);
    *a = more;
    return true;
}

int32_t intern_add(intern_table *a, mem *m, const void *item, size_t size)
{
    a->items = array_reserve(m, a->items, &a->room, (int64_t)a->n + 1, size);
    if (a->room <= a->n || a->n == INT32_MAX)
        return -1;
    memcpy((char *)a->items + (size_t)a->n * size, item, size);
    return a->n++;
}

int32_t intern_find(intern_table *a, mem *m, const void *item, size_t size)
{
    if (!more_slots(a, m, size))
        return -1;
    int32_t slot = slot_of(a, item, size);
    if (a->slots[slot])
        return a->slots[slot] - 1;
    int32_t i = intern_add(a, m, item, size);
    if (i >= 0) {
        a->slots[slot] = i + 1;
        a->n_taken++;
    }
    return i;
}

bool intern_seal(intern_table *a, mem *m, size_t size)
{
    MEM_FREE(m, a->slots, a->n_slots);
    a->n_slots = a->n_taken = 0;
    return array_trim(m, &a->items, &a->room, a->n, size);
}

void intern_destroy(intern_table *a, mem *m, size_t size)
{
    mem_free(m, a->items, a->room, size);
    MEM_FREE(m, a->slots, a->n_slots);
    *a = (intern_table){0};
}
