/* SPDX-License-Identifier: MIT */
/* The values of all levels. The finest is S A S in single precision; a coarse block is the sum of the fine ones, made
 * row by row of the coarse matrix, children in order. */
#include <string.h>

#include "solve/multigrid_inside.h"

#define PIECE 64
/* Diagonal blocks get this share of their trace added before they are inverted: an aggregate of nodes that slide on
 * rods may be free in one direction only. More on the diagonal keeps the smoother convergent. */
#define REGULAR 1e-6

static int32_t piece_end(const multigrid_level *l, int32_t piece)
{
    return (piece + 1) * PIECE < l->n ? (piece + 1) * PIECE : l->n;
}

static mat3f to_single(const mat3 *a)
{
    mat3f r;
    for (int c = 0; c < 9; c++)
        r.m[c] = (float)a->m[3 * (c % 3) + c / 3];
    return r;
}

/* S_i A S_j */
static mat3 filtered(mat3 a, const filter *fi, const filter *fj)
{
    if (fi->kind == FREEDOM_NONE || fj->kind == FREEDOM_NONE)
        return m3_zero();
    if (fi->kind == FREEDOM_LINE)
        a = m3_mul(m3_outer(fi->axis, fi->axis), a);
    if (fj->kind == FREEDOM_LINE)
        a = m3_mul(a, m3_outer(fj->axis, fj->axis));
    return a;
}

/* Inverse of S A_ii S in the free directions, zero across them. */
static mat3 inverse_finest(const mat3 *a, const filter *f)
{
    if (f->kind == FREEDOM_NONE)
        return m3_zero();
    if (f->kind == FREEDOM_LINE)
        return m3_scale(1.0 / v3_dot(f->axis, m3_mul_v(*a, f->axis)), m3_outer(f->axis, f->axis));
    return m3_inverse(*a);
}

static bool is_positive(const mat3 *a)
{
    return a->m[0] > 0 && a->m[0] * a->m[4] - a->m[1] * a->m[3] > 0 && m3_det(*a) > 0;
}

/* Through double precision: a stiff contact makes these blocks as bad as single precision can hold. A row that is held
 * as a whole, or drowned in rounding, is left out. */
static mat3 inverse_coarse(const mat3f *a)
{
    mat3 d;
    double trace = (double)a->m[0] + (double)a->m[4] + (double)a->m[8];
    for (int c = 0; c < 9; c++)
        d.m[c] = 0.5 * ((double)a->m[c] + (double)a->m[3 * (c % 3) + c / 3]) + (c % 4 == 0 ? REGULAR * trace : 0);
    return is_positive(&d) ? m3_inverse(d) : m3_zero();
}

typedef struct build_run {
    multigrid_level *fine, *coarse;
    const blockmat *a;
    const filter *f;
} build_run;

static void copy_piece(void *context, int32_t piece)
{
    const build_run *r = context;
    multigrid_level *l = r->fine;
    for (int32_t i = piece * PIECE; i < piece_end(l, piece); i++) {
        const filter *fi = &r->f[i];
        for (int32_t k = l->start[i]; k < l->start[i + 1]; k++) {
            const filter *fj = &r->f[l->col[k]];
            bool free = fi->kind == FREEDOM_ALL && fj->kind == FREEDOM_ALL;
            mat3 s = free ? r->a->val[k] : filtered(r->a->val[k], fi, fj);
            l->val[k] = to_single(&s);
        }
        mat3 inverse = inverse_finest(&r->a->val[l->diagonal[i]], fi);
        l->inverse[i] = to_single(&inverse);
    }
}

static void add_row(const build_run *r, int32_t i)
{
    const multigrid_level *l = r->fine;
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++) {
        int32_t to = l->to_coarse.to[k];
        for (int c = 0; to >= 0 && c < 9; c++)
            r->coarse->val[to].m[c] += l->val[k].m[c];
    }
}

static void sum_piece(void *context, int32_t piece)
{
    const build_run *r = context;
    const aggregation *t = &r->fine->to_coarse;
    multigrid_level *l = r->coarse;
    int32_t begin = piece * PIECE, end = piece_end(l, piece);
    memset(l->val + l->start[begin], 0, (size_t)(l->start[end] - l->start[begin]) * sizeof *l->val);
    for (int32_t i = begin; i < end; i++) {
        for (int32_t k = t->child_start[i]; k < t->child_start[i + 1]; k++)
            add_row(r, t->child[k]);
        mat3 inverse = inverse_coarse(&l->val[l->diagonal[i]]);
        l->inverse[i] = to_single(&inverse);
    }
}

void multigrid_build(multigrid *g, pool *p, const blockmat *a, const filter *f)
{
    build_run r = {.fine = g->levels, .a = a, .f = f};
    pool_for(p, (r.fine->n + PIECE - 1) / PIECE, copy_piece, &r);
    for (int32_t i = 1; i < g->n_levels; i++) {
        r.fine = &g->levels[i - 1];
        r.coarse = &g->levels[i];
        pool_for(p, (r.coarse->n + PIECE - 1) / PIECE, sum_piece, &r);
    }
    if (g->dense)
        dense_factor(g);
}
