/* SPDX-License-Identifier: MIT */
/* The values of levels, in plain C. */
#include "solve/multigrid_build_kernel.h"

const builds builds_plain = BUILD_FUNCTIONS;

const builds *builds_best(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &builds_avx2;
#endif
    return &builds_plain;
}
