/* SPDX-License-Identifier: MIT */
#include "force/force_simd4.h"

#include "force/limit.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "force/force_simd4_kernel.h"

#include "math/lanes_avx2_end.h"

const force_kernel force_kernel_avx2 = SIMD4_FUNCTIONS;

#else

typedef int nothing_here;

#endif
