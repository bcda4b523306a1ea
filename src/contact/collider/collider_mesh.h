/* SPDX-License-Identifier: MIT */
/* A collider given as a mesh of triangles: its vertices, what is known of its shape, and how far points and triangles
 * are from it. */
#ifndef WEFT_CONTACT_COLLIDER_COLLIDER_MESH_H
#define WEFT_CONTACT_COLLIDER_COLLIDER_MESH_H

#include <weft/collider.h>

#include "base/error.h"
#include "base/mem.h"
#include "math/vec.h"

/* A node of the hierarchy of boxes: its children are the next node and `right`; leaves have n > 0 triangles from
 * order[first] on. */
typedef struct mesh_box {
    vec3 lo, hi;
    int32_t first, n, right;
} mesh_box;

typedef struct collider_mesh {
    mem *mem;
    int32_t n_vertices, n_triangles, capacity; /* capacity: of the arrays by triangle */
    int32_t (*triangles)[3];                   /* those that name three different vertices */
    int32_t (*neighbour)[3];                   /* over the side from corner i to the next; closed meshes; else -1 */
    int32_t *same;                             /* the first vertex at bitwise the same place */
    weft_collider_info info;                   /* but for `volume` and `moved_by_vertices` */
    vec3 *local;                               /* vertices in the collider's frame */
    vec3 *x;                                   /* where they are, on the grid */
    vec3 *start;                               /* where they were when the step began */
    vec3 *goal;                                /* driven: where they are at the end of the next step, on the grid */
    bool driven;                               /* by vertices; else by its pose */
    bool measured;                             /* boxes and normals are those of x; whoever moves x clears it */
    mesh_box *boxes;
    int32_t n_boxes, capacity_boxes;
    int32_t *order;
    vec3 *normal;   /* pseudo-normals of vertices (of the first at each place) */
    double outside; /* 1, or -1 if triangles run clockwise as seen from outside */
} collider_mesh;

/* Of the definition: counts and arrays fit together, indices are in range, coordinates finite and within ±most, and
 * some triangle names three different vertices. */
weft_result collider_mesh_check(const weft_collider_def *d, double most, weft_error *e);
/* NULL without memory. x, start and goal are not filled in. */
collider_mesh *collider_mesh_create(mem *m, const weft_collider_def *d);
void collider_mesh_destroy(collider_mesh *c); /* NULL is fine */

/* Of its triangles, to tell meshes apart. */
uint64_t collider_mesh_hash(const collider_mesh *c);

/* Signed volume at x, m³: positive if triangles run counter-clockwise as seen from outside. */
double collider_mesh_volume(const collider_mesh *c);

/* ---- distances at x (collider_mesh_distance.c) ------------------------------------------------------------------- */

/* Sorts triangles into boxes; false without memory. */
bool collider_mesh_make_boxes(collider_mesh *c);

/* The place of the surface nearest to a point. */
typedef struct collider_mesh_place {
    double distance; /* ≥ 0 */
    vec3 point;
    vec3 normal;   /* of unit length, outward if the mesh is closed, else as the triangle's corners run */
    bool behind;   /* the point is on the other side of the normal */
    bool has_side; /* it can be told: the mesh is closed, or the place is inside a triangle */
} collider_mesh_place;

collider_mesh_place collider_mesh_nearest(collider_mesh *c, vec3 p);

/* Distance of a point from the surface, negative inside if the mesh is closed. */
double collider_mesh_distance(collider_mesh *c, vec3 p);

/* Distance of a triangle from the surface, 0 if they cross; `within` if that is less. */
double collider_mesh_triangle_distance(collider_mesh *c, const vec3 x[3], double within);

#endif
