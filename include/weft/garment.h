/* SPDX-License-Identifier: MIT */
/* Garments: patterns cut into meshes, ready to be placed, sewn and simulated. */
#ifndef WEFT_GARMENT_H
#define WEFT_GARMENT_H

#include <weft/pattern.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_garment_def {
    size_t struct_size;
    double size;       /* length of the mesh's edges, m; [5e-4, 1]; 0.02 */
    double seam_ratio; /* most that the two sides of a seam may differ in length, a factor; [1, 1000]; 2 */
    /* A part of an outline gets a node more for each such angle that it turns, radians; [0.05, 3]; 0.6. */
    double turn;
} weft_garment_def;

WEFT_API weft_garment_def weft_garment_def_default(void);

typedef struct weft_garment weft_garment;

/* Quads with sides along warp and weft inside, triangles along outlines and lines (the constrained Delaunay
 * triangulation). Parts of edges that are sewn together get equally many nodes, however long they are: where one is
 * longer, it is gathered evenly. Checks the pattern first (weft_pattern_check). The pattern is read during the call
 * only. */
WEFT_API weft_result weft_garment_create(const weft_pattern *pattern, const weft_garment_def *def, weft_garment **out,
                                         weft_error *error);
WEFT_API void weft_garment_destroy(weft_garment *garment); /* NULL is fine */

typedef struct weft_mesh_quality {
    double least_angle;    /* of all triangles, radians */
    double most_angle;     /* likewise */
    double largest_aspect; /* of triangles: longest side over the inner circle's diameter times √3; 1 if equilateral */
    double shortest, longest; /* sides, m */
    double quad_share;        /* of the area */
} weft_mesh_quality;

typedef struct weft_garment_panel {
    int32_t first_node, n_nodes;
    int32_t first_triangle, n_triangles;
    int32_t first_quad, n_quads;
    int32_t first_edge, n_edges; /* numbers in weft_garment_data.edge_start */
    double area;                 /* of its elements, m² */
    weft_mesh_quality quality;
} weft_garment_panel;

/* Two nodes that a seam joins. */
typedef struct weft_seam_pair {
    int32_t a, b;
    int32_t seam;
} weft_seam_pair;

/* Nodes along a fold or elastic line of a panel, and the line's number in it. */
typedef struct weft_garment_line {
    int32_t panel, line;
    int32_t first, n; /* in line_nodes */
} weft_garment_line;

/* All that a garment is. Arrays belong to it. Faces are the triangles, then the quads, as weft_mesh_def wants them. */
typedef struct weft_garment_data {
    int32_t n_nodes;
    const weft_vec2 *uv;        /* u along warp, v along weft, m */
    const weft_vec2 *drawn;     /* the same points in the panels' drawings */
    const weft_vec3 *positions; /* where the panels' placements put them; flat in the plane z = 0 without one */
    int32_t n_triangles, n_quads;
    const int32_t *triangles, *quads;
    const int32_t *face_panel;
    int32_t n_panels;
    const weft_garment_panel *panels;
    int32_t n_edges; /* of all panels */
    const int32_t
        *edge_start; /* n_edges + 1: the nodes of edge e, both ends included, are edge_nodes[edge_start[e] …] */
    const int32_t *edge_nodes;
    int32_t n_pairs;
    const weft_seam_pair *pairs; /* by seam, from the start of its side a on; each pair of nodes once a seam */
    int32_t n_lines;
    const weft_garment_line *lines;
    const int32_t *line_nodes;
    weft_mesh_quality quality;
} weft_garment_data;

WEFT_API const weft_garment_data *weft_garment_get(const weft_garment *garment); /* NULL for NULL */

/* Where a placement puts a point of a panel's drawing. */
WEFT_API weft_vec3 weft_placement_at(const weft_placement *placement, weft_vec2 drawn);
/* Puts the nodes of a panel elsewhere. */
WEFT_API weft_result weft_garment_set_placement(weft_garment *garment, int32_t panel, const weft_placement *placement,
                                                weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
