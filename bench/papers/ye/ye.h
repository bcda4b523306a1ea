/* SPDX-License-Identifier: MIT */
/* What the parts of the bench of Ye and Zhao share: meshes of several objects, a line for each that is untangled. */
#ifndef BENCH_YE_H
#define BENCH_YE_H

#include "bench.h"

#include <weft/io/mesh.h>

typedef struct heap {
    weft_vec3 *x;
    int32_t *triangles, *objects;
    int32_t n_nodes, n_triangles, n_objects;
} heap;

void heap_free(heap *h);
/* Room for so many more; out of memory ends the bench. */
bool heap_grow(heap *h, int32_t n_nodes, int32_t n_triangles);
/* Of the object that is being made; n_objects counts those that are complete. */
void heap_triangle(heap *h, int32_t a, int32_t b, int32_t c);
/* nu × nv nodes: an object. */
bool heap_sheet(heap *h, weft_vec3 at, weft_vec3 u, weft_vec3 v, int nu, int nv);
/* Open at both ends: an object. */
bool heap_tube(heap *h, weft_vec3 a, weft_vec3 b, double radius, int n_around, int n_along);
/* A mesh of the folder of data. False: it cannot be read, which is said. */
bool heap_file(const bench_options *o, const char *name, weft_mesh *out);
/* The same as an object. */
bool heap_read(heap *h, const bench_options *o, const char *name);

weft_untangle_def heap_def(const heap *h, const bench_options *o);
/* Untangles in place and prints a line. */
bool heap_solve(heap *h, const weft_untangle_def *d, const char *name, const char *paper, weft_untangle_report *r);
void heap_print_head(void);
/* The objects in several states, side by side, as a PNG in the bench's folder. */
bool heap_picture(const heap *h, const weft_vec3 *const *states, const char *const *captions, int n,
                  weft_vec3 direction, const bench_options *o, const char *name);

/* By whose equations: the paper's alone, a vector a crossing or a contour (its mean), without and with repulsive
 * normals; and ours. */
typedef enum ye_column { YE_EQ2, YE_EQ2_MEAN, YE_EQ3, YE_EQ3_MEAN, YE_OURS, YE_COLUMNS } ye_column;
extern const char *const ye_column_names[YE_COLUMNS];

/* Object 0, which keeps its shape, goes out of object 1, which stands: by at most so many steps of `step` metres. */
typedef struct rigid_outcome {
    int steps;           /* the most there may be: not free by then */
    double before, last; /* length of contours, m, at the start and in the end */
    double way;          /* m */
    weft_vec3 *x;        /* the best state; the caller's */
} rigid_outcome;

bool rigid_part(const heap *h, double step, weft_untangle_side moving, weft_untangle_side standing, ye_column column,
                int most, const bench_options *o, rigid_outcome *out);
/* Turns the nodes from `first` on about the origin, by a unit quaternion, and moves them. */
void rigid_place(heap *h, int32_t first, weft_quat q, weft_vec3 at);

/* Parts of the bench, in files of their own; whether all is as promised. */
bool ye_capsule(const bench_options *o);
bool ye_ribbons(const bench_options *o);
bool ye_rigid(const bench_options *o);
bool ye_poses(const bench_options *o);
bool ye_random(const bench_options *o);
bool ye_garment(const bench_options *o);
bool ye_simulation(const bench_options *o);

#endif
