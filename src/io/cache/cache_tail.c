/* SPDX-License-Identifier: MIT */
/* Unfinished or damaged? A writer appends one chunk after the other, each with one call, and an index at the end. One
 * that is stopped leaves the beginning of what it was writing, and nothing else. So bytes were changed or torn out
 * if, behind the last complete chunk,
 *
 * 1. there is no head although there is room for one, or a head of what cannot come next;
 * 2. there is the head of a chunk that is longer than what is left, but its bytes hold the head of another one, or the
 *    file ends with a footer: what is missing was not missing at its end;
 * 3. there is an index that is not the one of the chunks before it. */
#include "io/cache/cache_tail.h"

#include <string.h>

#define TAIL_BLOCK 65536

static bool is_kind(uint32_t kind)
{
    return kind == CACHE_HEAD || kind == CACHE_SCENE || kind == CACHE_TOPOLOGY || kind == CACHE_FRAME ||
           kind == CACHE_RESTART || kind == CACHE_INDEX;
}

/* Whether n bytes, too few for a head, may be the beginning of one. */
static bool may_begin_head(const cache_chunks *all, const uint8_t *bytes, size_t n)
{
    cache_in in = {bytes, n, false};
    cache_chunk c = {.kind = cache_take_u32(&in)};
    c.number = cache_take_u32(&in); /* initialisers have no order */
    if (n < 4)
        return true;
    return is_kind(c.kind) && (n < 8 || c.kind == CACHE_INDEX || cache_chunk_fits(all, &c));
}

static bool holds_head(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i + CACHE_CHUNK_HEAD_SIZE <= n; i++) {
        cache_in kind = {bytes + i, 4, false}, in = {bytes + i, CACHE_CHUNK_HEAD_SIZE, false};
        cache_chunk c;
        if (is_kind(cache_take_u32(&kind)) && cache_take_chunk_head(&in, &c))
            return true;
    }
    return false;
}

/* Whether the file ends with a footer. */
static weft_result find_footer(const cache_file *f, uint64_t start, bool *found, weft_error *e)
{
    uint8_t bytes[CACHE_FOOTER_SIZE];
    *found = false;
    if (f->size - start < sizeof bytes)
        return WEFT_OK;
    weft_result r = cache_file_read(f, f->size - sizeof bytes, bytes, sizeof bytes, e);
    *found = r >= 0 && memcmp(bytes, cache_footer, sizeof cache_footer) == 0 &&
             cache_load_u64(bytes + 16) == cache_hash(bytes, 16);
    return r;
}

/* Whether there is a head anywhere from `start` on. Blocks overlap by what a head may lack. */
static weft_result find_head(const cache_file *f, uint64_t start, bool *found, weft_error *e)
{
    text block = {0};
    uint8_t *bytes = cache_put_space(&block, TAIL_BLOCK);
    weft_result r = bytes ? WEFT_OK : fault_memory(e);
    *found = false;
    while (r >= 0 && !*found && f->size - start >= CACHE_CHUNK_HEAD_SIZE) {
        size_t n = f->size - start < TAIL_BLOCK ? (size_t)(f->size - start) : TAIL_BLOCK;
        r = cache_file_read(f, start, bytes, n, e);
        *found = r >= 0 && holds_head(bytes, n);
        start += n - CACHE_CHUNK_HEAD_SIZE + 1;
    }
    text_free(&block);
    return r;
}

/* Whether the file goes on as index and footer do, up to its end. */
static weft_result check_index(cache_chunks *all, const cache_file *f, weft_error *e)
{
    text wanted = {0}, found = {0};
    uint64_t n = f->size - all->end;
    cache_put_index(&wanted, all);
    all->torn = n > wanted.n;
    uint8_t *bytes = all->torn || wanted.failed ? NULL : cache_put_space(&found, (size_t)n);
    weft_result r = wanted.failed || found.failed ? fault_memory(e) : WEFT_OK;
    if (r >= 0 && bytes)
        r = cache_file_read(f, all->end, bytes, (size_t)n, e);
    if (r >= 0 && bytes)
        all->torn = memcmp(bytes, wanted.bytes, (size_t)n) != 0;
    text_free(&wanted);
    text_free(&found);
    return r;
}

weft_result cache_tail_check(cache_chunks *all, const cache_file *f, bool *is_index, weft_error *e)
{
    uint8_t bytes[CACHE_CHUNK_HEAD_SIZE];
    uint64_t left = f->size - all->end;
    size_t n = left < sizeof bytes ? (size_t)left : sizeof bytes;
    cache_in in = {bytes, n, false};
    cache_chunk c;
    *is_index = false;
    weft_result r = cache_file_read(f, all->end, bytes, n, e);
    if (r < 0 || n < sizeof bytes) {
        all->torn = r >= 0 && !may_begin_head(all, bytes, n);
        return r;
    }
    bool has_head = cache_take_chunk_head(&in, &c);
    *is_index = has_head && c.kind == CACHE_INDEX;
    if (*is_index)
        return check_index(all, f, e);
    all->torn = !has_head || !cache_chunk_fits(all, &c);
    if (!all->torn)
        r = find_footer(f, all->end, &all->torn, e);
    if (r >= 0 && !all->torn)
        r = find_head(f, all->end + CACHE_CHUNK_HEAD_SIZE, &all->torn, e);
    return r;
}
