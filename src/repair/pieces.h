/* SPDX-License-Identifier: MIT */
/* Cloths of a simulation out of triangles as files have them: any orientation, edges of three triangles, one-sided. */
#ifndef WEFT_REPAIR_PIECES_H
#define WEFT_REPAIR_PIECES_H

#include <weft/untangle.h>

#include "untangle/mesh_adjacency.h"

/* One object as a cloth. */
typedef struct piece {
    int32_t object, n_nodes, n_triangles;
    int32_t *vertex;        /* per node, which vertex of the mesh it is at */
    int32_t (*triangle)[3]; /* of nodes */
} piece;

typedef struct pieces {
    mem *m;
    piece *items;
    int32_t n, n_objects, n_corners;
    int32_t *first;  /* per corner, three a triangle: the lowest corner of its node; scratch once it is made */
    int32_t *node;   /* per corner that is the lowest of its node: the node's number in its piece */
    uint8_t *turned; /* per triangle: corners run the other way round in its piece */
} pieces;

/* Of the triangles with `wanted` set. False: out of memory; pieces_free is due in any case. */
bool pieces_make(pieces *p, mem *m, const mesh_adjacency *w, const int32_t *objects, int32_t n_objects,
                 const uint8_t *wanted);
/* Whether a part is closed and has one side: then no place of its vertices is free of intersections. */
bool pieces_are_hopeless(const pieces *p, const mesh_adjacency *w, const int32_t *objects, const uint8_t *wanted,
                         int32_t *scratch);
void pieces_free(pieces *p);

#endif
