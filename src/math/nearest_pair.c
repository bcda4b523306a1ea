/* SPDX-License-Identifier: MIT */
/* The nearest points are inside, or on a border: all cases are looked at and the least taken, which needs no care about
 * which region is which. */
#include "math/nearest_pair.h"

static double clamp_to_segment(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double point_segment_sq(vec3 p, vec3 a, vec3 b)
{
    vec3 d = v3_sub(b, a), r = v3_sub(p, a);
    double l = v3_len_sq(d), s = l > 0 ? clamp_to_segment(v3_dot(r, d) / l) : 0;
    return v3_len_sq(v3_madd(r, -s, d));
}

double nearest_point_triangle(vec3 p, vec3 a, vec3 b, vec3 c)
{
    vec3 e = v3_sub(b, a), f = v3_sub(c, a), n = v3_cross(e, f), r = v3_sub(p, a);
    double n_sq = v3_len_sq(n);
    if (n_sq > 0) {
        double u = v3_dot(v3_cross(r, f), n), v = v3_dot(v3_cross(e, r), n);
        if (u >= 0 && v >= 0 && u + v <= n_sq)
            return fabs(v3_dot(r, n)) / sqrt(n_sq);
    }
    double least = min_of(point_segment_sq(p, a, b), min_of(point_segment_sq(p, b, c), point_segment_sq(p, c, a)));
    return sqrt(least);
}

double nearest_edges(vec3 a, vec3 b, vec3 c, vec3 d)
{
    vec3 e = v3_sub(b, a), f = v3_sub(d, c), r = v3_sub(c, a);
    double least = min_of(min_of(point_segment_sq(a, c, d), point_segment_sq(b, c, d)),
                          min_of(point_segment_sq(c, a, b), point_segment_sq(d, a, b)));
    double ee = v3_len_sq(e), ef = v3_dot(e, f), ff = v3_len_sq(f), det = ee * ff - ef * ef;
    if (det > 0) {
        double s = (v3_dot(r, e) * ff - v3_dot(r, f) * ef) / det, u = (v3_dot(r, e) * ef - v3_dot(r, f) * ee) / det;
        if (s > 0 && s < 1 && u > 0 && u < 1)
            least = min_of(least, v3_len_sq(v3_madd(v3_madd(r, u, f), -s, e)));
    }
    return sqrt(least);
}
