/* SPDX-License-Identifier: MIT */
/* Closest points of a vertex and a triangle, and of two edges, by the region of parameters in which they lie.
 *
 * Source: Ericson 2005, Real-Time Collision Detection, §5.1.5 and §5.1.9: the region of the triangle, or the clamping
 * of the segment, in which the closest point lies. */
#include "contact/gap.h"

static gap gap_at(const vec3 x[4], double w0, double w1, double w2, double w3, bool inside)
{
    gap g = {.w = {w0, w1, w2, w3}, .inside = inside};
    g.vector = gap_weigh(g.w, x);
    g.distance = v3_len(g.vector);
    return g;
}

static double clamp_fraction(double a)
{
    return a < 0 ? 0 : a > 1 ? 1 : a;
}

/* Of a triangle without an area: the nearest of its sides. */
static gap nearest_side(const vec3 x[4])
{
    gap best = {.distance = HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        int a = 1 + i, b = 1 + (i + 1) % 3;
        vec3 d = v3_sub(x[b], x[a]);
        double l = v3_len_sq(d), t = l > 0 ? clamp_fraction(v3_dot(d, v3_sub(x[0], x[a])) / l) : 0, w[4] = {1, 0, 0, 0};
        w[a] = -(1 - t);
        w[b] = -t;
        gap g = gap_at(x, w[0], w[1], w[2], w[3], false);
        if (g.distance < best.distance)
            best = g;
    }
    return best;
}

gap gap_vertex_triangle(const vec3 x[4])
{
    vec3 ab = v3_sub(x[2], x[1]), ac = v3_sub(x[3], x[1]);
    vec3 ap = v3_sub(x[0], x[1]), bp = v3_sub(x[0], x[2]), cp = v3_sub(x[0], x[3]);
    double d1 = v3_dot(ab, ap), d2 = v3_dot(ac, ap), d3 = v3_dot(ab, bp), d4 = v3_dot(ac, bp);
    double d5 = v3_dot(ab, cp), d6 = v3_dot(ac, cp);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (!(v3_len_sq(v3_cross(ab, ac)) > 0))
        return nearest_side(x);
    if (d1 <= 0 && d2 <= 0)
        return gap_at(x, 1, -1, 0, 0, false);
    if (d3 >= 0 && d4 <= d3)
        return gap_at(x, 1, 0, -1, 0, false);
    if (d6 >= 0 && d5 <= d6)
        return gap_at(x, 1, 0, 0, -1, false);
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        double t = d1 / (d1 - d3);
        return gap_at(x, 1, -(1 - t), -t, 0, false);
    }
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        double t = d2 / (d2 - d6);
        return gap_at(x, 1, -(1 - t), 0, -t, false);
    }
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return gap_at(x, 1, 0, -(1 - t), -t, false);
    }
    double sum = va + vb + vc;
    if (!(sum > 0) || va < 0 || vb < 0 || vc < 0)
        return nearest_side(x);
    return gap_at(x, 1, -va / sum, -vb / sum, -vc / sum, true);
}

gap gap_edge_edge(const vec3 x[4])
{
    vec3 d1 = v3_sub(x[1], x[0]), d2 = v3_sub(x[3], x[2]), r = v3_sub(x[0], x[2]);
    double a = v3_dot(d1, d1), e = v3_dot(d2, d2), f = v3_dot(d2, r), b = v3_dot(d1, d2), c = v3_dot(d1, r);
    double det = a * e - b * b, s = 0, t = 0;
    if (a > 0 && e > 0) {
        s = det > 0 ? clamp_fraction((b * f - c * e) / det) : 0;
        t = (b * s + f) / e;
        if (t < 0 || t > 1) {
            t = clamp_fraction(t);
            s = clamp_fraction((b * t - c) / a);
        }
    } else if (a > 0) {
        s = clamp_fraction(-c / a);
    } else if (e > 0) {
        t = clamp_fraction(f / e);
    }
    return gap_at(x, 1 - s, s, -(1 - t), -t, s > 0 && s < 1 && t > 0 && t < 1);
}
