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

/* Parts of the bench, in files of their own; whether all is as promised. */
bool ye_capsule(const bench_options *o);
bool ye_ribbons(const bench_options *o);
bool ye_rigid(const bench_options *o);
bool ye_random(const bench_options *o);
bool ye_garment(const bench_options *o);
bool ye_simulation(const bench_options *o);

#endif
