/* SPDX-License-Identifier: MIT */
/* A file is opened by its index where that is whole, and by walking from head to head where it is not: after a crash
 * all complete chunks are there. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "io/cache/cache_file.h"

#include "io/cache/cache_tail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

weft_result cache_file_open(cache_file *f, const char *path, bool to_write, weft_error *e)
{
    struct stat info;
    *f = (cache_file){.fd = -1, .path = path};
    errno = 0;
    if (stat(path, &info) != 0)
        return fault_errno(e, path);
    if (!S_ISREG(info.st_mode))
        return fault(e, WEFT_ERROR_FILE, "%s: not a file", path);
    f->fd = open(path, (to_write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (f->fd < 0 || fstat(f->fd, &info) != 0)
        return fault_errno(e, path);
    f->size = (uint64_t)info.st_size;
    return WEFT_OK;
}

weft_result cache_file_read(const cache_file *f, uint64_t offset, uint8_t *bytes, size_t n, weft_error *e)
{
    while (n > 0) {
        errno = 0;
        ssize_t got = pread(f->fd, bytes, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fault_errno(e, f->path);
        if (got == 0)
            return fault(e, WEFT_ERROR_FILE, "%s: became shorter while it was read", f->path);
        bytes += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return WEFT_OK;
}

weft_result cache_chunk_read(const cache_file *f, const cache_chunk *c, const char *what, text *out, weft_error *e)
{
    out->n = 0;
    out->failed = false;
    uint8_t *bytes = c->size < SIZE_MAX ? cache_put_space(out, (size_t)c->size) : NULL;
    if (!bytes)
        return fault_memory(e);
    weft_result r = cache_file_read(f, c->offset + CACHE_CHUNK_HEAD_SIZE, bytes, out->n, e);
    if (r < 0)
        return r;
    if (cache_hash(bytes, out->n) != c->sum)
        return fault(e, WEFT_ERROR_CHECKSUM, "%s: %s is damaged: its check sum is wrong", f->path, what);
    return WEFT_OK;
}

weft_result cache_chunk_check_head(const cache_file *f, const cache_chunk *c, const char *what, weft_error *e)
{
    uint8_t bytes[CACHE_CHUNK_HEAD_SIZE];
    cache_in in = {bytes, sizeof bytes, false};
    cache_chunk found;
    weft_result r = cache_file_read(f, c->offset, bytes, sizeof bytes, e);
    if (r < 0)
        return r;
    if (!cache_take_chunk_head(&in, &found) || found.kind != c->kind || found.number != c->number ||
        found.cloth != c->cloth || found.size != c->size || found.sum != c->sum)
        return fault(e, WEFT_ERROR_CHECKSUM, "%s: the head of %s is damaged", f->path, what);
    return WEFT_OK;
}

static weft_result check_signature(const cache_file *f, weft_error *e)
{
    uint8_t bytes[CACHE_SIGNATURE_SIZE];
    if (f->size == 0)
        return fault(e, WEFT_ERROR_FORMAT, "%s: not a Weft cache: it is empty", f->path);
    if (f->size < sizeof bytes)
        return fault(e, WEFT_ERROR_FORMAT, "%s: not a Weft cache: it has only %u bytes", f->path, (unsigned)f->size);
    weft_result r = cache_file_read(f, 0, bytes, sizeof bytes, e);
    if (r < 0)
        return r;
    if (memcmp(bytes, cache_signature, sizeof cache_signature) != 0)
        return fault(e, WEFT_ERROR_FORMAT, "%s: not a Weft cache: it begins with other bytes", f->path);
    cache_in in = {bytes + 8, 8, false};
    uint32_t version = cache_take_u32(&in), check = cache_take_u32(&in);
    if (version != (uint32_t)~check)
        return fault(e, WEFT_ERROR_CHECKSUM, "%s: the head of this cache is damaged", f->path);
    if (version != CACHE_VERSION)
        return fault(e, WEFT_ERROR_VERSION,
                     "%s: a cache of version %u; this program reads and writes version %u: use the one that wrote it",
                     f->path, (unsigned)version, CACHE_VERSION);
    return WEFT_OK;
}

/* The heads of all chunks from the index; nothing (out->n 0) if there is none, or it is damaged. */
static weft_result cache_read_index(const cache_file *f, text *out, uint64_t *index_offset, weft_error *e)
{
    uint8_t bytes[CACHE_CHUNK_HEAD_SIZE];
    out->n = 0;
    if (f->size < CACHE_SIGNATURE_SIZE + CACHE_CHUNK_HEAD_SIZE + CACHE_FOOTER_SIZE)
        return WEFT_OK;
    uint64_t end = f->size - CACHE_FOOTER_SIZE;
    weft_result r = cache_file_read(f, end, bytes, CACHE_FOOTER_SIZE, e);
    if (r < 0)
        return r;
    cache_in in = {bytes + 8, 16, false};
    uint64_t offset = cache_take_u64(&in), sum = cache_take_u64(&in);
    if (memcmp(bytes, cache_footer, sizeof cache_footer) != 0 || sum != cache_hash(bytes, 16) || offset >= end ||
        end - offset < CACHE_CHUNK_HEAD_SIZE)
        return WEFT_OK;
    r = cache_file_read(f, offset, bytes, CACHE_CHUNK_HEAD_SIZE, e);
    if (r < 0)
        return r;
    in = (cache_in){bytes, sizeof bytes, false};
    cache_chunk index = {.offset = offset};
    if (!cache_take_chunk_head(&in, &index) || index.kind != CACHE_INDEX ||
        index.size != end - offset - CACHE_CHUNK_HEAD_SIZE)
        return WEFT_OK;
    *index_offset = offset;
    r = cache_chunk_read(f, &index, "the index", out, e);
    if (r == WEFT_ERROR_CHECKSUM)
        out->n = 0;
    return r == WEFT_ERROR_CHECKSUM ? WEFT_OK : r;
}

