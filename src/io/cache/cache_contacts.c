/* SPDX-License-Identifier: MIT */
/* One column for a frame: the sign bit, which pressures do not need, is for nodes that were left no room. */
#include "io/cache/cache_contacts.h"

#include <string.h>

#define CONTACT_SQUEEZED 0x8000u
#define CONTACT_MOST 0x7F7Fu /* the largest finite one */

/* The upper half of a float, rounded to the nearest. What is not above zero is none. */
static uint32_t word_of_pressure(double pressure)
{
    uint32_t bits;
    float v = pressure < 3e38 ? (float)pressure : 3e38f;
    if (!(pressure > 0))
        return 0;
    memcpy(&bits, &v, sizeof bits);
    bits = (bits + 0x8000u) >> 16;
    return bits < CONTACT_MOST ? bits : CONTACT_MOST;
}

static double pressure_of_word(uint64_t word)
{
    uint32_t bits = (uint32_t)word << 16;
    float v;
    memcpy(&v, &bits, sizeof v);
    return (double)v;
}

void cache_put_contacts(cache_packer *p, text *out, const weft_cache_contacts *contacts, size_t n)
{
    if (!cache_packer_words(p, n + 1)) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++)
        p->words[i] = (contacts->pressures ? word_of_pressure(contacts->pressures[i]) : 0) |
                      (contacts->squeezed && contacts->squeezed[i] ? CONTACT_SQUEEZED : 0);
    cache_put_u32(out, (uint32_t)n);
    cache_pack_words(p, out, n, 0);
}

cache_unpacked cache_take_contacts(cache_packer *p, cache_in *in, double *pressures, uint8_t *squeezed, size_t n)
{
    uint32_t stored = cache_take_u32(in);
    if (in->failed || stored != n)
        return CACHE_UNPACK_WRONG;
    cache_unpacked r = cache_unpack_words(p, in, n);
    for (size_t i = 0; r == CACHE_UNPACKED && i < n; i++) {
        if (p->words[i] > (CONTACT_SQUEEZED | CONTACT_MOST) || (p->words[i] & 0x7FFFu) > CONTACT_MOST)
            return CACHE_UNPACK_WRONG;
        if (pressures)
            pressures[i] = pressure_of_word(p->words[i] & 0x7FFFu);
        if (squeezed)
            squeezed[i] = (p->words[i] & CONTACT_SQUEEZED) != 0;
    }
    return r;
}
