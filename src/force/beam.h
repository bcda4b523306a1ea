/* SPDX-License-Identifier: MIT */
/* Beam bending along a thread, for quads: villard2002 §5.1.1, eq. 5 made exact. */
#ifndef WEFT_FORCE_BEAM_H
#define WEFT_FORCE_BEAM_H

#include "force/energy.h"

/* Nodes A, P, B along one thread; θ in [0, π] is the turning angle at P, 0 when straight. With k = K/(ℓA⁰ + ℓB⁰):
 *     E = ½ k θ² + damping,   K = 2 B w
 * Damping has the slope k · drag · (θ − past) where θ ≥ past and k · drag · (θ − past) · θ/past below: the same to
 * first order about θ = past, but regular where the beam passes through straight and the sign of θ is lost. */
typedef struct beam_par {
    double k;    /* K / (ℓA⁰ + ℓB⁰), J */
    double drag; /* energy.h */
    double past; /* θ at the step's start, rad */
} beam_par;

/* x = {A, P, B} */
double beam_eval(const vec3 x[3], const beam_par *p, bool psd, vec3 *g, mat3 *h);

double beam_angle(const vec3 x[3]);

#endif
