/* SPDX-License-Identifier: MIT */
/* The same as ccd_simd8_plain.c, for AVX2. */
#include "contact/ccd/ccd_simd8.h"
#include "math/lanes_twice.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "contact/ccd/ccd_simd8_kernel.h"

#include "math/lanes_avx2_end.h"

const ccd_simd8 ccd_simd8_avx2 = {{sift_triangles, sift_edges}, {judge_triangles, judge_edges}};

#else

typedef int nothing_here;

#endif
