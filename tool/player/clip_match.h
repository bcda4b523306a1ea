/* SPDX-License-Identifier: MIT */
/* Nodes of a mesh and of the one it came from. */
#ifndef TOOL_PLAYER_CLIP_MATCH_H
#define TOOL_PLAYER_CLIP_MATCH_H

#include <stdbool.h>
#include <stdint.h>

/* match[i]: the node of `old` that is nearest, or nearly so, to node i of `now`; points are 3 numbers each. False: out
 * of memory. */
bool clip_match(const float *old, int32_t n_old, const float *now, int32_t n_now, int32_t *match);

#endif
