/* SPDX-License-Identifier: MIT */
/* The product for any processor, and the choice between it and that for AVX2. */
#include "solve/blockmat_kernel.h"

#include "math/lanes_twice.h"

const blockmat_kernel blockmat_plain = {multiply_rows, balance};

const blockmat_kernel *blockmat_best(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &blockmat_avx2;
#endif
    return &blockmat_plain;
}
