/* SPDX-License-Identifier: MIT */
/* Closest points by regions: the foot on the plane if it lies inside the triangle, else the nearest of the three sides,
 * whose feet are clamped to their ends. Slower than a walk over Voronoi regions, but nothing there depends on signs
 * that must agree with each other, so thin triangles need no special care. */
#include "math/closest.h"

static double clamp_unit(double t)
{
    return t > 0 ? (t < 1 ? t : 1) : 0; /* NaN: 0 */
}

/* Where on a b, 0 at a and 1 at b, the point nearest to p is. */
static double foot_on_segment(vec3 p, vec3 a, vec3 b)
{
    vec3 d = v3_sub(b, a);
    double length_sq = v3_len_sq(d);
    return length_sq > 0 ? clamp_unit(v3_dot(v3_sub(p, a), d) / length_sq) : 0;
}

static void set_point(closest_on_triangle *c, vec3 p, const vec3 x[3])
{
    c->point = v3_madd(v3_madd(v3_scale(c->b[0], x[0]), c->b[1], x[1]), c->b[2], x[2]);
    c->distance_sq = v3_len_sq(v3_sub(p, c->point));
}

/* True if the foot of p on the triangle's plane lies inside it. */
static bool foot_inside(vec3 p, const vec3 x[3], double b[3])
{
    vec3 n = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
    double area_sq = v3_len_sq(n);
    for (int i = 0; i < 3; i++) {
        vec3 u = x[(i + 1) % 3], v = x[(i + 2) % 3];
        b[i] = v3_dot(n, v3_cross(v3_sub(u, p), v3_sub(v, p)));
    }
    double sum = b[0] + b[1] + b[2];
    if (!(area_sq > 0 && sum > 0 && b[0] > 0 && b[1] > 0 && b[2] > 0))
        return false;
    for (int i = 0; i < 3; i++)
        b[i] /= sum;
    return true;
}

closest_on_triangle closest_point_triangle(vec3 p, const vec3 x[3])
{
    closest_on_triangle best = {{1, 0, 0}, x[0], v3_len_sq(v3_sub(p, x[0]))};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double t = foot_on_segment(p, x[i], x[j]);
        closest_on_triangle side = {.b = {0}};
        side.b[i] = 1 - t;
        side.b[j] = t;
        set_point(&side, p, x);
        if (side.distance_sq < best.distance_sq)
            best = side;
    }
    closest_on_triangle inside;
    if (foot_inside(p, x, inside.b)) {
        set_point(&inside, p, x);
        if (inside.distance_sq < best.distance_sq)
            best = inside;
    }
    return best;
}

static double between_sq(vec3 a0, vec3 u, double s, vec3 b0, vec3 v, double t)
{
    return v3_len_sq(v3_sub(v3_madd(a0, s, u), v3_madd(b0, t, v)));
}

double closest_segments_sq(vec3 a0, vec3 a1, vec3 b0, vec3 b1)
{
    vec3 u = v3_sub(a1, a0), v = v3_sub(b1, b0), w = v3_sub(a0, b0);
    double uu = v3_len_sq(u), uv = v3_dot(u, v), vv = v3_len_sq(v), uw = v3_dot(u, w), vw = v3_dot(v, w);
    double least = between_sq(a0, u, 0, b0, v, foot_on_segment(a0, b0, b1));
    least = min_of(least, between_sq(a0, u, 1, b0, v, foot_on_segment(a1, b0, b1)));
    least = min_of(least, between_sq(a0, u, foot_on_segment(b0, a0, a1), b0, v, 0));
    least = min_of(least, between_sq(a0, u, foot_on_segment(b1, a0, a1), b0, v, 1));
    double det = uu * vv - uv * uv;
    if (det > 0) { /* of the lines, where that is inside both */
        double s = (uv * vw - vv * uw) / det, t = (uu * vw - uv * uw) / det;
        if (s > 0 && s < 1 && t > 0 && t < 1)
            least = min_of(least, between_sq(a0, u, s, b0, v, t));
    }
    return least;
}

static double tetrahedron_volume(vec3 a, vec3 b, vec3 c, vec3 d)
{
    return v3_dot(v3_sub(b, a), v3_cross(v3_sub(c, a), v3_sub(d, a)));
}

static bool pierces(vec3 p, vec3 q, const vec3 x[3])
{
    double below = tetrahedron_volume(p, x[0], x[1], x[2]), above = tetrahedron_volume(q, x[0], x[1], x[2]);
    if ((below > 0) == (above > 0))
        return false;
    bool side[3];
    for (int i = 0; i < 3; i++)
        side[i] = tetrahedron_volume(p, q, x[i], x[(i + 1) % 3]) > 0;
    return side[0] == side[1] && side[1] == side[2];
}

double closest_triangles(const vec3 a[3], const vec3 b[3])
{
    double least = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        if (pierces(a[i], a[(i + 1) % 3], b) || pierces(b[i], b[(i + 1) % 3], a))
            return 0;
        least = min_of(least, closest_point_triangle(a[i], b).distance_sq);
        least = min_of(least, closest_point_triangle(b[i], a).distance_sq);
        for (int j = 0; j < 3; j++)
            least = min_of(least, closest_segments_sq(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
    }
    return sqrt(least);
}
