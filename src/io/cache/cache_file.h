/* SPDX-License-Identifier: MIT */
/* The file of a cache: finding its chunks and reading them. A closed file has an index at its end; else the walk goes
 * from head to head through the file, up to what was being written. */
#ifndef WEFT_IO_CACHE_CACHE_FILE_H
#define WEFT_IO_CACHE_CACHE_FILE_H

#include "io/cache/cache_chunk.h"
#include "io/fault.h"

typedef struct cache_file {
    int fd;           /* -1: not open */
    const char *path; /* for messages; not its own */
    uint64_t size;    /* when it was opened */
} cache_file;

/* After a failure fd may be open or not. */
weft_result cache_file_open(cache_file *f, const char *path, bool to_write, weft_error *e);

/* n bytes; fewer is a failure. */
weft_result cache_file_read(const cache_file *f, uint64_t offset, uint8_t *bytes, size_t n, weft_error *e);
/* Reads the signature and finds all chunks. */
weft_result cache_chunks_find(cache_chunks *all, const cache_file *f, weft_error *e);
/* The content of a chunk, its sum checked, into `out` (which is emptied first). `what` names it in messages. */
weft_result cache_chunk_read(const cache_file *f, const cache_chunk *c, const char *what, text *out, weft_error *e);
/* Whether the head in the file is the one that is known: those of a closed file were read from its index. */
weft_result cache_chunk_check_head(const cache_file *f, const cache_chunk *c, const char *what, weft_error *e);

#endif
