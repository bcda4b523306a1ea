/* SPDX-License-Identifier: MIT */
/* A free place is looked for from the first on: tables are short, and ids stay the same however they are used. */
#include "sim/slots.h"

#include "base/array.h"

bool slots_reserve(slots *s, mem *m)
{
    return ARRAY_RESERVE_MORE(m, s->items, s->n, s->room, 1);
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
    MEM_FREE(m, s->items, s->room);
    *s = (slots){0};
}
