/* SPDX-License-Identifier: MIT */
/* Cuts a mesh into what a cloth may be.
 *
 * Idea: a cloth's edges have one or two triangles, which agree in orientation. Triangles are turned, from neighbour to
 * neighbour, to agree with the first of their part. Across an edge of two triangles of one object that agree, corners
 * at the same vertex become one node; across all others (three triangles, a half turn) they stay two, which are sewn
 * together afterwards: they are nodes at one vertex. So a Möbius strip is cut across once, and sewn.
 *
 * Invariants:
 * 1. Every wanted triangle is in one piece, with its vertices, in its order of corners or turned.
 * 2. Of a part, the greater half keeps its orientation. */
#include "repair/pieces.h"

#include "base/union_find.h"

static int corner_of(const int32_t t[3], int32_t vi)
{
    return t[0] == vi ? 0 : t[1] == vi ? 1 : 2;
}

/* Whether triangle ti, as it is in the mesh, runs along the edge from its lower vertex. */
static bool runs_along(const mesh_adjacency *w, int32_t ti, const mesh_adjacency_edge *e)
{
    return w->tri[ti][(corner_of(w->tri[ti], e->v[0]) + 1) % 3] == e->v[1];
}

static bool joins(const mesh_adjacency_edge *e, const int32_t *objects, const uint8_t *wanted)
{
    return e->n_tris == 2 && wanted[e->tri[0]] && wanted[e->tri[1]] &&
           (!objects || objects[e->tri[0]] == objects[e->tri[1]]);
}

/* Turns a part's triangles to agree with the first; then all of it, if that turned most. */
static void orient_part(pieces *p, const mesh_adjacency *w, const int32_t *objects, const uint8_t *wanted,
                        int32_t first, uint8_t *seen, int32_t *queue)
{
    int32_t n = 0, n_turned = 0;
    queue[n++] = first;
    seen[first] = 1;
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const mesh_adjacency_edge *e = &w->edges[w->tri_edge[queue[i]][k]];
            if (!joins(e, objects, wanted))
                continue;
            int32_t to = e->tri[e->tri[0] == queue[i]];
            if (seen[to])
                continue;
            seen[to] = 1;
            p->turned[to] = p->turned[queue[i]] ^ (runs_along(w, queue[i], e) == runs_along(w, to, e));
            n_turned += p->turned[to];
            queue[n++] = to;
        }
    for (int32_t i = 0; i < n && 2 * n_turned > n; i++)
        p->turned[queue[i]] ^= 1;
}

/* Corners at both ends of an edge whose triangles agree are of one node. */
static void join_corners(pieces *p, const mesh_adjacency *w, const mesh_adjacency_edge *e)
{
    int32_t a = e->tri[0], b = e->tri[1];
    bool same_way = runs_along(w, a, e) == runs_along(w, b, e);
    if (same_way != (p->turned[a] != p->turned[b]))
        return;
    for (int k = 0; k < 2; k++)
        union_find_join(p->first, 3 * a + corner_of(w->tri[a], e->v[k]), 3 * b + corner_of(w->tri[b], e->v[k]));
}

static bool count_piece(pieces *p, const int32_t *objects, const uint8_t *wanted, int32_t object, piece *out)
{
    *out = (piece){.object = object};
    for (int32_t ci = 0; ci < p->n_corners; ci++)
        if (wanted[ci / 3] && (objects ? objects[ci / 3] : 0) == object) {
            out->n_triangles += ci % 3 == 0;
            out->n_nodes += p->first[ci] == ci;
        }
    return MEM_MAKE(p->m, out->vertex, out->n_nodes) && MEM_MAKE(p->m, out->triangle, out->n_triangles);
}

static void fill_piece(pieces *p, const mesh_adjacency *w, const int32_t *objects, const uint8_t *wanted, piece *out)
{
    int32_t n = 0, n_triangles = 0;
    for (int32_t ti = 0; ti < w->n_triangles; ti++) {
        if (!wanted[ti] || (objects ? objects[ti] : 0) != out->object)
            continue;
        for (int k = 0; k < 3; k++) {
            int32_t ci = 3 * ti + k, from = p->first[ci];
            if (from == ci) {
                p->node[ci] = n;
                out->vertex[n++] = w->tri[ti][k];
            }
            out->triangle[n_triangles][p->turned[ti] ? 2 - k : k] = p->node[from];
        }
        n_triangles++;
    }
}

