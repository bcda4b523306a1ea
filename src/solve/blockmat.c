/* SPDX-License-Identifier: MIT */
#include "solve/blockmat.h"

#include <assert.h>
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

static int32_t find(const blockmat *a, int32_t i, int32_t j)
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
            a->mirror[k] = find(a, a->col[k], i);
    return true;
}

bool blockmat_create(blockmat *a, mem *m, int32_t n, int32_t n_cliques, void (*next)(const void *, int32_t, clique *),
                     const void *context)
{
    *a = (blockmat){.n = n};
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
        double *v = a->val[i == j ? a->diagonal[i] : find(a, i, j)].m;
        for (int k = 0; k < 9; k++)
            v[k] += s * m[k];
        return;
    }
    double *v = a->val[find(a, j, i)].m;
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
