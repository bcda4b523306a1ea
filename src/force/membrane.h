/* SPDX-License-Identifier: MIT */
/* A triangle of anisotropic membrane: stretch along warp and weft, their coupling, and shear. */
#ifndef WEFT_FORCE_MEMBRANE_H
#define WEFT_FORCE_MEMBRANE_H

#include "force/energy.h"

/* With F_u = Σ bu_i x_i and F_v = Σ bv_i x_i (the images of the warp and weft unit vectors) the strains are
 *     s₁ = |F_u| − 1,  s₂ = |F_v| − 1,  s₃ = F_u · F_v,
 * linear in the stretch, so that a pull along a thread is Hooke's law at any strain, as for springs.
 *     E = area [ ½ (c11 s₁² + 2 c12 s₁ s₂ + c22 s₂² + c33 s₃²) + drag · ½ (the same of s − past)
 *                + c11 limit_term(|F_u|) + c22 limit_term(|F_v|) ] */
typedef struct membrane_par {
    double bu[3], bv[3];       /* 1/m */
    double area;               /* at rest, m² */
    double c11, c12, c22, c33; /* N/m */
    double limit;              /* 0: none (limit.h) */
    double drag;               /* energy.h */
    double past[3];            /* strains at the step's start (energy.h) */
} membrane_par;

double membrane_eval(const vec3 x[3], const membrane_par *p, bool psd, vec3 *g, mat3 *h);

void membrane_strain(const vec3 x[3], const membrane_par *p, double s[3]);

/* bu, bv and area from material coordinates; false if the triangle has no area. */
bool membrane_rest(const vec2 uv[3], membrane_par *p);

/* c11 = E₁/(1 − ν²), c22 = E₂/(1 − ν²), c12 = ν √(E₁E₂)/(1 − ν²), c33 = G: a pull along a thread then has the modulus
 * E₁ or E₂, whatever ν. */
void membrane_moduli(double e_warp, double e_weft, double shear, double poisson, membrane_par *p);

#endif
