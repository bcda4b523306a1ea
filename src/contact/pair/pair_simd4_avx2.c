/* SPDX-License-Identifier: MIT */
/* The same as pair_simd4_plain.c, for AVX2. */
#include "contact/pair/pair_simd4.h"
#include "math/lanes_twice.h"

#if LANES_HAVE_AVX2

#include "math/lanes_avx2_begin.h"

#include "contact/pair/pair_simd4_kernel.h"

#include "math/lanes_avx2_end.h"

const pair_kernel pair_kernel_avx2 = {edges, triangles, planes, lines, edge_gaps, triangle_gaps, come_near};

#else

typedef int nothing_here;

#endif
