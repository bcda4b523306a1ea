/* SPDX-License-Identifier: MIT */
/* Numbers are put together byte by byte, which compilers turn into one store or load. The check sum takes eight bytes
 * at a time; the length goes in first. */
#include "io/cache/cache_bytes.h"

#include <string.h>

uint8_t *cache_put_space(text *out, size_t n)
{
    return (uint8_t *)text_extend(out, n);
}

static void cache_put_word(text *out, uint64_t v, size_t n)
{
    uint8_t *at = cache_put_space(out, n);
    for (size_t i = 0; at && i < n; i++)
        at[i] = (uint8_t)(v >> (8 * i));
}

void cache_put_u32(text *out, uint32_t v)
{
    cache_put_word(out, v, 4);
}

void cache_put_u64(text *out, uint64_t v)
{
    cache_put_word(out, v, 8);
}

void cache_put_f64(text *out, double v)
{
    cache_put_word(out, cache_bits(v), 8);
}

const uint8_t *cache_take(cache_in *in, size_t n)
{
    in->failed = in->failed || n > in->left;
    if (in->failed)
        return NULL;
    const uint8_t *at = in->at;
    in->at += n;
    in->left -= n;
    return at;
}

uint32_t cache_take_u32(cache_in *in)
{
    const uint8_t *at = cache_take(in, 4);
    return at ? (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24 : 0;
}

uint64_t cache_take_u64(cache_in *in)
{
    const uint8_t *at = cache_take(in, 8);
    return at ? cache_load_u64(at) : 0;
}

double cache_take_f64(cache_in *in)
{
    return cache_double(cache_take_u64(in));
}

uint64_t cache_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

double cache_double(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

uint64_t cache_load_u64(const uint8_t *at)
{
    /* Compilers make one load of it. */
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* A step is one to one in the sum and in the word: whatever is changed within one word changes the sum. */
static uint64_t cache_hash_mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0xD6E8FEB86659FD93u;
    return h ^ h >> 32;
}

uint64_t cache_hash(const uint8_t *bytes, size_t n)
{
    uint64_t h = cache_hash_mix(0x7765667463616368u, n);
    size_t whole = n - n % 8;
    for (size_t i = 0; i < whole; i += 8)
        h = cache_hash_mix(h, cache_load_u64(bytes + i));
    uint64_t rest = 0;
    for (size_t i = whole; i < n; i++)
        rest |= (uint64_t)bytes[i] << (8 * (i - whole));
    return cache_hash_mix(cache_hash_mix(h, rest), 0);
}
