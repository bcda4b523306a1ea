/* SPDX-License-Identifier: MIT */
/* Sweeps over the coarser levels, whose rows move and turn. */
#define DIM 6
#include "solve/multigrid_sweep.h"

const sweeps sweeps_coarse_plain = SWEEP_FUNCTIONS;

const sweeps *sweeps_coarse(void)
{
#if LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &sweeps_coarse_avx2;
#endif
    return &sweeps_coarse_plain;
}
