/* SPDX-License-Identifier: MIT */
/* Meshes of cloths and colliders: read, checked, scaled and placed. */
#define _POSIX_C_SOURCE 200809L
#include "io/file.h"
#include "io/scene/scene_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- paths ------------------------------------------------------------------------------------------------------- */

/* As messages show it and files are opened. */
static const char *path_here(scene_inside *in, const char *file)
{
    char *heap = file_inside(in->folder, file), *out = heap ? scene_arena_text(&in->arena, heap, strlen(heap)) : NULL;
    free(heap);
    return out;
}

char *scene_path(const scene_inside *in, const char *file)
{
    char here[4096];
    char *path = file_inside(in->folder ? in->folder : "", file);
    if (!path || path[0] == '/' || !in->folder || !getcwd(here, sizeof here))
        return path;
    char *whole = file_inside(here, path);
    free(path);
    return whole;
}

/* ---- placing ----------------------------------------------------------------------------------------------------- */

weft_vec3 scene_to_file_frame(const weft_scene_transform *t, weft_vec3 x)
{
    weft_vec3 up = t->z_up ? (weft_vec3){x.x, x.z, -x.y} : x;
    return (weft_vec3){t->scale * up.x, t->scale * up.y, t->scale * up.z};
}

weft_vec3 scene_move(const double rotation[9], weft_vec3 position, weft_vec3 x)
{
    const double *m = rotation;
    return (weft_vec3){position.x + (m[0] * x.x + m[1] * x.y + m[2] * x.z),
                       position.y + (m[3] * x.x + m[4] * x.y + m[5] * x.z),
                       position.z + (m[6] * x.x + m[7] * x.y + m[8] * x.z)};
}

