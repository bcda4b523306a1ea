/* SPDX-License-Identifier: MIT */
/* The container: a signature, then chunks without gaps, then (once closed) the index and a footer that says where it
 * is. The index is all chunks' heads, one after the other: opening a closed file and scanning an open one are the same
 * walk over heads. docs/cache.md has the bytes. */
#ifndef WEFT_IO_CACHE_CACHE_CHUNK_H
#define WEFT_IO_CACHE_CACHE_CHUNK_H

#include "io/cache/cache_bytes.h"

#define CACHE_VERSION 1u
#define CACHE_SIGNATURE_SIZE 16
#define CACHE_CHUNK_HEAD_SIZE 40
#define CACHE_FOOTER_SIZE 24

/* Four letters each, in the order of the bytes. */
typedef enum cache_kind {
    CACHE_HEAD = 0x44414548,     /* HEAD: names, fps; the first chunk */
    CACHE_SCENE = 0x4E454353,    /* SCEN: text; the second chunk, and again when a run goes on with another one */
    CACHE_TOPOLOGY = 0x4F504F54, /* TOPO */
    CACHE_FRAME = 0x4D415246,    /* FRAM */
    CACHE_RESTART = 0x54534552,  /* REST */
    CACHE_INDEX = 0x58444E49     /* INDX */
} cache_kind;

typedef struct cache_chunk {
    uint32_t kind;
    uint32_t number; /* of the frame, or of the first frame that it holds for */
    uint32_t cloth;  /* of a topology; else 0 */
    uint64_t offset; /* of its head in the file */
    uint64_t size;   /* of what follows the head */
    uint64_t sum;    /* of what follows the head */
} cache_chunk;

typedef struct cache_chunks {
    cache_chunk *items;
    size_t n;
    int64_t room;
    /* Which of them are frames, restart points, topologies. */
    size_t *frames, *restarts, *topologies;
    size_t n_frames, n_restarts, n_topologies;
    int64_t room_frames, room_restarts, room_topologies;
    size_t scene;        /* the last one */
    uint64_t end;        /* of the last chunk, in the file */
    uint64_t dead_bytes; /* in the file behind that */
    bool was_closed;
    bool torn; /* what is behind that is not the beginning of what a writer would have put there */
} cache_chunks;

extern const uint8_t cache_signature[8], cache_footer[8];

void cache_put_signature(text *out);
void cache_put_footer(text *out, uint64_t index_offset);
void cache_put_chunk_head(text *out, const cache_chunk *c);
/* False: its own sum is wrong. Does not set the offset. */
bool cache_take_chunk_head(cache_in *in, cache_chunk *c);
/* Fills the head, which is at out->bytes, of a chunk whose content follows up to the end of out. */
void cache_seal_chunk(text *out, cache_chunk *c);

/* All that a closed file has behind its last chunk: the index and the footer. Empties out first. */
void cache_put_index(text *out, const cache_chunks *all);

/* Whether a chunk may come next. */
bool cache_chunk_fits(const cache_chunks *all, const cache_chunk *c);
/* Takes it in; c->offset is set. False: out of memory, and all is as it was. */
bool cache_chunks_add(cache_chunks *all, cache_chunk *c);
void cache_chunks_remove_last(cache_chunks *all);
/* Keeps only what belongs to frames up to `frame` (-1: none). */
void cache_chunks_cut(cache_chunks *all, int32_t frame);
/* Makes it empty, at the start of a file. */
void cache_chunks_clear(cache_chunks *all);
void cache_chunks_free(cache_chunks *all);
/* The topology of a cloth at a frame, or the one that comes next if there is no such frame yet: which of all topologies
 * it is. False: there is none. */
bool cache_chunks_topology(const cache_chunks *all, int32_t frame, int32_t cloth, size_t *which);

#endif
