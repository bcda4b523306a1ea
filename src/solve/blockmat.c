/* SPDX-License-Identifier: MIT */
#include "solve/blockmat.h"

#include <assert.h>
#include <string.h>

#include "math/lanes.h"

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

/* Takes the duplicates out. */
static void compress(int32_t n, const int64_t *all_start, int32_t *all, int32_t *start)
{
    int64_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t *row = all + all_start[i];
        int32_t n_row = sort_unique(row, all_start[i + 1] - all_start[i]);
        memmove(all + kept, row, (size_t)n_row * sizeof *all);
        kept += n_row;
        start[i + 1] = (int32_t)kept;
    }
}

int32_t blockmat_find(const blockmat *a, int32_t i, int32_t j)
{
    const int32_t *half = chunk_precedes(&a->chunks, j, i) ? a->before : a->after;
    int32_t at = half[i], n = half[i + 1] - at;
    while (n > 1) { /* it is one of n from `at` on; no branches, which nobody could foresee */
        int32_t part = n / 2;
        at += (a->col[at + part - 1] < j) * part;
        n -= part;
    }
    assert(a->col[at] == j);
    return at;
}

static int64_t n_values(const blockmat *a)
{
    return 9 * a->n_blocks + BLOCK_PAST;
}

/* Small chunks leave work for many threads, large ones have fewer rows that look at another chunk's colour. */
#define LEAST_BITS 8

/* … or this, in a row of many: it is looked for. */
#define MIRROR_FAR UINT8_MAX

static uint8_t name_mirror(const blockmat *a, int32_t i, int32_t j)
{
    int32_t at = blockmat_find(a, i, j) - a->after[i];
    return (uint8_t)(at < MIRROR_FAR ? at : MIRROR_FAR);
}

/* A matrix of this pattern, whose columns are sorted. False without memory. */
static bool lay_out(blockmat *a, mem *m, int32_t n, const int32_t *start, const int32_t *col)
{
    *a = (blockmat){.kernel = blockmat_best(), .n = n, .n_blocks = (int64_t)start[n] - n};
    bool ok = chunking_create(&a->chunks, m, n, start, col, LEAST_BITS) && MEM_MAKE(m, a->before, n + 1) &&
              MEM_MAKE(m, a->after, n + 1) && MEM_MAKE(m, a->col, a->n_blocks) &&
              MEM_MAKE(m, a->mirror, a->n_blocks / 2) && MEM_MAKE(m, a->val, n_values(a)) &&
              MEM_MAKE(m, a->diagonal, n + 1);
    if (!ok) {
        blockmat_destroy(a, m);
        return false;
    }
    chunking_split(&a->chunks, n, start, col, a->before, a->after, a->col);
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = a->before[i]; k < a->before[i + 1]; k++)
            a->mirror[k] = name_mirror(a, a->col[k], i);
    return true;
}

bool blockmat_create(blockmat *a, mem *m, int32_t n, int32_t n_cliques, void (*next)(const void *, int32_t, clique *),
                     const void *context)
{
    *a = (blockmat){0};
    int32_t *all = NULL, *start = NULL;
    int64_t *all_start = mem_array(m, (int64_t)n + 1, sizeof *all_start);
    int64_t n_all = 0;
    bool ok = all_start && MEM_MAKE(m, start, n + 1) && gather(m, n, n_cliques, next, context, all_start, &all);
    if (all_start && all)
        n_all = all_start[n];
    if (ok)
        compress(n, all_start, all, start);
    ok = ok && lay_out(a, m, n, start, all);
    a->revision = 1;
    mem_free(m, all, n_all, sizeof *all);
    mem_free(m, all_start, (int64_t)n + 1, sizeof *all_start);
    MEM_FREE(m, start, n + 1);
    return ok;
}

