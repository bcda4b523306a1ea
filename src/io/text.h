/* SPDX-License-Identifier: MIT */
/* A growing text, or bytes of any kind. Behind what text_add and text_add_bytes added is a '\0'. After a failure
 * `failed` is set and adding does nothing, so it is enough to look once at the end. */
#ifndef WEFT_IO_TEXT_H
#define WEFT_IO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct text {
    char *bytes;
    size_t n;
    int64_t room;
    bool failed;
} text;

void text_add(text *t, const char *format, ...);
void text_add_bytes(text *t, const void *bytes, size_t n);
void text_free(text *t);

/* Makes it n bytes longer and returns where they begin, for the caller to write; no '\0' is put behind them, as the
 * caller may have gone back to write over bytes that were there. NULL after a failure. */
char *text_extend(text *t, size_t n);

#endif
