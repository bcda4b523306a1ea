/* SPDX-License-Identifier: MIT */
/* Own trigonometry: the same bits with every compiler, C library and target. Errors ≤ 2 ulp (tested). */
#ifndef WEFT_MATH_TRIG_H
#define WEFT_MATH_TRIG_H

/* |x| ≤ 1e6 for sin and cos; NaN beyond. */
double weft_sin(double x);
double weft_cos(double x);
double weft_atan2(double y, double x); /* as the C library's, in (−π, π]; atan2(0, 0) = 0 */
double weft_exp(double x);

#define WEFT_PI 3.14159265358979323846

#endif
