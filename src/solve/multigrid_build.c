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
 * pivot is rounding, and the direction is left out. */
#include <string.h>

#include "math/lanes.h"
#include "solve/multigrid_inside.h"

#define PIECE 16
/* Diagonal blocks get this share of themselves added before they are inverted: more on the diagonal keeps the smoother
 * convergent in spite of rounding. A pivot below PIVOT of its diagonal entry is left out. */
#define REGULAR 1e-6
#define PIVOT 1e-5
#define FINEST_ROOM (9 + 1) /* numbers of a block that are read */

typedef struct build_run {
    multigrid_level *fine, *coarse;
    const blockmat *a;
    const filter *f;
    const vec3 *position; /* of the fine level's rows, or NULL */
} build_run;

static int32_t piece_end(const multigrid_level *l, int32_t piece)
{
    return (piece + 1) * PIECE < l->n ? (piece + 1) * PIECE : l->n;
}

/* ---- the finest level -------------------------------------------------------------------------------------------- */

/* By columns. */
static inline void to_single(const mat3 *a, float *out)
{
    lanes4 first = __builtin_convertvector(lane_load(a->m), lanes4);
    lanes4 second = __builtin_convertvector(lane_load(a->m + 4), lanes4);
    lanes4 p = __builtin_shufflevector(first, second, 0, 3, 6, 1),
           q = __builtin_shufflevector(first, second, 4, 7, 2, 5);
    memcpy(out, &p, sizeof p);
    memcpy(out + 4, &q, sizeof q);
    out[8] = (float)a->m[8];
}

/* S_i A S_j */
static mat3 filtered(mat3 a, const filter *fi, const filter *fj)
{
    if (fi->kind == FREEDOM_NONE || fj->kind == FREEDOM_NONE)
        return m3_zero();
    if (fi->kind == FREEDOM_LINE)
        a = m3_mul(m3_outer(*fi->axis, *fi->axis), a);
    if (fj->kind == FREEDOM_LINE)
        a = m3_mul(a, m3_outer(*fj->axis, *fj->axis));
    return a;
}

/* Inverse of S A_ii S in the free directions, zero across them. */
static mat3 inverse_finest(const mat3 *a, const filter *f)
{
    if (f->kind == FREEDOM_NONE)
        return m3_zero();
    if (f->kind == FREEDOM_LINE)
        return m3_scale(1.0 / v3_dot(*f->axis, m3_mul_v(*a, *f->axis)), m3_outer(*f->axis, *f->axis));
    return m3_inverse(*a);
}

static void invert_piece(void *context, int32_t piece)
{
    const build_run *r = context;
    multigrid_level *l = r->fine;
    for (int32_t i = piece * PIECE; i < piece_end(l, piece); i++) {
        mat3 inverse = inverse_finest(&r->a->diagonal[i], &r->f[i]);
        to_single(&inverse, l->inverse + 9 * (int64_t)i);
    }
}

/* A block of the matrix without held directions; `own` is room for it, where it has any. */
static const float *free_block(const build_run *r, int32_t i, int32_t k, float own[FINEST_ROOM])
{
    const filter *fi = &r->f[i], *fj = &r->f[r->fine->col[k]];
    const float *v = r->fine->val + 9 * (int64_t)k;
    if (fi->kind == FREEDOM_ALL && fj->kind == FREEDOM_ALL)
        return v;
    mat3 whole;
    for (int c = 0; c < 9; c++)
        whole.m[c] = (double)v[3 * (c % 3) + c / 3];
    mat3 s = filtered(whole, fi, fj);
    to_single(&s, own);
    return own;
}

/* ---- coarser levels ---------------------------------------------------------------------------------------------- */

/* Where the aggregates of a piece are, and their children in them. */
static void place_piece(void *context, int32_t piece)
{
    const build_run *r = context;
    const aggregation *t = &r->fine->to_coarse;
    for (int32_t ci = piece * PIECE; ci < piece_end(r->coarse, piece); ci++) {
        vec3 sum = v3_zero();
        int32_t begin = t->child_start[ci], end = t->child_start[ci + 1];
        for (int32_t k = begin; k < end; k++)
            sum = v3_add(sum, r->position[t->child[k]]);
        vec3 centre = r->coarse->centre[ci] = v3_scale(1.0 / (end - begin), sum);
        for (int32_t k = begin; k < end; k++) {
            vec3 d = v3_sub(r->position[t->child[k]], centre);
            float *o = t->offset + 3 * (int64_t)t->child[k];
            o[0] = (float)d.x;
            o[1] = (float)d.y;
            o[2] = (float)d.z;
        }
    }
}

