/* SPDX-License-Identifier: MIT */
/* Which of four pairs may be near: signs and squares alone, no closest points. Compiled plain and for AVX2
 * (math/lanes.h), with the same answers.
 *
 * Two edges are told apart if their lines are nearest beyond an end of one of them, or farther apart than `far`; a
 * vertex and a triangle if it is farther than that from the plane, or beyond all corners on the way from their mean.
 * Where rounding decides it, the pair is at the limit and exerts no force. */
#ifndef WEFT_CONTACT_NEAR_FOUR_H
#define WEFT_CONTACT_NEAR_FOUR_H

#include "contact/near.h"

typedef struct near_kernel {
    /* Four pairs of edges, or four of a vertex and a triangle: bit i is set if pair i may be near. */
    unsigned (*edges)(const vec3 *x, const near_pair p[4], double far);
    unsigned (*triangles)(const vec3 *x, const near_pair p[4], double far);
} near_kernel;

extern const near_kernel near_plain;
extern const near_kernel near_avx2; /* if LANES_HAVE_AVX2 */
const near_kernel *near_best(void);

#endif
