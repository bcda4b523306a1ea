/* SPDX-License-Identifier: MIT */
/* Making a tree and ending it: the input is checked, zones are formed (bvh_draft.c) and laid out (bvh_layout.c), then
 * neighbours and contours are found. */
#include "bvh/bvh_inside.h"

#include <string.h>

static weft_result check_input_triangles(const bvh_input *in, weft_error *e)
{
    for (int32_t ti = 0; ti < in->n_triangles; ti++) {
        for (int k = 0; k < 3; k++) {
            int32_t vi = in->triangles[ti][k];
            if (vi < 0 || vi >= in->n_nodes)
                return error_set(e, WEFT_ERROR_INDEX, ti, "triangle %d names node %d of %d", ti, vi, in->n_nodes);
        }
        if (in->object && (in->object[ti] < 0 || in->object[ti] >= in->n_objects))
            return error_set(e, WEFT_ERROR_INDEX, ti, "triangle %d is of object %d of %d", ti, in->object[ti],
                             in->n_objects);
        if (in->element && (in->element[ti] < 0 || in->element[ti] >= in->n_elements))
            return error_set(e, WEFT_ERROR_INDEX, ti, "triangle %d is of element %d of %d", ti, in->element[ti],
                             in->n_elements);
    }
    return WEFT_OK;
}

static weft_result check_same_nodes(const bvh_input *in, weft_error *e)
{
    for (int32_t vi = 0; vi < in->n_nodes; vi++) {
        if (!v3_is_finite(in->x[vi]))
            return error_set(e, WEFT_ERROR_NOT_FINITE, vi, "node %d is not at a finite place", vi);
        if (!in->same)
            continue;
        int32_t same = in->same[vi];
        if (same < 0 || same >= in->n_nodes || in->same[same] != same)
            return error_set(e, WEFT_ERROR_INDEX, vi, "node %d is one with node %d, which is not one with itself", vi,
                             same);
    }
    return WEFT_OK;
}

/* Parents must be in range, and the chain upward must end. */
static weft_result check_element_tree(const bvh_input *in, weft_error *e)
{
    for (int32_t i = 0; in->element && in->element_parent && i < in->n_elements; i++) {
        int32_t up = in->element_parent[i], n_up = 0;
        if (up < -1 || up >= in->n_elements)
            return error_set(e, WEFT_ERROR_INDEX, i, "element %d has element %d of %d as parent", i, up,
                             in->n_elements);
        for (; up >= 0 && n_up < 64; n_up++)
            up = in->element_parent[up];
        if (n_up == 64)
            return error_set(e, WEFT_ERROR_RANGE, i, "element %d is more than 64 levels deep", i);
    }
    return WEFT_OK;
}

static weft_result check_input(const bvh_input *in, weft_error *e)
{
    enum { MOST_THINGS = 1 << 28 };
    if (!in || in->n_nodes < 0 || in->n_triangles < 0 || in->n_elements < 0 ||
        (in->n_triangles > 0 && !in->triangles) || (in->n_nodes > 0 && !in->x))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the triangles or the nodes of a tree are missing");
    if (in->n_triangles > MOST_THINGS || in->n_nodes > MOST_THINGS || in->n_elements > MOST_THINGS)
        return error_set(e, WEFT_ERROR_LIMIT, -1, "%d triangles, %d nodes, %d elements: at most %d of each",
                         in->n_triangles, in->n_nodes, in->n_elements, MOST_THINGS);
    weft_result r = check_same_nodes(in, e);
    if (r == WEFT_OK)
        r = check_input_triangles(in, e);
    return r == WEFT_OK ? check_element_tree(in, e) : r;
}

static weft_result lay_out_tree(bvh *t, const bvh_input *in, const half_edges *s, const draft *d)
{
    if (!MEM_MAKE(t->mem, t->edges, s->n_edges))
        return WEFT_ERROR_MEMORY;
    if (s->n_edges > 0)
        memcpy(t->edges, s->edges, (size_t)s->n_edges * sizeof *t->edges);
    t->n_edges = s->n_edges;
    return bvh_lay_out(t, in, s, d) ? WEFT_OK : WEFT_ERROR_MEMORY;
}

