/* SPDX-License-Identifier: MIT */
/* The kernel that makes the values of all levels; multigrid_build.c says what they are. */
#include "math/kernel.h"
#include "math/lanes.h"
#include "solve/multigrid_inside.h"

#define FINEST_ROOM (9 + 1) /* numbers of a block that are read */

static int32_t build_piece_end(const multigrid_level *l, int32_t piece)
{
    return (piece + 1) * MULTIGRID_BUILD_PIECE < l->n ? (piece + 1) * MULTIGRID_BUILD_PIECE : l->n;
}

/* ---- the finest level -------------------------------------------------------------------------------------------- */

/* By columns. */
LANE_INLINE void to_single(const mat3 *a, float *out)
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

static void invert_finest(const build_run *r, int32_t piece)
{
    multigrid_level *l = r->fine;
    for (int32_t i = piece * MULTIGRID_BUILD_PIECE; i < build_piece_end(l, piece); i++) {
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
    for (int32_t ci = piece * MULTIGRID_BUILD_PIECE; ci < build_piece_end(r->coarse, piece); ci++) {
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

LANE_INLINE lever lever_of(const float *r)
{
    return (lever){{r[1], r[2], r[0], 0}, {r[2], r[0], r[1], 0}};
}

LANE_INLINE lanes4 torque(const lever *r, lanes4 b)
{
    return r->yzx * __builtin_shufflevector(b, b, 2, 0, 1, 3) - r->zxy * __builtin_shufflevector(b, b, 1, 2, 0, 3);
}

LANE_INLINE void add_simd4(float *to, lanes4 by)
{
    lanes4 t;
    memcpy(&t, to, sizeof t);
    t += by;
    memcpy(to, &t, sizeof t);
}

/* A half of a column; a number past it is read, which does not count. */
LANE_INLINE lanes4 load_three(const float *p)
{
    lanes4 b;
    memcpy(&b, p, sizeof b);
    return b;
}

LANE_INLINE void store_four_blocks(float *p, lanes4 a)
{
    memcpy(p, &a, sizeof a);
}

/* Of a block of 6 × 6: a corner of 4 × 4, then what is beside and below it. */
LANE_INLINE void transpose_six(const float *from, float *to)
{
    lanes4 out[4];
    lane4_transpose(load_three(from), load_three(from + 6), load_three(from + 12), load_three(from + 18), out);
    for (int r = 0; r < 4; r++) {
        store_four_blocks(to + 6 * r, out[r]);
        to[6 * r + 4] = from[24 + r];
        to[6 * r + 5] = from[30 + r];
    }
    for (int r = 4; r < 6; r++)
        for (int c = 0; c < 6; c++)
            to[6 * r + c] = from[6 * c + r];
}

/* Two columns, (b, t) and (c, u), of three numbers a half: written so that no store overlaps the next load. */
LANE_INLINE void add_two(float *to, lanes4 b, lanes4 t, lanes4 c, lanes4 u)
{
    add_simd4(to, __builtin_shufflevector(b, t, 0, 1, 2, 4));
    add_simd4(to + 4, __builtin_shufflevector(t, c, 1, 2, 4, 5));
    add_simd4(to + 8, __builtin_shufflevector(c, u, 2, 4, 5, 6));
}

/* to += Pᵀ A P for a block between children at r and s; columns of A P: those of A, and what s makes of them. */
LANE_INLINE void fold_finest(float *to, const float *a, const lever *r, const float *s)
{
    lanes4 x = load_three(a), y = load_three(a + 3), z = load_three(a + 6);
    lanes4 p = z * s[1] - y * s[2], q = x * s[2] - z * s[0], w = y * s[0] - x * s[1];
    add_two(to, x, torque(r, x), y, torque(r, y));
    add_two(to + 12, z, torque(r, z), p, torque(r, p));
    add_two(to + 24, q, torque(r, q), w, torque(r, w));
}

LANE_INLINE void fold_coarse(float *to, const float *a, const lever *r, const float *s)
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
        int32_t j = l->col[k];
        if (t->to[k] == TO_NOWHERE)
            continue;
        float *to = t->to[k] == TO_DIAGONAL
                        ? inner
                        : r->coarse->val + 36 * (int64_t)level_place(r->coarse, t->parent[i], t->parent[j], t->to[k]);
        const float *other = t->offset + 3 * (int64_t)j;
        float own[FINEST_ROOM] = {0};
        if (l->dim == 3)
            fold_finest(to, free_block(r, i, k, own), &at, other);
        else
            fold_coarse(to, l->val + 36 * (int64_t)k, &at, other);
    }
}

static void add_coarse_row(const build_run *r, int32_t i, float *inner, float *diagonal)
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
        fold_coarse(diagonal, l->inverse + 36 * (int64_t)i, &arm, at);
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
    for (int32_t i = piece * MULTIGRID_BUILD_PIECE; i < build_piece_end(l, piece); i++) {
        float *diagonal = l->inverse + 36 * (int64_t)i, inner[36] = {0}, turned[36];
        memset(diagonal, 0, 36 * sizeof *diagonal);
        clear_half(l, i, l->before[i], l->before[i + 1]);
        clear_half(l, i, l->after[i], l->after[i + 1]);
        for (int32_t k = t->child_start[i]; k < t->child_start[i + 1]; k++)
            add_coarse_row(r, t->child[k], inner, diagonal);
        for (int c = 0; c < 36; c += 7)
            diagonal[c] += r->shift * diagonal[c];
        transpose_six(inner, turned);
        for (int c = 0; c < 36; c += 4)
            add_simd4(diagonal + c, load_three(inner + c) + load_three(turned + c));
    }
}

