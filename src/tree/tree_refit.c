/* SPDX-License-Identifier: MIT */
/* Boxes for new positions, from nodes over triangles to the root. Blocks of nodes, of leaves and of zones of one depth
 * are independent of each other. */
#include "tree/tree_inside.h"

enum { NODES = 4096, ZONES = 1024 };

typedef struct refit {
    tree *t;
    const vec3 *x0, *x1;
    double inflate;
    int32_t first, end; /* zones of the depth at work */
    bool bad;           /* some coordinate cannot be used */
} refit;

static int32_t n_blocks(int32_t n, int32_t size)
{
    return (int32_t)(((int64_t)n + size - 1) / size);
}

static box node_box(const refit *r, int32_t vi)
{
    vec3 lo = r->x0[vi], hi = lo, d = v3(r->inflate, r->inflate, r->inflate);
    if (r->x1) {
        vec3 b = r->x1[vi];
        lo = v3(min_of(lo.x, b.x), min_of(lo.y, b.y), min_of(lo.z, b.z));
        hi = v3(max_of(hi.x, b.x), max_of(hi.y, b.y), max_of(hi.z, b.z));
    }
    return box_of(v3_sub(lo, d), v3_add(hi, d));
}

static void fit_nodes(void *context, int32_t block)
{
    const refit *r = context;
    int32_t first = block * NODES, end = first + NODES < r->t->n_nodes ? first + NODES : r->t->n_nodes;
    for (int32_t vi = first; vi < end; vi++)
        r->t->node_box[vi] = node_box(r, vi);
}

static box fit_leaf(tree *t, const zone *z)
{
    box all = box_empty();
    for (int32_t ti = z->first; ti < z->first + z->n; ti++) {
        const int32_t *v = t->node[ti];
        box b = box_union(&t->node_box[v[0]], &t->node_box[v[1]]);
        b = box_union(&b, &t->node_box[v[2]]);
        t->triangle_box[ti] = b;
        all = box_union(&all, &b);
    }
    return all;
}

static void fit_zones(void *context, int32_t block)
{
    const refit *r = context;
    tree *t = r->t;
    int32_t first = r->first + block * ZONES, end = first + ZONES < r->end ? first + ZONES : r->end;
    for (int32_t zi = first; zi < end; zi++) {
        const zone *z = &t->zones[zi];
        if (z->n_children == 0) {
            t->zone_box[zi] = fit_leaf(t, z);
            continue;
        }
        box all = t->zone_box[z->first_child];
        for (int32_t c = z->first_child + 1; c < z->first_child + z->n_children; c++)
            all = box_union(&all, &t->zone_box[c]);
        t->zone_box[zi] = all;
    }
}

static bool usable(vec3 x)
{
    return v3_max_abs(x) <= BOX_MOST && v3_is_finite(x);
}

static weft_result check_positions(const tree *t, const vec3 *x0, const vec3 *x1, weft_error *e)
{
    for (int32_t vi = 0; vi < t->n_nodes; vi++) {
        vec3 bad = usable(x0[vi]) && x1 ? x1[vi] : x0[vi];
        if (!usable(bad))
            return error_set(e, WEFT_ERROR_NOT_FINITE, vi, "node %d is at (%g, %g, %g)", vi, bad.x, bad.y, bad.z);
    }
    return WEFT_OK;
}

weft_result tree_refit(tree *t, pool *p, const vec3 *x0, const vec3 *x1, double inflate, weft_error *e)
{
    t->fitted = false;
    if (!(inflate >= 0 && inflate <= BOX_MOST))
        return error_set(e, WEFT_ERROR_RANGE, -1, "boxes cannot be enlarged by %g m", inflate);
    weft_result result = check_positions(t, x0, x1, e);
    if (result != WEFT_OK)
        return result;
    t->x0 = x0;
    t->x1 = x1;
    t->inflate = inflate;
    refit r = {.t = t, .x0 = x0, .x1 = x1, .inflate = inflate};
    pool_for(p, n_blocks(t->n_nodes, NODES), fit_nodes, &r);
    for (int32_t depth = t->depth - 1; depth >= 0; depth--) {
        r.first = t->depth_start[depth];
        r.end = t->depth_start[depth + 1];
        pool_for(p, n_blocks(r.end - r.first, ZONES), fit_zones, &r);
    }
    t->slack = t->n_zones > 0 ? box_slack(box_size(&t->zone_box[0])) : 0;
    t->fitted = true;
    return WEFT_OK;
}
