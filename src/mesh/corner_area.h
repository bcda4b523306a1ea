/* SPDX-License-Identifier: MIT */
/* What corners have of their element's area at rest: of a triangle a third each, of a parallelogram a quarter each
 * (villard2002 §5.2). Masses are lumped by it.
 *
 * Of any quad, each has (S + T)/6, where T is the area of the triangle that it forms with its two neighbours, and S the
 * area of all: the mean of what thirds of triangles give, over the two ways to cut it. That is the integral of its
 * bilinear function, too: quarters of a parallelogram, and centres of mass of plane quads stay where they are. (By the
 * drawn triangles alone, whose diagonals alternate, nodes of a grid had 2/3 and 4/3 of a cell.)
 *
 * Where levels meet, a corner may hang; what it has goes by T to its parents. */
#ifndef WEFT_MESH_CORNER_AREA_H
#define WEFT_MESH_CORNER_AREA_H

#include "mesh/surface.h"

/* Of the corners p, n of them, 3 or 4; the diagonal of a quad (surface.h) says how it is drawn, and so what it has in
 * all. */
void corner_areas(const vec3 p[4], int n, int diagonal, double out[4]);

/* The same of an element, m². */
void surface_corner_areas(const surface *s, int32_t ei, double out[4]);

/* How the centre of a quad that splits stands to its corners: the weights, of sum 1, by which its velocity is the mean
 * of theirs, and by which it hands them its momentum when the quad merges again. Momentum is kept if all corners'
 * shares and those of the four children are what corner_areas says, and middles of sides count half for each end:
 *
 *     weight_i = (share_i − share_i of child i − ½ what children have at the two middles beside i) / (at the centre)
 *
 * A quarter each for a parallelogram. Of a plane quad they are also the weights of its centre's place, so that angular
 * momentum of a rigid motion is kept, too. A quad that is far from a parallelogram may have a negative one. */
void corner_centre_weights(const vec3 p[4], int diagonal, double out[4]);

#endif
