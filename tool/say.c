/* SPDX-License-Identifier: MIT */
/* Messages on the standard error, each behind the name of the program. */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

static const char *program = "weft";

void say_set_program(const char *name)
{
    program = name;
}

const char *say_program(void)
{
    return program;
}

int say_wrong(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fprintf(stderr, "%s: ", program);
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
    fprintf(stderr, "%s: warning: ", program);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}
