/* SPDX-License-Identifier: MIT */
/* A recipe as a simulation, through the public API alone, and where its colliders are by the attack's own reckoning. */
#ifndef WEFT_TEST_ATTACK_SCENE_H
#define WEFT_TEST_ATTACK_SCENE_H

#include <weft/weft.h>

#include "attack/recipe.h"

/* A mesh of the attack's own making. */
typedef struct attack_mesh {
    int32_t n_nodes, n_triangles, n_quads;
    weft_vec3 *x;
    weft_vec2 *uv;
    int32_t *triangles, *quads;
} attack_mesh;

attack_mesh attack_mesh_cloth(const attack_cloth *c, uint64_t seed);
attack_mesh attack_mesh_collider(const attack_collider *c); /* in its own frame */
void attack_mesh_free(attack_mesh *m);
bool attack_collider_is_mesh(const attack_collider *c);
bool attack_collider_is_closed(const attack_collider *c); /* a mesh with an inside */

/* Where a collider is: x in its own frame ↦ position + rows · x. */
typedef struct attack_pose {
    double position[3], rows[3][3];
} attack_pose;
/* Time between the keys that move it, s: turns of its way are at keys. 0: it does not move. */
double attack_key_time(const attack_collider *c);
attack_pose attack_pose_at(const attack_collider *c, double time);
weft_vec3 attack_pose_put(const attack_pose *p, weft_vec3 x);
/* Own signed distance of an analytic collider, negative inside. */
double attack_distance(const attack_collider *c, const attack_pose *p, const double x[3]);

/* An allocator that counts, and fails when told. */
typedef struct attack_memory {
    int64_t live;    /* bytes */
    int64_t calls;   /* since fail_at was set */
    int64_t fail_at; /* the call that gets nothing, and all after it if `all`; 0: none */
    bool all;
} attack_memory;

typedef struct attack_scene {
    attack_recipe recipe;
    attack_memory memory;
    weft_sim *sim;
    weft_cloth_id cloths[ATTACK_MOST_CLOTHS];
    weft_collider_id colliders[ATTACK_MOST_COLLIDERS];
    double thickness[ATTACK_MOST_CLOTHS];
    int32_t tie_nodes[ATTACK_MOST_TIES][2]; /* first node of either row */
    int32_t tie_pairs[ATTACK_MOST_TIES];
} attack_scene;

/* The scene must stay where it is: the simulation knows its allocator. Destroy it in any case. */
weft_result attack_scene_make(attack_scene *s, const attack_recipe *r, int n_threads, int64_t fail_at, weft_error *e);
void attack_scene_destroy(attack_scene *s);
/* Before each step: colliders that go by their vertices are told where. */
weft_result attack_scene_send(attack_scene *s, weft_error *e);
/* Both. */
weft_result attack_scene_step(attack_scene *s, weft_step_stats *stats, weft_error *e);
/* Nodes of a hold, by their numbers at the start. */
int32_t attack_hold_nodes(const attack_recipe *r, const attack_hold *h, int32_t *out);

void *attack_need(size_t size); /* zeroed, or exits */

#endif
