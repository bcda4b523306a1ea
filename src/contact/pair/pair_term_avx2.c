/* SPDX-License-Identifier: MIT */
/* The same as in pair_term.c, for AVX2. */
#include "contact/pair/pair_term.h"
#include "math/lanes_twice.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "contact/pair/pair_term_kernel.h"

#include "math/lanes_avx2_end.h"

const pair_term_kernel pair_term_avx2 = {set_simd4, renew_simd4};

#else

typedef int nothing_here;

#endif
