/* SPDX-License-Identifier: MIT */
/* A contact inside the solve: up to four nodes, a plane they keep to one side of, and friction.
 *
 * With p = Σ w_i x_i and the depth s = reach + radius − n·p the normal force is k s²/radius for 0 < s < radius and goes
 * on straight, k (2s − radius): it rises from zero at `radius` above the plane, softly at first. (With a plain spring,
 * stiff as it must be to stop an impact, cloth at rest is pressed in by 1e-7 m only: every Newton step then switches
 * contacts on and off, and none converges.) To that a damper adds drag · (s − past), past the depth at the step's
 * start, so that contact gives back nothing of what it takes: bouncing is a matter of k_d alone. The sum never pulls.
 *
 * Friction is Coulomb's with a stiff start. With u the part of p − anchor along the plane and f the normal force that
 * the last Newton step reckoned with, a contact that sticks has E = ½ k |u|², one that slides E = μ f |u|; which of the
 * two is decided between Newton steps (collider_contact.c): k |u| > μ f starts to slide, a way that turns back and gets
 * shorter, or is shorter than that, sticks. (One function of both pieces has a kink that Newton's method jumps over;
 * its secant crawls near the threshold.) With a slack (pairs of cloth, and what is slow on a collider) it is one
 * function all the same, E = μ f |u|²/(2 slack) up to it and straight beyond: with so soft a start the kink does no
 * harm. The anchor remembers, over steps, the stretch of the tangential spring: a contact that sticks does not creep.
 * */
#ifndef WEFT_SOLVE_CONTACT_TERM_H
#define WEFT_SOLVE_CONTACT_TERM_H

#include "force/energy.h"
#include "solve/params.h"

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
    double idle;   /* depth at which spring and damper cancel, m, and … */
    double base;   /* … an integral of both up to there, J: from contact_ready */
    double friction;
    double slack; /* way that friction gives before it slides, m; 0: that of a spring k */
    vec3 anchor;
    double force; /* normal, lagged, N */
    bool slides;
    int32_t owner; /* collider; -1: cloth, or a mesh */
} contact_term;

/* Fills idle and base, which evaluations need, from radius, k, drag and past. */
void contact_ready(contact_term *c);

/* Positive where the contact acts. */
double contact_depth(const contact_term *c, const vec3 *x);

/* u: how far it is from its anchor, along the plane. */
vec3 contact_way(const contact_term *c, const vec3 *x);

/* The normal force, N. */
double contact_force(const contact_term *c, const vec3 *x);

/* That which a Newton step from depth `from` to x reckoned with: the tangent's. */
double contact_reckoned(const contact_term *c, double from, const vec3 *x);

/* Energy; gradient g and Hessian h by p (not by node) where not NULL. Always positive semi-definite. */
double contact_eval(const contact_term *c, const vec3 *x, vec3 *g, mat3 *h);

/* The normal force at the step's start, of a contact at rest then. */
double contact_resting_force(const contact_term *c);

/* Friction over the cone of a normal force, a vector of length ≤ 1: what a contact remembers from step to step. */
vec3 contact_friction_ratio(const contact_term *c, double force, const vec3 *x);

/* Stiffness of friction that sticks, N/m, with a cone of `cone` N. */
static inline double contact_stick(const contact_term *c, double cone)
{
    return c->slack > 0 ? cone / c->slack : c->k;
}

/* How far its friction spring is stretched under a hold. */
static inline vec3 contact_slip(const contact_term *c, vec3 friction_ratio)
{
    return v3_scale(c->slack > 0 ? c->slack : c->friction * c->force / c->k, friction_ratio);
}

#endif
