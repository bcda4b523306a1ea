/* SPDX-License-Identifier: MIT */
#include "solve/couple.h"

#include <string.h>

void couple_destroy(couple *c, mem *m)
{
    pattern_destroy(&c->plain, m);
    MEM_FREE(m, c->present, c->present_room);
    MEM_FREE(m, c->wanted, c->wanted_room);
    MEM_FREE(m, c->row_start, c->n_rows + 1);
    MEM_FREE(m, c->n_cols, c->n_rows);
    MEM_FREE(m, c->cols, c->col_room);
    *c = (couple){0};
}

#define MOST_DOFS 8 /* four nodes, each of which may hang between two */

static int32_t dofs_of(const assembly *a, const int32_t *node, int32_t out[MOST_DOFS])
{
    int32_t n = 0;
    for (int i = 0; i < 4; i++)
        for (int d = 0; node[i] < a->n_nodes && d < 2; d++)
            if (a->rows[node[i]].dof[d] >= 0)
                out[n++] = a->rows[node[i]].dof[d];
    return n;
}

/* Calls of this, in the order of the contacts, are all couplings: `row` the lower of two. */
static void each_coupling(couple *c, const assembly *a, const couple_list *l,
                          void (*take)(couple *c, int32_t row, int32_t col))
{
    for (int32_t k = 0; k < l->n; k++) {
        int32_t dof[MOST_DOFS], n = dofs_of(a, (const int32_t *)((const char *)l->node + (size_t)k * l->stride), dof);
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = i + 1; j < n; j++)
                if (dof[i] != dof[j])
                    take(c, dof[i] < dof[j] ? dof[i] : dof[j], dof[i] < dof[j] ? dof[j] : dof[i]);
    }
}

static void count_coupling(couple *c, int32_t row, int32_t col)
{
    (void)col;
    c->row_start[row + 1]++;
}

static void add_coupling(couple *c, int32_t row, int32_t col)
{
    c->cols[c->row_start[row]++] = col;
}

/* Sorts, without those that are there already and those that the plain pattern has; returns how many stay. */
static int32_t tidy_row(const pattern *plain, int32_t row, int32_t *cols, int32_t n)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t col = cols[i], at = kept;
        while (at > 0 && cols[at - 1] > col)
            at--;
        if (at > 0 && cols[at - 1] == col)
            continue;
        memmove(cols + at + 1, cols + at, (size_t)(kept - at) * sizeof *cols);
        cols[at] = col;
        kept++;
    }
    n = kept;
    kept = 0;
    for (int32_t i = 0; i < n; i++)
        if (!pattern_has(plain, row, cols[i]))
            cols[kept++] = cols[i];
    return kept;
}

#define ROWS 128

typedef struct tidy_run {
    couple *c;
    int32_t n_rows;
} tidy_run;

static void tidy_piece(void *context, int32_t piece)
{
    const tidy_run *r = context;
    couple *c = r->c;
    int32_t end = (piece + 1) * ROWS < r->n_rows ? (piece + 1) * ROWS : r->n_rows;
    for (int32_t i = piece * ROWS; i < end; i++)
        c->n_cols[i] = tidy_row(&c->plain, i, c->cols + c->row_start[i], c->row_start[i + 1] - c->row_start[i]);
}

/* Couplings by row, duplicates and all. */
static bool sort_by_row(couple *c, const assembly *a, const couple_list *l)
{
    int32_t n = a->n_dofs;
    c->n_rows = n;
    if ((!c->row_start && !MEM_MAKE(a->mem, c->row_start, n + 1)) || (!c->n_cols && !MEM_MAKE(a->mem, c->n_cols, n)))
        return false;
    memset(c->row_start, 0, (size_t)(n + 1) * sizeof *c->row_start);
    each_coupling(c, a, l, count_coupling);
    for (int32_t i = 0; i < n; i++)
        c->row_start[i + 1] += c->row_start[i];
    if (!MEM_ROOM(a->mem, c->cols, c->col_room, c->row_start[n]))
        return false;
    each_coupling(c, a, l, add_coupling);
    memmove(c->row_start + 1, c->row_start, (size_t)n * sizeof *c->row_start);
    c->row_start[0] = 0;
    return true;
}

static bool list_wanted(couple *c, const assembly *a, const couple_list *l, int32_t *n_wanted)
{
    if (!sort_by_row(c, a, l))
        return false;
    tidy_run r = {c, a->n_dofs};
    pool_for(a->pool, (a->n_dofs + ROWS - 1) / ROWS, tidy_piece, &r);
    int32_t n = 0;
    for (int32_t i = 0; i < a->n_dofs; i++)
        n += c->n_cols[i];
    if (!MEM_ROOM(a->mem, c->wanted, c->wanted_room, n))
        return false;
    *n_wanted = 0;
    for (int32_t i = 0; i < a->n_dofs; i++)
        for (int32_t k = 0; k < c->n_cols[i]; k++)
            c->wanted[(*n_wanted)++] = (coupling){i, c->cols[c->row_start[i] + k]};
    return true;
}

bool couple_contacts(couple *c, assembly *a, newton_work *w, const couple_list *contacts, bool *changed)
{
    int32_t n_wanted = 0;
    *changed = false;
    if (contacts->n == 0 && c->n_present == 0)
        return true;
    if (!c->plain.start && !pattern_of(&c->plain, a->mem, &a->hessian))
        return false;
    if (!list_wanted(c, a, contacts, &n_wanted))
        return false;
    if (n_wanted == c->n_present &&
        (n_wanted == 0 || memcmp(c->wanted, c->present, (size_t)n_wanted * sizeof *c->wanted) == 0))
        return true;
    if (!MEM_ROOM(a->mem, c->present, c->present_room, n_wanted) ||
        !blockmat_widen(&a->hessian, a->mem, &c->plain, c->wanted, n_wanted))
        return false;
    *changed = true;
    c->n_present = n_wanted;
    if (n_wanted > 0)
        memcpy(c->present, c->wanted, (size_t)n_wanted * sizeof *c->present);
    return newton_renew(w, a->mem, &a->hessian);
}
