/* SPDX-License-Identifier: MIT */
/* Texts of errors, cut to their room between characters of UTF-8. */
#include "io/fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What the header tells the analyzer is made true here. */
#undef fault
#undef fault_memory
#undef fault_errno

/* Where a text must end so that no UTF-8 character is cut. */
static size_t whole_characters(const char *text, size_t n)
{
    while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--;
    return n;
}

weft_result fault(weft_error *e, weft_result code, const char *format, ...)
{
    if (!e)
        return code;
    char text[2048]; /* room for what is cut, and so that arguments may name e->text */
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    if (length >= sizeof e->text)
        length = whole_characters(text, sizeof e->text - 1);
    e->code = code;
    e->element = -1;
    memcpy(e->text, text, length);
    e->text[length] = '\0';
    return code;
}

weft_result fault_memory(weft_error *e)
{
    return fault(e, WEFT_ERROR_MEMORY, "out of memory");
}

weft_result fault_errno(weft_error *e, const char *path)
{
    return fault(e, WEFT_ERROR_FILE, "%s: %s", path, errno ? strerror(errno) : "cannot be read or written");
}
