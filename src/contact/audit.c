/* SPDX-License-Identifier: MIT */
/* The exact audit.
 *
 * Idea: the tree lists the pairs of triangles whose boxes overlap, neighbours included; each is put to the exact
 * test. Nothing is culled by normals: an audit may not assume a clean start, and a judge had better not share a
 * proof with what it judges. The list is linear in the mesh unless triangles lie on top of each other many times
 * over; its length is bounded, and beyond the bound the answer is an error.
 *
 * Invariants:
 * 1. Pairs stand by the first triangle, then the second, each once, whatever the tree and the number of threads.
 * 2. What was found is of the last run; after a run that failed it is empty. */
#include "contact/audit.h"

#include <string.h>

#include "base/sort.h"
#include "contact/audit_contour.h"
#include "contact/params.h"
#include "math/intersect.h"
#include "bvh/bvh.h"

/* Pairs or triangles that one thread takes at once. */
enum { AUDIT_BLOCK = 2048 };

struct audit {
    mem *m;
    bvh *bvh;
    int32_t n_nodes, n_triangles;
    int32_t (*triangles)[3];
    int32_t *object; /* NULL: all 0 */
    bool *fixed;     /* per object; NULL: none */
    int32_t n_objects;
    int32_t *same; /* NULL: itself */
    vec3 *x;
    uint8_t *flat; /* per triangle: no area */
    int32_t *degenerate;
    int32_t n_degenerate;
    uint8_t *kinds; /* per candidate, triangle_intersection */
    int64_t kinds_room;
    weft_audit_pair *pairs;
    int64_t n_pairs, pairs_room, n_candidates;
    const bvh_triangle_pair *candidates; /* the tree's */
    audit_contours contours;
};

/* ---- making ---------------------------------------------------------------------------------------------------- */

static bool copy_arrays(audit *a, const audit_input *in)
{
    bool good = MEM_MAKE(a->m, a->triangles, in->n_triangles) && MEM_MAKE(a->m, a->x, in->n_nodes) &&
                MEM_MAKE(a->m, a->flat, in->n_triangles) && MEM_MAKE(a->m, a->degenerate, in->n_triangles);
    if (good && in->object)
        good = MEM_MAKE(a->m, a->object, in->n_triangles);
    if (good && in->fixed)
        good = MEM_MAKE(a->m, a->fixed, in->n_objects);
    if (good && in->same)
        good = MEM_MAKE(a->m, a->same, in->n_nodes);
    if (!good)
        return false;
    if (in->n_triangles > 0)
        memcpy(a->triangles, in->triangles, (size_t)in->n_triangles * sizeof *a->triangles);
    if (a->object)
        memcpy(a->object, in->object, (size_t)in->n_triangles * sizeof *a->object);
    if (a->fixed)
        memcpy(a->fixed, in->fixed, (size_t)in->n_objects * sizeof *a->fixed);
    if (a->same)
        memcpy(a->same, in->same, (size_t)in->n_nodes * sizeof *a->same);
    return true;
}

weft_result audit_create(mem *m, const audit_input *in, audit **out, weft_error *e)
{
    audit *a = mem_array(m, 1, sizeof *a);
    if (!a)
        return error_memory(e);
    *a = (audit){.m = m, .n_nodes = in->n_nodes, .n_triangles = in->n_triangles, .n_objects = in->n_objects};
    weft_result r = copy_arrays(a, in) ? WEFT_OK : error_memory(e);
    bvh_input t = {.n_nodes = in->n_nodes,
                   .n_triangles = in->n_triangles,
                   .triangles = in->triangles,
                   .x = in->x,
                   .object = in->object,
                   .n_objects = in->n_objects,
                   .fixed = in->fixed,
                   .same = in->same,
                   .filters = in->filters};
    if (r == WEFT_OK)
        r = bvh_create(m, &t, &a->bvh, e);
    if (r < 0) {
        audit_destroy(a);
        a = NULL;
    }
    *out = a;
    return r;
}

