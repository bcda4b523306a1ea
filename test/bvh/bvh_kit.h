/* SPDX-License-Identifier: MIT */
/* Meshes for the tests of the tree, and the pairs that brute force finds. */
#ifndef TEST_TREE_TREE_KIT_H
#define TEST_TREE_TREE_KIT_H

#include "bvh/bvh.h"

typedef struct bvh_mesh {
    int32_t n_nodes, n_triangles, room_nodes, room_triangles;
    vec3 *x0, *x1;
    int32_t (*triangles)[3];
    int32_t *object;
    int32_t n_objects;
} bvh_mesh;

void bvh_mesh_free(bvh_mesh *m);
int32_t bvh_mesh_node(bvh_mesh *m, vec3 x0, vec3 x1);
void bvh_mesh_triangle(bvh_mesh *m, int32_t a, int32_t b, int32_t c);

/* [0, 1) */
double bvh_random(uint64_t *state);

bvh_input bvh_mesh_input(const bvh_mesh *m);

/* Sorted, to be compared. */
typedef struct bvh_found {
    int64_t n_vt, n_ee;
    bvh_vertex_triangle *vt;
    bvh_edge_edge *ee; /* ends of edges must be compared, not numbers: low edge first */
} bvh_found;

void bvh_found_free(bvh_found *f);
/* Sorted copy of what a tree found. */
bvh_found bvh_found_copy(const bvh_pairs *p);
/* Pairs for which a function says yes, of all that have no common node. */
typedef bool (*bvh_meet_fn)(const bvh_mesh *m, const int32_t *a, int n_a, const int32_t *b, int n_b, double inflate);
bvh_found bvh_found_where(const bvh_mesh *m, const bvh *t, const int32_t *same, bvh_meet_fn meet, double inflate);
/* Pairs whose boxes overlap, by looking at all. */
bvh_found bvh_found_boxes(const bvh_mesh *m, const bvh *t, const int32_t *same, double inflate);
bool bvh_found_same(const bvh_found *a, const bvh_found *b);

#endif
