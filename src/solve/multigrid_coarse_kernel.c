/* SPDX-License-Identifier: MIT */
/* Sweeps over the coarser levels, whose rows move and turn: a kernel. */
#define DIM 6
#include "solve/multigrid_sweep.h"

const sweeps KERNEL(sweeps_coarse) = SWEEP_FUNCTIONS;

#if KERNEL_ONCE
const sweeps *sweeps_coarse(void)
{
    return KERNEL_BEST(sweeps_coarse);
}
#endif
