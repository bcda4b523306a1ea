/* SPDX-License-Identifier: MIT */
#include "uniform.h"

#include <stdio.h>
#include <stdlib.h>

/* One cloth: its uniform mesh and room for its positions. */
typedef struct uniform_cloth {
    int32_t level;
    weft_uniform mesh;
    int32_t *face_start, *corners;
    weft_vec3 *given; /* of a frame, as stored */
    int32_t n_given;
} uniform_cloth;

typedef struct maker {
    const run_view *view;
    weft_stage *stage;
    weft_cache_writer *writer;
    uniform_cloth *cloths;
    const weft_vec3 **positions;
    double *columns;
    int32_t n_cloths;
} maker;

static weft_result trouble(weft_error *error, weft_result code, const char *text)
{
    *error = (weft_error){.code = code, .element = -1};
    snprintf(error->text, sizeof error->text, "%s", text);
    return code;
}

weft_result uniform_no_memory(weft_error *error)
{
    return trouble(error, WEFT_ERROR_MEMORY, "out of memory");
}

static void free_cloth(uniform_cloth *c)
{
    free(c->mesh.positions);
    free(c->mesh.uv);
    free(c->mesh.triangles);
    free(c->mesh.faces);
    free(c->face_start);
    free(c->corners);
    free(c->given);
}

static bool allocate(uniform_cloth *c)
{
    weft_uniform *m = &c->mesh;
    m->positions = calloc((size_t)m->n_nodes + 1, sizeof *m->positions);
    m->uv = calloc((size_t)m->n_nodes + 1, sizeof *m->uv);
    m->triangles = calloc(3 * (size_t)m->n_triangles + 1, sizeof *m->triangles);
    m->faces = calloc(4 * (size_t)m->n_faces + 1, sizeof *m->faces);
    c->face_start = calloc((size_t)m->n_faces + 1, sizeof *c->face_start);
    c->corners = calloc(4 * (size_t)m->n_faces + 1, sizeof *c->corners);
    return m->positions && m->uv && m->triangles && m->faces && c->face_start && c->corners;
}

static void fill_faces(uniform_cloth *c)
{
    int32_t n = 0;
    for (int32_t i = 0; i < c->mesh.n_faces; i++) {
        for (int k = 0; k < 4; k++)
            if (c->mesh.faces[4 * (int64_t)i + k] >= 0)
                c->corners[n++] = c->mesh.faces[4 * (int64_t)i + k];
        c->face_start[i + 1] = n;
    }
}

static weft_result add_cloth(maker *m, int32_t i, weft_error *error)
{
    uniform_cloth *c = &m->cloths[i];
    const weft_scene_cloth *from = &m->view->scene->cloths[i];
    c->level = from->model.adapt.max_level;
    weft_result r = weft_cloth_get_uniform(m->stage->sim, m->stage->cloths[i], c->level, &c->mesh, error);
    if (r < 0)
        return r;
    if (!allocate(c))
        return uniform_no_memory(error);
    r = weft_cloth_get_uniform(m->stage->sim, m->stage->cloths[i], c->level, &c->mesh, error);
    if (r < 0)
        return r;
    fill_faces(c);
    bool has_uv = from->is_grid || from->rest == WEFT_REST_UV;
    weft_topology t = {.cloth = i,
                       .revision = 1,
                       .n_nodes = c->mesh.n_nodes,
                       .n_triangles = c->mesh.n_triangles,
                       .triangles = c->mesh.triangles,
                       .n_faces = c->mesh.n_faces,
                       .face_start = c->face_start,
                       .corners = c->corners,
                       .n_uv = has_uv ? c->mesh.n_nodes : 0,
                       .uv = has_uv ? c->mesh.uv : NULL,
                       .corner_uv = has_uv ? c->corners : NULL};
    m->positions[i] = c->mesh.positions;
    return weft_cache_add_topology(m->writer, &t, error);
}

