/* SPDX-License-Identifier: MIT */
/* Sweeps over a level of DIM numbers a row, in vectors of four or eight. The text of two kernels,
 * multigrid_finest_kernel.c and multigrid_coarse_kernel.c, which define DIM; not a header in the usual sense.
 *
 * With A = L + D + U in the order of smoothing, each sweep leaves behind what the next one needs to read half of the
 * matrix only: after a forward sweep left = b − L x, so a backward one is (D + U) x = left; after it b − A x is
 * b − left − L x. */
#include "math/kernel.h"
#include "math/lanes.h"
#include "solve/multigrid_inside.h"

#define SIZE (DIM * DIM)

#if DIM == 3
typedef lanes4 row;
#else
typedef lanes8 row;
#endif

/* Numbers past the row's are nobody's: what comes of them is never stored. */
LANE_INLINE row load_numbers(const float *x, int32_t i)
{
    row t;
    x += (int64_t)DIM * i;
#if DIM == 3
    t = (row){x[0], x[1], x[2], 0};
#else
    lanes4 low;
    memcpy(&low, x, sizeof low);
    t = (row){low[0], low[1], low[2], low[3], x[4], x[5], 0, 0};
#endif
    return t;
}

LANE_INLINE void store(float *x, int32_t i, row t)
{
    x += (int64_t)DIM * i;
#if DIM == 3
    x[0] = t[0];
    x[1] = t[1];
    x[2] = t[2];
#else
    lanes4 low = __builtin_shufflevector(t, t, 0, 1, 2, 3);
    memcpy(x, &low, sizeof low);
    x[4] = t[4];
    x[5] = t[5];
#endif
}

/* Column c of a block, which is read past its end. */
LANE_INLINE row level_column(const float *a, int c)
{
    row t;
    memcpy(&t, a + (ptrdiff_t)DIM * c, sizeof t);
    return t;
}

/* A x of one block. Sums are short chains: the next block's need not wait for them. */
LANE_INLINE row times(const float *a, const float *x)
{
    row r = (level_column(a, 0) * x[0] + level_column(a, 1) * x[1]) + level_column(a, 2) * x[2];
#if DIM == 6
    r += (level_column(a, 3) * x[3] + level_column(a, 4) * x[4]) + level_column(a, 5) * x[5];
#endif
    return r;
}

/* t − A x for the blocks [begin, end). A sweep waits for the row before: what that has made is best the last that is
 * taken. In sweeps forward it is, columns increase. */
LANE_INLINE row minus_product(const multigrid_level *l, row t, int32_t begin, int32_t end)
{
    const float *a = l->val + (int64_t)SIZE * begin;
    for (int32_t k = begin; k < end; k++, a += SIZE)
        t -= times(a, l->x + (int64_t)DIM * l->col[k]);
    return t;
}

/* The same from the last to the first, for sweeps backward. */
LANE_INLINE row minus_back(const multigrid_level *l, row t, int32_t begin, int32_t end)
{
    const float *a = l->val + (int64_t)SIZE * end;
    for (int32_t k = end - 1; k >= begin; k--) {
        a -= SIZE;
        t -= times(a, l->x + (int64_t)DIM * l->col[k]);
    }
    return t;
}

LANE_INLINE void smooth(const multigrid_level *l, int32_t i, row t)
{
    const float *a = l->inverse + (int64_t)SIZE * i;
    row r = (level_column(a, 0) * t[0] + level_column(a, 1) * t[1]) + level_column(a, 2) * t[2];
#if DIM == 6
    r += (level_column(a, 3) * t[3] + level_column(a, 4) * t[4]) + level_column(a, 5) * t[5];
#endif
    store(l->x, i, r);
}

static void first_sweep(void *context, int32_t chunk)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    int32_t end = chunk_end(&l->chunks, chunk, l->n);
    for (int32_t i = chunk_begin(&l->chunks, chunk); i < end; i++) {
        row t = minus_product(l, load_numbers(l->b, i), l->before[i], l->before[i + 1]);
        store(l->left, i, t);
        smooth(l, i, t);
    }
}

