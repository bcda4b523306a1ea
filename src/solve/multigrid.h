/* SPDX-License-Identifier: MIT */
/* A multilevel preconditioner for the block matrix: z = M⁻¹ r with M symmetric and positive definite.
 *
 * Rows are grouped into aggregates of about eight, these into groups of four, until few are left. A coarse row is a
 * rigid motion of its aggregate, translation and rotation about its middle: six numbers. The coarse matrix is Pᵀ A P
 * with P that motion, nothing is interpolated. A cycle smooths by a symmetric Gauss–Seidel sweep, corrects by two
 * cycles of the coarser level (a W-cycle), and smooths again.
 *
 * Why rotations: the soft motions of draped cloth are bends, patches that turn about a fold. By translations alone they
 * have to be pieced together: 31 iterations where there are 19 now, on a sheet of 146² nodes on a ball.
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
 * Sources: Vaněk, Mandel, Brezina 1996 (aggregates, rigid motions as coarse rows); Braess 1995 (the factor); Notay 2010
 * (aggregates by matching). */
#ifndef WEFT_SOLVE_MULTIGRID_H
#define WEFT_SOLVE_MULTIGRID_H

#include "solve/blockmat.h"
#include "solve/filter.h"

#define MULTIGRID_LEVELS 20

/* The aggregates of one level's rows. */
typedef struct aggregation {
    int32_t n_coarse;
    int32_t *parent;      /* of each fine row; −1: coupled to nothing, it needs no correction */
    int32_t *child_start; /* n_coarse + 1 places in `child` */
    int32_t *child;       /* fine rows by parent */
    uint8_t *to;          /* of each fine block: the block of its parent's row that it is summed to, or TO_… */
    int64_t to_room;
    float *offset; /* of each fine row from the middle of its parent, three numbers */
} aggregation;

/* Blocks lie in memory in the order of sweeps, diagonal ones apart: first, row by row, those whose column is smoothed
 * before their row, then those whose column comes after. A block has dim × dim numbers, column by column: products go
 * over rows, which compilers turn into vector code. The finest level has the matrix itself, pattern, values and chunks,
 * which does not know of held directions: there the solution is zero, and nothing is passed on to coarser levels. */
typedef struct multigrid_level {
    int32_t n;
    int32_t dim; /* numbers a row: 3 on the finest level, else 6 */
    int64_t n_blocks;
    int64_t col_room, mirror_room; /* of coarse levels */
    sparsity plain;                /* of a coarse level, before anything was added; made when something is */
    int32_t *before, *after;       /* n + 1 each: where the blocks of a row begin in either half */
    int32_t *col;
    uint8_t *mirror;   /* each block's transpose in its own row (multigrid_inside.h); NULL on the finest level */
    float *val;        /* a few more at the end: products read past it, also in the next */
    float *inverse;    /* of the diagonal blocks; on coarse levels these themselves until the next level is made */
    float *b, *x, *x1; /* right side, solution, that of the first of two cycles, which the finest level has not */
    float *left;       /* b − L x of the last forward sweep; it and b of the finest level are where its result goes */
    vec3 *centre;      /* of each row; NULL on the finest level */
    chunking chunks;
    aggregation to_coarse;
} multigrid_level;

struct sweeps;
struct builds;

typedef struct multigrid {
    const struct sweeps *finest, *coarse; /* for this processor; all have the same bits … */
    const struct builds *make;            /* … as these */
    multigrid_level *levels;              /* the finest first */
    int32_t n_levels;
    bool thorough;    /* two symmetric sweeps a side on coarse levels: for solves that go far (cg.c) */
    double shift;     /* coarse rows get so much of the diagonals they are summed of on top (multigrid_build.c) */
    int64_t n_values; /* numbers of all levels but the matrix's own: every solve makes them anew (multigrid_take) */
    int64_t n_alone;  /* of them, those without contacts */
    sparsity_extra extra[2]; /* of every other level, while patterns are made */
    double *dense; /* the inverse of the last level by rows, and room beside it; NULL if that level is too large */
    int64_t n_dense;
} multigrid;

/* For the pattern of a, which must outlive g, whatever its values. rest: where rows are at rest, by which they are
 * grouped. False without memory. */
bool multigrid_create(multigrid *g, mem *m, const blockmat *a, const vec3 *rest);

/* For a with another pattern: that of multigrid_create and, beside it, `extra`. Groups stay. False without memory: g is
 * good for nothing but multigrid_destroy then. */
bool multigrid_renew(multigrid *g, mem *m, pool *p, const blockmat *a, const sparsity *extra);
void multigrid_destroy(multigrid *g, mem *m);

/* Takes room for the values of all levels, multigrid_bytes of it, until the caller releases that. False without
 * memory. */
bool multigrid_take(multigrid *g, arena *scratch);
int64_t multigrid_bytes(const multigrid *g);

/* The matrices of all levels for the present values of a, rows being at `position`; NULL: without rotations. After
 * multigrid_take, any number of times. */
void multigrid_build(multigrid *g, pool *p, const blockmat *a, const filter *f, const vec3 *position);

/* z = M⁻¹ r; r is zero in held directions, so is z. f: as in multigrid_build. scale · r should be about 1: the smallest
 * numbers of single precision are slow. */
void multigrid_apply(multigrid *g, pool *p, const filter *f, double scale, const vec3 *r, vec3 *z);

#endif
