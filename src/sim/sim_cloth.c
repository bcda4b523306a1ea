/* SPDX-License-Identifier: MIT */
/* Cloths: creation from grids and meshes, with all their checks. */
#include <assert.h>
#include <string.h>

#include "sim/check.h"
#include "sim/adapt.h"
#include "sim/phases.h"
#include "sim/params.h"
#include "sim/sim.h"

weft_grid_def weft_grid_def_default(void)
{
    return (weft_grid_def){.struct_size = sizeof(weft_grid_def),
                           .n_warp = 2,
                           .n_weft = 2,
                           .size_warp = 1,
                           .size_weft = 1,
                           .axis_warp = {1, 0, 0},
                           .axis_weft = {0, 0, -1}};
}

weft_mesh_def weft_mesh_def_default(void)
{
    return (weft_mesh_def){.struct_size = sizeof(weft_mesh_def)};
}

cloth *definitions_cloth(const definitions *d, weft_cloth_id id)
{
    return slots_get(&d->cloths, id.index, id.generation);
}

cloth *sim_get_cloth(const weft_sim *s, weft_cloth_id id, weft_error *e)
{
    if (!s) {
        sim_missing(s, e);
        return NULL;
    }
    cloth *c = definitions_cloth(&s->defs, id);
    if (!c)
        error_set(e, WEFT_ERROR_STALE_ID, id.index, "there is no cloth with the id %d/%u", id.index, id.generation);
    return c;
}

void cloth_destroy(weft_sim *s, cloth *c)
{
    if (!c)
        return;
    int32_t n_nodes = c->surface ? c->surface->n_nodes : 0;
    MEM_FREE(&s->mem, c->fabrics, c->n_fabrics);
    MEM_FREE(&s->mem, c->node_mass, n_nodes);
    if (c->surface != c->roots)
        surface_destroy(c->surface);
    surface_destroy(c->roots);
    if (c->forest.mem)
        forest_destroy(&c->forest);
    look_space_destroy(&c->look, &s->mem);
    mem_free(&s->mem, c, 1, sizeof *c);
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static weft_result check_face_indices(const char *name, const int32_t *a, int32_t n, int32_t most, weft_error *e)
{
    for (int32_t i = 0; a && i < n; i++)
        if (a[i] < 0 || a[i] >= most)
            return error_set(e, WEFT_ERROR_INDEX, i, "%s[%d] is %d, it must be in [0, %d]", name, i, a[i], most - 1);
    return WEFT_OK;
}

static weft_result check_model(const weft_cloth_model *m, int32_t n_faces, weft_error *e)
{
    weft_result r = check_integer("model.stretch", m->stretch, 0, 1, e);
    if (r == WEFT_OK)
        r = check_integer("model.law", m->law, 0, 1, e);
    if (r == WEFT_OK)
        r = check_integer("model.bending", m->bending, 0, 3, e);
    if (r == WEFT_OK)
        r = check_integer("model.limit", m->limit, 0, 2, e);
    if (r == WEFT_OK)
        r = adapt_check(&m->adapt, e);
    if (r == WEFT_OK)
        r = check_number("model.pressure", m->pressure, -1e6, 1e6, e);
    if (r == WEFT_OK && (m->n_fabrics < 0 || (m->n_fabrics > 0) != (m->fabrics != NULL)))
        r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "model.fabrics and model.n_fabrics (%d) do not fit together",
                      m->n_fabrics);
    for (int32_t i = 0; r == WEFT_OK && i < m->n_fabrics; i++) {
        r = weft_fabric_check(&m->fabrics[i], e);
        if (r != WEFT_OK && e)
            e->element = i;
    }
    if (r == WEFT_OK && (m->n_panels < 0 || (m->n_panels == 0 && m->panel_fabric)))
        r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "model.panel_fabric and model.n_panels (%d) do not fit together",
                      m->n_panels);
    int32_t n_fabrics = m->n_fabrics > 0 ? m->n_fabrics : 1, n_panels = m->n_panels > 0 ? m->n_panels : 1;
    if (r == WEFT_OK)
        r = check_face_indices("model.face_fabric", m->face_fabric, n_faces, n_fabrics, e);
    if (r == WEFT_OK)
        r = check_face_indices("model.panel_fabric", m->panel_fabric, m->n_panels, n_fabrics, e);
    if (r == WEFT_OK)
        r = check_face_indices("model.face_panel", m->face_panel, n_faces, n_panels, e);
    return r;
}

