/* SPDX-License-Identifier: MIT */
/* The deepest point of a triangle in a convex solid C, with proof.
 *
 * Every unit vector n gives a bound: sd(y) ≥ n·y − h(n), h the support function of C; a convex mixture of such planes
 * is again a bound, linear on the triangle, so its least corner value is a lower bound of the minimum. A candidate
 * point p gives the upper bound sd(p). The search ends when the two meet.
 *
 * The minimum lies at a corner, inside an edge, or it is the minimum over the triangle's whole plane. So:
 *   1. corners: the distances there;
 *   2. edges: a convex function of one variable, by its derivative;
 *   3. plane, outside C: the normal is ±m, the point is the projection of the point of C that reaches farthest;
 *   4. plane, through a cylinder: both gradients that balance there lie in the plane of m and the axis, so the point is
 *      on the chord in which that plane through the axis meets the triangle: again one variable;
 *   5. else cutting planes (Kelley): try the least point of the bounds so far (envelope.h), which adds a plane. For the
 *      inside of a box this is exact after a few planes; elsewhere it mends what rounding spoilt in 2 to 4.
 * Spheres and capsules are a point or a segment grown by a radius: closed forms, proven by their one normal; only if
 * that fails (a centre within a micrometre or so of the triangle, slivers) they go the way of the others. */
#include "contact/collider/envelope.h"
#include "contact/collider/shape.h"
#include "contact/params.h"

#include <float.h>

/* fmin and fmax are calls unless NaNs may be mistreated. */
static double smaller(double a, double b)
{
    return b < a ? b : a;
}

static double larger(double a, double b)
{
    return b > a ? b : a;
}

