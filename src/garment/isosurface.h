/* SPDX-License-Identifier: MIT */
/* The surface where a function is zero, as a closed mesh that does not cross itself. */
#ifndef WEFT_GARMENT_ISOSURFACE_H
#define WEFT_GARMENT_ISOSURFACE_H

#include "base/mem.h"
#include "math/vec.h"

/* Negative inside. Continuous; about the distance near the surface. */
typedef double (*isosurface_fn)(const void *shape, vec3 p);

typedef struct isosurface {
    mem *mem;
    vec3 *vertices;
    int32_t n_vertices;
    int64_t room_vertices;
    int32_t (*triangles)[3]; /* counter-clockwise seen from outside */
    int32_t n_triangles;
    int64_t room_triangles;
} isosurface;

/* All of the surface lies within low … high; size is the lattice's constant: triangles have sides of about 0.7 of it.
 * False: out of memory. */
bool isosurface_create(isosurface *s, mem *m, isosurface_fn f, const void *shape, vec3 low, vec3 high, double size);
void isosurface_destroy(isosurface *s);

#endif
