/* SPDX-License-Identifier: MIT */
#include "solve/blockmat.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Counts, then fills, the couplings of every row, duplicates included. */
static bool gather(mem *m, int32_t n, int32_t n_cliques, void (*next)(const void *, int32_t, clique *),
                   const void *context, int64_t *start, int32_t **out)
{
    clique c = {0};
    for (int32_t i = 0; i < n_cliques; i++) {
        next(context, i, &c);
        for (int k = 0; k < c.n; k++)
            start[c.row[k] + 1] += c.n;
    }
    for (int32_t i = 0; i < n; i++)
        start[i + 1] += start[i] + 1; /* the diagonal */
    int32_t *all = mem_array(m, start[n], sizeof *all);
    *out = all;
    if (!all)
        return n == 0;
    for (int32_t i = 0; i < n; i++)
        all[start[i]++] = i;
    for (int32_t i = 0; i < n_cliques; i++) {
        next(context, i, &c);
        for (int k = 0; k < c.n; k++)
            for (int l = 0; l < c.n; l++)
                all[start[c.row[k]]++] = c.row[l];
    }
    for (int32_t i = n; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
    return true;
}

/* Sorts and removes duplicates; rows are short. Returns how many stay. */
static int32_t sort_unique(int32_t *a, int64_t n)
{
    int32_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        int32_t key = a[i], j = kept;
        while (j > 0 && a[j - 1] > key)
            j--;
        if (j > 0 && a[j - 1] == key)
            continue;
        memmove(a + j + 1, a + j, (size_t)(kept - j) * sizeof *a);
        a[j] = key;
        kept++;
    }
    return kept;
}

static bool compress(blockmat *a, mem *m, const int64_t *start, int32_t *all)
{
    for (int32_t i = 0; i < a->n; i++)
        a->start[i + 1] = a->start[i] + sort_unique(all + start[i], start[i + 1] - start[i]);
    a->n_blocks = a->start[a->n];
    if (!MEM_MAKE(m, a->col, a->n_blocks) || !MEM_MAKE(m, a->val, a->n_blocks))
        return false;
    for (int32_t i = 0; i < a->n; i++) {
        for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
            a->col[k] = all[start[i] + (k - a->start[i])];
            if (a->col[k] == i)
                a->diagonal[i] = k;
        }
    }
    return true;
}

int32_t blockmat_find(const blockmat *a, int32_t i, int32_t j)
{
    int32_t lo = a->start[i], hi = a->start[i + 1] - 1;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (a->col[mid] < j)
            lo = mid + 1;
        else
            hi = mid;
    }
    assert(a->col[lo] == j);
    return lo;
}

static bool link_mirrors(blockmat *a, mem *m)
{
    if (!MEM_MAKE(m, a->mirror, a->n_blocks))
        return false;
    for (int32_t i = 0; i < a->n; i++)
        for (int32_t k = a->start[i]; k < a->start[i + 1]; k++)
            a->mirror[k] = blockmat_find(a, a->col[k], i);
    return true;
}

bool blockmat_create(blockmat *a, mem *m, int32_t n, int32_t n_cliques, void (*next)(const void *, int32_t, clique *),
                     const void *context)
{
    *a = (blockmat){.n = n, .revision = 1};
    int32_t *all = NULL;
    int64_t *start = mem_array(m, (int64_t)n + 1, sizeof *start);
    int64_t n_all = 0;
    bool ok = start && MEM_MAKE(m, a->start, n + 1) && MEM_MAKE(m, a->diagonal, n) &&
              gather(m, n, n_cliques, next, context, start, &all);
    if (start && all)
        n_all = start[n];
    ok = ok && compress(a, m, start, all) && link_mirrors(a, m);
    mem_free(m, all, n_all, sizeof *all);
    mem_free(m, start, (int64_t)n + 1, sizeof *start);
    if (!ok)
        blockmat_destroy(a, m);
    return ok;
}

