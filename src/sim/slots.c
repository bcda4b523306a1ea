/* SPDX-License-Identifier: MIT */
/* Tables behind ids: the lowest free place is taken, and its generation counts up. */
#include "sim/slots.h"

bool slots_reserve(slots *s, mem *m)
{
    if (s->n < s->capacity)
        return true;
    int32_t capacity = s->capacity ? 2 * s->capacity : 8;
    slot *items = mem_resized(m, s->items, s->capacity, capacity, sizeof *items);
    if (!items)
        return false;
    s->items = items;
    s->capacity = capacity;
    return true;
}

void slots_add(slots *s, void *item, int32_t *index, uint32_t *generation)
{
    int32_t i = 0;
    while (i < s->n && s->items[i].item)
        i++;
    if (i == s->n)
        s->n++;
    s->items[i].item = item;
    s->items[i].generation++;
    *index = i;
    *generation = s->items[i].generation;
}

void *slots_get(const slots *s, int32_t index, uint32_t generation)
{
    bool ok = index >= 0 && index < s->n && generation != 0 && s->items[index].generation == generation;
    return ok ? s->items[index].item : NULL;
}

void slots_remove(slots *s, int32_t index)
{
    s->items[index].item = NULL;
}

void slots_destroy(slots *s, mem *m)
{
    MEM_FREE(m, s->items, s->capacity);
    *s = (slots){0};
}
