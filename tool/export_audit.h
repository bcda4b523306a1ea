/* SPDX-License-Identifier: MIT */
/* What rounding to floats does to an exported run: two sheets a hair apart may touch. */
#ifndef TOOL_EXPORT_AUDIT_H
#define TOOL_EXPORT_AUDIT_H

#include "progress.h"

#include <weft/io.h>

typedef struct export_audit {
    int32_t n_frames;
    int32_t n_new; /* frames that have intersections as floats, and none as doubles */
    int32_t first; /* of them, in the run */
    int64_t pairs; /* of triangles, there */
} export_audit;

/* Whether those who read the format get floats. */
bool export_audit_is_needed(weft_export_format format);
/* Cloth against cloth, of the frames, cloths, axes and scale that were exported. WEFT_ERROR_CANCELLED: a signal
 * came. */
weft_result export_audit_run(weft_cache *cache, const weft_export_def *def, progress *p, export_audit *out,
                             weft_error *error);

#endif
