/* SPDX-License-Identifier: MIT */
/* Cracks: borders that lie on each other because one side of them has nodes that the other lacks. */
#ifndef WEFT_MESH_CRACK_H
#define WEFT_MESH_CRACK_H

#include "mesh/surface.h"

/* Refuses a surface whose nodes lie in edges that do not have them (T-junctions); edges and rest must be there. */
weft_result crack_check(const surface *s, weft_error *e);

#endif
