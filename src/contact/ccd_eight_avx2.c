/* SPDX-License-Identifier: MIT */
/* The same as ccd_eight_plain.c, for AVX2. */
#include "contact/ccd_eight.h"
#include "math/lanes_twice.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "contact/ccd_eight_kernel.h"

#include "math/lanes_avx2_end.h"

const ccd_eight ccd_eight_avx2 = {{sift_triangles, sift_edges}, {judge_triangles, judge_edges}};

#else

typedef int nothing_here;

#endif
