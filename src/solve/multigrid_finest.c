/* SPDX-License-Identifier: MIT */
/* Sweeps over the finest level. */
#define DIM 3
#define LANES 4
#include "solve/multigrid_sweep.h"

/* The correction keeps to the free directions. */
static void correct_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    multigrid_level *l = r->l;
    for (int32_t i = piece * ROW_PIECE; i < row_end(l, piece); i++) {
        int32_t ci = l->to_coarse.parent[i];
        float e[3];
        if (ci < 0)
            continue;
        move_of(r->coarse->x + 6 * (int64_t)ci, l->to_coarse.offset + 3 * (int64_t)i, e);
        if (r->f[i].kind != FREEDOM_ALL) {
            vec3 d = filter_apply(&r->f[i], v3((double)e[0], (double)e[1], (double)e[2]));
            e[0] = (float)d.x;
            e[1] = (float)d.y;
            e[2] = (float)d.z;
        }
        for (int c = 0; c < 3; c++)
            l->x[3 * (int64_t)i + c] += e[c];
    }
}

const sweeps sweeps_finest = {first_sweep,    forward_sweep,  backward_sweep,
                              residual_piece, restrict_piece, correct_piece};
