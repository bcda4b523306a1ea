/* SPDX-License-Identifier: MIT */
/* report.html of worn garments. */
#ifndef TOOL_SEW_REPORT_H
#define TOOL_SEW_REPORT_H

#include "player/clip.h"
#include "wear.h"

/* Into the folder, with the pictures that are there. summary: of its player; n_frames 0: it has none. */
weft_result sew_report_write(const wear *w, const wear_audit *audit, const char *folder, clip_summary *summary,
                             weft_error *error);

#endif
