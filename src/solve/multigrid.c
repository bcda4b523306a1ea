/* SPDX-License-Identifier: MIT */
/* The hierarchy: its levels and their patterns. Made once for a pattern; the values follow in multigrid_build.c. */
#include "solve/multigrid.h"

#include <string.h>

#include "solve/multigrid_inside.h"

/* So few rows are solved directly. */
#define DENSE_ROWS 12
/* A level that keeps more than this share of the rows is not worth its work: what is left is hardly coupled. */
#define LEAST_GAIN 0.8
/* Rounds of matching. On 146² nodes on a ball groups of four take 14 iterations to 1e-3; groups of eight take 19, up to
 * 7 % less time and 275 bytes a node less; groups of eight on later levels too take 27. Iterations grow with the mesh:
 * small ones are better off with the smaller level. */
#define FIRST_ROUNDS 2
#define FIRST_ROUNDS_SMALL 3
#define SMALL_ROWS 4096
#define LATER_ROUNDS 2
/* Rows of coarse levels are as much work as four to five of the finest, whose chunks have at least 2^8. */
#define LEAST_BITS 6
/* Arrays begin at multiples of so many numbers. */
#define LINE 16

static void aggregation_destroy(aggregation *t, mem *m, const multigrid_level *fine)
{
    MEM_FREE(m, t->parent, fine->n);
    MEM_FREE(m, t->child_start, t->n_coarse + 1);
    MEM_FREE(m, t->child, fine->n);
    MEM_FREE(m, t->to, fine->n_blocks);
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
        MEM_FREE(m, l->col, l->n_blocks);
    }
    MEM_FREE(m, l->mirror, l->n_blocks);
    MEM_FREE(m, l->centre, l->n);
}

void multigrid_destroy(multigrid *g, mem *m)
{
    MEM_FREE(m, g->dense, g->n_dense);
    for (int32_t i = 0; i < g->n_levels; i++)
        level_destroy(&g->levels[i], m);
    MEM_FREE(m, g->values, g->n_values);
    MEM_FREE(m, g->levels, MULTIGRID_LEVELS);
    *g = (multigrid){0};
}

/* ---- one level --------------------------------------------------------------------------------------------------- */

static void make_finest(multigrid_level *l, const blockmat *a)
{
    *l = (multigrid_level){.n = a->n,
                           .dim = 3,
                           .n_blocks = a->n_blocks,
                           .before = a->before,
                           .after = a->after,
                           .col = a->col,
                           .val = a->val,
                           .chunks = a->chunks};
}

/* A coarse level with the given pattern, which has all diagonal blocks. */
static bool lay_out(multigrid_level *l, mem *m, int32_t n, const int32_t *start, const int32_t *col)
{
    *l = (multigrid_level){.n = n, .dim = 6, .n_blocks = (int64_t)start[n] - n};
    if (!chunking_create(&l->chunks, m, n, start, col, LEAST_BITS) || !MEM_MAKE(m, l->before, n + 1) ||
        !MEM_MAKE(m, l->after, n + 1) || !MEM_MAKE(m, l->col, l->n_blocks))
        return false;
    chunking_split(&l->chunks, n, start, col, l->before, l->after, l->col);
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
    int32_t at = chunk_precedes(&l->chunks, j, i) ? k - l->before[i] : n + k - l->after[i];
    return (uint8_t)(at < BLOCK_FAR ? at : BLOCK_FAR);
}

static void link_row(multigrid_level *l, int32_t i, int32_t begin, int32_t end)
{
    for (int32_t k = begin; k < end; k++)
        l->mirror[k] = name_block(l, l->col[k], i);
}

