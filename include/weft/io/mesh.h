/* SPDX-License-Identifier: MIT */
/* Meshes in files: OBJ, PLY and STL. Part of libweft-io. */
#ifndef WEFT_IO_MESH_H
#define WEFT_IO_MESH_H

#include <weft/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Polygons, as the file has them: order of vertices, faces and corners is kept. All arrays belong to the mesh. */
typedef struct weft_mesh {
    int32_t n_nodes;
    weft_vec3 *positions;
    int32_t n_faces;
    int32_t *face_start; /* n_faces + 1: the corners of face i are [face_start[i], face_start[i + 1]) */
    int32_t *corners;    /* the node at each corner */
    int32_t n_uv;
    weft_vec2 *uv;
    int32_t *corner_uv; /* the uv at each corner, -1: none; NULL if the file has no uv */
    int32_t n_groups;
    char **group_names;  /* OBJ: `g` and `o` */
    int32_t *face_group; /* -1: none; NULL if the file has no groups */
    int32_t *face_line;  /* line of each face for messages; NULL for binary files */
    bool was_stl;        /* STL has no shared vertices: equal ones were merged */
} weft_mesh;

typedef enum weft_mesh_format { WEFT_MESH_OBJ = 0, WEFT_MESH_PLY = 1, WEFT_MESH_STL = 2 } weft_mesh_format;

/* By the name's ending: .obj, .ply, .stl, in any case. Nothing is checked but what the format needs: indices in range,
 * finite numbers, at least 3 corners a face. *out is empty after a failure. */
WEFT_API weft_result weft_mesh_read(const char *path, weft_mesh *out, weft_error *error);
/* `name` stands for the file's name in messages. */
WEFT_API weft_result weft_mesh_parse(weft_mesh_format format, const char *name, const void *bytes, size_t size,
                                     weft_mesh *out, weft_error *error);
WEFT_API void weft_mesh_free(weft_mesh *mesh);

/* Text with 17 digits, or binary doubles: what was written is read back bit for bit. The file is complete or is not
 * there: it is written beside and then renamed. */
WEFT_API weft_result weft_mesh_write(const char *path, weft_mesh_format format, const weft_mesh *mesh,
                                     weft_error *error);

/* Polygons cut into triangles (by ears, in the polygon's plane). `triangles` has room for 3 · n_corners − 6 · n_faces
 * indices; `face` (or NULL) gets the polygon each came from. Returns the number of triangles. */
WEFT_API int32_t weft_mesh_triangulate(const weft_mesh *mesh, int32_t *triangles, int32_t *face);

/* Points that move, over one topology: PC2, MDD, or an OBJ sequence given as "name_####.obj". */
typedef struct weft_motion weft_motion;

typedef struct weft_motion_info {
    int32_t n_points, n_frames;
    double start;    /* s, of the first frame */
    double duration; /* s, from the first to the last frame */
} weft_motion_info;

/* By the name's ending. fps tells what the frame numbers of PC2 and of sequences mean; MDD has times of its own. Frames
 * are read when asked for, a few are kept. The size of the file must fit what its head says. */
WEFT_API weft_result weft_motion_open(const char *path, double fps, weft_motion **out, weft_error *error);
WEFT_API void weft_motion_close(weft_motion *motion); /* NULL is fine */
WEFT_API weft_motion_info weft_motion_get_info(const weft_motion *motion);
/* Linear between frames; before the first and after the last it stands still. n must be the number of points. */
WEFT_API weft_result weft_motion_sample(weft_motion *motion, double time, weft_vec3 *out, int32_t n, weft_error *error);
/* A frame as it is in the file, and its time, s (or NULL). */
WEFT_API weft_result weft_motion_read_frame(weft_motion *motion, int32_t frame, double *time, weft_vec3 *out, int32_t n,
                                            weft_error *error);
/* The file of a frame of a sequence; NULL: there is none. Only the first has been looked into: others may have other
 * faces. */
WEFT_API const char *weft_motion_file(const weft_motion *motion, int32_t frame);

#ifdef __cplusplus
}
#endif
#endif
