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

/* By the largest of the four, of which the others are quotients. */
weft_quat mat3_to_quat(const mat3 *r)
{
    const double *m = r->m;
    double trace = m[0] + m[4] + m[8];
    if (trace >= m[0] && trace >= m[4] && trace >= m[8]) {
        double w = 0.5 * sqrt(max_of(0, 1 + trace)), s = 0.25 / w;
        return (weft_quat){s * (m[7] - m[5]), s * (m[2] - m[6]), s * (m[3] - m[1]), w};
    }
    int i = m[0] >= m[4] && m[0] >= m[8] ? 0 : m[4] >= m[8] ? 1 : 2, j = (i + 1) % 3, k = (i + 2) % 3;
    double q[3], a = 0.5 * sqrt(max_of(0, 1 + m[4 * i] - m[4 * j] - m[4 * k])), s = 0.25 / a;
    q[i] = a;
    q[j] = s * (m[3 * i + j] + m[3 * j + i]);
    q[k] = s * (m[3 * i + k] + m[3 * k + i]);
    return (weft_quat){q[0], q[1], q[2], s * (m[3 * k + j] - m[3 * j + k])};
}
