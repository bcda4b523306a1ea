/* SPDX-License-Identifier: MIT */
/* Distances of points, edges and triangles: a minimum inside, if there is one, else the least on the border. */
#include "contact_distance.h"
#include "contact_vec.h"

static double point_edge(weft_vec3 p, weft_vec3 a, weft_vec3 b)
{
    weft_vec3 d = cv_sub(b, a);
    double len_sq = cv_dot(d, d), s = len_sq > 0 ? cv_dot(cv_sub(p, a), d) / len_sq : 0;
    return cv_length(cv_sub(p, cv_madd(a, fmin(fmax(s, 0), 1), d)));
}

double contact_point_triangle(weft_vec3 p, const weft_vec3 t[3])
{
    weft_vec3 normal = cv_cross(cv_sub(t[1], t[0]), cv_sub(t[2], t[0]));
    double area = cv_length(normal), least = HUGE_VAL;
    bool inside = area > 0;
    for (int i = 0; i < 3; i++) {
        weft_vec3 a = t[i], b = t[(i + 1) % 3];
        inside = inside && cv_dot(cv_cross(cv_sub(b, a), cv_sub(p, a)), normal) >= 0;
        least = fmin(least, point_edge(p, a, b));
    }
    return inside ? fabs(cv_dot(cv_sub(p, t[0]), normal)) / area : least;
}

/* Only where both points are within the edges; ends are tested by others. */
static double edge_edge(weft_vec3 a, weft_vec3 b, weft_vec3 c, weft_vec3 d)
{
    weft_vec3 u = cv_sub(b, a), v = cv_sub(d, c), w = cv_sub(c, a);
    double uu = cv_dot(u, u), uv = cv_dot(u, v), vv = cv_dot(v, v), uw = cv_dot(u, w), vw = cv_dot(v, w);
    double det = uu * vv - uv * uv;
    if (!(det > 1e-12 * uu * vv))
        return HUGE_VAL;
    double s = (uw * vv - vw * uv) / det, t = (uw * uv - vw * uu) / det;
    if (s < 0 || s > 1 || t < 0 || t > 1)
        return HUGE_VAL;
    return cv_length(cv_sub(cv_madd(a, s, u), cv_madd(c, t, v)));
}

static double span_apart(double a0, double a1, double a2, double b0, double b1, double b2)
{
    double gap = fmax(fmin(fmin(b0, b1), b2) - fmax(fmax(a0, a1), a2), fmin(fmin(a0, a1), a2) - fmax(fmax(b0, b1), b2));
    return fmax(gap, 0);
}

static bool boxes_farther(const weft_vec3 a[3], const weft_vec3 b[3], double within)
{
    return span_apart(a[0].x, a[1].x, a[2].x, b[0].x, b[1].x, b[2].x) > within ||
           span_apart(a[0].y, a[1].y, a[2].y, b[0].y, b[1].y, b[2].y) > within ||
           span_apart(a[0].z, a[1].z, a[2].z, b[0].z, b[1].z, b[2].z) > within;
}

double contact_triangle_triangle(const weft_vec3 a[3], const weft_vec3 b[3], double within)
{
    double least = HUGE_VAL;
    if (boxes_farther(a, b, within))
        return least;
    for (int i = 0; i < 3; i++) {
        least = fmin(least, fmin(contact_point_triangle(a[i], b), contact_point_triangle(b[i], a)));
        for (int j = 0; j < 3; j++)
            least = fmin(least, edge_edge(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
    }
    return least <= within ? least : HUGE_VAL;
}

double contact_axis_triangle(const weft_vec3 t[3])
{
    double least = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        weft_vec3 a = t[i], b = t[(i + 1) % 3];
        a.z = b.z = 0;
        least = fmin(least, point_edge((weft_vec3){0, 0, 0}, a, b));
    }
    return least;
}
