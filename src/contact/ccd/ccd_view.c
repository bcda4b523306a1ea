/* SPDX-License-Identifier: MIT */
/* The nearest point of the polygon gives the direction, unless it is so near that its own rounding error would turn
 * it: then all directions that can be best are tried, the plane's normal and the perpendiculars of edges by cross
 * products, which stay perpendicular to the last bits however near the origin is.
 *
 * Nearest points: Ericson, Real-Time Collision Detection (2005), §5.1.5 and §5.1.9. Nothing here has to be right for
 * the answer of ccd.c to be right: a bad direction only proves less. */
#include "contact/ccd/ccd_view.h"
#include "contact/params.h"

#include <float.h>

/* In units of 2^-53: an interpolated coordinate is off by 4 (two of the difference of inputs and of 1 − t, two of
 * product and sum), its three products and two sums by 3 more, the sum of two of them by 1, this bound itself by 2. */
static const double unit_noise = 12 * (DBL_EPSILON / 2);

/* ---- motion ------------------------------------------------------------------------------------------------------ */

static void measure_motion(ccd_motion *m)
{
    vec3 most = v3_zero();
    for (int i = 0; i < m->n; i++) {
        most.x = max_of(most.x, max_of(fabs(m->w0[i].x), fabs(m->w1[i].x)));
        most.y = max_of(most.y, max_of(fabs(m->w0[i].y), fabs(m->w1[i].y)));
        most.z = max_of(most.z, max_of(fabs(m->w0[i].z), fabs(m->w1[i].z)));
    }
    m->most = most;
    m->size = max_of(most.x, max_of(most.y, most.z));
}

void ccd_motion_of_vertex_triangle(const vec3 x0[4], const vec3 x1[4], double thickness, ccd_motion *out)
{
    out->n = 3;
    out->thickness = thickness;
    for (int i = 0; i < 3; i++) {
        out->w0[i] = v3_sub(x0[0], x0[1 + i]);
        out->w1[i] = v3_sub(x1[0], x1[1 + i]);
    }
    measure_motion(out);
}

void ccd_motion_of_edge_edge(const vec3 x0[4], const vec3 x1[4], double thickness, ccd_motion *out)
{
    static const int first[4] = {0, 1, 1, 0}, second[4] = {2, 2, 3, 3};
    out->n = 4;
    out->thickness = thickness;
    for (int i = 0; i < 4; i++) {
        out->w0[i] = v3_sub(x0[first[i]], x0[second[i]]);
        out->w1[i] = v3_sub(x1[first[i]], x1[second[i]]);
    }
    measure_motion(out);
}

/* ---- the nearest point ------------------------------------------------------------------------------------------- */

