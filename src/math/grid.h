/* SPDX-License-Identifier: MIT */
/* Positions live on a grid: what is stored is what was tested, midpoints are exact for twelve levels of refinement, and
 * differences of positions are exact. */
#ifndef WEFT_MATH_GRID_H
#define WEFT_MATH_GRID_H

#include "math/vec.h"

/* Positions become multiples of 2^(world_scale − 32) m. */
vec3 grid_snap(vec3 x, int32_t world_scale);

/* Whether x is finite and within the world of ±256 · 2^world_scale m. */
bool grid_contains(vec3 x, int32_t world_scale);

/* The grid's cell, m: snapping moves a coordinate by half of it at most. */
double grid_cell(int32_t world_scale);

#endif
