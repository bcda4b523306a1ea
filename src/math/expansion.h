/* SPDX-License-Identifier: MIT */
/* Expansions: a number as the exact sum of doubles.
 *
 * Idea: the rounding error of a sum or a product of doubles is a double again, and can be computed. A number of any
 * length is then kept as components that do not overlap and grow in size, zeros left out; its sign is that of the
 * last one. Sums of two expansions and products by a double stay such expansions. (Dekker 1971, Knuth's two-sum;
 * Priest 1991; Shewchuk 1997, theorems 13 and 19.)
 *
 * No fused multiply-add is assumed and none may be made (the build switches contraction off): products are split by
 * Dekker's constant 2²⁷ + 1.
 *
 * Invariants, with n ≥ 0 the count of an expansion e:
 * 1. No component is zero; none overlaps another; |e[i]| grows with i. The value is their exact sum, 0 for n = 0.
 * 2. This holds as long as nothing overflows and no bit of any product lies below 2⁻¹⁰⁷⁴; the caller sees to it.
 * 3. Outputs are arrays of their own, never an input. */
#ifndef WEFT_MATH_EXPANSION_H
#define WEFT_MATH_EXPANSION_H

#include <math.h>

/* *sum + *error = a + b */
static inline void two_sum(double a, double b, double *sum, double *error)
{
    double s = a + b, b_part = s - a, a_part = s - b_part;
    *error = (a - a_part) + (b - b_part);
    *sum = s;
}

/* The same, knowing |a| ≥ |b| or a = 0. */
static inline void fast_two_sum(double a, double b, double *sum, double *error)
{
    double s = a + b;
    *error = b - (s - a);
    *sum = s;
}

/* a = *high + *low, of 26 bits each */
static inline void split_double(double a, double *high, double *low)
{
    double c = 0x1.0000002p27 * a;
    *high = c - (c - a);
    *low = a - *high;
}

/* *product + *error = a b */
static inline void two_product(double a, double b, double *product, double *error)
{
    double a_high, a_low, b_high, b_low, p = a * b;
    split_double(a, &a_high, &a_low);
    split_double(b, &b_high, &b_low);
    *error = a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low);
    *product = p;
}

/* Two numbers, the error first, as an expansion. */
static inline int expansion_of(double error, double sum, double out[2])
{
    int n = 0;
    if (error != 0.0)
        out[n++] = error;
    if (sum != 0.0)
        out[n++] = sum;
    return n;
}

/* a − b */
static inline int expansion_difference(double a, double b, double out[2])
{
    double sum, error;
    two_sum(a, -b, &sum, &error);
    return expansion_of(error, sum, out);
}

static inline int expansion_sign(const double *e, int n)
{
    return n == 0 ? 0 : e[n - 1] > 0.0 ? 1 : -1;
}

/* out = a + sign·b, room for n_a + n_b. The components of both are added in the order of size (Shewchuk, fast
 * expansion sum). */
static inline int expansion_add(const double *a, int n_a, const double *b, int n_b, double sign, double *out)
{
    int n = 0, i = 0, j = 0;
    double sum = 0.0, error;
    while (i < n_a || j < n_b) {
        double next = j == n_b || (i < n_a && fabs(a[i]) < fabs(b[j])) ? a[i++] : sign * b[j++];
        two_sum(sum, next, &sum, &error);
        if (error != 0.0)
            out[n++] = error;
    }
    if (sum != 0.0)
        out[n++] = sum;
    return n;
}

/* out = s·e, room for 2 n */
static inline int expansion_scale(const double *e, int n_e, double s, double *out)
{
    int n = 0;
    double sum = 0.0, product, low, error;
    for (int i = 0; i < n_e; i++) {
        two_product(e[i], s, &product, &low);
        two_sum(sum, low, &sum, &error);
        if (error != 0.0)
            out[n++] = error;
        fast_two_sum(product, sum, &sum, &error);
        if (error != 0.0)
            out[n++] = error;
    }
    if (sum != 0.0)
        out[n++] = sum;
    return n;
}

/* out = a·b where b has two components at most; room for 4 n_a, and work for as many. */
static inline int expansion_times_pair(const double *a, int n_a, const double *b, int n_b, double *work, double *out)
{
    if (n_b == 0)
        return 0;
    if (n_b == 1)
        return expansion_scale(a, n_a, b[0], out);
    int n_low = expansion_scale(a, n_a, b[0], work);
    int n_high = expansion_scale(a, n_a, b[1], work + n_low);
    return expansion_add(work, n_low, work + n_low, n_high, 1.0, out);
}

#endif
