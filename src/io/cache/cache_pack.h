/* SPDX-License-Identifier: MIT */
/* Columns: rows of 64-bit words, packed without loss. Everything big in a cache is one: positions, indices, restart
 * points.
 *
 * A column is replaced by its differences (of order 0, 1 or 2, whichever come out smallest), small ones of either sign
 * become small numbers, and then it is cut in planes: the lowest byte of every word, the second byte of every word and
 * so on. Low planes are noise, high ones nearly all zero; zstd gets each alone, so that each has its own statistics.
 *
 * Whatever is packed takes at least 1/CACHE_RATIO of its size (zeros fill it up): a reader may refuse what claims more,
 * and a small file cannot make it ask for huge memory. */
#ifndef WEFT_IO_CACHE_CACHE_PACK_H
#define WEFT_IO_CACHE_CACHE_PACK_H

#include "io/cache/cache_bytes.h"
#include "io/params.h"

#include <zstd.h>

/* Scratch memory for packing and unpacking, kept from one call to the next. Zeroed at first. */
typedef struct cache_packer {
    ZSTD_CCtx *pack;
    ZSTD_DCtx *unpack;
    int level;
    uint8_t *plane;
    uint64_t *words, *residuals;
    int64_t room_plane, room_words, room_residuals;
} cache_packer;

void cache_packer_free(cache_packer *p);
/* Room for n words in p->words; false: out of memory. */
bool cache_packer_words(cache_packer *p, size_t n);

/* What went wrong while unpacking. */
typedef enum cache_unpacked { CACHE_UNPACKED, CACHE_UNPACK_MEMORY, CACHE_UNPACK_WRONG } cache_unpacked;

/* Bytes as they are, through zstd. Failures of writing are in out->failed. */
void cache_pack(cache_packer *p, text *out, const uint8_t *bytes, size_t n);
cache_unpacked cache_unpack(cache_packer *p, cache_in *in, uint8_t *bytes, size_t n);

/* A column of the n words in p->words; differences up to that order are tried. */
void cache_pack_words(cache_packer *p, text *out, size_t n, int max_order);
/* n words into p->words, after a look whether there can be so many. */
cache_unpacked cache_unpack_words(cache_packer *p, cache_in *in, size_t n);

#endif
