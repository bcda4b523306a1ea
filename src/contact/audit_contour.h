/* SPDX-License-Identifier: MIT */
/* Intersecting pairs of triangles linked to contours. */
#ifndef WEFT_CONTACT_AUDIT_CONTOUR_H
#define WEFT_CONTACT_AUDIT_CONTOUR_H

#include <weft/audit.h>

#include "base/mem.h"
#include "base/pool.h"
#include "math/vec.h"

typedef struct audit_contours {
    weft_audit_contour *contours;
    weft_audit_line *lines;
    vec3 *points;
    int32_t n_contours, n_lines;
    int64_t n_points;
    int64_t contour_room, line_room, point_room;
} audit_contours;

/* Fills in `contour` and `ends` of the pairs, which are sorted and of these triangles and positions, and makes the
 * contours. False: out of memory, and there are none. */
bool audit_contours_make(audit_contours *c, mem *m, pool *p, const int32_t (*triangles)[3], const vec3 *x,
                         weft_audit_pair *pairs, int64_t n_pairs);
void audit_contours_free(audit_contours *c, mem *m);

#endif
