/* SPDX-License-Identifier: MIT */
/* Kernels: the inner loops, one source for every processor.
 *
 * A file whose name ends in _kernel.c is compiled twice on x86-64: once as everything else, and once more for AVX2,
 * with WEFT_KERNEL_AVX2 defined (cmake/targets.cmake). What it defines for others carries KERNEL(name), so the two
 * copies do not collide; all else in it, and all that its headers define, is static, so that no other file ever runs
 * instructions that the processor may lack (scripts/check_kernels.sh looks). The fastest copy that this processor can
 * run is KERNEL_BEST(name):
 *
 *     static void scale(double *x, int n, double by) { ... }
 *
 *     const scale_kernel KERNEL(scale) = {scale};      scale_plain, and scale_avx2
 *
 *     #if KERNEL_ONCE
 *     const scale_kernel *scale_best(void) { return KERNEL_BEST(scale); }
 *     #endif
 *
 * Both copies give the same bits: neither fuses a multiplication with an addition, nor changes the order of operations
 * (math/lanes.h). Whoever compiles the sources by hand, or for another processor, gets the plain copy alone. */
#ifndef WEFT_MATH_KERNEL_H
#define WEFT_MATH_KERNEL_H

#include "math/cpu.h"

#if defined(WEFT_KERNEL_AVX2)
#define KERNEL(name) name##_avx2
#define KERNEL_ONCE 0
#else
#define KERNEL(name) name##_plain
#define KERNEL_ONCE 1 /* in the one copy that there always is: for what has no KERNEL(name) */
#endif

/* The address of a function or of a constant; both copies are declared. */
#if CPU_MAY_HAVE_AVX2
#define KERNEL_BEST(name) (cpu_has_avx2() ? &name##_avx2 : &name##_plain)
#else
#define KERNEL_BEST(name) (&name##_plain)
#endif

#endif
