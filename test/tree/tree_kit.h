/* SPDX-License-Identifier: MIT */
/* Meshes for the tests of the tree, and the pairs that brute force finds. */
#ifndef TEST_TREE_TREE_KIT_H
#define TEST_TREE_TREE_KIT_H

#include "tree/tree.h"

typedef struct tree_mesh {
    int32_t n_nodes, n_triangles, room_nodes, room_triangles;
    vec3 *x0, *x1;
    int32_t (*triangles)[3];
    int32_t *object;
    int32_t n_objects;
} tree_mesh;

void tree_mesh_free(tree_mesh *m);
int32_t tree_mesh_node(tree_mesh *m, vec3 x0, vec3 x1);
void tree_mesh_triangle(tree_mesh *m, int32_t a, int32_t b, int32_t c);

/* [0, 1) */
double tree_random(uint64_t *state);

tree_input tree_mesh_input(const tree_mesh *m);

/* Sorted, to be compared. */
typedef struct tree_found {
    int64_t n_vt, n_ee;
    tree_vertex_triangle *vt;
    tree_edge_edge *ee; /* ends of edges must be compared, not numbers: low edge first */
} tree_found;

void tree_found_free(tree_found *f);
/* Sorted copy of what a tree found. */
tree_found tree_found_copy(const tree_pairs *p);
/* Pairs for which a function says yes, of all that have no common node. */
typedef bool (*tree_meet_fn)(const tree_mesh *m, const int32_t *a, int n_a, const int32_t *b, int n_b, double inflate);
tree_found tree_found_where(const tree_mesh *m, const tree *t, const int32_t *same, tree_meet_fn meet, double inflate);
/* Pairs whose boxes overlap, by looking at all. */
tree_found tree_found_boxes(const tree_mesh *m, const tree *t, const int32_t *same, double inflate);
bool tree_found_same(const tree_found *a, const tree_found *b);

#endif
