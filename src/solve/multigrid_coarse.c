/* SPDX-License-Identifier: MIT */
/* Sweeps over the coarser levels, whose rows move and turn. */
#define DIM 6
#define LANES 8
#include "solve/multigrid_sweep.h"

static void correct_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    multigrid_level *l = r->l;
    for (int32_t i = piece * ROW_PIECE; i < row_end(l, piece); i++) {
        int32_t ci = l->to_coarse.parent[i];
        const float *coarse = r->coarse->x + 6 * (int64_t)ci;
        float e[6];
        if (ci < 0)
            continue;
        move_of(coarse, l->to_coarse.offset + 3 * (int64_t)i, e);
        for (int c = 3; c < 6; c++)
            e[c] = STRETCH * coarse[c];
        for (int c = 0; c < 6; c++)
            l->x[6 * (int64_t)i + c] += e[c];
    }
}

const sweeps sweeps_coarse = {first_sweep,    forward_sweep,  backward_sweep,
                              residual_piece, restrict_piece, correct_piece};
