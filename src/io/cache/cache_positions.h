/* SPDX-License-Identifier: MIT */
/* Positions of a frame, packed without loss. The simulation keeps them on multiples of 2^-32 m: as integers they need
 * half the bits of a double, and what neighbours in the list have in common goes away with differences. Positions that
 * are not on such a grid (or NaN, or -0) are stored by their bits.
 *
 * Measured on a sheet of 76 × 76 nodes that falls on a ball, size over that of the doubles: differences of order 2
 * along the list 0.36, parallelograms of the drawn triangles 0.37, parallelograms of what the two frames before do not
 * foretell 0.31. The last was not worth that a frame needs others to be read. */
#ifndef WEFT_IO_CACHE_CACHE_POSITIONS_H
#define WEFT_IO_CACHE_CACHE_POSITIONS_H

#include "io/cache/cache_pack.h"

#include <weft/base.h>

void cache_put_positions(cache_packer *p, text *out, const weft_vec3 *positions, size_t n);
/* n must be what is stored. */
cache_unpacked cache_take_positions(cache_packer *p, cache_in *in, weft_vec3 *positions, size_t n);

#endif
