/* SPDX-License-Identifier: MIT */
/* The plain hinge, for comparison with the curvature tensor: it does not converge on irregular meshes. */
#ifndef WEFT_FORCE_HINGE_H
#define WEFT_FORCE_HINGE_H

#include "force/energy.h"

/* E = ½ k (θ − rest)² + ½ k drag (θ − past)², θ as in dihedral.h */
typedef struct hinge_par {
    double k;    /* J */
    double rest; /* rad */
    double drag; /* energy.h */
    double past; /* rad */
} hinge_par;

double hinge_eval(const vec3 x[4], const hinge_par *p, bool psd, vec3 *g, mat3 *h);

/* k = B(m) ℓ² / (area_a + area_b) with B(m) = b_warp m_u² + b_weft m_v², m the unit vector across the edge in the
 * material; uv in the order of dihedral.h. (Grinspun 2003, with the factor that makes a regular mesh of equilateral
 * triangles agree with a plate bent to a cylinder, along any direction; such a mesh has Poisson's ratio 1/3.) */
double hinge_stiffness(const vec2 uv[4], double b_warp, double b_weft);

#endif
