/* SPDX-License-Identifier: MIT */
/* Which part of a surface is where it should not be. */
#ifndef WEFT_UNTANGLE_INTRUDER_H
#define WEFT_UNTANGLE_INTRUDER_H

#include "untangle/contour.h"

/* Per contour line and sheet (0 and 1, the two surfaces, or two places of one, that cross along it). */
typedef struct intruder {
    /* The ends of the sheet's edges on this side of the other sheet's triangles are the intruder: 1 where the normals
     * point, -1 behind, 0: the line does not cut the sheet in two. */
    int8_t side[2];
    int32_t n[2]; /* vertices in that part */
} intruder;

typedef struct intruders {
    mem *m;
    intruder *lines; /* per line */
    uint8_t *sheet;  /* per crossing: which sheet its edge is of */
    int64_t line_room, crossing_room;
    int32_t *cut, *seen, *queue[2]; /* scratch: per edge; per vertex */
    double *near;
    int32_t n_vertices, n_edges, stamp;
} intruders;

bool intruders_make(intruders *s, mem *m, const weave *w);
void intruders_free(intruders *s);
/* For the contours at x. False: out of memory. */
bool intruders_find(intruders *s, const weave *w, const contours *c, const vec3 *x);

#endif
