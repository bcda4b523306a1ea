/* SPDX-License-Identifier: MIT */
/* The collision hierarchy: zones over the triangles of all surfaces, from a few triangles up to one root (volino1994
 * §2.3), and the walk over it that finds which primitives may collide.
 *
 * Use: bvh_create from triangles; every step bvh_refit to positions (a moment, or a motion from x0 to x1), then
 * bvh_candidates, any number of times. A steady step asks for no memory.
 *
 * What comes out. Vertex–triangle and edge–edge pairs, each once, none with a common vertex: in mode `classical`
 * exactly the pairs whose own boxes (swept over the motion, enlarged) overlap; in mode `proven` those of them that
 * are not proven free (bvh_simple.c has the proof), so no pair that touches is lacking; `fast` and `cones` leave
 * the proof's contour condition out as the papers do, and may lack some. Every vertex and edge has one triangle that
 * owns it, and a pair comes out where the owners meet, so no pair is found twice.
 *
 * The order of pairs, and every counter, depends on the tree and the positions only, not on the number of threads.
 *
 * Scratch memory. A fit takes boxes of an arena, a query all that it works with and what it finds. Both last until the
 * caller goes back to a mark from before: a tree whose boxes have been released must be fitted again before it is
 * asked. A tree that was given no arena has one of its own; then boxes last until the next fit, and pairs until the
 * next fit or query. */
#ifndef WEFT_BVH_BVH_H
#define WEFT_BVH_BVH_H

#include "base/arena.h"
#include "base/error.h"
#include "base/pool.h"
#include "math/box.h"

#include <weft/detect.h>

typedef struct bvh bvh;

/* How pairs of zones are skipped beside the test of their boxes. */
typedef enum bvh_mode {
    BVH_PROVEN = WEFT_DETECT_PROVEN,       /* a direction positive against all normals, a contour that stays simple */
    BVH_FAST = WEFT_DETECT_FAST,           /* volino1994: a direction, no contour */
    BVH_CONES = WEFT_DETECT_CONES,         /* provot1997 §2.2: a cone of normals, no contour */
    BVH_CLASSICAL = WEFT_DETECT_CLASSICAL, /* not at all */
} bvh_mode;

/* All arrays are copied. */
typedef struct bvh_input {
    int32_t n_nodes, n_triangles;
    const int32_t (*triangles)[3];
    const vec3 *x; /* per node: the shape by which zones are formed, m */
    /* Per triangle, which object it is of, [0, n_objects). Zones do not join objects but at the top. NULL: all 0. */
    const int32_t *object;
    int32_t n_objects;
    const bool *fixed;          /* per object: pairs of two fixed objects are not wanted; NULL: none is fixed */
    const weft_filter *filters; /* per object: pairs of others are not wanted; NULL: all are */
    /* Per triangle, the element it is drawn from, [0, n_elements); and of each element its parent, -1: a root element.
     * Elements and their parents become zones below those formed of root elements. NULL: every triangle is a root. */
    const int32_t *element;
    int32_t n_elements;
    const int32_t *element_parent; /* NULL: all are roots */
    /* Per node a node it counts as one with (sewn to it, or always at the same place), which is its own `same`; NULL:
     * itself. A triangle whose corner is not at the place of its `same` takes part in no skipping. */
    const int32_t *same;
    uint32_t seed; /* another one forms other zones */
    bool updates;  /* bvh_update will be called: the zones above root elements are remembered */
    /* What bvh_leave left of an earlier tree: taken over. NULL, or nothing in it: made. */
    struct directions **spare;
    arena *scratch; /* that fits and queries take of; must outlive the tree. NULL: it has its own */
} bvh_input;

/* Whether things with these filters collide. */
static inline bool filters_meet(const weft_filter *p, const weft_filter *q)
{
    return (p->category & q->mask) != 0 && (q->category & p->mask) != 0;
}

/* WEFT_ERROR_INDEX names the triangle. A mesh without triangles is fine. Degenerate triangles are fine: they are never
 * skipped. */
weft_result bvh_create(mem *m, const bvh_input *in, bvh **out, weft_error *e);
void bvh_destroy(bvh *t);

/* Destroys a tree but for its table of directions, which is the same for all trees and dear: that goes to *spare,
 * unless there is one. bvh_spare_destroy ends it (NULL is fine). */
