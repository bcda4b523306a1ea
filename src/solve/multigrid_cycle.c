/* SPDX-License-Identifier: MIT */
/* The cycle. With A = L + D + U in the order of smoothing, from a zero guess:
 *
 *     x = (L + D)⁻¹ b            forward, reads L only
 *     b_coarse = −Pᵀ U x         what is left, reads U only
 *     x += ω P (coarse cycles)
 *     x = (D + U)⁻¹ (b − L x)    backward, reads all
 *
 * so the work is that of two products with the matrix. P copies a coarse row to its children.
 *
 * B, the cycle as a matrix, is positive definite, and the eigenvalues of B A lie in (0, ω] with ω < 2: if they do so on
 * the coarser level, those of two cycles there, 1 − (1 − λ)², lie in (0, 1], and smoothing only draws the error of this
 * level towards 0 from 1 − ω at worst. One cycle in place of two would let ω pile up from level to level. */
#include <string.h>

#include "solve/multigrid_inside.h"

/* ω. Tried 1, 1.4 and 1.8 on sheets of 38², 76² and 146² nodes that hang or lie on a ball: 1.4 and 1.8 differ by an
 * iteration at most, 1 takes up to a fifth more. */
#define STRETCH 1.4f

#define ROW_PIECE 256
#define COARSE_PIECE 64
/* Levels with fewer rows than this are not worth waking other threads for. */
#define SHARED_ROWS 1024

/* Three numbers and one that nobody looks at. */
typedef struct float4 {
    float v[4];
} float4;

static inline float4 load(const float *x, int32_t i)
{
    return (float4){{x[3 * i], x[3 * i + 1], x[3 * i + 2], 0}};
}

static inline void store(float *x, int32_t i, float4 t)
{
    for (int c = 0; c < 3; c++)
        x[3 * i + c] = t.v[c];
}

/* t − A x; reads one number past the block. */
static inline float4 minus(float4 t, const mat3f *a, const float *x)
{
    const float *m = (const float *)(const void *)a;
    float x0 = x[0], x1 = x[1], x2 = x[2];
    for (int c = 0; c < 4; c++)
        t.v[c] -= m[c] * x0 + m[3 + c] * x1 + m[6 + c] * x2;
    return t;
}

static inline float4 times(const mat3f *a, float4 t)
{
    const float *m = (const float *)(const void *)a;
    float4 r;
    for (int c = 0; c < 4; c++)
        r.v[c] = m[c] * t.v[0] + m[3 + c] * t.v[1] + m[6 + c] * t.v[2];
    return r;
}

/* Rows are read in part, or backwards, or children first: more than the hardware foresees. */
#if defined(__GNUC__)
#define PREFETCH(p) __builtin_prefetch(p)
#else
#define PREFETCH(p) ((void)(p))
#endif
#define AHEAD 5

/* Asks for blocks [begin, end). */
static inline void prefetch(const multigrid_level *l, int32_t begin, int32_t end)
{
    const char *last = (const char *)&l->val[end];
    for (const char *p = (const char *)&l->val[begin]; p < last; p += 64)
        PREFETCH(p);
}

typedef struct cycle_run {
    multigrid_level *l, *coarse;
    const filter *f; /* of the finest level, as what follows */
    double scale;
    const vec3 *r;
    vec3 *z;
} cycle_run;

/* ---- smoothing --------------------------------------------------------------------------------------------------- */

static void forward(void *context, int32_t chunk)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    const chunking *ch = &l->chunks;
    int32_t begin = chunk_begin(ch, chunk), end = chunk_end(ch, chunk, l->n);
    for (int32_t i = begin; i < end; i++) {
        int32_t next = i + AHEAD < end ? i + AHEAD : i;
        float4 t = load(l->b, i);
        prefetch(l, l->start[next], l->diagonal[next]);
        for (int32_t k = l->start[i]; k < l->diagonal[i]; k++)
            if (l->col[k] >= begin || chunk_follows(ch, chunk, l->col[k]))
                t = minus(t, &l->val[k], l->x + 3 * l->col[k]);
        for (int32_t k = l->start[i + 1] - 1; l->col[k] >= end; k--)
            if (chunk_follows(ch, chunk, l->col[k]))
                t = minus(t, &l->val[k], l->x + 3 * l->col[k]);
        store(l->x, i, times(&l->inverse[i], t));
    }
}

