/* SPDX-License-Identifier: MIT */
/* Objects that keep their shape while they are untangled. */
#ifndef WEFT_UNTANGLE_BODIES_H
#define WEFT_UNTANGLE_BODIES_H

#include <weft/untangle.h>

#include "untangle/mesh_adjacency.h"

typedef struct bodies {
    mem *m;
    int32_t n_objects, n_vertices;
    const bool *moves, *stands; /* per object: the definition's; NULL: none */
    int32_t *of;                /* per vertex: the rigid object that it is of; -1: none */
    double step;                /* m */
    vec3 *push;                 /* per object: sum of G over the crossings with others */
    vec3 *lift;                 /* per object: the longest way that one of its vertices has out of others */
    bool *met;                  /* per object: it crosses another that keeps its shape */
} bodies;

/* False: out of memory; bodies_free is due in any case. */
bool bodies_make(bodies *r, mem *m, const weft_untangle_def *d, const mesh_adjacency *w);
void bodies_free(bodies *r);

void bodies_begin(bodies *r);
/* An edge of object a is to go along g against a triangle of object b. False: not both keep their shape, and g is for
 * their vertices. */
bool bodies_push(bodies *r, int32_t a, int32_t b, vec3 g);
/* A vertex is to go out of what it is in. False: it is of no rigid object. */
bool bodies_lift(bodies *r, int32_t vi, vec3 way);
/* How far an object goes. */
vec3 bodies_move(const bodies *r, int32_t object);

#endif
