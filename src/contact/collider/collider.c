/* SPDX-License-Identifier: MIT */
/* A convex solid that moves during a step, seen by points and triangles of the cloth. All questions are asked in the
 * frame of the solid: there it stands still, and a point goes straight from where the start's pose puts it to where the
 * end's pose does. As solids are convex, the half-space at the place of first touch, or at the nearest point, keeps a
 * node out of all of it (collider_keep_out). collider_bound is a cheap proof that a triangle is far from a sphere. */
#include "contact/collider/collider.h"

/* More than rounding may change in n·y, n = a × b, over |y| (a² + b²): each component of n is wrong by 2 · 2⁻⁵³ times
 * |a| |b| and by half of that again for the differences, and there are three. */
#define COLLIDER_BOUND_ROUNDING 1e-14

/* Without the normal, which costs the most for the two kinds that are the most usual. */
static double distance_alone(const shape *s, vec3 y)
{
    switch (s->kind) {
    case SHAPE_SPHERE: return v3_len(y) - s->radius;
    case SHAPE_PLANE: return y.y;
    default: return shape_distance(s, y).distance;
    }
}

double collider_distance(const collider *c, vec3 x)
{
    return distance_alone(&c->shape, pose_unapply(&c->to, x));
}

/* The distance to a centre grows from corner i of a triangle along its sides, so everywhere. */
static bool is_nearest(const vec3 x[3], const double from_centre[3], int i)
{
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double here = from_centre[i] * from_centre[i];
    return from_centre[j] * from_centre[j] - here >= v3_len_sq(v3_sub(x[j], x[i])) &&
           from_centre[k] * from_centre[k] - here >= v3_len_sq(v3_sub(x[k], x[i]));
}

double collider_bound(const collider *c, const vec3 x[3], const double distance[3])
{
    double r = c->shape.radius;
    if (c->shape.kind != SHAPE_SPHERE)
        return -HUGE_VAL;
    const double from_centre[3] = {distance[0] + r, distance[1] + r, distance[2] + r};
    int least = distance[1] < distance[0] ? 1 : 0;
    least = distance[2] < distance[least] ? 2 : least;
    if (is_nearest(x, from_centre, least))
        return distance[least];
    vec3 y = v3_sub(x[0], c->to.p), a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), n = v3_cross(a, b);
    double area_sq = v3_len_sq(n), wrong = COLLIDER_BOUND_ROUNDING * v3_max_abs(y) * (v3_len_sq(a) + v3_len_sq(b));
    double along = fabs(v3_dot(n, y)) - wrong;
    return area_sq > 0 && along > 0 ? along / sqrt(area_sq) - r : -HUGE_VAL;
}

shape_deepest collider_deepest(const collider *c, const vec3 x[3])
{
    vec3 y[3];
    for (int i = 0; i < 3; i++)
        y[i] = pose_unapply(&c->to, x[i]);
    shape_deepest d = shape_triangle(&c->shape, y);
    d.normal = m3_mul_v(c->to.r, d.normal);
    return d;
}

bool collider_keep_out(const collider *c, double margin, double radius, vec3 x0, vec3 x1, half_space *out)
{
    vec3 a = pose_unapply(&c->from, x0), b = pose_unapply(&c->to, x1);
    double far = distance_alone(&c->shape, b) - margin;
    if (far > max_of(radius, 0.0) && far * far > v3_len_sq(v3_sub(b, a))) /* what is below comes to the same */
        return false;
    shape_near end = shape_distance(&c->shape, b);
    double way = v3_len(v3_sub(b, a)), t = 0;
    vec3 n = end.normal, at = b;
    double gap = end.distance - margin;
    /* Signed distance changes by at most the way gone: no touch if the two ends are farther than that together. */
    bool passes = gap < way && shape_distance(&c->shape, a).distance - margin + gap < way;
    if (passes && shape_path(&c->shape, margin, a, b, &t, &n)) {
        at = v3_madd(a, t, v3_sub(b, a));
        gap = min_of(0.0, shape_distance(&c->shape, at).distance - margin);
    } else if (gap > radius) {
        return false;
    } else {
        n = end.normal;
    }
    out->normal = m3_mul_v(c->to.r, n);
    out->reach = v3_dot(out->normal, pose_apply(&c->to, at)) - gap;
    return true;
}
