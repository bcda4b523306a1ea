/* SPDX-License-Identifier: MIT */
/* What a cache says of all its frames: the names of cloths and columns, frames per second, the scene. */
#ifndef WEFT_IO_CACHE_CACHE_HEAD_H
#define WEFT_IO_CACHE_CACHE_HEAD_H

#include "io/cache/cache_file.h"
#include "io/cache/cache_pack.h"

#include <weft/io/cache.h>

typedef struct cache_head {
    double fps;
    int32_t n_cloths, n_columns;
    char **names; /* of the cloths, then of the columns */
} cache_head;

weft_result cache_def_check(const weft_cache_def *def, weft_error *e);
void cache_put_head(text *out, const weft_cache_def *def);
/* Frees what it made after a failure. */
weft_result cache_head_read(cache_head *h, const cache_file *f, const cache_chunk *c, weft_error *e);
void cache_head_free(cache_head *h);
/* Whether a run with this definition may go on in that cache. */
weft_result cache_head_match(const cache_head *h, const weft_cache_def *def, const char *path, weft_error *e);

void cache_put_scene(cache_packer *p, text *out, const char *scene); /* NULL is as "" */
/* malloc'ed; NULL after a failure. */
weft_result cache_scene_read(cache_packer *p, const cache_file *f, const cache_chunk *c, char **scene, weft_error *e);

#endif