/* above: zones to keep; NULL: they are formed, and remembered. */
static bool copy_filters(bvh *t, const bvh_input *in)
{
    if (!in->filters)
        return true;
    if (!MEM_MAKE(t->mem, t->filters, t->n_objects))
        return false;
    memcpy(t->filters, in->filters, (size_t)t->n_objects * sizeof *in->filters);
    return true;
}

static weft_result build_tree(bvh *t, const bvh_input *in, const upper_zones *above)
{
    half_edges s;
    draft d = {0};
    weft_result r = WEFT_ERROR_MEMORY;
    if (!half_edges_create(&s, t->mem, in))
        return r;
    if (above)
        r = draft_under(&d, t->mem, in, above);
    else if (draft_create(&d, t->mem, in, &s) && (!in->updates || upper_zones_create(&t->upper_zones, t->mem, &d)))
        r = WEFT_OK;
    if (r == WEFT_OK)
        r = lay_out_tree(t, in, &s, &d);
    if (r == WEFT_OK && !copy_filters(t, in))
        r = WEFT_ERROR_MEMORY;
    draft_destroy(&d, t->mem);
    half_edges_destroy(&s, t->mem, in->n_triangles);
    return r;
}

static bool take_directions(bvh *t, directions **spare)
{
    if (spare && *spare) {
        t->directions = *spare;
        *spare = NULL;
        return true;
    }
    if (!MEM_MAKE(t->mem, t->directions, 1))
        return false;
    directions_fill(t->directions);
    return true;
}

weft_result bvh_create(mem *m, const bvh_input *in, bvh **out, weft_error *e)
{
    *out = NULL;
    weft_result r = check_input(in, e);
    if (r != WEFT_OK)
        return r;
    bvh *t;
    if (!MEM_MAKE(m, t, 1))
        return error_memory(e);
    t->mem = m;
    arena_init(&t->own_scratch, m);
    t->scratch = in->scratch ? in->scratch : &t->own_scratch;
    if (!take_directions(t, in->spare) || build_tree(t, in, NULL) != WEFT_OK) {
        bvh_leave(t, in->spare);
        return error_memory(e);
    }
    *out = t;
    return WEFT_OK;
}

/* What is made anew when the mesh changes. */
static void free_tree_of_mesh(bvh *t)
{
    mem *m = t->mem;
    int32_t n = t->n_triangles;
    MEM_FREE(m, t->id, n);
    if (t->common != t->node)
        MEM_FREE(m, t->common, 3 * (int64_t)n);
    MEM_FREE(m, t->node, 3 * (int64_t)n);
    MEM_FREE(m, t->twin, 3 * (int64_t)n);
    MEM_FREE(m, t->owns, n);
    MEM_FREE(m, t->by_id, n);
    MEM_FREE(m, t->corner_at, 3 * (int64_t)n);
    MEM_FREE(m, t->vertex_at, t->n_nodes);
    MEM_FREE(m, t->edge_at, t->n_edges);
    MEM_FREE(m, t->leaf_nodes, t->n_leaf_nodes);
    MEM_FREE(m, t->pairs, t->n_pairs);
    MEM_FREE(m, t->halved, t->n_fitted - t->n_zones);
    MEM_FREE(m, t->apart, t->n_apart);
    MEM_FREE(m, t->vertices, t->n_nodes);
    MEM_FREE(m, t->edge_id, t->n_edges);
    MEM_FREE(m, t->vertex_common, t->n_nodes);
    MEM_FREE(m, t->edge_common, t->n_edges);
    MEM_FREE(m, t->edges, t->n_edges);
    MEM_FREE(m, t->zones, t->n_zones);
    MEM_FREE(m, t->filters, t->n_objects);
    MEM_FREE(m, t->proven_at, t->n_zones);
    cones_destroy(t);
    MEM_FREE(m, t->neighbour_start, t->n_zones);
    MEM_FREE(m, t->neighbour_count, t->n_zones);
    MEM_FREE(m, t->neighbours, t->n_neighbours);
    MEM_FREE(m, t->contour_start, t->n_zones);
    MEM_FREE(m, t->contour_count, t->n_zones);
    MEM_FREE(m, t->contour_loops, t->n_zones);
    MEM_FREE(m, t->contours, t->n_contours);
    MEM_FREE(m, t->rim_node, t->n_sides);
    MEM_FREE(m, t->stretches, t->n_neighbours);
    MEM_FREE(m, t->depth_start, t->depth + 1);
}

