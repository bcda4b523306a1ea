/* SPDX-License-Identifier: MIT */
/* Texts are growable arrays on the heap. There is always room for the '\0', which n does not count. */
#include "io/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool text_reserve(text *t, size_t more)
{
    t->failed = t->failed || more > SIZE_MAX - t->n - 1 || !ARRAY_RESERVE(NULL, t->bytes, t->room, t->n + more + 1);
    return !t->failed;
}

char *text_extend(text *t, size_t n)
{
    if (!text_reserve(t, n))
        return NULL;
    t->n += n;
    return t->bytes + t->n - n;
}

void text_add_bytes(text *t, const void *bytes, size_t n)
{
    char *at = text_extend(t, n);
    if (!at)
        return;
    memcpy(at, bytes, n);
    t->bytes[t->n] = '\0';
}

void text_add(text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    t->failed = t->failed || n < 0;
    if (text_reserve(t, (size_t)n)) {
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
