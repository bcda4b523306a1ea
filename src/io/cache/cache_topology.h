/* SPDX-License-Identifier: MIT */
/* Topologies of a cache, packed. Both ways they are checked: whoever reads one may use its indices as they are. */
#ifndef WEFT_IO_CACHE_CACHE_TOPOLOGY_H
#define WEFT_IO_CACHE_CACHE_TOPOLOGY_H

#include "io/cache/cache_pack.h"

#include <weft/io/cache.h>

/* What is wrong with a topology, as the end of a sentence; NULL if nothing. */
const char *cache_topology_wrong(const weft_topology *t);
/* The check sum of what it says, however that is packed. *sum is set unless out of memory. */
bool cache_topology_sum(const weft_topology *t, uint64_t *sum);

void cache_put_topology(cache_packer *p, text *out, const weft_topology *t);
/* *out has its own arrays, and is all zero after a failure. */
cache_unpacked cache_take_topology(cache_packer *p, cache_in *in, weft_topology *out);
void cache_topology_free(weft_topology *t); /* its arrays */

#endif
