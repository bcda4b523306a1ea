/* SPDX-License-Identifier: MIT */
/* Four contacts at a time, in the order of operations of contact_eval: the same bits. A kernel
 * (math/kernel.h). */
#ifndef WEFT_SOLVE_CONTACT_SIMD4_H
#define WEFT_SOLVE_CONTACT_SIMD4_H

#include "solve/contact_sum.h"

/* Energies of terms[0 .. 3], each of four nodes and with a slack; into out[0 .. 3], if not NULL, gradients, which of
 * them act, and with_hessian Hessians. */
typedef void contact_simd4_fn(const contact_term *terms, const vec3 *x, double energy[4], contact_share *out,
                              bool with_hessian);

contact_simd4_fn contact_simd4_plain, contact_simd4_avx2;
contact_simd4_fn *contact_simd4_best(void);

#endif
