/* SPDX-License-Identifier: MIT */
/* Patterns of rows and columns, sorted, and what is looked up in them. */
#include "solve/sparsity.h"

#include <string.h>

void sparsity_destroy(sparsity *p, mem *m)
{
    if (p->start)
        MEM_FREE(m, p->col, p->start[p->n]);
    MEM_FREE(m, p->start, p->n + 1);
    *p = (sparsity){0};
}

void sparsity_extra_destroy(sparsity_extra *e, mem *m)
{
    MEM_FREE(m, e->p.start, e->start_room);
    MEM_FREE(m, e->p.col, e->col_room);
    *e = (sparsity_extra){0};
}

bool sparsity_has(const sparsity *p, int32_t i, int32_t j)
{
    int32_t lo = p->start[i], hi = p->start[i + 1];
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (p->col[mid] < j)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < p->start[i + 1] && p->col[lo] == j;
}

/* Each once, in order. */
static int32_t sort_columns(int32_t *cols, int32_t n)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t col = cols[i], at = kept;
        while (at > 0 && cols[at - 1] > col)
            at--;
        if (at > 0 && cols[at - 1] == col)
            continue;
        for (int32_t k = kept; k > at; k--)
            cols[k] = cols[k - 1];
        cols[at] = col;
        kept++;
    }
    return kept;
}

int32_t sparsity_tidy(const sparsity *p, int32_t row, int32_t *cols, int32_t n)
{
    int32_t kept = 0, at = p->start[row], end = p->start[row + 1];
    n = sort_columns(cols, n);
    for (int32_t i = 0; i < n; i++) {
        while (at < end && p->col[at] < cols[i])
            at++;
        if (cols[i] != row && (at == end || p->col[at] != cols[i]))
            cols[kept++] = cols[i];
    }
    return kept;
}
