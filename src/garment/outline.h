/* SPDX-License-Identifier: MIT */
/* A panel's loops as polylines, edge by edge, with lengths along them. */
#ifndef WEFT_GARMENT_OUTLINE_H
#define WEFT_GARMENT_OUTLINE_H

#include "garment/curve.h"

typedef struct outline {
    mem *mem;
    int32_t n_edges, n_loops, n_points;
    int64_t room_points;
    int32_t *edge_start; /* n_edges + 1: edge e has the points [edge_start[e], edge_start[e + 1]), both ends included */
    int32_t *loop_start; /* n_loops + 1: loop i has the edges [loop_start[i], loop_start[i + 1]) */
    vec2 *points;
    double *along; /* length from the start of the edge to each point */
    int64_t room_along;
} outline;

/* Chords within 1 µm of the curves. Points that repeat their predecessor are left out. False: out of memory. */
bool outline_create(outline *o, mem *m, const weft_panel *panel);
void outline_destroy(outline *o);

static inline double outline_length(const outline *o, int32_t edge)
{
    return o->edge_start[edge + 1] > o->edge_start[edge] ? o->along[o->edge_start[edge + 1] - 1] : 0;
}

/* The point at a length from the start of an edge; the ends exactly. */
vec2 outline_at(const outline *o, int32_t edge, double s);

/* Of a loop; positive if it runs counter-clockwise. */
double outline_area(const outline *o, int32_t loop);

/* Whether a point is inside the loops: inside the outline and in no cut-out. Points on them: either. */
bool outline_contains(const outline *o, vec2 p);

/* The place of the outline nearest to p: its edge, the length along it, the distance. */
typedef struct outline_place {
    int32_t edge;
    double s, distance;
} outline_place;
outline_place outline_nearest(const outline *o, vec2 p);

#endif
