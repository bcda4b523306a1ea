/* SPDX-License-Identifier: MIT */
/* What the parts of the multilevel preconditioner share: the hierarchy (multigrid.c), aggregates
 * (multigrid_aggregate.c), values (multigrid_build.c and its kernel), sweeps over one level (multigrid_finest_kernel.c,
 * multigrid_coarse_kernel.c, both from multigrid_sweep.h) and the cycle (multigrid_cycle.c). */
#ifndef WEFT_SOLVE_MULTIGRID_INSIDE_H
#define WEFT_SOLVE_MULTIGRID_INSIDE_H

#include "solve/multigrid.h"
#include "solve/params.h"

/* A graph of rows, with each row among its own neighbours, in increasing order. */
typedef struct graph {
    int32_t n;
    int32_t *start, *col;
    int32_t room; /* links that there is memory for */
    vec3 *middle; /* where each row is at rest, and how many of the finest level it is; or NULL */
    double *size;
} graph;

void graph_destroy(graph *g, mem *m);
/* rest: of each row, or NULL. */
bool graph_of_pattern(graph *g, mem *m, int32_t n, const int32_t *start, const int32_t *col, const vec3 *rest);
/* Rows of one group become one; rows whose group is −1 are left out. */
bool graph_quotient(graph *q, mem *m, const graph *g, const int32_t *group, int32_t n_groups);

/* Groups of about 2^rounds. Returns how many, −1 without memory. */
int32_t graph_aggregate(const graph *g, mem *m, int32_t rounds, int32_t *parent);

/* Makes start (n_groups + 1) and row (n): the rows of each group, in order. */
bool group_rows(mem *m, const int32_t *group, int32_t n, int32_t n_groups, int32_t **start, int32_t **row);

/* A block of a row that is known is a small number: first those whose column comes before the row, then the others. In
 * a row of many it is looked for. */
#define BLOCK_FAR 253
/* Where fine blocks go: each pair of rows once, those of one aggregate to its diagonal block, which gets the
 * transposed as well; each pair of aggregates is summed up once, and mirrored. */
#define TO_NOWHERE 254
#define TO_DIAGONAL 255

/* Place of block (i, j), i ≠ j, in a row that has it. */
int32_t level_find(const multigrid_level *l, int32_t i, int32_t j);

/* The same of a block that is known by `at`. */
static inline int32_t level_place(const multigrid_level *l, int32_t i, int32_t j, uint8_t at)
{
    int32_t n = l->before[i + 1] - l->before[i];
    if (at == BLOCK_FAR)
        return level_find(l, i, j);
    return at < n ? l->before[i] + at : l->after[i] + at - n;
}

/* Sweeps over a level of three or six numbers a row. */
typedef struct sweeps {
    pool_fn first;     /* x = (L + D)⁻¹ b */
    pool_fn forward;   /* x = (L + D)⁻¹ (b − U x) */
    pool_fn backward;  /* x = (D + U)⁻¹ (b − L x), after one of the two: reads U only */
    pool_fn residual;  /* a piece of MULTIGRID_ROW_PIECE rows: left = b − A x, after a backward sweep: reads L only */
    pool_fn to_coarse; /* a piece of MULTIGRID_COARSE_PIECE coarse rows: their right side, Pᵀ left */
    pool_fn from_coarse; /* a piece of MULTIGRID_ROW_PIECE rows: x += ω P (coarse x) */
} sweeps;

extern const sweeps sweeps_finest_plain, sweeps_finest_avx2, sweeps_coarse_plain, sweeps_coarse_avx2;
const sweeps *sweeps_finest(void);
const sweeps *sweeps_coarse(void);

typedef struct cycle_run {
    multigrid_level *l, *coarse;
    const filter *f; /* of the finest level, as what follows */
    double scale;
    const vec3 *r;
    vec3 *z;
} cycle_run;

static inline int32_t row_end(const multigrid_level *l, int32_t piece)
{
    return (piece + 1) * MULTIGRID_ROW_PIECE < l->n ? (piece + 1) * MULTIGRID_ROW_PIECE : l->n;
}

/* What makes the values of levels: pool_fns take a build_run and a piece of MULTIGRID_BUILD_PIECE rows. */

typedef struct build_run {
    const struct builds *make;
    multigrid_level *fine, *coarse;
    const blockmat *a;
    const filter *f;
    const vec3 *position; /* of the fine level's rows, or NULL */
    float shift;
} build_run;

typedef struct builds {
    pool_fn invert;                                     /* fine: inverses of its diagonal, on coarse levels in place */
    pool_fn place;                                      /* coarse: middles, and offsets of children from them */
    pool_fn sum;                                        /* coarse: Pᵀ A P, one of two mirror images */
    pool_fn mirror;                                     /* coarse: the other */
    void (*dense)(const multigrid_level *l, double *a); /* a = A⁻¹ */
    void (*multiply)(const multigrid_level *l, double *a, const float *b, float *x); /* x = A⁻¹ b */
} builds;

extern const builds builds_plain, builds_avx2;
const builds *builds_best(void);

/* Rows of the inverse of a last level of n numbers, and all that is needed with it. */
static inline int64_t dense_stride(int64_t n)
{
    return (n + 3) / 4 * 4;
}

static inline int64_t dense_room(int64_t n)
{
    return (n + 2) * dense_stride(n);
}

#endif