void blockmat_destroy(blockmat *a, mem *m)
{
    MEM_FREE(m, a->start, a->n + 1);
    MEM_FREE(m, a->diagonal, a->n);
    MEM_FREE(m, a->col, a->n_blocks);
    MEM_FREE(m, a->val, a->n_blocks);
    MEM_FREE(m, a->mirror, a->n_blocks);
    *a = (blockmat){0};
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

bool pattern_of(pattern *p, mem *m, const blockmat *a)
{
    *p = (pattern){.n = a->n};
    if (!MEM_MAKE(m, p->start, a->n + 1) || !MEM_MAKE(m, p->col, a->n_blocks)) {
        pattern_destroy(p, m);
        return false;
    }
    memcpy(p->start, a->start, (size_t)(a->n + 1) * sizeof *p->start);
    memcpy(p->col, a->col, (size_t)a->n_blocks * sizeof *p->col);
    return true;
}

void pattern_destroy(pattern *p, mem *m)
{
    if (p->start)
        MEM_FREE(m, p->col, p->start[p->n]);
    MEM_FREE(m, p->start, p->n + 1);
    *p = (pattern){0};
}

static bool pattern_has(const pattern *p, int32_t i, int32_t j)
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

static int compare_couplings(const void *a, const void *b)
{
    const coupling *c = a, *d = b;
    return c->i != d->i ? (c->i > d->i) - (c->i < d->i) : (c->j > d->j) - (c->j < d->j);
}

int32_t pattern_lacks(const pattern *p, coupling *all, int32_t n)
{
    int32_t kept = 0, unique = 0;
    for (int32_t k = 0; k < n; k++)
        if (all[k].i != all[k].j && !pattern_has(p, all[k].i, all[k].j))
            all[kept++] = all[k];
    if (kept > 1)
        qsort(all, (size_t)kept, sizeof *all, compare_couplings);
    for (int32_t k = 0; k < kept; k++)
        if (k == 0 || compare_couplings(&all[k], &all[unique - 1]) != 0)
            all[unique++] = all[k];
    return unique;
}

/* How many blocks each row has, summed up. */
static void count_wide(const pattern *p, const coupling *extra, int32_t n, int32_t *start)
{
    for (int32_t k = 0; k < n; k++) {
        start[extra[k].i + 1]++;
        start[extra[k].j + 1]++;
    }
    for (int32_t i = 0; i < p->n; i++)
        start[i + 1] += start[i] + p->start[i + 1] - p->start[i];
}

/* Puts j where it belongs among the `n` columns of a row. */
static void insert_column(int32_t *col, int32_t n, int32_t j)
{
    int32_t k = n;
    while (k > 0 && col[k - 1] > j) {
        col[k] = col[k - 1];
        k--;
    }
    col[k] = j;
}

static bool fill_wide(blockmat *a, mem *m, const pattern *p, const coupling *extra, int32_t n)
{
    int32_t *filled = mem_array(m, a->n, sizeof *filled);
    if (!filled && a->n > 0)
        return false;
    for (int32_t i = 0; i < a->n; i++) {
        filled[i] = p->start[i + 1] - p->start[i];
        memcpy(a->col + a->start[i], p->col + p->start[i], (size_t)filled[i] * sizeof *a->col);
    }
    for (int32_t k = 0; k < n; k++) {
        int32_t i = extra[k].i, j = extra[k].j;
        insert_column(a->col + a->start[i], filled[i]++, j);
        insert_column(a->col + a->start[j], filled[j]++, i);
    }
    for (int32_t i = 0; i < a->n; i++)
        a->diagonal[i] = blockmat_find(a, i, i);
    mem_free(m, filled, a->n, sizeof *filled);
    return true;
}

bool blockmat_widen(blockmat *a, mem *m, const pattern *p, const coupling *extra, int32_t n)
{
    blockmat wide = {.n = p->n, .revision = a->revision + 1};
    bool ok = MEM_MAKE(m, wide.start, p->n + 1) && MEM_MAKE(m, wide.diagonal, p->n);
    if (ok) {
        count_wide(p, extra, n, wide.start);
        wide.n_blocks = wide.start[p->n];
    }
    ok = ok && MEM_MAKE(m, wide.col, wide.n_blocks) && MEM_MAKE(m, wide.val, wide.n_blocks) &&
         fill_wide(&wide, m, p, extra, n) && link_mirrors(&wide, m);
    if (!ok) {
        blockmat_destroy(&wide, m);
        return false;
    }
    blockmat_destroy(a, m);
    *a = wide;
    return true;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

#define CLEAR_BLOCKS 4096

static void clear_piece(void *context, int32_t i)
{
    blockmat *a = context;
    int64_t begin = (int64_t)i * CLEAR_BLOCKS,
            end = begin + CLEAR_BLOCKS < a->n_blocks ? begin + CLEAR_BLOCKS : a->n_blocks;
    memset(a->val + begin, 0, (size_t)(end - begin) * sizeof *a->val);
}

void blockmat_clear(blockmat *a, pool *p)
{
    pool_for(p, (int32_t)((a->n_blocks + CLEAR_BLOCKS - 1) / CLEAR_BLOCKS), clear_piece, a);
}

void blockmat_add(blockmat *a, int32_t i, int32_t j, double s, const mat3 *b)
{
    const double *m = b->m;
    if (i <= j) {
        double *v = a->val[i == j ? a->diagonal[i] : blockmat_find(a, i, j)].m;
        for (int k = 0; k < 9; k++)
            v[k] += s * m[k];
        return;
    }
    double *v = a->val[blockmat_find(a, j, i)].m;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            v[3 * r + c] += s * m[3 * c + r];
}

#define MIRROR_ROWS 256

static void mirror_piece(void *context, int32_t piece)
{
    blockmat *a = context;
    int32_t end = (piece + 1) * MIRROR_ROWS < a->n ? (piece + 1) * MIRROR_ROWS : a->n;
    for (int32_t i = piece * MIRROR_ROWS; i < end; i++)
        for (int32_t k = a->start[i]; a->col[k] < i; k++)
            a->val[k] = m3_transpose(a->val[a->mirror[k]]);
}

void blockmat_mirror(blockmat *a, pool *p)
{
    pool_for(p, (a->n + MIRROR_ROWS - 1) / MIRROR_ROWS, mirror_piece, a);
}

void blockmat_multiply_rows(const blockmat *a, const vec3 *x, vec3 *y, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        double s0 = 0, s1 = 0, s2 = 0;
        for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
            const double *m = a->val[k].m;
            vec3 v = x[a->col[k]];
            s0 += m[0] * v.x + m[1] * v.y + m[2] * v.z;
            s1 += m[3] * v.x + m[4] * v.y + m[5] * v.z;
            s2 += m[6] * v.x + m[7] * v.y + m[8] * v.z;
        }
        y[i] = v3(s0, s1, s2);
    }
}
