/* SPDX-License-Identifier: MIT */
/* A scene that runs. What happens in a step depends on the state and its time alone, so that a run that was interrupted
 * goes on bit for bit. */
#include "io/heap.h"
#include "io/scene/scene_number.h"
#include "io/scene/stage_cloth.h"
#include "io/scene/stage_collider.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static weft_sim_def merged_result(const weft_scene *s, const weft_sim_def *def)
{
    weft_sim_def d = s->sim;
    if (!def)
        return d;
    d.n_threads = def->n_threads;
    d.alloc = def->alloc;
    d.alloc_user = def->alloc_user;
    d.log = def->log;
    d.log_user = def->log_user;
    d.parallel_for = def->parallel_for;
    d.parallel_for_user = def->parallel_for_user;
    d.force = def->force;
    d.force_user = def->force_user;
    return d;
}

static weft_result create_attachments(weft_stage *st, weft_error *e)
{
    for (int32_t i = 0; i < st->scene->n_attachments; i++) {
        const weft_scene_attachment *a = &st->scene->attachments[i];
        weft_error why = {.text = ""};
        weft_attachment_def d = a->def;
        d.cloth = st->cloths[a->cloth];
        if (a->collider >= 0)
            d.collider = st->colliders[a->collider];
        weft_result r = weft_attachment_create(st->sim, &d, &st->attachments[i], &why);
        if (r < 0)
            return stage_fault(st->scene, a->place, e, r, "attachments.%d on cloth '%s': %s", i,
                               st->scene->cloths[a->cloth].name, why.text);
    }
    return WEFT_OK;
}

static weft_result create_ties(weft_stage *st, weft_error *e)
{
    for (int32_t i = 0; i < st->scene->n_ties; i++) {
        const weft_scene_tie *t = &st->scene->ties[i];
        weft_error why = {.text = ""};
        weft_tie_def d = t->def;
        d.cloth_a = st->cloths[t->cloth_a];
        d.cloth_b = st->cloths[t->cloth_b];
        weft_result r = weft_tie_create(st->sim, &d, &st->ties[i], &why);
        if (r < 0)
            return stage_fault(st->scene, t->place, e, r, "ties.%d: %s", i, why.text);
    }
    return WEFT_OK;
}

static weft_result create_layers(weft_stage *st, weft_error *e)
{
    const weft_scene *s = st->scene;
    weft_layer *layers = heap_array((size_t)s->n_layers, sizeof *layers);
    weft_error why = {.text = ""};
    if (!layers)
        return fault_memory(e);
    for (int32_t i = 0; i < s->n_layers; i++)
        layers[i] = (weft_layer){st->cloths[s->layers[i].inner], st->cloths[s->layers[i].outer]};
    weft_result r = s->n_layers > 0 ? weft_sim_set_layers(st->sim, layers, s->n_layers, &why) : WEFT_OK;
    free(layers);
    return r < 0 ? stage_fault(s, s->layers[0].place, e, r, "layers: %s", why.text) : r;
}

static weft_result fill_stage(weft_stage *st, const weft_sim_def *def, weft_error *e)
{
    const weft_scene *s = st->scene;
    weft_sim_def d = merged_result(s, def);
    st->cloths = heap_array((size_t)s->n_cloths, sizeof *st->cloths);
    st->colliders = heap_array((size_t)s->n_colliders, sizeof *st->colliders);
    st->attachments = heap_array((size_t)s->n_attachments, sizeof *st->attachments);
    st->ties = heap_array((size_t)s->n_ties, sizeof *st->ties);
    if (!st->cloths || !st->colliders || !st->attachments || !st->ties)
        return fault_memory(e);
    weft_error why = {.text = ""};
    weft_result r = weft_sim_create(&d, &st->sim, &why);
    if (r < 0)
        return stage_fault(s, (weft_scene_place){0, 0}, e, r, "%s", why.text);
    st->time = -1; /* so that colliders moved by files are put where these have them at first */
    for (int32_t i = 0; r == WEFT_OK && i < s->n_colliders; i++)
        r = stage_create_collider(s, i, st->sim, &st->colliders[i], e);
    if (r == WEFT_OK)
        r = stage_move_colliders(st, 0, e);
    st->time = 0;
    for (int32_t i = 0; r == WEFT_OK && i < s->n_cloths; i++)
        r = stage_create_cloth(s, i, st->sim, &st->cloths[i], e);
    if (r == WEFT_OK)
        r = create_attachments(st, e);
    if (r == WEFT_OK)
        r = create_ties(st, e);
    return r == WEFT_OK ? create_layers(st, e) : r;
}

