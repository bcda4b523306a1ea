/* SPDX-License-Identifier: MIT */
/* Colliders with an outside: what is in them is sent out. */
#ifndef WEFT_UNTANGLE_OUTSIDE_H
#define WEFT_UNTANGLE_OUTSIDE_H

#include "contact/collider/collider.h"
#include "contact/collider/collider_mesh.h"
#include "untangle/chord.h"

typedef struct outside {
    mem *m;
    collider_mesh **meshes; /* of objects that are colliders and whose side is out */
    collider *solids;
    int32_t n_meshes, n_solids, n_objects, solid_room;
    double thickness;
    chords chords;           /* of the solid that is looked at */
    bool chords_alone;       /* what edges cross goes by chords, the rest by the deepest points of triangles */
    int64_t n_cut[3];        /* triangles that the surfaces of solids cut at 2, 4, 6 points of their edges */
    const minimise *lengths; /* edges and mobilities; to be set before the first push */
    uint8_t *at_cloth;       /* per vertex: some triangle that moves has it */
    vec3 *way;               /* scratch per vertex */
    vec3 slide;              /* where to a sheet that a limb pierces goes; 0: none is pierced */
    int32_t n_vertices;
    int32_t n_open_edges, n_non_manifold_edges, n_flipped_edges;
} outside;

weft_result outside_make(outside *o, mem *m, const weft_untangle_def *d, const mesh_adjacency *w,
                         const weft_untangle_side *sides, weft_error *e);
void outside_free(outside *o);

/* How many nodes are inside of meshes and how many triangles too near a solid, at x; and, if k is not NULL, asks that
 * they move out. */
int64_t outside_push(outside *o, minimise *k, const mesh_adjacency *w, const vec3 *x);

#endif
