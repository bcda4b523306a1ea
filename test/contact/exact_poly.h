/* SPDX-License-Identifier: MIT */
/* Polynomials with integer coefficients of any size, and their real roots, all exact (GMP). */
#ifndef TEST_CONTACT_EXACT_POLY_H
#define TEST_CONTACT_EXACT_POLY_H

#include <gmp.h>
#include <stdbool.h>

enum { POLY_MOST = 4 }; /* the largest degree */

/* c[0] + c[1] x + …; degree −1 is the zero polynomial. Coefficients above the degree are 0. */
typedef struct poly {
    int degree;
    mpz_t c[POLY_MOST + 1];
} poly;

void poly_init(poly *p);
void poly_clear(poly *p);
void poly_set(poly *out, const poly *a);
void poly_sub(poly *out, const poly *a, const poly *b);
void poly_add(poly *out, const poly *a, const poly *b);
void poly_mul(poly *out, const poly *a, const poly *b); /* out may be a or b in all of these */
/* The greatest common divisor, with coprime coefficients; that of zero and a is a. */
void poly_gcd(poly *out, const poly *a, const poly *b);
/* a without repeated roots. */
void poly_simple(poly *out, const poly *a);

/* A real root of a polynomial without repeated roots: the only one in (k / 2^level, (k + 1) / 2^level], or 0 itself. */
typedef struct poly_root {
    poly *p;
    mpz_t k;
    unsigned long level;
    bool is_zero;
} poly_root;

/* The roots in [0, 1] in ascending order; returns their number. Each of out has to be cleared. p has no repeated
 * roots. */
int poly_roots(poly *p, poly_root out[POLY_MOST]);
void poly_root_clear(poly_root *r);
/* −1, 0, 1: the sign of g at the root. May narrow the root's interval. */
int poly_sign_at(const poly *g, poly_root *r);
/* The sign of root − x. */
int poly_root_minus(poly_root *r, double x);

#endif
