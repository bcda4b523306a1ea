/* SPDX-License-Identifier: MIT */
/* Contours in the plane: what the files behind simple_from share. bvh_simple.c has the idea. */
#ifndef WEFT_BVH_BVH_SIMPLE_H
#define WEFT_BVH_BVH_SIMPLE_H

#include "math/planar_loop.h"
#include "math/planar_ring.h"
#include "bvh/bvh_inside.h"

enum {
    SIMPLE_BLOCKS = 512,  /* of a contour */
    SIMPLE_SPOTS = 512,   /* points that are kept; those of longer contours are found again and again */
    SIMPLE_SEGMENTS = 32, /* stretches of two contours that make up that of the union */
    SIMPLE_LOOPS = 8,
};

/* A node in the plane at x0 and x1. */
typedef struct spot {
    double x[2], y[2];
} spot;

/* Places in a tree's list of contours, from `first` on. */
typedef struct segment {
    int32_t first, n;
    int32_t next; /* the segment that follows */
    int32_t loop; /* -1: not known yet */
} segment;

typedef struct block {
    int32_t first, n;
    int32_t end; /* the place that follows the last */
    int32_t loop;
    int32_t at; /* its points among those that are kept */
} block;

/* A contour edge. */
typedef struct rim {
    spot tail, head;
    int32_t from, to; /* common nodes */
    int32_t he;
    int32_t loop;
} rim;

typedef struct contour {
    const bvh *t;
    const zone *p, *q;
    vec3 a, b;     /* the plane's axes */
    int n_times;   /* 1: no motion */
    double margin; /* a length in the plane that rounding cannot make up */
    double thickness;
    int32_t n_edges, n_segments, n_loops, n_blocks;
    segment segments[SIMPLE_SEGMENTS];
    int32_t loop_first[SIMPLE_LOOPS + 1]; /* blocks */
    double area[SIMPLE_LOOPS], area_error[SIMPLE_LOOPS];
    uint32_t touches[SIMPLE_LOOPS]; /* bits of loops that touch this one in a vertex, sectors apart */
    bool keeps;                     /* its points: loop after loop, the first of each once more behind its last */
    spot spots[SIMPLE_SPOTS];
    block blocks[SIMPLE_BLOCKS];
    box boxes[SIMPLE_BLOCKS], row_boxes[SIMPLE_BLOCKS / PLANAR_ROW];
    planar_row rows[SIMPLE_BLOCKS / PLANAR_ROW];
} contour;

static inline spot spot_of(const contour *c, int32_t vi)
{
    const bvh *t = c->t;
    spot s;
    vec3 x = t->x0[vi];
    s.x[0] = s.x[1] = v3_dot(c->a, x);
    s.y[0] = s.y[1] = v3_dot(c->b, x);
    if (c->n_times == 2) {
        x = t->x1[vi];
        s.x[1] = v3_dot(c->a, x);
        s.y[1] = v3_dot(c->b, x);
    }
    return s;
}

/* Where the half-edge at a place begins. */
static inline spot project_place(const contour *c, int32_t place)
{
    return spot_of(c, c->t->rim_node[place]);
}

static inline double spot_cross(const spot *r, int i, const spot *s, int j)
{
    return r->x[i] * s->y[j] - r->y[i] * s->x[j];
}

static inline double dot_at(const spot *r, int i, const spot *s, int j)
{
    return r->x[i] * s->x[j] + r->y[i] * s->y[j];
}

static inline spot spot_from(const spot *origin, const spot *to)
{
    spot r;
    for (int k = 0; k < 2; k++) {
        r.x[k] = to->x[k] - origin->x[k];
        r.y[k] = to->y[k] - origin->y[k];
    }
    return r;
}

static inline double spot_extent(const spot *r)
{
    return max_of(fabs(r->x[0]), fabs(r->x[1])) + max_of(fabs(r->y[0]), fabs(r->y[1]));
}

/* Whether r × s > least all through the motion. */
static inline bool turns_left(const contour *c, const spot *r, const spot *s, double least)
{
    if (!(spot_cross(r, 0, s, 0) > least))
        return false;
    return c->n_times == 1 ||
           (spot_cross(r, 1, s, 1) > least && spot_cross(r, 0, s, 1) + spot_cross(r, 1, s, 0) > 2 * least);
}

/* The loops of the contour of p, or of the union of p and q; false: there are none, or too many. */
bool contour_find_loops(contour *c);
/* Looks along the middle of a mask; without zones, and without thickness. */
void contour_prepare(contour *c, const bvh *t, uint64_t mask);
/* Whether all edges of a contour, of which `n` and `node` of a ring are given, are simple; false also if not known. */
bool contour_ring_is_simple(const contour *c, planar_ring *r);
/* Whether a contour is simple as most are, which bvh_quick.c tells. Sets n_edges. */
simple contour_is_simple_at_once(contour *c);
/* Two edges of a contour, all through the motion: disjoint but for a common vertex, where sectors do not overlap. */
bool contour_edges_apart(contour *c, const rim *e, const rim *f);
/* The same of edges that should have no common vertex, by their ends only. */
bool contour_strangers_apart(const contour *c, const rim *e, const rim *f);
/* The same where f follows e; without thickness, by their ends only. */
bool contour_followers_apart(const contour *c, const rim *e, const rim *f);

#endif
