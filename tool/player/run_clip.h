/* SPDX-License-Identifier: MIT */
/* The clip of a run: cloth from its cache, colliders from its scene. */
#ifndef TOOL_PLAYER_RUN_CLIP_H
#define TOOL_PLAYER_RUN_CLIP_H

#include "player/clip.h"

#include <weft/io.h>

/* scene NULL: cloth alone. Frames that cannot be read are left out, and a note says so. NULL: out of memory. */
clip *run_clip_make(const char *title, weft_cache *cache, const weft_scene *scene, int32_t n_threads);

#endif
