/* SPDX-License-Identifier: MIT */
/* Scenes that between them use every force, collider, attachment and material, for tests that compare runs bit for bit.
 * They use no function of libm but sqrt: the same on every machine. */
#ifndef TEST_SIM_KIT_SCENES_H
#define TEST_SIM_KIT_SCENES_H

#include "sim/kit.h"

typedef struct kit_scene {
    const char *name;
    void (*build)(weft_sim *sim);
} kit_scene;

enum { KIT_SCENES = 7 };
extern const kit_scene kit_scenes[KIT_SCENES];

/* A simulation with the scene in it; def NULL: the default. */
weft_sim *kit_scene_sim(const kit_scene *scene, const weft_sim_def *def);

/* A step that the integrator bears with these fabrics. */
double kit_scene_step(weft_integrator integrator);

#endif