static double clamp_parameter(double x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

static void nearest_of_square(vec3 w, vec3 u, vec3 v, double *s, double *r)
{
    double a = v3_dot(u, u), b = v3_dot(u, v), e = v3_dot(v, v), c = v3_dot(u, w), f = v3_dot(v, w);
    double det = a * e - b * b;
    double s0 = det > 0 ? clamp_parameter((b * f - c * e) / det) : 0;
    double r0 = e > 0 ? -(b * s0 + f) / e : 0;
    if (r0 < 0 || r0 > 1) {
        r0 = clamp_parameter(r0);
        s0 = a > 0 ? clamp_parameter(-(b * r0 + c) / a) : 0;
    }
    *s = s0;
    *r = r0;
}

static void nearest_of_triangle(vec3 w, vec3 u, vec3 v, double *s, double *r)
{
    /* Of w, w + u and w + v, seen along u and v. */
    double d1 = -v3_dot(u, w), d2 = -v3_dot(v, w);
    double a = v3_dot(u, u), b = v3_dot(u, v), e = v3_dot(v, v);
    double d3 = d1 - a, d4 = d2 - b, d5 = d1 - b, d6 = d2 - e;
    double along_u = d1 * d4 - d3 * d2, along_v = d5 * d2 - d1 * d6, across = d3 * d6 - d5 * d4;
    *s = *r = 0;
    if (d1 <= 0 && d2 <= 0)
        return;
    if (d3 >= 0 && d4 <= d3) {
        *s = 1;
    } else if (along_u <= 0 && d1 >= 0 && d3 <= 0) {
        *s = d1 / (d1 - d3);
    } else if (d6 >= 0 && d5 <= d6) {
        *r = 1;
    } else if (along_v <= 0 && d2 >= 0 && d6 <= 0) {
        *r = d2 / (d2 - d6);
    } else if (across <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        *r = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        *s = 1 - *r;
    } else {
        double sum = across + along_v + along_u;
        *s = clamp_parameter(along_v / sum);
        *r = clamp_parameter(along_u / sum);
    }
}

/* ---- directions -------------------------------------------------------------------------------------------------- */

/* Of length 1 within a few roundings, or 0; also of vectors whose squares are out of range. */
static vec3 unit_or_zero(vec3 a)
{
    double m = v3_max_abs(a);
    if (!(m > 0 && m <= DBL_MAX))
        return v3_zero();
    if (m < 1e-140 || m > 1e140)
        a = m < DBL_MIN ? v3_scale(1 / DBL_MIN, a) : v3_scale(1 / m, a);
    double l = v3_len(a);
    return l > 0 ? v3_scale(1 / l, a) : v3_zero();
}

static void keep_better(ccd_view *view, int n, vec3 direction)
{
    vec3 unit = unit_or_zero(direction);
    double gap = ccd_least_dot(view->w, n, unit);
    if (gap > view->gap) {
        view->gap = gap;
        view->n = unit;
    }
}

static bool is_inside(const ccd_view *view, int n)
{
    return view->s > 0 && view->r > 0 && (n == 3 ? view->s + view->r < 1 : view->s < 1 && view->r < 1);
}

/* The best of what the plane, the edges and the corners suggest. */
static void try_all_directions(ccd_view *view, int n)
{
    const vec3 *w = view->w;
    vec3 e[4];
    for (int i = 0; i < n; i++)
        e[i] = unit_or_zero(v3_sub(w[i + 1 < n ? i + 1 : 0], w[i]));
    vec3 normal = v3_cross(e[0], e[n - 1]);
    keep_better(view, n, v3_dot(normal, w[0]) < 0 ? v3_neg(normal) : normal);
    if (is_inside(view, n) && view->gap > 0)
        return;
    for (int i = 0; i < n; i++) {
        const vec3 *next = &w[i + 1 < n ? i + 1 : 0];
        vec3 from = v3_max_abs(w[i]) < v3_max_abs(*next) ? w[i] : *next;
        keep_better(view, n, v3_cross(v3_cross(e[i], from), e[i]));
        keep_better(view, n, w[i]);
    }
}

static double length_bound(vec3 a)
{
    return v3_len(a) * (1 + 8 * DBL_EPSILON);
}

void ccd_view_take(const ccd_motion *m, double t, ccd_view *out)
{
    int n = m->n;
    double rest = 1 - t;
    for (int i = 0; i < n; i++)
        out->w[i] = (vec3){rest * m->w0[i].x + t * m->w1[i].x, rest * m->w0[i].y + t * m->w1[i].y,
                           rest * m->w0[i].z + t * m->w1[i].z};
    vec3 w = out->w[0], u = v3_sub(out->w[1], w), v = v3_sub(out->w[n - 1], w);
    if (n == 3)
        nearest_of_triangle(w, u, v, &out->s, &out->r);
    else
        nearest_of_square(w, u, v, &out->s, &out->r);
    vec3 nearest = v3_madd(v3_madd(w, out->s, u), out->r, v);
    double distance = v3_len(nearest);
    out->t = t;
    out->n = distance > 0 ? v3_scale(1 / distance, nearest) : v3_zero();
    out->gap = ccd_least_dot(out->w, n, out->n);
    if (!(distance > CCD_NEAR_PART * m->size && out->gap > 0.5 * distance)) {
        out->gap = out->gap > -DBL_MAX ? out->gap : -DBL_MAX;
        try_all_directions(out, n);
    }
    vec3 d = out->n;
    out->noise = unit_noise * (fabs(d.x) * m->most.x + fabs(d.y) * m->most.y + fabs(d.z) * m->most.z) + DBL_MIN;
    out->margin = m->thickness > 0 ? m->thickness * length_bound(d) + out->noise : out->noise;
}
