/* SPDX-License-Identifier: MIT */
#include "mechanics/four.h"

#include "mechanics/four_kernel.h"

const four_kernel four_plain = {springs, membranes, beams, bends, air_on, lengths, stored, angles, bend_angles_of};

const four_kernel *four_best(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &four_avx2;
#endif
    return &four_plain;
}
