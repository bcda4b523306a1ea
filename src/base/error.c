/* SPDX-License-Identifier: MIT */
/* Texts of errors are cut to their room between characters of UTF-8, never within one. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What the header tells the analyzer is made true here. */
#undef error_set
#undef error_memory

/* Takes off the last character if the cut went through the middle of its UTF-8 bytes. */
static void trim_cut_character(char *text, size_t n)
{
    size_t i = n;
    while (i > 0 && ((unsigned char)text[i - 1] & 0xC0) == 0x80)
        i--;
    if (i == 0 || (unsigned char)text[i - 1] < 0xC0)
        return;
    unsigned char lead = (unsigned char)text[i - 1];
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (n - (i - 1) < length)
        text[i - 1] = '\0';
}

weft_result error_set(weft_error *e, weft_result code, int32_t element, const char *format, ...)
{
    if (!e)
        return code;
    /* By way of a buffer, so that the arguments may name e->text itself. */
    char text[sizeof e->text];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n < 0)
        text[0] = '\0';
    text[sizeof text - 1] = '\0';
    if (n >= (int)sizeof text)
        trim_cut_character(text, sizeof text - 1);
    e->code = code;
    e->element = element;
    memcpy(e->text, text, sizeof text);
    return code;
}

weft_result error_memory(weft_error *e)
{
    return error_set(e, WEFT_ERROR_MEMORY, -1, "out of memory");
}
