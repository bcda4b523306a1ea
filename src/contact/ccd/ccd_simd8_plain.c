/* SPDX-License-Identifier: MIT */
#include "contact/ccd/ccd_simd8_kernel.h"
#include "math/lanes_twice.h"

const ccd_simd8 ccd_simd8_plain = {{sift_triangles, sift_edges}, {judge_triangles, judge_edges}};

const ccd_simd8 *ccd_simd8_best(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &ccd_simd8_avx2;
#endif
    return &ccd_simd8_plain;
}
