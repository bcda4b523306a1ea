/* SPDX-License-Identifier: MIT */
/* The values of all levels. The finest has those of the matrix A; S A S without held directions counts. A_c = Pᵀ A P
 * are the coarser ones, made row by row of the coarse matrix, children in order.
 *
 * A child at r from the middle of its parent moves by t + ω × r. So with A a block between children at r and s,
 *
 *     P = (I  −[s]×)  on the finest level,   P = (I  −[s]×; 0  I)  on coarser ones,
 *
 * columns of A P are those of A and, beside them, what the columns 1 to 3 give by [s]×; Pᵀ (A P) adds to each column
 * the torque r × of its upper half. An aggregate whose nodes lie on a line has no energy for the turn about it: that
 * pivot is rounding, and the direction is left out.
 *
 * Rounding. What a stiff block within an aggregate adds to the coarse row is nothing, as the difference of numbers in
 * single precision: an edge near its limit is stiff by 2e6 N/m, 6e-8 of which is 0.1 N/m, where the mass of a node of
 * a fine mesh is 2e-3 N/m. The coarse matrix is then softer than the fine one, or not even positive, and its correction
 * goes too far. Sweeps have errors of that size, too. Where it has come to that (cg.c), coarse rows get a share `shift`
 * of the diagonals that they are summed of on top: where blocks are stiff the correction is too small then, but never
 * too large, and elsewhere it is as it was. (Sums that cancel exactly, D = E − Σ A T in double precision with E what
 * moves a row where all of it moves rigidly, fail nearly as often: it is the sweeps.)
 *
 * The last level, if it is small, is inverted: it is asked for many times, and a product with the inverse takes a
 * tenth of the time of substitutions, whose sums wait for each other. */
#include "solve/multigrid_inside.h"

static int32_t build_pieces(const multigrid_level *l)
{
    return (l->n + MULTIGRID_BUILD_PIECE - 1) / MULTIGRID_BUILD_PIECE;
}

/* Both at once: the coarse level has been summed up, and nobody asks for the fine one's diagonal any more. */
static void finish_piece(void *context, int32_t piece)
{
    const build_run *r = context;
    int32_t n = build_pieces(r->coarse);
    if (piece < n)
        r->make->mirror(context, piece);
    else
        r->make->invert(context, piece - n);
}

void multigrid_build(multigrid *g, pool *p, const blockmat *a, const filter *f, const vec3 *position)
{
    const builds *make = g->make;
    build_run r = {.make = make, .fine = g->levels, .a = a, .f = f, .position = position, .shift = (float)g->shift};
    g->levels->val = a->val;
    for (int32_t i = 1; i < g->n_levels; i++) {
        r.fine = &g->levels[i - 1];
        r.coarse = &g->levels[i];
        if (position)
            pool_for(p, build_pieces(r.coarse), make->place, &r);
        pool_for(p, build_pieces(r.coarse), make->sum, &r);
        pool_for(p, build_pieces(r.coarse) + build_pieces(r.fine), finish_piece, &r);
        r.position = position ? r.coarse->centre : NULL;
    }
    r.fine = &g->levels[g->n_levels - 1];
    if (g->dense)
        make->dense(r.fine, g->dense);
    pool_for(p, build_pieces(r.fine), make->invert, &r);
}
