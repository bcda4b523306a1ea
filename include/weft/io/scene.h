/* SPDX-License-Identifier: MIT */
/* Scenes: one YAML or JSON file that describes a run. Part of libweft-io.
 *
 * Load parses a file, checks every value and reads the meshes it names; build makes a simulation of it. Messages begin
 * with file:line:column. What may stand in a file, with units, ranges and defaults, is written once, in the schema, and
 * read here, in weft_scene_schema and in docs/scene.md. */
#ifndef WEFT_IO_SCENE_H
#define WEFT_IO_SCENE_H

#include <weft/io/cache.h>
#include <weft/io/mesh.h>
#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All structs here belong to the scene and are for reading. Texts are never NULL unless it is said. Lines and columns
 * count from 1; 0: not in the file, a default or a --set. */
typedef struct weft_scene_place {
    int32_t line, column;
} weft_scene_place;

/* As in a paint program: sRGB, each [0, 1]. */
typedef struct weft_color {
    double r, g, b;
} weft_color;

/* How a mesh file is put into the scene: x ↦ position + rotation · (scale · x), after z-up files are turned to y-up. */
typedef struct weft_scene_transform {
    double scale; /* m a file unit; [1e-6, 1e6]; 1 */
    bool z_up;    /* the file's z is up; false */
    weft_vec3 position;
    weft_quat rotation;
} weft_scene_transform;

typedef enum weft_scene_rest {
    WEFT_REST_SHAPE = 0, /* the mesh as it is */
    WEFT_REST_UV = 1     /* flat, the file's uv times uv_scale in metres */
} weft_scene_rest;

/* Of the file, then those of the library that cloths use. */
typedef struct weft_scene_fabric {
    const char *name;
    weft_scene_place place;
    weft_fabric fabric;
} weft_scene_fabric;

typedef struct weft_scene_cloth {
    const char *name;
    weft_scene_place place;
    bool is_grid;
    weft_grid_def grid; /* its model is that of the cloth */
    const char *file;   /* mesh: as written in the scene; NULL for a grid */
    weft_mesh mesh;     /* mesh: placed in the scene, metres */
    weft_scene_transform transform;
    weft_scene_rest rest;
    double uv_scale;
    weft_vec3 velocity;
    weft_cloth_model model;  /* face_fabric counts the file's faces, not the library's */
    weft_filter filter;      /* what it collides with */
    weft_untangle_side side; /* DYNAMIC */
    weft_color front, back;
} weft_scene_cloth;

typedef struct weft_scene_collider {
    const char *name;
    weft_scene_place place;
    bool is_mesh;          /* else analytic */
    weft_collider_def def; /* keys included; of a mesh, without vertices and triangles */
    const char *file;      /* mesh: as written in the scene; else NULL */
    weft_mesh mesh;        /* mesh: in the file's frame and units */
    weft_scene_transform transform;
    const char *motion_file; /* PC2, MDD or an OBJ sequence over the mesh; NULL: none */
    double motion_fps;
    weft_motion *motion;
    weft_filter filter;      /* what it collides with */
    weft_untangle_side side; /* mesh; DYNAMIC */
    weft_color color;
    bool visible;
} weft_scene_collider;

typedef struct weft_scene_attachment {
    weft_scene_place place;
    int32_t cloth;           /* index into cloths */
    int32_t collider;        /* index into colliders, or -1 */
    weft_attachment_def def; /* nodes, keys and weights included; cloth and collider ids are filled in by build */
} weft_scene_attachment;

typedef struct weft_scene_tie {
    weft_scene_place place;
    int32_t cloth_a, cloth_b;
    weft_tie_def def;
} weft_scene_tie;

typedef struct weft_scene_layer {
    weft_scene_place place;
    int32_t inner, outer; /* indices into cloths */
} weft_scene_layer;

typedef struct weft_scene_output {
    double fps;              /* frames a second; [1e-3, 1e5]; 60 */
    int32_t frames;          /* steps of 1/fps to run; [0, 1e6]; 120 */
    int32_t steps_per_frame; /* [1, 100000]; 1 */
    int32_t restart_every;   /* frames between restart points; [1, 1e6]; 20 */
    int32_t compression;     /* zstd's level; [1, 19]; 1 */
    bool contacts;           /* store what pressed on nodes in each frame; true */
} weft_scene_output;

typedef enum weft_scene_coloring {
    WEFT_COLOR_SIDES = 0,         /* front and back of the cloth */
    WEFT_COLOR_STRETCH = 1,       /* blue: shorter than at rest; white: as at rest; red: at the stretch limit */
    WEFT_COLOR_LEVEL = 2,         /* pale: faces as they were made; dark: split as often as they may */
    WEFT_COLOR_INTERSECTIONS = 3, /* red: triangles that intersect; orange: nearer to a collider than the thickness */
    WEFT_COLOR_WARP = 4,          /* stretch along warp; grey where that is unknown */
    WEFT_COLOR_WEFT = 5,          /* stretch along weft */
    WEFT_COLOR_SHEAR = 6,         /* what warp and weft lack to a right angle; blue: -20°, red: 20° */
    WEFT_COLOR_SPEED = 7,         /* dark: the fastest node of the run */
    WEFT_COLOR_DISTANCE = 8,      /* to colliders; pale: none, dark: 50 mm and more */
    WEFT_COLOR_PRESSURE = 9       /* of contacts; dark: that of the two in a hundred nodes which feel most, and more */
} weft_scene_coloring;

