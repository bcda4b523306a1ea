/* SPDX-License-Identifier: MIT */
/* What the parts of the multilevel preconditioner share: the hierarchy (multigrid.c), aggregates
 * (multigrid_aggregate.c), chunks (multigrid_chunk.c), values (multigrid_build.c), the direct solve of the last level
 * (multigrid_dense.c) and the cycle (multigrid_cycle.c). */
#ifndef WEFT_SOLVE_MULTIGRID_INSIDE_H
#define WEFT_SOLVE_MULTIGRID_INSIDE_H

#include "solve/multigrid.h"

/* A weighted graph of rows, with each row among its own neighbours, in increasing order. */
typedef struct graph {
    int32_t n;
    int32_t *start, *col;
    float *weight;
    int32_t room; /* links that there is memory for */
} graph;

void graph_destroy(graph *g, mem *m);
/* Weights: how many neighbours two rows have in common, so that near ones weigh more; or 1, where nobody will ask. */
bool graph_of_pattern(graph *g, mem *m, int32_t n, const int32_t *start, const int32_t *col, bool weighted);
/* Rows of one group become one, weights are summed; rows whose group is −1 are left out. */
bool graph_quotient(graph *q, mem *m, const graph *g, const int32_t *group, int32_t n_groups);

/* Groups of about four. Returns how many, −1 without memory. */
int32_t graph_aggregate(const graph *g, mem *m, int32_t *parent);

/* Makes start (n_groups + 1) and row (n): the rows of each group, in order. */
bool group_rows(mem *m, const int32_t *group, int32_t n, int32_t n_groups, int32_t **start, int32_t **row);

bool chunking_create(chunking *c, mem *m, int32_t n, const int32_t *start, const int32_t *col);
void chunking_destroy(chunking *c, mem *m);

static inline int32_t chunk_begin(const chunking *c, int32_t chunk)
{
    return chunk << c->bits;
}

static inline int32_t chunk_end(const chunking *c, int32_t chunk, int32_t n)
{
    return chunk + 1 < c->n_chunks ? (chunk + 1) << c->bits : n;
}

/* Is row j, which is not in this chunk, smoothed before its rows? */
static inline bool chunk_follows(const chunking *c, int32_t chunk, int32_t j)
{
    return c->colour[j >> c->bits] < c->colour[chunk];
}

/* run(context, chunk) for all chunks, colour by colour, those of one colour side by side. */
void chunking_run(const chunking *c, pool *p, bool backward, pool_fn run, void *context);

/* Dense Cholesky factor of the last level, and its use. */
void dense_factor(multigrid *g);
void dense_solve(const multigrid *g, const float *b, float *x);

#endif