static weft_result check_uv(const vec2 *uv, int32_t n, weft_error *e)
{
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(uv[i].u) || !isfinite(uv[i].v))
            return error_set(e, WEFT_ERROR_NOT_FINITE, i, "material coordinates of node %d are not finite", i);
        if (fabs(uv[i].u) > 1e6 || fabs(uv[i].v) > 1e6)
            return error_set(e, WEFT_ERROR_RANGE, i, "material coordinates of node %d are (%g, %g), beyond ±1e6", i,
                             uv[i].u, uv[i].v);
    }
    return WEFT_OK;
}

static weft_result check_mesh(const weft_sim *s, const weft_mesh_def *d, weft_error *e)
{
    weft_result r = check_struct_size("weft_mesh_def", d->struct_size, sizeof *d, e);
    if (r != WEFT_OK)
        return r;
    if (d->n_nodes <= 0 || !d->positions)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "a mesh needs nodes with positions");
    if (d->n_triangles < 0 || d->n_quads < 0 || (d->n_triangles > 0 && !d->triangles) || (d->n_quads > 0 && !d->quads))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "%d triangles and %d quads do not fit their arrays",
                         d->n_triangles, d->n_quads);
    const int32_t most = 1 << 27; /* as in surface.c; sums of counts then stay within int32 */
    if (d->n_nodes > most || d->n_triangles > most || d->n_quads > most)
        return error_set(e, WEFT_ERROR_RANGE, -1, "%d nodes, %d triangles, %d quads: there can be at most %d of each",
                         d->n_nodes, d->n_triangles, d->n_quads, most);
    if (d->uv && d->rest_positions)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "uv and rest_positions exclude each other");
    r = check_model(&d->model, d->n_triangles + d->n_quads, e);
    if (r == WEFT_OK)
        r = check_vectors("position", d->positions, d->n_nodes, sim_world_limit(s), e);
    if (r == WEFT_OK)
        r = check_vectors("velocity", d->velocities, d->n_nodes, 1e4, e);
    if (r == WEFT_OK)
        r = check_vectors("rest position", d->rest_positions, d->n_nodes, 1e6, e);
    if (r == WEFT_OK && d->uv)
        r = check_uv(d->uv, d->n_nodes, e);
    return r;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool copy_fabrics(weft_sim *s, cloth *c, const weft_cloth_model *m)
{
    c->n_fabrics = m->n_fabrics > 0 ? m->n_fabrics : 1;
    if (!MEM_MAKE(&s->mem, c->fabrics, c->n_fabrics))
        return false;
    c->fabrics[0] = weft_fabric_default();
    for (int32_t i = 0; i < m->n_fabrics; i++)
        c->fabrics[i] = m->fabrics[i];
    return true;
}

static void set_material(cloth *c, const weft_cloth_model *m)
{
    weft_bending_model bending = m->bending;
    if (bending == WEFT_BENDING_AUTO)
        bending = forces_beams_fit(c->surface) ? WEFT_BENDING_BEAMS : WEFT_BENDING_TENSOR;
    c->material = (cloth_material){c->fabrics, m->stretch, m->law, bending, m->limit, m->pressure, c->node_mass};
}

static int32_t fabric_of_face(const weft_cloth_model *m, int32_t fi)
{
    if (m->face_fabric)
        return m->face_fabric[fi];
    return m->panel_fabric ? m->panel_fabric[m->face_panel ? m->face_panel[fi] : 0] : 0;
}

