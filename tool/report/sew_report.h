/* SPDX-License-Identifier: MIT */
/* report.html of worn garments. */
#ifndef TOOL_SEW_REPORT_H
#define TOOL_SEW_REPORT_H

#include "wear.h"

/* Into the folder, with the pictures that are there. */
weft_result sew_report_write(const wear *w, const wear_audit *audit, const char *folder, weft_error *error);

#endif
