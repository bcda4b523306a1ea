/* SPDX-License-Identifier: MIT */
/* Lists that grow with what a reader finds. At the end indices are checked, and the arrays become those of a
 * weft_mesh. */
#include "io/mesh/mesh_build.h"

#include "base/array.h"
#include "io/fault.h"
#include "io/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mesh_build_begin(mesh_build *b, const char *name)
{
    *b = (mesh_build){.name = name, .group = -1};
    /* Room for one, so that none of these is NULL in an empty mesh. */
    if (!ARRAY_RESERVE(NULL, b->face_start, b->room_faces, 1) ||
        !ARRAY_RESERVE(NULL, b->positions, b->room_positions, 1) ||
        !ARRAY_RESERVE(NULL, b->corners, b->room_corners, 1))
        return false;
    b->face_start[0] = 0;
    return true;
}

bool mesh_build_node(mesh_build *b, weft_vec3 p)
{
    return b->n_positions < INT32_MAX && ARRAY_PUSH(NULL, b->positions, b->n_positions, b->room_positions, p);
}

bool mesh_build_uv(mesh_build *b, weft_vec2 uv)
{
    return b->n_uv < INT32_MAX && ARRAY_PUSH(NULL, b->uv, b->n_uv, b->room_uv, uv);
}

bool mesh_build_corner(mesh_build *b, int32_t node, int32_t uv)
{
    return b->n_corners < INT32_MAX && ARRAY_PUSH(NULL, b->corners, b->n_corners, b->room_corners, node) &&
           ARRAY_PUSH(NULL, b->corner_uv, b->n_corner_uv, b->room_corner_uv, uv);
}

bool mesh_build_face(mesh_build *b, int32_t line)
{
    if (b->n_faces == INT32_MAX || !ARRAY_RESERVE(NULL, b->face_start, b->room_faces, b->n_faces + 2))
        return false;
    b->face_start[++b->n_faces] = (int32_t)b->n_corners;
    return ARRAY_PUSH(NULL, b->face_line, b->n_lines, b->room_lines, line) &&
           ARRAY_PUSH(NULL, b->face_group, b->n_face_groups, b->room_face_groups, b->group);
}

size_t mesh_build_open_corners(const mesh_build *b)
{
    return b->n_corners - (size_t)b->face_start[b->n_faces];
}

typedef struct group_key {
    char *const *groups;
    const char *name;
    size_t n;
} group_key;

static bool is_same_group(const void *context, int32_t index)
{
    const group_key *key = context;
    const char *other = key->groups[index];
    return strlen(other) == key->n && memcmp(other, key->name, key->n) == 0;
}

bool mesh_build_group(mesh_build *b, const char *name, size_t n)
{
    const char *zero = n ? memchr(name, '\0', n) : NULL;
    n = zero ? (size_t)(zero - name) : n;
    b->group = -1;
    if (n == 0)
        return true;
    char *copy = heap_array(n + 1, 1);
    if (!copy)
        return false;
    memcpy(copy, name, n);
    group_key key = {b->groups, copy, n};
    int32_t *slot = mesh_table_slot(&b->group_table, mesh_table_hash(copy, n), is_same_group, &key);
    bool is_new = slot && *slot < 0;
    bool done = slot && (!is_new ||
                         (b->n_groups < INT32_MAX && ARRAY_PUSH(NULL, b->groups, b->n_groups, b->room_groups, copy)));
    if (done && is_new)
        *slot = (int32_t)b->n_groups - 1;
    if (done)
        b->group = *slot;
    if (!done || !is_new)
        free(copy);
    return done;
}

void mesh_build_free(mesh_build *b)
{
    for (size_t i = 0; i < b->n_groups; i++)
        free(b->groups[i]);
    free(b->groups);
    free(b->positions);
    free(b->uv);
    free(b->face_start);
    free(b->corners);
    free(b->corner_uv);
    free(b->face_line);
    free(b->face_group);
    mesh_table_free(&b->group_table);
    *b = (mesh_build){0};
}

weft_result mesh_build_fault(const mesh_build *b, weft_error *e)
{
    if (b->n_positions == INT32_MAX || b->n_uv == INT32_MAX || b->n_corners == INT32_MAX || b->n_faces == INT32_MAX)
        return fault(e, WEFT_ERROR_RANGE, "%s: found more than %d vertices, uv or corners, expected at most as many",
                     b->name, INT32_MAX);
    return fault_memory(e);
}

/* "file:line: " or "file: face 12: ", then the index that was found. */
static weft_result index_fault(const mesh_build *b, size_t face, const char *what, int32_t index, size_t n,
                               weft_error *e)
{
    char expected[64] = "none, for the file has none";
    if (n > 0)
        snprintf(expected, sizeof expected, "%d to %d", b->first_index, (int)n - 1 + b->first_index);
    long long found = (long long)index + b->first_index;
    weft_result r;
    if (b->face_line[face] > 0)
        r = fault(e, WEFT_ERROR_FORMAT, "%s:%d: found %s %lld, expected %s", b->name, b->face_line[face], what, found,
                  expected);
    else
        r = fault(e, WEFT_ERROR_FORMAT, "%s: face %d: found %s %lld, expected %s", b->name, (int)face, what, found,
                  expected);
    if (e)
        e->element = (int32_t)face;
    return r;
}

static weft_result check_mesh_indices(const mesh_build *b, weft_error *e)
{
    for (size_t face = 0; face < b->n_faces; face++) {
        for (int32_t i = b->face_start[face]; i < b->face_start[face + 1]; i++) {
            if (b->corners[i] < 0 || (size_t)b->corners[i] >= b->n_positions)
                return index_fault(b, face, "vertex", b->corners[i], b->n_positions, e);
            if (b->corner_uv[i] < -1 || (b->corner_uv[i] >= 0 && (size_t)b->corner_uv[i] >= b->n_uv))
                return index_fault(b, face, "texture vertex", b->corner_uv[i], b->n_uv, e);
        }
    }
    return WEFT_OK;
}

weft_result mesh_build_finish(mesh_build *b, weft_mesh *out, weft_error *e)
{
    weft_result r = check_mesh_indices(b, e);
    if (r < 0)
        return r;
    bool has_lines = b->n_faces > 0 && b->face_line[0] > 0;
    *out = (weft_mesh){.n_nodes = (int32_t)b->n_positions,
                       .positions = b->positions,
                       .n_faces = (int32_t)b->n_faces,
                       .face_start = b->face_start,
                       .corners = b->corners,
                       .n_uv = (int32_t)b->n_uv,
                       .uv = b->uv,
                       .corner_uv = b->n_uv ? b->corner_uv : NULL,
                       .n_groups = (int32_t)b->n_groups,
                       .group_names = b->groups,
                       .face_group = b->n_groups ? b->face_group : NULL,
                       .face_line = has_lines ? b->face_line : NULL,
                       .was_stl = b->was_stl};
    free(b->n_uv ? NULL : b->corner_uv);
    free(b->n_groups ? NULL : b->face_group);
    free(has_lines ? NULL : b->face_line);
    mesh_table_free(&b->group_table);
    *b = (mesh_build){0};
    return WEFT_OK;
}
