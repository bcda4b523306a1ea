/* SPDX-License-Identifier: MIT */
/* Which triangles meet at which edge, and which of them owns an edge or a vertex.
 *
 * Half-edges are sorted by the lower of their two common nodes (one pass of counting), then each short row by the
 * higher one. Edges are unique by the nodes' own numbers, neighbours are found by the common ones: so a seam has two
 * edges, but its triangles are neighbours. The first triangle that has an edge or a vertex owns it. */
#include "bvh/bvh_inside.h"

#include <stdlib.h>
#include <string.h>

typedef struct half {
    int32_t high; /* common node */
    int32_t he;
} half;

static int32_t tail(const bvh_input *in, int32_t he)
{
    return in->triangles[he / 3][he % 3];
}

static int32_t head(const bvh_input *in, int32_t he)
{
    return in->triangles[he / 3][(he % 3 + 1) % 3];
}

static int compare_halves(const void *a, const void *b)
{
    const half *p = a, *q = b;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return (p->he > q->he) - (p->he < q->he);
}

static void sort_row(half *row, int32_t n)
{
    if (n > 16) {
        qsort(row, (size_t)n, sizeof *row, compare_halves);
        return;
    }
    for (int32_t i = 1; i < n; i++) {
        half h = row[i];
        int32_t j = i;
        for (; j > 0 && compare_halves(&row[j - 1], &h) > 0; j--)
            row[j] = row[j - 1];
        row[j] = h;
    }
}

/* Unique edges among half-edges of one pair of common nodes. Rows are one or two long, but for bad meshes. */
static void number_half_edges(half_edges *s, const bvh_input *in, const half *row, int32_t n)
{
    int32_t *edge = s->edge;
    for (int32_t i = 0; i < n; i++) {
        int32_t a = tail(in, row[i].he), b = head(in, row[i].he), found = -1;
        for (int32_t j = i - 1; j >= 0 && j >= i - 64 && found < 0; j--) {
            const bvh_edge *e = &s->edges[edge[row[j].he]];
            if ((e->node[0] == a && e->node[1] == b) || (e->node[0] == b && e->node[1] == a))
                found = edge[row[j].he];
        }
        if (found < 0) {
            found = s->n_edges++;
            s->edges[found] = (bvh_edge){{a, b}};
            s->owns[row[i].he / 3] |= (uint8_t)(8 << row[i].he % 3);
        }
        edge[row[i].he] = found;
    }
}

static void match_twins(half_edges *s, const bvh_input *in, const half *row, int32_t n)
{
    if (n != 2 || row[0].he / 3 == row[1].he / 3)
        return;
    int32_t a = row[0].he, b = row[1].he;
    if (common_of(in, tail(in, a)) == common_of(in, head(in, b)) &&
        common_of(in, head(in, a)) == common_of(in, tail(in, b))) {
        s->twin[a] = b;
        s->twin[b] = a;
    }
}

static void take_rows(half_edges *s, const bvh_input *in, half *row, int32_t n)
{
    sort_row(row, n);
    for (int32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && row[end].high == row[i].high; end++)
            ;
        number_half_edges(s, in, row + i, end - i);
        match_twins(s, in, row + i, end - i);
    }
}

static void sort_halves(const bvh_input *in, int32_t *start, half *halves)
{
    int32_t n = 3 * in->n_triangles;
    for (int32_t he = 0; he < n; he++) {
        int32_t a = common_of(in, tail(in, he)), b = common_of(in, head(in, he));
        start[(a < b ? a : b) + 1]++;
    }
    for (int32_t vi = 0; vi < in->n_nodes; vi++)
        start[vi + 1] += start[vi];
    for (int32_t he = 0; he < n; he++) {
        int32_t a = common_of(in, tail(in, he)), b = common_of(in, head(in, he));
        halves[start[a < b ? a : b]++] = (half){a < b ? b : a, he};
    }
    for (int32_t vi = in->n_nodes; vi > 0; vi--)
        start[vi] = start[vi - 1];
    start[0] = 0;
}

static void own_vertices(half_edges *s, const bvh_input *in, int32_t *taken)
{
    for (int32_t he = 0; he < 3 * in->n_triangles; he++) {
        int32_t vi = tail(in, he);
        if (!taken[vi]) {
            taken[vi] = 1;
            s->owns[he / 3] |= (uint8_t)(1 << he % 3);
        }
    }
}

bool half_edges_create(half_edges *s, mem *m, const bvh_input *in)
{
    int32_t n = in->n_triangles;
    half *halves = NULL;
    int32_t *start = NULL;
    *s = (half_edges){0};
    bool ok = MEM_MAKE(m, s->edges, 3 * (int64_t)n) && MEM_MAKE(m, s->edge, 3 * (int64_t)n) &&
              MEM_MAKE(m, s->twin, 3 * (int64_t)n) && MEM_MAKE(m, s->owns, n) && MEM_MAKE(m, halves, 3 * (int64_t)n) &&
              MEM_MAKE(m, start, in->n_nodes + 1);
    if (ok && n > 0) {
        memset(s->twin, -1, 3 * (size_t)n * sizeof *s->twin);
        own_vertices(s, in, start);
        memset(start, 0, ((size_t)in->n_nodes + 1) * sizeof *start);
        sort_halves(in, start, halves);
        for (int32_t vi = 0; vi < in->n_nodes; vi++)
            take_rows(s, in, halves + start[vi], start[vi + 1] - start[vi]);
    }
    MEM_FREE(m, halves, 3 * (int64_t)n);
    MEM_FREE(m, start, in->n_nodes + 1);
    if (!ok)
        half_edges_destroy(s, m, n);
    return ok;
}

void half_edges_destroy(half_edges *s, mem *m, int32_t n_triangles)
{
    MEM_FREE(m, s->edges, 3 * (int64_t)n_triangles);
    MEM_FREE(m, s->edge, 3 * (int64_t)n_triangles);
    MEM_FREE(m, s->twin, 3 * (int64_t)n_triangles);
    MEM_FREE(m, s->owns, n_triangles);
}
