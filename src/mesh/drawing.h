/* SPDX-License-Identifier: MIT */
/* What surfaces of roots and of leaves have in common: their drawn triangles. */
#ifndef WEFT_MESH_DRAWING_H
#define WEFT_MESH_DRAWING_H

#include "mesh/sides.h"
#include "mesh/surface.h"

/* Appends a drawn triangle of element ei and measures it; there must be room. */
void drawing_add(surface *s, int32_t ei, const int32_t node[3]);

/* Links all triangles over their sides; `all` has room for three sides each. Returns the first group of more than two
 * triangles at one side, which a surface may not have, or NULL. */
const side *drawing_link(surface *s, sides *all);

/* Makes the triangles for bending; `all` as above. False: out of memory. */
bool drawing_bend(surface *s, sides *all);

vec3 rest_area_vector(const surface *s, int32_t a, int32_t b, int32_t c);

#endif
