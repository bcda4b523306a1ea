/* SPDX-License-Identifier: MIT */
/* Mesh colliders get the triangles of their polygons, and in each step the points of their file at its end. */
#include "io/scene/stage_collider.h"

#include "io/file.h"
#include "io/heap.h"
#include "io/params.h"
#include "io/scene/stage_cloth.h"

#include <math.h>
#include <stdlib.h>

/* ---- creation ---------------------------------------------------------------------------------------------------- */

/* With the file where it is a mesh's fault. */
static weft_result collider_fault(const weft_scene *s, const weft_scene_collider *c, const weft_error *why,
                                  weft_error *e)
{
    const scene_inside *in = s->inside;
    char *path = c->is_mesh ? file_inside(in->folder, c->file) : NULL;
    weft_result r = path ? stage_fault(s, c->place, e, why->code, "collider '%s': %s: %s", c->name, path, why->text)
                         : stage_fault(s, c->place, e, why->code, "collider '%s': %s", c->name, why->text);
    free(path);
    return r;
}

static weft_result create_mesh_collider(const weft_scene *s, const weft_scene_collider *c, weft_sim *sim,
                                        weft_collider_id *out, weft_error *e)
{
    const weft_mesh *m = &c->mesh;
    if (m->n_faces == 0)
        return stage_fault(s, c->place, e, WEFT_ERROR_ARGUMENT, "the mesh of collider '%s' was not read", c->name);
    size_t n_corners = (size_t)m->face_start[m->n_faces];
    weft_vec3 *vertices = heap_array((size_t)m->n_nodes, sizeof *vertices);
    int32_t *triangles = heap_array(3 * n_corners - 6 * (size_t)m->n_faces, sizeof *triangles);
    weft_error why = {.text = ""};
    weft_collider_def d = c->def;
    for (int32_t i = 0; vertices && i < m->n_nodes; i++)
        vertices[i] = scene_to_file_frame(&c->transform, m->positions[i]);
    d.vertices = vertices;
    d.n_vertices = m->n_nodes;
    d.triangles = triangles;
    d.n_triangles = triangles ? weft_mesh_triangulate(m, triangles, NULL) : 0;
    weft_result r = vertices && triangles ? weft_collider_create(sim, &d, out, &why) : WEFT_ERROR_MEMORY;
    if (r == WEFT_ERROR_MEMORY)
        fault_memory(e);
    else if (r < 0)
        collider_fault(s, c, &why, e);
    free(vertices);
    free(triangles);
    return r;
}

weft_result stage_create_collider(const weft_scene *s, int32_t collider, weft_sim *sim, weft_collider_id *out,
                                  weft_error *e)
{
    const weft_scene_collider *c = &s->colliders[collider];
    weft_error why = {.text = ""};
    weft_result r;
    if (c->is_mesh) {
        r = create_mesh_collider(s, c, sim, out, e);
        r = r < 0 ? r : weft_collider_set_side(sim, *out, c->side, e);
    } else {
        r = weft_collider_create(sim, &c->def, out, &why);
        r = r < 0 ? collider_fault(s, c, &why, e) : r;
    }
    return r < 0 ? r : weft_collider_set_filter(sim, *out, c->filter, e);
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

static bool points_are_at(const weft_vec3 *a, const weft_vec3 *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (!(fabs(a[i].x - b[i].x) <= STAGE_SAME_PLACE && fabs(a[i].y - b[i].y) <= STAGE_SAME_PLACE &&
              fabs(a[i].z - b[i].z) <= STAGE_SAME_PLACE))
            return false;
    return true;
}

static weft_result place_collider_now(weft_stage *st, int32_t collider, weft_vec3 *x, weft_error *e)
{
    int32_t n = st->scene->colliders[collider].mesh.n_nodes;
    weft_collider_id id = st->colliders[collider];
    weft_vec3 *there = heap_array((size_t)n, sizeof *there);
    if (!there)
        return fault_memory(e);
    weft_result r = weft_scene_collider_points(st->scene, collider, weft_sim_time(st->sim), x, n, e);
    if (r == WEFT_OK)
        r = weft_collider_get_vertices(st->sim, id, there, n, e);
    if (r == WEFT_OK && !points_are_at(x, there, n))
        r = weft_collider_place_vertices(st->sim, id, x, n, e);
    free(there);
    return r;
}

weft_result stage_move_colliders(weft_stage *st, double time, weft_error *e)
{
    bool restored = weft_sim_time(st->sim) != st->time;
    for (int32_t i = 0; i < st->scene->n_colliders; i++) {
        const weft_scene_collider *c = &st->scene->colliders[i];
        if (!c->motion)
            continue;
        weft_vec3 *x = heap_array((size_t)c->mesh.n_nodes, sizeof *x);
        weft_error why = {.text = ""};
        weft_result r = x ? WEFT_OK : WEFT_ERROR_MEMORY;
        if (r == WEFT_OK && restored)
            r = place_collider_now(st, i, x, &why);
        if (r == WEFT_OK)
            r = weft_scene_collider_points(st->scene, i, time, x, c->mesh.n_nodes, &why);
        if (r == WEFT_OK)
            r = weft_collider_set_vertices(st->sim, st->colliders[i], x, c->mesh.n_nodes, &why);
        free(x);
        if (r == WEFT_ERROR_MEMORY)
            return fault_memory(e);
        if (r < 0)
            return stage_fault(st->scene, c->place, e, r, "collider '%s' at %g s: %s", c->name, time, why.text);
    }
    return WEFT_OK;
}
