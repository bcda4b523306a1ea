/* SPDX-License-Identifier: MIT */
/* The clip of a run: cloth from its cache, colliders from its scene. */
#ifndef TOOL_PLAYER_RUN_CLIP_H
#define TOOL_PLAYER_RUN_CLIP_H

#include "player/clip.h"

#include <weft/io.h>

/* scene NULL: cloth alone. Frames that cannot be read are left out, and a note says so. NULL: out of memory. */
clip *run_clip_make(const char *title, weft_cache *cache, const weft_scene *scene, int32_t n_threads);

/* The same frame by frame, for streams (clip_new_stream): cloths and colliders are added to c by the first call. */
typedef struct run_clip run_clip;
run_clip *run_clip_open(clip *c, weft_cache *cache, const weft_scene *scene, int32_t n_threads);
void run_clip_close(run_clip *f); /* NULL is fine */
/* A frame that cannot be read is left out. False: out of memory. */
bool run_clip_frame(run_clip *f, int32_t frame);
/* No more frames come: notes say what could not be shown. */
void run_clip_end(run_clip *f);
/* Goes on with the same cache, opened again, whose frames are known as far as `frame` (-1: none). False: it is another
 * run's by now. */
bool run_clip_move(run_clip *f, weft_cache *cache, int32_t frame);

#endif
