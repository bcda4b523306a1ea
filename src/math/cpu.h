/* SPDX-License-Identifier: MIT */
/* What this processor can do beyond what the library is compiled for, asked while it runs. WEFT_WITH_AVX2 is defined by
 * CMake when it has compiled the kernels for AVX2 too (math/kernel.h), and one for AVX-512. */
#ifndef WEFT_MATH_CPU_H
#define WEFT_MATH_CPU_H

#include <stdbool.h>

#if defined(WEFT_WITH_AVX2)

#define CPU_MAY_HAVE_AVX2 1

/* The compiler's start-up code has asked the processor; this looks at a word in memory. Compilers that may use AVX2 use
 * popcnt with it. */
static inline bool cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

/* The parts of AVX-512 that normal_pair_avx512.c is made of. */
static inline bool cpu_has_avx512(void)
{
    return cpu_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}

#else

#define CPU_MAY_HAVE_AVX2 0

#endif

#endif
