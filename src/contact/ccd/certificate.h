/* SPDX-License-Identifier: MIT */
/* Proofs, cheap to check, that two primitives stay apart all through a step. Corners move on straight lines from x0 to
 * x1; the first n_first of the four belong to one primitive, the others to the second. */
#ifndef WEFT_CONTACT_CCD_CERTIFICATE_H
#define WEFT_CONTACT_CCD_CERTIFICATE_H

#include <stdbool.h>

#include "math/vec.h"

/* Whether along one of the axes the two are farther apart than `beyond` at both ends, on the same sides. */
bool certificate_axes(const vec3 x0[4], const vec3 x1[4], int n_first, double beyond);

/* The same along `normal`, of unit length, with the first on the side to which it points. */
bool certificate_plane(const vec3 x0[4], const vec3 x1[4], int n_first, vec3 normal, double beyond);

/* A lower bound of the gap along a unit normal at one moment, and so of the distance. */
double certificate_gap(const vec3 x[4], int n_first, vec3 normal);

/* Whether all four move by the same vector, to the last bit: what was apart stays as far apart. */
bool certificate_together(const vec3 x0[4], const vec3 x1[4]);

#endif
