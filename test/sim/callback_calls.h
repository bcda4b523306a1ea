/* SPDX-License-Identifier: MIT */
/* Every function of the API that takes a simulation, as a call that would do something: for tests of who may call what
 * from where. */
#ifndef TEST_SIM_CALLBACK_CALLS_H
#define TEST_SIM_CALLBACK_CALLS_H

#include <weft/weft.h>

/* A simulation with one of everything, and what calls need. */
typedef struct call_world {
    weft_sim *sim;
    weft_cloth_id sheet, patch;
    weft_collider_id ball, body;
    weft_attachment_id pin;
    weft_tie_id tie;
    void *snapshot, *shape;
    size_t snapshot_size, shape_size;
} call_world;

typedef struct api_call {
    const char *name;
    weft_result (*make)(call_world *w, weft_error *e);
} api_call;

/* Those that change a simulation, but weft_sim_destroy and weft_sim_cancel; and those that read one, but weft_sim_time
 * and weft_sim_hash, which return no result. */
extern const api_call changing_calls[], reading_calls[];
extern const int n_changing_calls, n_reading_calls;

void call_world_fill(call_world *w, const weft_sim_def *def, weft_size_fn size, void *size_user);
/* With snapshot and shape taken, for calls that want some. */
void call_world_take(call_world *w);
void call_world_empty(call_world *w);

#endif
