/* SPDX-License-Identifier: MIT */
/* One step that shortens contours: how far each vertex is to move. */
#ifndef WEFT_UNTANGLE_MINIMISE_H
#define WEFT_UNTANGLE_MINIMISE_H

#include <weft/untangle.h>

#include "untangle/bodies.h"
#include "untangle/slide.h"

typedef struct minimise {
    mem *m;
    const mesh_adjacency *w;
    const int32_t *object;                 /* per triangle; NULL: all 0 */
    const weft_untangle_side *object_side; /* per object; NULL: dynamic */
    const weft_untangle_layer *layers;
    int32_t n_layers;
    bodies *bodies;       /* NULL: none */
    const slides *slides; /* NULL: none */
    double *mobility;     /* per vertex, 1 / mass; 0: does not move */
    double *edge;         /* per vertex, mean length of the edges at it at the start */
    double gap, step;
    bool only_sided;     /* nothing is asked at crossings of objects that have no side; false */
    const bool *unsided; /* per object: crossings with it count as having no side for that; NULL: none */
    bool bare;           /* of crossings nothing but eq. 2 or 3: no pushes; false */
    bool weigh;          /* what is asked of a vertex counts by how far it is to go; else all the same */
    int blend;           /* how often the ways of neighbours that move are averaged; 0 */
    int rings;           /* how far around what moves vertices follow; UNTANGLE_FOLLOW_RINGS … */
    double follow;       /* … and what is left of the way from ring to ring; UNTANGLE_FOLLOW */
    vec3 *d;             /* out: where to each vertex is to move */
    double *weight;      /* scratch: how many asked for it */
    uint8_t *ring;       /* per vertex: 1 + rings from what is tangled; 0: far */
    vec3 *blended;       /* scratch per vertex */
    vec3 *mean;          /* scratch per line */
    int64_t mean_room;
} minimise;

bool minimise_make(minimise *k, mem *m, const mesh_adjacency *w, const vec3 *x);
void minimise_free(minimise *k);

/* The vector G of a crossing: eq. 2 (side 0), or eq. 3 with the repulsive normal on that side of the triangle; the
 * normal part is at most twice as long as needed where the edge leaves the plane at 30°. */
vec3 minimise_vector(const mesh_adjacency *w, const vec3 *x, const crossing *c, int side);

/* d from what is asked for between begin and end: averages, bounded, and neighbours follow. */
void minimise_begin(minimise *k);
void minimise_end(minimise *k);
/* Whether a vertex can move, alone or with its object. */
bool minimise_moves(const minimise *k, int32_t vi);
/* Asks that a vertex moves. */
void minimise_ask(minimise *k, int32_t vi, vec3 move);
/* Asks that the point s of an edge goes along G by as much as contours go at once. */
void minimise_ask_edge(minimise *k, int32_t ei, double s, vec3 g);
/* Whether the user, or the outside of a closed mesh, says where the objects of a crossing belong. */
bool minimise_is_sided(const minimise *k, const crossing *c);
/* Asks for what shortens contours. False: out of memory. */
bool minimise_crossings(minimise *k, const contours *c, const intruders *s, const vec3 *x,
                        weft_untangle_strategy strategy);
/* Fills in d: the vertices within `rings` of the contours go to the middle of their neighbours. */
void minimise_smooth(minimise *k, const contours *c, const vec3 *x, int rings);
/* Fills in d: moves each pair of triangles apart by `distance`. */
void minimise_part(minimise *k, const int32_t (*pairs)[2], int64_t n, const vec3 *x, double distance);

#endif
