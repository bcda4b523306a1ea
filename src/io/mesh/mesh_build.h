/* SPDX-License-Identifier: MIT */
/* A mesh while it is read. The readers of all formats fill one, and its end checks what they have in common. */
#ifndef WEFT_IO_MESH_MESH_BUILD_H
#define WEFT_IO_MESH_MESH_BUILD_H

#include "io/mesh/mesh_table.h"

#include <weft/io/mesh.h>

typedef struct mesh_build {
    const char *name; /* of the file, for messages */
    int first_index;  /* the index of the first vertex in messages: 1 for OBJ */
    bool was_stl;
    weft_vec3 *positions;
    size_t n_positions;
    int64_t room_positions;
    weft_vec2 *uv;
    size_t n_uv;
    int64_t room_uv;
    int32_t *face_start;
    size_t n_faces;
    int64_t room_faces; /* face_start has n_faces + 1 */
    int32_t *corners;
    size_t n_corners;
    int64_t room_corners;
    int32_t *corner_uv;
    size_t n_corner_uv;
    int64_t room_corner_uv;
    int32_t *face_line;
    size_t n_lines;
    int64_t room_lines;
    int32_t *face_group;
    size_t n_face_groups;
    int64_t room_face_groups;
    char **groups;
    size_t n_groups;
    int64_t room_groups;
    mesh_table group_table;
    int32_t group; /* of the faces to come; -1: none */
} mesh_build;

/* All but the last return false if out of memory, or of the int32_t that a mesh counts with. */
bool mesh_build_begin(mesh_build *b, const char *name);
bool mesh_build_node(mesh_build *b, weft_vec3 p);
bool mesh_build_uv(mesh_build *b, weft_vec2 uv);
bool mesh_build_corner(mesh_build *b, int32_t node, int32_t uv);  /* indices from 0; uv -1: none */
bool mesh_build_face(mesh_build *b, int32_t line);                /* of the corners since the last; line 0: unknown */
bool mesh_build_group(mesh_build *b, const char *name, size_t n); /* n 0: no group */
void mesh_build_free(mesh_build *b);
/* The text for such a false. */
weft_result mesh_build_fault(const mesh_build *b, weft_error *e);

/* Corners since the last face. */
size_t mesh_build_open_corners(const mesh_build *b);

/* Checks all indices and gives the arrays to *out; the build is empty after it. */
weft_result mesh_build_finish(mesh_build *b, weft_mesh *out, weft_error *e);

/* The readers. Bytes need not end with '\0'. */
weft_result mesh_obj_parse(mesh_build *b, const char *bytes, size_t size, weft_error *e);
weft_result mesh_ply_parse(mesh_build *b, const char *bytes, size_t size, weft_error *e);
weft_result mesh_stl_parse(mesh_build *b, const char *bytes, size_t size, weft_error *e);

#endif