static void mirror_half(multigrid_level *l, int32_t i, int32_t begin, int32_t end)
{
    for (int32_t k = begin; k < end && l->col[k] < i; k++)
        transpose_six(l->val + 36 * (int64_t)level_place(l, l->col[k], i, l->mirror[k]), l->val + 36 * (int64_t)k);
}

static void mirror_level_piece(void *context, int32_t piece)
{
    multigrid_level *l = ((const build_run *)context)->coarse;
    for (int32_t i = piece * MULTIGRID_BUILD_PIECE; i < build_piece_end(l, piece); i++) {
        mirror_half(l, i, l->before[i], l->before[i + 1]);
        mirror_half(l, i, l->after[i], l->after[i + 1]);
    }
}

/* ---- inverses of diagonal blocks, four at a time ----------------------------------------------------------------- */

/* A = L D Lᵀ of a symmetric 6×6 matrix; 1/D_i is 0 where a direction is left out. */
LANE_INLINE void factor(lanes a[6][6], lanes over[6])
{
    const lanes zero = lane_all(0.0), one = lane_all(1.0);
    for (int i = 0; i < 6; i++) {
        lanes before = a[i][i];
        for (int j = 0; j < i; j++) {
            lanes s = a[i][j];
            for (int k = 0; k < j; k++)
                s -= a[i][k] * a[j][k];
            a[i][j] = s; /* L_ij D_j until row i is done */
        }
        for (int j = 0; j < i; j++) {
            lanes s = a[i][j];
            a[i][j] = s * over[j];
            a[i][i] -= s * a[i][j];
        }
        lane_mask counts = (lane_mask)(before > 0.0) & (lane_mask)(a[i][i] > MULTIGRID_PIVOT * before);
        over[i] = lane_select(counts, 1.0 / lane_select(counts, a[i][i], one), zero);
    }
}

/* Column c of the inverse; y is zero above c until it is gone through from below. */
LANE_INLINE void inverse_column(lanes a[6][6], const lanes over[6], int c, lanes y[6])
{
    const lanes zero = lane_all(0.0), one = lane_all(1.0);
    for (int i = 0; i < 6; i++)
        y[i] = zero;
    y[c] = lane_select((lane_mask)(over[c] > 0.0), one, zero);
    for (int i = c + 1; i < 6; i++)
        for (int k = c; k < i; k++)
            y[i] -= a[i][k] * y[k];
    for (int i = 5; i >= 0; i--) {
        y[i] *= over[i];
        for (int k = i + 1; k < 6; k++)
            y[i] -= lane_select((lane_mask)(over[i] > 0.0), a[k][i] * y[k], zero);
    }
}

/* In place. In double precision: a stiff contact makes these blocks as bad as single precision can hold. */
static void inverse_simd4(float *const block[4])
{
    lanes a[6][6], m[36], over[6];
    for (int c = 0; c < 36; c += 4) {
        lanes4 t[4];
        lane4_transpose(load_three(block[0] + c), load_three(block[1] + c), load_three(block[2] + c),
                        load_three(block[3] + c), t);
        for (int k = 0; k < 4; k++)
            m[c + k] = __builtin_convertvector(t[k], lanes);
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] = 0.5 * (m[6 * i + j] + m[6 * j + i]) * (i == j ? 1 + MULTIGRID_REGULAR : 1);
    factor(a, over);
    for (int c = 0; c < 6; c++)
        inverse_column(a, over, c, m + 6 * c);
    for (int c = 0; c < 36; c += 4) {
        lanes4 t[4];
        lane4_transpose(__builtin_convertvector(m[c], lanes4), __builtin_convertvector(m[c + 1], lanes4),
                        __builtin_convertvector(m[c + 2], lanes4), __builtin_convertvector(m[c + 3], lanes4), t);
        for (int k = 0; k < 4; k++)
            store_four_blocks(block[k] + c, t[k]);
    }
}

