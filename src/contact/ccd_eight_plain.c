/* SPDX-License-Identifier: MIT */
#include "contact/ccd_eight_kernel.h"
#include "math/lanes_twice.h"

const ccd_eight ccd_eight_plain = {{sift_triangles, sift_edges}, {judge_triangles, judge_edges}};

const ccd_eight *ccd_eight_best(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &ccd_eight_avx2;
#endif
    return &ccd_eight_plain;
}
