/* SPDX-License-Identifier: MIT */
/* A spring between two nodes: villard2002 eq. 2; warp and weft edges, diagonals, seams and ties. */
#ifndef WEFT_FORCE_SPRING_H
#define WEFT_FORCE_SPRING_H

#include "force/energy.h"

typedef struct spring_par {
    double k;      /* N/m */
    double length; /* rest length, m; may be 0 */
    double limit;  /* stretch limit, 0: none (limit.h) */
    double drag;   /* damping time · rate (energy.h) */
    double past;   /* length at the step's start (energy.h), m */
} spring_par;

/* E = ½ k (|x1 − x0| − length)² + ½ k drag (|x1 − x0| − past)² + k length² limit_term(|x1 − x0| / length) */
double spring_eval(const vec3 x[2], const spring_par *p, bool psd, vec3 *g, mat3 *h);

/* The same, with the gradient by x1 alone, which that by x0 is opposite to, and one block B of the Hessian, symmetric:
 * its blocks are B, −B and B. */
double spring_block(const vec3 x[2], const spring_par *p, bool psd, vec3 *g, mat3 *b);

/* Stiffnesses that make the springs of an a×b cell (a along warp) behave as a sheet (the consistent law).
 * Per element: each warp edge has ½ k_warp, so that the two elements of an inner edge add up to k_warp, and so on. */
typedef struct spring_law {
    double k_warp;     /* of an edge along warp, both sides together, N/m: e₁ b / a */
    double k_weft;     /* e₂ a / b */
    double k_diagonal; /* of each diagonal, N/m: G d² / (2ab) */
    /* What the lattice then has: contraction along weft over pull along warp; and swapped. */
    double poisson_warp, poisson_weft;
} spring_law;

/* Solves e₁ + r G e₂ / (e₂ + G/r) = E₁, e₂ + (G/r) e₁ / (e₁ + r G) = E₂ with r = (a/b)². False if that needs a
 * negative stiffness (a shear stiffness too large for springs). */
bool spring_law_consistent(double e_warp, double e_weft, double shear, double a, double b, spring_law *out);

/* villard2002 eq. 3 and 4: K · 2^level, the same whatever the cell; K is the modulus read as N/m. */
spring_law spring_law_villard(double e_warp, double e_weft, double shear, int level);

#endif
