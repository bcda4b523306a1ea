/* SPDX-License-Identifier: MIT */
/* Errors of files. libweft-io stands on the public API alone, so it has its own. */
#ifndef WEFT_IO_FAULT_H
#define WEFT_IO_FAULT_H

#include <weft/base.h>

/* Sets *e (if not NULL) and returns code. The text is cut at a whole UTF-8 character. The arguments may be e->text. */
weft_result fault(weft_error *e, weft_result code, const char *format, ...);
weft_result fault_memory(weft_error *e);
/* "path: reason of errno", WEFT_ERROR_FILE. */
weft_result fault_errno(weft_error *e, const char *path);

/* clang-tidy's analyzer sees one file at a time: these tell it what comes back. */
#ifdef __clang_analyzer__
#define fault(e, code, ...) (fault(e, code, __VA_ARGS__), (code))
#define fault_memory(e) (fault_memory(e), WEFT_ERROR_MEMORY)
#define fault_errno(e, path) (fault_errno(e, path), WEFT_ERROR_FILE)
#endif

#endif
