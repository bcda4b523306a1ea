/* SPDX-License-Identifier: MIT */
/* Pictures of cloth: a scene of meshes and solids, rendered to light, made 8-bit, captioned, written as PNG or piped.
 *
 *     picture_render → picture_image → picture_develop → picture_bytes → picture_text, picture_sheet, picture_write_png
 *
 * y is up, lengths are in metres. The light is one sun with soft shadows, a bright sky, and what surfaces throw on each
 * other once. Nothing is global; functions return NULL if all went well, else a text that says what is wrong.
 *
 * The same scene gives the same bytes from one build on one machine, whatever the number of threads. */
#ifndef PICTURE_PICTURE_H
#define PICTURE_PICTURE_H

#include <stdio.h>
#include <weft/weft.h>

/* ---- colours ----------------------------------------------------------------------------------------------------- */

/* As in a paint program: sRGB, each [0, 1]. */
typedef struct picture_color {
    float r, g, b;
} picture_color;

/* Maps of numbers to colours. Lightness alone tells the numbers' order, and no map needs red told from green. */
typedef picture_color (*picture_color_map)(double t);
/* −1 blue, 0 nearly white, 1 red; t beyond is taken as the end, NaN is grey. */
picture_color picture_diverging(double t);
/* 0 pale yellow, through orange and red to dark violet at 1; t beyond is taken as the end, NaN is grey. */
picture_color picture_sequential(double t);

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* A piece of cloth: two sides, no thickness. Or, if is_solid, the mesh of a collider: one colour, `front`, and creases
 * stay sharp. The arrays are read during picture_render only. */
typedef struct picture_mesh {
    const weft_vec3 *positions;
    int32_t n_nodes;
    const int32_t *triangles; /* 3 node indices each, counter-clockwise seen from the front */
    int32_t n_triangles;
    const weft_vec3 *normals; /* per node; NULL: made from the triangles */
    picture_color front, back;
    bool is_solid;               /* not see-through, slightly shiny; sides meeting at more than 40° are sharp */
    const picture_color *colors; /* per node, of both sides, instead of front and back; NULL: none */
    const picture_color *triangle_colors; /* per triangle, instead of all the above; NULL: none */
    const uint8_t *lines; /* per triangle: if bit k is set, its side from corner k to k + 1 is drawn; NULL: no lines */
    double line_width;    /* pixels, on the finished picture; [0, 32]; 0: 1.1 */
} picture_mesh;

/* Lines for `lines`: all sides, save that where two triangles with right angles make a rectangle its diagonal is left
 * out. The positions are the flat cloth's, or those of the first frame. */
const char *picture_grid_lines(const weft_vec3 *positions, int32_t n_nodes, const int32_t *triangles,
                               int32_t n_triangles, uint8_t *lines);

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
    bool given; /* false: eye and target are found as picture_framing does, from this scene alone */
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

/* ---- one camera for a whole run ---------------------------------------------------------------------------------- */

/* Give it every frame's cloth and colliders; then it knows a camera that sees all the cloth of all frames as large as
 * can be, and with it those colliders that are near and less than 3 times the cloth's size. Planes are ignored. If
 * there is no cloth, all colliders are seen. Memory does not grow with frames. */
typedef struct picture_framing picture_framing;

/* Uses the camera's direction, height_angle and margin. aspect is width / height. NULL: out of memory. */
picture_framing *picture_framing_create(const picture_camera *camera, double aspect);
void picture_framing_free(picture_framing *framing);
void picture_framing_add_cloth(picture_framing *framing, const weft_vec3 *positions, int32_t n_nodes);
/* `index` tells colliders apart: one that moves has the same index in all frames. NULL, or out of memory. */
const char *picture_framing_add_solid(picture_framing *framing, int32_t index, const picture_solid *solid);
const char *picture_framing_add_points(picture_framing *framing, int32_t index, const weft_vec3 *positions, int32_t n);
/* All meshes (is_solid ones and solids as colliders: meshes have indices 0…, solids n_meshes…) of one frame. */
const char *picture_framing_add_scene(picture_framing *framing, const picture_scene *scene);
/* The camera, `given`, for what has been added so far; as it was if it was given already. */
picture_camera picture_framing_camera(const picture_framing *framing);

/* ---- rendering --------------------------------------------------------------------------------------------------- */

typedef struct picture_size {
    int32_t width, height; /* pixels; [1, 8192] */
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

/* ---- 8-bit pictures ---------------------------------------------------------------------------------------------- */

/* sRGB, three bytes a pixel, rows from the top. */
typedef struct picture_bytes {
    int32_t width, height;
    uint8_t *rgb;
} picture_bytes;

/* Makes light fit for a screen. */
const char *picture_develop(const picture_image *image, picture_bytes *out);
/* Renders and develops. */
const char *picture_take(const picture_scene *scene, const picture_size *size, picture_bytes *out);
/* A picture of one colour. */
const char *picture_bytes_make(int32_t width, int32_t height, picture_color color, picture_bytes *out);
void picture_bytes_free(picture_bytes *bytes);

/* Writes a line of text with its top left corner at x, y; a letter takes 6 × 8 pixels, times scale. Knows ASCII; what
 * lies outside the picture is cut off. */
void picture_text(picture_bytes *bytes, int32_t x, int32_t y, int32_t scale, picture_color color, const char *text);
/* Width in pixels. */
int32_t picture_text_width(int32_t scale, const char *text);
/* A bar of colours in the lower left corner, from map(low) to map(high), with a title above it and texts at its ends
 * and, if not NULL, its middle. The size goes with the picture's. */
typedef struct picture_legend {
    picture_color_map map;
    double low, high; /* arguments of map */
    const char *title, *low_text, *middle_text, *high_text;
} picture_legend;
void picture_draw_legend(picture_bytes *bytes, const picture_legend *legend);

typedef struct picture_tile {
    const picture_bytes *image;
    const char *caption; /* below the image; cut off at its width. NULL: none */
} picture_tile;

/* A contact sheet: tiles of one size in rows of n_columns; 0: so many that the sheet is about as wide as 4 : 3. */
const char *picture_sheet(const picture_tile *tiles, int32_t n_tiles, int32_t n_columns, picture_bytes *out);

/* A PNG file in memory, to be freed with free. */
const char *picture_encode_png(const picture_bytes *bytes, uint8_t **out, size_t *n_out);
/* The pixels of a PNG as JPEG; *out is malloc'ed. */
const char *picture_jpeg_of_png(const void *png, size_t n, uint8_t **out, size_t *n_out);
/* Written beside the path first, then renamed: the path never holds half a file. */
const char *picture_write_png(const picture_bytes *bytes, const char *path);
/* Raw RGB24 for a video encoder. Such want even sizes: an odd width or height is made one greater by repeating the last
 * column or row; picture_even gives the size. */
const char *picture_write_raw(const picture_bytes *bytes, FILE *file);
static inline int32_t picture_even(int32_t n)
{
    return n + (n & 1);
}

#endif
