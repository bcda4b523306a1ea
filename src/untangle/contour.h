/* SPDX-License-Identifier: MIT */
/* Contours along which surfaces cross, as lines on both of them. */
#ifndef WEFT_UNTANGLE_CONTOUR_H
#define WEFT_UNTANGLE_CONTOUR_H

#include "base/error.h"
#include "bvh/bvh.h"
#include "untangle/mesh_adjacency.h"

/* Where an edge goes through a triangle; or a vertex that both triangles of a pair have, and at which what they share
 * begins: then tri is -1 and edge the vertex. */
typedef struct crossing {
    int32_t edge, tri;
    int32_t n_segments; /* 2; 1: an end of the contour; more: it branches */
    int32_t line;
    int8_t sign; /* 1: the edge, from its lower vertex, goes from the side of the normal to the other; -1 */
    double s;    /* place on the edge, 0 at its lower vertex */
    double w[3]; /* place in the triangle */
    vec3 at;
    vec3 inward; /* R of ye2012 eq. 2: sum of the unit vectors along the segments that begin here */
} crossing;

typedef struct contour_segment {
    int32_t tri[2]; /* they share it */
    int32_t end[2]; /* crossings */
    int32_t line;
} contour_segment;

typedef enum contour_kind {
    CONTOUR_CLOSED = 0,
    CONTOUR_BORDER = 1, /* both ends at borders of surfaces */
    CONTOUR_LOOP = 2,   /* an end at a vertex of both sheets */
    CONTOUR_BRANCH = 3  /* an end where more than two segments meet: at an edge of three triangles */
} contour_kind;

typedef struct contour_line {
    contour_kind kind;
    int32_t n_segments;
    int64_t first; /* of its segments in `order` */
    double length;
} contour_line;

typedef struct contours {
    mem *m;
    const int32_t *tied; /* per vertex: pairs of triangles with two vertices of one number are let alone; NULL: none */
    crossing *crossings;
    contour_segment *segments;
    contour_line *lines;
    int32_t *order; /* segments, line by line, from end to end */
    int64_t n_crossings, n_segments, crossing_room, segment_room;
    int32_t n_lines;
    double length;           /* of all */
    int32_t *start, *around; /* segments at each crossing */
    void *names, *names_scratch;
} contours;

void contours_init(contours *c, mem *m);
void contours_free(contours *c);
/* At positions x. Two runs with the same input give the same bits, whatever the number of threads. WEFT_ERROR_LIMIT:
 * too many triangles are at the same place. */
weft_result contours_find(contours *c, const mesh_adjacency *w, bvh *t, pool *p, const vec3 *x, weft_error *e);

#endif