/* The surface, its fabrics and masses; checks that forces can be made. */
static weft_result make_sim_cloth(weft_sim *s, const weft_mesh_def *d, int32_t grid_columns, cloth *c, weft_error *e)
{
    int32_t n_faces = d->n_triangles + d->n_quads;
    int32_t *fabric = mem_array(&s->mem, n_faces, sizeof *fabric);
    if (!fabric && n_faces > 0)
        return error_memory(e);
    for (int32_t i = 0; i < n_faces; i++)
        fabric[i] = fabric_of_face(&d->model, i);
    surface_input in = {.n_nodes = d->n_nodes,
                        .n_triangles = d->n_triangles,
                        .n_quads = d->n_quads,
                        .triangles = d->triangles,
                        .quads = d->quads,
                        .uv = d->uv,
                        .rest = d->rest_positions ? d->rest_positions : d->positions,
                        .fabric = fabric,
                        .panel = d->model.face_panel,
                        .grid_columns = grid_columns};
    weft_result r = surface_create(&s->mem, &in, &c->roots, e);
    mem_free(&s->mem, fabric, n_faces, sizeof *fabric);
    if (r != WEFT_OK)
        return r;
    c->surface = c->roots;
    c->adapt = d->model.adapt;
    if (c->adapt.max_level > 0 && !forest_create(&c->forest, &s->mem, c->roots))
        return error_memory(e);
    if (!copy_fabrics(s, c, &d->model) || (d->node_mass && !MEM_MAKE(&s->mem, c->node_mass, d->n_nodes)))
        return error_memory(e);
    if (d->node_mass)
        memcpy(c->node_mass, d->node_mass, (size_t)d->n_nodes * sizeof *c->node_mass);
    set_material(c, &d->model);
    c->n_tilts = forces_n_tilts(c->surface, &c->material);
    return forces_check(c->surface, &c->material, e);
}

static void place_nodes(const weft_sim *s, state *st, int32_t offset, const weft_mesh_def *d)
{
    for (int32_t i = 0; i < d->n_nodes; i++) {
        int32_t k = offset + i;
        st->q[k] = st->q_past[k] = grid_snap(d->positions[i], s->def.world_scale);
        st->v[k] = st->v_past[k] = d->velocities ? d->velocities[i] : v3_zero();
        st->accel[k] = v3_zero();
        st->memory[k] = (contact_memory){.owner = CONTACT_OWNER_NONE};
        st->restart[k] = 1;
        st->pair_radius[k] = 0;
    }
}

static bool grow_state(weft_sim *s, int32_t n, int32_t n_tilts, state *made)
{
    bool ok = state_create(made, &s->mem, n, n_tilts);
    if (!ok)
        state_destroy(made, &s->mem);
    return ok;
}

static void take_cloth_state(weft_sim *s, const state *made)
{
    state_destroy(&s->state, &s->mem);
    s->state = *made;
}

/* By which model a cloth's quads stretch, and why, where that is not as somebody might expect. */
void sim_tell_model(const weft_sim *s, const cloth *c, int32_t index)
{
    int32_t first = 0, n = forces_without_springs(c->surface, &c->material, &first);
    const weft_fabric *f = n > 0 ? &c->fabrics[c->surface->elements[first].fabric] : NULL;
    if (n > 0 && quad_is_askew(c->surface, first))
        sim_log(&s->model, WEFT_LOG_WARNING,
                "cloth %d: %d quads are membrane, not springs: face %d's sides run across its threads", index, n,
                first);
    else if (n > 0)
        sim_log(&s->model, WEFT_LOG_WARNING,
                "cloth %d: %d quads are membrane, not springs: face %d's shear stiffness %g N/m is too large beside "
                "stretch %g and %g N/m for springs in such cells",
                index, n, first, f->shear, f->stretch_warp, f->stretch_weft);
    int32_t last = c->surface->n_elements - 1; /* quads come after triangles */
    if (last < 0 || !s->def.log)
        return;
    double warp = 0, weft = 0, own_warp = 0, own_weft = 0;
    cloth_material membrane = c->material;
    membrane.stretch = WEFT_STRETCH_MEMBRANE;
    forces_poisson(c->surface, &c->material, last, &warp, &weft);
    forces_poisson(c->surface, &membrane, last, &own_warp, &own_weft);
    if (fabs(warp - own_warp) > TOLD_POISSON * own_warp || fabs(weft - own_weft) > TOLD_POISSON * own_weft)
        sim_log(&s->model, WEFT_LOG_INFO,
                "cloth %d: quads stretch by springs, with Poisson ratios of %.3f along warp and %.3f along weft; its "
                "fabric has %.3f and %.3f, as the membrane does",
                index, warp, weft, own_warp, own_weft);
}

