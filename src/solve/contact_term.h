/* SPDX-License-Identifier: MIT */
/* A contact inside the solve: up to four nodes, a plane they keep to one side of, and friction.
 *
 * With p = Σ w_i x_i and the depth s = reach + radius − n·p the normal force is k s²/radius for 0 < s < radius and goes on
 * straight, k (2s − radius): it rises from zero at `radius` above the plane, softly at first. (With a plain spring, stiff
 * as it must be to stop an impact, cloth at rest is pressed in by 1e-7 m only: every Newton step then switches contacts
 * on and off, and none converges.) To that a damper adds drag · (s − past), past the depth at the step's start, so that
 * contact gives back nothing of what it takes: bouncing is a matter of k_d alone. The sum never pulls. Friction is Coulomb's with a stiff start: with u the part of p − anchor along the
 * plane and f the normal force of the last Newton step,
 *     E = ½ k |u|² while k |u| ≤ μ f,   μ f |u| − (μ f)²/(2k) beyond.
 * The anchor remembers, over steps, the stretch of that tangential spring: a contact that sticks does not creep. */
#ifndef WEFT_SOLVE_CONTACT_TERM_H
#define WEFT_SOLVE_CONTACT_TERM_H

#include "mechanics/energy.h"

typedef struct contact_term {
    int32_t n;
    int32_t node[4];
    double w[4];
    vec3 normal;
    double reach;  /* n·p of a point that just touches, m */
    double radius; /* m */
    double k;      /* N/m */
    double drag;   /* of the damper, N/m */
    double past;   /* depth at the step's start, m; ≥ 0 */
    double friction;
    vec3 anchor;
    double force;  /* normal, lagged, N */
    int32_t owner; /* collider */
} contact_term;

/* Positive where the contact acts. */
double contact_depth(const contact_term *c, const vec3 *x);

/* The normal force, N. */
double contact_force(const contact_term *c, const vec3 *x);

/* Energy; gradient g and Hessian h by p (not by node) where not NULL. Always positive semi-definite. */
double contact_eval(const contact_term *c, const vec3 *x, vec3 *g, mat3 *h);

/* What the friction spring has stretched by after the step, cut at the cone: the next step's anchor is p minus this. */
vec3 contact_slip(const contact_term *c, const vec3 *x);

#endif
