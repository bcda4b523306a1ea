/* SPDX-License-Identifier: MIT */
/* Cloth that is wholly inside of a closed mesh: it intersects nothing, and an audit of intersections finds it clean. */
#ifndef TOOL_ENCLOSED_H
#define TOOL_ENCLOSED_H

#include "run_subject.h"
#include "warnings.h"

/* Whether an object of the subject is inside of another, a mesh; false where that is open. */
bool enclosed_is(const subject *s, int32_t cloth, int32_t solid);
/* A warning of each cloth of a run that is so in the last frame, whoever computed it. */
weft_result enclosed_warn(weft_cache *cache, const weft_scene *scene, warnings *out, weft_error *error);

#endif
