/* SPDX-License-Identifier: MIT */
/* What is told of worn garments. */
#ifndef TOOL_WEAR_REPORT_H
#define TOOL_WEAR_REPORT_H

#include "wear.h"

/* Seams count as shut up to this gap, m. */
#define WEAR_WIDEST_GAP 1e-3

/* For HTML: "front.side — back.side". */
void wear_seam_name(page *out, const weft_pattern *pattern, int32_t seam);
/* report.html, with the pictures that are in the folder. */
weft_result wear_report_write(const wear *w, const wear_audit *audit, const char *folder, weft_error *error);
/* On stdout. */
void wear_tell(const wear *w, const wear_audit *audit);

#endif