/* [r]× b, b = (b, 0) and so the result. */
typedef struct lever {
    lanes4 yzx, zxy; /* r turned */
} lever;

static inline lever lever_of(const float *r)
{
    return (lever){{r[1], r[2], r[0], 0}, {r[2], r[0], r[1], 0}};
}

static inline lanes4 torque(const lever *r, lanes4 b)
{
    return r->yzx * __builtin_shufflevector(b, b, 2, 0, 1, 3) - r->zxy * __builtin_shufflevector(b, b, 1, 2, 0, 3);
}

static inline void add_four(float *to, lanes4 by)
{
    lanes4 t;
    memcpy(&t, to, sizeof t);
    t += by;
    memcpy(to, &t, sizeof t);
}

/* A half of a column; a number past it is read, which does not count. */
static inline lanes4 load_three(const float *p)
{
    lanes4 b;
    memcpy(&b, p, sizeof b);
    return b;
}

/* Two columns, (b, t) and (c, u), of three numbers a half: written so that no store overlaps the next load. */
static inline void add_two(float *to, lanes4 b, lanes4 t, lanes4 c, lanes4 u)
{
    add_four(to, __builtin_shufflevector(b, t, 0, 1, 2, 4));
    add_four(to + 4, __builtin_shufflevector(t, c, 1, 2, 4, 5));
    add_four(to + 8, __builtin_shufflevector(c, u, 2, 4, 5, 6));
}

/* to += Pᵀ A P for a block between children at r and s; columns of A P: those of A, and what s makes of them. */
static inline void fold_finest(float *to, const float *a, const lever *r, const float *s)
{
    lanes4 x = load_three(a), y = load_three(a + 3), z = load_three(a + 6);
    lanes4 p = z * s[1] - y * s[2], q = x * s[2] - z * s[0], w = y * s[0] - x * s[1];
    add_two(to, x, torque(r, x), y, torque(r, y));
    add_two(to + 12, z, torque(r, z), p, torque(r, p));
    add_two(to + 24, q, torque(r, q), w, torque(r, w));
}

static inline void fold_coarse(float *to, const float *a, const lever *r, const float *s)
{
    lanes4 u[6], l[6]; /* upper and lower halves of the columns */
    for (int c = 0; c < 6; c++) {
        u[c] = load_three(a + 6 * c);
        l[c] = load_three(a + 6 * c + 3);
    }
    u[3] += u[2] * s[1] - u[1] * s[2];
    l[3] += l[2] * s[1] - l[1] * s[2];
    u[4] += u[0] * s[2] - u[2] * s[0];
    l[4] += l[0] * s[2] - l[2] * s[0];
    u[5] += u[1] * s[0] - u[0] * s[1];
    l[5] += l[1] * s[0] - l[0] * s[1];
    for (int c = 0; c < 6; c += 2)
        add_two(to + 6 * c, u[c], l[c] + torque(r, u[c]), u[c + 1], l[c + 1] + torque(r, u[c + 1]));
}

/* inner: of pairs within the aggregate. */
static void add_half(const build_run *r, int32_t i, int32_t begin, int32_t end, float *inner)
{
    const multigrid_level *l = r->fine;
    const aggregation *t = &l->to_coarse;
    lever at = lever_of(t->offset + 3 * (int64_t)i);
    for (int32_t k = begin; k < end; k++) {
        if (t->to[k] == TO_NOWHERE)
            continue;
        float *to = t->to[k] == TO_DIAGONAL ? inner : r->coarse->val + 36 * (int64_t)t->to[k];
        const float *other = t->offset + 3 * (int64_t)l->col[k];
        float own[FINEST_ROOM] = {0};
        if (l->dim == 3)
            fold_finest(to, free_block(r, i, k, own), &at, other);
        else
            fold_coarse(to, l->val + 36 * (int64_t)k, &at, other);
    }
}

static void add_row(const build_run *r, int32_t i, float *inner, float *diagonal)
{
    const multigrid_level *l = r->fine;
    const float *at = l->to_coarse.offset + 3 * (int64_t)i;
    lever arm = lever_of(at);
    float own[FINEST_ROOM] = {0};
    add_half(r, i, l->before[i], l->before[i + 1], inner);
    add_half(r, i, l->after[i], l->after[i + 1], inner);
    if (l->dim == 3) {
        mat3 s = filtered(r->a->diagonal[i], &r->f[i], &r->f[i]);
        to_single(&s, own);
        fold_finest(diagonal, own, &arm, at);
    } else {
        fold_coarse(diagonal, l->diagonal + 36 * (int64_t)i, &arm, at);
    }
}