static void backward(void *context, int32_t chunk)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    int32_t begin = chunk_begin(&l->chunks, chunk), end = chunk_end(&l->chunks, chunk, l->n);
    for (int32_t i = end - 1; i >= begin; i--) {
        int32_t next = i - AHEAD >= begin ? i - AHEAD : i;
        float4 t = load(l->b, i);
        prefetch(l, l->start[next], l->start[next + 1]);
        for (int32_t k = l->start[i]; k < l->diagonal[i]; k++)
            t = minus(t, &l->val[k], l->x + 3 * l->col[k]);
        for (int32_t k = l->start[i + 1] - 1; k > l->diagonal[i]; k--)
            t = minus(t, &l->val[k], l->x + 3 * l->col[k]);
        store(l->x, i, times(&l->inverse[i], t));
    }
}

/* ---- between levels ---------------------------------------------------------------------------------------------- */

/* t − (U x)_i after a forward sweep. */
static inline float4 left_over(const multigrid_level *l, int32_t i, float4 t)
{
    const chunking *ch = &l->chunks;
    int32_t chunk = i >> ch->bits, begin = chunk_begin(ch, chunk), end = chunk_end(ch, chunk, l->n);
    for (int32_t k = l->start[i]; l->col[k] < begin; k++)
        if (!chunk_follows(ch, chunk, l->col[k]))
            t = minus(t, &l->val[k], l->x + 3 * l->col[k]);
    for (int32_t k = l->diagonal[i] + 1; k < l->start[i + 1]; k++)
        if (l->col[k] < end || !chunk_follows(ch, chunk, l->col[k]))
            t = minus(t, &l->val[k], l->x + 3 * l->col[k]);
    return t;
}

static void restrict_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    const aggregation *to = &r->l->to_coarse;
    int32_t end = (piece + 1) * COARSE_PIECE < r->coarse->n ? (piece + 1) * COARSE_PIECE : r->coarse->n;
    for (int32_t ci = piece * COARSE_PIECE; ci < end; ci++) {
        float4 t = {{0}};
        for (int32_t k = to->child_start[ci]; k < to->child_start[ci + 1]; k++) {
            int32_t next = to->child[k + AHEAD < to->child_start[end] ? k + AHEAD : k];
            prefetch(r->l, r->l->diagonal[next], r->l->start[next + 1]);
            t = left_over(r->l, to->child[k], t);
        }
        store(r->coarse->b, ci, t);
    }
}

static int32_t row_end(const multigrid_level *l, int32_t piece)
{
    return (piece + 1) * ROW_PIECE < l->n ? (piece + 1) * ROW_PIECE : l->n;
}

static void correct_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    multigrid_level *l = r->l;
    for (int32_t i = piece * ROW_PIECE; i < row_end(l, piece); i++) {
        int32_t ci = l->to_coarse.parent[i];
        for (int c = 0; ci >= 0 && c < 3; c++)
            l->x[3 * i + c] += STRETCH * r->coarse->x[3 * ci + c];
    }
}

/* On the finest level the correction keeps to the free directions. */
static void correct_finest(void *context, int32_t piece)
{
    const cycle_run *r = context;
    multigrid_level *l = r->l;
    for (int32_t i = piece * ROW_PIECE; i < row_end(l, piece); i++) {
        int32_t ci = l->to_coarse.parent[i];
        if (ci < 0)
            continue;
        const float *e = r->coarse->x + 3 * ci;
        vec3 d = filter_apply(&r->f[i], v3((double)e[0], (double)e[1], (double)e[2]));
        l->x[3 * i] += STRETCH * (float)d.x;
        l->x[3 * i + 1] += STRETCH * (float)d.y;
        l->x[3 * i + 2] += STRETCH * (float)d.z;
    }
}

