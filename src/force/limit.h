/* SPDX-License-Identifier: MIT */
/* The stretch limit as stiffening.
 *
 * Beyond a stretch s_on = 1 + LIMIT_ONSET (limit − 1) (params.h) a term is added to the energy that rises without bound
 * towards the limit:
 *     t = (s − s_on) / Δ,  Δ = limit − s_on,   g(t) = t³ / (3 (1 − t)),   energy per stiffness = Δ² g(t).
 * It is twice differentiable at t = 0. From t = LIMIT_KNEE on it goes on as the quadratic with the same value, slope
 * and curvature, so that a state beyond the limit (pins pulled apart) still has an energy and a way back. */
#ifndef WEFT_FORCE_LIMIT_H
#define WEFT_FORCE_LIMIT_H

typedef struct limit_term {
    double value, slope, curvature; /* of the energy per stiffness, by s */
} limit_term;

/* limit 0: none. s is the stretch, length over rest length. */
limit_term limit_eval(double s, double limit);

#endif
