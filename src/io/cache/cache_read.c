/* SPDX-License-Identifier: MIT */
/* Reading a cache: the chunks are known from opening on; what a chunk holds is read, checked and unpacked on demand.
 * The content of the last chunk stays, so that asking for a frame's head and all its cloths reads the file once. */
#define _POSIX_C_SOURCE 200809L
#include "io/cache/cache_contacts.h"
#include "io/cache/cache_head.h"
#include "io/cache/cache_positions.h"
#include "io/cache/cache_topology.h"
#include "io/heap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct weft_cache {
    cache_file file;
    char *path;
    char *scene;
    cache_head head;
    cache_chunks chunks;
    cache_packer packer;
    weft_topology **topologies; /* as many as there are chunks of them; NULL: not read yet */
    text content;               /* of one chunk */
    const cache_chunk *loaded;  /* which; NULL: none */
};

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* Frames can be read without it. */
static weft_result cache_open_scene(weft_cache *c, weft_error *e)
{
    weft_result r = cache_scene_read(&c->packer, &c->file, &c->chunks.items[c->chunks.scene], &c->scene, e);
    if (r != WEFT_ERROR_CHECKSUM)
        return r;
    c->scene = heap_array(1, 1);
    return c->scene ? WEFT_OK : fault_memory(e);
}

static weft_result cache_open_parts(weft_cache *c, weft_error *e)
{
    weft_result r = cache_file_open(&c->file, c->path, false, e);
    if (r >= 0)
        r = cache_chunks_find(&c->chunks, &c->file, e);
    if (r >= 0)
        r = cache_head_read(&c->head, &c->file, &c->chunks.items[0], e);
    if (r >= 0)
        r = cache_open_scene(c, e);
    if (r < 0)
        return r;
    c->topologies = heap_array(c->chunks.n_topologies, sizeof *c->topologies);
    return c->topologies ? WEFT_OK : fault_memory(e);
}

weft_result weft_cache_open(const char *path, weft_cache **out, weft_error *e)
{
    if (!path || !out)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_cache_open needs a path and a place for the cache");
    weft_cache *c = heap_array(1, sizeof *c);
    if (!c)
        return fault_memory(e);
    c->file.fd = -1;
    c->path = strdup(path);
    weft_result r = c->path ? cache_open_parts(c, e) : fault_memory(e);
    if (r < 0)
        weft_cache_free(c);
    else
        *out = c;
    return r;
}

void weft_cache_free(weft_cache *c)
{
    if (!c)
        return;
    if (c->file.fd >= 0)
        close(c->file.fd);
    for (size_t i = 0; c->topologies && i < c->chunks.n_topologies; i++) {
        if (c->topologies[i])
            cache_topology_free(c->topologies[i]);
        free(c->topologies[i]);
    }
    free(c->topologies);
    cache_chunks_free(&c->chunks);
    cache_head_free(&c->head);
    cache_packer_free(&c->packer);
    text_free(&c->content);
    free(c->scene);
    free(c->path);
    free(c);
}

/* ---- what it says ----------------------------------------------------------------------------------------------- */

static uint64_t sum_sizes(const cache_chunks *all, const size_t *which, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += CACHE_CHUNK_HEAD_SIZE + all->items[which[i]].size;
    return sum;
}

weft_cache_info weft_cache_get_info(const weft_cache *c)
{
    const cache_chunks *all = &c->chunks;
    return (weft_cache_info){.fps = c->head.fps,
                             .n_cloths = c->head.n_cloths,
                             .n_frames = (int32_t)all->n_frames,
                             .n_restarts = (int32_t)all->n_restarts,
                             .n_columns = c->head.n_columns,
                             .was_closed = all->was_closed,
                             .torn = all->torn,
                             .lost_bytes = all->dead_bytes,
                             .size = c->file.size,
                             .frame_bytes = sum_sizes(all, all->frames, all->n_frames),
                             .restart_bytes = sum_sizes(all, all->restarts, all->n_restarts),
                             .scene = c->scene};
}

