/* SPDX-License-Identifier: MIT */
/* T-junctions in a mesh that is given. Where a large element lies beside small ones, its edge from a to b and the
 * small ones' edges a–m, m–b are three borders: the mesh looks whole and opens as soon as it moves. Levels of a forest
 * meet in this way too, but a forest knows which nodes hang; a mesh from outside may not have them.
 *
 *     a───m───b      from a, a chain of other borders runs along the edge a–b to b
 *     │       │
 *
 * Only chains that end at b count, at rest: cloth that is folded flat in space, or the mouth of a bag, may have borders
 * that lie along each other from one end on. */
#include "mesh/crack.h"

#include "mesh/params.h"

typedef struct borders {
    const surface *s;
    int32_t *start; /* by node, where its edges begin in `edge`; n_nodes + 1 */
    int32_t *edge;  /* borders at each node */
} borders;

static vec3 rest_at(const surface *s, int32_t vi)
{
    return s->uv ? v3(s->uv[vi].u, s->uv[vi].v, 0) : s->rest[vi];
}

/* Counted, summed to where each node's edges end, filled from there to where they begin. */
static void collect_borders(borders *b)
{
    const surface *s = b->s;
    for (int32_t ei = 0; ei < s->n_edges; ei++)
        for (int k = 0; k < 2 && surface_is_border(s, ei); k++)
            b->start[s->edges[ei].node[k]]++;
    for (int32_t vi = 0; vi < s->n_nodes; vi++)
        b->start[vi + 1] += b->start[vi];
    for (int32_t ei = 0; ei < s->n_edges; ei++)
        for (int k = 0; k < 2 && surface_is_border(s, ei); k++)
            b->edge[--b->start[s->edges[ei].node[k]]] = ei;
}

/* The next node along the whole edge, beyond the part *t of it; -1: none. */
static int32_t next_on(const borders *b, const edge *whole, int32_t vi, double *t)
{
    const surface *s = b->s;
    vec3 from = rest_at(s, whole->node[0]), way = v3_sub(rest_at(s, whole->node[1]), from);
    double length_sq = v3_len_sq(way), best = 2;
    int32_t next = -1;
    for (int32_t k = b->start[vi]; k < b->start[vi + 1]; k++) {
        const edge *ed = &s->edges[b->edge[k]];
        int32_t other = ed->node[0] == vi ? ed->node[1] : ed->node[0];
        vec3 d = v3_sub(rest_at(s, other), from);
        double part = v3_dot(d, way) / length_sq, off_sq = v3_len_sq(v3_madd(d, -part, way));
        bool beyond = part > *t + CRACK_ON_LINE && part < best && part <= 1 + CRACK_ON_LINE;
        if (ed != whole && beyond && off_sq <= CRACK_ON_LINE * CRACK_ON_LINE * length_sq) {
            next = other;
            best = part;
        }
    }
    *t = best;
    return next;
}

/* A node within an edge, of a chain of borders from one of its ends to the other; -1: none. */
static int32_t node_within(const borders *b, const edge *whole)
{
    double t = 0;
    int32_t first = next_on(b, whole, whole->node[0], &t), vi = first;
    while (vi >= 0 && vi != whole->node[1])
        vi = next_on(b, whole, vi, &t);
    return vi < 0 ? -1 : first;
}

static weft_result find_crack(const borders *b, weft_error *e)
{
    const surface *s = b->s;
    for (int32_t ei = 0; ei < s->n_edges; ei++) {
        const edge *ed = &s->edges[ei];
        int32_t vi = surface_is_border(s, ei) ? node_within(b, ed) : -1;
        if (vi >= 0)
            return error_set(e, WEFT_ERROR_NON_MANIFOLD, ed->element[0],
                             "node %d lies in the edge between nodes %d and %d, which does not have it (a T-junction)",
                             vi, ed->node[0], ed->node[1]);
    }
    return WEFT_OK;
}

weft_result crack_check(const surface *s, weft_error *e)
{
    borders b = {.s = s};
    int32_t n = 0;
    for (int32_t ei = 0; ei < s->n_edges; ei++)
        n += surface_is_border(s, ei) ? 2 : 0;
    weft_result r = WEFT_OK;
    if (MEM_MAKE(s->mem, b.start, s->n_nodes + 1) && MEM_MAKE(s->mem, b.edge, n)) {
        collect_borders(&b);
        r = find_crack(&b, e);
    } else {
        r = error_memory(e);
    }
    MEM_FREE(s->mem, b.start, s->n_nodes + 1);
    MEM_FREE(s->mem, b.edge, n);
    return r;
}
