/* SPDX-License-Identifier: MIT */
/* Distances of triangles, by plain geometry that shares nothing with the library's. */
#ifndef CONTACT_DISTANCE_H
#define CONTACT_DISTANCE_H

#include <weft/base.h>

double contact_point_triangle(weft_vec3 p, const weft_vec3 t[3]);
/* Of triangles that do not intersect. `within`: what is farther is not reckoned, and HUGE_VAL. */
double contact_triangle_triangle(const weft_vec3 a[3], const weft_vec3 b[3], double within);
/* From the z axis. */
double contact_axis_triangle(const weft_vec3 t[3]);

#endif
