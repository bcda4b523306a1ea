/* SPDX-License-Identifier: MIT */
/* The shape of an adaptive cloth's mesh, and the cloth on a uniform mesh. */
#include <string.h>

#include "sim/adapt.h"
#include "sim/phases.h"
#include "sim/sim.h"
#include "mesh/leaves.h"

weft_result weft_cloth_get_shape(const weft_sim *s, weft_cloth_id id, void *out, size_t *size, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const cloth *c = sim_get_cloth(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    if (!size)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "nowhere to write the size to");
    size_t wanted = c->forest.mem ? (size_t)forest_encode(&c->forest, NULL) : 0;
    if (out && *size < wanted)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the shape has %llu bytes, there is room for %llu",
                         (unsigned long long)wanted, (unsigned long long)*size);
    *size = wanted;
    if (out && wanted > 0)
        forest_encode(&c->forest, out);
    return WEFT_OK;
}

/* The lowest family first, until only roots are left. Families that cannot merge yet wait for finer neighbours, which
 * always have some that can. */
static void merge_whole_forest(reshape *r)
{
    forest *f = &r->forest;
    while (f->n_leaves > f->n_roots)
        for (int32_t ei = 0; ei < f->n_elements; ei++)
            if (f->elements[ei].n > 0 && !forest_is_leaf(f, ei) && forest_can_merge(f, ei))
                reshape_merge(r, ei);
}

static weft_result set_cloth_shape(weft_sim *s, weft_cloth_id id, const void *bytes, size_t size, weft_error *e)
{
    cloth *c = sim_get_cloth(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    if (!c->forest.mem && size == 0)
        return WEFT_OK;
    if (!bytes || !c->forest.mem)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1,
                         c->forest.mem ? "there are no bytes" : "this cloth does not adapt");
    if (reshape_names_new_nodes(s, c))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1,
                         "attachments or ties name nodes that are not of the first mesh, and that another may lack");
    reshape r;
    weft_result result = reshape_begin(&r, s, c, e);
    if (result != WEFT_OK)
        return result;
    merge_whole_forest(&r);
    int64_t n_failed = s->mem.n_failed;
    if (!forest_decode(&r.forest, bytes, (int64_t)size)) {
        reshape_drop(&r);
        if (s->mem.n_failed > n_failed)
            return error_memory(e);
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the bytes are not a shape of this cloth");
    }
    result = reshape_commit(&r, e);
    if (result == WEFT_OK)
        reshape_drop(&r);
    return result;
}

weft_result weft_cloth_set_shape(weft_sim *s, weft_cloth_id id, const void *bytes, size_t size, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_cloth_shape(s, id, bytes, size, e));
}

/* ---- the uniform mesh -------------------------------------------------------------------------------------------- */

/* Sides of faces and triangles then stay within int32. */
#define UNIFORM_MOST_FACES (1 << 27)

typedef struct uniform {
    forest forest;
    surface *surface;
    vec3 *x; /* by node of the forest */
    bool *known;
    int32_t n; /* of both */
} uniform;

static void uniform_destroy(uniform *u, mem *m)
{
    MEM_FREE(m, u->x, u->n);
    MEM_FREE(m, u->known, u->n);
    surface_destroy(u->surface);
    if (u->forest.mem)
        forest_destroy(&u->forest);
}

static bool refine_all(forest *f, int32_t level)
{
    for (int32_t l = 0; l < level; l++)
        for (int32_t ei = 0, n = f->n_elements; ei < n; ei++)
            if (f->elements[ei].n > 0 && f->elements[ei].level == l && !forest_refine(f, ei))
                return false;
    return true;
}

static void find_x(uniform *u, int32_t id)
{
    if (u->known[id])
        return;
    const int32_t *p = u->forest.nodes[id].parent;
    find_x(u, p[0]);
    find_x(u, p[1]);
    u->x[id] = v3_scale(0.5, v3_add(u->x[p[0]], u->x[p[1]]));
    u->known[id] = true;
}

