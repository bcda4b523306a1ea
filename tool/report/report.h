/* SPDX-License-Identifier: MIT */
/* Reports: pages that need no other file. Each kind fills a record and has its template, KIND.html, and its style,
 * KIND.css; report.html is the page around them. */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include "player/clip.h"
#include "report/record.h"

#include <weft/base.h>

/* The page of a kind, "run" or "sew". Every kind has a `name`, for the title. */
weft_result report_fill(const char *kind, record *from, page *html, weft_error *error);

/* A PNG file for the src of an <img>, as JPEG; empty if there is none. */
void report_set_picture(record *to, const char *name, const page *png);

/* The frames of the 3D player (player.html); NULL: no player. budget: bytes, 0: the default. */
weft_result report_set_clip(record *to, clip *c, size_t budget, clip_summary *summary, weft_error *error);

#endif
