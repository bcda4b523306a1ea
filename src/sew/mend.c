/* SPDX-License-Identifier: MIT */
/* After welding: seams that were not quite shut are drawn together without looking at what is in the way, and may leave
 * triangles that intersect. They are untangled; the body and other cloths stand still. Welded nodes are at one place,
 * and stay so. */
#include "sew/sew.h"

#include "sew/params.h"
#include "sim/sim.h"

#include <weft/untangle.h>

#include <assert.h>

/* Objects: the cloth that is sewn, then what does not move: other cloths, the body. */
typedef struct mend_mesh {
    int32_t n_nodes, n_triangles, n_cloth;
    vec3 *x;
    int32_t *triangles, *objects;
} mend_mesh;

static void mend_free_mesh(weft_sew *w, mend_mesh *m)
{
    MEM_FREE(&w->mem, m->x, m->n_nodes);
    MEM_FREE(&w->mem, m->triangles, 3 * (int64_t)m->n_triangles);
    MEM_FREE(&w->mem, m->objects, m->n_triangles);
}

/* The i-th cloth of the simulation; false: no such. */
static bool nth_cloth(const weft_sew *w, int32_t i, weft_cloth_id *id)
{
    *id = (weft_cloth_id){i, w->sim->defs.cloths.items[i].generation};
    return w->sim->defs.cloths.items[i].item != NULL;
}

static bool is_own_cloth(const weft_sew *w, weft_cloth_id id)
{
    return id.index == w->cloth.index && id.generation == w->cloth.generation;
}

static weft_result mend_add_cloth(weft_sew *w, weft_cloth_id id, mend_mesh *m, bool fill, weft_error *e)
{
    weft_cloth_info info;
    weft_result r = weft_cloth_get_info(w->sim, id, &info, e);
    int32_t *t = m->triangles ? m->triangles + 3 * (int64_t)m->n_triangles : NULL;
    if (r == WEFT_OK && fill)
        r = weft_cloth_get_positions(w->sim, id, m->x + m->n_nodes, info.n_nodes, 0, e);
    if (r == WEFT_OK && fill)
        r = weft_cloth_get_triangles(w->sim, id, t, info.n_triangles, e);
    for (int32_t i = 0; r == WEFT_OK && fill && i < info.n_triangles; i++) {
        assert(t); /* counted before: there is room */
        for (int k = 0; k < 3; k++)
            t[3 * i + k] += m->n_nodes;
        m->objects[m->n_triangles + i] = is_own_cloth(w, id) ? 0 : 1;
    }
    if (r == WEFT_OK) {
        m->n_nodes += info.n_nodes;
        m->n_triangles += info.n_triangles;
        m->n_cloth = is_own_cloth(w, id) ? info.n_nodes : m->n_cloth;
    }
    return r;
}

static weft_result mend_add_body(weft_sew *w, mend_mesh *m, bool fill, weft_error *e)
{
    weft_collider_info info;
    weft_result r = weft_collider_get_info(w->sim, w->def.body, &info, e);
    if (r < 0 || info.kind != WEFT_COLLIDER_MESH)
        return r;
    int32_t *t = m->triangles ? m->triangles + 3 * (int64_t)m->n_triangles : NULL;
    if (fill)
        r = weft_collider_get_vertices(w->sim, w->def.body, m->x + m->n_nodes, info.n_vertices, e);
    if (r == WEFT_OK && fill)
        r = weft_collider_get_triangles(w->sim, w->def.body, t, info.n_triangles, e);
    for (int32_t i = 0; r == WEFT_OK && fill && i < info.n_triangles; i++) {
        assert(t); /* counted before: there is room */
        for (int k = 0; k < 3; k++)
            t[3 * i + k] += m->n_nodes;
        m->objects[m->n_triangles + i] = 2;
    }
    m->n_nodes += info.n_vertices;
    m->n_triangles += info.n_triangles;
    return r;
}

/* Counts, or fills in what there is room for. */
static weft_result mend_add_all(weft_sew *w, mend_mesh *m, bool fill, weft_error *e)
{
    m->n_nodes = m->n_triangles = 0;
    weft_result r = mend_add_cloth(w, w->cloth, m, fill, e);
    for (int32_t i = 0; r == WEFT_OK && i < w->sim->defs.cloths.n; i++) {
        weft_cloth_id id;
        if (nth_cloth(w, i, &id) && !is_own_cloth(w, id))
            r = mend_add_cloth(w, id, m, fill, e);
    }
    return r == WEFT_OK && w->def.has_body ? mend_add_body(w, m, fill, e) : r;
}

static weft_result mend_untangle(weft_sew *w, mend_mesh *m, weft_error *e)
{
    const bool fixed[3] = {false, true, true};
    const weft_untangle_side side[3] = {WEFT_SIDE_DYNAMIC, WEFT_SIDE_DYNAMIC, WEFT_SIDE_OUT};
    weft_untangle_def def = weft_untangle_def_default();
    def.method = WEFT_UNTANGLE_CONTOURS;
    weft_untangle_report report;
    def.n_nodes = m->n_nodes;
    def.positions = m->x;
    def.n_triangles = m->n_triangles;
    def.triangles = m->triangles;
    def.objects = m->objects;
    def.n_objects = 3;
    def.object_is_collider = fixed;
    def.object_side = side;
    def.keep_shape = true;
    def.gap = SEW_MEND_GAP;
    def.max_iterations = SEW_MEND_ITERATIONS;
    weft_result r = weft_untangle(&def, m->x, &report, e);
    if (r < 0)
        return r;
    w->state.n_mended += (int32_t)min_of(1e9, (double)(report.pairs_before - report.pairs_after));
    w->state.n_tangled = (int32_t)min_of(2e9, (double)report.pairs_after);
    return report.pairs_before > 0 ? weft_cloth_set_positions(w->sim, w->cloth, m->x, m->n_cloth, e) : WEFT_OK;
}

weft_result sew_mend(weft_sew *w, weft_error *e)
{
    mend_mesh m = {0};
    weft_result r = mend_add_all(w, &m, false, e);
    if (r == WEFT_OK &&
        !(MEM_MAKE(&w->mem, m.x, m.n_nodes) && MEM_MAKE(&w->mem, m.triangles, 3 * (int64_t)m.n_triangles) &&
          MEM_MAKE(&w->mem, m.objects, m.n_triangles)))
        r = error_memory(e);
    r = r < 0 ? r : mend_add_all(w, &m, true, e);
    r = r < 0 ? r : mend_untangle(w, &m, e);
    mend_free_mesh(w, &m);
    return r;
}
