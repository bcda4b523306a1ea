/* SPDX-License-Identifier: MIT */
/* The same as contact_simd4_plain.c, for AVX2. */
#include "math/lanes_twice.h"
#include "solve/contact_simd4.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "solve/contact_simd4_kernel.h"

void contact_simd4_avx2(const contact_term *terms, const vec3 *x, double energy[4], contact_share *out,
                        bool with_hessian)
{
    eval_simd4(terms, x, energy, out, with_hessian);
}

#include "math/lanes_avx2_end.h"

#else

typedef int nothing_here;

#endif
