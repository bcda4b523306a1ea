/* SPDX-License-Identifier: MIT */
#include "io/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool array_reserve(void **items, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return true;
    size_t next = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    next = next < wanted ? wanted : next;
    if (next > PTRDIFF_MAX / size)
        return false;
    void *grown = realloc(*items, next * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = next;
    return true;
}

void *array_make(size_t n, size_t size)
{
    return n > PTRDIFF_MAX / size ? NULL : calloc(n ? n : 1, size);
}

void text_add_bytes(text *t, const void *bytes, size_t n)
{
    t->failed = t->failed || !array_reserve((void **)&t->bytes, &t->capacity, t->n + n + 1, 1);
    if (t->failed)
        return;
    memcpy(t->bytes + t->n, bytes, n);
    t->n += n;
    t->bytes[t->n] = '\0';
}

void text_add(text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    t->failed = t->failed || n < 0 || !array_reserve((void **)&t->bytes, &t->capacity, t->n + (size_t)n + 1, 1);
    if (!t->failed) {
        vsnprintf(t->bytes + t->n, (size_t)n + 1, format, again);
        t->n += (size_t)n;
    }
    va_end(again);
}

void text_free(text *t)
{
    free(t->bytes);
    *t = (text){0};
}
