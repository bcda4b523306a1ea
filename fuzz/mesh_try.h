/* SPDX-License-Identifier: MIT */
/* Gives bytes to a reader of meshes and checks that what it accepts keeps the promises of <weft/io/mesh.h>. */
#ifndef WEFT_FUZZ_MESH_TRY_H
#define WEFT_FUZZ_MESH_TRY_H

#include <weft/io/mesh.h>

#include <math.h>
#include <stdlib.h>

static inline void mesh_must(bool holds)
{
    if (!holds)
        abort();
}

static inline void mesh_check(const weft_mesh *m)
{
    for (int32_t i = 0; i < m->n_nodes; i++)
        mesh_must(isfinite(m->positions[i].x) && isfinite(m->positions[i].y) && isfinite(m->positions[i].z));
    mesh_must(m->face_start[0] == 0);
    for (int32_t i = 0; i < m->n_faces; i++) {
        mesh_must(m->face_start[i + 1] - m->face_start[i] >= 3);
        mesh_must(!m->face_group || (m->face_group[i] >= -1 && m->face_group[i] < m->n_groups));
    }
    for (int32_t i = 0; i < m->face_start[m->n_faces]; i++) {
        mesh_must(m->corners[i] >= 0 && m->corners[i] < m->n_nodes);
        mesh_must(!m->corner_uv || (m->corner_uv[i] >= -1 && m->corner_uv[i] < m->n_uv));
    }
}

static inline void mesh_cut(const weft_mesh *m)
{
    int32_t most = m->face_start[m->n_faces] - 2 * m->n_faces;
    int32_t *triangles = malloc(sizeof *triangles * (3 * (size_t)most + 1));
    int32_t *face = malloc(sizeof *face * ((size_t)most + 1));
    mesh_must(triangles && face && weft_mesh_triangulate(m, triangles, face) == most);
    free(triangles);
    free(face);
}

static inline void mesh_try(weft_mesh_format format, const uint8_t *data, size_t size)
{
    weft_mesh mesh;
    weft_error error;
    if (weft_mesh_parse(format, "input", data, size, &mesh, &error) == WEFT_OK) {
        mesh_check(&mesh);
        mesh_cut(&mesh);
    } else {
        mesh_must(error.text[0] != '\0' && mesh.n_nodes == 0 && !mesh.positions);
    }
    weft_mesh_free(&mesh);
}

#endif
