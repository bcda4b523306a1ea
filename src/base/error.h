/* SPDX-License-Identifier: MIT */
/* Filling in a weft_error. */
#ifndef WEFT_BASE_ERROR_H
#define WEFT_BASE_ERROR_H

#include <weft/base.h>

#if defined(__GNUC__)
#define ERROR_LIKE_PRINTF __attribute__((format(printf, 4, 5)))
#else
#define ERROR_LIKE_PRINTF
#endif

/* Writes code, element and text into *e (if not NULL) and returns the code, so that a check is one line:
 *     return error_set(e, WEFT_ERROR_INDEX, fi, "face %d names node %d of %d", fi, vi, n_nodes); */
weft_result error_set(weft_error *e, weft_result code, int32_t element, const char *format, ...) ERROR_LIKE_PRINTF;

/* "out of memory" */
weft_result error_memory(weft_error *e);

/* clang-tidy's analyzer sees one file at a time: these tell it that the code comes back, so that a check that has
 * failed is not taken for one that has passed. */
#ifdef __clang_analyzer__
#define error_set(e, code, ...) (error_set(e, code, __VA_ARGS__), (code))
#define error_memory(e) (error_memory(e), WEFT_ERROR_MEMORY)
#endif

#endif
