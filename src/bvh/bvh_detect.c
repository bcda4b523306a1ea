/* SPDX-License-Identifier: MIT */
/* The tree as a public thing of its own. */
#include "bvh/bvh.h"

#include <weft/detect.h>

struct weft_detector {
    mem mem;
    pool *pool;
    bvh *bvh;
};

weft_detector_def weft_detector_def_default(void)
{
    return (weft_detector_def){.struct_size = sizeof(weft_detector_def), .n_objects = 1};
}

weft_detect_query weft_detect_query_default(void)
{
    return (weft_detect_query){.struct_size = sizeof(weft_detect_query), .mode = WEFT_DETECT_PROVEN};
}

static weft_result check_detect_def(const weft_detector_def *def, weft_error *e)
{
    if (!def)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "a detector needs a definition");
    if (def->struct_size != sizeof *def)
        return error_set(e, WEFT_ERROR_STRUCT_SIZE, -1, "weft_detector_def: struct_size is %zu, not %zu",
                         def->struct_size, sizeof *def);
    if (def->n_objects < 1)
        return error_set(e, WEFT_ERROR_RANGE, -1, "n_objects is %d, not 1 or more", def->n_objects);
    if (def->n_threads < 0 || def->n_threads > 256)
        return error_set(e, WEFT_ERROR_RANGE, -1, "n_threads is %d, not in [0, 256]", def->n_threads);
    return WEFT_OK;
}

static weft_result fill_detector(weft_detector *d, const weft_detector_def *def, weft_error *e)
{
    bvh_input in = {.n_nodes = def->n_nodes,
                    .n_triangles = def->n_triangles,
                    .triangles = (const int32_t(*)[3])def->triangles,
                    .x = def->positions,
                    .object = def->object,
                    .n_objects = def->n_objects,
                    .fixed = def->fixed,
                    .same = def->same,
                    .seed = def->seed};
    d->pool = pool_create(&d->mem, def->n_threads, def->parallel_for, def->parallel_user);
    return d->pool ? bvh_create(&d->mem, &in, &d->bvh, e) : error_memory(e);
}

weft_result weft_detector_create(const weft_detector_def *def, weft_detector **out, weft_error *error)
{
    if (!out)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "no place for the detector");
    *out = NULL;
    weft_result r = check_detect_def(def, error);
    if (r != WEFT_OK)
        return r;
    mem m;
    weft_detector *d;
    mem_init(&m, def->alloc, def->alloc_user);
    if (!MEM_MAKE(&m, d, 1))
        return error_memory(error);
    d->mem = m;
    r = fill_detector(d, def, error);
    if (r != WEFT_OK) {
        weft_detector_destroy(d);
        return r;
    }
    *out = d;
    return WEFT_OK;
}

void weft_detector_destroy(weft_detector *d)
{
    if (!d)
        return;
    bvh_destroy(d->bvh);
    pool_destroy(d->pool);
    mem m = d->mem;
    MEM_FREE(&m, d, 1);
}

weft_result weft_detector_fit(weft_detector *d, const weft_vec3 *x0, const weft_vec3 *x1, double inflate,
                              weft_error *error)
{
    if (!d || !x0)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "a detector is fitted to positions");
    return bvh_refit(d->bvh, d->pool, x0, x1, inflate, error);
}

static weft_result find_triangles(weft_detector *d, const bvh_query *q, weft_detected *out, weft_error *error)
{
    bvh_triangles found;
    weft_result r = bvh_triangle_pairs(d->bvh, d->pool, q, &found, error);
    out->n_triangle_pairs = found.n;
    out->triangle_pairs = found.pairs;
    out->counters = found.counters;
    return r;
}

static weft_result find_primitives(weft_detector *d, const bvh_query *q, weft_detected *out, weft_error *error)
{
    bvh_pairs found;
    weft_result r = bvh_candidates(d->bvh, d->pool, q, &found, error);
    out->n_vertex_triangle = found.n_vertex_triangle;
    out->vertex_triangle = found.vertex_triangle;
    out->n_edge_edge = found.n_edge_edge;
    out->edge_edge = found.edge_edge;
    out->counters = found.counters;
    return r;
}

weft_result weft_detector_find(weft_detector *d, const weft_detect_query *query, weft_detected *out, weft_error *error)
{
    if (!d || !query || !out)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "a search needs a detector, a query and a place for pairs");
    *out = (weft_detected){0};
    if (query->struct_size != sizeof *query)
        return error_set(error, WEFT_ERROR_STRUCT_SIZE, -1, "weft_detect_query: struct_size is %zu, not %zu",
                         query->struct_size, sizeof *query);
    if ((int)query->mode < WEFT_DETECT_PROVEN || query->mode > WEFT_DETECT_CLASSICAL)
        return error_set(error, WEFT_ERROR_RANGE, -1, "there is no mode %d", (int)query->mode);
    if (!(query->thickness >= 0) || query->limit < 0)
        return error_set(error, WEFT_ERROR_RANGE, -1, "thickness %g, limit %lld: neither may be negative",
                         query->thickness, (long long)query->limit);
    bvh_query q = {.mode = (bvh_mode)query->mode, .thickness = query->thickness, .limit = query->limit};
    return query->triangle_pairs ? find_triangles(d, &q, out, error) : find_primitives(d, &q, out, error);
}

weft_detector_info weft_detector_get_info(const weft_detector *d)
{
    return (weft_detector_info){.n_edges = bvh_n_edges(d->bvh),
                                .n_zones = bvh_n_zones(d->bvh),
                                .depth = bvh_depth(d->bvh),
                                .memory = d->mem.in_use,
                                .fit_bytes = bvh_refit_bytes(d->bvh)};
}

const weft_detect_edge *weft_detector_edges(const weft_detector *d)
{
    return bvh_edges(d->bvh);
}
