/* SPDX-License-Identifier: MIT */
/* Whether segments and triangles share points, exactly, for any finite coordinates and any degenerate shape.
 * A triangle without area is what it covers: a segment or a point. */
#ifndef WEFT_MATH_INTERSECT_H
#define WEFT_MATH_INTERSECT_H

#include "math/predicate.h"

typedef enum hit_kind {
    HIT_NONE = 0,
    HIT_INSIDE = 1, /* one point, inside the triangle */
    HIT_EDGE = 2,   /* one point, inside an edge of the triangle */
    HIT_VERTEX = 3, /* one point, a vertex of the triangle */
    HIT_COPLANAR =
        4 /* the segment lies in the triangle's plane and they share a point or more; also all that a triangle
                        without area has in common with a segment */
} hit_kind;

typedef struct segment_hit {
    hit_kind kind;
    int feature; /* HIT_EDGE: 0, 1, 2 for the edges t0 t1, t1 t2, t2 t0. HIT_VERTEX: 0, 1, 2. Else -1 */
    int end;     /* HIT_INSIDE, HIT_EDGE, HIT_VERTEX: the point is the segment's end 0 or 1; -1: it is inside */
} segment_hit;

segment_hit intersect_segment_triangle(vec3 p, vec3 q, const vec3 t[3]);

/* Whether the closed sets share a point. */
bool intersect_segments(vec3 p, vec3 q, vec3 r, vec3 s);

typedef enum triangle_intersection {
    INTERSECT_NONE = 0,
    INTERSECT_CROSS = 1,     /* in different planes: they cross or touch */
    INTERSECT_COPLANAR = 2,  /* in one plane */
    INTERSECT_DEGENERATE = 3 /* one of them or both have no area */
} triangle_intersection;

/* Whether two triangles intersect: share a point outside their common vertices and edges; touching counts. Vertices
 * are common if they are at the same place; an edge if both its ends are. The same index, or sewn together, means
 * the same place. */
triangle_intersection intersect_triangles(const vec3 a[3], const vec3 b[3]);

#endif