/* Keeps the points at rest, moves those of the mesh. */
static weft_result place_mesh(scene_reader *r, weft_scene_cloth *c, weft_vec3 *rest)
{
    double rotation[9];
    weft_key key = {.position = c->transform.position, .rotation = c->transform.rotation};
    weft_result result = weft_keys_at(&key, 1, 0, NULL, rotation, r->error);
    for (int32_t i = 0; result == WEFT_OK && i < c->mesh.n_nodes; i++) {
        rest[i] = scene_to_file_frame(&c->transform, c->mesh.positions[i]);
        c->mesh.positions[i] = scene_move(rotation, c->transform.position, rest[i]);
    }
    return result;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* What a file's reader says begins with the file's own place; the scene's comes before it. */
static weft_result at_scene(scene_reader *r, const draft_text *file, weft_result code, const char *what)
{
    char text_of_reader[sizeof r->error->text];
    snprintf(text_of_reader, sizeof text_of_reader, "%s", what);
    return tree_fault(r->source, file->node->mark, r->error, code, "%s", text_of_reader);
}

static weft_result read_mesh(scene_reader *r, const draft_text *file, const char *path, weft_mesh *out)
{
    weft_error why = {.text = ""};
    weft_result result = weft_mesh_read(path, out, &why);
    if (result < 0)
        return at_scene(r, file, result, why.text);
    if (out->n_nodes > 0 && out->n_faces > 0)
        return WEFT_OK;
    return tree_fault(r->source, file->node->mark, r->error, WEFT_ERROR_FORMAT,
                      "%s: has %d vertices and %d faces: expected a mesh with at least one face", path, out->n_nodes,
                      out->n_faces);
}

/* ---- cloths ------------------------------------------------------------------------------------------------------ */

static void line_text(const weft_mesh *m, int32_t face, char out[32])
{
    out[0] = '\0';
    if (m->face_line)
        snprintf(out, 32, ":%d", m->face_line[face]);
}

typedef struct uv_search {
    scene_reader *reader;
    const draft_cloth *draft;
    const weft_scene_cloth *cloth;
    const char *path;
} uv_search;

static weft_result uv_fault(const uv_search *s, int32_t face, int32_t node, const char *what)
{
    char line[32];
    line_text(&s->cloth->mesh, face, line);
    return tree_fault(s->reader->source, s->draft->file.node->mark, s->reader->error, WEFT_ERROR_FORMAT,
                      "%s%s: node %d %s: expected one for each node with 'rest: uv'; 'rest: shape' needs none", s->path,
                      line, node, what);
}

static weft_result uv_of_face(const uv_search *s, int32_t face, int32_t *uv_of)
{
    const weft_mesh *m = &s->cloth->mesh;
    for (int32_t k = m->face_start[face]; k < m->face_start[face + 1]; k++) {
        int32_t node = m->corners[k], i = m->corner_uv ? m->corner_uv[k] : -1, old = uv_of[node];
        if (i < 0)
            return uv_fault(s, face, node, "has no texture coordinates here");
        if (old >= 0 && (m->uv[old].u != m->uv[i].u || m->uv[old].v != m->uv[i].v))
            return uv_fault(s, face, node, "has two texture coordinates, a seam");
        uv_of[node] = i;
    }
    return WEFT_OK;
}

/* One uv a node, or a fault. Nodes of no face are the library's to refuse. */
static weft_result find_face_uv(const uv_search *s, scene_arena *a, weft_vec2 **out)
{
    const weft_mesh *m = &s->cloth->mesh;
    double scale = s->cloth->uv_scale;
    int32_t *uv_of = scene_arena_make(a, (size_t)m->n_nodes, sizeof *uv_of);
    *out = scene_arena_make(a, (size_t)m->n_nodes, sizeof **out);
    if (!uv_of || !*out)
        return fault_memory(s->reader->error);
    for (int32_t i = 0; i < m->n_nodes; i++)
        uv_of[i] = -1;
    weft_result result = WEFT_OK;
    for (int32_t i = 0; result == WEFT_OK && i < m->n_faces; i++)
        result = uv_of_face(s, i, uv_of);
    for (int32_t i = 0; result == WEFT_OK && i < m->n_nodes; i++)
        if (uv_of[i] >= 0)
            (*out)[i] = (weft_vec2){scale * m->uv[uv_of[i]].u, scale * m->uv[uv_of[i]].v};
    return result;
}

static weft_result no_group(scene_reader *r, const weft_mesh *m, const draft_text *name)
{
    const char **names = scene_arena_make(r->arena, (size_t)m->n_groups + 1, sizeof *names);
    for (int32_t i = 0; names && i < m->n_groups; i++)
        names[i] = m->group_names[i];
    return names ? scene_no_such(r, "group", name, names) : fault_memory(r->error);
}

/* Fabric 0 for all, and fabric i + 1 for the group that the i-th pair names. */
static weft_result find_groups(scene_reader *r, const draft_cloth *d, weft_scene_cloth *c)
{
    const weft_mesh *m = &c->mesh;
    const draft_pair *pairs = d->group_fabrics.items;
    int32_t *fabric = scene_arena_make(r->arena, (size_t)m->n_faces, sizeof *fabric);
    if (!fabric)
        return fault_memory(r->error);
    for (int32_t k = 0; k < d->group_fabrics.n; k++) {
        int32_t group = 0;
        while (group < m->n_groups && strcmp(m->group_names[group], pairs[k].name.text) != 0)
            group++;
        if (group == m->n_groups)
            return no_group(r, m, &pairs[k].name);
        for (int32_t i = 0; i < m->n_faces; i++)
            if (m->face_group && m->face_group[i] == group)
                fabric[i] = k + 1;
    }
    c->model.face_fabric = fabric;
    return WEFT_OK;
}

weft_result scene_fill_cloth_mesh(scene_reader *r, scene_inside *in, const draft_cloth *d, weft_scene_cloth *c,
                                  scene_shape *shape)
{
    const char *path = path_here(in, d->file.text);
    weft_result result = path ? read_mesh(r, &d->file, path, &c->mesh) : fault_memory(r->error);
    if (result < 0)
        return result;
    shape->rest = scene_arena_make(&in->arena, (size_t)c->mesh.n_nodes, sizeof *shape->rest);
    result = shape->rest ? place_mesh(r, c, shape->rest) : fault_memory(r->error);
    if (result == WEFT_OK && c->rest == WEFT_REST_UV) {
        shape->rest = NULL;
        result = find_face_uv(&(uv_search){r, d, c, path}, &in->arena, &shape->uv);
    }
    if (result == WEFT_OK && d->group_fabrics.n > 0)
        result = find_groups(r, d, c);
    return result;
}

/* ---- colliders --------------------------------------------------------------------------------------------------- */

static weft_result open_motion(scene_reader *r, scene_inside *in, const draft_collider *d, weft_scene_collider *c)
{
    weft_error why = {.text = ""};
    const char *path = path_here(in, d->motion_file.text);
    if (!path)
        return fault_memory(r->error);
    weft_result result = weft_motion_open(path, c->motion_fps, &c->motion, &why);
    if (result < 0)
        return at_scene(r, &d->motion_file, result, why.text);
    int32_t n = weft_motion_get_info(c->motion).n_points;
    if (n == c->mesh.n_nodes)
        return WEFT_OK;
    return tree_fault(r->source, d->motion_file.node->mark, r->error, WEFT_ERROR_FORMAT,
                      "%s: moves %d points: expected %d, as many as %s has vertices", path, n, c->mesh.n_nodes,
                      d->file.text);
}

weft_result scene_fill_collider_mesh(scene_reader *r, scene_inside *in, const draft_collider *d, weft_scene_collider *c)
{
    const char *path = path_here(in, d->file.text);
    weft_result result = path ? read_mesh(r, &d->file, path, &c->mesh) : fault_memory(r->error);
    return result == WEFT_OK && d->has_motion ? open_motion(r, in, d, c) : result;
}
