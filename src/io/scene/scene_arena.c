/* SPDX-License-Identifier: MIT */
/* A list of blocks, each filled from its start. Large things have a block of their own. */
#include "io/scene/scene_arena.h"

#include "io/params.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene_block {
    struct scene_block *before;
    size_t used, size;
    alignas(max_align_t) char bytes[];
} scene_block;

/* A block for one large thing goes behind the present one, whose rest is still to be used. */
static scene_block *arena_add_block(scene_arena *a, size_t size, bool is_for_one)
{
    scene_block *b = size > PTRDIFF_MAX - sizeof *b ? NULL : calloc(1, sizeof *b + size);
    if (!b)
        return NULL;
    b->size = size;
    if (a->last && is_for_one) {
        b->before = a->last->before;
        a->last->before = b;
    } else {
        b->before = a->last;
        a->last = b;
    }
    return b;
}

void *scene_arena_make(scene_arena *a, size_t n, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (n > (PTRDIFF_MAX - align) / size)
        return NULL;
    size_t wanted = (n * size + align) / align * align;
    scene_block *b = a->last;
    if (!b || wanted > SCENE_ARENA_LARGE || b->size - b->used < wanted)
        b = arena_add_block(a, wanted > SCENE_ARENA_LARGE ? wanted : SCENE_ARENA_BLOCK, wanted > SCENE_ARENA_LARGE);
    if (!b)
        return NULL;
    void *out = b->bytes + b->used;
    b->used += wanted;
    return out;
}

char *scene_arena_text(scene_arena *a, const char *from, size_t n)
{
    char *out = scene_arena_make(a, n + 1, 1);
    if (out && n > 0)
        memcpy(out, from, n);
    return out;
}

void scene_arena_free(scene_arena *a)
{
    while (a->last) {
        scene_block *before = a->last->before;
        free(a->last);
        a->last = before;
    }
}
