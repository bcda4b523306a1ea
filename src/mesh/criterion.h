/* SPDX-License-Identifier: MIT */
/* Where a surface bends: Villard's criterion (villard2002 §4.1). */
#ifndef WEFT_MESH_CRITERION_H
#define WEFT_MESH_CRITERION_H

#include "mesh/surface.h"

/* The cosine of the largest angle between a node's normal and those of the triangles around it, for each node: two
 * triangles a corner, from the node to its neighbours along the element's sides and to the element's centre (on quads;
 * a triangle's two lie in its plane). The node's normal is their mean. 1 where the node is no corner; -1 where a normal
 * has no direction. `normal` is work space, one a node. */
void criterion_cosines(const surface *s, const vec3 *x, vec3 *normal, double *cosine);

#endif
