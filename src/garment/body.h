/* SPDX-License-Identifier: MIT */
/* A body: a closed mesh, its hierarchy of boxes, its landmarks. */
#ifndef WEFT_GARMENT_BODY_H
#define WEFT_GARMENT_BODY_H

#include "base/error.h"
#include "base/mem.h"
#include "contact/collider/collider_mesh.h"
#include "math/vec.h"

#include <weft/body.h>

struct weft_body {
    mem mem;
    collider_mesh *mesh;
    weft_landmarks landmarks;
};

/* Finds them from slices. WEFT_ERROR_DEGENERATE: the mesh has no such shape. */
weft_result body_find_landmarks(weft_body *b, weft_error *error);

/* ---- slices ------------------------------------------------------------------------------------------------------ */

/* Measures of one loop of a slice, in the plane of two axes. */
typedef struct loop_measure {
    double girth, area;
    double low[2], high[2];
} loop_measure;

/* Axes are unit vectors of the plane; work has room for 2 n. */
loop_measure loop_measure_of(const vec3 *points, int32_t n, vec3 axis_u, vec3 axis_v, vec2 *work);

#endif
