/* SPDX-License-Identifier: MIT */
/* Cloth held in place and direction along a line: bending between the line's plane and the face beside it. */
#ifndef WEFT_FORCE_CLAMP_H
#define WEFT_FORCE_CLAMP_H

#include "force/energy.h"

/* Nodes x0 and x1 are on the line, x2 is the face's next node; its foot on the line is (1 − foot) x0 + foot x1. With
 * d = x2 − foot, θ is the angle of d out of the plane of `along` (into the cloth, unit) and the line, towards `normal`
 * (unit, across `along`):
 *     θ = atan2(d · normal, d · along),   E = ½ k (θ − rest)² + ½ k drag (θ − past)².
 * The plane is held by something outside, so there are a net force and a net torque. */
typedef struct clamp_par {
    double k;    /* J */
    double foot; /* [0, 1] for a foot within the line */
    vec3 along, normal;
    double rest; /* rad */
    double drag; /* energy.h */
    double past; /* angle at the step's start, rad */
} clamp_par;

double clamp_angle(const vec3 x[3], const clamp_par *p);
double clamp_eval(const vec3 x[3], const clamp_par *p, bool psd, vec3 *g, mat3 *h);

#endif
