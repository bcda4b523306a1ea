/* SPDX-License-Identifier: MIT */
/* A sparse symmetric matrix of 3×3 blocks, both halves stored. Symbolic and numeric work are apart: the pattern lives
 * as long as the topology; the values are made anew at every Newton step, in scratch memory that blockmat_take takes
 * for a solve.
 *
 * It is at the same time the finest level of the preconditioner (multigrid.h), and lies in memory as that one's sweeps
 * read it: first, row by row, the blocks whose column is smoothed before their row, then those whose column comes
 * after, each column by column, in single precision; the diagonal apart and in double.
 *
 * While it is summed up only the first half is written, and `diagonal` has the sums of rows: blockmat_finish mirrors
 * the half and takes the blocks from the sums. So what elements say about a patch that moves as a whole, which is
 * next to nothing beside their stiffness, does not drown in the rounding of their blocks; and elements that do not
 * feel such a motion have no diagonal blocks to add. */
#ifndef WEFT_SOLVE_BLOCKMAT_H
#define WEFT_SOLVE_BLOCKMAT_H

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "math/vec.h"
#include "solve/chunking.h"

typedef struct blockmat_kernel blockmat_kernel;

typedef struct blockmat {
    const blockmat_kernel *kernel;
    int32_t n;               /* rows */
    chunking chunks;         /* the order of smoothing */
    int32_t *before, *after; /* n + 1 each: where the blocks of a row begin in either half */
    int32_t *col;            /* increasing within a row's half */
    uint8_t *mirror;         /* of each block of the first half: which of its row's second half is its transpose … */
    float *val;              /* nine a block, and BLOCK_PAST; of blockmat_take, until that is released */
    mat3 *diagonal;          /* one more than rows: products read past the last */
    int64_t n_blocks, room;  /* off the diagonal, both halves; that there is memory for, an even number */
    int32_t revision;        /* counts patterns: places are valid for one of them */
} blockmat;

/* Products read so many numbers past a block, or less. */
#define BLOCK_PAST 4

/* A set of rows that an element couples pairwise. */
typedef struct clique {
    int32_t n;
    int32_t row[12];
} clique;

/* next(context, i, &c) gives the i-th of n_cliques. The diagonal is always there. False without memory. */
bool blockmat_create(blockmat *a, mem *m, int32_t n, int32_t n_cliques,
                     void (*next)(const void *context, int32_t i, clique *c), const void *context);
void blockmat_destroy(blockmat *a, mem *m);

/* Both halves and the diagonal. */
bool blockmat_sparsity(sparsity *p, mem *m, const blockmat *a);

/* Gives a the pattern p and, beside it, couplings that p lacks; values are to be taken anew. False without memory: a
 * has no blocks then, and is to be made anew. */
bool blockmat_widen(blockmat *a, mem *m, pool *threads, const sparsity *p, const sparsity *extra);

/* Takes room for the values, blockmat_bytes of it. False without memory. */
bool blockmat_take(blockmat *a, arena *scratch);
int64_t blockmat_bytes(const blockmat *a);

void blockmat_clear(blockmat *a, pool *p);

/* Place of block (i, j), i ≠ j, which is in the pattern. */
int32_t blockmat_find(const blockmat *a, int32_t i, int32_t j);

/* Where block (i, j), i ≠ j, is summed up: place p ≥ 0, if it is written there row by row, or ~p, if its transpose
 * is. */
static inline int32_t blockmat_place(const blockmat *a, int32_t i, int32_t j)
{
    return chunk_precedes(&a->chunks, i, j) ? blockmat_find(a, j, i) : ~blockmat_find(a, i, j);
}

/* Adds s·b to block (i, j), which is in the pattern, and its transpose to (j, i); for i = j once, b symmetric. Before
 * blockmat_finish; afterwards for i = j only. */
void blockmat_add(blockmat *a, int32_t i, int32_t j, double s, const mat3 *b);

/* The second half, and the diagonal. */
void blockmat_finish(blockmat *a, pool *p);

/* y = A x for the rows [begin, end). */
void blockmat_multiply_rows(const blockmat *a, const vec3 *x, vec3 *y, int32_t begin, int32_t end);

/* What that and blockmat_finish are made of, for the processor; all give the same bits. */
struct blockmat_kernel {
    void (*multiply)(const blockmat *a, const vec3 *x, vec3 *y, int32_t begin, int32_t end);
    void (*balance)(blockmat *a, int32_t begin, int32_t end);
};

extern const blockmat_kernel blockmat_plain;
extern const blockmat_kernel blockmat_avx2; /* if LANES_HAVE_AVX2 */
const blockmat_kernel *blockmat_best(void);

#endif