static weft_result store_cloth(weft_sim *s, const weft_mesh_def *d, int32_t grid_columns, weft_cloth_id *out,
                               weft_error *e)
{
    state grown = {0};
    cloth *c = mem_array(&s->mem, 1, sizeof *c);
    if (!c)
        return error_memory(e);
    weft_result r = make_sim_cloth(s, d, grid_columns, c, e);
    if (r == WEFT_OK && (!slots_reserve(&s->defs.cloths, &s->mem) ||
                         !grow_state(s, s->state.n + d->n_nodes, s->state.n_tilts + c->n_tilts, &grown)))
        r = error_memory(e);
    if (r != WEFT_OK) {
        cloth_destroy(s, c);
        return r;
    }
    c->filter = weft_filter_default();
    c->offset = s->state.n;
    c->tilt_offset = s->state.n_tilts;
    state_copy_nodes(&grown, &s->state);
    place_nodes(s, &grown, c->offset, d);
    take_cloth_state(s, &grown);
    slots_add(&s->defs.cloths, c, &out->index, &out->generation);
    model_invalidate(&s->model);
    sim_tell_model(s, c, out->index);
    return WEFT_OK;
}

static weft_result create_mesh_cloth(weft_sim *s, const weft_mesh_def *d, weft_cloth_id *out, weft_error *e)
{
    if (!s || !d || !out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1,
                         "weft_cloth_create_mesh needs a simulation, a definition and a place for the id");
    weft_result r = check_mesh(s, d, e);
    return r == WEFT_OK ? store_cloth(s, d, 0, out, e) : r;
}

weft_result weft_cloth_create_mesh(weft_sim *s, const weft_mesh_def *d, weft_cloth_id *out, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, create_mesh_cloth(s, d, out, e));
}

static weft_result check_grid(const weft_sim *s, const weft_grid_def *d, weft_error *e)
{
    weft_result r = check_struct_size("weft_grid_def", d->struct_size, sizeof *d, e);
    if (r == WEFT_OK)
        r = check_integer("n_warp", d->n_warp, 2, 8192, e);
    if (r == WEFT_OK)
        r = check_integer("n_weft", d->n_weft, 2, 8192, e);
    if (r == WEFT_OK)
        r = check_number("size_warp", d->size_warp, 1e-4, 250, e);
    if (r == WEFT_OK)
        r = check_number("size_weft", d->size_weft, 1e-4, 250, e);
    if (r == WEFT_OK)
        r = check_direction("axis_warp", d->axis_warp, e);
    if (r == WEFT_OK)
        r = check_direction("axis_weft", d->axis_weft, e);
    if (r == WEFT_OK &&
        !(v3_len(v3_cross(v3_unit_or(d->axis_warp, v3_zero()), v3_unit_or(d->axis_weft, v3_zero()))) > 1e-9))
        r = error_set(e, WEFT_ERROR_DEGENERATE, -1, "axis_warp and axis_weft are parallel");
    if (r == WEFT_OK)
        r = check_vector("corner", d->corner, sim_world_limit(s), e);
    if (r == WEFT_OK)
        r = check_vector("velocity", d->velocity, 1e4, e);
    return r;
}

typedef struct grid_arrays {
    int32_t n_nodes, n_quads;
    vec3 *positions, *velocities;
    vec2 *uv;
    int32_t *quads;
} grid_arrays;

static bool grid_allocate(weft_sim *s, grid_arrays *g, const weft_grid_def *d)
{
    *g = (grid_arrays){.n_nodes = d->n_warp * d->n_weft, .n_quads = (d->n_warp - 1) * (d->n_weft - 1)};
    return MEM_MAKE(&s->mem, g->positions, g->n_nodes) && MEM_MAKE(&s->mem, g->velocities, g->n_nodes) &&
           MEM_MAKE(&s->mem, g->uv, g->n_nodes) && MEM_MAKE(&s->mem, g->quads, 4 * (int64_t)g->n_quads);
}

