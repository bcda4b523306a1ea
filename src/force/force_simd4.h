/* SPDX-License-Identifier: MIT */
/* Springs, membranes, beams, bends and faces in air four at a time: what spring_block, membrane_eval, beam_eval and
 * bend_eval_at (all psd) and air_push give for each, to rounding. What comes out for an element depends neither on
 * the others nor on the instructions that there are (math/kernel.h). */
#ifndef WEFT_FORCE_FORCE_SIMD4_H
#define WEFT_FORCE_FORCE_SIMD4_H

#include "force/forces.h"

typedef enum force_part {
    FORCE_PART_ENERGY,
    FORCE_PART_GRADIENT,
    FORCE_PART_HESSIAN
} force_part; /* each with those before it */

typedef struct spring_simd4 {
    double energy[4];
    vec3 g[4]; /* by the second node */
    mat3 b[4]; /* the one block (spring.h) */
} spring_simd4;

/* The Hessian of an element of three nodes by its blocks (0, 1), (0, 2) and (1, 2), rounded as the matrix has them. Its
 * rows add up to zero. */
typedef struct three_blocks {
    float b[3][9];
} three_blocks;

typedef struct membrane_simd4 {
    double energy[4];
    vec3 g[4][3];
    three_blocks h[4];
} membrane_simd4;

typedef struct beam_simd4 {
    double energy[4];
    vec3 g[4][3];
    three_blocks h[4];
} beam_simd4;

/* The Hessian of a bend, Σ q_ij ∇θ_i ∇θ_jᵀ, as the vectors whose products are its blocks off the diagonal, rounded as
 * the matrix has them; x, y, z and a 0. Its rows add up to zero. */
typedef struct bend_factors {
    float left[3][3][4];  /* of the triangle's node n: Σ_i q_ij ∇_n θ_i, by j; left with */
    float right[2][3][4]; /* ∇_n θ_j of its nodes 1 and 2, and with */
    float outer[3][4];    /* ∇θ_j by the node across edge j, which has no other angle */
    float between[3][4];  /* of outer nodes 0 and 1, 0 and 2, 1 and 2: q_ij times the former's; with the latter's */
} bend_factors;

typedef struct bend_simd4 {
    double energy[4], theta[4][3];
    vec3 g[4][6];
    bend_factors h[4];
} bend_simd4;

/* All blocks, those of the diagonal by the sums of rows. */
void bend_all_blocks(const bend_factors *f, mat3 h[BLOCKS(6)]);
void three_all_blocks(const three_blocks *t, mat3 h[BLOCKS(3)]);

typedef struct air_simd4 {
    double energy[4];
    vec3 g[4]; /* by each node */
    mat3 b[4]; /* every block */
} air_simd4;

/* c: what springs or beams have in common (forces_commons). */
typedef struct force_kernel {
    void (*springs)(const vec3 *x, const spring_element *const e[4], const common_par *c, force_part part,
                    spring_simd4 *out);
    void (*membranes)(const vec3 *x, const membrane_element *const e[4], force_part part, membrane_simd4 *out);
    void (*beams)(const vec3 *x, const beam_element *const e[4], const common_par *c, force_part part, beam_simd4 *out);
    /* known: the angles that the elements keep are those at x. */
    void (*bends)(const vec3 *x, const bend_element *const e[4], bool known, force_part part, bend_simd4 *out);
    /* Adds the blocks of pairs of nodes (0, 1), (0, 2) … to values, nine numbers each, at the places p or, transposed,
     * ~p. */
    void (*add_three)(const three_blocks *t, const int32_t place[3], float *values);
    void (*add_bend)(const bend_factors *f, const int32_t place[15], float *values);
    /* x: the nodes that the faces' areas are of; air has all else. */
    void (*air)(const vec3 *x, const vec3 *v, const face_element *const e[4], const air_par *air, force_part part,
                air_simd4 *out);
    /* Adds g to the gradients of these rows and, where they are not NULL, `times` the block to their diagonals. */
    void (*add_air)(vec3 g, const mat3 *b, double times, const int32_t row[3], vec3 *gradient, mat3 *diagonal);
    /* Lengths and strains alone, and what springs and membranes store without damping. */
    void (*lengths)(const vec3 *x, const spring_element *const e[4], double out[4]);
    void (*stored)(const vec3 *x, const spring_element *const e[4], const common_par *c, double out[4]);
    void (*strains)(const vec3 *x, const membrane_element *const e[4], double out[4][3]);
    void (*membranes_stored)(const vec3 *x, const membrane_element *const e[4], double out[4]);
    /* Angles alone. */
    void (*angles)(const vec3 *x, const beam_element *const e[4], double out[4]);
    void (*bend_angles)(const vec3 *x, const bend_element *const e[4], double out[4][3]);
} force_kernel;

extern const force_kernel force_kernel_plain, force_kernel_avx2; /* math/kernel.h */
const force_kernel *force_kernel_best(void);

#endif
