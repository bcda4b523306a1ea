/* SPDX-License-Identifier: MIT */
/* The hierarchy: its levels and their patterns. Made once for a pattern; the values follow in multigrid_build.c. */
#include "solve/multigrid.h"

#include <string.h>

#include "base/array.h"
#include "solve/multigrid_inside.h"

/* Arrays begin at multiples of so many numbers. */
#define MULTIGRID_LINE 16

static void aggregation_destroy(aggregation *t, mem *m, const multigrid_level *fine)
{
    MEM_FREE(m, t->parent, fine->n);
    MEM_FREE(m, t->child_start, t->n_coarse + 1);
    MEM_FREE(m, t->child, fine->n);
    MEM_FREE(m, t->to, t->to_room);
    MEM_FREE(m, t->offset, 3 * (int64_t)fine->n);
    *t = (aggregation){0};
}

static int64_t n_values(const multigrid_level *l, int64_t n_blocks)
{
    return n_blocks * l->dim * l->dim + BLOCK_PAST;
}

static void level_destroy(multigrid_level *l, mem *m)
{
    aggregation_destroy(&l->to_coarse, m, l);
    if (l->dim != 3) { /* what the finest level has of the matrix */
        chunking_destroy(&l->chunks, m);
        MEM_FREE(m, l->before, l->n + 1);
        MEM_FREE(m, l->after, l->n + 1);
        MEM_FREE(m, l->col, l->col_room);
    }
    MEM_FREE(m, l->mirror, l->mirror_room);
    MEM_FREE(m, l->centre, l->n);
    sparsity_destroy(&l->plain, m);
}

void multigrid_destroy(multigrid *g, mem *m)
{
    MEM_FREE(m, g->dense, g->n_dense);
    for (int32_t i = 0; i < g->n_levels; i++)
        level_destroy(&g->levels[i], m);
    for (int i = 0; i < 2; i++)
        sparsity_extra_destroy(&g->extra[i], m);
    MEM_FREE(m, g->levels, MULTIGRID_LEVELS);
    *g = (multigrid){0};
}

/* ---- one level --------------------------------------------------------------------------------------------------- */

/* What it has of the matrix. */
static void set_finest(multigrid_level *l, const blockmat *a)
{
    l->n_blocks = a->n_blocks;
    l->before = a->before;
    l->after = a->after;
    l->col = a->col;
    l->chunks = a->chunks;
}

static uint8_t short_name(int32_t at)
{
    return (uint8_t)(at < BLOCK_FAR ? at : BLOCK_FAR);
}

/* Rows go up, so those that have row j before them meet its second half in the order in which it has them. How far they
 * are is counted in the middles of rows, which are not known yet. */
static void name_level_mirrors(multigrid_level *l)
{
    int32_t *met = (int32_t *)(void *)l->centre;
    memset(met, 0, (size_t)l->n * sizeof *met);
    for (int32_t i = 0; i < l->n; i++)
        for (int32_t k = l->before[i]; k < l->before[i + 1]; k++) {
            int32_t j = l->col[k], at = met[j]++;
            l->mirror[k] = short_name(l->before[j + 1] - l->before[j] + at);
            l->mirror[l->after[j] + at] = short_name(k - l->before[i]);
        }
}

/* Pattern, order and mirror images of a coarse level that has memory for them. */
static void lay_out_level(multigrid_level *l, pool *threads, const sparsity *p, const sparsity *extra)
{
    chunking_colour(&l->chunks, p, extra);
    chunking_split(&l->chunks, threads, p, extra, l->before, l->after, l->col);
    name_level_mirrors(l);
    l->n_blocks = l->after[l->n];
}

/* A coarse level with the given pattern, which has all diagonal blocks. */
static bool make_coarse(multigrid_level *l, mem *m, const sparsity *p)
{
    int32_t n = p->n;
    *l = (multigrid_level){.n = n, .dim = 6};
    l->col_room = l->mirror_room = (int64_t)p->start[n] - n;
    if (!chunking_create(&l->chunks, m, n, MULTIGRID_CHUNK_BITS) || !MEM_MAKE(m, l->before, n + 1) ||
        !MEM_MAKE(m, l->after, n + 1) || !MEM_MAKE(m, l->col, l->col_room) || !MEM_MAKE(m, l->mirror, l->mirror_room) ||
        !MEM_MAKE(m, l->centre, n))
        return false;
    lay_out_level(l, NULL, p, NULL);
    return true;
}