weft_result weft_stage_create(const weft_scene *scene, const weft_sim_def *def, weft_stage **out, weft_error *e)
{
    if (!scene || !out)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_stage_create needs a scene and a place for the stage");
    *out = NULL;
    weft_stage *st = heap_array(1, sizeof *st);
    if (!st)
        return fault_memory(e);
    st->scene = scene;
    weft_result r = fill_stage(st, def, e);
    if (r < 0)
        weft_stage_destroy(st);
    else
        *out = st;
    return r;
}

void weft_stage_destroy(weft_stage *st)
{
    if (!st)
        return;
    weft_sim_destroy(st->sim);
    free(st->cloths);
    free(st->colliders);
    free(st->attachments);
    free(st->ties);
    free(st);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static weft_result set_wind(weft_stage *st, double time, weft_error *e)
{
    const weft_scene_gust *g = &st->scene->gust;
    weft_vec3 w = st->scene->sim.wind;
    if (g->strength == 0)
        return WEFT_OK;
    double turns = time / g->period, swell = 1 + g->strength * sine_degrees(360 * (turns - floor(turns)));
    return weft_sim_set_wind(st->sim, (weft_vec3){swell * w.x, swell * w.y, swell * w.z}, e);
}

weft_result weft_stage_advance(weft_stage *st, weft_step_stats *stats, weft_error *e)
{
    if (!st)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_stage_advance needs a stage");
    const weft_scene_output *o = &st->scene->output;
    double h = 1 / (o->fps * o->steps_per_frame);
    weft_step_stats sum = weft_step_stats_none(), step;
    weft_result worst = WEFT_OK;
    for (int32_t i = 0; i < o->steps_per_frame; i++) {
        weft_result r = set_wind(st, weft_sim_time(st->sim) + 0.5 * h, e);
        if (r == WEFT_OK)
            r = stage_move_colliders(st, weft_sim_time(st->sim) + h, e);
        if (r == WEFT_OK)
            r = weft_sim_step(st->sim, h, &step, e);
        st->time = weft_sim_time(st->sim);
        if (r < 0)
            return r;
        worst = r > worst ? r : worst;
        weft_step_stats_add(&sum, &step);
    }
    if (stats)
        *stats = sum;
    return worst;
}

/* ---- topology ---------------------------------------------------------------------------------------------------- */

typedef struct topology_arrays {
    int32_t *triangles, *face_start, *corners, *corner_uv;
    double *rest_lengths;
    weft_vec2 *uv;
    uint8_t *levels, *shape;
} topology_arrays;

static bool allocate_topology(topology_arrays *a, const weft_topology *t, int64_t n_corners, bool has_uv)
{
    a->triangles = heap_array(3 * (size_t)t->n_triangles, sizeof *a->triangles);
    a->rest_lengths = heap_array(3 * (size_t)t->n_triangles, sizeof *a->rest_lengths);
    a->face_start = heap_array((size_t)t->n_faces + 1, sizeof *a->face_start);
    a->corners = heap_array((size_t)n_corners, sizeof *a->corners);
    if (has_uv) {
        a->uv = heap_array((size_t)t->n_uv, sizeof *a->uv);
        a->corner_uv = heap_array((size_t)n_corners, sizeof *a->corner_uv);
    }
    return a->triangles && a->rest_lengths && a->face_start && a->corners && (!has_uv || (a->uv && a->corner_uv));
}

/* Quads with the corners that the library gives them; each node has its own uv. */
static void fill_grid_faces(topology_arrays *a, const weft_grid_def *g)
{
    int32_t n = 0;
    for (int32_t j = 0; j < g->n_weft - 1; j++)
        for (int32_t i = 0; i < g->n_warp - 1; i++, n++) {
            int32_t k = i + g->n_warp * j, *q = a->corners + 4 * (size_t)n;
            a->face_start[n] = 4 * n;
            q[0] = k;
            q[1] = k + 1;
            q[2] = k + 1 + g->n_warp;
            q[3] = k + g->n_warp;
        }
    a->face_start[n] = 4 * n;
    memcpy(a->corner_uv, a->corners, 4 * (size_t)n * sizeof *a->corners);
}

static void fill_mesh_faces(topology_arrays *a, const weft_mesh *m)
{
    size_t n = (size_t)m->face_start[m->n_faces];
    memcpy(a->face_start, m->face_start, ((size_t)m->n_faces + 1) * sizeof *a->face_start);
    memcpy(a->corners, m->corners, n * sizeof *a->corners);
    if (a->uv && m->n_uv > 0) {
        memcpy(a->uv, m->uv, (size_t)m->n_uv * sizeof *a->uv);
        memcpy(a->corner_uv, m->corner_uv, n * sizeof *a->corner_uv);
    }
}

/* A mesh that has split is given as its triangles; nodes have the uv of the cloth at rest, if that is flat. */
static weft_result fill_split(const weft_stage *st, int32_t cloth, weft_topology *t, topology_arrays *a, weft_error *e)
{
    weft_cloth_id id = st->cloths[cloth];
    const weft_scene_cloth *c = &st->scene->cloths[cloth];
    bool has_uv = c->is_grid || c->rest == WEFT_REST_UV;
    t->n_faces = t->n_triangles;
    t->n_uv = has_uv ? t->n_nodes : 0;
    weft_result r = weft_cloth_get_shape(st->sim, id, NULL, &t->shape_size, e);
    if (r < 0)
        return r;
    a->levels = heap_array((size_t)t->n_triangles, sizeof *a->levels);
    a->shape = heap_array(t->shape_size, 1);
    if (!a->levels || !a->shape || !allocate_topology(a, t, 3 * (int64_t)t->n_triangles, has_uv))
        return fault_memory(e);
    r = weft_cloth_get_triangles(st->sim, id, a->triangles, t->n_triangles, e);
    if (r == WEFT_OK)
        r = weft_cloth_get_rest_lengths(st->sim, id, a->rest_lengths, t->n_triangles, e);
    if (r == WEFT_OK)
        r = weft_cloth_get_levels(st->sim, id, a->levels, t->n_triangles, e);
    if (r == WEFT_OK)
        r = weft_cloth_get_shape(st->sim, id, a->shape, &t->shape_size, e);
    if (r == WEFT_OK && has_uv)
        r = weft_cloth_get_uv(st->sim, id, a->uv, t->n_uv, e);
    if (r != WEFT_OK)
        return r;
    for (int32_t i = 0; i <= t->n_faces; i++)
        a->face_start[i] = 3 * i;
    memcpy(a->corners, a->triangles, 3 * (size_t)t->n_triangles * sizeof *a->corners);
    if (has_uv)
        memcpy(a->corner_uv, a->triangles, 3 * (size_t)t->n_triangles * sizeof *a->corner_uv);
    return WEFT_OK;
}

static weft_result fill_topology(const weft_stage *st, int32_t cloth, weft_topology *t, topology_arrays *a,
                                 weft_error *e)
{
    const weft_scene_cloth *c = &st->scene->cloths[cloth];
    weft_cloth_id id = st->cloths[cloth];
    bool has_uv = c->is_grid || (c->mesh.corner_uv && c->mesh.n_uv > 0);
    t->n_faces = c->is_grid ? (c->grid.n_warp - 1) * (c->grid.n_weft - 1) : c->mesh.n_faces;
    t->n_uv = !has_uv ? 0 : c->is_grid ? t->n_nodes : c->mesh.n_uv;
    if (!allocate_topology(a, t, c->is_grid ? 4 * (int64_t)t->n_faces : c->mesh.face_start[t->n_faces], has_uv))
        return fault_memory(e);
    if (c->is_grid)
        fill_grid_faces(a, &c->grid);
    else
        fill_mesh_faces(a, &c->mesh);
    weft_result r = weft_cloth_get_triangles(st->sim, id, a->triangles, t->n_triangles, e);
    if (r == WEFT_OK)
        r = weft_cloth_get_rest_lengths(st->sim, id, a->rest_lengths, t->n_triangles, e);
    if (r == WEFT_OK && c->is_grid)
        r = weft_cloth_get_uv(st->sim, id, a->uv, t->n_uv, e);
    return r;
}

weft_result weft_stage_topology(const weft_stage *st, int32_t cloth, weft_topology *out, weft_error *e)
{
    if (!st || !out || cloth < 0 || cloth >= st->scene->n_cloths)
        return fault(e, WEFT_ERROR_INDEX, "the stage has no cloth %d", cloth);
    weft_cloth_info info;
    weft_result r = weft_cloth_get_info(st->sim, st->cloths[cloth], &info, e);
    if (r < 0)
        return r;
    topology_arrays a = {0};
    weft_topology t = {
        .cloth = cloth, .revision = info.revision, .n_nodes = info.n_nodes, .n_triangles = info.n_triangles};
    r = info.level > 0 ? fill_split(st, cloth, &t, &a, e) : fill_topology(st, cloth, &t, &a, e);
    t.triangles = a.triangles;
    t.rest_lengths = a.rest_lengths;
    t.face_start = a.face_start;
    t.corners = a.corners;
    t.uv = a.uv;
    t.corner_uv = a.corner_uv;
    t.levels = a.levels;
    t.shape = a.shape;
    *out = t;
    if (r < 0)
        weft_stage_topology_free(out);
    return r;
}

static void free_const(const void *p)
{
    free((void *)p);
}

void weft_stage_topology_free(weft_topology *t)
{
    if (!t)
        return;
    free_const(t->triangles);
    free_const(t->rest_lengths);
    free_const(t->levels);
    free_const(t->face_start);
    free_const(t->corners);
    free_const(t->uv);
    free_const(t->corner_uv);
    free_const(t->shape);
    *t = (weft_topology){0};
}
