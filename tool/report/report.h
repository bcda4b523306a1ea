/* SPDX-License-Identifier: MIT */
/* Reports: pages that need no other file. Each kind fills a record and has its template, KIND.html, and its style,
 * KIND.css; report.html is the page around them. */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include "report/record.h"

#include <weft/base.h>

/* The page of a kind, "run" or "sew". Every kind has a `name`, for the title. */
weft_result report_fill(const char *kind, record *from, page *html, weft_error *error);

/* A PNG file for the src of an <img>; empty if there is none. */
void report_set_picture(record *to, const char *name, const page *png);

#endif
