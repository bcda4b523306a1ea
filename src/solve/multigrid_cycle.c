/* SPDX-License-Identifier: MIT */
/* The cycle. With A = L + D + U in the order of smoothing, from a zero guess:
 *
 *     x = (L + D)⁻¹ b            reads L
 *     x = (D + U)⁻¹ (b − L x)    reads U
 *     b_coarse = Pᵀ (b − A x)    reads L
 *     x += ω P (coarse cycles)
 *     x = (L + D)⁻¹ (b − U x)    reads both
 *     x = (D + U)⁻¹ (b − L x)    reads U
 *
 * (multigrid_sweep.h says why halves do), so the work is that of three products with the matrix. One sweep on either
 * side would be two products; but cloth that is folded is hardly smoothed by one, since near a fold the soft motions of
 * a node are along neither axis of its block. On 146² nodes on a ball, groups of 4 × 2: 20 iterations with one, 16 with
 * two.
 *
 * Solves that go far smooth twice on coarse levels (`thorough`): on 72² nodes on a ball to 1e-3, 13 iterations in
 * place of 16, 29 of 36 with tenfold stiffness, in about the same time.
 *
 * B, the cycle as a matrix, is positive definite, and the eigenvalues of B A lie in (0, ω] with ω < 2: if they do so on
 * the coarser level, those of two cycles there, 1 − (1 − λ)², lie in (0, 1], and smoothing only draws the error of this
 * level towards 0 from 1 − ω at worst. One cycle in place of two would let ω pile up from level to level. */
#include "solve/multigrid_inside.h"

/* run for all pieces of n rows of a level. */
static void run_pieces(const multigrid_level *l, pool *p, int32_t n, int32_t size, pool_fn run, void *context)
{
    int32_t n_pieces = (int32_t)(((int64_t)n + size - 1) / size);
    bool shared = (int64_t)l->n * l->dim >= MULTIGRID_SHARED_NUMBERS;
    if (shared)
        pool_for(p, n_pieces, run, context);
    for (int32_t i = 0; !shared && i < n_pieces; i++)
        run(context, i);
}

/* One symmetric sweep. */
static void sweep_symmetric(const multigrid_level *l, pool *p, const sweeps *s, cycle_run *r)
{
    chunking_run(&l->chunks, p, false, s->forward, r);
    chunking_run(&l->chunks, p, true, s->backward, r);
}

static void cycles(multigrid *g, pool *p, int32_t level);

/* x = B b. f: of the finest level, else NULL. */
static void cycle(multigrid *g, pool *p, int32_t level, const filter *f)
{
    multigrid_level *l = &g->levels[level];
    const sweeps *s = level == 0 ? g->finest : g->coarse;
    cycle_run r = {.l = l, .f = f};
    chunking_run(&l->chunks, p, false, s->first, &r);
    chunking_run(&l->chunks, p, true, s->backward, &r);
    if (g->thorough && level > 0)
        sweep_symmetric(l, p, s, &r);
    if (level + 1 == g->n_levels)
        return;
    r.coarse = l + 1;
    run_pieces(l, p, l->n, MULTIGRID_ROW_PIECE, s->residual, &r);
    run_pieces(l, p, r.coarse->n, MULTIGRID_COARSE_PIECE, s->to_coarse, &r);
    cycles(g, p, level + 1);
    run_pieces(l, p, l->n, MULTIGRID_ROW_PIECE, s->from_coarse, &r);
    sweep_symmetric(l, p, s, &r);
    if (g->thorough && level > 0)
        sweep_symmetric(l, p, s, &r);
}

/* The right side of the second cycle is what the first has left. */
static void keep_first(void *context, int32_t piece)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    for (int32_t k = l->dim * piece * MULTIGRID_ROW_PIECE; k < l->dim * row_end(l, piece); k++) {
        l->b[k] = l->left[k];
        l->x1[k] = l->x[k];
    }
}

static void add_first(void *context, int32_t piece)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    for (int32_t k = l->dim * piece * MULTIGRID_ROW_PIECE; k < l->dim * row_end(l, piece); k++)
        l->x[k] += l->x1[k];
}

/* Two cycles, x = B b + B (b − A B b), or the direct solve. */
static void cycles(multigrid *g, pool *p, int32_t level)
{
    multigrid_level *l = &g->levels[level];
    cycle_run r = {.l = l};
    if (level == g->n_levels - 1 && g->dense) {
        g->make->multiply(l, g->dense, l->b, l->x);
        return;
    }
    cycle(g, p, level, NULL);
    run_pieces(l, p, l->n, MULTIGRID_ROW_PIECE, g->coarse->residual, &r);
    run_pieces(l, p, l->n, MULTIGRID_ROW_PIECE, keep_first, &r);
    cycle(g, p, level, NULL);
    run_pieces(l, p, l->n, MULTIGRID_ROW_PIECE, add_first, &r);
}

static void read_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    float *b = r->l->b;
    for (int32_t i = piece * MULTIGRID_ROW_PIECE; i < row_end(r->l, piece); i++) {
        vec3 v = v3_scale(r->scale, r->r[i]);
        b[3 * i] = (float)v.x;
        b[3 * i + 1] = (float)v.y;
        b[3 * i + 2] = (float)v.z;
    }
}

static void write_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    const float *x = r->l->x;
    for (int32_t i = piece * MULTIGRID_ROW_PIECE; i < row_end(r->l, piece); i++)
        r->z[i] = v3_scale(1 / r->scale, v3((double)x[3 * i], (double)x[3 * i + 1], (double)x[3 * i + 2]));
}

/* Until the result is written there, z has the two vectors of the finest level that it is then made without. */
void multigrid_apply(multigrid *g, pool *p, const filter *f, double scale, const vec3 *r, vec3 *z)
{
    cycle_run c = {.l = g->levels, .scale = scale, .r = r, .z = z};
    c.l->b = (float *)(void *)z;
    c.l->left = c.l->b + 3 * (int64_t)c.l->n;
    run_pieces(c.l, p, c.l->n, MULTIGRID_ROW_PIECE, read_piece, &c);
    cycle(g, p, 0, f);
    run_pieces(c.l, p, c.l->n, MULTIGRID_ROW_PIECE, write_piece, &c);
}
