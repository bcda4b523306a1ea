/* SPDX-License-Identifier: MIT */
/* Sweeps over the finest level. */
#define DIM 3
#include "solve/multigrid_sweep.h"

const sweeps sweeps_finest_plain = SWEEP_FUNCTIONS;

const sweeps *sweeps_finest(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &sweeps_finest_avx2;
#endif
    return &sweeps_finest_plain;
}
