/* SPDX-License-Identifier: MIT */
/* A run on the finest uniform mesh that its cloths may have: one topology for all frames. */
#ifndef TOOL_UNIFORM_H
#define TOOL_UNIFORM_H

#include "run_folder.h"

/* Writes a cache of it to `path`, replacing what is there. The cloths are made anew from the run's scene, given each
 * frame's mesh and positions, and evaluated: faces that split lie where they lay before, so nothing is lost. */
weft_result uniform_make(const run_view *view, const char *path, weft_error *error);
weft_result uniform_no_memory(weft_error *error);

#endif
