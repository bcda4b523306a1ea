/* SPDX-License-Identifier: MIT */
/* A sparse symmetric matrix of 3×3 blocks, stored whole, row by row; sums go to the upper half only and are mirrored
 * once. Symbolic and numeric work are apart: the pattern lives as long as the topology, the values are made anew at
 * every Newton step. */
#ifndef WEFT_SOLVE_BLOCKMAT_H
#define WEFT_SOLVE_BLOCKMAT_H

#include "base/mem.h"
#include "base/pool.h"
#include "math/vec.h"

typedef struct blockmat {
    int32_t n;      /* rows */
    int32_t *start; /* n + 1 */
    int32_t *col;   /* increasing within a row */
    mat3 *val;
    int32_t *diagonal; /* place of each row's diagonal block */
    int32_t *mirror;   /* place of each block's transpose */
    int64_t n_blocks;
    int32_t revision; /* counts patterns: places are valid for one of them */
} blockmat;

/* A set of rows that an element couples pairwise. */
typedef struct clique {
    int32_t n;
    int32_t row[12];
} clique;

/* next(context, i, &c) gives the i-th of n_cliques. The diagonal is always there. False without memory. */
bool blockmat_create(blockmat *a, mem *m, int32_t n, int32_t n_cliques,
                     void (*next)(const void *context, int32_t i, clique *c), const void *context);
void blockmat_destroy(blockmat *a, mem *m);

/* Two rows that a contact couples; i < j. */
typedef struct coupling {
    int32_t i, j;
} coupling;

/* A pattern without values. */
typedef struct pattern {
    int32_t n;
    int32_t *start, *col;
} pattern;

bool pattern_of(pattern *p, mem *m, const blockmat *a);
void pattern_destroy(pattern *p, mem *m);

/* The couplings of `all` that p lacks, each once, sorted; they stay in place. Returns how many. */
int32_t pattern_lacks(const pattern *p, coupling *all, int32_t n);

/* Gives a the pattern p and, beside it, n couplings that p lacks, sorted and each once. False without memory: a is then
 * as it was. */
bool blockmat_widen(blockmat *a, mem *m, const pattern *p, const coupling *extra, int32_t n);

void blockmat_clear(blockmat *a, pool *p);

/* Place of block (i, j), which is in the pattern. */
int32_t blockmat_find(const blockmat *a, int32_t i, int32_t j);

/* Adds s·b to block (i, j), which is in the pattern, and its transpose to (j, i); for i = j once, b symmetric. Only the
 * upper half is written: blockmat_mirror completes it. */
void blockmat_add(blockmat *a, int32_t i, int32_t j, double s, const mat3 *b);

/* Fills the lower half from the upper, where blockmat_add has summed. */
void blockmat_mirror(blockmat *a, pool *p);

/* y = A x for the rows [begin, end). */
void blockmat_multiply_rows(const blockmat *a, const vec3 *x, vec3 *y, int32_t begin, int32_t end);

#endif
