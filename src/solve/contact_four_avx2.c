/* SPDX-License-Identifier: MIT */
/* The same as contact_four_plain.c, for AVX2. */
#include "math/lanes_twice.h"
#include "solve/contact_four.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "solve/contact_four_kernel.h"

void contact_four_avx2(const contact_term *terms, const vec3 *x, double energy[4], contact_share *out,
                       bool with_hessian)
{
    eval_four(terms, x, energy, out, with_hessian);
}

#include "math/lanes_avx2_end.h"

#else

typedef int nothing_here;

#endif
