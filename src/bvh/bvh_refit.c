/* SPDX-License-Identifier: MIT */
/* Boxes and directions for new positions, from nodes and leaves to the root. Blocks of nodes, of leaves and of zones of
 * one depth are independent of each other. Boxes of triangles are made when a walk comes by (bvh_primitives.c), which
 * on smooth surfaces it hardly does.
 *
 * In a motion the normal of a triangle is a mean of three Bernstein points (math/normal_cell.h). A direction positive
 * against all three is positive against the normal at any time. */
#include "math/node_box.h"
#include "bvh/bvh_inside.h"

#include <assert.h>
#include <stdatomic.h>

typedef struct refit {
    bvh *t;
    const vec3 *x0, *x1;
    double inflate;
    int32_t first, end;    /* zones of the depth at work */
    const uint64_t *table; /* per cell of normals */
    _Atomic int64_t n_degenerate;
    _Atomic int32_t unusable; /* a position is */
} refit;

static int32_t blocks_of(int32_t n, int32_t size)
{
    return (int32_t)(((int64_t)n + size - 1) / size);
}

static bool is_fit_for_boxes(vec3 x)
{
    return v3_max_abs(x) <= BOX_MOST && v3_is_finite(x);
}

static void fit_nodes(void *context, int32_t block)
{
    refit *r = context;
    int32_t first = block * BVH_REFIT_NODES,
            end = first + BVH_REFIT_NODES < r->t->n_nodes ? first + BVH_REFIT_NODES : r->t->n_nodes;
    const vec3 *x1 = r->x1 ? r->x1 + first : NULL;
    if (!node_boxes(r->x0 + first, x1, end - first, r->inflate, r->t->node_box + first))
        atomic_store_explicit(&r->unusable, 1, memory_order_relaxed);
}

static bool is_at_place_of(const vec3 *x, int32_t vi, int32_t vj)
{
    return x[vi].x == x[vj].x && x[vi].y == x[vj].y && x[vi].z == x[vj].z;
}

/* Neighbours over a seam are neighbours only where the seam is closed. */
static bool is_closed(const refit *r, int32_t ti)
{
    const int32_t *v = r->t->node + 3 * ti, *w = r->t->common + 3 * ti;
    for (int k = 0; k < 3; k++)
        if (!is_at_place_of(r->x0, v[k], w[k]) || (r->x1 && !is_at_place_of(r->x1, v[k], w[k])))
            return false;
    return true;
}

static bool seams_are_closed(const refit *r, const zone *z)
{
    for (int32_t ti = z->first; ti < z->first + z->n; ti++)
        if (r->t->owns[ti] & 64 && !is_closed(r, ti))
            return false;
    return true;
}

/* A leaf by itself; how many of its triangles have no normal. */
static int fit_leaf(const refit *r, int32_t zi)
{
    bvh *t = r->t;
    const zone *z = &t->zones[zi];
    normal_leaf fitted;
    normal_leaf_fit(r->x0, r->x1, t->node + 3 * (int64_t)z->first, z->n, r->table, r->inflate, &fitted);
    t->zone_box[zi] = fitted.bounds;
    t->zone_mask[zi] = seams_are_closed(r, z) ? fitted.mask : 0;
    return fitted.n_unknown;
}

static void fit_apart(void *context, int32_t block)
{
    refit *r = context;
    const bvh *t = r->t;
    int64_t n_degenerate = 0;
    int32_t first = block * BVH_REFIT_APART,
            end = first + BVH_REFIT_APART < t->n_apart ? first + BVH_REFIT_APART : t->n_apart;
    for (int32_t i = first; i < end; i++)
        n_degenerate += fit_leaf(r, t->apart[i]);
    atomic_fetch_add_explicit(&r->n_degenerate, n_degenerate, memory_order_relaxed);
}

/* The first of the leaves in halves whose pair is not before this one. */
static int32_t first_halved(const bvh *t, int32_t pair)
{
    int32_t lo = 0, hi = t->n_halved;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (t->halved[middle] < pair)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static void join_leaf_halves(bvh *t, int32_t first, int32_t end)
{
    for (int32_t i = first_halved(t, first); i < t->n_halved && t->halved[i] < end; i++) {
        const int32_t *zi = t->pairs[t->halved[i]].zone;
        t->zone_box[zi[0]] = box_union(&t->zone_box[zi[0]], &t->zone_box[zi[1]]);
        t->zone_mask[zi[0]] &= t->zone_mask[zi[1]];
    }
}

/* Leaves that normal_pairs_fit has left, by themselves; of halves both may be among them. */
static int64_t fit_left(const refit *r, const normal_pair *pairs, const int32_t *left, int32_t n)
{
    int64_t n_degenerate = 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t *zi = pairs[left[i] / 2].zone;
        bool halved = zi[1] >= r->t->n_zones, again = halved && i > 0 && left[i - 1] / 2 == left[i] / 2;
        n_degenerate += again ? 0 : fit_leaf(r, zi[halved ? 0 : left[i] % 2]);
    }
    return n_degenerate;
}

