/* SPDX-License-Identifier: MIT */
/* Who is next to whom in a mesh of triangles: edges, the triangles at them, the vertices round a vertex. */
#ifndef WEFT_UNTANGLE_MESH_ADJACENCY_H
#define WEFT_UNTANGLE_MESH_ADJACENCY_H

#include "base/mem.h"
#include "math/vec.h"

typedef struct mesh_adjacency_edge {
    int32_t v[2];   /* the lower first */
    int32_t tri[2]; /* the first two triangles at it; -1: none */
    int32_t n_tris; /* 1: a border; more than 2: not a manifold */
} mesh_adjacency_edge;

typedef struct mesh_adjacency {
    mem *m;
    int32_t n_vertices, n_triangles, n_edges;
    int32_t (*tri)[3];      /* vertices, each by the first one at its place */
    int32_t (*tri_edge)[3]; /* edge i is from corner i to the next; -1: a triangle that names a vertex twice */
    mesh_adjacency_edge *edges;
    int32_t *same;       /* per vertex, the first one that it counts as one with: at bitwise the same place, or sewn */
    int32_t *next_start; /* of each vertex in next_edge; n_vertices + 1 */
    int32_t *next_edge;  /* edges at each vertex */
} mesh_adjacency;

/* False: out of memory; mesh_adjacency_free is due in any case. Vertices at the same place count as one from now on. */
bool mesh_adjacency_make(mesh_adjacency *w, mem *m, int32_t n_vertices, const vec3 *x, int32_t n_triangles,
                         const int32_t (*tri)[3]);
/* The same with the vertices that count as one given: the first of them, or itself. */
bool mesh_adjacency_make_sewn(mesh_adjacency *w, mem *m, int32_t n_vertices, const int32_t *same, int32_t n_triangles,
                              const int32_t (*tri)[3]);
void mesh_adjacency_free(mesh_adjacency *w);

#endif
