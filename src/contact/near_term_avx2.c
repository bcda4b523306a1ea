/* SPDX-License-Identifier: MIT */
/* The same as in near_term.c, for AVX2. */
#include "contact/near_term.h"
#include "math/lanes_twice.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "contact/near_term_kernel.h"

#include "math/lanes_avx2_end.h"

const near_term_kernel near_term_avx2 = {set_four, renew_four};

#else

typedef int nothing_here;

#endif
