/* SPDX-License-Identifier: MIT */
/* What held nodes alone force on the cloth between them, whatever a solver does.
 *
 *  * Along any path of edges from one held node to another the cloth is no longer than Σ rest length · limit while
 * no edge is beyond its limit. So where two held nodes are farther apart than that along the shortest path, some
 * edge is beyond it by at least the ratio of the two. Paths are by Dijkstra's algorithm, from a node of each
 * attachment and then on from the other end of the worst pair found so far, until there is none worse: what is found
 * is proven, but a pair may be missed. Colliders between held nodes force more; that is not looked at. */
#include <string.h>

#include "sim/params.h"
#include "sim/phases.h"

/* Edges that have a limit, by their nodes; welded nodes are one. */
typedef struct edge_graph {
    const model *m;
    const vec3 *q;
    int32_t *start, *other; /* of each node: its edges' other ends … */
    double *length;         /* … and most lengths, m */
    double *distance;       /* from the source, m */
    int32_t *heap, *place;  /* nodes by distance; where a node is in the heap, or −1 */
    int32_t n_heap;
} edge_graph;

static int32_t node_of(const model *m, int32_t vi)
{
    return m->rows[vi].dof[1] < 0 ? m->rows[vi].dof[0] : vi;
}

static void add_ends(edge_graph *g, bool fill)
{
    const edge_element *edges = g->m->forces.edges.items;
    for (int32_t i = 0; i < g->m->forces.edges.n; i++) {
        const edge_par *p = forces_edge(&g->m->forces, &edges[i]);
        for (int k = 0; p->taut > 0 && k < 2; k++) {
            int32_t a = node_of(g->m, edges[i].node[k]);
            if (fill) {
                g->other[g->start[a]] = node_of(g->m, edges[i].node[1 - k]);
                g->length[g->start[a]] = p->length * edge_limit(p);
            }
            g->start[a] += 1;
        }
    }
}

/* Counts become starts, one after the other; after the lists are filled they are moved back by one. */
static bool make_graph(edge_graph *g, arena *scratch)
{
    int32_t n = g->m->n, sum = 0;
    if (!ARENA_TAKE(scratch, g->start, n + 1) || !ARENA_TAKE(scratch, g->other, 2 * g->m->forces.edges.n) ||
        !ARENA_TAKE(scratch, g->length, 2 * g->m->forces.edges.n) || !ARENA_TAKE(scratch, g->distance, n) ||
        !ARENA_TAKE(scratch, g->heap, n) || !ARENA_TAKE(scratch, g->place, n))
        return false;
    memset(g->start, 0, ((size_t)n + 1) * sizeof *g->start);
    add_ends(g, false);
    for (int32_t i = 0; i <= n; i++) {
        int32_t own = g->start[i];
        g->start[i] = sum;
        sum += own;
    }
    add_ends(g, true);
    memmove(g->start + 1, g->start, (size_t)n * sizeof *g->start);
    g->start[0] = 0;
    return true;
}

/* ---- Dijkstra's algorithm ---------------------------------------------------------------------------------------- */

static void put(edge_graph *g, int32_t at, int32_t node)
{
    g->heap[at] = node;
    g->place[node] = at;
}

static void sift_up(edge_graph *g, int32_t at)
{
    int32_t node = g->heap[at];
    for (; at > 0 && g->distance[node] < g->distance[g->heap[(at - 1) / 2]]; at = (at - 1) / 2)
        put(g, at, g->heap[(at - 1) / 2]);
    put(g, at, node);
}

static int32_t take_nearest(edge_graph *g)
{
    int32_t nearest = g->heap[0], node = g->heap[--g->n_heap], at = 0;
    for (int32_t child = 1; child < g->n_heap; child = 2 * at + 1) {
        child += child + 1 < g->n_heap && g->distance[g->heap[child + 1]] < g->distance[g->heap[child]];
        if (g->distance[node] <= g->distance[g->heap[child]])
            break;
        put(g, at, g->heap[child]);
        at = child;
    }
    put(g, at, node);
    g->place[nearest] = -1;
    return nearest;
}

static void reach_node(edge_graph *g, int32_t node, double distance)
{
    if (!(distance < g->distance[node]))
        return;
    g->distance[node] = distance;
    if (g->place[node] < 0)
        put(g, g->n_heap++, node);
    sift_up(g, g->place[node]);
}

static void find_distances(edge_graph *g, int32_t source)
{
    for (int32_t i = 0; i < g->m->n; i++) {
        g->distance[i] = HUGE_VAL;
        g->place[i] = -1;
    }
    g->n_heap = 0;
    reach_node(g, source, 0);
    while (g->n_heap > 0) {
        int32_t node = take_nearest(g);
        for (int32_t k = g->start[node]; k < g->start[node + 1]; k++)
            reach_node(g, g->other[k], g->distance[node] + g->length[k]);
    }
}

/* ---- held nodes -------------------------------------------------------------------------------------------------- */

static bool is_held_fast(const model *m, int32_t i)
{
    return m->rows[i].dof[0] == i && m->rows[i].dof[1] < 0 && m->filters[i].kind == FREEDOM_NONE;
}

/* The worst of all held nodes with the source; *other: which. */
static double worst_of_source(edge_graph *g, int32_t source, int32_t *other)
{
    double worst = 0;
    find_distances(g, source);
    for (int32_t i = 0; i < g->m->n; i++) {
        if (!is_held_fast(g->m, i) || !(g->distance[i] > 0) || !(g->distance[i] < HUGE_VAL))
            continue;
        double ratio = v3_len(v3_sub(g->q[i], g->q[source])) / g->distance[i];
        if (ratio > worst) {
            worst = ratio;
            *other = i;
        }
    }
    return worst;
}

/* From one held node to the next that is worst for it. */
static double climb_to_worst(edge_graph *g, int32_t source, double worst)
{
    for (int k = 0; k < FORCED_CLIMBS; k++) {
        int32_t other = source;
        double found = worst_of_source(g, source, &other);
        if (!(found > worst))
            break;
        worst = found;
        source = other;
    }
    return worst;
}

double forced_stretch(const model *m, const vec3 *q)
{
    edge_graph g = {.m = m, .q = q};
    double worst = 0;
    arena_mark before = arena_mark_of(m->scratch);
    bool ok = m->forces.stiffened && make_graph(&g, m->scratch);
    for (int32_t i = 0, n = 0; ok && i < m->defs->attachments.n && n < FORCED_SOURCES; i++) {
        const attachment *a = m->defs->attachments.items[i].item;
        if (!a || !a->holds || a->n == 0)
            continue;
        int32_t node = m->rows[definitions_cloth(m->defs, a->cloth)->offset + a->nodes[0]].dof[0];
        if (is_held_fast(m, node)) {
            worst = climb_to_worst(&g, node, worst);
            n++;
        }
    }
    arena_release(m->scratch, before);
    return worst;
}
