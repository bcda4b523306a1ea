/* SPDX-License-Identifier: MIT */
/* Whole files, and files that are complete or not there. */
#ifndef WEFT_IO_FILE_H
#define WEFT_IO_FILE_H

#include "io/fault.h"

#include <stdio.h>

/* All bytes of a file and a '\0' behind them; free() them. WEFT_ERROR_FILE; folders are refused. */
weft_result file_read(const char *path, char **bytes, size_t *size, weft_error *e);

/* A file that appears under its name only when it is complete: written beside, then renamed. */
typedef struct file_writer {
    FILE *file;
    char *path, *beside;
} file_writer;

/* WEFT_ERROR_EXISTS if there is such a file and not force. */
weft_result file_begin(file_writer *w, const char *path, bool force, weft_error *e);
/* Flushes, looks for errors of all writes before, renames. Always frees; a failure leaves nothing behind. */
weft_result file_commit(file_writer *w, weft_error *e);
void file_abandon(file_writer *w);
/* The three in one. */
weft_result file_write(const char *path, const void *bytes, size_t size, bool force, weft_error *e);

/* "….obj": the ending of a name, without its dot, or "". */
const char *file_ending(const char *path);
bool file_ending_is(const char *path, const char *ending); /* in any case */

/* path as seen from the folder of another file (or from a folder): absolute paths stay. malloc'ed; NULL: out of
 * memory. */
char *file_beside(const char *other, const char *path);
char *file_inside(const char *folder, const char *path);

#endif
