/* SPDX-License-Identifier: MIT */
/* Couplings that the contacts want are gathered by the lower of two rows, without those of the forces, and listed both
 * ways. If they are not those that the matrix has, it is laid out anew, and the levels with it. */
#include "solve/couple.h"

#include <string.h>

#include "base/array.h"

void couple_destroy(couple *c, mem *m)
{
    sparsity_extra_destroy(&c->present, m);
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
        c->n_cols[i] = sparsity_tidy(&c->plain, i, c->cols + c->row_start[i], c->n_cols[i]);
}

/* Room for rows, and the pattern of the forces: what the matrix has, less what it has of contacts. */
static bool couple_begin(couple *c, const assembly *a)
{
    const blockmat *h = &a->hessian;
    int64_t n = c->n_rows = h->n;
    c->wanted = c->plain = (sparsity){.n = h->n};
    if (!ARENA_TAKE(a->scratch, c->row_start, n + 1) || !ARENA_TAKE(a->scratch, c->n_cols, n) ||
        !ARENA_TAKE(a->scratch, c->wanted.start, n + 1) || !ARENA_TAKE(a->scratch, c->plain.start, n + 1) ||
        !ARENA_TAKE(a->scratch, c->plain.col, h->n_blocks + n))
        return false;
    chunking_join(&c->plain, a->pool, h->before, h->after, h->col, c->present.p.start ? &c->present.p : NULL);
    return true;
}

/* Couplings by the lower of their rows, those that the forces have not. */
static bool couple_gather(couple *c, const assembly *a, const contact_sum *sum, const couple_list *l)
{
    gather_run r = {c, a, sum, l, false};
    int32_t n = c->n_rows;
    pool_for(a->pool, sum->n_chunks, gather_chunk, &r);
    c->row_start[0] = 0;
    for (int32_t i = 0; i < n; i++)
        c->row_start[i + 1] = c->row_start[i] + c->n_cols[i];
    int64_t n_most = c->row_start[n] + 1;
    if (!ARENA_TAKE(a->scratch, c->cols, n_most) || !ARENA_TAKE(a->scratch, c->wanted.col, 2 * n_most)) /* both ways */
        return false;
    r.fill = true;
    pool_for(a->pool, sum->n_chunks, gather_chunk, &r);
    return true;
}

/* ---- both ways --------------------------------------------------------------------------------------------------- */

/* What is gathered, to both rows. Lower rows come first, so each row gets its lesser columns, in order, before those
 * that are its own. */
static void list_both(couple *c)
{
    sparsity *p = &c->wanted;
    int32_t n = c->n_rows, sum = 0;
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
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = c->row_start[i]; k < c->row_start[i] + c->n_cols[i]; k++) {
            p->col[p->start[i]++] = c->cols[k];
            p->col[p->start[c->cols[k]]++] = i;
        }
    for (int32_t i = n; i > 0; i--)
        p->start[i] = p->start[i - 1];
    p->start[0] = 0;
}

static bool is_same_sparsity(const sparsity *a, const sparsity *b)
{
    if (!a->start)
        return b->start[b->n] == 0; /* nothing was coupled yet */
    return memcmp(a->start, b->start, (size_t)(b->n + 1) * sizeof *b->start) == 0 &&
           (b->start[b->n] == 0 || memcmp(a->col, b->col, (size_t)b->start[b->n] * sizeof *b->col) == 0);
}

/* What is wanted lies in scratch memory: it is kept, to be compared with what the next step wants. */
static bool make_present(couple *c, mem *m)
{
    const sparsity *p = &c->wanted;
    sparsity_extra *e = &c->present;
    int32_t n = p->start[p->n];
    if (!ARRAY_RESERVE_STEADY(m, e->p.start, e->start_room, p->n + 1) ||
        !ARRAY_RESERVE_STEADY(m, e->p.col, e->col_room, n + 1))
        return false;
    e->p.n = p->n;
    memcpy(e->p.start, p->start, ((size_t)p->n + 1) * sizeof *p->start);
    memcpy(e->p.col, p->col, (size_t)n * sizeof *p->col);
    return true;
}

static bool couple_anew(couple *c, assembly *a, newton_work *w, const couple_list *contacts, bool *changed)
{
    if (!couple_begin(c, a) || !couple_gather(c, a, &w->pairs, contacts))
        return false;
    list_both(c);
    if (is_same_sparsity(&c->present.p, &c->wanted))
        return true;
    *changed = blockmat_widen(&a->hessian, a->mem, a->pool, &c->plain, &c->wanted) && make_present(c, a->mem);
    return *changed && newton_renew(w, a->mem, a->pool, &a->hessian, &c->present.p);
}

bool couple_contacts(couple *c, assembly *a, newton_work *w, const couple_list *contacts, bool *changed)
{
    *changed = false;
    if (contacts->n == 0 && (!c->present.p.start || c->present.p.start[c->n_rows] == 0))
        return true;
    arena_mark before = arena_mark_of(a->scratch);
    bool ok = couple_anew(c, a, w, contacts, changed);
    arena_release(a->scratch, before);
    return ok;
}