/* Splitting does not move the surface: a copy of the forest, split everywhere to one level. */
static bool uniform_create(uniform *u, mem *m, const weft_sim *s, const cloth *c, int32_t level)
{
    forest from = c->forest;
    from.mem = m;
    bool ok = c->forest.mem ? forest_copy(&u->forest, &from) : forest_create(&u->forest, m, c->roots);
    ok = ok && refine_all(&u->forest, level);
    u->surface = ok ? surface_of_leaves(&u->forest, c->roots) : NULL;
    u->n = u->forest.n_nodes;
    if (!u->surface || !MEM_MAKE(m, u->x, u->n) || !MEM_MAKE(m, u->known, u->n))
        return false;
    for (int32_t vi = 0; vi < c->surface->n_nodes; vi++) {
        int32_t id = c->surface->origin ? c->surface->origin[vi] : vi;
        u->x[id] = s->state.q[c->offset + vi];
        u->known[id] = true;
    }
    for (int32_t vi = 0; vi < u->surface->n_nodes; vi++)
        find_x(u, u->surface->origin[vi]);
    return true;
}

static void write_uniform(const uniform *u, weft_uniform *out)
{
    const surface *f = u->surface;
    for (int32_t vi = 0; vi < f->n_nodes; vi++) {
        if (out->positions)
            out->positions[vi] = u->x[f->origin[vi]];
        if (out->uv && f->uv)
            out->uv[vi] = f->uv[vi];
    }
    for (int32_t ti = 0; out->triangles && ti < f->n_triangles; ti++)
        memcpy(out->triangles + 3 * (int64_t)ti, f->triangles[ti].node, 3 * sizeof(int32_t));
    for (int32_t ei = 0; out->faces && ei < f->n_elements; ei++)
        for (int k = 0; k < 4; k++)
            out->faces[4 * (int64_t)ei + k] = k < f->elements[ei].n ? f->elements[ei].node[k] : -1;
}

static weft_result get_uniform(const weft_sim *s, weft_cloth_id id, int32_t level, weft_uniform *out, weft_error *e)
{
    const cloth *c = sim_get_cloth(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    weft_cloth_info info;
    weft_cloth_get_info(s, id, &info, NULL);
    if (!out || level < info.level || level > FOREST_MAX_LEVEL)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1,
                         "the level is %d, it must be in [%d, %d], and there must be a place to write to", level,
                         info.level, FOREST_MAX_LEVEL);
    if ((double)c->roots->n_elements * (double)(INT64_C(1) << 2 * level) > UNIFORM_MOST_FACES)
        return error_set(e, WEFT_ERROR_RANGE, -1, "level %d of %d faces is more than %d", level, c->roots->n_elements,
                         UNIFORM_MOST_FACES);
    bool counts = !out->positions && !out->uv && !out->triangles && !out->faces;
    int32_t n_nodes = out->n_nodes, n_triangles = out->n_triangles, n_faces = out->n_faces;
    mem m = s->mem; /* its counts are not part of what a reader may see change */
    uniform u = {0};
    weft_result r = uniform_create(&u, &m, s, c, level) ? WEFT_OK : error_memory(e);
    if (r == WEFT_OK) {
        *out = (weft_uniform){
            u.surface->n_nodes, u.surface->n_triangles, u.surface->n_elements, out->positions, out->uv, out->triangles,
            out->faces};
        if (!counts && (n_nodes < out->n_nodes || n_triangles < out->n_triangles || n_faces < out->n_faces))
            r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "room for %d nodes, %d triangles and %d faces is needed",
                          out->n_nodes, out->n_triangles, out->n_faces);
        else
            write_uniform(&u, out);
    }
    uniform_destroy(&u, &m);
    return r;
}

weft_result weft_cloth_get_uniform(const weft_sim *s, weft_cloth_id id, int32_t level, weft_uniform *out, weft_error *e)
{
    weft_result r = sim_read_begin(s, __func__, e);
    return r < 0 ? r : sim_read_end(s, get_uniform(s, id, level, out, e));
}
