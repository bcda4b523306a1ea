/* SPDX-License-Identifier: MIT */
/* What the tests of the API share: small meshes, a checking allocator, random numbers, a parallel_for that runs
 * backwards. */
#ifndef TEST_SIM_KIT_H
#define TEST_SIM_KIT_H

#include <math.h>
#include <weft/weft.h>

/* The constants of math.h are floats, which some compilers will not widen without a word. */
#define KIT_NAN ((double)NAN)
#define KIT_INFINITE ((double)INFINITY)

/* ---- random numbers, the same on every machine ------------------------------------------------------------------- */

uint64_t kit_random(uint64_t *state);
/* In [0, n). */
int32_t kit_random_below(uint64_t *state, int32_t n);
/* In [-1, 1]. */
double kit_random_unit(uint64_t *state);

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

typedef struct kit_mesh {
    int32_t n_nodes, n_triangles, n_quads;
    weft_vec3 *x;
    weft_vec2 *uv; /* NULL: rest is x */
    int32_t *triangles, *quads;
} kit_mesh;

/* A flat rectangle in y = 0 that faces up, of n_u × n_v nodes. Each cell is a quad with the probability `quads`, else
 * two triangles with a random diagonal; nodes within it are moved by up to `jitter` of a cell. */
kit_mesh kit_patch(int32_t n_u, int32_t n_v, double size_u, double size_v, double quads, double jitter, uint64_t seed);
/* 20 · 4^levels triangles that face outward. */
kit_mesh kit_icosphere(int levels, double radius);
/* Quads that face outward, closed both ways. */
kit_mesh kit_torus(int32_t n_round, int32_t n_tube, double radius, double tube);
/* Renumbers nodes, reorders and rotates faces; the surface stays the same. */
void kit_shuffle(kit_mesh *m, uint64_t *random);
void kit_mesh_free(kit_mesh *m);
weft_mesh_def kit_mesh_def(const kit_mesh *m);

/* ---- an allocator that checks its caller ------------------------------------------------------------------------- */

typedef struct kit_memory {
    int64_t n_calls;           /* that asked for memory */
    int64_t fail_at;           /* the call of this number (from 1) gets NULL; 0: none */
    int64_t n_failed;          /* calls that got NULL */
    int64_t n_blocks, n_bytes; /* handed out and not yet returned */
    int32_t n_mistakes;        /* wrong old sizes, blocks not from here, another thread's calls */
} kit_memory;

void *kit_alloc(void *memory, void *ptr, size_t old_size, size_t new_size);

/* ---- a look inside ----------------------------------------------------------------------------------------------- */

/* What a refused call must leave alone. */
typedef struct kit_fingerprint {
    uint64_t hash;
    uint64_t vertices; /* hash of those of mesh colliders, and of their goals */
    int32_t n_cloths, n_colliders, n_attachments, n_ties, n_nodes;
    int64_t bytes; /* in use */
    double time;
    bool dirty; /* the model is to be made anew */
} kit_fingerprint;

kit_fingerprint kit_fingerprint_of(const weft_sim *sim);
/* How many nodes hang; fails the test unless each lies in the middle of its edge. */
int32_t kit_hanging(const weft_sim *sim, weft_cloth_id cloth);
bool kit_same_fingerprint(const kit_fingerprint *a, const kit_fingerprint *b);

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

void kit_backwards(void *user, int32_t n, void (*run)(void *context, int32_t i), void *context);

/* These fail the test if the call fails. */
weft_sim *kit_sim(const weft_sim_def *def);
weft_sim *kit_sim_with(int integrator);
/* Steps that suit an integrator. */
double kit_step_of(int integrator);
void kit_positions(const weft_sim *sim, weft_cloth_id id, weft_vec3 *out, int32_t n);
/* n × n nodes, `side` metres, level, corner at (x, y, 0). */
weft_grid_def kit_grid_def(int32_t n, double side, double x, double y);
weft_cloth_id kit_grid(weft_sim *sim, int32_t n, double side, double x, double y);
weft_cloth_id kit_cloth(weft_sim *sim, const weft_mesh_def *def);
weft_attachment_id kit_pin(weft_sim *sim, weft_cloth_id cloth, int32_t n, const int32_t *nodes);
weft_collider_id kit_sphere(weft_sim *sim, double radius, weft_vec3 centre);
/* Any number of steps; warnings are fine. */
void kit_steps(weft_sim *sim, int32_t n, double h);
weft_cloth_info kit_info(const weft_sim *sim, weft_cloth_id cloth);

/* Fails the test with the error's text unless r ≥ 0. */
void kit_must(weft_result r, const weft_error *e);

#endif
