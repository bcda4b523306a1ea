/* SPDX-License-Identifier: MIT */
/* The cache's reader. Every input is read as it is, and again with all check sums made right, so that what they protect
 * is reached, too. */
#define _POSIX_C_SOURCE 200809L
#include "io/cache/cache_chunk.h"

#include <weft/io/cache.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void read_cloth(weft_cache *c, int32_t frame, int32_t cloth)
{
    const weft_topology *t;
    if (weft_cache_get_topology(c, frame, cloth, &t, NULL) < 0)
        return;
    weft_vec3 *positions = malloc(((size_t)t->n_nodes + 1) * sizeof *positions);
    if (positions)
        weft_cache_read_positions(c, frame, cloth, positions, t->n_nodes, NULL);
    double *pressures = malloc(((size_t)t->n_nodes + 1) * sizeof *pressures);
    uint8_t *squeezed = malloc((size_t)t->n_nodes + 1);
    if (pressures && squeezed)
        weft_cache_read_contacts(c, frame, cloth, pressures, squeezed, t->n_nodes, NULL);
    free(pressures);
    free(squeezed);
    free(positions);
}

static void read_restart(weft_cache *c, int32_t frame)
{
    int32_t at;
    size_t size = 0;
    if (weft_cache_read_restart(c, frame, &at, NULL, &size, NULL) < 0)
        return;
    void *bytes = malloc(size + 1);
    if (bytes)
        weft_cache_read_restart(c, frame, &at, bytes, &size, NULL);
    free(bytes);
}

static void read_all(const char *path)
{
    weft_cache *c;
    weft_error e;
    if (weft_cache_open(path, &c, &e) < 0)
        return;
    weft_cache_info info = weft_cache_get_info(c);
    double *columns = calloc((size_t)info.n_columns + 1, sizeof *columns);
    for (int32_t i = 0; columns && i < info.n_frames && i < 16; i++) {
        weft_cache_read_head(c, i, NULL, NULL, columns, &e);
        for (int32_t k = 0; k < info.n_cloths && k < 4; k++)
            read_cloth(c, i, k);
        read_restart(c, i);
    }
    weft_cache_damage damage;
    weft_cache_check(c, &damage, &e);
    free(columns);
    weft_cache_free(c);
}

static void reopen(const char *path)
{
    static const char *const cloths[] = {"sheet", "strip"}, *const columns[] = {"nodes", "stretch"};
    weft_cache_writer *w;
    weft_cache_def def = weft_cache_def_default();
    def.fps = 30;
    def.n_cloths = def.n_columns = 2;
    def.cloth_names = cloths;
    def.column_names = columns;
    def.scene = "other";
    if (weft_cache_reopen(path, &def, 0, &w, NULL) >= 0)
        weft_cache_close(w, NULL);
}

static void put_u64(uint8_t *at, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(v >> (8 * i));
}

/* Goes from chunk to chunk, and makes a size that is too big the rest of the file. */
static void make_sums_right(uint8_t *bytes, size_t size)
{
    text start = {0};
    cache_put_signature(&start);
    memcpy(bytes, start.bytes, size < start.n ? size : start.n);
    text_free(&start);
    for (size_t at = CACHE_SIGNATURE_SIZE; at < size && size - at >= CACHE_CHUNK_HEAD_SIZE;) {
        uint8_t *head = bytes + at, *content = head + CACHE_CHUNK_HEAD_SIZE;
        size_t left = size - at - CACHE_CHUNK_HEAD_SIZE;
        uint64_t n = cache_load_u64(head + 16);
        n = n > left ? left : n;
        put_u64(head + 16, n);
        put_u64(head + 24, cache_hash(content, (size_t)n));
        put_u64(head + 32, cache_hash(head, 32));
        at += CACHE_CHUNK_HEAD_SIZE + (size_t)n;
    }
}

static bool write_bytes(int fd, const uint8_t *bytes, size_t size)
{
    return ftruncate(fd, 0) == 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0) { /* a file without a name, that goes away with the process */
        snprintf(path, sizeof path, "/tmp/weft_fuzz_cache_XXXXXX");
        fd = mkstemp(path);
        unlink(path);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    uint8_t *bytes = malloc(size + 1);
    if (fd < 0 || !bytes)
        abort();
    memcpy(bytes, data, size);
    if (write_bytes(fd, bytes, size))
        read_all(path);
    make_sums_right(bytes, size);
    if (write_bytes(fd, bytes, size)) {
        read_all(path);
        reopen(path);
    }
    free(bytes);
    return 0;
}
