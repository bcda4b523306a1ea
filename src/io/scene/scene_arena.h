/* SPDX-License-Identifier: MIT */
/* Memory that is given back all at once: what belongs to one scene. */
#ifndef WEFT_IO_SCENE_SCENE_ARENA_H
#define WEFT_IO_SCENE_SCENE_ARENA_H

#include <stddef.h>

typedef struct scene_arena {
    struct scene_block *last;
} scene_arena;

/* n items of size bytes, zeroed; never NULL for n = 0. NULL: out of memory. */
void *scene_arena_make(scene_arena *a, size_t n, size_t size);
/* A copy of n bytes with a '\0' behind them. */
char *scene_arena_text(scene_arena *a, const char *from, size_t n);
void scene_arena_free(scene_arena *a);

#endif
