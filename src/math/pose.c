/* SPDX-License-Identifier: MIT */
/* Rotations from quaternions of any length. */
#include "math/pose.h"

#include <assert.h>

mat3 mat3_from_quat(weft_quat q)
{
    /* By the largest entry first, so that no square over- or underflows; then 2/|q|² in the formula of unit quaternions
     * in place of the square root. */
    double largest = max_of(max_of(fabs(q.x), fabs(q.y)), max_of(fabs(q.z), fabs(q.w)));
    assert(largest > 0.0);
    double x = q.x / largest, y = q.y / largest, z = q.z / largest, w = q.w / largest;
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    return (mat3){{1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w), s * (x * y + z * w),
                   1.0 - s * (x * x + z * z), s * (y * z - x * w), s * (x * z - y * w), s * (y * z + x * w),
                   1.0 - s * (x * x + y * y)}};
}
