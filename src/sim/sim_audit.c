/* SPDX-License-Identifier: MIT */
/* The audit as the API has it: definitions are checked, triangles go to contact/audit.h, and every triangle is held
 * against every analytic collider. */
#include <string.h>

#include "bvh/bvh.h"
#include "contact/audit.h"
#include "contact/collider/collider.h"
#include "sim/check.h"
#include "sim/sim.h"

#define AUDIT_PROMISE 1e-9 /* m: what rounding positions to the grid may take off the thickness */

enum { AUDIT_NEAR_BLOCK = 1024 };

typedef struct audit_solid {
    weft_filter filter;
    shape shape;
    pose still;
    keys keys;
    collider now;
} audit_solid;

struct weft_audit {
    mem mem;
    pool *pool;
    audit *audit;
    int64_t limit;
    int32_t n_nodes, n_triangles, n_objects, n_solids;
    int32_t (*triangles)[3];
    int32_t *object;
    bool *is_collider;
    double *thickness;    /* per object */
    weft_filter *filters; /* per object */
    weft_vec3 *positions;
    audit_solid *solids;
    const vec3 *x;       /* of the run */
    int64_t *near_start; /* per triangle: first as a count, then a sum */
    weft_audit_near *near;
    int64_t n_near, near_room;
    int64_t n_collider_pairs;
};

weft_audit_def weft_audit_def_default(void)
{
    return (weft_audit_def){
        .struct_size = sizeof(weft_audit_def), .n_objects = 1, .pair_limit = INT64_C(1) << 22, .n_threads = 1};
}

/* ---- checks ---------------------------------------------------------------------------------------------------- */

static weft_result check_sizes(const weft_audit_def *d, weft_error *e)
{
    weft_result r = check_struct_size("weft_audit_def", d->struct_size, sizeof *d, e);
    if (r == WEFT_OK)
        r = check_integer("n_nodes", d->n_nodes, 0, INT32_MAX, e);
    if (r == WEFT_OK)
        r = check_integer("n_triangles", d->n_triangles, 0, INT32_MAX / 3, e);
    if (r == WEFT_OK)
        r = check_integer("n_objects", d->n_objects, 1, 1000000, e);
    if (r == WEFT_OK)
        r = check_integer("n_colliders", d->n_colliders, 0, 100000, e);
    if (r == WEFT_OK)
        r = check_integer("pair_limit", d->pair_limit, 1, INT64_C(1) << 28, e);
    if (r == WEFT_OK)
        r = check_integer("n_threads", d->n_threads, 0, 256, e);
    return r;
}

static weft_result check_arrays(const weft_audit_def *d, weft_error *e)
{
    if ((d->n_nodes > 0 && !d->positions) || (d->n_triangles > 0 && !d->triangles) ||
        (d->n_colliders > 0 && !d->colliders))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "positions, triangles or colliders are missing");
    for (int64_t i = 0; i < 3 * (int64_t)d->n_triangles; i++)
        if (d->triangles[i] < 0 || d->triangles[i] >= d->n_nodes)
            return error_set(e, WEFT_ERROR_INDEX, (int32_t)(i / 3), "triangle %d names node %d of %d", (int)(i / 3),
                             d->triangles[i], d->n_nodes);
    for (int32_t ti = 0; d->objects && ti < d->n_triangles; ti++)
        if (d->objects[ti] < 0 || d->objects[ti] >= d->n_objects)
            return error_set(e, WEFT_ERROR_INDEX, ti, "triangle %d is of object %d of %d", ti, d->objects[ti],
                             d->n_objects);
    for (int32_t vi = 0; d->same && vi < d->n_nodes; vi++) {
        int32_t to = d->same[vi];
        if (to < 0 || to >= d->n_nodes || d->same[to] != to)
            return error_set(e, WEFT_ERROR_INDEX, vi, "node %d is the same as %d, which is no node of its own", vi, to);
    }
    return check_vectors("positions", d->positions, d->n_nodes, 1e30, e);
}

static weft_result check_solids(const weft_audit_def *d, weft_error *e)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; r == WEFT_OK && d->thickness && i < d->n_objects; i++)
        r = check_number("thickness", d->thickness[i], 0, 1, e);
    for (int32_t i = 0; r == WEFT_OK && i < d->n_colliders; i++) {
        r = collider_def_check(&d->colliders[i], e);
        if (r == WEFT_OK && d->colliders[i].kind == WEFT_COLLIDER_MESH)
            r = error_set(e, WEFT_ERROR_ARGUMENT, i, "collider %d is a mesh: give its triangles as an object", i);
    }
    return r;
}

/* ---- making ---------------------------------------------------------------------------------------------------- */

