/* SPDX-License-Identifier: MIT */
/* A tangle (tangle_cases.h) as a simulation: every object a cloth, or a collider that stands still. */
#ifndef BENCH_TANGLE_SCENE_H
#define BENCH_TANGLE_SCENE_H

#include "tangle_cases.h"

#include <weft/sim.h>

typedef struct tangle_scene {
    const tangle_case *c;
    weft_sim *sim;
    weft_cloth_id cloth[8];
    weft_vec3 *x;          /* per vertex of the case: where it is */
    const weft_vec3 *rest; /* per vertex: the shape at rest; NULL: x at the start */
    const weft_fabric *fabric;
    weft_vec3 *node, *still; /* scratch: per node of a cloth */
    int32_t *first, *of;     /* per vertex: its node in its object's cloth; per node: its vertex */
    int32_t *triangles;
} tangle_scene;

/* Of the definition; cloth of a fabric (NULL: the default), at `x` (NULL: as the case is), at rest as at `rest`. To be
 * freed in any case. */
bool tangle_scene_make(tangle_scene *s, const tangle_case *c, const weft_sim_def *def, const weft_fabric *fabric,
                       const weft_vec3 *x, const weft_vec3 *rest, weft_error *e);
void tangle_scene_free(tangle_scene *s);
/* x from the simulation. */
bool tangle_scene_take(tangle_scene *s, weft_error *e);
/* Springs of so many N/m a node from cloth to places, per vertex. */
bool tangle_scene_anchor(tangle_scene *s, const weft_vec3 *to, double stiffness, weft_attachment_id ids[8],
                         weft_error *e);

#endif