/* ---- cycles ------------------------------------------------------------------------------------------------------ */

/* run for all pieces of n rows of a level. */
static void run_pieces(const multigrid_level *l, pool *p, int32_t n, int32_t size, pool_fn run, void *context)
{
    int32_t n_pieces = (int32_t)(((int64_t)n + size - 1) / size);
    if (l->n >= SHARED_ROWS)
        pool_for(p, n_pieces, run, context);
    for (int32_t i = 0; l->n < SHARED_ROWS && i < n_pieces; i++)
        run(context, i);
}

static void cycles(multigrid *g, pool *p, int32_t level);

/* x = B b. f: of the finest level, else NULL. */
static void cycle(multigrid *g, pool *p, int32_t level, const filter *f)
{
    multigrid_level *l = &g->levels[level];
    cycle_run r = {.l = l, .f = f};
    chunking_run(&l->chunks, p, false, forward, &r);
    if (level + 1 < g->n_levels) {
        r.coarse = l + 1;
        run_pieces(l, p, r.coarse->n, COARSE_PIECE, restrict_piece, &r);
        cycles(g, p, level + 1);
        run_pieces(l, p, l->n, ROW_PIECE, f ? correct_finest : correct_piece, &r);
    }
    chunking_run(&l->chunks, p, true, backward, &r);
}

/* x1 = x, b −= A x */
static void residual_piece(void *context, int32_t piece)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    for (int32_t i = piece * ROW_PIECE; i < row_end(l, piece); i++) {
        float4 t = load(l->b, i);
        for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
            t = minus(t, &l->val[k], l->x + 3 * l->col[k]);
        store(l->b, i, t);
        memcpy(l->x1 + 3 * i, l->x + 3 * i, 3 * sizeof *l->x);
    }
}

static void add_first(void *context, int32_t piece)
{
    const multigrid_level *l = ((const cycle_run *)context)->l;
    for (int32_t k = 3 * piece * ROW_PIECE; k < 3 * row_end(l, piece); k++)
        l->x[k] += l->x1[k];
}

/* Two cycles, x = B b + B (b − A B b), or the direct solve. */
static void cycles(multigrid *g, pool *p, int32_t level)
{
    multigrid_level *l = &g->levels[level];
    cycle_run r = {.l = l};
    if (level == g->n_levels - 1 && g->dense) {
        dense_solve(g, l->b, l->x);
        return;
    }
    cycle(g, p, level, NULL);
    run_pieces(l, p, l->n, ROW_PIECE, residual_piece, &r);
    cycle(g, p, level, NULL);
    run_pieces(l, p, l->n, ROW_PIECE, add_first, &r);
}

static void read_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    for (int32_t i = piece * ROW_PIECE; i < row_end(r->l, piece); i++) {
        vec3 v = v3_scale(r->scale, r->r[i]);
        store(r->l->b, i, (float4){{(float)v.x, (float)v.y, (float)v.z, 0}});
    }
}

static void write_piece(void *context, int32_t piece)
{
    const cycle_run *r = context;
    const float *x = r->l->x;
    for (int32_t i = piece * ROW_PIECE; i < row_end(r->l, piece); i++)
        r->z[i] = v3_scale(1 / r->scale, v3((double)x[3 * i], (double)x[3 * i + 1], (double)x[3 * i + 2]));
}

void multigrid_apply(multigrid *g, pool *p, const filter *f, double scale, const vec3 *r, vec3 *z)
{
    cycle_run c = {.l = g->levels, .scale = scale, .r = r, .z = z};
    run_pieces(c.l, p, c.l->n, ROW_PIECE, read_piece, &c);
    cycle(g, p, 0, f);
    run_pieces(c.l, p, c.l->n, ROW_PIECE, write_piece, &c);
}
