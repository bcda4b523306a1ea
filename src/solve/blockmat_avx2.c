/* SPDX-License-Identifier: MIT */
/* The same as blockmat_plain.c, for AVX2. */
#include "math/lanes_twice.h"
#include "solve/blockmat.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "solve/blockmat_kernel.h"

#include "math/lanes_avx2_end.h"

const blockmat_kernel blockmat_avx2 = {multiply_rows, balance};

#else

typedef int nothing_here;

#endif
