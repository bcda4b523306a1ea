/* SPDX-License-Identifier: MIT */
/* The colours of cloth in pictures, where they stand for numbers of nodes; and what the colours mean. */
#ifndef TOOL_TINT_H
#define TOOL_TINT_H

#include "pictures.h"

typedef struct tint tint;

/* For the colouring of the look. NULL: out of memory. cache, scene and look must outlive it. */
tint *tint_open(weft_cache *cache, const weft_scene *scene, const pictures_look *look);
void tint_close(tint *t); /* NULL is fine */
/* Whether nodes have colours at all, in this colouring. */
bool tint_is_by_node(const tint *t);
/* Of a cloth in a frame, whose topology and positions these are; room for its nodes. */
weft_result tint_cloth(tint *t, int32_t frame, int32_t cloth, const weft_topology *topology, const weft_vec3 *x,
                       picture_color *out, weft_error *error);
/* Draws it, if there is something to be told. */
void tint_legend(const tint *t, picture_bytes *bytes);

#endif
