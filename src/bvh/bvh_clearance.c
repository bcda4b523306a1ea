/* SPDX-License-Identifier: MIT */
/* How far each node is from what it does not belong to.
 *
 * The walk by boxes finds the pairs, no zone is skipped: on a smooth surface the nearest thing is the next triangle but
 * one, and that counts. Distances are found in blocks of pairs, then every node of a pair takes the least. */
#include "math/nearest_pair.h"
#include "bvh/bvh_inside.h"

typedef struct measure {
    const bvh *t;
    double *vertex_triangle, *edge_edge;
    const int32_t (*triangles)[3]; /* by the user's numbers */
} measure;

static void measure_vertices(void *context, int32_t block)
{
    const measure *m = context;
    const pair_store *s = &m->t->stores[0];
    const vec3 *x = m->t->x0;
    int64_t first = (int64_t)block * BVH_CLEARANCE_PAIRS,
            end = first + BVH_CLEARANCE_PAIRS < s->n ? first + BVH_CLEARANCE_PAIRS : s->n;
    for (int64_t i = first; i < end; i++) {
        const int32_t *v = m->triangles[s->found[i].b];
        m->vertex_triangle[i] = nearest_point_triangle(x[s->found[i].a], x[v[0]], x[v[1]], x[v[2]]);
    }
}

static void measure_edge_pairs(void *context, int32_t block)
{
    const measure *m = context;
    const pair_store *s = &m->t->stores[1];
    const vec3 *x = m->t->x0;
    int64_t first = (int64_t)block * BVH_CLEARANCE_PAIRS,
            end = first + BVH_CLEARANCE_PAIRS < s->n ? first + BVH_CLEARANCE_PAIRS : s->n;
    for (int64_t i = first; i < end; i++) {
        const int32_t *a = m->t->edges[s->found[i].a].node, *b = m->t->edges[s->found[i].b].node;
        m->edge_edge[i] = nearest_edges(x[a[0]], x[a[1]], x[b[0]], x[b[1]]);
    }
}

static void lower_distance(double *distance, const int32_t *nodes, int n, double d)
{
    for (int k = 0; k < n; k++)
        distance[nodes[k]] = min_of(distance[nodes[k]], d);
}

static void take_least(const measure *m, double *distance)
{
    const pair_store *vt = &m->t->stores[0], *ee = &m->t->stores[1];
    for (int64_t i = 0; i < vt->n; i++) {
        lower_distance(distance, &vt->found[i].a, 1, m->vertex_triangle[i]);
        lower_distance(distance, m->triangles[vt->found[i].b], 3, m->vertex_triangle[i]);
    }
    for (int64_t i = 0; i < ee->n; i++) {
        lower_distance(distance, m->t->edges[ee->found[i].a].node, 2, m->edge_edge[i]);
        lower_distance(distance, m->t->edges[ee->found[i].b].node, 2, m->edge_edge[i]);
    }
}

/* Room for distances of what the last walk found. */
static bool make_distance_room(bvh *t)
{
    for (int s = 0; s < 2; s++) {
        int64_t n = t->stores[s].n;
        if (n <= t->n_distances[s])
            continue;
        MEM_FREE(t->mem, t->distances[s], t->n_distances[s]);
        t->n_distances[s] = 0;
        if (!MEM_MAKE(t->mem, t->distances[s], n + n / 4))
            return false;
        t->n_distances[s] = n + n / 4;
    }
    return true;
}

/* Triangles by the user's numbers; made when first asked for. */
static bool list_by_id(bvh *t)
{
    if (t->by_id)
        return true;
    if (!MEM_MAKE(t->mem, t->by_id, t->n_triangles))
        return false;
    for (int32_t ti = 0; ti < t->n_triangles; ti++)
        for (int k = 0; k < 3; k++)
            t->by_id[t->id[ti]][k] = t->node[3 * ti + k];
    return true;
}

weft_result bvh_clearance(bvh *t, pool *p, double radius, int64_t limit, double *distance, weft_error *e)
{
    bvh_counters counters;
    bvh_query q = {.mode = BVH_CLASSICAL, .limit = limit};
    if (t->x1 || !(radius > 0 && radius <= 2 * t->inflate))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "radius %g m, but boxes were enlarged by %g m%s", radius,
                         t->inflate, t->x1 ? " over a motion" : "");
    weft_result r = walk_all(t, p, &q, visit_primitives, &counters, e);
    if (r != WEFT_OK)
        return r;
    if (!make_distance_room(t) || !list_by_id(t))
        return error_memory(e);
    measure m = {t, t->distances[0], t->distances[1], (const int32_t(*)[3])t->by_id};
    pool_for(p, (int32_t)((t->stores[0].n + BVH_CLEARANCE_PAIRS - 1) / BVH_CLEARANCE_PAIRS), measure_vertices, &m);
    pool_for(p, (int32_t)((t->stores[1].n + BVH_CLEARANCE_PAIRS - 1) / BVH_CLEARANCE_PAIRS), measure_edge_pairs, &m);
    for (int32_t vi = 0; vi < t->n_nodes; vi++)
        distance[vi] = radius;
    take_least(&m, distance);
    return WEFT_OK;
}