static bool make_coarse(multigrid_level *l, mem *m, const graph *g)
{
    if (!lay_out(l, m, g->n, g->start, g->col) || !MEM_MAKE(m, l->mirror, l->n_blocks) || !MEM_MAKE(m, l->centre, l->n))
        return false;
    for (int32_t i = 0; i < l->n; i++) {
        link_row(l, i, l->before[i], l->before[i + 1]);
        link_row(l, i, l->after[i], l->after[i + 1]);
    }
    return true;
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

static void link_blocks(multigrid_level *fine, const multigrid_level *coarse, int32_t i, int32_t begin, int32_t end)
{
    aggregation *t = &fine->to_coarse;
    int32_t a = t->parent[i];
    for (int32_t k = begin; k < end; k++) {
        int32_t j = fine->col[k], b = t->parent[j];
        bool nowhere = a < 0 || b < a || (b == a && j < i);
        t->to[k] = nowhere ? TO_NOWHERE : a == b ? TO_DIAGONAL : name_block(coarse, a, b);
    }
}

/* Where the fine blocks go. */
static bool link_levels(multigrid_level *fine, mem *m, const multigrid_level *coarse)
{
    aggregation *t = &fine->to_coarse;
    if (!MEM_MAKE(m, t->to, fine->n_blocks) || !MEM_MAKE(m, t->offset, 3 * (int64_t)fine->n) ||
        !group_rows(m, t->parent, fine->n, t->n_coarse, &t->child_start, &t->child))
        return false;
    for (int32_t i = 0; i < fine->n; i++) {
        link_blocks(fine, coarse, i, fine->before[i], fine->before[i + 1]);
        link_blocks(fine, coarse, i, fine->after[i], fine->after[i + 1]);
    }
    return true;
}

/* The parents of a level's rows: those given, or our own. Returns how many, −1 without memory. */
static int32_t aggregate(mem *m, int32_t level, const graph *fine, const multigrid_hint *hint, int32_t *parent)
{
    int32_t first = fine->n < SMALL_ROWS ? FIRST_ROUNDS_SMALL : FIRST_ROUNDS;
    if (!hint || level >= hint->n_levels)
        return graph_aggregate(fine, m, level == 0 ? first : LATER_ROUNDS, parent);
    memcpy(parent, hint->parent[level], (size_t)fine->n * sizeof *parent);
    return hint->n_coarse[level];
}

/* Adds a level below the last one, whose graph is `graph_now`, and puts its own graph there. *more: it paid, and may be
 * followed by another. */
static bool add_level(multigrid *g, mem *m, graph *graph_now, const multigrid_hint *hint, bool *more)
{
    multigrid_level *fine = &g->levels[g->n_levels - 1], *coarse = fine + 1;
    aggregation *t = &fine->to_coarse;
    graph next = {0};
    *more = false;
    if (!MEM_MAKE(m, t->parent, fine->n))
        return false;
    int32_t n = aggregate(m, g->n_levels - 1, graph_now, hint, t->parent);
    if (n <= 0 || n > LEAST_GAIN * fine->n) {
        aggregation_destroy(t, m, fine);
        return n >= 0;
    }
    t->n_coarse = n;
    bool ok = graph_quotient(&next, m, graph_now, t->parent, n) && make_coarse(coarse, m, &next);
    g->n_levels++;
    ok = ok && link_levels(fine, m, coarse);
    graph_destroy(graph_now, m);
    *graph_now = next;
    *more = n > DENSE_ROWS && g->n_levels < MULTIGRID_LEVELS;
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
            n += (all[k].n + LINE - 1) / LINE * LINE;
        }
    }
    return n;
}

static bool make_values(multigrid *g, mem *m)
{
    g->n_values = place_values(g, NULL);
    if (!MEM_MAKE(m, g->values, g->n_values))
        return false;
    place_values(g, g->values);
    return true;
}

bool multigrid_create(multigrid *g, mem *m, const blockmat *a, const vec3 *rest, const multigrid_hint *hint)
{
    *g = (multigrid){.finest = sweeps_finest(), .coarse = sweeps_coarse(), .make = builds_best()};
    if (!MEM_MAKE(m, g->levels, MULTIGRID_LEVELS))
        return false;
    graph now = {0};
    pattern p = {0};
    g->n_levels = 1;
    make_finest(&g->levels[0], a);
    bool more = a->n > DENSE_ROWS;
    bool ok = pattern_of(&p, m, a) && graph_of_pattern(&now, m, a->n, p.start, p.col, rest);
    pattern_destroy(&p, m);
    while (ok && more)
        ok = add_level(g, m, &now, hint, &more);
    graph_destroy(&now, m);
    const multigrid_level *last = &g->levels[g->n_levels - 1];
    int64_t n = (int64_t)last->n * last->dim;
    g->n_dense = g->n_levels > 1 && last->n <= DENSE_ROWS ? dense_room(n) : 0;
    return ok && make_values(g, m) && MEM_MAKE(m, g->dense, g->n_dense);
}
