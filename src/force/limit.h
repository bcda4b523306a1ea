/* SPDX-License-Identifier: MIT */
/* The stretch limit as stiffening.
 *
 * Beyond a stretch s_on = 1 + LIMIT_ONSET (limit − 1) a term is added to the energy that rises without bound towards
 * the limit:
 *     t = (s − s_on) / Δ,  Δ = limit − s_on,   g(t) = t³ / (3 (1 − t)),   energy per stiffness = Δ² g(t).
 * It is twice differentiable at t = 0. From t = LIMIT_KNEE on it goes on as the quadratic with the same value, slope
 * and curvature, so that a state beyond the limit (pins pulled apart) still has an energy and a way back. */
#ifndef WEFT_FORCE_LIMIT_H
#define WEFT_FORCE_LIMIT_H

/* At 0.95 the force rises 5.3e3 times as steeply as by the plain stiffness: the load that would pass the limit is
 * beyond any cloth's. */
#define LIMIT_KNEE 0.95

/* A tenth of the way: fabrics stiffen early. From half of the way on, the point load of a pin stretched cotton (limit
 * 6.1 %) by more than 5 % up to 29 mm away from the pin on 76² nodes; from a fifth on, up to 10 mm on 146². */
#define LIMIT_ONSET 0.1

typedef struct limit_term {
    double value, slope, curvature; /* of the energy per stiffness, by s */
} limit_term;

/* limit 0: none. s is the stretch, length over rest length. */
limit_term limit_eval(double s, double limit);

#endif
