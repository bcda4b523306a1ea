/* SPDX-License-Identifier: MIT */
/* The clip of worn garments: as they have settled, and every frame of the body's motion. */
#ifndef TOOL_PLAYER_WEAR_CLIP_H
#define TOOL_PLAYER_WEAR_CLIP_H

#include "player/clip.h"
#include "wear.h"

/* Adds what w is like now to w->clip, which the first call makes, once all garments are there; audit: what was found
 * now. */
weft_result wear_clip_frame(wear *w, const wear_audit *audit, weft_error *error);

#endif