static bool copy_solids(weft_audit *a, const weft_audit_def *d)
{
    if (!MEM_MAKE(&a->mem, a->solids, d->n_colliders))
        return false;
    a->n_solids = d->n_colliders;
    for (int32_t i = 0; i < d->n_colliders; i++) {
        const weft_collider_def *c = &d->colliders[i];
        a->solids[i] = (audit_solid){.filter = d->collider_filters ? d->collider_filters[i] : weft_filter_default(),
                                     .shape = collider_def_shape(c),
                                     .still = {mat3_from_quat(c->rotation), c->position}};
        if (!keys_copy(&a->solids[i].keys, &a->mem, c->keys, c->n_keys))
            return false;
    }
    return true;
}

static bool copy_def(weft_audit *a, const weft_audit_def *d)
{
    a->n_nodes = d->n_nodes, a->n_triangles = d->n_triangles, a->n_objects = d->n_objects;
    if (!MEM_MAKE(&a->mem, a->triangles, d->n_triangles) || !MEM_MAKE(&a->mem, a->object, d->n_triangles) ||
        !MEM_MAKE(&a->mem, a->is_collider, d->n_objects) || !MEM_MAKE(&a->mem, a->thickness, d->n_objects) ||
        !MEM_MAKE(&a->mem, a->filters, d->n_objects) || !MEM_MAKE(&a->mem, a->positions, d->n_nodes) ||
        !MEM_MAKE(&a->mem, a->near_start, d->n_triangles + 1))
        return false;
    for (int32_t ti = 0; ti < d->n_triangles; ti++) {
        memcpy(a->triangles[ti], d->triangles + 3 * (int64_t)ti, sizeof a->triangles[ti]);
        a->object[ti] = d->objects ? d->objects[ti] : 0;
    }
    for (int32_t i = 0; i < d->n_objects; i++) {
        a->is_collider[i] = d->object_is_collider && d->object_is_collider[i];
        a->thickness[i] = d->thickness ? d->thickness[i] : 0.0;
        a->filters[i] = d->object_filters ? d->object_filters[i] : weft_filter_default();
    }
    if (d->n_nodes > 0)
        memcpy(a->positions, d->positions, (size_t)d->n_nodes * sizeof *a->positions);
    return copy_solids(a, d);
}

static weft_result make_audit(weft_audit *a, const weft_audit_def *d, weft_error *e)
{
    a->limit = d->pair_limit;
    a->pool = pool_create(&a->mem, d->n_threads, d->parallel_for, d->parallel_for_user);
    if (!a->pool || !copy_def(a, d))
        return error_memory(e);
    audit_input in = {.n_nodes = d->n_nodes,
                      .n_triangles = d->n_triangles,
                      .triangles = (const int32_t(*)[3])a->triangles,
                      .x = a->positions,
                      .object = a->object,
                      .n_objects = d->n_objects,
                      .fixed = a->is_collider,
                      .same = d->same,
                      .filters = d->object_filters ? a->filters : NULL};
    return audit_create(&a->mem, &in, &a->audit, e);
}

weft_result weft_audit_create(const weft_audit_def *d, weft_audit **out, weft_error *e)
{
    if (!d || !out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "weft_audit_create needs a definition and a place for the audit");
    *out = NULL;
    weft_result r = check_sizes(d, e);
    if (r == WEFT_OK)
        r = check_arrays(d, e);
    if (r == WEFT_OK)
        r = check_solids(d, e);
    if (r != WEFT_OK)
        return r;
    mem first;
    mem_init(&first, d->alloc, d->alloc_user);
    weft_audit *a = mem_array(&first, 1, sizeof *a);
    if (!a)
        return error_memory(e);
    a->mem = first;
    r = make_audit(a, d, e);
    if (r < 0)
        weft_audit_destroy(a);
    else
        *out = a;
    return r;
}

void weft_audit_destroy(weft_audit *a)
{
    if (!a)
        return;
    mem *m = &a->mem;
    audit_destroy(a->audit);
    for (int32_t i = 0; i < a->n_solids; i++)
        keys_destroy(&a->solids[i].keys, m);
    MEM_FREE(m, a->solids, a->n_solids);
    MEM_FREE(m, a->triangles, a->n_triangles);
    MEM_FREE(m, a->object, a->n_triangles);
    MEM_FREE(m, a->is_collider, a->n_objects);
    MEM_FREE(m, a->thickness, a->n_objects);
    MEM_FREE(m, a->filters, a->n_objects);
    MEM_FREE(m, a->positions, a->n_nodes);
    MEM_FREE(m, a->near_start, a->n_triangles + 1);
    MEM_FREE(m, a->near, a->near_room);
    if (a->pool)
        pool_destroy(a->pool);
    mem last = a->mem;
    mem_free(&last, a, 1, sizeof *a);
}

/* ---- analytic colliders ---------------------------------------------------------------------------------------- */

