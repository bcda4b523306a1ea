/* SPDX-License-Identifier: MIT */
/* Meshes for tests of untangling: sheets, solids, the unit meshes, finer and finer. */
#ifndef TEST_TANGLE_KIT_H
#define TEST_TANGLE_KIT_H

#include "base/pool.h"
#include "math/vec.h"
#include "bvh/bvh.h"
#include "untangle/contour.h"
#include <weft/untangle.h>

typedef struct tangle {
    int32_t n_nodes, n_triangles, node_room, triangle_room, n_objects;
    vec3 *x;
    int32_t (*t)[3];
    int32_t *object;
} tangle;

void tangle_free(tangle *t);
int32_t tangle_node(tangle *t, vec3 x);
void tangle_triangle(tangle *t, int32_t a, int32_t b, int32_t c);
/* nu × nv cells from corner along u and v, two triangles each; an object of its own. Returns its first node. */
int32_t tangle_sheet(tangle *t, vec3 corner, vec3 u, vec3 v, int nu, int nv);
/* A tube about the way from a to b. */
int32_t tangle_tube(tangle *t, vec3 a, vec3 b, double radius, int n_around, int n_along);
/* |x| + |y| + |z| = radius, about a centre, every triangle split 4^level times. */
int32_t tangle_octahedron(tangle *t, vec3 centre, double radius, int level);
/* All triangles split into four at the middles of their edges. */
void tangle_split(tangle *t);
/* Appends an OBJ file of the folder of data; false: it is not there. */
bool tangle_read(tangle *t, const char *name);

extern const char *const tangle_units[7];

/* Untangles all of it. */
weft_untangle_def tangle_def(const tangle *t);

/* What contours_find needs, at the tangle's positions. */
typedef struct tangle_rig {
    mem m;
    pool *p;
    mesh_adjacency w;
    bvh *bvh;
    contours c;
} tangle_rig;

void tangle_rig_make(tangle_rig *r, const tangle *t, int32_t n_threads);
void tangle_rig_find(tangle_rig *r, const vec3 *x);
void tangle_rig_free(tangle_rig *r);

#endif
