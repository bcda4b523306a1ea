/* SPDX-License-Identifier: MIT */
/* How far one surface has to go along a direction until it is past another. */
#ifndef WEFT_UNTANGLE_OVERLAP_DEPTH_H
#define WEFT_UNTANGLE_OVERLAP_DEPTH_H

#include "base/mem.h"
#include "math/vec.h"

typedef struct overlap_depth {
    mem *m;
    double *flat[2], *deep; /* scratch per vertex of a patch: across the direction, and along it */
    double *low, *high;     /* scratch per cell: of A the least, of B the greatest place along the direction */
    int64_t room;
    int32_t *number; /* scratch per vertex of the mesh: its place in the patch */
    int32_t n_vertices;
} overlap_depth;

/* Two patches of a mesh: vertices of A, then of B; triangles of A, then of B. */
typedef struct patch_pair {
    const int32_t *vertices, (*triangles)[3];
    int32_t n_vertices[2], n_triangles[2];
    double edge; /* mean length of edges, m */
} patch_pair;

bool overlap_depth_make(overlap_depth *o, mem *m, int32_t n_vertices);
void overlap_depth_free(overlap_depth *o);
/* Room for a patch of so many vertices. */
bool overlap_depth_reserve(overlap_depth *o, int32_t n);
/* How far A has to go along a unit vector until it is past B everywhere, m; 0: nothing of A is behind B. At most about
 * an edge too far. */
double overlap_depth_along(overlap_depth *o, const patch_pair *p, const vec3 *x, vec3 way);

#endif
