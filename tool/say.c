/* SPDX-License-Identifier: MIT */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

int say_wrong(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("weft: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return EXIT_WRONG;
}

void say_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("weft: warning: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}
