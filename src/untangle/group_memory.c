/* SPDX-License-Identifier: MIT */
/* Groups as a row of doubles, in which all that they remember is exact: counts, ways, and vertices by their numbers.
 * Only what a group passes on to its successor is kept (group.c, remember_way): patches' triangles and the like are
 * found anew. */
#include "untangle/group_memory.h"

#include <string.h>

#include "base/array.h"

enum { GROUP_HEAD = 12, GROUP_WORDS = GROUP_HEAD + 3 * GROUP_WAYS_FAILED };

bool group_memory_reserve(group_memory *g, mem *m, int64_t n)
{
    return ARRAY_RESERVE(m, g->items, g->room, n);
}

bool group_memory_copy(group_memory *to, mem *m, const group_memory *from)
{
    if (from->n > 0 && !group_memory_reserve(to, m, from->n))
        return false;
    if (from->n > 0)
        memcpy(to->items, from->items, (size_t)from->n * sizeof *to->items);
    to->n = from->n;
    return true;
}

void group_memory_free(group_memory *g, mem *m)
{
    MEM_FREE(m, g->items, g->room);
    *g = (group_memory){0};
}

static int64_t words_of(const groups *g, int64_t n_aged)
{
    int64_t n = 2 + 2 * n_aged;
    for (int32_t i = 0; g && i < g->now.n; i++)
        n += GROUP_WORDS + g->now.items[i].n_vertices[0] + g->now.items[i].n_vertices[1];
    return n;
}

static double *put_group(double *at, const groups *g, const line_group *q)
{
    const double head[GROUP_HEAD] = {q->n_vertices[0], q->n_vertices[1], q->way.x, q->way.y, q->way.z,   q->depth,
                                     q->least,         q->waited,        q->local, q->split, q->n_failed};
    memcpy(at, head, sizeof head);
    at += GROUP_HEAD;
    for (int k = 0; k < GROUP_WAYS_FAILED; k++, at += 3) {
        vec3 way = k < q->n_failed ? q->failed[k] : v3_zero();
        at[0] = way.x, at[1] = way.y, at[2] = way.z;
    }
    for (int32_t i = 0; i < q->n_vertices[0] + q->n_vertices[1]; i++)
        *at++ = g->now.vertices[q->first_vertex + i];
    return at;
}

bool group_memory_take(group_memory *to, mem *m, const groups *g, double substeps, const uint8_t *age, int32_t n_nodes)
{
    int64_t n_aged = 0;
    for (int32_t i = 0; i < n_nodes; i++)
        n_aged += age[i] > 0;
    if (!group_memory_reserve(to, m, words_of(g, n_aged)))
        return false;
    double *at = to->items;
    *at++ = substeps;
    *at++ = (double)n_aged;
    for (int32_t i = 0; i < n_nodes; i++)
        if (age[i] > 0) {
            *at++ = i;
            *at++ = age[i];
        }
    for (int32_t i = 0; g && i < g->now.n; i++)
        at = put_group(at, g, &g->now.items[i]);
    to->n = at - to->items;
    return true;
}

static bool is_count(double x, double most)
{
    return x >= 0 && x <= most && x == (double)(int64_t)x;
}

/* Nodes that are listed; 0 where the list cannot be. */
static int64_t count_aged(const group_memory *g)
{
    bool good = g->n >= 2 && is_count(g->items[1], 1e9) && 2 + 2 * (int64_t)g->items[1] <= g->n;
    return good ? (int64_t)g->items[1] : 0;
}

void group_memory_ages(const group_memory *from, uint8_t *age, int32_t n_nodes)
{
    int64_t n = count_aged(from);
    memset(age, 0, (size_t)n_nodes);
    for (int64_t i = 0; i < n; i++) {
        const double *at = from->items + 2 + 2 * i;
        if (is_count(at[0], n_nodes - 1) && is_count(at[1], UINT8_MAX))
            age[(int32_t)at[0]] = (uint8_t)at[1];
    }
}

/* Words of the group at `at`, of `left` that there are; 0: it is none. */
static int64_t check_group(const double *at, int64_t left, int32_t n_vertices)
{
    if (left < GROUP_WORDS || !is_count(at[0], n_vertices) || !is_count(at[1], n_vertices) || !is_count(at[7], 1e9) ||
        !is_count(at[10], GROUP_WAYS_FAILED))
        return 0;
    int64_t n = (int64_t)at[0] + (int64_t)at[1];
    for (int64_t i = 0; i < n && n <= left - GROUP_WORDS; i++)
        if (!is_count(at[GROUP_WORDS + i], n_vertices - 1))
            return 0;
    return n <= left - GROUP_WORDS ? GROUP_WORDS + n : 0;
}

static void get_group(const double *at, groups *g)
{
    line_group *q = &g->now.items[g->now.n++];
    *q = (line_group){.first_vertex = g->now.n_vertices,
                      .n_vertices = {(int32_t)at[0], (int32_t)at[1]},
                      .way = {at[2], at[3], at[4]},
                      .depth = at[5],
                      .least = at[6],
                      .waited = (int32_t)at[7],
                      .local = at[8] != 0,
                      .split = at[9] != 0,
                      .n_failed = (int32_t)at[10]};
    for (int k = 0; k < q->n_failed; k++) {
        const double *way = at + GROUP_HEAD + 3 * k;
        q->failed[k] = (vec3){way[0], way[1], way[2]};
    }
    for (int32_t i = 0; i < q->n_vertices[0] + q->n_vertices[1]; i++)
        g->now.vertices[g->now.n_vertices++] = (int32_t)at[GROUP_WORDS + i];
}

bool group_memory_give(const group_memory *from, groups *g)
{
    group_list *l = &g->now;
    l->n = l->n_vertices = l->n_triangles = 0;
    for (int64_t at = 2 + 2 * count_aged(from); at < from->n;) {
        int64_t words = check_group(from->items + at, from->n - at, g->n_vertices);
        if (words == 0) {
            l->n = l->n_vertices = 0;
            return true;
        }
        if (!ARRAY_RESERVE_MORE(g->m, l->items, l->n, l->room, 1) ||
            !ARRAY_RESERVE_MORE(g->m, l->vertices, l->n_vertices, l->vertex_room, words - GROUP_WORDS))
            return false;
        get_group(from->items + at, g);
        at += words;
    }
    return true;
}