/* Those that are summed up; the others are mirrored. */
static void clear_half(multigrid_level *l, int32_t i, int32_t begin, int32_t end)
{
    while (begin < end && l->col[begin] < i)
        begin++;
    memset(l->val + 36 * (int64_t)begin, 0, 36 * (size_t)(end - begin) * sizeof *l->val);
}

/* Blocks between a row and later ones. */
static void sum_piece(void *context, int32_t piece)
{
    const build_run *r = context;
    const aggregation *t = &r->fine->to_coarse;
    multigrid_level *l = r->coarse;
    for (int32_t i = piece * PIECE; i < piece_end(l, piece); i++) {
        float *diagonal = l->diagonal + 36 * (int64_t)i, inner[36] = {0};
        memset(diagonal, 0, 36 * sizeof *diagonal);
        clear_half(l, i, l->before[i], l->before[i + 1]);
        clear_half(l, i, l->after[i], l->after[i + 1]);
        for (int32_t k = t->child_start[i]; k < t->child_start[i + 1]; k++)
            add_row(r, t->child[k], inner, diagonal);
        for (int c = 0; c < 36; c++)
            diagonal[c] += inner[c] + inner[6 * (c % 6) + c / 6];
    }
}

static void mirror_half(multigrid_level *l, int32_t i, int32_t begin, int32_t end)
{
    for (int32_t k = begin; k < end && l->col[k] < i; k++) {
        const float *from = l->val + 36 * (int64_t)l->mirror[k];
        float *to = l->val + 36 * (int64_t)k;
        for (int c = 0; c < 36; c++)
            to[c] = from[6 * (c % 6) + c / 6];
    }
}

/* A = L D Lᵀ of a symmetric 6×6 matrix; 1/D_i is 0 where a direction is left out. */
static void factor(double a[6][6], double over[6])
{
    for (int i = 0; i < 6; i++) {
        double before = a[i][i];
        for (int j = 0; j < i; j++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++)
                s -= a[i][k] * a[j][k];
            a[i][j] = s; /* L_ij D_j until row i is done */
        }
        for (int j = 0; j < i; j++) {
            double s = a[i][j];
            a[i][j] = s * over[j];
            a[i][i] -= s * a[i][j];
        }
        over[i] = before > 0 && a[i][i] > PIVOT * before ? 1 / a[i][i] : 0;
    }
}

/* In double precision: a stiff contact makes these blocks as bad as single precision can hold. */
static void inverse_coarse(const float *in, float *out)
{
    double a[6][6], over[6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            a[i][j] = 0.5 * ((double)in[6 * i + j] + (double)in[6 * j + i]) * (i == j ? 1 + REGULAR : 1);
    factor(a, over);
    for (int c = 0; c < 6; c++) {
        double y[6] = {0};
        y[c] = over[c] > 0 ? 1 : 0;
        for (int i = c + 1; i < 6; i++)
            for (int k = c; k < i; k++)
                y[i] -= a[i][k] * y[k];
        for (int i = 5; i >= 0; i--) {
            y[i] *= over[i];
            for (int k = i + 1; k < 6; k++)
                y[i] -= over[i] > 0 ? a[k][i] * y[k] : 0;
            out[6 * c + i] = (float)y[i];
        }
    }
}

static void finish_piece(void *context, int32_t piece)
{
    multigrid_level *l = ((const build_run *)context)->coarse;
    for (int32_t i = piece * PIECE; i < piece_end(l, piece); i++) {
        mirror_half(l, i, l->before[i], l->before[i + 1]);
        mirror_half(l, i, l->after[i], l->after[i + 1]);
        inverse_coarse(l->diagonal + 36 * (int64_t)i, l->inverse + 36 * (int64_t)i);
    }
}

void multigrid_build(multigrid *g, pool *p, const blockmat *a, const filter *f, const vec3 *position)
{
    build_run r = {.fine = g->levels, .a = a, .f = f, .position = position};
    pool_for(p, (r.fine->n + PIECE - 1) / PIECE, invert_piece, &r);
    for (int32_t i = 1; i < g->n_levels; i++) {
        r.fine = &g->levels[i - 1];
        r.coarse = &g->levels[i];
        int32_t n_pieces = (r.coarse->n + PIECE - 1) / PIECE;
        if (position)
            pool_for(p, n_pieces, place_piece, &r);
        pool_for(p, n_pieces, sum_piece, &r);
        pool_for(p, n_pieces, finish_piece, &r);
        r.position = position ? r.coarse->centre : NULL;
    }
    if (g->dense)
        dense_factor(g);
}
