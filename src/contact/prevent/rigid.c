/* SPDX-License-Identifier: MIT */
/* provot1997 §4.3, with masses (its footnote 3). Where we differ: the paper's angular velocity is a mean of
 * r × v / |r|², which does not keep angular momentum; here it is I⁺ L, I the inertia tensor. The pseudo-inverse is for
 * points on a line or at one place, which cannot have angular momentum about it. */
#include "contact/prevent/rigid.h"

#include "math/eigen.h"

/* Points on a line have an eigenvalue of rounding only; less than this part of the largest counts as such. */
#define RIGID_ON_A_LINE 1e-12
/* Points at one place have all three so: less than this of mass times the distance from the origin squared. */
#define RIGID_AT_A_POINT 1e-28

void rigid_add_mass(rigid *r, double mass, vec3 x, vec3 v)
{
    r->mass += mass;
    r->centre = v3_madd(r->centre, mass, x);
    r->velocity = v3_madd(r->velocity, mass, v);
}

static void find_centre(rigid *r)
{
    double scale = r->mass > 0 ? 1 / r->mass : 0;
    r->centre = v3_scale(scale, r->centre);
    r->velocity = v3_scale(scale, r->velocity);
    r->pass = 1;
}

void rigid_add_spin(rigid *r, double mass, vec3 x, vec3 v)
{
    if (r->pass == 0)
        find_centre(r);
    vec3 d = v3_sub(x, r->centre);
    r->angular = v3_madd(r->angular, mass, v3_cross(d, v3_sub(v, r->velocity)));
    mat3 part = m3_madd(m3_scaled_identity(v3_len_sq(d)), -1, m3_outer(d, d));
    r->inertia = m3_madd(r->inertia, mass, part);
}

void rigid_finish(rigid *r)
{
    if (r->pass == 0)
        find_centre(r);
    double trace = r->inertia.m[0] + r->inertia.m[4] + r->inertia.m[8];
    if (trace > RIGID_AT_A_POINT * r->mass * v3_len_sq(r->centre))
        r->spin = eigen3_pseudo_solve(r->inertia, r->angular, RIGID_ON_A_LINE);
}

vec3 rigid_velocity(const rigid *r, vec3 x)
{
    return v3_add(r->velocity, v3_cross(r->spin, v3_sub(x, r->centre)));
}