int32_t level_find(const multigrid_level *l, int32_t i, int32_t j)
{
    int32_t k = chunk_precedes(&l->chunks, j, i) ? l->before[i] : l->after[i];
    while (l->col[k] != j)
        k++;
    return k;
}

/* What block (i, j) is known by. */
static uint8_t name_block(const multigrid_level *l, int32_t i, int32_t j)
{
    int32_t k = level_find(l, i, j), n = l->before[i + 1] - l->before[i];
    return short_name(chunk_precedes(&l->chunks, j, i) ? k - l->before[i] : n + k - l->after[i]);
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

/* Neighbours in a row are often of one group. */
static void link_blocks(multigrid_level *fine, const multigrid_level *coarse, int32_t i, int32_t begin, int32_t end)
{
    aggregation *t = &fine->to_coarse;
    int32_t a = t->parent[i], last = -1;
    uint8_t name = TO_NOWHERE;
    for (int32_t k = begin; k < end; k++) {
        int32_t j = fine->col[k], b = t->parent[j];
        if (b > a && a >= 0 && b != last) {
            last = b;
            name = name_block(coarse, a, b);
        }
        bool nowhere = a < 0 || b < a || (b == a && j < i);
        t->to[k] = nowhere ? TO_NOWHERE : a == b ? TO_DIAGONAL : name;
    }
}

typedef struct link_run {
    multigrid_level *fine;
    const multigrid_level *coarse;
} link_run;

/* Where the fine blocks go. */
static void link_piece(void *context, int32_t piece)
{
    const link_run *r = context;
    const multigrid_level *l = r->fine;
    int32_t end = (piece + 1) * MULTIGRID_LINK_PIECE < l->n ? (piece + 1) * MULTIGRID_LINK_PIECE : l->n;
    for (int32_t i = piece * MULTIGRID_LINK_PIECE; i < end; i++) {
        link_blocks(r->fine, r->coarse, i, l->before[i], l->before[i + 1]);
        link_blocks(r->fine, r->coarse, i, l->after[i], l->after[i + 1]);
    }
}

static bool link_levels(multigrid_level *fine, mem *m, const multigrid_level *coarse)
{
    aggregation *t = &fine->to_coarse;
    link_run r = {fine, coarse};
    t->to_room = fine->n_blocks;
    if (!MEM_MAKE(m, t->to, t->to_room) || !MEM_MAKE(m, t->offset, 3 * (int64_t)fine->n) ||
        !group_rows(m, t->parent, fine->n, t->n_coarse, &t->child_start, &t->child))
        return false;
    for (int32_t i = 0; i < fine->n; i += MULTIGRID_LINK_PIECE)
        link_piece(&r, i / MULTIGRID_LINK_PIECE);
    return true;
}

/* Adds a level below the last one, whose graph is `graph_now`, and puts its own graph there. *more: it paid, and may be
 * followed by another. */
static bool add_level(multigrid *g, mem *m, graph *graph_now, bool *more)
{
    multigrid_level *fine = &g->levels[g->n_levels - 1], *coarse = fine + 1;
    aggregation *t = &fine->to_coarse;
    graph next = {0};
    *more = false;
    if (!MEM_MAKE(m, t->parent, fine->n))
        return false;
    int32_t first = fine->n < MULTIGRID_SMALL_ROWS ? MULTIGRID_FIRST_ROUNDS_SMALL : MULTIGRID_FIRST_ROUNDS;
    int32_t n = graph_aggregate(graph_now, m, g->n_levels == 1 ? first : MULTIGRID_LATER_ROUNDS, t->parent);
    if (n <= 0 || n > MULTIGRID_MOST_KEPT * fine->n) {
        aggregation_destroy(t, m, fine);
        return n >= 0;
    }
    t->n_coarse = n;
    bool ok = graph_quotient(&next, m, graph_now, t->parent, n) &&
              make_coarse(coarse, m, &(sparsity){next.n, next.start, next.col});
    g->n_levels++;
    ok = ok && link_levels(fine, m, coarse);
    graph_destroy(graph_now, m);
    *graph_now = next;
    *more = n > MULTIGRID_DENSE_ROWS && g->n_levels < MULTIGRID_LEVELS;
    return ok;
}

/* Gives each array its place; `at` NULL: only counts. Returns how many numbers there are. */
static int64_t place_values(multigrid *g, float *at)
{
    int64_t n = 0;
    for (int32_t i = 0; i < g->n_levels; i++) {
        multigrid_level *l = &g->levels[i];
        int64_t row = (int64_t)l->n * l->dim, coarse = i > 0;
        struct {
            float **array;
            int64_t n;
        } all[] = {{&l->val, coarse * n_values(l, l->n_blocks)},
                   {&l->inverse, n_values(l, l->n)},
                   {&l->b, coarse * row},
                   {&l->x, row},
                   {&l->left, coarse * row},
                   {&l->x1, coarse * row}};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            if (at && all[k].n > 0)
                *all[k].array = at + n;
            n += (all[k].n + MULTIGRID_LINE - 1) / MULTIGRID_LINE * MULTIGRID_LINE;
        }
    }
    return n;
}

