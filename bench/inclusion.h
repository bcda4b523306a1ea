/* SPDX-License-Identifier: MIT */
/* Continuous collision detection by plain bisection with inclusion functions, to compare with: boxes in time and the
 * two parameters, halved along their longest side as long as the box of what they map to contains the origin. */
#ifndef BENCH_INCLUSION_H
#define BENCH_INCLUSION_H

#include <weft/base.h>

/* Corners as in weft/ccd.h, thickness 0. True where a box that maps into `tolerance` (m) is left, or too many are. */
bool inclusion_meet(bool edges, const weft_vec3 x0[4], const weft_vec3 x1[4], double tolerance, double *time);

#endif
