/* SPDX-License-Identifier: MIT */
/* The bytes of a cache: numbers, least significant byte first on every machine, and the check sum. */
#ifndef WEFT_IO_CACHE_CACHE_BYTES_H
#define WEFT_IO_CACHE_CACHE_BYTES_H

#include "io/text.h"

/* Writing: a text that holds any bytes. n more bytes at its end, to be filled by the caller; NULL: out of memory. */
uint8_t *cache_put_space(text *out, size_t n);
void cache_put_u32(text *out, uint32_t v);
void cache_put_u64(text *out, uint64_t v);
void cache_put_f64(text *out, double v);

/* Reading. After a read beyond the end `failed` is set and all that is read is 0: it is enough to look at the end. */
typedef struct cache_in {
    const uint8_t *at;
    size_t left;
    bool failed;
} cache_in;

const uint8_t *cache_take(cache_in *in, size_t n); /* NULL beyond the end */
uint32_t cache_take_u32(cache_in *in);
uint64_t cache_take_u64(cache_in *in);
double cache_take_f64(cache_in *in);

uint64_t cache_bits(double v);
double cache_double(uint64_t bits);
uint64_t cache_load_u64(const uint8_t *at);

uint64_t cache_hash(const uint8_t *bytes, size_t n);

#endif
