/* SPDX-License-Identifier: MIT */
/* Files that are compiled in (cmake/embed.cmake makes the table). */
#ifndef TOOL_REPORT_EMBEDDED_H
#define TOOL_REPORT_EMBEDDED_H

#include <stddef.h>

typedef struct embedded_file {
    const char *name; /* without a folder; NULL: the end of a table */
    const char *text; /* ends with '\0' */
    size_t n;         /* bytes, that '\0' not counted */
} embedded_file;

extern const embedded_file embedded_files[];

#endif
