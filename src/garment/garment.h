/* SPDX-License-Identifier: MIT */
/* A garment: the meshes of all panels, joined, and what seams join. */
#ifndef WEFT_GARMENT_GARMENT_H
#define WEFT_GARMENT_GARMENT_H

#include "base/error.h"
#include "base/mem.h"
#include "math/vec.h"

#include <weft/garment.h>

struct weft_garment {
    mem mem;
    weft_garment_data data; /* what people see: the arrays below */
    vec2 *uv, *drawn;
    vec3 *positions;
    int32_t n_nodes;
    int64_t room_uv, room_drawn;
    int32_t *triangles, *quads, *face_panel;
    int32_t n_triangle_indices, n_quad_indices, n_faces;
    int64_t room_triangles, room_quads;
    weft_garment_panel *panels;
    int32_t n_panels;
    int32_t *edge_start, *edge_nodes;
    int32_t n_edges, n_edge_nodes;
    weft_seam_pair *pairs;
    int32_t n_pairs;
    int64_t room_pairs;
    weft_garment_line *lines;
    int32_t n_lines;
    int64_t room_lines;
    int32_t *line_nodes;
    int32_t n_line_nodes;
    int64_t room_line_nodes;
};

#endif
