/* SPDX-License-Identifier: MIT */
/* Springs, membranes, beams, bends and faces in air four at a time: what spring_block, membrane_eval, beam_eval and
 * bend_eval_at (all psd) and air_push give for each, to rounding. What comes out for an element depends neither on
 * the others nor on the instructions that there are. */
#ifndef WEFT_MECHANICS_FOUR_H
#define WEFT_MECHANICS_FOUR_H

#include "math/lanes_twice.h"
#include "mechanics/forces.h"

typedef enum four_part { FOUR_ENERGY, FOUR_GRADIENT, FOUR_HESSIAN } four_part; /* each with those before it */

typedef struct spring_four {
    double energy[4];
    vec3 g[4]; /* by the second node */
    mat3 b[4]; /* the one block (spring.h) */
} spring_four;

typedef struct membrane_four {
    double energy[4];
    vec3 g[4][3];
    mat3 h[4][BLOCKS(3)];
} membrane_four;

typedef struct beam_four {
    double energy[4];
    vec3 g[4][3];
    mat3 h[4][BLOCKS(3)];
} beam_four;

typedef struct bend_four {
    double energy[4], theta[4][3];
    vec3 g[4][6];
    mat3 h[4][BLOCKS(6)];
} bend_four;

typedef struct air_four {
    double energy[4];
    vec3 g[4]; /* by each node */
    mat3 b[4]; /* every block */
} air_four;

typedef struct four_kernel {
    void (*springs)(const vec3 *x, const spring_element *const e[4], four_part part, spring_four *out);
    void (*membranes)(const vec3 *x, const membrane_element *const e[4], four_part part, membrane_four *out);
    void (*beams)(const vec3 *x, const beam_element *const e[4], four_part part, beam_four *out);
    /* known: the angles that the elements keep are those at x. */
    void (*bends)(const vec3 *x, const bend_element *const e[4], bool known, four_part part, bend_four *out);
    void (*air)(const vec3 *v, const face_element *const f[4], const air_par *air, four_part part, air_four *out);
    /* Lengths alone, and what springs store without damping. */
    void (*lengths)(const vec3 *x, const spring_element *const e[4], double out[4]);
    void (*stored)(const vec3 *x, const spring_element *const e[4], double out[4]);
    /* Angles alone. */
    void (*angles)(const vec3 *x, const beam_element *const e[4], double out[4]);
    void (*bend_angles)(const vec3 *x, const bend_element *const e[4], double out[4][3]);
} four_kernel;

extern const four_kernel four_plain;

extern const four_kernel four_avx2; /* for processors that have it, if LANES_HAVE_AVX2 */

/* The quickest that this processor has. */
const four_kernel *four_best(void);

#endif
