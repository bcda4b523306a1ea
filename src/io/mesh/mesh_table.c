/* SPDX-License-Identifier: MIT */
/* Open addressing, linear probing, at most two thirds full. Hashes are kept, so that most unequal things are told apart
 * without a look at them. */
#include "io/mesh/mesh_table.h"

#include "io/heap.h"

#include <stdlib.h>

/* FNV-1a, then mixed so that the low bits depend on all: the table looks at them only. */
uint64_t mesh_table_hash(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t h = 0xCBF29CE484222325u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001B3u;
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

static bool mesh_table_grow(mesh_table *t)
{
    size_t capacity = t->capacity ? 2 * t->capacity : 64;
    int32_t *slots = heap_array(capacity, sizeof *slots);
    uint64_t *hashes = heap_array(capacity, sizeof *hashes);
    if (!slots || !hashes) {
        free(slots);
        free(hashes);
        return false;
    }
    for (size_t i = 0; i < capacity; i++)
        slots[i] = -1;
    for (size_t i = 0; i < t->capacity; i++) {
        if (t->slots[i] < 0)
            continue;
        size_t at = t->hashes[i] & (capacity - 1);
        while (slots[at] >= 0)
            at = (at + 1) & (capacity - 1);
        slots[at] = t->slots[i];
        hashes[at] = t->hashes[i];
    }
    free(t->slots);
    free(t->hashes);
    t->slots = slots;
    t->hashes = hashes;
    t->capacity = capacity;
    return true;
}

int32_t *mesh_table_slot(mesh_table *t, uint64_t hash, bool (*is_same)(const void *context, int32_t index),
                         const void *context)
{
    if (3 * (t->n + 1) > 2 * t->capacity && !mesh_table_grow(t))
        return NULL;
    size_t at = hash & (t->capacity - 1);
    while (t->slots[at] >= 0 && !(t->hashes[at] == hash && is_same(context, t->slots[at])))
        at = (at + 1) & (t->capacity - 1);
    if (t->slots[at] < 0) {
        t->n++;
        t->hashes[at] = hash;
    }
    return &t->slots[at];
}

void mesh_table_free(mesh_table *t)
{
    free(t->slots);
    free(t->hashes);
    *t = (mesh_table){0};
}
