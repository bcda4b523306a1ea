/* SPDX-License-Identifier: MIT */
/* Numbers in text, the same under every locale: the point is always '.'. */
#ifndef WEFT_IO_DECIMAL_H
#define WEFT_IO_DECIMAL_H

#include <stddef.h>

/* Reads [+-]digits[.digits][e[+-]digits] and gives the double nearest to it (ties to even); infinity if it is beyond
 * all doubles. Returns where the number ends, or NULL if there is none. No blanks, hex, "nan" or "inf". */
const char *decimal_read(const char *at, const char *end, double *out);

enum { DECIMAL_ROOM = 40 };

/* 17 digits: decimal_read gives back the same bits. Returns the length. The value must be finite. */
size_t decimal_write(char out[DECIMAL_ROOM], double value);

#endif
