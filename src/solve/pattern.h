/* SPDX-License-Identifier: MIT */
/* Which rows of a matrix are coupled: per row its columns, increasing. */
#ifndef WEFT_SOLVE_PATTERN_H
#define WEFT_SOLVE_PATTERN_H

#include "base/mem.h"

typedef struct pattern {
    int32_t n;
    int32_t *start, *col; /* start: n + 1 places in `col` */
} pattern;

void pattern_destroy(pattern *p, mem *m);

bool pattern_has(const pattern *p, int32_t i, int32_t j);

/* What couples rows beside a pattern that stays: (i, j) as well as (j, i), none on the diagonal. Made anew again and
 * again, in memory that stays. */
typedef struct pattern_extra {
    pattern p;
    int64_t start_room, col_room;
} pattern_extra;

void pattern_extra_destroy(pattern_extra *e, mem *m);

/* Sorts n columns of a row, and leaves out those that occur before, the row itself, and what it has in p. Returns how
 * many stay. */
int32_t pattern_tidy(const pattern *p, int32_t row, int32_t *cols, int32_t n);

/* The columns of row i in p and, if that is not NULL, in `extra`, in order. */
typedef struct pattern_walk {
    const int32_t *at, *end, *at_extra, *end_extra;
} pattern_walk;

static inline pattern_walk pattern_row(const pattern *p, const pattern *extra, int32_t i)
{
    pattern_walk w = {p->col + p->start[i], p->col + p->start[i + 1], NULL, NULL};
    if (extra && extra->start[i] < extra->start[i + 1]) { /* else it may have no memory */
        w.at_extra = extra->col + extra->start[i];
        w.end_extra = extra->col + extra->start[i + 1];
    }
    return w;
}

/* The next one, or −1 after the last. */
static inline int32_t pattern_next(pattern_walk *w)
{
    bool has = w->at < w->end, has_extra = w->at_extra < w->end_extra;
    if (has && (!has_extra || *w->at < *w->at_extra))
        return *w->at++;
    return has_extra ? *w->at_extra++ : -1;
}

#endif
