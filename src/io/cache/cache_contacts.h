/* SPDX-License-Identifier: MIT */
/* What pressed on the nodes of a cloth in a frame, and which of them were left no room: 16 bits a node. A pressure is
 * rounded to a float with seven binary places, which is off by 0.4 % at most; colours and plots need no more, and
 * nearly all of a frame is zeros, which take next to nothing. */
#ifndef WEFT_IO_CACHE_CACHE_CONTACTS_H
#define WEFT_IO_CACHE_CACHE_CONTACTS_H

#include "io/cache/cache_pack.h"

#include <weft/io/cache.h>

void cache_put_contacts(cache_packer *p, text *out, const weft_cache_contacts *contacts, size_t n);
/* n must be what is stored. Either of the outputs may be NULL. */
cache_unpacked cache_take_contacts(cache_packer *p, cache_in *in, double *pressures, uint8_t *squeezed, size_t n);

#endif
