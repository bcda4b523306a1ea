/* SPDX-License-Identifier: MIT */
/* Which rows of a matrix are coupled: per row its columns, increasing. */
#ifndef WEFT_SOLVE_SPARSITY_H
#define WEFT_SOLVE_SPARSITY_H

#include "base/mem.h"

typedef struct sparsity {
    int32_t n;
    int32_t *start, *col; /* start: n + 1 places in `col` */
} sparsity;

void sparsity_destroy(sparsity *p, mem *m);

bool sparsity_has(const sparsity *p, int32_t i, int32_t j);

/* What couples rows beside a pattern that stays: (i, j) as well as (j, i), none on the diagonal. Made anew again and
 * again, in memory that stays. */
typedef struct sparsity_extra {
    sparsity p;
    int64_t start_room, col_room;
} sparsity_extra;

void sparsity_extra_destroy(sparsity_extra *e, mem *m);

/* Sorts n columns of a row, and leaves out those that occur before, the row itself, and what it has in p. Returns how
 * many stay. */
int32_t sparsity_tidy(const sparsity *p, int32_t row, int32_t *cols, int32_t n);

/* The columns of row i in p and, if that is not NULL, in `extra`, in order. */
typedef struct sparsity_walk {
    const int32_t *at, *end, *at_extra, *end_extra;
} sparsity_walk;

static inline sparsity_walk sparsity_row(const sparsity *p, const sparsity *extra, int32_t i)
{
    sparsity_walk w = {p->col + p->start[i], p->col + p->start[i + 1], NULL, NULL};
    if (extra && extra->start[i] < extra->start[i + 1]) { /* else it may have no memory */
        w.at_extra = extra->col + extra->start[i];
        w.end_extra = extra->col + extra->start[i + 1];
    }
    return w;
}

/* The next one, or −1 after the last. */
static inline int32_t sparsity_next(sparsity_walk *w)
{
    bool has = w->at < w->end, has_extra = w->at_extra < w->end_extra;
    if (has && (!has_extra || *w->at < *w->at_extra))
        return *w->at++;
    return has_extra ? *w->at_extra++ : -1;
}

#endif