void bvh_leave(bvh *t, struct directions **spare);
void bvh_spare_destroy(mem *m, struct directions *spare);

/* The same root elements, split otherwise: zones above the root elements stay, those below are made anew. `in` is as
 * for bvh_create, with as many root elements (and objects) as before, in the order of their numbers; of the root
 * elements the numbers may be others. The tree was created for `updates`. On failure it is as it was. */
weft_result bvh_update(bvh *t, const bvh_input *in, weft_error *e);

/* Boxes and directions for nodes at x0 (x1 NULL) or on their straight way from x0 to x1, the boxes enlarged by
 * `inflate` m to every side. Both arrays must stay until the candidates have been read. Fails, and names the node, if a
 * coordinate is not finite or beyond 1e30; the tree must then be fitted again before it is asked. */
weft_result bvh_refit(bvh *t, pool *p, const vec3 *x0, const vec3 *x1, double inflate, weft_error *e);

/* The same for a straight way, but with boxes at its two ends in place of one about all of it: things are told apart
 * that are so along one axis, in one direction, at both ends, and so all the way. A motion in common then costs
 * nothing, however far it goes. For mode `classical` only, which finds exactly the pairs that are not told apart. */
weft_result bvh_refit_ends(bvh *t, pool *p, const vec3 *x0, const vec3 *x1, double inflate, weft_error *e);

/* Volino's figures, summed over one call. */
typedef weft_detect_counters bvh_counters;

typedef struct bvh_query {
    bvh_mode mode;
    /* 0: collisions. d > 0: pairs nearer than d at x0 are wanted, but for pairs with a way on the surface between them
     * that is shorter than 2 d; boxes must have been enlarged by d / 2 at least. For x1 NULL only. */
    double thickness;
    /* At most so many vertex–triangle and so many edge–edge pairs, else WEFT_ERROR_LIMIT; 0: 2³⁰. */
    int64_t limit;
} bvh_query;

typedef weft_vertex_triangle bvh_vertex_triangle;
typedef weft_edge_edge bvh_edge_edge;
typedef weft_triangle_pair bvh_triangle_pair;

/* Arrays lie in the scratch arena. */
typedef struct bvh_pairs {
    const bvh_vertex_triangle *vertex_triangle;
    const bvh_edge_edge *edge_edge;
    int64_t n_vertex_triangle, n_edge_edge;
    bvh_counters counters;
} bvh_pairs;

/* For who does not know whose the arena is: a mark of it, and back to that. Nothing happens to a tree's own. */
arena_mark bvh_mark(const bvh *t);
void bvh_release(bvh *t, arena_mark m);

weft_result bvh_candidates(bvh *t, pool *p, const bvh_query *q, bvh_pairs *out, weft_error *e);

typedef struct bvh_triangles {
    const bvh_triangle_pair *pairs; /* ti < tj */
    int64_t n;
    bvh_counters counters;
} bvh_triangles;

/* For audits: all pairs of triangles whose boxes overlap, those with common vertices and edges included, but for
 * what is proven to have no common point outside common vertices and edges. Modes as above; nothing is assumed of
 * x0: the proof of `proven` needs no clean start. */
weft_result bvh_triangle_pairs(bvh *t, pool *p, const bvh_query *q, bvh_triangles *out, weft_error *e);

/* Per node the smallest distance at x0 of a vertex–triangle or edge–edge pair that it is a part of, pairs with a common
 * vertex and pairs of two fixed objects left out; `radius` where that is greater. The tree must have been refitted with
 * x1 NULL and inflate ≥ radius / 2. */
weft_result bvh_clearance(bvh *t, pool *p, double radius, int64_t limit, double *distance, weft_error *e);

/* Each edge of the triangles once, by its nodes' own numbers. */
typedef weft_detect_edge bvh_edge;

const bvh_edge *bvh_edges(const bvh *t);
int32_t bvh_n_edges(const bvh *t);
int32_t bvh_n_zones(const bvh *t);
int32_t bvh_depth(const bvh *t);
/* Bytes that the last refit had to read and write: each array once, but what is read after it was written twice. Its
 * speed is measured by this. */
int64_t bvh_refit_bytes(const bvh *t);

/* Whole-structure check, for tests: zones cover their triangles once, children lie in their parents, contours close. */
bool bvh_is_valid(const bvh *t);

#endif
