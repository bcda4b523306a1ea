/* SPDX-License-Identifier: MIT */
#include "solve/contact_four_kernel.h"

#include "math/lanes_twice.h"

void contact_four_plain(const contact_term *terms, const vec3 *x, double energy[4], contact_share *out,
                        bool with_hessian)
{
    eval_four(terms, x, energy, out, with_hessian);
}

contact_four_fn contact_four_best(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return contact_four_avx2;
#endif
    return contact_four_plain;
}
