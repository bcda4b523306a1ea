/* SPDX-License-Identifier: MIT */
/* Whether kernels in lanes (math/lanes.h) are compiled for AVX2 too, to be chosen at run time. */
#ifndef WEFT_MATH_LANES_TWICE_H
#define WEFT_MATH_LANES_TWICE_H

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define LANES_HAVE_AVX2 1
#else
#define LANES_HAVE_AVX2 0
#endif

#endif
