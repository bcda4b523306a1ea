/* SPDX-License-Identifier: MIT */
/* Scenes that the benches of time have in common. Cotton in each:
 *
 *   hanging   0.72 m, held at two corners
 *   ball      0.72 m, falls from 5 cm above a ball of radius 0.2 m
 *   ribbon    0.1 × 2 m, 4000 triangles, on end onto a table, where it rumples (Provot 1997, figure 5)
 *   peers     1 × 1 m of irregular triangles, 8 mm above a ball of triangles, with a floor under it, friction 0.4 */
#ifndef BENCH_SCENE_H
#define BENCH_SCENE_H

#include <weft/weft.h>

typedef enum bench_scene_kind { SCENE_HANGING, SCENE_BALL, SCENE_RIBBON, SCENE_PEERS } bench_scene_kind;

typedef struct bench_scene_def {
    bench_scene_kind kind;
    int32_t n;        /* nodes a side; not of the ribbon */
    int32_t level;    /* how often faces may split; 0: the mesh stays as it is */
    double stiffness; /* stretch of warp and weft, N/m; 0: cotton's */
    double limit;     /* of stretch; 0: cotton's */
    int32_t n_threads;
} bench_scene_def;

typedef struct bench_scene {
    weft_sim *sim;
    weft_cloth_id cloth;
    double thickness;
    size_t bytes;            /* that the simulation has of the allocator */
    weft_collider_def solid; /* the analytic one, if there is one */
    int32_t n_solids;
    weft_vec3 *mesh_x; /* the collider of triangles, if there is one */
    int32_t *mesh_triangles;
    int32_t n_mesh_nodes, n_mesh_triangles;
} bench_scene;

const char *bench_scene_name(bench_scene_kind kind);
/* *out must stay where it is: the simulation's allocator counts in it. Empty after a failure. */
weft_result bench_scene_create(bench_scene *out, const bench_scene_def *def, weft_error *e);
void bench_scene_destroy(bench_scene *s);
/* The exact audit of now: triangles that intersect, and those nearer to the analytic collider than the thickness. */
weft_result bench_scene_audit(const bench_scene *s, int64_t *out, weft_error *e);

#endif
