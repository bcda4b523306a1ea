/* SPDX-License-Identifier: MIT */
/* A stable sort that asks for no memory of its own: the same order everywhere, and a failure is the caller's to
 * see. */
#ifndef WEFT_BASE_SORT_H
#define WEFT_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Negative: a before b; 0: either way, they stay as they are. */
typedef int (*sort_order)(const void *a, const void *b);

/* Sorts n items of `size` bytes; scratch has room for as many. */
void sort_items(void *items, void *scratch, int64_t n, size_t size, sort_order order);

#endif
