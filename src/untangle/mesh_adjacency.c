/* SPDX-License-Identifier: MIT */
/* Adjacency by sorting: vertices by place, so that those at one place get the number of the first of them; then half
 * edges by their two vertices, so that the triangles at an edge come one after the other; then edges are counted out to
 * their vertices. Edges of three triangles or more keep the first two, and the count tells.
 *
 * Invariants: 1. edges stand by their lower, then their higher vertex, each once; 2. edges of a vertex stand by number;
 * 3. a triangle that names a vertex twice has no edges. */
#include "untangle/mesh_adjacency.h"

#include <string.h>

#include "base/sort.h"

typedef struct placed {
    vec3 x;
    int32_t vi;
} placed;

static int compare_coordinates(double a, double b)
{
    return a < b ? -1 : a > b;
}

static int order_placed(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    int c = compare_coordinates(p->x.x, q->x.x);
    if (c == 0)
        c = compare_coordinates(p->x.y, q->x.y);
    return c != 0 ? c : compare_coordinates(p->x.z, q->x.z);
}

/* The sort is stable, so the first of equal ones has the lowest number. */
static bool find_same_vertices(mesh_adjacency *w, const vec3 *x)
{
    int32_t n = w->n_vertices;
    placed *all, *scratch;
    bool good = MEM_MAKE(w->m, all, n);
    good = MEM_MAKE(w->m, scratch, n) && good;
    for (int32_t i = 0; good && i < n; i++)
        all[i] = (placed){x[i], i};
    if (good && n > 0)
        sort_items(all, scratch, n, sizeof *all, order_placed);
    for (int32_t i = 0, first = 0; good && i < n; i++) {
        if (order_placed(&all[first], &all[i]) != 0)
            first = i;
        w->same[all[i].vi] = all[first].vi;
    }
    MEM_FREE(w->m, all, n);
    MEM_FREE(w->m, scratch, n);
    return good;
}

typedef struct half {
    int32_t a, b, tri, corner;
} half;

static int order_halves(const void *a, const void *b)
{
    const half *p = a, *q = b;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static int32_t list_halves(mesh_adjacency *w, half *out)
{
    int32_t n = 0;
    for (int32_t ti = 0; ti < w->n_triangles; ti++) {
        const int32_t *t = w->tri[ti];
        bool good = t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
        for (int i = 0; i < 3; i++) {
            int32_t a = t[i], b = t[(i + 1) % 3];
            w->tri_edge[ti][i] = -1;
            if (good)
                out[n++] = (half){a < b ? a : b, a < b ? b : a, ti, i};
        }
    }
    return n;
}

static void number_adjacent_edges(mesh_adjacency *w, const half *halves, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        const half *h = &halves[i];
        if (i == 0 || order_halves(&halves[i - 1], h) != 0)
            w->edges[w->n_edges++] = (mesh_adjacency_edge){{h->a, h->b}, {-1, -1}, 0};
        mesh_adjacency_edge *e = &w->edges[w->n_edges - 1];
        if (e->n_tris < 2)
            e->tri[e->n_tris] = h->tri;
        e->n_tris++;
        w->tri_edge[h->tri][h->corner] = w->n_edges - 1;
    }
}

static bool find_adjacent_edges(mesh_adjacency *w)
{
    half *halves, *scratch;
    int64_t room = 3 * (int64_t)w->n_triangles;
    bool good = MEM_MAKE(w->m, halves, room);
    good = MEM_MAKE(w->m, scratch, room) && good;
    if (good) {
        int32_t n = list_halves(w, halves);
        if (n > 0)
            sort_items(halves, scratch, n, sizeof *halves, order_halves);
        number_adjacent_edges(w, halves, n);
    }
    MEM_FREE(w->m, halves, room);
    MEM_FREE(w->m, scratch, room);
    return good;
}

static void find_vertex_edges(mesh_adjacency *w)
{
    for (int32_t ei = 0; ei < w->n_edges; ei++)
        for (int k = 0; k < 2; k++)
            w->next_start[w->edges[ei].v[k] + 1]++;
    for (int32_t vi = 0; vi < w->n_vertices; vi++)
        w->next_start[vi + 1] += w->next_start[vi];
    for (int32_t ei = w->n_edges - 1; ei >= 0; ei--)
        for (int k = 0; k < 2; k++)
            w->next_edge[--w->next_start[w->edges[ei].v[k] + 1]] = ei;
    /* Now entry i + 1 is where vertex i begins. */
    memmove(w->next_start, w->next_start + 1, (size_t)w->n_vertices * sizeof *w->next_start);
    w->next_start[w->n_vertices] = 2 * w->n_edges;
}

static bool make_adjacency_arrays(mesh_adjacency *w, mem *m, int32_t n_vertices, int32_t n_triangles)
{
    *w = (mesh_adjacency){.m = m, .n_vertices = n_vertices, .n_triangles = n_triangles};
    int64_t n = n_triangles;
    bool good = MEM_MAKE(m, w->tri, n);
    good = MEM_MAKE(m, w->tri_edge, n) && good;
    good = MEM_MAKE(m, w->edges, 3 * n) && good;
    good = MEM_MAKE(m, w->same, n_vertices) && good;
    good = MEM_MAKE(m, w->next_start, n_vertices + 2) && good;
    return MEM_MAKE(m, w->next_edge, 6 * n) && good;
}

static bool join_vertices(mesh_adjacency *w, const int32_t (*tri)[3])
{
    for (int32_t ti = 0; ti < w->n_triangles; ti++)
        for (int i = 0; i < 3; i++)
            w->tri[ti][i] = w->same[tri[ti][i]];
    if (!find_adjacent_edges(w))
        return false;
    find_vertex_edges(w);
    return true;
}

bool mesh_adjacency_make(mesh_adjacency *w, mem *m, int32_t n_vertices, const vec3 *x, int32_t n_triangles,
                         const int32_t (*tri)[3])
{
    return make_adjacency_arrays(w, m, n_vertices, n_triangles) && find_same_vertices(w, x) && join_vertices(w, tri);
}

bool mesh_adjacency_make_sewn(mesh_adjacency *w, mem *m, int32_t n_vertices, const int32_t *same, int32_t n_triangles,
                              const int32_t (*tri)[3])
{
    if (!make_adjacency_arrays(w, m, n_vertices, n_triangles))
        return false;
    for (int32_t vi = 0; vi < n_vertices; vi++)
        w->same[vi] = same[vi];
    return join_vertices(w, tri);
}

void mesh_adjacency_free(mesh_adjacency *w)
{
    if (!w->m)
        return;
    int64_t n = w->n_triangles;
    MEM_FREE(w->m, w->tri, n);
    MEM_FREE(w->m, w->tri_edge, n);
    MEM_FREE(w->m, w->edges, 3 * n);
    MEM_FREE(w->m, w->same, w->n_vertices);
    MEM_FREE(w->m, w->next_start, w->n_vertices + 2);
    MEM_FREE(w->m, w->next_edge, 6 * n);
    *w = (mesh_adjacency){0};
}
