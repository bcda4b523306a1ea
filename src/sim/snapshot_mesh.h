/* SPDX-License-Identifier: MIT */
/* The vertices of mesh colliders in snapshots. */
#ifndef WEFT_SIM_SNAPSHOT_MESH_H
#define WEFT_SIM_SNAPSHOT_MESH_H

#include "sim/sim.h"

uint32_t snapshot_count_meshes(const weft_sim *s);
size_t snapshot_meshes_size(const weft_sim *s);
char *snapshot_put_meshes(const weft_sim *s, char *at);

/* Where the part with n meshes ends; NULL if it does not before `end`. */
const char *snapshot_skip_meshes(const char *at, const char *end, uint32_t n);
/* With the state and its time restored. Colliders may be others (weft_sim_restore_cloths): a mesh that the snapshot
 * does not know, or that other keys now move elsewhere, is put where its pose has it. */
void snapshot_take_meshes(weft_sim *s, const char *at, uint32_t n);

#endif
