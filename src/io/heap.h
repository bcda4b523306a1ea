/* SPDX-License-Identifier: MIT */
/* Arrays on the C library's heap; free() gives them back. Those that grow are in base/array.h. */
#ifndef WEFT_IO_HEAP_H
#define WEFT_IO_HEAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Zeroed; n 0 gives a pointer that is not NULL. NULL: out of memory, or the product is too big. */
static inline void *heap_array(size_t n, size_t item_size)
{
    return n > PTRDIFF_MAX / item_size ? NULL : calloc(n ? n : 1, item_size);
}

#endif
