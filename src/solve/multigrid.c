/* SPDX-License-Identifier: MIT */
/* The hierarchy: its levels and their patterns. Made once for a pattern; the values follow in multigrid_build.c. */
#include "solve/multigrid.h"

#include <string.h>

#include "solve/multigrid_inside.h"

/* So few rows are solved directly. */
#define DENSE_ROWS 24
/* A level that keeps more than this share of the rows is not worth its work: what is left is hardly coupled. */
#define LEAST_GAIN 0.8

static void aggregation_destroy(aggregation *t, mem *m, const multigrid_level *fine)
{
    MEM_FREE(m, t->parent, fine->n);
    MEM_FREE(m, t->child_start, t->n_coarse + 1);
    MEM_FREE(m, t->child, fine->n);
    MEM_FREE(m, t->to, fine->n_blocks);
    *t = (aggregation){0};
}

static void free_indices(mem *m, const int32_t *p, int64_t n)
{
    mem_free(m, (void *)p, n, sizeof *p);
}

static void level_destroy(multigrid_level *l, mem *m, bool borrows)
{
    aggregation_destroy(&l->to_coarse, m, l);
    chunking_destroy(&l->chunks, m);
    if (!borrows) {
        free_indices(m, l->start, l->n + 1);
        free_indices(m, l->col, l->n_blocks);
        free_indices(m, l->diagonal, l->n);
    }
    MEM_FREE(m, l->val, l->n_blocks + 1);
    MEM_FREE(m, l->inverse, l->n + 1);
    MEM_FREE(m, l->b, 3 * (int64_t)l->n);
    MEM_FREE(m, l->x, 3 * (int64_t)l->n);
    MEM_FREE(m, l->x1, 3 * (int64_t)l->n);
}

void multigrid_destroy(multigrid *g, mem *m)
{
    MEM_FREE(m, g->dense, g->n_dense);
    for (int32_t i = 0; i < g->n_levels; i++)
        level_destroy(&g->levels[i], m, i == 0);
    MEM_FREE(m, g->levels, MULTIGRID_LEVELS);
    *g = (multigrid){0};
}

/* Place of column j in a row that has it. */
static int32_t find_block(const multigrid_level *l, int32_t i, int32_t j)
{
    int32_t k = l->start[i];
    while (l->col[k] != j)
        k++;
    return k;
}

static bool make_values(multigrid_level *l, mem *m)
{
    int64_t n = 3 * (int64_t)l->n;
    return MEM_MAKE(m, l->val, l->n_blocks + 1) && MEM_MAKE(m, l->inverse, l->n + 1) && MEM_MAKE(m, l->b, n) &&
           MEM_MAKE(m, l->x, n) && chunking_create(&l->chunks, m, l->n, l->start, l->col);
}

static bool make_finest(multigrid_level *l, mem *m, const blockmat *a)
{
    *l = (multigrid_level){.n = a->n, .n_blocks = a->n_blocks};
    l->start = a->start;
    l->col = a->col;
    l->diagonal = a->diagonal;
    return make_values(l, m);
}

static bool make_level(multigrid_level *l, mem *m, const graph *g)
{
    *l = (multigrid_level){.n = g->n, .n_blocks = g->start[g->n]};
    int32_t *start = NULL, *col = NULL, *diagonal = NULL;
    bool ok = MEM_MAKE(m, start, l->n + 1) && MEM_MAKE(m, col, l->n_blocks) && MEM_MAKE(m, diagonal, l->n);
    l->start = start;
    l->col = col;
    l->diagonal = diagonal;
    if (!ok)
        return false;
    memcpy(start, g->start, (size_t)(l->n + 1) * sizeof *start);
    memcpy(col, g->col, (size_t)l->n_blocks * sizeof *col);
    for (int32_t i = 0; i < l->n; i++)
        diagonal[i] = find_block(l, i, i);
    return MEM_MAKE(m, l->x1, 3 * (int64_t)l->n) && make_values(l, m);
}

/* Where the fine blocks go. */
static bool link_levels(multigrid_level *fine, mem *m, const multigrid_level *coarse)
{
    aggregation *t = &fine->to_coarse;
    if (!MEM_MAKE(m, t->to, fine->n_blocks) ||
        !group_rows(m, t->parent, fine->n, t->n_coarse, &t->child_start, &t->child))
        return false;
    for (int32_t i = 0; i < fine->n; i++)
        for (int32_t k = fine->start[i]; k < fine->start[i + 1]; k++) {
            int32_t a = t->parent[i], b = t->parent[fine->col[k]];
            t->to[k] = a < 0 || b < 0 ? -1 : find_block(coarse, a, b);
        }
    return true;
}

/* The parents of a level's rows: those given, or our own. Returns how many, −1 without memory. */
static int32_t aggregate(mem *m, int32_t level, const graph *fine, const multigrid_hint *hint, int32_t *parent)
{
    if (!hint || level >= hint->n_levels)
        return graph_aggregate(fine, m, parent);
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
    bool ok = graph_quotient(&next, m, graph_now, t->parent, n) && make_level(coarse, m, &next);
    g->n_levels++;
    ok = ok && link_levels(fine, m, coarse);
    graph_destroy(graph_now, m);
    *graph_now = next;
    *more = n > DENSE_ROWS && g->n_levels < MULTIGRID_LEVELS;
    return ok;
}

bool multigrid_create(multigrid *g, mem *m, const blockmat *a, const multigrid_hint *hint)
{
    *g = (multigrid){0};
    if (!MEM_MAKE(m, g->levels, MULTIGRID_LEVELS))
        return false;
    graph now = {0};
    g->n_levels = 1;
    bool more = a->n > DENSE_ROWS,
         ok = make_finest(&g->levels[0], m, a) && graph_of_pattern(&now, m, a->n, a->start, a->col, !hint);
    while (ok && more)
        ok = add_level(g, m, &now, hint, &more);
    graph_destroy(&now, m);
    int64_t n = 3 * (int64_t)g->levels[g->n_levels - 1].n;
    g->n_dense = g->n_levels > 1 && n <= 3 * DENSE_ROWS ? n * (n + 1) : 0;
    return ok && MEM_MAKE(m, g->dense, g->n_dense);
}
