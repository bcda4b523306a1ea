/* SPDX-License-Identifier: MIT */
/* The numbers of mesh/ that somebody chose: what is too small to count. */
#ifndef WEFT_MESH_PARAMS_H
#define WEFT_MESH_PARAMS_H

/* Distance over edge length within which a node is on an edge's line (crack.c): files round coordinates, to 6 digits
 * after the point as a rule, which is 5e-5 of an edge of 10 mm. Test mesh/surface. */
#define CRACK_ON_LINE 1e-4

/* |n_x| above which a triangle of normal n takes its warp from y and not from x: one that stands across x within some
 * 25°. Which it is has to be decided somewhere; moduli differ along warp and weft. */
#define REST_ACROSS 0.9

/* Sine of an angle at rest below which an edge is flat: 1e-6 rad is the noise of coordinates with seven digits. */
#define REST_FLAT_SINE 1e-6

/* Area over the square of its longest side below which an element has no usable plane, and is refused. */
#define SURFACE_LEAST_SHAPE 1e-10

#endif
