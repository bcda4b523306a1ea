/* SPDX-License-Identifier: MIT */
/* Where surfaces intersect, in the frame that a clip is at. Contours have the numbers that lists of them have: the one
 * of most pairs first. */
#ifndef TOOL_PLAYER_FOUND_CLIP_H
#define TOOL_PLAYER_FOUND_CLIP_H

#include "player/clip.h"

#include <weft/audit.h>

/* False: out of memory. */
bool found_clip_add(clip *c, const weft_audit_found *found);

#endif
