/* SPDX-License-Identifier: MIT */
/* Compiled plain and for AVX2; not a header in the usual sense. */
#include "contact/near_four.h"
#include "math/lanes.h"

LANE_INLINE lanes3 corner_of(const vec3 *x, const near_pair p[4], int k)
{
    return l3_of(&x[p[0].node[k]], &x[p[1].node[k]], &x[p[2].node[k]], &x[p[3].node[k]]);
}

LANE_INLINE unsigned bits_of(lane_mask m)
{
    return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
}

static unsigned edges(const vec3 *x, const near_pair p[4], double far)
{
    lanes3 from = corner_of(x, p, 0), to = corner_of(x, p, 2);
    lanes3 d1 = l3_sub(corner_of(x, p, 1), from), d2 = l3_sub(corner_of(x, p, 3), to), r = l3_sub(from, to);
    lanes a = l3_dot(d1, d1), e = l3_dot(d2, d2), f = l3_dot(d2, r), b = l3_dot(d1, d2), c = l3_dot(d1, r);
    lanes det = a * e - b * b, s = b * f - c * e, t = a * f - b * c, off = l3_dot(l3_cross(d1, d2), r);
    lanes none = lane_all(0);
    lane_mask inside = (lane_mask)(s > none) & (lane_mask)(s < det) & (lane_mask)(t > none) & (lane_mask)(t < det);
    return bits_of(inside & (lane_mask)(off * off <= lane_all(far * far) * det));
}

static unsigned triangles(const vec3 *x, const near_pair p[4], double far)
{
    lanes3 v = corner_of(x, p, 0);
    lanes3 a = l3_sub(v, corner_of(x, p, 1)), b = l3_sub(v, corner_of(x, p, 2)), c = l3_sub(v, corner_of(x, p, 3));
    lanes3 n = l3_cross(l3_sub(b, a), l3_sub(c, a)), away = l3_add(a, l3_add(b, c));
    lanes far_sq = lane_all(far * far), off = l3_dot(n, a), none = lane_all(0);
    lanes least = -lane_max(-l3_dot(away, a), lane_max(-l3_dot(away, b), -l3_dot(away, c)));
    lane_mask level = (lane_mask)(off * off <= far_sq * l3_dot(n, n));
    return bits_of(level & ((lane_mask)(least <= none) | (lane_mask)(least * least <= far_sq * l3_dot(away, away))));
}
