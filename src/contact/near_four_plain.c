/* SPDX-License-Identifier: MIT */
#include "contact/near_four_kernel.h"
#include "math/lanes_twice.h"

const near_kernel near_plain = {edges, triangles};

const near_kernel *near_best(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &near_avx2;
#endif
    return &near_plain;
}