void audit_destroy(audit *a)
{
    if (!a)
        return;
    mem *m = a->m;
    if (a->bvh)
        bvh_destroy(a->bvh);
    audit_contours_free(&a->contours, m);
    MEM_FREE(m, a->triangles, a->n_triangles);
    MEM_FREE(m, a->object, a->n_triangles);
    MEM_FREE(m, a->fixed, a->n_objects);
    MEM_FREE(m, a->same, a->n_nodes);
    MEM_FREE(m, a->x, a->n_nodes);
    MEM_FREE(m, a->flat, a->n_triangles);
    MEM_FREE(m, a->degenerate, a->n_triangles);
    MEM_FREE(m, a->kinds, a->kinds_room);
    MEM_FREE(m, a->pairs, a->pairs_room);
    mem_free(m, a, 1, sizeof *a);
}

/* ---- running --------------------------------------------------------------------------------------------------- */

static void get_corners(const audit *a, int32_t ti, vec3 out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a->x[a->triangles[ti][i]];
}

static void test_candidates(void *context, int32_t block)
{
    audit *a = context;
    int64_t end = (int64_t)(block + 1) * AUDIT_BLOCK;
    for (int64_t i = (int64_t)block * AUDIT_BLOCK; i < end && i < a->n_candidates; i++) {
        vec3 x[3], y[3];
        get_corners(a, a->candidates[i].ti, x);
        get_corners(a, a->candidates[i].tj, y);
        a->kinds[i] = (uint8_t)intersect_triangles(x, y);
    }
}

static void mark_flat(void *context, int32_t block)
{
    audit *a = context;
    int64_t end = (int64_t)(block + 1) * AUDIT_BLOCK;
    for (int64_t ti = (int64_t)block * AUDIT_BLOCK; ti < end && ti < a->n_triangles; ti++) {
        vec3 x[3];
        int axis;
        get_corners(a, (int32_t)ti, x);
        a->flat[ti] = predicate_is_collinear(x[0], x[1], x[2], &axis);
    }
}

static int32_t n_audit_blocks(int64_t n)
{
    return (int32_t)((n + AUDIT_BLOCK - 1) / AUDIT_BLOCK);
}

static void list_degenerate(audit *a, pool *p)
{
    pool_for(p, n_audit_blocks(a->n_triangles), mark_flat, a);
    for (int32_t ti = 0; ti < a->n_triangles; ti++)
        if (a->flat[ti])
            a->degenerate[a->n_degenerate++] = ti;
}

/* Room for n, contents not kept. */
static bool reserve_items(mem *m, void **p, int64_t *room, int64_t n, size_t size)
{
    if (n <= *room)
        return true;
    mem_free(m, *p, *room, size);
    *p = mem_array(m, n, size);
    *room = *p ? n : 0;
    return *p != NULL;
}

static weft_result find_candidates(audit *a, pool *p, weft_error *e)
{
    if (a->n_triangles == 0)
        return WEFT_OK;
    weft_result r = bvh_refit(a->bvh, p, a->x, NULL, 0.0, e);
    if (r < 0)
        return r;
    bvh_query query = {.mode = BVH_CLASSICAL, .limit = AUDIT_OVERLAPS * (int64_t)a->n_triangles + AUDIT_MORE_OVERLAPS};
    bvh_triangles found;
    r = bvh_triangle_pairs(a->bvh, p, &query, &found, e);
    if (r == WEFT_ERROR_LIMIT)
        return error_set(e, r, -1,
                         "more than %lld pairs of the %d triangles have boxes that overlap: are many of them at the "
                         "same place?",
                         (long long)query.limit, a->n_triangles);
    a->candidates = r < 0 ? NULL : found.pairs;
    a->n_candidates = r < 0 ? 0 : found.n;
    return r;
}

