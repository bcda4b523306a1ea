/* SPDX-License-Identifier: MIT */
/* Four contacts at once for any processor, and the choice between it and that for AVX2. */
#include "solve/contact_simd4_kernel.h"

#include "math/lanes_twice.h"

void contact_simd4_plain(const contact_term *terms, const vec3 *x, double energy[4], contact_share *out,
                         bool with_hessian)
{
    eval_simd4(terms, x, energy, out, with_hessian);
}

contact_simd4_fn contact_simd4_best(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return contact_simd4_avx2;
#endif
    return contact_simd4_plain;
}
