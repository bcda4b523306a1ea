/* SPDX-License-Identifier: MIT */
/* Files and folders, as the command needs them. Functions that may fail say why in a weft_error: "path: reason". */
#ifndef TOOL_DISK_H
#define TOOL_DISK_H

#include "page.h"

#include <weft/base.h>

bool disk_exists(const char *path);
bool disk_is_folder(const char *path);
/* Whether two paths lead to one file. */
bool disk_is_same(const char *a, const char *b);

/* folder/name; malloc'ed. Out of memory ends the program: the command cannot go on without names. */
char *disk_join(const char *folder, const char *name);
char *disk_copy(const char *text);
/* The name a file has while it is being written. malloc'ed. */
char *disk_part(const char *path);
/* The ending without its dot, or "". */
const char *disk_ending(const char *path);
bool disk_ending_is(const char *path, const char *ending); /* in any case */

/* Makes a folder and those it is in. */
weft_result disk_make_folder(const char *path, weft_error *error);
/* The folder that a file is in. */
weft_result disk_make_parent(const char *path, weft_error *error);
/* The file is complete or is as it was: written beside, then renamed. WEFT_ERROR_EXISTS: it is there, and not force. */
weft_result disk_write(const char *path, const void *bytes, size_t n, bool force, weft_error *error);
weft_result disk_read(const char *path, page *out, weft_error *error);
/* "path: reason of errno" and WEFT_ERROR_FILE. */
weft_result disk_fault(const char *path, weft_error *error);

/* Holds a file as ours alone until the process ends, however it ends. Returns a descriptor for disk_unlock, or -1; then
 * *holder is the process that has it, 0 if that is not the reason. */
int disk_lock(const char *path, long *holder);
void disk_unlock(const char *path, int lock);

#endif