static void invert_coarse(const multigrid_level *l, int32_t piece)
{
    int32_t end = build_piece_end(l, piece);
    for (int32_t i = piece * MULTIGRID_BUILD_PIECE; i < end; i += 4) {
        float *block[4];
        for (int k = 0; k < 4; k++) /* a row that is there stands in for one that is not */
            block[k] = l->inverse + 36 * (int64_t)(i + k < end ? i + k : i);
        inverse_simd4(block);
    }
}

static void invert_level_piece(void *context, int32_t piece)
{
    const build_run *r = context;
    if (r->fine->dim == 3)
        invert_finest(r, piece);
    else
        invert_coarse(r->fine, piece);
}

/* ---- the last level ---------------------------------------------------------------------------------------------- */

static void spread_block(int64_t stride, int32_t i, int32_t j, const float *block, double *a)
{
    for (int c = 0; c < 36; c++)
        a[(6 * i + c % 6) * stride + 6 * j + c / 6] = (double)block[c];
}

static void spread(const multigrid_level *l, int64_t stride, double *a)
{
    memset(a, 0, (size_t)(6 * l->n * stride) * sizeof *a);
    for (int32_t i = 0; i < l->n; i++) {
        spread_block(stride, i, i, l->inverse + 36 * (int64_t)i, a);
        for (int32_t k = l->before[i]; k < l->before[i + 1]; k++)
            spread_block(stride, i, l->col[k], l->val + 36 * (int64_t)k, a);
        for (int32_t k = l->after[i]; k < l->after[i + 1]; k++)
            spread_block(stride, i, l->col[k], l->val + 36 * (int64_t)k, a);
    }
}

/* a −= scale c cᵀ, up to column n of row i. */
LANE_INLINE void take_row(double *row, const double *c, double scale, int32_t n)
{
    for (int32_t j = 0; j < n; j += 4)
        lane_store(row + j, lane_load(row + j) - scale * lane_load(c + j));
}

/* The inverse of a symmetric matrix, by rows, in place: a pivot k after the other, with column c of it and d on the
 * diagonal, a_ij −= c_i c_j/d, a_ik = c_i/d, a_kk = −1/d, which leaves −A⁻¹. The lower half does. */
static void dense_invert(const multigrid_level *l, double *a)
{
    int32_t n = 6 * l->n;
    int64_t stride = dense_stride(n);
    double *c = a + n * stride, *before = c + stride;
    spread(l, stride, a);
    for (int32_t k = 0; k < n; k++)
        before[k] = a[k * stride + k];
    for (int32_t k = 0; k < n; k++) {
        double d = a[k * stride + k];
        bool counts = before[k] > 0 && d > MULTIGRID_DENSE_PIVOT * before[k];
        double over = counts ? 1.0 / d : 0;
        for (int32_t j = 0; j < n; j++)
            c[j] = j < k ? a[k * stride + j] : a[j * stride + k];
        c[k] = 0;
        for (int32_t i = 0; counts && i < n; i++)
            if (i != k)
                take_row(a + i * stride, c, c[i] * over, i + 1);
        for (int32_t j = 0; j < k; j++)
            a[k * stride + j] = c[j] * over;
        a[k * stride + k] = -over;
        for (int32_t i = k + 1; i < n; i++)
            a[i * stride + k] = c[i] * over;
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++)
            a[j * stride + i] = a[i * stride + j] = -a[i * stride + j];
}

/* x = A⁻¹ b: columns of the inverse, which are its rows, four at a time. */
static void dense_multiply(const multigrid_level *l, double *a, const float *b, float *x)
{
    int32_t n = 6 * l->n;
    int64_t stride = dense_stride(n);
    double *y = a + n * stride, *by = y + stride;
    memset(y, 0, 2 * (size_t)stride * sizeof *y);
    for (int32_t i = 0; i < n; i++)
        by[i] = (double)b[i];
    for (int32_t k = 0; k < n; k += 2) {
        const double *first = a + k * stride, *second = first + stride;
        for (int32_t j = 0; j < n; j += 4)
            lane_store(y + j, lane_load(y + j) + (by[k] * lane_load(first + j) + by[k + 1] * lane_load(second + j)));
    }
    for (int32_t i = 0; i < n; i++)
        x[i] = (float)y[i];
}

const builds KERNEL(builds) = {invert_level_piece, place_piece,  sum_piece,
                               mirror_level_piece, dense_invert, dense_multiply};

#if KERNEL_ONCE
const builds *builds_best(void)
{
    return KERNEL_BEST(builds);
}
#endif
