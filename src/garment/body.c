/* SPDX-License-Identifier: MIT */
/* A body is made of a mesh collider, of which the garment code uses neighbours, boxes and distances, and of its
 * landmarks. Only closed meshes with their front outside are taken. */
#include "garment/body.h"

#include <string.h>

weft_body_def weft_body_def_default(void)
{
    return (weft_body_def){.struct_size = sizeof(weft_body_def)};
}

/* A mesh with a hole is refused by an edge of it. */
static weft_result body_check_closed(const weft_body *b, weft_error *error)
{
    const weft_collider_info *info = &b->mesh->info;
    if (info->closed)
        return WEFT_OK;
    if (info->n_border_edges > 0)
        for (int32_t ti = 0; ti < b->mesh->n_triangles; ti++)
            for (int i = 0; i < 3; i++) {
                const int32_t *t = b->mesh->triangles[ti];
                if (b->mesh->neighbour[ti][i] < 0)
                    return error_set(
                        error, WEFT_ERROR_NON_MANIFOLD, ti,
                        "the body is not closed: %d edges have one triangle, such as that of vertices %d and "
                        "%d",
                        info->n_border_edges, t[i], t[(i + 1) % 3]);
            }
    return error_set(error, WEFT_ERROR_NON_MANIFOLD, -1,
                     "the body is not closed: %d edges have one triangle, %d more than two, %d two that disagree",
                     info->n_border_edges, info->n_non_manifold_edges, info->n_flipped_edges);
}

static weft_result body_build(weft_body *b, const weft_collider_def *mesh, weft_error *error)
{
    b->mesh = collider_mesh_create(&b->mem, mesh);
    if (!b->mesh)
        return error_memory(error);
    memcpy(b->mesh->x, b->mesh->local, (size_t)b->mesh->n_vertices * sizeof *b->mesh->x);
    b->mesh->measured = false;
    weft_result r = body_check_closed(b, error);
    if (r == WEFT_OK && collider_mesh_volume(b->mesh) <= 0)
        r = error_set(error, WEFT_ERROR_DEGENERATE, -1, "the body is turned inside out: its triangles run clockwise");
    return r < 0 ? r : body_find_landmarks(b, error);
}

weft_result weft_body_create(const weft_body_def *def, weft_body **out, weft_error *error)
{
    if (!def || !out)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "def or out is NULL");
    *out = NULL;
    if (def->struct_size != sizeof *def)
        return error_set(error, WEFT_ERROR_STRUCT_SIZE, -1, "weft_body_def: struct_size is %zu, expected %zu",
                         def->struct_size, sizeof *def);
    weft_collider_def mesh = {.struct_size = sizeof mesh,
                              .kind = WEFT_COLLIDER_MESH,
                              .rotation = {0, 0, 0, 1},
                              .vertices = def->vertices,
                              .n_vertices = def->n_vertices,
                              .triangles = def->triangles,
                              .n_triangles = def->n_triangles};
    weft_result r = collider_mesh_check(&mesh, 250, error);
    if (r < 0)
        return r;
    mem m;
    mem_init(&m, def->alloc, def->alloc_user);
    weft_body *b = mem_array(&m, 1, sizeof *b);
    if (!b)
        return error_memory(error);
    b->mem = m;
    r = body_build(b, &mesh, error);
    if (r < 0)
        weft_body_destroy(b);
    else
        *out = b;
    return r;
}

void weft_body_destroy(weft_body *b)
{
    if (!b)
        return;
    collider_mesh_destroy(b->mesh);
    mem m = b->mem;
    mem_free(&m, b, 1, sizeof *b);
}

const weft_landmarks *weft_body_landmarks(const weft_body *body)
{
    return body ? &body->landmarks : NULL;
}

weft_result weft_body_set_landmarks(weft_body *body, const weft_landmarks *landmarks, weft_error *error)
{
    if (!body || !landmarks)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "body or landmarks is NULL");
    if (!(landmarks->low < landmarks->crotch && landmarks->crotch < landmarks->waist.y &&
          landmarks->waist.y < landmarks->neck.y))
        return error_set(error, WEFT_ERROR_RANGE, -1, "landmarks out of order: crotch %g, waist %g, neck %g m",
                         landmarks->crotch, landmarks->waist.y, landmarks->neck.y);
    body->landmarks = *landmarks;
    return WEFT_OK;
}

double weft_body_distance(const weft_body *body, weft_vec3 point)
{
    return body ? collider_mesh_distance(body->mesh, point) : 0;
}
