/* SPDX-License-Identifier: MIT */
/* The sign of a sum of products of three doubles, exact over the whole range of doubles; for numbers so large or small
 * that expansions would over- or underflow. */
#ifndef WEFT_MATH_LONG_SUM_H
#define WEFT_MATH_LONG_SUM_H

#include <stdint.h>

enum { LONG_SUM_LIMBS = 200 };

/* The positive and the negative terms apart, as integers in units of 2⁻³²²², 32 bits a limb, the lowest first. A
 * product is below 2³⁰⁷², so 6400 bits leave room for 2¹⁰⁰ terms. */
typedef struct long_sum {
    uint32_t limbs[2][LONG_SUM_LIMBS];
} long_sum;

void long_sum_start(long_sum *s);
/* Adds sign·a·b·c; all finite. */
void long_sum_add(long_sum *s, int sign, double a, double b, double c);
int long_sum_sign(const long_sum *s);

#endif
