/* SPDX-License-Identifier: MIT */
/* What a scene keeps beside what people see of it, and the steps from a draft to a scene. */
#ifndef WEFT_IO_SCENE_SCENE_INSIDE_H
#define WEFT_IO_SCENE_SCENE_INSIDE_H

#include "io/scene/scene_read.h"

/* What a cloth of a mesh has beside what is public. */
typedef struct scene_shape {
    weft_vec3 *rest; /* nodes at rest, m, not turned or moved; NULL: by uv */
    weft_vec2 *uv;   /* per node, m; NULL: by shape */
} scene_shape;

typedef struct scene_inside {
    scene_arena arena;
    draft_scene draft;
    const char *folder;  /* files are looked for from here; NULL: they are not read */
    scene_shape *shapes; /* one a cloth */
    int64_t n_looked_at; /* nodes that attachments have looked at so far */
} scene_inside;

/* Everything after the draft: names are looked up, files read, pointers set. */
weft_result scene_fill(scene_reader *r, scene_inside *in, weft_scene *s);

/* Reads, checks and places the mesh of a cloth or collider. */
weft_result scene_fill_cloth_mesh(scene_reader *r, scene_inside *in, const draft_cloth *d, weft_scene_cloth *c,
                                  scene_shape *shape);
weft_result scene_fill_collider_mesh(scene_reader *r, scene_inside *in, const draft_collider *d,
                                     weft_scene_collider *c);
/* A path that holds from anywhere; free() it. NULL: out of memory. */
char *scene_path(const scene_inside *in, const char *file);

/* The nodes that an attachment holds. */
weft_result scene_select_nodes(scene_reader *r, scene_inside *in, const draft_attachment *d, const weft_scene_cloth *c,
                               int32_t **nodes, int32_t *n);
/* They are nodes of the cloth. */
weft_result scene_check_nodes(scene_reader *r, const draft_list *nodes, const weft_scene_cloth *c);

/* Unit vectors along warp and weft, as the library makes them. False: they are parallel. */
bool scene_grid_axes(const weft_grid_def *g, weft_vec3 *warp, weft_vec3 *weft);

weft_result scene_write(const weft_scene *s, bool json, char **out, weft_error *e);

/* position + rotation · (scale · x), after z-up was turned to y-up; rotation by rows. */
weft_vec3 scene_to_file_frame(const weft_scene_transform *t, weft_vec3 x);
weft_vec3 scene_move(const double rotation[9], weft_vec3 position, weft_vec3 x);

#endif
