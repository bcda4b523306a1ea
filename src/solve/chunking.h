/* SPDX-License-Identifier: MIT */
/* The order in which rows are smoothed. Rows are cut into chunks by their number alone, and no two chunks of one colour
 * are coupled: colours go one after the other, the chunks of one side by side, the rows of a chunk in order. */
#ifndef WEFT_SOLVE_CHUNKING_H
#define WEFT_SOLVE_CHUNKING_H

#include "base/pool.h"
#include "solve/sparsity.h"

/* Rows [i << bits, (i + 1) << bits) are chunk i. */
typedef struct chunking {
    int32_t bits, n_chunks, n_colours;
    int32_t *colour;       /* of each chunk */
    int32_t *used;         /* per colour, while chunks are coloured */
    int32_t *order;        /* chunks by colour */
    int32_t *colour_start; /* n_colours + 1 places in `order` */
} chunking;

/* For n rows, without colours yet. least_bits: chunks have at least 2^least_bits rows. */
bool chunking_create(chunking *c, mem *m, int32_t n, int32_t least_bits);
void chunking_destroy(chunking *c, mem *m);

/* Colours for the couplings of p and, if that is not NULL, `extra`. */
void chunking_colour(chunking *c, const sparsity *p, const sparsity *extra);

static inline int32_t chunk_begin(const chunking *c, int32_t chunk)
{
    return chunk << c->bits;
}

static inline int32_t chunk_end(const chunking *c, int32_t chunk, int32_t n)
{
    return chunk + 1 < c->n_chunks ? (chunk + 1) << c->bits : n;
}

/* Is row j smoothed before row i? */
static inline bool chunk_precedes(const chunking *c, int32_t j, int32_t i)
{
    int32_t cj = j >> c->bits, ci = i >> c->bits;
    return ci == cj ? j < i : c->colour[cj] < c->colour[ci];
}

/* Splits the rows of p, which has all diagonal entries, and `extra`, or NULL: before (n + 1) and after (n + 1, it goes
 * on where `before` ends) are where a row's columns begin that come before and after it; cols, those columns,
 * increasing. threads NULL: on one. */
void chunking_split(const chunking *c, pool *threads, const sparsity *p, const sparsity *extra, int32_t *before,
                    int32_t *after, int32_t *cols);

/* The pattern of what was split: both halves and the diagonal, without what is in `less`, or NULL. p has n, and memory
 * for start and col. threads NULL: on one. */
void chunking_join(sparsity *p, pool *threads, const int32_t *before, const int32_t *after, const int32_t *cols,
                   const sparsity *less);
/* The same, all of it, in memory that it asks for. False without. */
bool chunking_pattern(sparsity *p, mem *m, int32_t n, const int32_t *before, const int32_t *after, const int32_t *cols);

/* run(context, chunk) for all chunks, colour by colour, those of one colour side by side. */
void chunking_run(const chunking *c, pool *p, bool backward, pool_fn run, void *context);

#endif
