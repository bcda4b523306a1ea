/* SPDX-License-Identifier: MIT */
/* Constrained Delaunay triangulation of points in the plane.
 *
 * Invariants (cdt_is_valid):
 *  1. every triangle turns left, by the exact predicate; neighbours are mutual and share two points;
 *  2. the triangles cover the big triangle of the points 0, 1, 2, which encloses all others;
 *  3. every constraint is a side, or a chain of sides if points lie on it;
 *  4. no side but a constraint has, in its two triangles, a point inside the circle of the other: with 3 this makes it
 *     the constrained Delaunay triangulation (no point that a triangle sees is inside its circle). */
#ifndef WEFT_GARMENT_CDT_H
#define WEFT_GARMENT_CDT_H

#include "base/mem.h"
#include "math/vec.h"

/* The first three points are corners of a triangle far around all others. */
enum { CDT_FIRST = 3 };

typedef struct cdt_triangle {
    int32_t v[3];
    int32_t n[3];     /* over the side opposite v[i]; -1: none */
    bool is_fixed[3]; /* that side is a constraint */
    bool is_rim[3];   /* and part of the outline */
} cdt_triangle;

typedef struct cdt {
    mem *mem;
    vec2 *points;
    int32_t n_points;
    int64_t room_points;
    int32_t *triangle_of; /* some triangle of each point */
    int64_t room_of;
    cdt_triangle *triangles;
    int32_t n_triangles;
    int64_t room_triangles;
    int32_t last; /* where the next search begins */
    int32_t *stack;
    int64_t room_stack;
    int32_t (*crossed)[2]; /* work of cdt_constrain: sides by their points */
    int32_t n_crossed;
    int64_t room_crossed;
} cdt;

typedef enum cdt_result { CDT_OK, CDT_MEMORY, CDT_CROSSING } cdt_result;

/* All points to come are within low … high. Coordinates are multiples of 2⁻⁴⁰ below 2¹⁰, so that predicates are safe;
 * cdt_snap makes them so. */
cdt_result cdt_create(cdt *c, mem *m, vec2 low, vec2 high);
void cdt_destroy(cdt *c);
vec2 cdt_snap(vec2 p);

/* *out is its number, that of the point before it at the same place if there is one. */
cdt_result cdt_insert(cdt *c, vec2 p, int32_t *out);

/* Makes the segment from point a to point b a chain of sides. CDT_CROSSING: it crosses another constraint; then some of
 * it may have been made. */
cdt_result cdt_constrain(cdt *c, int32_t a, int32_t b, bool is_rim);

/* Which triangles are inside: an odd number of rims away from the outside. inside has n_triangles. */
cdt_result cdt_inside(cdt *c, bool *inside);

bool cdt_is_valid(const cdt *c);

/* The triangle with the side from a to b (in its order), and the corner opposite in *corner; -1: there is none. */
int32_t cdt_find_side(const cdt *c, int32_t a, int32_t b, int *corner);

/* Turns the side opposite corner i of ti; both triangles must form a convex quad. */
void cdt_flip(cdt *c, int32_t ti, int i);

#endif
