/* SPDX-License-Identifier: MIT */
#include "solve/couple.h"

#include <string.h>

void couple_destroy(couple *c, mem *m)
{
    pattern_destroy(&c->plain, m);
    pattern_extra_destroy(&c->present, m);
    pattern_extra_destroy(&c->wanted, m);
    MEM_FREE(m, c->row_start, c->n_rows + 1);
    MEM_FREE(m, c->n_cols, c->n_rows);
    MEM_FREE(m, c->cols, c->col_room);
    *c = (couple){0};
}

/* ---- gathering --------------------------------------------------------------------------------------------------- */

typedef struct gather_run {
    couple *c;
    const assembly *a;
    const contact_sum *sum; /* has the contacts of each chunk of rows */
    const couple_list *list;
    bool fill;
} gather_run;

static int32_t dofs_of(const assembly *a, const int32_t *node, int n_nodes, int32_t *out)
{
    int32_t n = 0;
    for (int i = 0; i < n_nodes; i++)
        for (int d = 0; node[i] < a->n_nodes && d < 2; d++)
            if (a->rows[node[i]].dof[d] >= 0)
                out[n++] = a->rows[node[i]].dof[d];
    return n;
}

/* Contact i's couplings of the rows [begin, end): counts them, or puts them to their rows. */
static void gather_contact(const gather_run *r, int32_t i, int32_t begin, int32_t end)
{
    couple *c = r->c;
    const int32_t *node = (const int32_t *)((const char *)r->list->node + (size_t)i * r->list->stride);
    bool edges = *((const bool *)((const char *)r->list->edges + (size_t)i * r->list->stride));
    int32_t first[4], second[6], n_side = edges ? 2 : 1;
    int32_t n_first = dofs_of(r->a, node, n_side, first), n_second = dofs_of(r->a, node + n_side, 4 - n_side, second);
    for (int32_t k = 0; k < n_first; k++)
        for (int32_t l = 0; l < n_second; l++) {
            int32_t row = first[k] < second[l] ? first[k] : second[l], col = first[k] + second[l] - row;
            if (row < begin || row >= end || row == col)
                continue;
            if (r->fill)
                c->cols[c->row_start[row] + c->n_cols[row]] = col;
            c->n_cols[row]++;
        }
}

/* A chunk's couplings, duplicates and all, are counted, or put in order without them. */
static void gather_chunk(void *context, int32_t chunk)
{
    const gather_run *r = context;
    couple *c = r->c;
    int32_t begin = chunk * CONTACT_CHUNK, end = begin + CONTACT_CHUNK < c->n_rows ? begin + CONTACT_CHUNK : c->n_rows;
    for (int32_t i = begin; i < end; i++)
        c->n_cols[i] = 0;
    for (int32_t k = r->sum->chunk_start[chunk]; k < r->sum->chunk_start[chunk + 1]; k++)
        gather_contact(r, r->sum->chunk_items[k], begin, end);
    for (int32_t i = begin; r->fill && i < end; i++)
        c->n_cols[i] = pattern_tidy(&c->plain, i, c->cols + c->row_start[i], c->n_cols[i]);
}

/* Couplings by the lower of their rows, those that the forces have not. */
static bool gather(couple *c, const assembly *a, const contact_sum *sum, const couple_list *l)
{
    gather_run r = {c, a, sum, l, false};
    int32_t n = c->n_rows = a->n_dofs;
    if ((!c->row_start && !MEM_MAKE(a->mem, c->row_start, n + 1)) || (!c->n_cols && !MEM_MAKE(a->mem, c->n_cols, n)))
        return false;
    pool_for(a->pool, sum->n_chunks, gather_chunk, &r);
    for (int32_t i = 0; i < n; i++)
        c->row_start[i + 1] = c->row_start[i] + c->n_cols[i];
    if (!MEM_ROOM(a->mem, c->cols, c->col_room, c->row_start[n] + 1))
        return false;
    r.fill = true;
    pool_for(a->pool, sum->n_chunks, gather_chunk, &r);
    return true;
}

/* ---- both ways --------------------------------------------------------------------------------------------------- */

/* What is gathered, to both rows. Lower rows come first, so each row gets its lesser columns, in order, before those
 * that are its own. */
static bool list_both(couple *c, mem *m)
{
    pattern *p = &c->wanted.p;
    int32_t n = p->n = c->n_rows, sum = 0;
    if (!MEM_ROOM(m, p->start, c->wanted.start_room, n + 1))
        return false;
    memset(p->start, 0, (size_t)(n + 1) * sizeof *p->start);
    for (int32_t i = 0; i < n; i++) {
        p->start[i] += c->n_cols[i];
        for (int32_t k = c->row_start[i]; k < c->row_start[i] + c->n_cols[i]; k++)
            p->start[c->cols[k]]++;
    }
    for (int32_t i = 0; i <= n; i++) { /* to where rows begin */
        int32_t own = p->start[i];
        p->start[i] = sum;
        sum += own;
    }
    if (!MEM_ROOM(m, p->col, c->wanted.col_room, sum + 1))
        return false;
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = c->row_start[i]; k < c->row_start[i] + c->n_cols[i]; k++) {
            p->col[p->start[i]++] = c->cols[k];
            p->col[p->start[c->cols[k]]++] = i;
        }
    for (int32_t i = n; i > 0; i--)
        p->start[i] = p->start[i - 1];
    p->start[0] = 0;
    return true;
}

static bool is_same(const pattern *a, const pattern *b)
{
    if (!a->start)
        return b->start[b->n] == 0; /* nothing was coupled yet */
    return memcmp(a->start, b->start, (size_t)(b->n + 1) * sizeof *b->start) == 0 &&
           (b->start[b->n] == 0 || memcmp(a->col, b->col, (size_t)b->start[b->n] * sizeof *b->col) == 0);
}

bool couple_contacts(couple *c, assembly *a, newton_work *w, const couple_list *contacts, bool *changed)
{
    *changed = false;
    if (contacts->n == 0 && (!c->present.p.start || c->present.p.start[c->n_rows] == 0))
        return true;
    if (!c->plain.start && !pattern_of(&c->plain, a->mem, &a->hessian))
        return false;
    if (!gather(c, a, &w->pairs, contacts) || !list_both(c, a->mem))
        return false;
    if (is_same(&c->present.p, &c->wanted.p))
        return true;
    if (!blockmat_widen(&a->hessian, a->mem, a->pool, &c->plain, &c->wanted.p))
        return false;
    *changed = true;
    pattern_extra was = c->present;
    c->present = c->wanted;
    c->wanted = was;
    return newton_renew(w, a->mem, a->pool, &a->hessian, &c->present.p);
}