typedef struct weft_scene_picture {
    int32_t width, height; /* pixels; [16, 8192]; 960 × 720 */
    int32_t samples;       /* per pixel; [1, 1024]; 16 */
    bool has_camera;       /* false: framed so that the whole run is seen */
    weft_vec3 eye, target;
    weft_vec3 direction; /* framed: from the scene to the eye; (0.5, 0.45, 1) */
    double view_angle;   /* of the height, degrees; [1, 150]; 30 */
    weft_scene_coloring coloring;
    bool wire;   /* the mesh's lines on the cloth; false */
    bool ground; /* drawn at y = 0, or below all, where no plane collider is; false */
    weft_color background;
} weft_scene_picture;

typedef struct weft_scene_gust {
    double strength; /* share of the wind's speed by which it swells and ebbs; [0, 1]; 0 */
    double period;   /* s; [0.01, 1e4]; 2 */
} weft_scene_gust;

typedef struct weft_scene {
    const char *path; /* as given to load */
    const char *name; /* of the scene; the file's without its ending if it says none */
    weft_sim_def sim; /* forces and solver */
    weft_scene_gust gust;
    int32_t n_fabrics, n_cloths, n_colliders, n_attachments, n_ties, n_layers;
    weft_scene_fabric *fabrics;
    weft_scene_cloth *cloths;
    weft_scene_collider *colliders;
    weft_scene_attachment *attachments;
    weft_scene_tie *ties;
    weft_scene_layer *layers;
    weft_scene_output output;
    weft_scene_picture picture;
    void *inside;
} weft_scene;

/* sets: texts "path=value", e.g. "cloths.sheet.fabric=silk" or "output.frames=10"; the value is YAML. They change the
 * file's tree before it is checked, and make a key that is not there. */
WEFT_API weft_result weft_scene_load(const char *path, const char *const *sets, int32_t n_sets, weft_scene **out,
                                     weft_error *error);
/* From memory; files are looked for from `folder`; NULL: files are not read at all, their meshes stay empty. */
WEFT_API weft_result weft_scene_parse(const char *name, const char *folder, const void *bytes, size_t size,
                                      const char *const *sets, int32_t n_sets, weft_scene **out, weft_error *error);
WEFT_API void weft_scene_free(weft_scene *scene); /* NULL is fine */

/* The scene with every default written out, and files by paths that hold from anywhere; loads to the same scene. To be
 * given back to weft_text_free, as all texts below. */
WEFT_API weft_result weft_scene_resolve(const weft_scene *scene, char **out, weft_error *error);
/* The same as JSON on one line, for programs that change scenes. */
WEFT_API weft_result weft_scene_resolve_json(const weft_scene *scene, char **out, weft_error *error);
/* JSON Schema (draft 2020-12) of scene files, for editors. */
WEFT_API weft_result weft_scene_schema(char **out, weft_error *error);
/* The reference page, Markdown. */
WEFT_API weft_result weft_scene_reference(char **out, weft_error *error);
WEFT_API void weft_text_free(char *text);

/* Where a collider is at a time, for drawing: analytic ones by their pose, meshes by their points (n =
 * mesh.n_nodes). */
WEFT_API void weft_scene_collider_pose(const weft_scene *scene, int32_t collider, double time, weft_vec3 *position,
                                       double rotation[9]);
WEFT_API weft_result weft_scene_collider_points(const weft_scene *scene, int32_t collider, double time, weft_vec3 *out,
                                                int32_t n, weft_error *error);

/* A scene that runs. */
typedef struct weft_stage {
    const weft_scene *scene; /* must outlive the stage */
    weft_sim *sim;
    weft_cloth_id *cloths; /* one each of the scene's */
    weft_collider_id *colliders;
    weft_attachment_id *attachments;
    weft_tie_id *ties;
    double time; /* that the stage left the simulation at, s: another one tells that a snapshot was restored */
} weft_stage;

/* Errors of the library come with the place in the file of what they are about. def: threads, allocator, log and
 * callbacks are taken from it; NULL: those of the scene. */
WEFT_API weft_result weft_stage_create(const weft_scene *scene, const weft_sim_def *def, weft_stage **out,
                                       weft_error *error);
WEFT_API void weft_stage_destroy(weft_stage *stage); /* NULL is fine */
/* One frame: steps_per_frame steps, in which meshes follow the files that move them. The stats are those of all of
 * them, as weft_step_stats_add makes them; the result is the gravest warning. A failure leaves the state after the last
 * good step. */
WEFT_API weft_result weft_stage_advance(weft_stage *stage, weft_step_stats *stats, weft_error *error);
/* For the cache: faces as the scene's file or grid has them. Freed by weft_stage_topology_free. */
WEFT_API weft_result weft_stage_topology(const weft_stage *stage, int32_t cloth, weft_topology *out, weft_error *error);
WEFT_API void weft_stage_topology_free(weft_topology *topology);

#ifdef __cplusplus
}
#endif
#endif
