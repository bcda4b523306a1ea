/* SPDX-License-Identifier: MIT */
/* What the bench of Volino and Magnenat-Thalmann measures on: meshes by formula and from files; and a plain box tree to
 * compare with. */
#ifndef BENCH_VOLINO_H
#define BENCH_VOLINO_H

#include <weft/detect.h>

typedef struct volino_mesh {
    int32_t n_nodes, n_triangles, n_objects;
    weft_vec3 *x0, *x1; /* x1 NULL: they do not move */
    int32_t *triangles, *object;
} volino_mesh;

void volino_free(volino_mesh *m);
bool volino_make(volino_mesh *m, int32_t n_nodes, int32_t n_triangles, bool moving);

/* All return false if there is no memory. The number of triangles is about n. */
bool volino_sphere(volino_mesh *m, int32_t n);
/* A sheet bent along a curve that crosses itself once. */
bool volino_loop(volino_mesh *m, int32_t n);
/* A gently wavy sheet. */
bool volino_sheet(volino_mesh *m, int32_t n, bool moving);
/* A ribbon laid in folds, one over the other, that settles. */
bool volino_ribbon(volino_mesh *m, int32_t n);

/* Two frames of a cloth on a ball; a body and a cloth over it that is folded by formula. Files are those of a folder of
 * data; false with a message in *e if they cannot be read. */
bool volino_ball(volino_mesh *m, const char *folder, weft_error *e);
bool volino_body(volino_mesh *m, const char *folder, bool large, weft_error *e);
/* The mesh without all objects but one. */
bool volino_only(const volino_mesh *m, int32_t object, volino_mesh *out);

/* Triangles that cross another one, among pairs that may. */
int32_t volino_colliding(const volino_mesh *m, const weft_triangle_pair *pairs, int64_t n);

/* A box tree split at the median of centres along the longest side, one primitive a leaf, and the pairs of primitives
 * whose boxes overlap by walking it: what one writes in an hour. */
typedef struct median_tree median_tree;
median_tree *median_build(const double (*boxes)[6], int32_t n);
void median_refit(median_tree *t, const double (*boxes)[6]);
/* Pairs of leaves of p and q (p = q: each pair once) into out, which grows; `keep` tells which count. */
typedef struct median_pairs {
    int64_t n, capacity;
    int32_t (*pairs)[2];
} median_pairs;
typedef bool (*median_keep_fn)(const void *user, int32_t a, int32_t b);
bool median_find(const median_tree *p, const median_tree *q, median_keep_fn keep, const void *user, median_pairs *out);
void median_destroy(median_tree *t);

/* Three such trees over a mesh that moves, for vertices, edges and triangles. */
typedef struct volino_plain {
    const volino_mesh *m;
    const weft_detect_edge *edges;
    int32_t n_edges;
    double (*vertex)[6], (*edge)[6], (*triangle)[6];
    median_tree *vertices, *of_edges, *triangles;
} volino_plain;

bool volino_plain_make(volino_plain *p, const volino_mesh *m, const weft_detect_edge *edges, int32_t n_edges);
void volino_plain_free(volino_plain *p);
/* Seconds of a refit and both searches; the pairs. */
double volino_plain_run(volino_plain *p, median_pairs *vt, median_pairs *ee, double *refit);

typedef struct volino_tested {
    double time; /* s */
    int64_t hits;
} volino_tested;

/* Whether each pair meets on its way: vertices with triangles, edges with edges. */
volino_tested volino_test(const volino_mesh *m, const weft_detect_edge *edges, const median_pairs *vt,
                          const median_pairs *ee);

/* The same by lists; -1 hits: no memory. */
volino_tested volino_test_lists(const volino_mesh *m, const weft_detect_edge *edges, const weft_detected *found);

/* Processor time, s: what else the machine does is not to count. */
double volino_seconds(void);

#endif
