/* SPDX-License-Identifier: MIT */
/* The same as near_four_plain.c, for AVX2. */
#include "contact/near_four.h"
#include "math/lanes_twice.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "contact/near_four_kernel.h"

#include "math/lanes_avx2_end.h"

const near_kernel near_avx2 = {edges, triangles, planes, lines, edge_gaps, triangle_gaps, come_near};

#else

typedef int nothing_here;

#endif
