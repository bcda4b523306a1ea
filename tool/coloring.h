/* SPDX-License-Identifier: MIT */
/* Numbers that cloth is coloured by, per node: those of the player (web/src/fields.js). NaN: unknown. */
#ifndef TOOL_COLORING_H
#define TOOL_COLORING_H

#include "render/picture.h"

#include <weft/io.h>

/* Farther from colliders all is the same, m. */
#define COLORING_REACH 0.05

/* The largest strain of the sides around each node. */
void coloring_stretch(const weft_topology *t, const weft_vec3 *x, double *out);
/* Means of triangles, by area: strain along warp (0) or weft (1); shear, radians (2). */
void coloring_strain(int which, const weft_topology *t, const weft_vec2 *uv, const weft_vec3 *x, double *out);
/* m/s */
void coloring_speed(const weft_vec3 *x, const weft_vec3 *before, int32_t n, double seconds, double *out);
/* The number that so large a part of them is not above; 0 of none. Sorts them. */
double coloring_most(double *values, size_t n, double part);
/* Which part of the nodes that are pressed the scale of pressures goes up to: contacts have spikes. */
#define COLORING_PRESSED 0.98
/* Lowers out, m, to the distance from a solid: negative inside. */
void coloring_near_solid(const picture_solid *s, const weft_vec3 *x, int32_t n, double *out);
/* The same from a mesh, whose inside is not known: never negative. False: out of memory. */
bool coloring_near_mesh(const weft_vec3 *mesh, const int32_t *triangles, int32_t n_triangles, const weft_vec3 *x,
                        int32_t n, double *out);

#endif