static void forward_sweep(void *context, int32_t chunk)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    int32_t end = chunk_end(&l->chunks, chunk, l->n);
    for (int32_t i = chunk_begin(&l->chunks, chunk); i < end; i++) {
        row zero = {0}, rest = minus_product(l, zero, l->after[i], l->after[i + 1]);
        row t = minus_product(l, load_numbers(l->b, i), l->before[i], l->before[i + 1]);
        store(l->left, i, t);
        smooth(l, i, t + rest);
    }
}

static void backward_sweep(void *context, int32_t chunk)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    int32_t begin = chunk_begin(&l->chunks, chunk);
    for (int32_t i = chunk_end(&l->chunks, chunk, l->n) - 1; i >= begin; i--)
        smooth(l, i, minus_back(l, load_numbers(l->left, i), l->after[i], l->after[i + 1]));
}

/* b − A x after a backward sweep. */
LANE_INLINE row residual(const multigrid_level *l, int32_t i)
{
    return minus_product(l, load_numbers(l->b, i) - load_numbers(l->left, i), l->before[i], l->before[i + 1]);
}

static void residual_piece(void *context, int32_t piece)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    for (int32_t i = piece * MULTIGRID_ROW_PIECE; i < row_end(l, piece); i++)
        store(l->left, i, residual(l, i));
}

/* Of a row, as coarser levels feel it. */
LANE_INLINE void force_on(const cycle_run *r, int32_t i, float f[DIM])
{
    memcpy(f, r->l->left + (int64_t)DIM * i, DIM * sizeof *f);
#if DIM == 3
    if (r->f[i].kind != FREEDOM_ALL) {
        vec3 d = filter_apply(&r->f[i], v3((double)f[0], (double)f[1], (double)f[2]));
        f[0] = (float)d.x;
        f[1] = (float)d.y;
        f[2] = (float)d.z;
    }
#endif
}

/* Forces add up, and so do their torques about the middle. */
static void restrict_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    const aggregation *to = &r->l->to_coarse;
    int32_t end =
        (piece + 1) * MULTIGRID_COARSE_PIECE < r->coarse->n ? (piece + 1) * MULTIGRID_COARSE_PIECE : r->coarse->n;
    for (int32_t ci = piece * MULTIGRID_COARSE_PIECE; ci < end; ci++) {
        float sum[6] = {0};
        for (int32_t k = to->child_start[ci]; k < to->child_start[ci + 1]; k++) {
            float f[DIM];
            const float *o = to->offset + 3 * (int64_t)to->child[k];
            force_on(r, to->child[k], f);
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
LANE_INLINE void move_of(const float *coarse, const float *offset, float out[3])
{
    out[0] = MULTIGRID_STRETCH * (coarse[0] + (coarse[4] * offset[2] - coarse[5] * offset[1]));
    out[1] = MULTIGRID_STRETCH * (coarse[1] + (coarse[5] * offset[0] - coarse[3] * offset[2]));
    out[2] = MULTIGRID_STRETCH * (coarse[2] + (coarse[3] * offset[1] - coarse[4] * offset[0]));
}

#if DIM == 3

/* The correction keeps to the free directions. */
static void correct_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    multigrid_level *l = r->l;
    for (int32_t i = piece * MULTIGRID_ROW_PIECE; i < row_end(l, piece); i++) {
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

#else

static void correct_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    multigrid_level *l = r->l;
    for (int32_t i = piece * MULTIGRID_ROW_PIECE; i < row_end(l, piece); i++) {
        int32_t ci = l->to_coarse.parent[i];
        const float *coarse = r->coarse->x + 6 * (int64_t)ci;
        float e[6];
        if (ci < 0)
            continue;
        move_of(coarse, l->to_coarse.offset + 3 * (int64_t)i, e);
        for (int c = 3; c < 6; c++)
            e[c] = MULTIGRID_STRETCH * coarse[c];
        for (int c = 0; c < 6; c++)
            l->x[6 * (int64_t)i + c] += e[c];
    }
}

#endif

#define SWEEP_FUNCTIONS                                                                                                \
    {                                                                                                                  \
        first_sweep, forward_sweep, backward_sweep, residual_piece, restrict_piece, correct_piece                      \
    }
