/* SPDX-License-Identifier: MIT */
/* Heads, signature and footer as bytes, and the list of chunks with its three indices: frames, restart points,
 * topologies. */
#include "io/cache/cache_chunk.h"

#include "base/array.h"

#include <stdlib.h>

/* The first byte and the line ends tell a transfer that took the file for a text. */
const uint8_t cache_signature[8] = {0x89, 'W', 'E', 'F', 'T', '\r', '\n', 0x1A};
const uint8_t cache_footer[8] = {'W', 'E', 'F', 'T', 'e', 'n', 'd', '\n'};

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

void cache_put_signature(text *out)
{
    text_add_bytes(out, cache_signature, sizeof cache_signature);
    cache_put_u32(out, CACHE_VERSION);
    cache_put_u32(out, ~CACHE_VERSION);
}

/* Adds the sum of the n bytes before. */
static void put_sum(text *out, size_t n)
{
    if (!out->failed)
        cache_put_u64(out, cache_hash((const uint8_t *)out->bytes + out->n - n, n));
}

void cache_put_footer(text *out, uint64_t index_offset)
{
    text_add_bytes(out, cache_footer, sizeof cache_footer);
    cache_put_u64(out, index_offset);
    put_sum(out, 16);
}

void cache_put_chunk_head(text *out, const cache_chunk *c)
{
    cache_put_u32(out, c->kind);
    cache_put_u32(out, c->number);
    cache_put_u32(out, c->cloth);
    cache_put_u32(out, 0);
    cache_put_u64(out, c->size);
    cache_put_u64(out, c->sum);
    put_sum(out, 32);
}

void cache_seal_chunk(text *out, cache_chunk *c)
{
    if (out->failed)
        return;
    size_t n = out->n;
    c->size = n - CACHE_CHUNK_HEAD_SIZE;
    c->sum = cache_hash((const uint8_t *)out->bytes + CACHE_CHUNK_HEAD_SIZE, (size_t)c->size);
    out->n = 0;
    cache_put_chunk_head(out, c);
    out->n = n;
}

void cache_put_index(text *out, const cache_chunks *all)
{
    out->n = 0;
    out->failed = false;
    cache_put_space(out, CACHE_CHUNK_HEAD_SIZE);
    for (size_t i = 0; i < all->n; i++)
        cache_put_chunk_head(out, &all->items[i]);
    cache_chunk index = {.kind = CACHE_INDEX};
    cache_seal_chunk(out, &index);
    cache_put_footer(out, all->end);
}

bool cache_take_chunk_head(cache_in *in, cache_chunk *c)
{
    const uint8_t *start = in->at;
    c->kind = cache_take_u32(in);
    c->number = cache_take_u32(in);
    c->cloth = cache_take_u32(in);
    cache_take_u32(in);
    c->size = cache_take_u64(in);
    c->sum = cache_take_u64(in);
    uint64_t sum = cache_take_u64(in);
    return !in->failed && sum == cache_hash(start, 32);
}

/* ---- the list --------------------------------------------------------------------------------------------------- */

bool cache_chunk_fits(const cache_chunks *all, const cache_chunk *c)
{
    if (all->n < 2)
        return c->kind == (all->n == 0 ? CACHE_HEAD : CACHE_SCENE) && c->number == 0;
    switch (c->kind) {
    case CACHE_SCENE:
    case CACHE_TOPOLOGY: return c->number == all->n_frames;
    case CACHE_FRAME: return c->number == all->n_frames && c->number < INT32_MAX;
    case CACHE_RESTART: return all->n_frames > 0 && c->number == all->n_frames - 1;
    default: return false;
    }
}

bool cache_chunks_add(cache_chunks *all, cache_chunk *c)
{
    size_t at = all->n;
    c->offset = all->end;
    if (!ARRAY_PUSH(NULL, all->items, all->n, all->room, *c))
        return false;
    bool added = true;
    if (c->kind == CACHE_FRAME)
        added = ARRAY_PUSH(NULL, all->frames, all->n_frames, all->room_frames, at);
    else if (c->kind == CACHE_RESTART)
        added = ARRAY_PUSH(NULL, all->restarts, all->n_restarts, all->room_restarts, at);
    else if (c->kind == CACHE_TOPOLOGY)
        added = ARRAY_PUSH(NULL, all->topologies, all->n_topologies, all->room_topologies, at);
    else if (c->kind == CACHE_SCENE)
        all->scene = at;
    if (added)
        all->end += CACHE_CHUNK_HEAD_SIZE + c->size;
    else
        all->n = at;
    return added;
}

void cache_chunks_remove_last(cache_chunks *all)
{
    const cache_chunk *c = &all->items[--all->n];
    all->end = c->offset;
    all->n_frames -= c->kind == CACHE_FRAME;
    all->n_restarts -= c->kind == CACHE_RESTART;
    all->n_topologies -= c->kind == CACHE_TOPOLOGY;
    while (all->n > 0 && all->scene > 0 && (all->scene >= all->n || all->items[all->scene].kind != CACHE_SCENE))
        all->scene--;
}

void cache_chunks_cut(cache_chunks *all, int32_t frame)
{
    while (all->n > 2 && (int64_t)all->items[all->n - 1].number > frame)
        cache_chunks_remove_last(all);
}

void cache_chunks_clear(cache_chunks *all)
{
    all->n = all->n_frames = all->n_restarts = all->n_topologies = all->scene = 0;
    all->end = CACHE_SIGNATURE_SIZE;
    all->torn = false;
}

void cache_chunks_free(cache_chunks *all)
{
    free(all->items);
    free(all->frames);
    free(all->restarts);
    free(all->topologies);
    *all = (cache_chunks){0};
}

bool cache_chunks_topology(const cache_chunks *all, int32_t frame, int32_t cloth, size_t *which)
{
    for (size_t i = all->n_topologies; i-- > 0;) {
        const cache_chunk *c = &all->items[all->topologies[i]];
        if (c->number <= (uint32_t)frame && c->cloth == (uint32_t)cloth) {
            *which = i;
            return true;
        }
    }
    return false;
}