/* The mesh and the positions of a stored frame, into the simulation and out again on the uniform mesh. */
static weft_result pose_cloth(maker *m, int32_t frame, int32_t i, weft_error *error)
{
    uniform_cloth *c = &m->cloths[i];
    weft_cloth_id id = m->stage->cloths[i];
    const weft_topology *t;
    weft_result r = weft_cache_get_topology(m->view->cache, frame, i, &t, error);
    if (r < 0)
        return r;
    if (t->n_nodes > c->n_given) {
        free(c->given);
        c->given = calloc((size_t)t->n_nodes, sizeof *c->given);
        c->n_given = c->given ? t->n_nodes : 0;
        if (!c->given)
            return uniform_no_memory(error);
    }
    if (c->level > 0 && t->shape)
        r = weft_cloth_set_shape(m->stage->sim, id, t->shape, t->shape_size, error);
    if (r >= 0)
        r = weft_cache_read_positions(m->view->cache, frame, i, c->given, t->n_nodes, error);
    if (r >= 0)
        r = weft_cloth_set_positions(m->stage->sim, id, c->given, t->n_nodes, error);
    return r < 0 ? r : weft_cloth_get_uniform(m->stage->sim, id, c->level, &c->mesh, error);
}

static weft_result add_frames(maker *m, weft_error *error)
{
    weft_cache_info info = weft_cache_get_info(m->view->cache);
    weft_result r = WEFT_OK;
    for (int32_t frame = 0; r >= 0 && frame < info.n_frames; frame++) {
        weft_cache_frame out = {.columns = m->columns, .positions = m->positions};
        r = weft_cache_read_head(m->view->cache, frame, &out.time, &out.hash, m->columns, error);
        for (int32_t i = 0; r >= 0 && i < m->n_cloths; i++)
            r = pose_cloth(m, frame, i, error);
        if (r >= 0)
            r = weft_cache_add_frame(m->writer, &out, error);
    }
    return r;
}

static weft_result create(maker *m, const char *path, weft_error *error)
{
    weft_cache *from = m->view->cache;
    weft_cache_info info = weft_cache_get_info(from);
    const char **names = calloc((size_t)info.n_cloths + (size_t)info.n_columns + 1, sizeof *names);
    m->cloths = calloc((size_t)info.n_cloths + 1, sizeof *m->cloths);
    m->positions = calloc((size_t)info.n_cloths + 1, sizeof *m->positions);
    m->columns = calloc((size_t)info.n_columns + 1, sizeof *m->columns);
    m->n_cloths = info.n_cloths;
    weft_result r = names && m->cloths && m->positions && m->columns ? WEFT_OK : uniform_no_memory(error);
    if (r >= 0)
        r = weft_stage_create(m->view->scene, NULL, &m->stage, error);
    if (r >= 0) {
        for (int32_t i = 0; i < info.n_cloths; i++)
            names[i] = weft_cache_cloth_name(from, i);
        for (int32_t i = 0; i < info.n_columns; i++)
            names[info.n_cloths + i] = weft_cache_column_name(from, i);
        weft_cache_def def = weft_cache_def_default();
        def.fps = info.fps;
        def.n_cloths = info.n_cloths;
        def.cloth_names = names;
        def.n_columns = info.n_columns;
        def.column_names = names + info.n_cloths;
        def.scene = info.scene;
        remove(path);
        r = weft_cache_create(path, &def, &m->writer, error);
    }
    free(names);
    return r;
}

weft_result uniform_make(const run_view *view, const char *path, weft_error *error)
{
    if (!view->scene)
        return trouble(error, WEFT_ERROR_FILE, view->scene_trouble.text);
    if (view->scene->n_cloths != weft_cache_get_info(view->cache).n_cloths)
        return trouble(error, WEFT_ERROR_FORMAT, "the run's scene.yaml has other cloths than its cache");
    maker m = {.view = view};
    weft_result r = create(&m, path, error);
    for (int32_t i = 0; r >= 0 && i < m.n_cloths; i++)
        r = add_cloth(&m, i, error);
    if (r >= 0)
        r = add_frames(&m, error);
    weft_error ignored;
    weft_result closed = weft_cache_close(m.writer, r < 0 ? &ignored : error);
    for (int32_t i = 0; m.cloths && i < m.n_cloths; i++)
        free_cloth(&m.cloths[i]);
    weft_stage_destroy(m.stage);
    free(m.cloths);
    free(m.positions);
    free(m.columns);
    return r < 0 ? r : closed;
}