const char *weft_cache_cloth_name(const weft_cache *c, int32_t cloth)
{
    return cloth >= 0 && cloth < c->head.n_cloths ? c->head.names[cloth] : NULL;
}

const char *weft_cache_column_name(const weft_cache *c, int32_t column)
{
    return column >= 0 && column < c->head.n_columns ? c->head.names[c->head.n_cloths + column] : NULL;
}

/* ---- chunks ----------------------------------------------------------------------------------------------------- */

static weft_result check_frame_and_cloth(const weft_cache *c, int32_t frame, int32_t cloth, weft_error *e)
{
    if (!c)
        return fault(e, WEFT_ERROR_ARGUMENT, "no cache to read from");
    if (frame < 0 || (size_t)frame >= c->chunks.n_frames)
        return fault(e, WEFT_ERROR_INDEX, "%s: there is no frame %d, it has %u", c->path, (int)frame,
                     (unsigned)c->chunks.n_frames);
    if (cloth < 0 || (cloth > 0 && cloth >= c->head.n_cloths))
        return fault(e, WEFT_ERROR_INDEX, "%s: there is no cloth %d, it has %d", c->path, (int)cloth,
                     (int)c->head.n_cloths);
    return WEFT_OK;
}

/* The content of a chunk, from the file unless it was the last one read. */
static weft_result load_chunk(weft_cache *c, const cache_chunk *chunk, const char *what, cache_in *in, weft_error *e)
{
    if (c->loaded != chunk) {
        char name[64];
        snprintf(name, sizeof name, "%s %u", what, (unsigned)chunk->number);
        c->loaded = NULL;
        weft_result r = cache_chunk_read(&c->file, chunk, name, &c->content, e);
        if (r < 0)
            return r;
        c->loaded = chunk;
    }
    *in = (cache_in){(const uint8_t *)c->content.bytes, c->content.n, false};
    return WEFT_OK;
}

static weft_result load_frame(weft_cache *c, int32_t frame, cache_in *in, weft_error *e)
{
    return load_chunk(c, &c->chunks.items[c->chunks.frames[frame]], "frame", in, e);
}

static weft_result fault_unpack(const weft_cache *c, cache_unpacked u, const char *what, uint32_t number, weft_error *e)
{
    if (u == CACHE_UNPACK_MEMORY)
        return fault_memory(e);
    return fault(e, WEFT_ERROR_FORMAT, "%s: %s %u makes no sense, though its check sum is right", c->path, what,
                 (unsigned)number);
}

/* ---- topologies ------------------------------------------------------------------------------------------------- */

/* Every node takes room in a frame, so there cannot be more than the file has room for. */
static bool topology_is_plausible(const weft_cache *c, const weft_topology *t, const cache_chunk *chunk)
{
    return (uint32_t)t->cloth == chunk->cloth && (uint64_t)t->n_nodes * 3 / CACHE_RATIO < c->file.size;
}

static weft_result read_topology(weft_cache *c, const cache_chunk *chunk, weft_topology **out, weft_error *e)
{
    cache_in in;
    weft_result r = load_chunk(c, chunk, "the topology from frame", &in, e);
    if (r < 0)
        return r;
    weft_topology *t = heap_array(1, sizeof *t);
    if (!t)
        return fault_memory(e);
    cache_unpacked u = cache_take_topology(&c->packer, &in, t);
    if (u == CACHE_UNPACKED && !topology_is_plausible(c, t, chunk))
        u = CACHE_UNPACK_WRONG;
    if (u == CACHE_UNPACKED) {
        *out = t;
        return WEFT_OK;
    }
    cache_topology_free(t);
    free(t);
    return fault_unpack(c, u, "the topology from frame", chunk->number, e);
}

