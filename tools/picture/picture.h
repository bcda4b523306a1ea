/* SPDX-License-Identifier: MIT */
/* Pictures of cloth: a scene of meshes and solids, rendered to an image, written as a PNG file.
 *
 * y is up, lengths are in metres. The light is one sun with soft shadows, a bright sky, and what surfaces throw on each
 * other once. Nothing is global; functions return NULL, or a text that says what is wrong.
 *
 * The same scene gives the same bytes from one build on one machine, whatever the number of threads. */
#ifndef PICTURE_PICTURE_H
#define PICTURE_PICTURE_H

#include <weft/weft.h>

/* As in a paint program: sRGB, each [0, 1]. */
typedef struct picture_color {
    float r, g, b;
} picture_color;

/* A piece of cloth: two sides, no thickness. The arrays are read during picture_render only. */
typedef struct picture_mesh {
    const weft_vec3 *positions;
    int32_t n_nodes;
    const int32_t *triangles; /* 3 node indices each, counter-clockwise seen from the front */
    int32_t n_triangles;
    const weft_vec3 *normals; /* per node; NULL: made from the triangles */
    picture_color front, back;
} picture_mesh;

/* A collider, with the meaning of weft_collider_def. A plane is endless and fades far away. */
typedef struct picture_solid {
    weft_collider_kind kind;
    double radius, height;
    weft_vec3 size;
    weft_vec3 position;
    double rotation[9]; /* by rows, as weft_collider_get_pose gives it */
    picture_color color;
} picture_solid;

typedef struct picture_camera {
    bool given; /* false: eye and target are found so that all meshes and solids are seen */
    weft_vec3 eye, target;
    weft_vec3 direction; /* not given: from the scene to the eye */
    double height_angle; /* of view, degrees; (0, 150] */
    double margin;       /* not given: free border, as a share of the picture; [0, 0.4] */
} picture_camera;

typedef struct picture_scene {
    const picture_mesh *meshes;
    int32_t n_meshes;
    const picture_solid *solids;
    int32_t n_solids;
    bool has_ground;
    double ground_height;
    picture_color ground, background;
    picture_camera camera;
    weft_vec3 sun;   /* direction towards it */
    double sun_size; /* its diameter seen from here, degrees; [0, 60]: how soft shadows are */
    double exposure; /* times the light; (0, 100] */
} picture_scene;

/* No meshes, no solids, ground at 0, a camera that looks for itself. */
picture_scene picture_scene_default(void);
/* A solid of the shape and in the place that a collider has now. */
picture_solid picture_solid_from_collider(const weft_sim *sim, weft_collider_id id, const weft_collider_def *def,
                                          picture_color color);

typedef struct picture_size {
    int32_t width, height; /* pixels; [1, 16384] */
    int32_t n_samples;     /* per pixel; [1, 1024] */
    int32_t n_threads;     /* [0, 256]; 0: one a core */
} picture_size;

/* 960 × 720, 16 samples, all cores. */
picture_size picture_size_default(void);

/* Light, not yet made fit for a screen: three floats a pixel, rows from the top. */
typedef struct picture_image {
    int32_t width, height;
    float *rgb;
} picture_image;

const char *picture_render(const picture_scene *scene, const picture_size *size, picture_image *out);
void picture_image_free(picture_image *image);
const char *picture_write_png(const picture_image *image, const char *path);

#endif
