/* SPDX-License-Identifier: MIT */
/* The same as multigrid_build_plain.c, for AVX2. */
#include "solve/multigrid_inside.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "solve/multigrid_build_kernel.h"

#include "math/lanes_avx2_end.h"

const builds builds_avx2 = BUILD_FUNCTIONS;

#else

typedef int nothing_here;

#endif