weft_result weft_cache_get_topology(weft_cache *c, int32_t frame, int32_t cloth, const weft_topology **out,
                                    weft_error *e)
{
    if (!out)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_cache_get_topology needs a place for the topology");
    weft_result r = check_frame_and_cloth(c, frame, cloth, e);
    if (r < 0)
        return r;
    size_t i;
    if (!cache_chunks_topology(&c->chunks, frame, cloth, &i))
        return fault(e, WEFT_ERROR_FORMAT, "%s: cloth %d has no topology at frame %d", c->path, (int)cloth, (int)frame);
    if (!c->topologies[i])
        r = read_topology(c, &c->chunks.items[c->chunks.topologies[i]], &c->topologies[i], e);
    if (r >= 0)
        *out = c->topologies[i];
    return r;
}

/* ---- frames ----------------------------------------------------------------------------------------------------- */

weft_result weft_cache_read_head(weft_cache *c, int32_t frame, double *time, uint64_t *hash, double *columns,
                                 weft_error *e)
{
    weft_result r = check_frame_and_cloth(c, frame, 0, e);
    cache_in in;
    if (r >= 0)
        r = load_frame(c, frame, &in, e);
    if (r < 0)
        return r;
    size_t n_columns = (size_t)c->head.n_columns;
    if (in.left < 16 + 8 * n_columns)
        return fault_unpack(c, CACHE_UNPACK_WRONG, "frame", (uint32_t)frame, e);
    double at = cache_take_f64(&in);
    uint64_t sum = cache_take_u64(&in);
    if (time)
        *time = at;
    if (hash)
        *hash = sum;
    for (size_t i = 0; columns && i < n_columns; i++)
        columns[i] = cache_take_f64(&in);
    return WEFT_OK;
}

/* The part of a frame of this number: positions of cloth after cloth, then, if there are any, contacts likewise.
 * *absent: it ends before. */
static bool find_part(const weft_cache *c, int32_t number, cache_in *in, bool *absent)
{
    *absent = false;
    cache_take(in, 16 + 8 * (size_t)c->head.n_columns);
    for (int32_t i = 0;; i++) {
        if (i == c->head.n_cloths && in->left == 0 && !in->failed) {
            *absent = true;
            return true;
        }
        uint64_t size = cache_take_u64(in);
        in->failed = in->failed || size > in->left;
        const uint8_t *at = in->failed ? NULL : cache_take(in, (size_t)size);
        if (in->failed)
            return false;
        if (i == number) {
            *in = (cache_in){at, (size_t)size, false};
            return true;
        }
    }
}

/* Finds the part of a frame with `first` plus a cloth for its number, of a cloth that has n nodes. */
static weft_result open_part(weft_cache *c, int32_t frame, int32_t cloth, int32_t first, int32_t n, cache_in *in,
                             bool *absent, weft_error *e)
{
    const weft_topology *t;
    weft_result r = weft_cache_get_topology(c, frame, cloth, &t, e);
    if (r < 0)
        return r;
    if (n != t->n_nodes)
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: cloth %d has %d nodes at frame %d, there is room for %d", c->path,
                     (int)cloth, (int)t->n_nodes, (int)frame, (int)n);
    r = load_frame(c, frame, in, e);
    if (r >= 0 && !find_part(c, first + cloth, in, absent))
        r = fault_unpack(c, CACHE_UNPACK_WRONG, "frame", (uint32_t)frame, e);
    return r;
}

weft_result weft_cache_read_positions(weft_cache *c, int32_t frame, int32_t cloth, weft_vec3 *out, int32_t n,
                                      weft_error *e)
{
    cache_in in;
    bool absent;
    weft_result r = open_part(c, frame, cloth, 0, out ? n : 0, &in, &absent, e);
    if (r < 0)
        return r;
    cache_unpacked u = absent ? CACHE_UNPACK_WRONG : cache_take_positions(&c->packer, &in, out, (size_t)n);
    return u == CACHE_UNPACKED ? WEFT_OK : fault_unpack(c, u, "frame", (uint32_t)frame, e);
}