/* Whether the triangle is too near the solid; where, and how near. */
static bool is_near(const weft_audit *a, int32_t ti, const audit_solid *s, weft_audit_near *out)
{
    const int32_t *t = a->triangles[ti];
    const vec3 x[3] = {a->x[t[0]], a->x[t[1]], a->x[t[2]]};
    double least = a->thickness[a->object[ti]] - AUDIT_PROMISE;
    /* The distance changes no faster than its point moves. */
    double reach = max_of(v3_len(v3_sub(x[1], x[0])), v3_len(v3_sub(x[2], x[0])));
    if (collider_distance(&s->now, x[0]) - 2.0 * reach > least)
        return false;
    shape_deepest deepest = collider_deepest(&s->now, x);
    if (deepest.lower >= least)
        return false;
    vec3 place = v3_scale(deepest.b[0], x[0]);
    place = v3_madd(v3_madd(place, deepest.b[1], x[1]), deepest.b[2], x[2]);
    *out = (weft_audit_near){ti, (int32_t)(s - a->solids), deepest.distance, place};
    return true;
}

/* Counts those of a block (near NULL), or writes them. */
static void near_block(weft_audit *a, int32_t block, weft_audit_near *out)
{
    int64_t end = (int64_t)(block + 1) * AUDIT_NEAR_BLOCK;
    for (int64_t ti = (int64_t)block * AUDIT_NEAR_BLOCK; ti < end && ti < a->n_triangles; ti++) {
        bool skip = a->is_collider[a->object[ti]] || (out && a->near_start[ti + 1] == a->near_start[ti]);
        int64_t n = 0;
        for (int32_t i = 0; i < a->n_solids && !skip; i++) {
            weft_audit_near found;
            if (!filters_meet(&a->filters[a->object[ti]], &a->solids[i].filter) ||
                !is_near(a, (int32_t)ti, &a->solids[i], &found))
                continue;
            if (out)
                out[a->near_start[ti] + n] = found;
            n++;
        }
        if (!out)
            a->near_start[ti + 1] = n;
    }
}

static void count_near(void *context, int32_t block)
{
    near_block(context, block, NULL);
}

static void write_near(void *context, int32_t block)
{
    weft_audit *a = context;
    near_block(a, block, a->near);
}

static weft_result find_too_near(weft_audit *a, double time, weft_error *e)
{
    if (a->n_solids == 0 || a->n_triangles == 0)
        return WEFT_OK;
    for (int32_t i = 0; i < a->n_solids; i++) {
        audit_solid *s = &a->solids[i];
        pose at = s->keys.n > 0 ? keys_at(&s->keys, time) : s->still;
        s->now = (collider){.shape = s->shape, .from = at, .to = at};
    }
    int32_t n_blocks = (a->n_triangles + AUDIT_NEAR_BLOCK - 1) / AUDIT_NEAR_BLOCK;
    pool_for(a->pool, n_blocks, count_near, a);
    for (int32_t ti = 0; ti < a->n_triangles; ti++)
        a->near_start[ti + 1] += a->near_start[ti];
    int64_t n = a->near_start[a->n_triangles];
    if (n > a->limit)
        return error_set(e, WEFT_ERROR_LIMIT, -1, "%lld triangles are too near a collider, more than the limit of %lld",
                         (long long)n, (long long)a->limit);
    if (n > a->near_room) {
        MEM_FREE(&a->mem, a->near, a->near_room);
        a->near_room = MEM_MAKE(&a->mem, a->near, n) ? n : 0;
        if (a->near_room == 0)
            return error_memory(e);
    }
    if (n > 0)
        pool_for(a->pool, n_blocks, write_near, a);
    a->n_near = n;
    return WEFT_OK;
}

/* ---- running --------------------------------------------------------------------------------------------------- */

weft_result weft_audit_run(weft_audit *a, const weft_vec3 *positions, double time, weft_error *e)
{
    if (!a)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "there is no audit");
    a->n_near = a->n_collider_pairs = 0;
    a->x = positions ? positions : a->positions;
    weft_result r = check_number("time", time, -1e9, 1e9, e);
    if (r == WEFT_OK)
        r = audit_run(a->audit, a->pool, a->x, a->limit, e);
    if (r == WEFT_OK)
        r = find_too_near(a, time, e);
    if (r != WEFT_OK)
        return r;
    audit_found found = audit_get(a->audit);
    for (int64_t i = 0; i < found.n_pairs; i++) {
        const int32_t *t = found.pairs[i].triangle;
        a->n_collider_pairs += a->is_collider[a->object[t[0]]] || a->is_collider[a->object[t[1]]];
    }
    return WEFT_OK;
}

weft_audit_found weft_audit_get(const weft_audit *a)
{
    audit_found f = a ? audit_get(a->audit) : (audit_found){0};
    return (weft_audit_found){
        .pairs = f.pairs,
        .n_pairs = f.n_pairs,
        .n_cloth_pairs = a ? f.n_pairs - a->n_collider_pairs : 0,
        .n_collider_pairs = a ? a->n_collider_pairs : 0,
        .contours = f.contours,
        .n_contours = f.n_contours,
        .lines = f.lines,
        .n_lines = f.n_lines,
        .points = f.points,
        .n_points = f.n_points,
        .near_triangles = a ? a->near : NULL,
        .n_near_triangles = a ? a->n_near : 0,
        .degenerate = f.degenerate,
        .n_degenerate = f.n_degenerate,
        .n_tested = f.n_candidates,
    };
}
