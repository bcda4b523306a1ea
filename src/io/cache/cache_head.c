/* SPDX-License-Identifier: MIT */
/* The first two chunks: HEAD, which never changes, and SCEN, the text of the scene. */
#include "io/cache/cache_head.h"

#include "io/heap.h"

#include <stdlib.h>
#include <string.h>

weft_cache_def weft_cache_def_default(void)
{
    return (weft_cache_def){.struct_size = sizeof(weft_cache_def), .fps = 24, .level = 1};
}

static bool names_are_given(const char *const *names, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (!names || !names[i])
            return false;
    return true;
}

weft_result cache_def_check(const weft_cache_def *def, weft_error *e)
{
    if (!def)
        return fault(e, WEFT_ERROR_ARGUMENT, "a cache needs a definition");
    if (def->struct_size != sizeof *def)
        return fault(e, WEFT_ERROR_STRUCT_SIZE, "weft_cache_def has %u bytes, not %u", (unsigned)def->struct_size,
                     (unsigned)sizeof *def);
    if (!(def->fps > 0 && def->fps <= 1e6))
        return fault(e, WEFT_ERROR_RANGE, "frames per second of a cache are %g, not in (0, 1e6]", def->fps);
    if (def->level < 1 || def->level > 19)
        return fault(e, WEFT_ERROR_RANGE, "the level of a cache is %d, not in [1, 19]", (int)def->level);
    if (def->n_cloths < 0 || def->n_columns < 0)
        return fault(e, WEFT_ERROR_RANGE, "a cache of %d cloths and %d columns", (int)def->n_cloths,
                     (int)def->n_columns);
    if (!names_are_given(def->cloth_names, def->n_cloths) || !names_are_given(def->column_names, def->n_columns))
        return fault(e, WEFT_ERROR_ARGUMENT, "a cloth or column of a cache has no name");
    return WEFT_OK;
}

static void put_names(text *out, const char *const *names, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        size_t length = strlen(names[i]);
        cache_put_u32(out, (uint32_t)length);
        text_add_bytes(out, names[i], length);
    }
}

void cache_put_head(text *out, const weft_cache_def *def)
{
    cache_put_f64(out, def->fps);
    cache_put_u32(out, (uint32_t)def->n_cloths);
    cache_put_u32(out, (uint32_t)def->n_columns);
    put_names(out, def->cloth_names, def->n_cloths);
    put_names(out, def->column_names, def->n_columns);
}

/* NULL: the content is wrong, or (in->failed not set) out of memory. */
static char *take_name(cache_in *in)
{
    uint32_t n = cache_take_u32(in);
    const uint8_t *bytes = cache_take(in, n);
    char *name = bytes ? heap_array((size_t)n + 1, 1) : NULL;
    if (name)
        memcpy(name, bytes, n);
    return name;
}

static bool take_head(cache_head *h, cache_in *in)
{
    h->fps = cache_take_f64(in);
    uint64_t n_cloths = cache_take_u32(in), n_columns = cache_take_u32(in);
    in->failed = in->failed || !(h->fps > 0) || n_cloths + n_columns > in->left / 4; /* a name has 4 bytes at least */
    h->names = in->failed ? NULL : heap_array((size_t)(n_cloths + n_columns), sizeof *h->names);
    if (!h->names)
        return false;
    h->n_cloths = (int32_t)n_cloths;
    h->n_columns = (int32_t)n_columns;
    for (uint64_t i = 0; i < n_cloths + n_columns; i++) {
        h->names[i] = take_name(in);
        if (!h->names[i])
            return false;
    }
    return true;
}

weft_result cache_head_read(cache_head *h, const cache_file *f, const cache_chunk *c, weft_error *e)
{
    *h = (cache_head){0};
    text content = {0};
    weft_result r = cache_chunk_read(f, c, "the head", &content, e);
    cache_in in = {(const uint8_t *)content.bytes, content.n, false};
    if (r >= 0 && c->size / 4 > INT32_MAX)
        r = fault(e, WEFT_ERROR_FORMAT, "%s: the head of this cache is too long", f->path);
    if (r >= 0 && !take_head(h, &in))
        r = in.failed ? fault(e, WEFT_ERROR_FORMAT, "%s: the head of this cache makes no sense", f->path)
                      : fault_memory(e);
    text_free(&content);
    if (r < 0)
        cache_head_free(h);
    return r;
}

void cache_head_free(cache_head *h)
{
    for (int32_t i = 0; h->names && i < h->n_cloths + h->n_columns; i++)
        free(h->names[i]);
    free(h->names);
    *h = (cache_head){0};
}

static weft_result match_names(char *const *stored, int32_t n_stored, const char *const *names, int32_t n,
                               const char *what, const char *path, weft_error *e)
{
    if (n_stored != n)
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: has %d %ss, the run has %d", path, (int)n_stored, what, (int)n);
    for (int32_t i = 0; i < n; i++)
        if (strcmp(stored[i], names[i]) != 0)
            return fault(e, WEFT_ERROR_ARGUMENT, "%s: %s %d is \"%s\", that of the run \"%s\"", path, what, (int)i,
                         stored[i], names[i]);
    return WEFT_OK;
}

weft_result cache_head_match(const cache_head *h, const weft_cache_def *def, const char *path, weft_error *e)
{
    if (h->fps != def->fps)
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: has %.17g frames per second, the run has %.17g", path, h->fps,
                     def->fps);
    weft_result r = match_names(h->names, h->n_cloths, def->cloth_names, def->n_cloths, "cloth", path, e);
    if (r >= 0)
        r = match_names(h->names + h->n_cloths, h->n_columns, def->column_names, def->n_columns, "column", path, e);
    return r;
}

void cache_put_scene(cache_packer *p, text *out, const char *scene)
{
    size_t n = scene ? strlen(scene) : 0;
    cache_put_u64(out, n);
    cache_pack(p, out, (const uint8_t *)(scene ? scene : ""), n);
}

weft_result cache_scene_read(cache_packer *p, const cache_file *f, const cache_chunk *c, char **scene, weft_error *e)
{
    *scene = NULL;
    text content = {0};
    weft_result r = cache_chunk_read(f, c, "the scene's text", &content, e);
    if (r < 0) {
        text_free(&content);
        return r;
    }
    cache_in in = {(const uint8_t *)content.bytes, content.n, false};
    uint64_t n = cache_take_u64(&in);
    cache_unpacked u = CACHE_UNPACK_WRONG;
    if (n / CACHE_RATIO < in.left) {
        *scene = heap_array((size_t)n + 1, 1);
        u = *scene ? cache_unpack(p, &in, (uint8_t *)*scene, (size_t)n) : CACHE_UNPACK_MEMORY;
    }
    text_free(&content);
    if (u == CACHE_UNPACKED)
        return WEFT_OK;
    free(*scene);
    *scene = NULL;
    return u == CACHE_UNPACK_MEMORY ? fault_memory(e)
                                    : fault(e, WEFT_ERROR_FORMAT, "%s: the scene's text makes no sense", f->path);
}