weft_result weft_cache_read_contacts(weft_cache *c, int32_t frame, int32_t cloth, double *pressures, uint8_t *squeezed,
                                     int32_t n, weft_error *e)
{
    cache_in in;
    bool absent;
    weft_result r = open_part(c, frame, cloth, c ? c->head.n_cloths : 0, n, &in, &absent, e);
    if (r < 0)
        return r;
    for (int32_t i = 0; absent && i < n; i++) {
        if (pressures)
            pressures[i] = (double)NAN;
        if (squeezed)
            squeezed[i] = 0;
    }
    cache_unpacked u = absent ? CACHE_UNPACKED : cache_take_contacts(&c->packer, &in, pressures, squeezed, (size_t)n);
    return u == CACHE_UNPACKED ? WEFT_OK : fault_unpack(c, u, "frame", (uint32_t)frame, e);
}

/* ---- restart points --------------------------------------------------------------------------------------------- */

static const cache_chunk *find_restart(const cache_chunks *all, int32_t frame)
{
    for (size_t i = all->n_restarts; i-- > 0;)
        if ((int64_t)all->items[all->restarts[i]].number <= frame)
            return &all->items[all->restarts[i]];
    return NULL;
}

static cache_unpacked take_restart(cache_packer *p, cache_in *in, uint8_t *bytes, size_t size)
{
    size_t n = size / 8;
    cache_unpacked u = cache_unpack_words(p, in, n);
    const uint8_t *rest = u == CACHE_UNPACKED ? cache_take(in, size - 8 * n) : NULL;
    if (u != CACHE_UNPACKED || !rest)
        return u != CACHE_UNPACKED ? u : CACHE_UNPACK_WRONG;
    for (size_t i = 0; i < 8 * n; i++)
        bytes[i] = (uint8_t)(p->words[i / 8] >> (8 * (i % 8)));
    if (size > 8 * n)
        memcpy(bytes + 8 * n, rest, size - 8 * n);
    return CACHE_UNPACKED;
}

weft_result weft_cache_read_restart(weft_cache *c, int32_t frame, int32_t *at, void *bytes, size_t *size, weft_error *e)
{
    if (!c || !at || !size)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_cache_read_restart needs a cache, a frame and a size");
    const cache_chunk *chunk = find_restart(&c->chunks, frame);
    *at = chunk ? (int32_t)chunk->number : -1;
    size_t room = *size;
    *size = 0;
    if (!chunk)
        return WEFT_OK;
    cache_in in;
    weft_result r = load_chunk(c, chunk, "the restart point of frame", &in, e);
    if (r < 0)
        return r;
    uint64_t stored = cache_take_u64(&in);
    cache_unpacked u = CACHE_UNPACK_WRONG;
    if (!in.failed && stored / 8 / CACHE_RATIO < in.left) {
        *size = (size_t)stored;
        if (!bytes)
            return WEFT_OK;
        if (room < *size)
            return fault(e, WEFT_ERROR_ARGUMENT, "%s: the restart point has %llu bytes, there is room for %llu",
                         c->path, (unsigned long long)stored, (unsigned long long)room);
        u = take_restart(&c->packer, &in, bytes, *size);
    }
    return u == CACHE_UNPACKED ? WEFT_OK : fault_unpack(c, u, "the restart point of frame", chunk->number, e);
}

/* ---- scenes ----------------------------------------------------------------------------------------------------- */

