/* SPDX-License-Identifier: MIT */
/* The same as multigrid_coarse.c, for AVX2. */
#include "solve/multigrid_inside.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#define DIM 6
#include "solve/multigrid_sweep.h"

#include "math/lanes_avx2_end.h"

const sweeps sweeps_coarse_avx2 = SWEEP_FUNCTIONS;

#else

typedef int nothing_here;

#endif
