/* SPDX-License-Identifier: MIT */
/* Rounding to the grid without a division: adding and taking away a number so large that only multiples of the cell are
 * left between. */
#include "math/grid.h"

/* Adding 1.5 · 2^(20 + scale) leaves a number whose last bit is worth 2^(scale − 32): the sum rounds to the grid. */
static double snap_coordinate(double x, double big)
{
    return (x + big) - big;
}

static double scaled(double x, int32_t world_scale)
{
    return x * (double)(INT64_C(1) << world_scale);
}

vec3 grid_snap(vec3 x, int32_t world_scale)
{
    double big = scaled(1572864.0, world_scale);
    return v3(snap_coordinate(x.x, big), snap_coordinate(x.y, big), snap_coordinate(x.z, big));
}

bool grid_contains(vec3 x, int32_t world_scale)
{
    return v3_is_finite(x) && v3_max_abs(x) <= scaled(256.0, world_scale);
}

double grid_cell(int32_t world_scale)
{
    return scaled(0x1p-32, world_scale);
}
