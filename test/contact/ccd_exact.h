/* SPDX-License-Identifier: MIT */
/* Whether moving primitives meet, decided exactly (GMP). Slow and plain on purpose. */
#ifndef TEST_CONTACT_CCD_EXACT_H
#define TEST_CONTACT_CCD_EXACT_H

#include "math/vec.h"

typedef struct ccd_exact_answer {
    bool meet;   /* at some time in [0, 1] */
    bool before; /* at some time in [0, lower) */
} ccd_exact_answer;

/* Corners as in weft/ccd.h. Any finite coordinates. */
ccd_exact_answer ccd_exact(bool edges, const vec3 x0[4], const vec3 x1[4], double lower);

/* One coordinate keeps them apart: all its differences have the same sign, at both ends. */
bool ccd_exact_is_apart(bool edges, const vec3 x0[4], const vec3 x1[4]);

/* That, or they are never coplanar by the signs of the cubic's Bernstein coefficients, or one of 65 directions parts
 * them at both ends, in 64-bit integers: for whole coordinates of magnitude up to 2^16. A quick way to know that
 * nothing meets. */
bool ccd_exact_is_plainly_apart(bool edges, const vec3 x0[4], const vec3 x1[4]);

#endif
