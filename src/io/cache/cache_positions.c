/* SPDX-License-Identifier: MIT */
/* One column for a frame: all x, then y, then z, as integers of 2^-places where that loses nothing, else as bits. */
#include "io/cache/cache_positions.h"

#include "io/params.h"

#include <math.h>

#define POSITIONS_AS_BITS 0xFFFFFFFFu /* in place of the number of binary places */

static double position_axis(const weft_vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

/* All x, then all y, then all z, as integers of 2^-places; false if one is not exactly that. */
static bool positions_to_grid(const weft_vec3 *positions, size_t n, uint32_t places, uint64_t *words)
{
    const double scale = ldexp(1, (int)places), unit = 1 / scale;
    uint64_t wrong = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < n; i++) {
            double x = position_axis(&positions[i], axis), scaled = x * scale;
            if (!(fabs(scaled) < 0x1p62))
                return false;
            int64_t q = (int64_t)scaled;
            wrong |= cache_bits((double)q * unit) ^ cache_bits(x);
            *words++ = (uint64_t)q;
        }
        if (wrong)
            return false;
    }
    return true;
}

static void positions_to_bits(const weft_vec3 *positions, size_t n, uint64_t *words)
{
    for (int axis = 0; axis < 3; axis++)
        for (size_t i = 0; i < n; i++)
            *words++ = cache_bits(position_axis(&positions[i], axis));
}

void cache_put_positions(cache_packer *p, text *out, const weft_vec3 *positions, size_t n)
{
    static const uint32_t tried[] = {32, 44}; /* what the simulation uses; 44 within its contacts */
    if (!cache_packer_words(p, 3 * n + 1)) {
        out->failed = true;
        return;
    }
    uint32_t places = POSITIONS_AS_BITS;
    for (size_t k = 0; k < sizeof tried / sizeof *tried && places == POSITIONS_AS_BITS; k++)
        if (positions_to_grid(positions, n, tried[k], p->words))
            places = tried[k];
    if (places == POSITIONS_AS_BITS)
        positions_to_bits(positions, n, p->words);
    cache_put_u32(out, (uint32_t)n);
    cache_put_u32(out, places);
    cache_pack_words(p, out, 3 * n, 2);
}

static double position_from_word(uint64_t word, uint32_t places, double unit)
{
    if (places == POSITIONS_AS_BITS)
        return cache_double(word);
    return (word >> 63 ? -(double)(0 - word) : (double)word) * unit;
}

cache_unpacked cache_take_positions(cache_packer *p, cache_in *in, weft_vec3 *positions, size_t n)
{
    uint32_t stored = cache_take_u32(in), places = cache_take_u32(in);
    if (in->failed || stored != n || (places > CACHE_MOST_PLACES && places != POSITIONS_AS_BITS))
        return CACHE_UNPACK_WRONG;
    cache_unpacked r = cache_unpack_words(p, in, 3 * n);
    if (r != CACHE_UNPACKED)
        return r;
    const double unit = places == POSITIONS_AS_BITS ? 1 : ldexp(1, -(int)places);
    const uint64_t *x = p->words, *y = x + n, *z = y + n;
    for (size_t i = 0; i < n; i++) {
        positions[i].x = position_from_word(x[i], places, unit);
        positions[i].y = position_from_word(y[i], places, unit);
        positions[i].z = position_from_word(z[i], places, unit);
    }
    return CACHE_UNPACKED;
}
