/* SPDX-License-Identifier: MIT */
/* Warp and weft of a run's cloth: a cache has none, the simulation that its scene makes does. */
#ifndef TOOL_RUN_UV_H
#define TOOL_RUN_UV_H

#include <weft/io.h>

/* Makes it; NULL: there is none, or it is of other cloths. */
weft_stage *run_uv_stage(const weft_scene *scene, int32_t n_cloths);
/* Of the nodes of a topology. NULL: unknown. malloc'ed. */
weft_vec2 *run_uv_find(weft_stage *stage, const weft_scene *scene, int32_t cloth, const weft_topology *t);

#endif
