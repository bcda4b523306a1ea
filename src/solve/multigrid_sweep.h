/* SPDX-License-Identifier: MIT */
/* Sweeps over a level of DIM numbers a row, in vectors of LANES ≥ DIM: the last LANES − DIM are nobody's. Included once
 * for each DIM; not a header in the usual sense.
 *
 * With A = L + D + U in the order of smoothing, each sweep leaves behind what the next one needs to read half of the
 * matrix only: after a forward sweep left = b − L x, so a backward one is (D + U) x = left; after it b − A x is
 * b − left − L x. */
#include "solve/multigrid_inside.h"

#define SIZE (DIM * DIM)

typedef struct lanes {
    float v[LANES];
} lanes;

/* Written out: gcc makes a detour over the stack of a loop here. */
static inline lanes load(const float *x, int32_t i)
{
    x += (int64_t)DIM * i;
#if DIM == 3
    return (lanes){{x[0], x[1], x[2], 0}};
#else
    return (lanes){{x[0], x[1], x[2], x[3], x[4], x[5], 0, 0}};
#endif
}

static inline void store(float *x, int32_t i, lanes t)
{
    for (int c = 0; c < DIM; c++)
        x[(int64_t)DIM * i + c] = t.v[c];
}

/* A x of one block, which is read past its end. Sums are short chains: the next block's need not wait for them. */
static inline lanes times(const float *a, const float *x)
{
    lanes r;
    for (int c = 0; c < LANES; c++) {
        r.v[c] = (a[c] * x[0] + a[DIM + c] * x[1]) + a[2 * DIM + c] * x[2];
#if DIM == 6
        r.v[c] += (a[3 * DIM + c] * x[3] + a[4 * DIM + c] * x[4]) + a[5 * DIM + c] * x[5];
#endif
    }
    return r;
}

/* t − A x for the blocks [begin, end). */
static inline lanes minus(const multigrid_level *l, lanes t, int32_t begin, int32_t end)
{
    const float *a = l->val + (int64_t)SIZE * begin;
    for (int32_t k = begin; k < end; k++, a += SIZE) {
        lanes p = times(a, l->x + (int64_t)DIM * l->col[k]);
        for (int c = 0; c < LANES; c++)
            t.v[c] -= p.v[c];
    }
    return t;
}

static inline void smooth(const multigrid_level *l, int32_t i, lanes t)
{
    store(l->x, i, times(l->inverse + (int64_t)SIZE * i, t.v));
}

static void first_sweep(void *context, int32_t chunk)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    int32_t end = chunk_end(&l->chunks, chunk, l->n);
    for (int32_t i = chunk_begin(&l->chunks, chunk); i < end; i++) {
        lanes t = minus(l, load(l->b, i), l->before[i], l->before[i + 1]);
        store(l->left, i, t);
        smooth(l, i, t);
    }
}

static void forward_sweep(void *context, int32_t chunk)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    int32_t end = chunk_end(&l->chunks, chunk, l->n);
    for (int32_t i = chunk_begin(&l->chunks, chunk); i < end; i++) {
        lanes t = minus(l, load(l->b, i), l->before[i], l->before[i + 1]);
        store(l->left, i, t);
        smooth(l, i, minus(l, t, l->after[i], l->after[i + 1]));
    }
}

static void backward_sweep(void *context, int32_t chunk)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    int32_t begin = chunk_begin(&l->chunks, chunk);
    for (int32_t i = chunk_end(&l->chunks, chunk, l->n) - 1; i >= begin; i--)
        smooth(l, i, minus(l, load(l->left, i), l->after[i], l->after[i + 1]));
}

/* b − A x after a backward sweep. */
static inline lanes residual(const multigrid_level *l, int32_t i)
{
    lanes t = load(l->b, i), left = load(l->left, i);
    for (int c = 0; c < LANES; c++)
        t.v[c] -= left.v[c];
    return minus(l, t, l->before[i], l->before[i + 1]);
}

static void residual_piece(void *context, int32_t piece)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    for (int32_t i = piece * ROW_PIECE; i < row_end(l, piece); i++)
        store(l->left, i, residual(l, i));
}

/* Forces add up, and so do their torques about the middle. */
static void restrict_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    const aggregation *to = &r->l->to_coarse;
    int32_t end = (piece + 1) * COARSE_PIECE < r->coarse->n ? (piece + 1) * COARSE_PIECE : r->coarse->n;
    for (int32_t ci = piece * COARSE_PIECE; ci < end; ci++) {
        float sum[6] = {0};
        for (int32_t k = to->child_start[ci]; k < to->child_start[ci + 1]; k++) {
            const float *f = r->l->left + (int64_t)DIM * to->child[k], *o = to->offset + 3 * (int64_t)to->child[k];
            for (int c = 0; c < DIM; c++)
                sum[c] += f[c];
            sum[3] += o[1] * f[2] - o[2] * f[1];
            sum[4] += o[2] * f[0] - o[0] * f[2];
            sum[5] += o[0] * f[1] - o[1] * f[0];
        }
        for (int c = 0; c < 6; c++)
            r->coarse->b[6 * (int64_t)ci + c] = sum[c];
    }
}

/* ω (t + turn × offset) */
static inline void move_of(const float *coarse, const float *offset, float out[3])
{
    out[0] = STRETCH * (coarse[0] + (coarse[4] * offset[2] - coarse[5] * offset[1]));
    out[1] = STRETCH * (coarse[1] + (coarse[5] * offset[0] - coarse[3] * offset[2]));
    out[2] = STRETCH * (coarse[2] + (coarse[3] * offset[1] - coarse[4] * offset[0]));
}
