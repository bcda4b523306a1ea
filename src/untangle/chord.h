/* SPDX-License-Identifier: MIT */
/* Contours of a mesh on an analytic solid. */
#ifndef WEFT_UNTANGLE_CHORD_H
#define WEFT_UNTANGLE_CHORD_H

#include "contact/collider/collider.h"
#include "untangle/minimise.h"

/* Where an edge goes through the surface of a convex solid: nowhere, or at one or two points. */
typedef struct chord_hits {
    int32_t n;
    double s[2];    /* place on the edge, 0 at its lower vertex, in this order */
    vec3 normal[2]; /* of the surface there, outward */
    vec3 inward[2]; /* R of ye2012 eq. 5: sum of the unit vectors along the chords that begin here */
} chord_hits;

typedef struct chords {
    mem *m;
    chord_hits *hits; /* per edge */
    int32_t n_edges;
    int64_t n_triangles[4]; /* cut by the surface at 0, 2, 4, 6 points of their edges */
} chords;

bool chords_make(chords *c, mem *m, const mesh_adjacency *w);
void chords_free(chords *c);

/* Of the triangles at whose vertices `at` is set, with the surface `margin` outside the solid. */
void chords_find(chords *c, const mesh_adjacency *w, const vec3 *x, const uint8_t *at, const collider *solid,
                 double margin);
/* Whether an edge of the triangle goes through the surface. */
bool chords_cut(const chords *c, const mesh_adjacency *w, int32_t ti);
/* Asks for what shortens the chords, and does not lead into the solid. */
void chords_push(const chords *c, minimise *k, const mesh_adjacency *w, const vec3 *x);

#endif
