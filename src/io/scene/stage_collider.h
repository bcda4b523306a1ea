/* SPDX-License-Identifier: MIT */
/* Colliders of a scene in a simulation, and the motion that files give their points. */
#ifndef WEFT_IO_SCENE_STAGE_COLLIDER_H
#define WEFT_IO_SCENE_STAGE_COLLIDER_H

#include "io/scene/scene_inside.h"

weft_result stage_create_collider(const weft_scene *s, int32_t collider, weft_sim *sim, weft_collider_id *out,
                                  weft_error *e);

/* Sends the points of meshes with a motion to where they are at `time`, the end of the next step. If the simulation's
 * time is not the one the stage left it at, a snapshot was restored: those that are elsewhere are put where they are
 * now, first. */
weft_result stage_move_colliders(weft_stage *st, double time, weft_error *e);

#endif