static bool make_pieces(pieces *p, const mesh_adjacency *w, const int32_t *objects, const uint8_t *wanted,
                        uint8_t *seen, int32_t *queue)
{
    for (int32_t ti = 0; ti < w->n_triangles; ti++)
        if (wanted[ti] && !seen[ti])
            orient_part(p, w, objects, wanted, ti, seen, queue);
    union_find_begin(p->first, p->n_corners);
    for (int32_t ei = 0; ei < w->n_edges; ei++)
        if (joins(&w->edges[ei], objects, wanted))
            join_corners(p, w, &w->edges[ei]);
    union_find_end(p->first, p->n_corners);
    for (int32_t object = 0; object < p->n_objects; object++) {
        piece *out = &p->items[p->n++];
        if (!count_piece(p, objects, wanted, object, out))
            return false;
        fill_piece(p, w, objects, wanted, out);
    }
    return true;
}

bool pieces_make(pieces *p, mem *m, const mesh_adjacency *w, const int32_t *objects, int32_t n_objects,
                 const uint8_t *wanted)
{
    *p = (pieces){.m = m, .n_objects = n_objects, .n_corners = 3 * w->n_triangles};
    uint8_t *seen = NULL;
    int32_t *queue = NULL;
    bool good = MEM_MAKE(m, p->items, n_objects);
    good = MEM_MAKE(m, p->first, p->n_corners) && good;
    good = MEM_MAKE(m, p->node, p->n_corners) && good;
    good = MEM_MAKE(m, p->turned, w->n_triangles) && good;
    good = MEM_MAKE(m, seen, w->n_triangles) && good;
    good = MEM_MAKE(m, queue, w->n_triangles) && good;
    good = good && make_pieces(p, w, objects, wanted, seen, queue);
    MEM_FREE(m, seen, w->n_triangles);
    MEM_FREE(m, queue, w->n_triangles);
    return good;
}

/* scratch: per triangle, whether its part is closed (0), and has been turned over somewhere (1), or a border
 * (2). */
bool pieces_are_hopeless(const pieces *p, const mesh_adjacency *w, const int32_t *objects, const uint8_t *wanted,
                         int32_t *scratch)
{
    int32_t *lead = scratch, *kind = scratch + w->n_triangles;
    union_find_begin(lead, w->n_triangles);
    for (int32_t ei = 0; ei < w->n_edges; ei++)
        if (joins(&w->edges[ei], objects, wanted))
            union_find_join(lead, w->edges[ei].tri[0], w->edges[ei].tri[1]);
    union_find_end(lead, w->n_triangles);
    for (int32_t ti = 0; ti < w->n_triangles; ti++)
        kind[ti] = 0;
    for (int32_t ei = 0; ei < w->n_edges; ei++) {
        const mesh_adjacency_edge *e = &w->edges[ei];
        int32_t a = e->tri[0], b = e->tri[1];
        if (!joins(e, objects, wanted)) {
            for (int k = 0; k < 2 && e->tri[k] >= 0; k++)
                kind[lead[e->tri[k]]] |= 2;
        } else if ((runs_along(w, a, e) == runs_along(w, b, e)) != (p->turned[a] != p->turned[b]))
            kind[lead[a]] |= 1;
    }
    for (int32_t ti = 0; ti < w->n_triangles; ti++)
        if (kind[ti] == 1)
            return true;
    return false;
}

void pieces_free(pieces *p)
{
    if (!p->m)
        return;
    for (int32_t i = 0; i < p->n; i++) {
        MEM_FREE(p->m, p->items[i].vertex, p->items[i].n_nodes);
        MEM_FREE(p->m, p->items[i].triangle, p->items[i].n_triangles);
    }
    MEM_FREE(p->m, p->items, p->n_objects);
    MEM_FREE(p->m, p->first, p->n_corners);
    MEM_FREE(p->m, p->node, p->n_corners);
    MEM_FREE(p->m, p->turned, p->n_corners / 3);
}