static void grid_free(weft_sim *s, grid_arrays *g)
{
    MEM_FREE(&s->mem, g->positions, g->n_nodes);
    MEM_FREE(&s->mem, g->velocities, g->n_nodes);
    MEM_FREE(&s->mem, g->uv, g->n_nodes);
    MEM_FREE(&s->mem, g->quads, 4 * (int64_t)g->n_quads);
}

static void grid_fill(grid_arrays *g, const weft_grid_def *d)
{
    vec3 warp = v3_unit_or(d->axis_warp, v3(1, 0, 0));
    vec3 weft = v3_unit_or(v3_madd(d->axis_weft, -v3_dot(d->axis_weft, warp), warp), v3(0, 0, -1));
    for (int32_t j = 0; j < d->n_weft; j++)
        for (int32_t i = 0; i < d->n_warp; i++) {
            int32_t k = i + d->n_warp * j;
            g->uv[k] = (vec2){d->size_warp * i / (d->n_warp - 1), d->size_weft * j / (d->n_weft - 1)};
            g->positions[k] = v3_madd(v3_madd(d->corner, g->uv[k].u, warp), g->uv[k].v, weft);
            g->velocities[k] = d->velocity;
        }
    for (int32_t j = 0; j < d->n_weft - 1; j++)
        for (int32_t i = 0; i < d->n_warp - 1; i++) {
            int32_t *q = g->quads + 4 * ((int64_t)i + (int64_t)(d->n_warp - 1) * j), k = i + d->n_warp * j;
            q[0] = k;
            q[1] = k + 1;
            q[2] = k + 1 + d->n_warp;
            q[3] = k + d->n_warp;
        }
}

static weft_result create_grid_cloth(weft_sim *s, const weft_grid_def *d, weft_cloth_id *out, weft_error *e)
{
    if (!s || !d || !out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1,
                         "weft_cloth_create_grid needs a simulation, a definition and a place for the id");
    weft_result r = check_grid(s, d, e);
    if (r != WEFT_OK)
        return r;
    grid_arrays g;
    if (!grid_allocate(s, &g, d)) {
        r = error_memory(e);
    } else {
        grid_fill(&g, d);
        weft_mesh_def m = {.struct_size = sizeof m,
                           .n_nodes = g.n_nodes,
                           .positions = g.positions,
                           .velocities = g.velocities,
                           .uv = g.uv,
                           .n_quads = g.n_quads,
                           .quads = g.quads,
                           .model = d->model};
        r = check_mesh(s, &m, e);
        if (r == WEFT_OK)
            r = store_cloth(s, &m, d->n_warp - 1, out, e);
    }
    grid_free(s, &g);
    return r;
}

weft_result weft_cloth_create_grid(weft_sim *s, const weft_grid_def *d, weft_cloth_id *out, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, create_grid_cloth(s, d, out, e));
}

/* ---- removal ----------------------------------------------------------------------------------------------------- */

static weft_result remove_cloth(weft_sim *s, weft_cloth_id id, weft_error *e)
{
    cloth *c = sim_get_cloth(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    int32_t n = c->surface->n_nodes, after = c->offset + n;
    state less = {0};
    int32_t n_tilts = c->n_tilts, tilts_after = c->tilt_offset + n_tilts;
    if (!grow_state(s, s->state.n - n, s->state.n_tilts - n_tilts, &less))
        return error_memory(e);
    attachments_drop_cloth(s, id);
    layers_drop_cloth(s, id);
    less.time = s->state.time;
    less.last_h = s->state.last_h;
    state_copy_range(&less, 0, &s->state, 0, c->offset);
    state_copy_range(&less, c->offset, &s->state, after, s->state.n - after);
    state_copy_tilts(&less, 0, &s->state, 0, c->tilt_offset);
    state_copy_tilts(&less, c->tilt_offset, &s->state, tilts_after, s->state.n_tilts - tilts_after);
    take_cloth_state(s, &less);
    for (int32_t i = 0; i < s->defs.cloths.n; i++) {
        cloth *o = s->defs.cloths.items[i].item;
        if (o && o->offset >= after) {
            o->offset -= n;
            o->tilt_offset -= n_tilts;
        }
    }
    slots_remove(&s->defs.cloths, id.index);
    cloth_destroy(s, c);
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_cloth_remove(weft_sim *s, weft_cloth_id id, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, remove_cloth(s, id, e));
}
