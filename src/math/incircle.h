/* SPDX-License-Identifier: MIT */
/* Whether a point lies in a circle, exactly. */
#ifndef WEFT_MATH_INCIRCLE_H
#define WEFT_MATH_INCIRCLE_H

#include "math/vec.h"

/* > 0: d is inside the circle through a, b, c, which turn left (< 0 if they turn right). 0: on it. Coordinates are 0 or
 * within [2⁻²⁰⁰, 2²⁰⁰] by size: then all products of four differences are safe for expansions. */
int predicate_incircle(vec2 a, vec2 b, vec2 c, vec2 d);

/* Without the filter, for tests. */
int predicate_incircle_exact(vec2 a, vec2 b, vec2 c, vec2 d);

#endif