/* For all levels, and no more than before if that does; else for as many of contacts again: the arena need not grow
 * with every contact. */
static void count_values(multigrid *g)
{
    int64_t n = place_values(g, NULL);
    bool first = g->n_values == 0;
    g->n_alone = first ? n : g->n_alone;
    if (n > g->n_values)
        g->n_values = first ? n : n + (n - g->n_alone) + g->n_alone / MULTIGRID_SPARE;
}

int64_t multigrid_bytes(const multigrid *g)
{
    return g->n_values * (int64_t)sizeof(float);
}

bool multigrid_take(multigrid *g, arena *scratch)
{
    float *values = arena_take(scratch, multigrid_bytes(g));
    if (values)
        place_values(g, values);
    return values != NULL;
}

bool multigrid_create(multigrid *g, mem *m, const blockmat *a, const vec3 *rest)
{
    *g = (multigrid){.finest = sweeps_finest(), .coarse = sweeps_coarse(), .make = builds_best()};
    if (!MEM_MAKE(m, g->levels, MULTIGRID_LEVELS))
        return false;
    graph now = {0};
    sparsity p = {0};
    g->n_levels = 1;
    g->levels[0] = (multigrid_level){.n = a->n, .dim = 3};
    set_finest(&g->levels[0], a);
    bool more = a->n > MULTIGRID_DENSE_ROWS;
    bool ok = blockmat_sparsity(&p, m, a) && graph_of_pattern(&now, m, a->n, p.start, p.col, rest);
    sparsity_destroy(&p, m);
    while (ok && more)
        ok = add_level(g, m, &now, &more);
    graph_destroy(&now, m);
    const multigrid_level *last = &g->levels[g->n_levels - 1];
    int64_t n = (int64_t)last->n * last->dim;
    g->n_dense = g->n_levels > 1 && last->n <= MULTIGRID_DENSE_ROWS ? dense_room(n) : 0;
    if (ok)
        count_values(g);
    return ok && MEM_MAKE(m, g->dense, g->n_dense);
}

/* ---- another pattern --------------------------------------------------------------------------------------------- */

typedef struct gather_run {
    const aggregation *t;
    const sparsity *fine, *plain; /* what the fine level has beside its own pattern; the coarse level's own */
    sparsity *coarse;             /* start: counted by the next row's place, then where rows begin with all */
    int32_t *n;                   /* that stay, of each row */
} gather_run;

static int32_t gather_end(const gather_run *r, int32_t piece)
{
    return (piece + 1) * MULTIGRID_GATHER_PIECE < r->t->n_coarse ? (piece + 1) * MULTIGRID_GATHER_PIECE
                                                                 : r->t->n_coarse;
}

