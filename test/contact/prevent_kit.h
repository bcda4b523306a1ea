/* SPDX-License-Identifier: MIT */
/* Little worlds for the tests of prevention: sheets of cloth and collider meshes as plain arrays, a way to move them,
 * and an audit of all pairs of triangles by exact predicates. */
#ifndef TEST_CONTACT_PREVENT_KIT_H
#define TEST_CONTACT_PREVENT_KIT_H

#include "contact/prevent/prevent.h"
#include "sim/kit.h"

enum { KIT_ROOM = 8192 };

typedef struct prevent_kit {
    kit_memory memory;
    mem mem;
    arena scratch;
    prevent_world w;
    prevent_options options;
    prevent_stats stats; /* of the last call */
    int32_t n_triangles, n_objects;
    int32_t triangles[2 * KIT_ROOM][3];
    int32_t object[2 * KIT_ROOM];
    bool fixed[64];
    vec3 x0[KIT_ROOM], x1[KIT_ROOM], v1[KIT_ROOM];
    double mass[KIT_ROOM], radius[KIT_ROOM], friction[KIT_ROOM], dissipation[KIT_ROOM];
    filter filters[KIT_ROOM];
    node_row rows[KIT_ROOM];
    uint64_t random;
} prevent_kit;

/* An empty world, h = 1/60 s. Cloth first, then colliders, then prevent_kit_ready. */
prevent_kit *prevent_kit_new(uint64_t seed);
void prevent_kit_free(prevent_kit *k);

/* n_u × n_v nodes from `corner` along the two sides; the first of them. Mass 1e-4 kg a node, radius 0.3 of the cell. */
int32_t prevent_kit_sheet(prevent_kit *k, int32_t n_u, int32_t n_v, vec3 corner, vec3 side_u, vec3 side_v);
/* The same, with cells twice as large in the far half along u, so that nodes hang between the halves. n_u − 1 is a
 * multiple of four, n_v − 1 of two. */
int32_t prevent_kit_mixed_sheet(prevent_kit *k, int32_t n_u, int32_t n_v, vec3 corner, vec3 side_u, vec3 side_v);
/* A closed box, of two triangles a side. */
int32_t prevent_kit_box(prevent_kit *k, vec3 corner, vec3 sides);
/* Single triangles and the like: nodes with no mesh of their own. */
int32_t prevent_kit_node(prevent_kit *k, vec3 x, double mass, double radius);
void prevent_kit_triangle(prevent_kit *k, int32_t a, int32_t b, int32_t c, int32_t object);
int32_t prevent_kit_object(prevent_kit *k, bool fixed);
/* What follows belongs to colliders. */
void prevent_kit_colliders(prevent_kit *k);
void prevent_kit_hang(prevent_kit *k, int32_t vi, int32_t a, int32_t b);

/* x0 onto the grid, x1 = x0, v1 = 0, the tree. */
void prevent_kit_ready(prevent_kit *k, int32_t n_threads);

/* x1 = x0 + d, v1 = d / h, for one node or a range. */
void prevent_kit_move(prevent_kit *k, int32_t from, int32_t to, vec3 d);
prevent_end prevent_kit_run(prevent_kit *k);
/* x0 becomes x1. */
void prevent_kit_commit(prevent_kit *k);

/* Pairs of triangles that intersect at x (not two of colliders), by exact predicates on all pairs. */
int32_t prevent_kit_intersections(const prevent_kit *k, const vec3 *x);

vec3 prevent_kit_momentum(const prevent_kit *k, const vec3 *v);
/* About the origin, at the positions x. */
vec3 prevent_kit_spin(const prevent_kit *k, const vec3 *x, const vec3 *v);
vec3 prevent_kit_random(prevent_kit *k, double half);
uint64_t prevent_kit_hash(const prevent_kit *k);

#endif
