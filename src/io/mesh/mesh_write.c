/* SPDX-License-Identifier: MIT */
/* Meshes to files: OBJ as text, PLY as binary doubles, little-endian. */
#include "io/decimal.h"
#include "io/file.h"
#include "io/heap.h"

#include <weft/io/mesh.h>

#include <stdlib.h>
#include <string.h>

/* ---- OBJ --------------------------------------------------------------------------------------------------------- */

static void put_numbers(FILE *f, const char *word, const double *x, int n)
{
    fputs(word, f);
    for (int i = 0; i < n; i++) {
        char number[DECIMAL_ROOM];
        decimal_write(number, x[i]);
        fprintf(f, " %s", number);
    }
    fputs("\n", f);
}

/* Bytes that would end the line, or join it with the next, cannot be in a name. */
static void put_group(FILE *f, const weft_mesh *mesh, int32_t group)
{
    const char *name = group < 0 ? "" : mesh->group_names[group];
    size_t n = strlen(name);
    fputs(n ? "g " : "g", f);
    for (size_t i = 0; i < n; i++) {
        bool is_bad = name[i] == '\n' || name[i] == '\r' || (i + 1 == n && name[i] == '\\');
        fputc(is_bad ? '_' : name[i], f);
    }
    fputs("\n", f);
}

static void put_face(FILE *f, const weft_mesh *mesh, int32_t face)
{
    fputs("f", f);
    for (int32_t i = mesh->face_start[face]; i < mesh->face_start[face + 1]; i++) {
        int32_t uv = mesh->corner_uv ? mesh->corner_uv[i] : -1;
        fprintf(f, " %lld", (long long)mesh->corners[i] + 1);
        if (uv >= 0)
            fprintf(f, "/%lld", (long long)uv + 1);
    }
    fputs("\n", f);
}

static void put_obj(FILE *f, const weft_mesh *mesh)
{
    for (int32_t i = 0; i < mesh->n_nodes; i++)
        put_numbers(f, "v", (const double[3]){mesh->positions[i].x, mesh->positions[i].y, mesh->positions[i].z}, 3);
    for (int32_t i = 0; i < mesh->n_uv; i++)
        put_numbers(f, "vt", (const double[2]){mesh->uv[i].u, mesh->uv[i].v}, 2);
    int32_t group = -1;
    for (int32_t i = 0; i < mesh->n_faces; i++) {
        if (mesh->face_group && mesh->face_group[i] != group) {
            group = mesh->face_group[i];
            put_group(f, mesh, group);
        }
        put_face(f, mesh, i);
    }
}

/* ---- PLY --------------------------------------------------------------------------------------------------------- */

static void put_u32(FILE *f, uint32_t x)
{
    uint8_t b[4] = {(uint8_t)x, (uint8_t)(x >> 8), (uint8_t)(x >> 16), (uint8_t)(x >> 24)};
    fwrite(b, 1, 4, f);
}

static void put_f64(FILE *f, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_u32(f, (uint32_t)bits);
    put_u32(f, (uint32_t)(bits >> 32));
}

/* The uv of each vertex in uv_of, -1 for those of no face. False if a corner has none, or a vertex has two. */
static bool uv_of_vertices(const weft_mesh *mesh, int32_t *uv_of)
{
    if (!mesh->corner_uv)
        return false;
    for (int32_t i = 0; i < mesh->n_nodes; i++)
        uv_of[i] = -1;
    for (int32_t i = 0; i < mesh->face_start[mesh->n_faces]; i++) {
        int32_t uv = mesh->corner_uv[i], *known = &uv_of[mesh->corners[i]];
        if (uv < 0 || (*known >= 0 && memcmp(&mesh->uv[uv], &mesh->uv[*known], sizeof *mesh->uv) != 0))
            return false;
        *known = uv;
    }
    return true;
}

static bool has_long_faces(const weft_mesh *mesh)
{
    for (int32_t i = 0; i < mesh->n_faces; i++) {
        if (mesh->face_start[i + 1] - mesh->face_start[i] > 255)
            return true;
    }
    return false;
}

static void put_ply_head(FILE *f, const weft_mesh *mesh, bool has_uv)
{
    fprintf(f, "ply\nformat binary_little_endian 1.0\nelement vertex %d\n", mesh->n_nodes);
    fputs("property double x\nproperty double y\nproperty double z\n", f);
    if (has_uv)
        fputs("property double s\nproperty double t\n", f);
    fprintf(f, "element face %d\nproperty list %s int vertex_indices\nend_header\n", mesh->n_faces,
            has_long_faces(mesh) ? "int" : "uchar");
}

static void put_ply_face(FILE *f, const weft_mesh *mesh, int32_t face, bool is_long)
{
    int32_t first = mesh->face_start[face], last = mesh->face_start[face + 1];
    if (is_long)
        put_u32(f, (uint32_t)(last - first));
    else
        fputc(last - first, f);
    for (int32_t i = first; i < last; i++)
        put_u32(f, (uint32_t)mesh->corners[i]);
}

/* uv_of: room for the vertices. */
static void put_ply(FILE *f, const weft_mesh *mesh, int32_t *uv_of)
{
    bool has_uv = uv_of_vertices(mesh, uv_of), is_long = has_long_faces(mesh);
    put_ply_head(f, mesh, has_uv);
    for (int32_t i = 0; i < mesh->n_nodes; i++) {
        put_f64(f, mesh->positions[i].x);
        put_f64(f, mesh->positions[i].y);
        put_f64(f, mesh->positions[i].z);
        if (has_uv) {
            put_f64(f, uv_of[i] < 0 ? 0 : mesh->uv[uv_of[i]].u);
            put_f64(f, uv_of[i] < 0 ? 0 : mesh->uv[uv_of[i]].v);
        }
    }
    for (int32_t i = 0; i < mesh->n_faces; i++)
        put_ply_face(f, mesh, i, is_long);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

weft_result weft_mesh_write(const char *path, weft_mesh_format format, const weft_mesh *mesh, weft_error *error)
{
    if (!path || !mesh)
        return fault(error, WEFT_ERROR_ARGUMENT, "weft_mesh_write: path and mesh must not be NULL");
    if (format != WEFT_MESH_OBJ && format != WEFT_MESH_PLY)
        return fault(error, WEFT_ERROR_ARGUMENT, "%s: meshes are written as OBJ or PLY, not as %s", path,
                     format == WEFT_MESH_STL ? "STL" : "an unknown format");
    int32_t *uv_of = heap_array((size_t)mesh->n_nodes, sizeof *uv_of);
    if (!uv_of)
        return fault_memory(error);
    file_writer w;
    weft_result r = file_begin(&w, path, true, error);
    if (r == WEFT_OK) {
        if (format == WEFT_MESH_OBJ)
            put_obj(w.file, mesh);
        else
            put_ply(w.file, mesh, uv_of);
        r = file_commit(&w, error);
    }
    free(uv_of);
    return r;
}
