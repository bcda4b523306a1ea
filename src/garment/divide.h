/* SPDX-License-Identifier: MIT */
/* Where outlines get nodes: breaks of edges, equal counts on both sides of every seam. */
#ifndef WEFT_GARMENT_DIVIDE_H
#define WEFT_GARMENT_DIVIDE_H

#include "garment/outline.h"
#include "garment/pattern.h"

#include <weft/garment.h>

/* An edge of the pattern, cut at breaks into pieces; each piece is then divided evenly. */
typedef struct cut_edge {
    int32_t panel, edge; /* of the panel */
    double length;
    double *breaks; /* lengths from its start, rising, both ends included */
    int32_t n_breaks;
    int64_t room_breaks;
    int32_t first_piece; /* it has n_breaks − 1 */
    int32_t n_nodes;     /* both ends included */
} cut_edge;

/* Two pieces that are sewn; turned: they run in opposite directions. */
typedef struct piece_pair {
    int32_t a, b;
    bool turned;
    int32_t seam;
} piece_pair;

typedef struct division {
    mem *mem;
    const weft_pattern *pattern;
    double size, turn;
    outline *outlines;   /* per panel */
    int32_t *first_edge; /* per panel, and the count */
    cut_edge *edges;
    int32_t n_edges;
    int32_t n_pieces;
    int32_t *piece_edge;
    int32_t *group; /* of pieces that are sewn together, directly or not: the number of one of them */
    int32_t *count; /* per group: divisions */
    piece_pair *pairs;
    int32_t n_pairs;
    int64_t room_pairs;
} division;

/* def and pattern have been checked. */
weft_result division_create(division *d, mem *m, const weft_pattern *pattern, const weft_garment_def *def,
                            weft_error *error);
void division_destroy(division *d);

/* Divisions of a piece. */
static inline int32_t division_count(const division *d, int32_t piece)
{
    return d->count[d->group[piece]];
}

/* Lengths along the edge of all its nodes; s has n_nodes. */
void division_nodes(const division *d, int32_t edge, double *s);

#endif
