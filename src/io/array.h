/* SPDX-License-Identifier: MIT */
/* Arrays that grow, over the C library's heap. Sizes are checked for overflow. */
#ifndef WEFT_IO_ARRAY_H
#define WEFT_IO_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* items has room for *capacity of `size` bytes each; makes it at least `wanted`. False: out of memory, all as it
 * was. */
bool array_reserve(void **items, size_t *capacity, size_t wanted, size_t size);

/* An array is three variables: T *items; size_t n, capacity. ARRAY_PUSH(items, n, capacity, value): false if out of
 * memory. */
#define ARRAY_PUSH(items, n, capacity, value)                                                                          \
    (array_reserve((void **)&(items), &(capacity), (n) + 1, sizeof *(items)) && ((items)[(n)++] = (value), true))

/* Zeroed; n 0 gives a pointer that is not NULL. NULL: out of memory, or the product is too big. */
void *array_make(size_t n, size_t size);

/* A growing text; always ends with '\0' once something was added. After a failure `failed` is set and adding does
 * nothing, so it is enough to look once at the end. */
typedef struct text {
    char *bytes;
    size_t n, capacity;
    bool failed;
} text;

void text_add(text *t, const char *format, ...);
void text_add_bytes(text *t, const void *bytes, size_t n);
void text_free(text *t);

#endif