static void gather_piece(void *context, int32_t piece)
{
    const gather_run *r = context;
    const aggregation *t = r->t;
    for (int32_t a = piece * MULTIGRID_GATHER_PIECE; a < gather_end(r, piece); a++) {
        int32_t *cols = r->coarse->col + r->coarse->start[a], n = 0;
        for (int32_t c = t->child_start[a]; c < t->child_start[a + 1]; c++)
            for (int32_t k = r->fine->start[t->child[c]]; k < r->fine->start[t->child[c] + 1]; k++)
                if (t->parent[r->fine->col[k]] >= 0)
                    cols[n++] = t->parent[r->fine->col[k]];
        r->n[a] = sparsity_tidy(r->plain, a, cols, n);
    }
}

/* Where rows begin in `coarse`, if all of their children's couplings stay. */
static void count_all(const aggregation *t, const sparsity *fine, int32_t *start)
{
    start[0] = 0;
    for (int32_t a = 0; a < t->n_coarse; a++) {
        start[a + 1] = start[a];
        for (int32_t c = t->child_start[a]; c < t->child_start[a + 1]; c++)
            start[a + 1] += fine->start[t->child[c] + 1] - fine->start[t->child[c]];
    }
}

/* Moves rows together. */
static void close_ranks(sparsity *p, const int32_t *n)
{
    int32_t at = 0;
    for (int32_t i = 0; i < p->n; i++) {
        memmove(p->col + at, p->col + p->start[i], (size_t)n[i] * sizeof *p->col);
        p->start[i] = at;
        at += n[i];
    }
    p->start[p->n] = at;
}

/* What a coarse level has beside its own pattern, of what the finer one has. */
static bool coarsen_extra(multigrid *g, mem *m, pool *threads, int32_t level, const sparsity *fine, sparsity_extra *out)
{
    multigrid_level *l = &g->levels[level];
    const aggregation *t = &l[-1].to_coarse;
    out->p.n = l->n;
    if ((!l->plain.start && !chunking_pattern(&l->plain, m, l->n, l->before, l->after, l->col)) ||
        !ARRAY_RESERVE_STEADY(m, out->p.start, out->start_room, 2 * (int64_t)l->n + 1))
        return false;
    count_all(t, fine, out->p.start);
    if (!ARRAY_RESERVE_STEADY(m, out->p.col, out->col_room, out->p.start[l->n] + 1))
        return false;
    gather_run r = {t, fine, &l->plain, &out->p, out->p.start + l->n + 1};
    pool_for(threads, (l->n + MULTIGRID_GATHER_PIECE - 1) / MULTIGRID_GATHER_PIECE, gather_piece, &r);
    close_ranks(&out->p, r.n);
    return true;
}

/* A coarse level, and where blocks of the finer one go. */
static bool renew_level(multigrid *g, mem *m, pool *threads, int32_t level, const sparsity *extra)
{
    multigrid_level *l = &g->levels[level];
    aggregation *t = &l[-1].to_coarse;
    int64_t n = (int64_t)l->plain.start[l->n] - l->n + extra->start[l->n];
    if (!ARRAY_RESERVE_STEADY(m, l->col, l->col_room, n) || !ARRAY_RESERVE_STEADY(m, l->mirror, l->mirror_room, n) ||
        !ARRAY_RESERVE_STEADY(m, t->to, t->to_room, l[-1].n_blocks))
        return false;
    lay_out_level(l, threads, &l->plain, extra);
    link_run r = {l - 1, l};
    pool_for(threads, (l[-1].n + MULTIGRID_LINK_PIECE - 1) / MULTIGRID_LINK_PIECE, link_piece, &r);
    return true;
}

bool multigrid_renew(multigrid *g, mem *m, pool *threads, const blockmat *a, const sparsity *extra)
{
    bool ok = true;
    set_finest(&g->levels[0], a);
    for (int32_t i = 1; ok && i < g->n_levels; i++) {
        sparsity_extra *coarse = &g->extra[i % 2];
        ok = coarsen_extra(g, m, threads, i, extra, coarse) && renew_level(g, m, threads, i, &coarse->p);
        extra = &coarse->p;
    }
    if (ok)
        count_values(g);
    return ok;
}
