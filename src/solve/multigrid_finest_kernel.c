/* SPDX-License-Identifier: MIT */
/* Sweeps over the finest level, whose rows move: a kernel. */
#define DIM 3
#include "solve/multigrid_sweep.h"

const sweeps KERNEL(sweeps_finest) = SWEEP_FUNCTIONS;

#if KERNEL_ONCE
const sweeps *sweeps_finest(void)
{
    return KERNEL_BEST(sweeps_finest);
}
#endif
