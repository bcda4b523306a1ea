/* SPDX-License-Identifier: MIT */
/* The pairs of a DXF file: a group code on one line, its value on the next. */
#ifndef WEFT_IO_PATTERN_DXF_SCAN_H
#define WEFT_IO_PATTERN_DXF_SCAN_H

#include "io/fault.h"

typedef struct dxf_scan {
    const char *name, *at, *end;
    int32_t line; /* of the code that was read last, from 1 */
    int32_t code;
    const char *value; /* without blanks around it; not ended by '\0' */
    size_t length;
    weft_error *error;
} dxf_scan;

dxf_scan dxf_scan_begin(const char *name, const char *bytes, size_t size, weft_error *error);
/* The next pair; false at the end of the text or after an error, which *result tells apart. */
bool dxf_scan_next(dxf_scan *s, weft_result *result);
bool dxf_value_is(const dxf_scan *s, const char *word); /* in any case */
bool dxf_value_begins(const dxf_scan *s, const char *word);
/* The value as a number. */
weft_result dxf_number(const dxf_scan *s, double *out);
/* "name:line: …" */
weft_result dxf_fault(const dxf_scan *s, const char *format, ...);

#endif
