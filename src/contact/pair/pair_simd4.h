/* SPDX-License-Identifier: MIT */
/* Which of four pairs may be near: signs and squares alone, no closest points. Kernels
 * (math/kernel.h), with the same answers.
 *
 * Two edges are told apart if their lines are nearest beyond an end of one of them, or farther apart than `far`; a
 * vertex and a triangle if it is farther than that from the plane, or beyond all corners on the way from their mean.
 * Where rounding decides it, the pair is at the limit and exerts no force.
 *
 * And their closest points, in the order of operations of gap.c: the same bits. */
#ifndef WEFT_CONTACT_PAIR_PAIR_SIMD4_H
#define WEFT_CONTACT_PAIR_PAIR_SIMD4_H

#include "contact/gap.h"
#include "contact/pair/verlet_list.h"

typedef struct pair_motion {
    const vec3 *x0, *x1; /* all nodes */
    double most;         /* reach of any pair, m */
} pair_motion;

typedef struct pair_kernel {
    /* Four pairs of edges, or four of a vertex and a triangle: bit i is set if pair i may be near. */
    unsigned (*edges)(const vec3 *x, const contact_pair p[4], double far);
    unsigned (*triangles)(const vec3 *x, const contact_pair p[4], double far);
    /* The same, surely: bit i is not set only if no point of the one is within `far` · (1 − 1e-8) of the other. */
    unsigned (*planes)(const vec3 *x, const contact_pair p[4], double far);
    unsigned (*lines)(const vec3 *x, const contact_pair p[4], double far);
    /* Closest points. Of pairs whose bit is set in what is returned, primitives without length or area, they are not
     * known. */
    unsigned (*edge_gaps)(const vec3 *x, const contact_pair p[4], gap out[4]);
    unsigned (*triangle_gaps)(const vec3 *x, const contact_pair p[4], gap out[4]);
    /* Four pairs of one kind with closest points g at x0, on the way to x1: bit i is set if points of pair i can come
     * within m->most of each other and its boxes meet (pair_find.c). nearer: by how much the points come nearer. */
    unsigned (*come_near)(const pair_motion *m, const contact_pair p[4], const gap g[4], double nearer[4]);
} pair_kernel;

extern const pair_kernel pair_kernel_plain, pair_kernel_avx2;
const pair_kernel *pair_kernel_best(void);

/* Closest points of any pair, and of any four. */
gap contact_pair_gap(const vec3 *x, const contact_pair *p);
void contact_pair_gaps(const pair_kernel *k, const vec3 *x, const contact_pair p[4], gap out[4]);

#endif