weft_result weft_cache_read_scene(weft_cache *c, int32_t frame, int32_t *first, char **out, weft_error *e)
{
    if (!first || !out)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_cache_read_scene needs a place for the text and its frame");
    weft_result r = check_frame_and_cloth(c, frame, 0, e);
    if (r < 0)
        return r;
    const cache_chunk *found = &c->chunks.items[1];
    for (size_t i = 2; i < c->chunks.n && c->chunks.items[i].number <= (uint32_t)frame; i++)
        if (c->chunks.items[i].kind == CACHE_SCENE)
            found = &c->chunks.items[i];
    *first = (int32_t)found->number;
    return cache_scene_read(&c->packer, &c->file, found, out, e);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

/* What a chunk is, in words that its number may follow. */
static const char *chunk_words(uint32_t kind)
{
    switch (kind) {
    case CACHE_TOPOLOGY: return "the topology from frame";
    case CACHE_FRAME: return "frame";
    case CACHE_RESTART: return "the restart point of frame";
    case CACHE_SCENE: return "the scene's text from frame";
    default: return "the head from frame";
    }
}

static weft_result check_positions(weft_cache *c, int32_t frame, weft_error *e)
{
    weft_result r = weft_cache_read_head(c, frame, NULL, NULL, NULL, e);
    for (int32_t i = 0; i < c->head.n_cloths && r >= 0; i++) {
        const weft_topology *t;
        r = weft_cache_get_topology(c, frame, i, &t, e);
        if (r < 0)
            return r;
        weft_vec3 *positions = heap_array((size_t)t->n_nodes + 1, sizeof *positions);
        r = positions ? weft_cache_read_positions(c, frame, i, positions, t->n_nodes, e) : fault_memory(e);
        r = r < 0 ? r : weft_cache_read_contacts(c, frame, i, NULL, NULL, t->n_nodes, e);
        free(positions);
    }
    return r;
}

static weft_result check_restart(weft_cache *c, int32_t frame, weft_error *e)
{
    int32_t at;
    size_t size = 0;
    weft_result r = weft_cache_read_restart(c, frame, &at, NULL, &size, e);
    if (r < 0)
        return r;
    void *bytes = heap_array(size + 1, 1);
    r = bytes ? weft_cache_read_restart(c, frame, &at, bytes, &size, e) : fault_memory(e);
    free(bytes);
    return r;
}

static weft_result check_chunk(weft_cache *c, const cache_chunk *chunk, weft_error *e)
{
    char name[64];
    cache_in in;
    const char *words = chunk_words(chunk->kind);
    snprintf(name, sizeof name, "%s %u", words, (unsigned)chunk->number);
    weft_result r = cache_chunk_check_head(&c->file, chunk, name, e);
    r = r < 0 ? r : load_chunk(c, chunk, words, &in, e);
    if (r >= 0 && chunk->kind == CACHE_FRAME)
        r = check_positions(c, (int32_t)chunk->number, e);
    if (r >= 0 && chunk->kind == CACHE_RESTART)
        r = check_restart(c, (int32_t)chunk->number, e);
    return r;
}

static weft_result check_end(const weft_cache *c, weft_error *e)
{
    const cache_chunks *all = &c->chunks;
    if (!all->torn)
        return WEFT_OK;
    if (all->dead_bytes == 0)
        return fault(e, WEFT_ERROR_CHECKSUM, "%s: the index at its end is damaged", c->path);
    return fault(e, WEFT_ERROR_CHECKSUM,
                 "%s: damaged or torn out from byte %llu on: %llu bytes follow that are no frame", c->path,
                 (unsigned long long)all->end, (unsigned long long)all->dead_bytes);
}

weft_result weft_cache_check(weft_cache *c, weft_cache_damage *out, weft_error *e)
{
    if (!c || !out)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_cache_check needs a cache and a place for what it finds");
    *out = (weft_cache_damage){0};
    weft_result r = WEFT_OK;
    for (size_t i = 0; i < c->chunks.n && r >= 0; i++) {
        const cache_chunk *chunk = &c->chunks.items[i];
        r = check_chunk(c, chunk, &out->what);
        out->n_frames += r >= 0 && chunk->kind == CACHE_FRAME;
        out->n_frames -= r < 0 && chunk->kind == CACHE_RESTART; /* it stays as long as its frame */
    }
    r = r < 0 ? r : check_end(c, &out->what);
    if (r == WEFT_ERROR_MEMORY)
        return fault_memory(e);
    out->found = r < 0;
    return WEFT_OK;
}
