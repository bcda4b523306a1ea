/* SPDX-License-Identifier: MIT */
#include "mechanics/four.h"

#include "mechanics/limit.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "mechanics/four_kernel.h"

#include "math/lanes_avx2_end.h"

const four_kernel four_avx2 = FOUR_FUNCTIONS;

#else

typedef int nothing_here;

#endif
