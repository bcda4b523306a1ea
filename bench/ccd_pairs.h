/* SPDX-License-Identifier: MIT */
/* Candidates for continuous collision detection between two frames of a mesh: vertices and triangles, edges and edges,
 * whose boxes over both frames meet and that share no node. By sorting and sweeping, nothing cleverer: the bench of the
 * kernel and its tests want all of them, not quickly. */
#ifndef BENCH_CCD_PAIRS_H
#define BENCH_CCD_PAIRS_H

#include <weft/weft.h>

typedef struct ccd_frames {
    int32_t n_nodes, n_triangles, n_edges;
    weft_vec3 *x0, *x1;
    int32_t *triangles; /* 3 nodes each */
    int32_t *edges;     /* 2 nodes each, ascending */
} ccd_frames;

/* Reads two meshes of the same topology; polygons are cut into triangles. */
weft_result ccd_frames_read(const char *before, const char *after, ccd_frames *out, weft_error *error);
void ccd_frames_free(ccd_frames *f);

/* A vertex and a triangle, or two edges: indices into the arrays of the frames. */
typedef struct ccd_pair {
    int32_t a, b;
} ccd_pair;

typedef struct ccd_pairs {
    ccd_pair *items;
    int64_t n, room;
} ccd_pairs;

/* Sorted by a, then b. False: out of memory. */
bool ccd_pairs_find(const ccd_frames *f, bool edges, ccd_pairs *out);
void ccd_pairs_free(ccd_pairs *p);

/* The corners of a pair at both ends, as the kernel wants them. */
void ccd_pairs_corners(const ccd_frames *f, bool edges, ccd_pair p, weft_vec3 x0[4], weft_vec3 x1[4]);

#endif