/* Whether a chunk that comes next ends before `end`. */
static bool chunk_has_room(const cache_chunks *all, const cache_chunk *c, uint64_t end)
{
    return end >= all->end && end - all->end >= CACHE_CHUNK_HEAD_SIZE &&
           c->size <= end - all->end - CACHE_CHUNK_HEAD_SIZE;
}

static weft_result add_from_index(cache_chunks *all, const text *index, uint64_t index_offset, weft_error *e)
{
    cache_in in = {(const uint8_t *)index->bytes, index->n, false};
    cache_chunk c;
    while (in.left > 0 && cache_take_chunk_head(&in, &c) && cache_chunk_fits(all, &c) &&
           chunk_has_room(all, &c, index_offset))
        if (!cache_chunks_add(all, &c))
            return fault_memory(e);
    all->was_closed = in.left == 0 && !in.failed && all->end == index_offset && all->n >= 2;
    return WEFT_OK;
}

/* Whether the next chunk in the file is complete, as far as its head tells. */
static weft_result next_in_file(const cache_file *f, const cache_chunks *all, cache_chunk *c, bool *found,
                                weft_error *e)
{
    uint8_t bytes[CACHE_CHUNK_HEAD_SIZE];
    *found = false;
    if (f->size - all->end < sizeof bytes)
        return WEFT_OK;
    weft_result r = cache_file_read(f, all->end, bytes, sizeof bytes, e);
    if (r < 0)
        return r;
    cache_in in = {bytes, sizeof bytes, false};
    if (!cache_take_chunk_head(&in, c))
        return WEFT_OK;
    *found = cache_chunk_fits(all, c) && chunk_has_room(all, c, f->size);
    return WEFT_OK;
}

/* A system that went down may leave the last chunk in full length with other content. */
static weft_result drop_damaged_last(cache_chunks *all, const cache_file *f, text *scratch, weft_error *e)
{
    if (all->n <= 2)
        return WEFT_OK;
    weft_result r = cache_chunk_read(f, &all->items[all->n - 1], "the last part", scratch, e);
    if (r == WEFT_ERROR_CHECKSUM) {
        cache_chunks_remove_last(all);
        all->torn = true;
    }
    return r == WEFT_ERROR_CHECKSUM ? WEFT_OK : r;
}

static weft_result scan_chunks(cache_chunks *all, const cache_file *f, text *scratch, weft_error *e)
{
    bool found, is_index;
    for (;;) {
        cache_chunk c;
        weft_result r = next_in_file(f, all, &c, &found, e);
        if (r < 0)
            return r;
        if (!found)
            break;
        if (!cache_chunks_add(all, &c))
            return fault_memory(e);
    }
    weft_result r = cache_tail_check(all, f, &is_index, e);
    if (r >= 0 && !is_index)
        r = drop_damaged_last(all, f, scratch, e);
    /* Behind the last frame of a file that is damaged at its very end there may be an index: nothing that is missed. */
    all->dead_bytes = is_index ? 0 : f->size - all->end;
    return r;
}

weft_result cache_chunks_find(cache_chunks *all, const cache_file *f, weft_error *e)
{
    *all = (cache_chunks){0};
    weft_result r = check_signature(f, e);
    if (r < 0)
        return r;
    text scratch = {0};
    uint64_t index_offset = 0;
    cache_chunks_clear(all);
    r = cache_read_index(f, &scratch, &index_offset, e);
    if (r >= 0 && scratch.n > 0)
        r = add_from_index(all, &scratch, index_offset, e);
    if (r >= 0 && !all->was_closed) {
        cache_chunks_clear(all);
        r = scan_chunks(all, f, &scratch, e);
    }
    text_free(&scratch);
    if (r >= 0 && all->n < 2)
        r = fault(e, WEFT_ERROR_CHECKSUM, "%s: the head of this cache is damaged or cut off", f->path);
    if (r < 0)
        cache_chunks_free(all);
    return r;
}
