/* SPDX-License-Identifier: MIT */
/* The signed angle between two triangles at their common edge, with its derivatives.
 *
 *          x2                    triangle A = (x0, x1, x2), triangle B = (x1, x0, x3):
 *         /  \                   both counter-clockwise seen from the same side.
 *       x0 -- x1                 θ in (−π, π], 0 when flat, positive when the normals of A and B diverge,
 *         \  /                   that is when the surface is convex seen from the normals' side.
 *          x3
 */
#ifndef WEFT_FORCE_DIHEDRAL_H
#define WEFT_FORCE_DIHEDRAL_H

#include "math/trig.h"
#include "force/energy.h"

double dihedral_angle(const vec3 x[4]);

/* θ; its gradient g[4]; and, where h is not NULL, its Hessian (upper blocks of 4 nodes). Zero derivatives for
 * triangles without area. */
double dihedral_eval(const vec3 x[4], vec3 g[4], mat3 *h);

/* The gradient alone, as of dihedral_eval. */
void dihedral_slopes(const vec3 x[4], vec3 g[4]);

/* a − b, turned into (−π, π]: no jump where a fold passes through π. For |a − b| ≤ 3π. */
static inline double angle_difference(double a, double b)
{
    double d = a - b;
    return d > WEFT_PI ? d - 2.0 * WEFT_PI : d <= -WEFT_PI ? d + 2.0 * WEFT_PI : d;
}

#endif
