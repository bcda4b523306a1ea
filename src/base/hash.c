/* SPDX-License-Identifier: MIT */
/* Each word goes through steps that can be undone (odd multiples, rotations, shifted xors), so two inputs that differ
 * in one word only never collide. The length goes in as the last word: "a" and "a\0" differ, and so do the calls (ab,
 * c) and (a, bc). The two multipliers are odd numbers without structure: the fractions of the golden ratio and of √2,
 * times 2⁶⁴, the second made odd. */
#include "base/hash.h"

#define HASH_MULTIPLIER_1 UINT64_C(0x9e3779b97f4a7c15)
#define HASH_MULTIPLIER_2 UINT64_C(0x6a09e667f3bcc909)

static uint64_t hash_mixed(uint64_t h, uint64_t word)
{
    h ^= word * HASH_MULTIPLIER_1;
    h = ((h << 29) | (h >> 35)) * HASH_MULTIPLIER_2;
    return h ^ (h >> 32);
}

/* Compilers make one load of this where the machine allows. */
static uint64_t hash_word_at(const unsigned char *b)
{
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
           (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    size_t n_whole = n - n % 8;
    for (size_t i = 0; i < n_whole; i += 8)
        h = hash_mixed(h, hash_word_at(b + i));
    if (n_whole < n) {
        uint64_t rest = 0;
        for (size_t i = n_whole; i < n; i++)
            rest |= (uint64_t)b[i] << 8 * (i - n_whole);
        h = hash_mixed(h, rest);
    }
    /* Once more with nothing new, so that the last words reach every bit. */
    return hash_mixed(hash_mixed(h, (uint64_t)n), 0);
}