void blockmat_destroy(blockmat *a, mem *m)
{
    chunking_destroy(&a->chunks, m);
    MEM_FREE(m, a->before, a->n + 1);
    MEM_FREE(m, a->after, a->n + 1);
    MEM_FREE(m, a->col, a->n_blocks);
    MEM_FREE(m, a->mirror, a->n_blocks / 2);
    MEM_FREE(m, a->val, n_values(a));
    MEM_FREE(m, a->diagonal, a->n + 1);
    *a = (blockmat){0};
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* The columns of a row, in order: both halves and itself. */
static void merge_row(const blockmat *a, int32_t i, int32_t *out)
{
    int32_t b = a->before[i], c = a->after[i], n = a->before[i + 1] - b + a->after[i + 1] - c + 1;
    for (int32_t k = 0, own = i; k < n; k++) {
        int32_t first = b < a->before[i + 1] ? a->col[b] : INT32_MAX,
                second = c < a->after[i + 1] ? a->col[c] : INT32_MAX;
        int32_t least = first < second ? first : second;
        out[k] = own < least ? own : least;
        b += out[k] == first;
        c += out[k] == second;
        own = out[k] == i ? INT32_MAX : own;
    }
}

bool pattern_of(pattern *p, mem *m, const blockmat *a)
{
    *p = (pattern){.n = a->n};
    if (!MEM_MAKE(m, p->start, a->n + 1))
        return false;
    for (int32_t i = 0; i < a->n; i++)
        p->start[i + 1] = p->start[i] + 1 + a->before[i + 1] - a->before[i] + a->after[i + 1] - a->after[i];
    if (!MEM_MAKE(m, p->col, p->start[a->n])) {
        pattern_destroy(p, m);
        return false;
    }
    for (int32_t i = 0; i < a->n; i++)
        merge_row(a, i, p->col + p->start[i]);
    return true;
}

void pattern_destroy(pattern *p, mem *m)
{
    if (p->start)
        MEM_FREE(m, p->col, p->start[p->n]);
    MEM_FREE(m, p->start, p->n + 1);
    *p = (pattern){0};
}

bool pattern_has(const pattern *p, int32_t i, int32_t j)
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

static bool fill_wide(mem *m, const pattern *p, const coupling *extra, int32_t n, pattern *wide)
{
    int32_t *filled = mem_array(m, p->n, sizeof *filled);
    if (!filled && p->n > 0)
        return false;
    for (int32_t i = 0; i < p->n; i++) {
        filled[i] = p->start[i + 1] - p->start[i];
        memcpy(wide->col + wide->start[i], p->col + p->start[i], (size_t)filled[i] * sizeof *wide->col);
    }
    for (int32_t k = 0; k < n; k++) {
        int32_t i = extra[k].i, j = extra[k].j;
        insert_column(wide->col + wide->start[i], filled[i]++, j);
        insert_column(wide->col + wide->start[j], filled[j]++, i);
    }
    mem_free(m, filled, p->n, sizeof *filled);
    return true;
}

bool blockmat_widen(blockmat *a, mem *m, const pattern *p, const coupling *extra, int32_t n)
{
    blockmat wide = {0};
    pattern all = {.n = p->n};
    bool ok = MEM_MAKE(m, all.start, p->n + 1);
    if (ok)
        count_wide(p, extra, n, all.start);
    ok = ok && MEM_MAKE(m, all.col, all.start[p->n]) && fill_wide(m, p, extra, n, &all) &&
         lay_out(&wide, m, p->n, all.start, all.col);
    pattern_destroy(&all, m);
    if (!ok)
        return false;
    wide.revision = a->revision + 1;
    blockmat_destroy(a, m);
    *a = wide;
    return true;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

#define ROWS 256

static int32_t rows_end(const blockmat *a, int32_t piece)
{
    return (piece + 1) * ROWS < a->n ? (piece + 1) * ROWS : a->n;
}

static void for_rows(blockmat *a, pool *p, pool_fn run)
{
    pool_for(p, (a->n + ROWS - 1) / ROWS, run, a);
}

void *blockmat_lend(const blockmat *a, size_t *bytes)
{
    *bytes = (size_t)n_values(a) * sizeof *a->val;
    return a->val;
}

/* The second half is overwritten later. */
static void clear_piece(void *context, int32_t i)
{
    blockmat *a = context;
    int32_t begin = i * ROWS, end = rows_end(a, i);
    memset(a->val + 9 * (int64_t)a->before[begin], 0, 9 * (size_t)(a->before[end] - a->before[begin]) * sizeof *a->val);
    memset(a->diagonal + begin, 0, (size_t)(end - begin) * sizeof *a->diagonal);
}

void blockmat_clear(blockmat *a, pool *p)
{
    for_rows(a, p, clear_piece);
}

static void add_transpose(mat3 *to, double s, const mat3 *b)
{
    for (int k = 0; k < 9; k++)
        to->m[k] += s * b->m[3 * (k % 3) + k / 3];
}

void blockmat_add(blockmat *a, int32_t i, int32_t j, double s, const mat3 *b)
{
    for (int k = 0; k < 9; k++)
        a->diagonal[i].m[k] += s * b->m[k];
    if (i == j)
        return;
    add_transpose(&a->diagonal[j], s, b);
    int32_t place = blockmat_place(a, i, j);
    float *v = a->val + 9 * (int64_t)(place < 0 ? ~place : place);
    for (int k = 0; k < 9; k++)
        v[k] += (float)(s * b->m[place < 0 ? 3 * (k % 3) + k / 3 : k]);
}

static void mirror_block(const float *from, float *to)
{
    lanes4 first, second;
    memcpy(&first, from, sizeof first);
    memcpy(&second, from + 4, sizeof second);
    lanes4 p = __builtin_shufflevector(first, second, 0, 3, 6, 1),
           q = __builtin_shufflevector(first, second, 4, 7, 2, 5);
    memcpy(to, &p, sizeof p);
    memcpy(to + 4, &q, sizeof q);
    to[8] = from[8];
}

static void mirror_piece(void *context, int32_t piece)
{
    blockmat *a = context;
    for (int32_t i = piece * ROWS; i < rows_end(a, piece); i++)
        for (int32_t k = a->before[i]; k < a->before[i + 1]; k++) {
            int32_t at = a->mirror[k], j = a->col[k];
            int32_t place = at == MIRROR_FAR ? blockmat_find(a, j, i) : a->after[j] + at;
            mirror_block(a->val + 9 * (int64_t)k, a->val + 9 * (int64_t)place);
        }
}

static void balance_piece(void *context, int32_t piece)
{
    blockmat *a = context;
    a->kernel->balance(a, piece * ROWS, rows_end(a, piece));
}

void blockmat_finish(blockmat *a, pool *p)
{
    for_rows(a, p, mirror_piece);
    for_rows(a, p, balance_piece);
}

void blockmat_multiply_rows(const blockmat *a, const vec3 *x, vec3 *y, int32_t begin, int32_t end)
{
    a->kernel->multiply(a, x, y, begin, end);
}
