/* SPDX-License-Identifier: MIT */
/* Aggregates by rounds of matching: each row with the free neighbour that is nearest at rest, then each pair with the
 * nearest free pair, and so on. In index order and by the shape at rest, so that they depend on the mesh alone: a state
 * that is restored meets the same preconditioner.
 *
 * Near means what adds least to the sum of squares about the middle of the group (Ward 1963): compact groups. By the
 * number of common neighbours, which tells near from far within a sheet, groups at borders became strips and zigzags,
 * and folds begin there: of 15 moments of a ball of 72² nodes a solve to 1e-3 took 16 iterations in the mean and 20 at
 * most, where it takes 9 and 11 now; 29 and 42 with tenfold stiffness, where it takes 22 and 29. */
#include <string.h>

#include "solve/multigrid_inside.h"

void graph_destroy(graph *g, mem *m)
{
    MEM_FREE(m, g->col, g->room);
    MEM_FREE(m, g->start, g->n + 1);
    MEM_FREE(m, g->middle, g->n);
    MEM_FREE(m, g->size, g->n);
    *g = (graph){0};
}

static bool make_places(graph *g, mem *m)
{
    return MEM_MAKE(m, g->middle, g->n) && MEM_MAKE(m, g->size, g->n);
}

bool graph_of_pattern(graph *g, mem *m, int32_t n, const int32_t *start, const int32_t *col, const vec3 *rest)
{
    *g = (graph){.n = n, .room = start[n]};
    if (!MEM_MAKE(m, g->start, n + 1) || !MEM_MAKE(m, g->col, g->room) || (rest && !make_places(g, m)))
        return false;
    memcpy(g->start, start, (size_t)(n + 1) * sizeof *start);
    memcpy(g->col, col, (size_t)g->room * sizeof *col);
    for (int32_t i = 0; rest && i < n; i++) {
        g->middle[i] = rest[i];
        g->size[i] = 1;
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
static int32_t add_link(graph *q, int32_t begin, int32_t end, int32_t j)
{
    int32_t k = end;
    while (k > begin && q->col[k - 1] > j)
        k--;
    if (k > begin && q->col[k - 1] == j)
        return end;
    memmove(q->col + k + 1, q->col + k, (size_t)(end - k) * sizeof *q->col);
    q->col[k] = j;
    return end + 1;
}

static void link_groups(graph *q, const graph *g, const int32_t *group, const int32_t *row_start, const int32_t *row)
{
    for (int32_t gi = 0; gi < q->n; gi++) {
        int32_t begin = q->start[gi], end = begin;
        for (int32_t r = row_start[gi]; r < row_start[gi + 1]; r++)
            for (int32_t k = g->start[row[r]]; k < g->start[row[r] + 1]; k++)
                if (group[g->col[k]] >= 0)
                    end = add_link(q, begin, end, group[g->col[k]]);
        q->start[gi + 1] = end;
    }
}

static void place_groups(graph *q, const graph *g, const int32_t *row_start, const int32_t *row)
{
    for (int32_t gi = 0; gi < q->n; gi++) {
        vec3 sum = v3_zero();
        double size = 0;
        for (int32_t r = row_start[gi]; r < row_start[gi + 1]; r++) {
            sum = v3_madd(sum, g->size[row[r]], g->middle[row[r]]);
            size += g->size[row[r]];
        }
        q->middle[gi] = v3_scale(1 / size, sum);
        q->size[gi] = size;
    }
}

bool graph_quotient(graph *q, mem *m, const graph *g, const int32_t *group, int32_t n_groups)
{
    int32_t *row_start = NULL, *row = NULL;
    *q = (graph){.n = n_groups, .room = g->start[g->n]};
    bool ok = group_rows(m, group, g->n, n_groups, &row_start, &row) && MEM_MAKE(m, q->start, n_groups + 1) &&
              MEM_MAKE(m, q->col, q->room) && (!g->middle || make_places(q, m));
    if (ok)
        link_groups(q, g, group, row_start, row);
    if (ok && g->middle)
        place_groups(q, g, row_start, row);
    MEM_FREE(m, row_start, n_groups + 1);
    MEM_FREE(m, row, g->n);
    return ok;
}

/* What joining two rows adds to their sums of squares; the same for all if they are nowhere. */
static double spread_of(const graph *g, int32_t i, int32_t j)
{
    if (!g->middle)
        return 1;
    return v3_len_sq(v3_sub(g->middle[j], g->middle[i])) * g->size[i] * g->size[j] / (g->size[i] + g->size[j]);
}

static int32_t nearest_free(const graph *g, int32_t i, const int32_t *group)
{
    int32_t best = -1;
    double least = 0;
    for (int32_t k = g->start[i]; k < g->start[i + 1]; k++) {
        int32_t j = g->col[k];
        if (j == i || group[j] >= 0)
            continue;
        double spread = spread_of(g, i, j);
        if (best < 0 || spread < MULTIGRID_NEARER * least) {
            best = j;
            least = spread;
        }
    }
    return best;
}

/* Rows coupled to nothing get no group. */
static int32_t match_rows(const graph *g, int32_t *group)
{
    int32_t n = 0;
    for (int32_t i = 0; i < g->n; i++)
        group[i] = -1;
    for (int32_t i = 0; i < g->n; i++) {
        if (group[i] >= 0 || g->start[i + 1] - g->start[i] < 2)
            continue;
        int32_t j = nearest_free(g, i, group);
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
        n = match_rows(&groups, of_group);
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
    int32_t n = match_rows(g, parent);
    for (int32_t k = 1; k < rounds && n > 0; k++)
        n = match_groups(g, m, n, parent);
    return n;
}
