/* SPDX-License-Identifier: MIT */
/* The library wants triangles first, then quads. Triangles and quads of the file stay what they are, larger polygons
 * are cut; all keep the file's order among their kind. */
#include "io/scene/stage_cloth.h"

#include "io/file.h"
#include "io/heap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

weft_result stage_fault(const weft_scene *s, weft_scene_place place, weft_error *e, weft_result code,
                        const char *format, ...)
{
    char what[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return tree_fault(&(tree_source){.name = s->path}, (tree_mark){place.line, place.column, 0}, e, code, "%s", what);
}

typedef struct faces {
    int32_t *triangles, *quads;
    int32_t n_triangles, n_quads;
    int32_t *of_triangle, *of_quad; /* the file's face */
    int32_t *fabric;                /* per face, triangles first; NULL: all the same */
    weft_vec3 *velocities;          /* NULL: at rest */
} faces;

static void faces_free(faces *f)
{
    free(f->triangles);
    free(f->quads);
    free(f->of_triangle);
    free(f->of_quad);
    free(f->fabric);
    free(f->velocities);
}

static int32_t face_corners(const weft_mesh *m, int32_t face)
{
    return m->face_start[face + 1] - m->face_start[face];
}

static bool faces_allocate(faces *f, const weft_mesh *m)
{
    int64_t triangles = (int64_t)m->face_start[m->n_faces] - 2 * (int64_t)m->n_faces;
    size_t most = triangles > 0 ? (size_t)triangles : 0;
    f->triangles = heap_array(3 * most, sizeof *f->triangles);
    f->of_triangle = heap_array(most, sizeof *f->of_triangle);
    f->quads = heap_array(4 * (size_t)m->n_faces, sizeof *f->quads);
    f->of_quad = heap_array((size_t)m->n_faces, sizeof *f->of_quad);
    return f->triangles && f->of_triangle && f->quads && f->of_quad;
}

/* All polygons are cut at first; then the pieces of quads are dropped. */
static void faces_sort(faces *f, const weft_mesh *m)
{
    int32_t n = weft_mesh_triangulate(m, f->triangles, f->of_triangle);
    for (int32_t i = 0; i < n; i++) {
        int32_t face = f->of_triangle[i];
        if (face_corners(m, face) == 4)
            continue;
        memmove(f->triangles + 3 * (size_t)f->n_triangles, f->triangles + 3 * (size_t)i, 3 * sizeof *f->triangles);
        f->of_triangle[f->n_triangles++] = face;
    }
    for (int32_t i = 0; i < m->n_faces; i++)
        if (face_corners(m, i) == 4) {
            memcpy(f->quads + 4 * (size_t)f->n_quads, m->corners + m->face_start[i], 4 * sizeof *f->quads);
            f->of_quad[f->n_quads++] = i;
        }
}

static int32_t face_of(const faces *f, int32_t i)
{
    return i < f->n_triangles ? f->of_triangle[i] : f->of_quad[i - f->n_triangles];
}

static bool faces_fill_rest(faces *f, const weft_scene_cloth *c)
{
    int32_t n = f->n_triangles + f->n_quads;
    bool moves = c->velocity.x != 0 || c->velocity.y != 0 || c->velocity.z != 0;
    if (c->model.face_fabric)
        f->fabric = heap_array((size_t)n, sizeof *f->fabric);
    if (moves)
        f->velocities = heap_array((size_t)c->mesh.n_nodes, sizeof *f->velocities);
    if ((c->model.face_fabric && !f->fabric) || (moves && !f->velocities))
        return false;
    for (int32_t i = 0; f->fabric && i < n; i++)
        f->fabric[i] = c->model.face_fabric[face_of(f, i)];
    for (int32_t i = 0; f->velocities && i < c->mesh.n_nodes; i++)
        f->velocities[i] = c->velocity;
    return true;
}

/* The file and line of the face that the library complains of, if it does of a face. */
static weft_result mesh_fault(const weft_scene *s, const weft_scene_cloth *c, const faces *f, const weft_error *why,
                              weft_error *e)
{
    const scene_inside *in = s->inside;
    char *path = file_inside(in->folder, c->file), line[32] = "";
    bool is_face =
        why->code == WEFT_ERROR_DEGENERATE || why->code == WEFT_ERROR_DUPLICATE || why->code == WEFT_ERROR_NON_MANIFOLD;
    if (is_face && c->mesh.face_line && why->element >= 0 && why->element < f->n_triangles + f->n_quads)
        snprintf(line, sizeof line, ":%d", c->mesh.face_line[face_of(f, why->element)]);
    weft_result r =
        stage_fault(s, c->place, e, why->code, "cloth '%s': %s%s: %s", c->name, path ? path : c->file, line, why->text);
    free(path);
    return r;
}

static weft_result create_mesh_cloth(const weft_scene *s, int32_t cloth, weft_sim *sim, weft_cloth_id *out,
                                     weft_error *e)
{
    const weft_scene_cloth *c = &s->cloths[cloth];
    const scene_inside *in = s->inside;
    if (c->mesh.n_nodes == 0)
        return stage_fault(s, c->place, e, WEFT_ERROR_ARGUMENT, "the mesh of cloth '%s' was not read", c->name);
    faces f = {0};
    weft_error why = {.text = ""};
    bool made = faces_allocate(&f, &c->mesh);
    if (made)
        faces_sort(&f, &c->mesh);
    made = made && faces_fill_rest(&f, c);
    weft_mesh_def d = weft_mesh_def_default();
    d.n_nodes = c->mesh.n_nodes;
    d.positions = c->mesh.positions;
    d.velocities = f.velocities;
    d.uv = in->shapes[cloth].uv;
    d.rest_positions = in->shapes[cloth].rest;
    d.n_triangles = f.n_triangles;
    d.triangles = f.triangles;
    d.n_quads = f.n_quads;
    d.quads = f.quads;
    d.model = c->model;
    d.model.face_fabric = f.fabric;
    weft_result r = made ? weft_cloth_create_mesh(sim, &d, out, &why) : WEFT_ERROR_MEMORY;
    if (r == WEFT_ERROR_MEMORY)
        fault_memory(e);
    else if (r < 0)
        mesh_fault(s, c, &f, &why, e);
    faces_free(&f);
    return r;
}

static weft_result create_cloth(const weft_scene *s, int32_t cloth, weft_sim *sim, weft_cloth_id *out, weft_error *e)
{
    const weft_scene_cloth *c = &s->cloths[cloth];
    weft_error why = {.text = ""};
    weft_result r;
    if (c->is_grid) {
        r = weft_cloth_create_grid(sim, &c->grid, out, &why);
        r = r < 0 ? stage_fault(s, c->place, e, r, "cloth '%s': %s", c->name, why.text) : r;
    } else {
        r = create_mesh_cloth(s, cloth, sim, out, e);
    }
    return r < 0 ? r : weft_cloth_set_filter(sim, *out, c->filter, e);
}

weft_result stage_create_cloth(const weft_scene *s, int32_t cloth, weft_sim *sim, weft_cloth_id *out, weft_error *e)
{
    weft_result r = create_cloth(s, cloth, sim, out, e);
    return r < 0 ? r : weft_cloth_set_side(sim, *out, s->cloths[cloth].side, e);
}