static int order_pairs(const void *a, const void *b)
{
    const weft_audit_pair *p = a, *q = b;
    if (p->triangle[0] != q->triangle[0])
        return p->triangle[0] < q->triangle[0] ? -1 : 1;
    return p->triangle[1] < q->triangle[1] ? -1 : p->triangle[1] > q->triangle[1];
}

static weft_result list_crossing_pairs(audit *a, int64_t limit, weft_error *e)
{
    int64_t n = 0, found = 0;
    for (int64_t i = 0; i < a->n_candidates; i++)
        found += a->kinds[i] != INTERSECT_NONE;
    if (found > limit)
        return error_set(e, WEFT_ERROR_LIMIT, -1, "%lld pairs of triangles intersect, more than the limit of %lld",
                         (long long)found, (long long)limit);
    /* Twice: one half is the scratch of the sort. */
    if (!reserve_items(a->m, (void **)&a->pairs, &a->pairs_room, 2 * found, sizeof *a->pairs))
        return error_memory(e);
    for (int64_t i = 0; i < a->n_candidates; i++) {
        int32_t ti = a->candidates[i].ti, tj = a->candidates[i].tj;
        if (a->kinds[i] != INTERSECT_NONE)
            a->pairs[n++] = (weft_audit_pair){.triangle = {ti < tj ? ti : tj, ti < tj ? tj : ti},
                                              .kind = (weft_pair_kind)a->kinds[i]};
    }
    if (n > 0)
        sort_items(a->pairs, a->pairs + n, n, sizeof *a->pairs, order_pairs);
    a->n_pairs = n;
    return WEFT_OK;
}

static void name_objects(audit *a)
{
    for (int64_t i = a->n_pairs - 1; i >= 0; i--) { /* from behind: the first pair of a contour has the last word */
        weft_audit_contour *c = &a->contours.contours[a->pairs[i].contour];
        for (int k = 0; k < 2; k++)
            c->object[k] = a->object ? a->object[a->pairs[i].triangle[k]] : 0;
        c->collider = a->fixed && (a->fixed[c->object[0]] || a->fixed[c->object[1]]);
    }
}

static weft_result audit_positions(audit *a, pool *p, int64_t limit, weft_error *e)
{
    list_degenerate(a, p);
    weft_result r = find_candidates(a, p, e);
    if (r < 0)
        return r;
    if (!reserve_items(a->m, (void **)&a->kinds, &a->kinds_room, a->n_candidates, sizeof *a->kinds))
        return error_memory(e);
    pool_for(p, n_audit_blocks(a->n_candidates), test_candidates, a);
    r = list_crossing_pairs(a, limit, e);
    if (r < 0)
        return r;
    if (!audit_contours_make(&a->contours, a->m, p, (const int32_t(*)[3])a->triangles, a->x, a->pairs, a->n_pairs))
        return error_memory(e);
    name_objects(a);
    return WEFT_OK;
}

static void forget_found(audit *a)
{
    a->n_pairs = a->n_candidates = 0;
    a->n_degenerate = 0;
    a->contours.n_contours = a->contours.n_lines = 0;
    a->contours.n_points = 0;
}

weft_result audit_run(audit *a, pool *p, const vec3 *x, int64_t limit, weft_error *e)
{
    forget_found(a);
    for (int32_t vi = 0; vi < a->n_nodes; vi++) {
        a->x[vi] = x[a->same ? a->same[vi] : vi];
        if (!v3_is_finite(x[vi]))
            return error_set(e, WEFT_ERROR_NOT_FINITE, vi, "node %d is at (%g, %g, %g)", vi, x[vi].x, x[vi].y, x[vi].z);
    }
    weft_result r = audit_positions(a, p, limit, e);
    if (r < 0)
        forget_found(a);
    return r;
}

audit_found audit_get(const audit *a)
{
    const audit_contours *c = &a->contours;
    return (audit_found){a->pairs,  a->n_pairs,  c->contours,   c->n_contours,   c->lines,       c->n_lines,
                         c->points, c->n_points, a->degenerate, a->n_degenerate, a->n_candidates};
}
