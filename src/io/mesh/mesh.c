/* SPDX-License-Identifier: MIT */
/* Meshes from files and memory: which reader takes which bytes. */
#include "io/file.h"
#include "io/mesh/mesh_build.h"

#include <stdlib.h>

weft_result weft_mesh_parse(weft_mesh_format format, const char *name, const void *bytes, size_t size, weft_mesh *out,
                            weft_error *error)
{
    if (!name || (!bytes && size > 0) || !out)
        return fault(error, WEFT_ERROR_ARGUMENT, "weft_mesh_parse: name, bytes and out must not be NULL");
    *out = (weft_mesh){0};
    const char *text = bytes ? bytes : "";
    mesh_build b;
    weft_result r = mesh_build_begin(&b, name) ? WEFT_OK : fault_memory(error);
    if (r == WEFT_OK) {
        switch (format) {
        case WEFT_MESH_OBJ: r = mesh_obj_parse(&b, text, size, error); break;
        case WEFT_MESH_PLY: r = mesh_ply_parse(&b, text, size, error); break;
        case WEFT_MESH_STL: r = mesh_stl_parse(&b, text, size, error); break;
        default:
            r = fault(error, WEFT_ERROR_ARGUMENT, "weft_mesh_parse: found format %d, expected 0 to 2", (int)format);
        }
    }
    r = r < 0 ? r : mesh_build_finish(&b, out, error);
    mesh_build_free(&b);
    return r;
}

static weft_result format_of(const char *path, weft_mesh_format *out, weft_error *e)
{
    if (file_ending_is(path, "obj"))
        *out = WEFT_MESH_OBJ;
    else if (file_ending_is(path, "ply"))
        *out = WEFT_MESH_PLY;
    else if (file_ending_is(path, "stl"))
        *out = WEFT_MESH_STL;
    else
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: found the ending \"%s\", expected obj, ply or stl", path,
                     file_ending(path));
    return WEFT_OK;
}

weft_result weft_mesh_read(const char *path, weft_mesh *out, weft_error *error)
{
    if (!path || !out)
        return fault(error, WEFT_ERROR_ARGUMENT, "weft_mesh_read: path and out must not be NULL");
    *out = (weft_mesh){0};
    weft_mesh_format format = WEFT_MESH_OBJ;
    char *bytes = NULL;
    size_t size = 0;
    weft_result r = format_of(path, &format, error);
    r = r < 0 ? r : file_read(path, &bytes, &size, error);
    r = r < 0 ? r : weft_mesh_parse(format, path, bytes, size, out, error);
    free(bytes);
    return r;
}

void weft_mesh_free(weft_mesh *mesh)
{
    if (!mesh)
        return;
    for (int32_t i = 0; i < mesh->n_groups; i++)
        free(mesh->group_names[i]);
    free(mesh->group_names);
    free(mesh->positions);
    free(mesh->face_start);
    free(mesh->corners);
    free(mesh->uv);
    free(mesh->corner_uv);
    free(mesh->face_group);
    free(mesh->face_line);
    *mesh = (weft_mesh){0};
}
