/* SPDX-License-Identifier: MIT */
/* The mesh of one panel. */
#ifndef WEFT_GARMENT_PANEL_MESH_H
#define WEFT_GARMENT_PANEL_MESH_H

#include "base/error.h"
#include "garment/cdt.h"

#include <weft/garment.h>

/* Closed loops of points, one after the other: the outline counter-clockwise, cut-outs clockwise; and open polylines
 * inside. All in the frame of warp (u) and weft (v). */
typedef struct panel_input {
    const char *name;
    double size;
    int32_t n_loops, n_rim;
    const int32_t *loop_start; /* n_loops + 1, in points */
    const vec2 *rim;           /* n_rim points */
    int32_t n_lines, n_line_points;
    const int32_t *line_start; /* n_lines + 1 */
    const vec2 *line_points;
} panel_input;

typedef struct panel_mesh {
    mem *mem;
    vec2 *nodes; /* those of the rim first, in their order */
    int32_t n_nodes;
    int64_t room_nodes;
    int32_t *triangles;
    int32_t n_triangles;
    int64_t room_triangles; /* in indices */
    int32_t *quads;
    int32_t n_quads;
    int64_t room_quads;
    int32_t *line_nodes; /* the node of each line point */
    int32_t n_line_points;
} panel_mesh;

weft_result panel_mesh_create(panel_mesh *p, mem *m, const panel_input *in, weft_error *error);
void panel_mesh_destroy(panel_mesh *p);

/* Quality of triangles, and the share of quads in the area. */
weft_mesh_quality mesh_quality(const vec2 *nodes, const int32_t *triangles, int32_t n_triangles, const int32_t *quads,
                               int32_t n_quads);
/* Of two sets. */
weft_mesh_quality mesh_quality_join(weft_mesh_quality a, double area_a, weft_mesh_quality b, double area_b);

#endif
