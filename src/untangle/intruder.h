/* SPDX-License-Identifier: MIT */
/* Which part of a surface is where it should not be. */
#ifndef WEFT_UNTANGLE_INTRUDER_H
#define WEFT_UNTANGLE_INTRUDER_H

#include "untangle/contour.h"

enum { INTRUDER_LINES = 30 };

/* Per contour line and sheet (0 and 1, the two surfaces, or two places of one, that cross along it). */
typedef struct intruder {
    /* The ends of the sheet's edges on this side of the other sheet's triangles are the intruder: 1 where the normals
     * point, -1 behind, 0: the line does not cut the sheet in two. */
    int8_t side[2];
    int32_t n[2];   /* vertices in that part */
    vec3 centre[2]; /* of them, where the line cuts the sheet in two */
    bool sure[2];   /* the other part is held, this one is not */
    int8_t slit[2]; /* the same where the line ends within the sheet, as if it went on straight to its border */
} intruder;

typedef struct intruders {
    mem *m;
    intruder *lines; /* per line */
    uint8_t *sheet;  /* per crossing: which sheet its edge is of */
    int64_t line_room, crossing_room;
    int32_t *cut, *seen, *queue[2]; /* scratch: per edge; per vertex */
    bool slits; /* lines that cut neither sheet in two are judged all the same, by which side is smaller near them */
    double *near;
    /* Per vertex: it does not move. A part with such a vertex is where it belongs, however small, if the other has
     * none. The caller's; NULL: all move. */
    const uint8_t *held;
    /* Per vertex, bit 2 i + k: of sheet k of a line whose number leaves i when divided by INTRUDER_LINES; set on the
     * triangles along the line and in the intruding part. The caller's, and cleared by it; NULL: not wanted. */
    uint64_t *patch;
    int32_t n_vertices, n_edges, stamp;
} intruders;

bool intruders_make(intruders *s, mem *m, const mesh_adjacency *w);
void intruders_free(intruders *s);
/* For the contours at x. False: out of memory. */
bool intruders_find(intruders *s, const mesh_adjacency *w, const contours *c, const vec3 *x);

#endif
