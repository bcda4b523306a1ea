/* SPDX-License-Identifier: MIT */
/* Linear time: sides are counted into buckets by their lower node, which keeps their order, and the few of a bucket are
 * sorted by the higher one by insertion. */
#include "mesh/sides.h"

#include <assert.h>
#include <string.h>

bool sides_create(sides *s, mem *m, int32_t n_nodes, int32_t capacity)
{
    *s = (sides){.mem = m, .capacity = capacity, .n_nodes = n_nodes};
    return MEM_MAKE(m, s->unsorted, capacity) && MEM_MAKE(m, s->sorted, capacity) && MEM_MAKE(m, s->start, n_nodes + 1);
}

void sides_destroy(sides *s)
{
    if (!s->mem)
        return;
    MEM_FREE(s->mem, s->unsorted, s->capacity);
    MEM_FREE(s->mem, s->sorted, s->capacity);
    MEM_FREE(s->mem, s->start, s->n_nodes + 1);
}

void sides_clear(sides *s)
{
    s->n = 0;
}

void sides_add(sides *s, int32_t from, int32_t to, int32_t owner, int32_t index)
{
    assert(s->n < s->capacity);
    s->unsorted[s->n++] = (side){from, to, owner, index};
}

static int32_t low(const side *a)
{
    return a->from < a->to ? a->from : a->to;
}

static int32_t high(const side *a)
{
    return a->from < a->to ? a->to : a->from;
}

static void insertion_sort_by_high(side *a, int32_t n)
{
    for (int32_t i = 1; i < n; i++) {
        side key = a[i];
        int32_t j = i;
        for (; j > 0 && high(&a[j - 1]) > high(&key); j--)
            a[j] = a[j - 1];
        a[j] = key;
    }
}

void sides_sort(sides *s)
{
    memset(s->start, 0, (size_t)(s->n_nodes + 1) * sizeof *s->start);
    for (int32_t i = 0; i < s->n; i++)
        s->start[low(&s->unsorted[i]) + 1]++;
    for (int32_t v = 0; v < s->n_nodes; v++)
        s->start[v + 1] += s->start[v];
    /* start[v] walks to the end of its bucket, then is moved back by one place. */
    for (int32_t i = 0; i < s->n; i++)
        s->sorted[s->start[low(&s->unsorted[i])]++] = s->unsorted[i];
    for (int32_t v = s->n_nodes; v > 0; v--)
        s->start[v] = s->start[v - 1];
    s->start[0] = 0;
    for (int32_t v = 0; v < s->n_nodes; v++)
        insertion_sort_by_high(s->sorted + s->start[v], s->start[v + 1] - s->start[v]);
}

const side *sides_next(const sides *s, const side *group, int32_t *n)
{
    const side *g = group ? group + *n : s->sorted, *end = s->sorted + s->n;
    if (s->n == 0 || g == end)
        return NULL;
    *n = 1;
    while (g + *n < end && low(g + *n) == low(g) && high(g + *n) == high(g))
        ++*n;
    return g;
}
