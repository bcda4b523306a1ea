/* SPDX-License-Identifier: MIT */
/* A glTF scene on its way into a file: the writer (export_glb.c) and its JSON (export_glb_json.c) share this.
 *
 * The binary chunk, in this order: all vectors, frame after frame, in it cloth after cloth its positions and then its
 * normals (the first frame as they are, the others as differences to it); the triangles; the times and weights of the
 * animation; the uv. Each of the four is one buffer view. */
#ifndef WEFT_IO_EXPORT_EXPORT_GLB_H
#define WEFT_IO_EXPORT_EXPORT_GLB_H

#include "io/export/export_job.h"

typedef struct glb_part {
    int32_t cloth;
    weft_mesh mesh;         /* triangles */
    weft_vec2 *uv;          /* per node; NULL: none, or not one a node */
    int64_t first_node;     /* of all parts' nodes */
    int64_t first_triangle; /* likewise */
    int64_t first_uv;
    float *base;   /* positions, then normals of the first frame */
    float *vector; /* room for a frame's */
} glb_part;

typedef struct glb_bounds {
    float low[3], high[3];
} glb_bounds;

typedef struct glb {
    const export_job *job;
    int32_t n_parts;
    glb_part *parts;
    int64_t n_nodes, n_triangles, n_uv;
    glb_bounds *bounds; /* of positions: [frame · n_parts + part] */
    unsigned char *room;
} glb;

typedef struct glb_sizes {
    uint64_t vectors, triangles, animation, uv;
} glb_sizes;

glb_sizes glb_count_bytes(const glb *g);

/* Its length depends on the counts alone, not on the bounds: so it can be written first and corrected at the end. */
void glb_write_json(const glb *g, text *out);

#endif
