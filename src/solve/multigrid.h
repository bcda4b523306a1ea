/* SPDX-License-Identifier: MIT */
/* A multilevel preconditioner for the block matrix: z = M⁻¹ r with M symmetric and positive definite.
 *
 * Rows are grouped into aggregates of about four, these again, until few are left. A coarse row is a translation of its
 * aggregate as a whole: the coarse matrix is the sum of the fine blocks, nothing is interpolated. A cycle smooths by
 * Gauss–Seidel, corrects by two cycles of the coarser level (a W-cycle), and smooths again in the opposite order.
 *
 * Such corrections are too small where the error is smooth, because their energy counts the steps between aggregates as
 * strain; they are stretched by a fixed factor to make up for it.
 *
 * All is in single precision. Held directions (filter.h) are zero on the finest level and add nothing to coarser ones.
 *
 * Same bits for any number of threads: rows are cut into chunks by their number alone, chunks that are coupled have
 * different colours, and colours are smoothed one after the other. That is the Gauss–Seidel method exactly, in the
 * order of colour, chunk, row, so M is positive definite whatever the chunks are.
 *
 * Sources: Vaněk, Mandel, Brezina 1996 (aggregates); Braess 1995 (the factor); Notay 2010 (aggregates by matching). */
#ifndef WEFT_SOLVE_MULTIGRID_H
#define WEFT_SOLVE_MULTIGRID_H

#include "solve/blockmat.h"
#include "solve/filter.h"

#define MULTIGRID_LEVELS 20

/* A 3×3 matrix column by column, m[row + 3 · column]: products go over rows, which compilers turn into vector code. */
typedef struct mat3f {
    float m[9];
} mat3f;

/* Rows [i << bits, (i + 1) << bits) are chunk i. */
typedef struct chunking {
    int32_t bits, n_chunks, n_colours;
    int32_t *colour;       /* of each chunk */
    int32_t *order;        /* chunks by colour */
    int32_t *colour_start; /* n_colours + 1 places in `order` */
} chunking;

/* The aggregates of one level's rows. */
typedef struct aggregation {
    int32_t n_coarse;
    int32_t *parent;      /* of each fine row; −1: coupled to nothing, it needs no correction */
    int32_t *child_start; /* n_coarse + 1 places in `child` */
    int32_t *child;       /* fine rows by parent */
    int32_t *to;          /* of each fine block: the coarse block that it is summed to, or −1 */
} aggregation;

typedef struct multigrid_level {
    int32_t n;
    int64_t n_blocks;
    const int32_t *start, *col, *diagonal; /* as in a blockmat; level 0 borrows them from it */
    mat3f *val;                            /* one more than there are blocks: products read past the end */
    mat3f *inverse;                        /* of the diagonal blocks; one more, too */
    float *b, *x, *x1;                     /* right side, solution, that of the first of two cycles: three a row */
    chunking chunks;
    aggregation to_coarse;
} multigrid_level;

typedef struct multigrid {
    multigrid_level *levels; /* the finest first */
    int32_t n_levels;
    double *dense; /* Cholesky factor of the last level by rows, and its right side; NULL if that level is too large */
    int64_t n_dense;
} multigrid;

/* Aggregates that the caller knows better: the parent of every row (−1: none) of the first n_levels levels. */
typedef struct multigrid_hint {
    const int32_t *const *parent;
    const int32_t *n_coarse;
    int32_t n_levels;
} multigrid_hint;

/* For the pattern of a, which must outlive g, whatever its values. hint may be NULL. False without memory. */
bool multigrid_create(multigrid *g, mem *m, const blockmat *a, const multigrid_hint *hint);
void multigrid_destroy(multigrid *g, mem *m);

/* The matrices of all levels for the present values of a. */
void multigrid_build(multigrid *g, pool *p, const blockmat *a, const filter *f);

/* z = M⁻¹ r; r is zero in held directions, so is z. f: as in multigrid_build. scale · r should be about 1: the smallest
 * numbers of single precision are slow. */
void multigrid_apply(multigrid *g, pool *p, const filter *f, double scale, const vec3 *r, vec3 *z);

#endif
