/* SPDX-License-Identifier: MIT */
/* The surface of a forest's leaves. */
#ifndef WEFT_MESH_LEAVES_H
#define WEFT_MESH_LEAVES_H

#include "mesh/forest.h"

/* A surface of its own; `roots` is the one the forest was made from. NULL: out of memory. Linear in the leaves. */
surface *surface_of_leaves(const forest *f, const surface *roots);

#endif
