/* SPDX-License-Identifier: MIT */
/* The pattern, from cliques of rows or widened by contacts, and the values: summed up by half, then mirrored. */
#include "solve/blockmat.h"

#include <assert.h>
#include <string.h>

#include "math/lanes.h"
#include "solve/params.h"

/* Counts, then fills, the couplings of every row, duplicates included. */
static bool gather_cliques(mem *m, int32_t n, int32_t n_cliques, void (*next)(const void *, int32_t, clique *),
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
static int32_t sort_clique_row(int32_t *a, int64_t n)
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
        assert(all);
        int32_t *row = all + all_start[i];
        int32_t n_row = sort_clique_row(row, all_start[i + 1] - all_start[i]);
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

/* … or this, in a row of many: it is looked for. */
#define BLOCKMAT_MIRROR_FAR UINT8_MAX

/* Rows go up, so those that have row j before them meet its second half in the order in which it has them. How far they
 * are is counted in the diagonal, which has no values yet. */
static void name_matrix_mirrors(blockmat *a)
{
    int32_t *met = (int32_t *)(void *)a->diagonal;
    memset(met, 0, (size_t)a->n * sizeof *met);
    for (int32_t k = 0; k < a->before[a->n]; k++) {
        int32_t at = met[a->col[k]]++;
        a->mirror[k] = (uint8_t)(at < BLOCKMAT_MIRROR_FAR ? at : BLOCKMAT_MIRROR_FAR);
    }
}

/* Gives a, which has memory for it, the pattern of p and `extra`. */
static void lay_out_matrix(blockmat *a, pool *threads, const sparsity *p, const sparsity *extra)
{
    chunking_colour(&a->chunks, p, extra);
    chunking_split(&a->chunks, threads, p, extra, a->before, a->after, a->col);
    name_matrix_mirrors(a);
    a->n_blocks = a->after[a->n];
    a->revision++;
}

/* A matrix of pattern p. False without memory. */
static bool make_matrix(blockmat *a, mem *m, const sparsity *p)
{
    int32_t n = p->n;
    *a = (blockmat){.kernel = blockmat_best(), .n = n, .room = (int64_t)p->start[n] - n};
    bool ok = chunking_create(&a->chunks, m, n, BLOCKMAT_CHUNK_BITS) && MEM_MAKE(m, a->before, n + 1) &&
              MEM_MAKE(m, a->after, n + 1) && MEM_MAKE(m, a->col, a->room) && MEM_MAKE(m, a->mirror, a->room / 2) &&
              MEM_MAKE(m, a->diagonal, n + 1);
    if (ok)
        lay_out_matrix(a, NULL, p, NULL);
    else
        blockmat_destroy(a, m);
    return ok;
}

bool blockmat_create(blockmat *a, mem *m, int32_t n, int32_t n_cliques, void (*next)(const void *, int32_t, clique *),
                     const void *context)
{
    assert(n >= 0);
    *a = (blockmat){0};
    int32_t *all = NULL, *start = NULL;
    int64_t *all_start = mem_array(m, (int64_t)n + 1, sizeof *all_start);
    int64_t n_all = 0;
    bool ok = all_start && MEM_MAKE(m, start, n + 1) && gather_cliques(m, n, n_cliques, next, context, all_start, &all);
    if (all_start && all)
        n_all = all_start[n];
    if (ok)
        compress(n, all_start, all, start);
    ok = ok && make_matrix(a, m, &(sparsity){n, start, all});
    mem_free(m, all, n_all, sizeof *all);
    mem_free(m, all_start, (int64_t)n + 1, sizeof *all_start);
    MEM_FREE(m, start, n + 1);
    return ok;
}

static void free_blocks(blockmat *a, mem *m)
{
    MEM_FREE(m, a->col, a->room);
    MEM_FREE(m, a->mirror, a->room / 2);
    a->room = 0;
}

void blockmat_destroy(blockmat *a, mem *m)
{
    chunking_destroy(&a->chunks, m);
    MEM_FREE(m, a->before, a->n + 1);
    MEM_FREE(m, a->after, a->n + 1);
    free_blocks(a, m);
    MEM_FREE(m, a->diagonal, a->n + 1);
    *a = (blockmat){0};
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

bool blockmat_sparsity(sparsity *p, mem *m, const blockmat *a)
{
    return chunking_pattern(p, m, a->n, a->before, a->after, a->col);
}

/* Room for the blocks of forces and contacts, and for as many of contacts again; what is there is lost. */
static bool reserve_blocks(blockmat *a, mem *m, int64_t n_forces, int64_t n_contacts)
{
    int64_t n_blocks = n_forces + n_contacts, room = n_blocks + n_contacts + n_forces / BLOCKMAT_SPARE;
    if (n_blocks <= a->room)
        return true;
    free_blocks(a, m);
    a->room = room + room % 2;
    if (MEM_MAKE(m, a->col, a->room) && MEM_MAKE(m, a->mirror, a->room / 2))
        return true;
    free_blocks(a, m);
    return false;
}

bool blockmat_widen(blockmat *a, mem *m, pool *threads, const sparsity *p, const sparsity *extra)
{
    if (!reserve_blocks(a, m, (int64_t)p->start[p->n] - p->n, extra->start[p->n]))
        return false;
    lay_out_matrix(a, threads, p, extra);
    return true;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static int32_t matrix_piece_end(const blockmat *a, int32_t piece)
{
    return (piece + 1) * BLOCKMAT_PIECE < a->n ? (piece + 1) * BLOCKMAT_PIECE : a->n;
}

static void for_rows(blockmat *a, pool *p, pool_fn run)
{
    pool_for(p, (a->n + BLOCKMAT_PIECE - 1) / BLOCKMAT_PIECE, run, a);
}

/* For as many blocks as there is room for, not as there are: the arena need not grow with every contact. */
int64_t blockmat_bytes(const blockmat *a)
{
    return (9 * a->room + BLOCK_PAST) * (int64_t)sizeof *a->val;
}

bool blockmat_take(blockmat *a, arena *scratch)
{
    a->val = arena_take(scratch, blockmat_bytes(a));
    return a->val != NULL;
}

/* The second half is overwritten later. */
static void clear_piece(void *context, int32_t i)
{
    blockmat *a = context;
    int32_t begin = i * BLOCKMAT_PIECE, end = matrix_piece_end(a, i);
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

static void mirror_matrix_piece(void *context, int32_t piece)
{
    blockmat *a = context;
    for (int32_t i = piece * BLOCKMAT_PIECE; i < matrix_piece_end(a, piece); i++)
        for (int32_t k = a->before[i]; k < a->before[i + 1]; k++) {
            int32_t at = a->mirror[k], j = a->col[k];
            int32_t place = at == BLOCKMAT_MIRROR_FAR ? blockmat_find(a, j, i) : a->after[j] + at;
            mirror_block(a->val + 9 * (int64_t)k, a->val + 9 * (int64_t)place);
        }
}

static void balance_piece(void *context, int32_t piece)
{
    blockmat *a = context;
    a->kernel->balance(a, piece * BLOCKMAT_PIECE, matrix_piece_end(a, piece));
}

void blockmat_finish(blockmat *a, pool *p)
{
    for_rows(a, p, mirror_matrix_piece);
    for_rows(a, p, balance_piece);
}

void blockmat_multiply_rows(const blockmat *a, const vec3 *x, vec3 *y, int32_t begin, int32_t end)
{
    a->kernel->multiply(a, x, y, begin, end);
}