static void fit_pairs(void *context, int32_t block)
{
    refit *r = context;
    bvh *t = r->t;
    int32_t first = block * BVH_REFIT_PAIRS,
            n = t->n_pairs - first < BVH_REFIT_PAIRS ? t->n_pairs - first : BVH_REFIT_PAIRS, left[2 * BVH_REFIT_PAIRS];
    int32_t n_left =
        normal_pairs_fit(r->x0, r->x1, t->pairs + first, n, r->table, r->inflate, t->zone_box, t->zone_mask, left);
    join_leaf_halves(t, first, first + n);
    atomic_fetch_add_explicit(&r->n_degenerate, fit_left(r, t->pairs + first, left, n_left), memory_order_relaxed);
}

static void refit_zones(void *context, int32_t block)
{
    refit *r = context;
    bvh *t = r->t;
    int32_t first = r->first + block * BVH_REFIT_ZONES,
            end = first + BVH_REFIT_ZONES < r->end ? first + BVH_REFIT_ZONES : r->end;
    for (int32_t zi = first; zi < end; zi++) {
        const zone *z = &t->zones[zi];
        if (z->n_children == 0)
            continue;
        box all = t->zone_box[z->first_child];
        uint64_t mask = t->zone_mask[z->first_child];
        for (int32_t c = z->first_child + 1; c < z->first_child + z->n_children; c++) {
            all = box_union(&all, &t->zone_box[c]);
            mask &= t->zone_mask[c];
        }
        t->zone_box[zi] = all;
        t->zone_mask[zi] = mask;
    }
}

static weft_result check_fitted_positions(const bvh *t, const vec3 *x0, const vec3 *x1, weft_error *e)
{
    for (int32_t vi = 0; vi < t->n_nodes; vi++) {
        vec3 bad = is_fit_for_boxes(x0[vi]) && x1 ? x1[vi] : x0[vi];
        if (!is_fit_for_boxes(bad))
            return error_set(e, WEFT_ERROR_NOT_FINITE, vi, "node %d is at (%g, %g, %g)", vi, bad.x, bad.y, bad.z);
    }
    return WEFT_OK;
}

static bool take_boxes(bvh *t, bool ends)
{
    if (bvh_owns_scratch(t))
        arena_release(t->scratch, (arena_mark){0});
    t->zone_end = NULL;
    bool ok = ARENA_TAKE(t->scratch, t->node_box, t->n_nodes) && ARENA_TAKE(t->scratch, t->zone_box, t->n_fitted) &&
              ARENA_TAKE(t->scratch, t->zone_mask, t->n_fitted) &&
              (!ends || ARENA_TAKE(t->scratch, t->zone_end, t->n_fitted));
    t->by_boxes = arena_mark_of(t->scratch);
    return ok;
}

static weft_result fit(bvh *t, pool *p, const vec3 *x0, const vec3 *x1, double inflate, weft_error *e)
{
    if (!(inflate >= 0 && inflate <= BOX_MOST))
        return error_set(e, WEFT_ERROR_RANGE, -1, "boxes cannot be enlarged by %g m", inflate);
    t->x0 = x0;
    t->x1 = x1;
    t->inflate = inflate;
    t->level = !x1 && inflate > 0;
    t->ends = false;
    t->has_cones = false;
    refit r = {.t = t, .x0 = x0, .x1 = x1, .inflate = inflate};
    r.table = t->level ? t->directions->level : t->directions->positive;
    if (t->n_triangles > 0) /* without, nobody asks for boxes */
        pool_for(p, blocks_of(t->n_nodes, BVH_REFIT_NODES), fit_nodes, &r);
    if (t->n_triangles == 0 || atomic_load(&r.unusable)) {
        weft_result result = check_fitted_positions(t, x0, x1, e);
        if (result != WEFT_OK)
            return result;
    }
    pool_for(p, blocks_of(t->n_pairs, BVH_REFIT_PAIRS), fit_pairs, &r);
    pool_for(p, blocks_of(t->n_apart, BVH_REFIT_APART), fit_apart, &r);
    for (int32_t depth = t->depth - 1; depth >= 0; depth--) {
        r.first = t->depth_start[depth];
        r.end = t->depth_start[depth + 1];
        pool_for(p, blocks_of(r.end - r.first, BVH_REFIT_ZONES), refit_zones, &r);
    }
    t->size = t->n_zones > 0 ? (double)box_size(&t->zone_box[0]) : 0;
    t->slack = box_slack((float)t->size);
    t->n_degenerate = atomic_load(&r.n_degenerate);
    t->fitted = true;
    return WEFT_OK;
}

weft_result bvh_refit(bvh *t, pool *p, const vec3 *x0, const vec3 *x1, double inflate, weft_error *e)
{
    t->fitted = false;
    return take_boxes(t, false) ? fit(t, p, x0, x1, inflate, e) : error_memory(e);
}

weft_result bvh_refit_ends(bvh *t, pool *p, const vec3 *x0, const vec3 *x1, double inflate, weft_error *e)
{
    t->fitted = false;
    if (!take_boxes(t, true))
        return error_memory(e);
    weft_result r = fit(t, p, x1, NULL, inflate, e);
    if (r != WEFT_OK)
        return r;
    box *ends = t->zone_box;
    double size = t->size;
    t->zone_box = t->zone_end;
    t->zone_end = ends;
    t->fitted = false;
    r = fit(t, p, x0, NULL, inflate, e);
    if (r != WEFT_OK)
        return r;
    t->x1 = x1;
    t->size = max_of(t->size, size);
    t->slack = box_slack((float)t->size);
    t->level = false;
    t->ends = true;
    return WEFT_OK;
}