weft_result bvh_update(bvh *t, const bvh_input *in, weft_error *e)
{
    weft_result r = check_input(in, e);
    if (r != WEFT_OK)
        return r;
    bvh fresh = {.mem = t->mem};
    r = build_tree(&fresh, in, &t->upper_zones);
    if (r == WEFT_ERROR_ARGUMENT)
        return error_set(e, r, -1, "not the %d root elements that the zones were formed of", t->upper_zones.n_roots);
    bvh past = *t;
    if (r != WEFT_OK) {
        free_tree_of_mesh(&fresh);
        return error_memory(e);
    }
    *t = fresh;
    /* What does not depend on the mesh stays. */
    t->upper_zones = past.upper_zones;
    t->directions = past.directions;
    t->own_scratch = past.own_scratch;
    t->scratch = past.scratch; /* one inside of t stays so */
    for (int i = 0; i < 2; i++) {
        t->stores[i] = past.stores[i];
        t->distances[i] = past.distances[i];
        t->n_distances[i] = past.n_distances[i];
    }
    free_tree_of_mesh(&past);
    return WEFT_OK;
}

void bvh_spare_destroy(mem *m, directions *spare)
{
    MEM_FREE(m, spare, 1);
}

void bvh_leave(bvh *t, directions **spare)
{
    if (t && spare && !*spare) {
        *spare = t->directions;
        t->directions = NULL;
    }
    bvh_destroy(t);
}

void bvh_destroy(bvh *t)
{
    if (!t)
        return;
    mem *m = t->mem;
    free_tree_of_mesh(t);
    upper_zones_destroy(&t->upper_zones, m);
    MEM_FREE(m, t->directions, 1);
    arena_destroy(&t->own_scratch);
    for (int i = 0; i < 2; i++)
        MEM_FREE(m, t->distances[i], t->n_distances[i]);
    MEM_FREE(m, t, 1);
}

bool bvh_owns_scratch(const bvh *t)
{
    return t->scratch == &t->own_scratch;
}

arena_mark bvh_mark(const bvh *t)
{
    return bvh_owns_scratch(t) ? (arena_mark){0} : arena_mark_of(t->scratch);
}

void bvh_release(bvh *t, arena_mark m)
{
    if (!bvh_owns_scratch(t))
        arena_release(t->scratch, m);
}

const bvh_edge *bvh_edges(const bvh *t)
{
    return t->edges;
}

int32_t bvh_n_edges(const bvh *t)
{
    return t->n_edges;
}

int32_t bvh_n_zones(const bvh *t)
{
    return t->n_zones;
}

int32_t bvh_depth(const bvh *t)
{
    return t->depth;
}

int64_t bvh_refit_bytes(const bvh *t)
{
    int32_t n_leaves = 2 * t->n_pairs - t->n_halved + t->n_apart;
    int64_t leaves = t->n_pairs * (int64_t)sizeof *t->pairs;
    for (int32_t i = 0; i < t->n_apart; i++)
        leaves += (int64_t)sizeof *t->apart + (int64_t)sizeof *t->zones +
                  3 * (int64_t)sizeof *t->node * t->zones[t->apart[i]].n;
    int64_t node = (t->x1 ? 2 : 1) * (int64_t)sizeof *t->x0 + (int64_t)sizeof *t->node_box;
    int64_t of_zone = 2 * (int64_t)(sizeof *t->zone_box + sizeof *t->zone_mask);
    return leaves + t->n_nodes * node + t->n_fitted * of_zone + (t->n_zones - n_leaves) * (int64_t)sizeof *t->zones;
}