static double clamp_between(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

typedef struct search {
    const shape *s;
    const vec3 *x;
    shape_near corner[3];
    double goal;
    shape_deepest best;
    envelope env;
} search;

static vec3 point_of_weights(const vec3 x[3], const double b[3])
{
    return v3_add(v3_scale(b[0], x[0]), v3_madd(v3_scale(b[1], x[1]), b[2], x[2]));
}

static void keep_deeper(shape_deepest *best, shape_near near, double b0, double b1, double b2)
{
    if (near.distance < best->distance) {
        best->distance = near.distance;
        best->normal = near.normal;
        best->b[0] = b0;
        best->b[1] = b1;
        best->b[2] = b2;
    }
}

static void plane_row(const search *q, vec3 n, double row[3])
{
    double h = shape_support(q->s, n);
    for (int v = 0; v < 3; v++)
        row[v] = v3_dot(n, q->x[v]) - h;
}

static void add_plane(search *q, vec3 n)
{
    double row[3];
    plane_row(q, n, row);
    envelope_add(&q->env, row);
}

/* A plane parallel to the triangle: a bound by itself, of no use in mixtures. */
static void add_floor(search *q, vec3 n)
{
    double row[3];
    plane_row(q, n, row);
    q->env.lower = larger(q->env.lower, smaller(row[0], smaller(row[1], row[2])));
}

static bool is_proven(const search *q)
{
    return q->best.distance - q->env.lower <= q->goal;
}

/* Weights from the plane's bounds may leave the triangle by rounding. */
static shape_near try_weights(search *q, const double w[3])
{
    double b[3], sum = 0;
    for (int v = 0; v < 3; v++) {
        b[v] = larger(w[v], 0);
        sum += b[v];
    }
    for (int v = 0; v < 3; v++)
        b[v] /= sum;
    shape_near near = shape_distance(q->s, point_of_weights(q->x, b));
    keep_deeper(&q->best, near, b[0], b[1], b[2]);
    return near;
}

/* The floor of the signed distance: minus the radius of the largest inscribed ball. */
static double shape_floor(const shape *s)
{
    switch (s->kind) {
    case SHAPE_CYLINDER: return -smaller(s->radius, s->half_height);
    case SHAPE_BOX: return -smaller(s->half.x, smaller(s->half.y, s->half.z));
    default: return -s->radius;
    }
}

/* ---- one variable ---- */

/* A point of the line from p to q by its weights, with the derivative along the line. */
typedef struct probe {
    double t;
    shape_near near;
    double slope;
} probe;

typedef struct line {
    vec3 from, way;
    double b0[3], b1[3]; /* weights of its ends */
} line;

static probe probe_at(const search *q, const line *l, double t)
{
    shape_near near = shape_distance(q->s, v3_madd(l->from, t, l->way));
    return (probe){t, near, v3_dot(near.normal, l->way)};
}

/* Where the tangents of both ends of the bracket cross, and the bound that is there. */
static double tangents_cross(const probe *lo, const probe *hi, double *t)
{
    double rise = hi->near.distance - lo->near.distance - hi->slope * (hi->t - lo->t);
    double step = clamp_between(rise / (lo->slope - hi->slope), 0, hi->t - lo->t);
    *t = lo->t + step;
    return lo->near.distance + lo->slope * step;
}

/* Turns the crossing of tangents (exact at kinks) and the zero of the slope's secant (fast where it is smooth).
 * Needs lo->slope < 0 < hi->slope. Both ends close in on the minimum, or one of them gets there. */
static void close_in(const search *q, const line *l, probe *lo, probe *hi)
{
    for (int k = 0; k < DEEPEST_LINE_STEPS; k++) {
        double t, bound = tangents_cross(lo, hi, &t);
        double least = smaller(lo->near.distance, hi->near.distance);
        if (!(least - bound > 0.25 * q->goal) || least < bound)
            return;
        if (k % 2)
            t = lo->t + (hi->t - lo->t) * (lo->slope / (lo->slope - hi->slope));
        if (!(t > lo->t && t < hi->t))
            return;
        probe mid = probe_at(q, l, t);
        *(mid.slope < 0 ? lo : hi) = mid;
    }
}

static void keep_probe(search *q, const line *l, const probe *p)
{
    double t = p->t, b[3];
    for (int v = 0; v < 3; v++)
        b[v] = (1 - t) * l->b0[v] + t * l->b1[v];
    keep_deeper(&q->best, p->near, b[0], b[1], b[2]);
    add_plane(q, p->near.normal);
}

/* The least point of a line and the planes that prove it. */
static void search_line(search *q, const line *l, shape_near at0, shape_near at1)
{
    probe lo = {0, at0, v3_dot(at0.normal, l->way)}, hi = {1, at1, v3_dot(at1.normal, l->way)};
    double t;
    if (!(lo.slope < 0 && hi.slope > 0) || tangents_cross(&lo, &hi, &t) > q->best.distance - q->goal)
        return; /* an end is the least point, or the line cannot improve on what is known */
    close_in(q, l, &lo, &hi);
    keep_probe(q, l, &lo);
    keep_probe(q, l, &hi);
}

static void search_edges(search *q)
{
    for (int i = 0; i < 3 && !is_proven(q); i++) {
        int j = (i + 1) % 3;
        line l = {q->x[i], v3_sub(q->x[j], q->x[i]), {0, 0, 0}, {0, 0, 0}};
        l.b0[i] = 1;
        l.b1[j] = 1;
        search_line(q, &l, q->corner[i], q->corner[j]);
    }
}

/* The chord where w·y = 0 crosses the triangle. */
static void search_chord(search *q, vec3 w)
{
    double side[3], ends[2][3];
    int n = 0;
    for (int v = 0; v < 3; v++)
        side[v] = v3_dot(w, q->x[v]);
    for (int i = 0; i < 3 && n < 2; i++) {
        int j = (i + 1) % 3;
        if ((side[i] < 0) == (side[j] < 0))
            continue;
        double t = side[i] / (side[i] - side[j]);
        ends[n][i] = 1 - t;
        ends[n][j] = t;
        ends[n++][(i + 2) % 3] = 0;
    }
    if (n < 2)
        return;
    vec3 from = point_of_weights(q->x, ends[0]), to = point_of_weights(q->x, ends[1]);
    line l = {from, v3_sub(to, from), {ends[0][0], ends[0][1], ends[0][2]}, {ends[1][0], ends[1][1], ends[1][2]}};
    search_line(q, &l, try_weights(q, ends[0]), try_weights(q, ends[1]));
}

/* ---- the plane of the triangle ---- */

/* Weights of the projection of y into the plane; false if it is outside the triangle, which may have no area. */
static bool project_into(const vec3 x[3], vec3 y, double b[3])
{
    vec3 d1 = v3_sub(x[1], x[0]), d2 = v3_sub(x[2], x[0]), r = v3_sub(y, x[0]);
    double d11 = v3_dot(d1, d1), d12 = v3_dot(d1, d2), d22 = v3_dot(d2, d2);
    double r1 = v3_dot(r, d1), r2 = v3_dot(r, d2);
    double scale = 1 / (d11 * d22 - d12 * d12);
    b[1] = (d22 * r1 - d12 * r2) * scale;
    b[2] = (d11 * r2 - d12 * r1) * scale;
    b[0] = 1 - b[1] - b[2];
    return b[0] >= 0 && b[1] >= 0 && b[2] >= 0;
}

static double end_toward(double n, double h)
{
    return n < 0 ? -h : h;
}

/* A point of the solid that reaches farthest along n. */
static vec3 support_point(const shape *s, vec3 n)
{
    if (s->kind == SHAPE_BOX)
        return v3(end_toward(n.x, s->half.x), end_toward(n.y, s->half.y), end_toward(n.z, s->half.z));
    vec3 along = v3(0, s->kind == SHAPE_SPHERE ? 0 : end_toward(n.y, s->half_height), 0);
    if (s->kind == SHAPE_CYLINDER)
        n = v3_unit_or(v3(n.x, 0, n.z), v3_zero());
    return v3_madd(along, s->radius, n);
}

static vec3 area_vector(const vec3 x[3])
{
    return v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
}

static void search_plane(search *q)
{
    vec3 n = v3_unit_or(area_vector(q->x), v3_zero());
    if (v3_len_sq(n) == 0)
        return;
    if (v3_dot(n, q->x[0]) < 0)
        n = v3_neg(n);
    double b[3];
    add_floor(q, n);
    if (v3_dot(n, q->x[0]) >= shape_support(q->s, n)) {
        if (project_into(q->x, support_point(q->s, n), b))
            try_weights(q, b);
    } else if (q->s->kind == SHAPE_CYLINDER) {
        vec3 u = v3_unit_or(v3(n.x, 0, n.z), v3(1, 0, 0));
        add_plane(q, u);
        add_plane(q, v3_neg(u));
        search_chord(q, v3(-u.z, 0, u.x));
    }
}

/* ---- the search ---- */

static void search_start(search *q)
{
    int low = 0;
    for (int v = 1; v < 3; v++)
        if (q->corner[v].distance < q->corner[low].distance)
            low = v;
    keep_deeper(&q->best, q->corner[low], low == 0, low == 1, low == 2);
    double row[3];
    plane_row(q, q->corner[low].normal, row);
    envelope_init(&q->env, row, 0.1 * q->goal, shape_floor(q->s));
    for (int v = 0; v < 3 && !is_proven(q); v++)
        if (v != low)
            add_plane(q, q->corner[v].normal);
}

static void search_by_cuts(search *q)
{
    for (int k = 0; k < DEEPEST_CUTS && !is_proven(q); k++) {
        shape_near near = try_weights(q, q->env.b);
        if (near.distance - q->env.t <= q->env.slack)
            return;
        add_plane(q, near.normal);
    }
}

/* best: what is known so far. */
static shape_deepest search_triangle(const shape *s, const vec3 x[3], double error, shape_deepest best)
{
    search q;
    q.s = s;
    q.x = x;
    q.goal = larger(DEEPEST_GAP, 30 * error);
    q.best = best;
    for (int v = 0; v < 3; v++)
        q.corner[v] = shape_distance(s, x[v]);
    search_start(&q);
    if (!is_proven(&q))
        search_edges(&q);
    if (!is_proven(&q))
        search_plane(&q);
    search_by_cuts(&q);
    q.best.lower = smaller(q.env.lower - error, q.best.distance);
    return q.best;
}

/* Rounding of n·x − h(n) and of mixtures of it: n, x and h each carry a few units in the last place. */
static double plane_error(const shape *s, const vec3 x[3])
{
    double sum = 0;
    for (int v = 0; v < 3; v++)
        sum += fabs(x[v].x) + fabs(x[v].y) + fabs(x[v].z);
    return 8 * DBL_EPSILON * (sum + 2 * shape_size(s));
}

/* ---- closed forms ---- */

static shape_deepest lowest_corner(const vec3 x[3])
{
    int low = x[1].y < x[0].y ? 1 : 0;
    low = x[2].y < x[low].y ? 2 : low;
    return (shape_deepest){x[low].y, {low == 0, low == 1, low == 2}, {0, 1, 0}, x[low].y};
}

static double clamped_ratio(double a, double b)
{
    return b > 0 ? clamp_between(a / b, 0, 1) : 0;
}

/* Parameter of the point of a + t d nearest to the core, the segment |y| ≤ h of the axis. The nearest point to the
 * whole axis serves if it lies between the ends; if not, the distance to the end it passes is what counts from there to
 * the minimum. */
static double edge_to_core(double h, vec3 a, vec3 d)
{
    double flat = d.x * d.x + d.z * d.z, dot = a.x * d.x + a.z * d.z;
    double t = clamped_ratio(-dot, flat), y = a.y + t * d.y;
    if (fabs(y) <= h)
        return t;
    return clamped_ratio(-dot - (a.y - end_toward(y, h)) * d.y, flat + d.y * d.y);
}

/* The point of the core nearest to the plane of the triangle: where it goes through, or an end. */
static vec3 core_to_plane(double h, const vec3 x[3])
{
    vec3 m = area_vector(x);
    double off = v3_dot(m, x[0]), reach = fabs(m.y) * h;
    if (fabs(off) < reach)
        return v3(0, off / m.y, 0);
    return v3(0, off * m.y < 0 ? -h : h, 0);
}

/* Weights of the point of the boundary nearest to the core. A single point's nearest edge is one that it lies beyond
 * (weight b of the other corner not positive); a segment's can be any. */
static void core_to_edges(double h, const vec3 x[3], bool point, double b[3])
{
    double least = DBL_MAX, beyond[3] = {b[2], b[0], b[1]};
    for (int i = 0; i < 3; i++) {
        if (point && beyond[i] > 0)
            continue;
        int j = (i + 1) % 3;
        vec3 d = v3_sub(x[j], x[i]);
        double t = edge_to_core(h, x[i], d);
        vec3 p = v3_madd(x[i], t, d);
        p.y -= clamp_between(p.y, -h, h);
        if (v3_len_sq(p) < least) {
            least = v3_len_sq(p);
            b[i] = 1 - t;
            b[j] = t;
            b[(i + 2) % 3] = 0;
        }
    }
}

/* Sphere and capsule. */
static shape_deepest round_triangle(const shape *s, const vec3 x[3])
{
    bool point = s->kind == SHAPE_SPHERE;
    double h = point ? 0 : s->half_height, b[3];
    if (!project_into(x, point ? v3_zero() : core_to_plane(h, x), b))
        core_to_edges(h, x, point, b);
    shape_near near = shape_distance(s, point_of_weights(x, b));
    vec3 n = near.normal;
    double error = plane_error(s, x), low = smaller(smaller(v3_dot(n, x[0]), v3_dot(n, x[1])), v3_dot(n, x[2]));
    double lower = smaller(larger(low - shape_support(s, n) - error, -s->radius), near.distance);
    shape_deepest best = {near.distance, {b[0], b[1], b[2]}, n, lower};
    return best.distance - best.lower <= DEEPEST_GAP + error ? best : search_triangle(s, x, error, best);
}

shape_deepest shape_triangle(const shape *s, const vec3 x[3])
{
    if (s->kind == SHAPE_PLANE)
        return lowest_corner(x);
    if (s->kind == SHAPE_SPHERE || s->kind == SHAPE_CAPSULE)
        return round_triangle(s, x);
    return search_triangle(s, x, plane_error(s, x), (shape_deepest){.distance = DBL_MAX});
}
