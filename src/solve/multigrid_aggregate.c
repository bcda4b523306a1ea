/* SPDX-License-Identifier: MIT */
/* Aggregates by rounds of matching: each row with its strongest free neighbour, then each pair with its strongest free
 * pair, and so on. In index order, so that they depend on the mesh alone: a state that is restored meets the same
 * preconditioner. */
#include <string.h>

#include "solve/multigrid_inside.h"

void graph_destroy(graph *g, mem *m)
{
    MEM_FREE(m, g->col, g->room);
    MEM_FREE(m, g->weight, g->room);
    MEM_FREE(m, g->start, g->n + 1);
    *g = (graph){0};
}

static int32_t count_common(const int32_t *a, const int32_t *a_end, const int32_t *b, const int32_t *b_end)
{
    int32_t n = 0;
    while (a < a_end && b < b_end) {
        n += *a == *b;
        int32_t step_a = *a <= *b, step_b = *b <= *a;
        a += step_a;
        b += step_b;
    }
    return n;
}

bool graph_of_pattern(graph *g, mem *m, int32_t n, const int32_t *start, const int32_t *col, bool weighted)
{
    *g = (graph){.n = n, .room = start[n]};
    if (!MEM_MAKE(m, g->start, n + 1))
        return false;
    memcpy(g->start, start, (size_t)(n + 1) * sizeof *start);
    if (!MEM_MAKE(m, g->col, g->room) || !MEM_MAKE(m, g->weight, g->room))
        return false;
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = start[i]; k < start[i + 1]; k++) {
            int32_t j = col[k];
            g->col[k] = j;
            g->weight[k] = weighted ? (float)count_common(col + start[i], col + start[i + 1], col + start[j], //
                                                          col + start[j + 1])
                                    : 1.0F;
        }
    return true;
}

bool group_rows(mem *m, const int32_t *group, int32_t n, int32_t n_groups, int32_t **start, int32_t **row)
{
    if (!MEM_MAKE(m, *start, n_groups + 1) || !MEM_MAKE(m, *row, n))
        return false;
    int32_t *s = *start;
    for (int32_t i = 0; i < n; i++)
        if (group[i] >= 0)
            s[group[i] + 1]++;
    for (int32_t i = 0; i < n_groups; i++)
        s[i + 1] += s[i];
    for (int32_t i = 0; i < n; i++)
        if (group[i] >= 0)
            (*row)[s[group[i]]++] = i;
    for (int32_t i = n_groups; i > 0; i--)
        s[i] = s[i - 1];
    s[0] = 0;
    return true;
}

/* Adds a link to the row that begins at `begin`, keeping columns in order. Returns the row's new end. */
static int32_t add_link(graph *q, int32_t begin, int32_t end, int32_t j, float weight)
{
    int32_t k = end;
    while (k > begin && q->col[k - 1] > j)
        k--;
    if (k > begin && q->col[k - 1] == j) {
        q->weight[k - 1] += weight;
        return end;
    }
    memmove(q->col + k + 1, q->col + k, (size_t)(end - k) * sizeof *q->col);
    memmove(q->weight + k + 1, q->weight + k, (size_t)(end - k) * sizeof *q->weight);
    q->col[k] = j;
    q->weight[k] = weight;
    return end + 1;
}

static void link_groups(graph *q, const graph *g, const int32_t *group, const int32_t *row_start, const int32_t *row)
{
    for (int32_t gi = 0; gi < q->n; gi++) {
        int32_t begin = q->start[gi], end = begin;
        for (int32_t r = row_start[gi]; r < row_start[gi + 1]; r++)
            for (int32_t k = g->start[row[r]]; k < g->start[row[r] + 1]; k++)
                if (group[g->col[k]] >= 0)
                    end = add_link(q, begin, end, group[g->col[k]], g->weight[k]);
        q->start[gi + 1] = end;
    }
}

bool graph_quotient(graph *q, mem *m, const graph *g, const int32_t *group, int32_t n_groups)
{
    int32_t *row_start = NULL, *row = NULL;
    *q = (graph){.n = n_groups, .room = g->start[g->n]};
    bool ok = group_rows(m, group, g->n, n_groups, &row_start, &row) && MEM_MAKE(m, q->start, n_groups + 1) &&
              MEM_MAKE(m, q->col, q->room) && MEM_MAKE(m, q->weight, q->room);
    if (ok)
        link_groups(q, g, group, row_start, row);
    MEM_FREE(m, row_start, n_groups + 1);
    MEM_FREE(m, row, g->n);
    return ok;
}

static int32_t strongest_free(const graph *g, int32_t i, const int32_t *group)
{
    int32_t best = -1;
    float most = 0;
    for (int32_t k = g->start[i]; k < g->start[i + 1]; k++) {
        int32_t j = g->col[k];
        if (j != i && group[j] < 0 && g->weight[k] > most) {
            best = j;
            most = g->weight[k];
        }
    }
    return best;
}

/* Rows coupled to nothing get no group. */
static int32_t match(const graph *g, int32_t *group)
{
    int32_t n = 0;
    for (int32_t i = 0; i < g->n; i++)
        group[i] = -1;
    for (int32_t i = 0; i < g->n; i++) {
        if (group[i] >= 0 || g->start[i + 1] - g->start[i] < 2)
            continue;
        int32_t j = strongest_free(g, i, group);
        group[i] = n;
        if (j >= 0)
            group[j] = n;
        n++;
    }
    return n;
}

/* One more round: the groups of `parent` become pairs of groups. Returns how many, −1 without memory. */
static int32_t match_groups(const graph *g, mem *m, int32_t n_groups, int32_t *parent)
{
    int32_t n = -1, *of_group = NULL;
    graph groups = {0};
    if (graph_quotient(&groups, m, g, parent, n_groups) && MEM_MAKE(m, of_group, n_groups)) {
        n = match(&groups, of_group);
        for (int32_t i = 0; i < n_groups; i++)
            if (of_group[i] < 0) /* a group coupled to nothing else is still one */
                of_group[i] = n++;
        for (int32_t i = 0; i < g->n; i++)
            parent[i] = parent[i] >= 0 ? of_group[parent[i]] : -1;
    }
    graph_destroy(&groups, m);
    MEM_FREE(m, of_group, n_groups);
    return n;
}

int32_t graph_aggregate(const graph *g, mem *m, int32_t rounds, int32_t *parent)
{
    int32_t n = match(g, parent);
    for (int32_t k = 1; k < rounds && n > 0; k++)
        n = match_groups(g, m, n, parent);
    return n;
}
