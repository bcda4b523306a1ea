/* SPDX-License-Identifier: MIT */
/* Signed distances of the solids, their support functions, and the way of a point towards them. */
#include "contact/collider/shape.h"

/* Squares of shorter lengths would lose digits to underflow. */
#define SHAPE_TINY 1e-140

static shape_near sphere_distance(double r, vec3 x)
{
    double d = v3_len(x);
    return (shape_near){d - r, d > SHAPE_TINY ? v3_scale(1.0 / d, x) : v3(0, 1, 0)};
}

/* On the axis any direction across it is a limit of gradients; +x is the fixed one. */
static shape_near capsule_distance(double r, double h, vec3 x)
{
    vec3 w = v3(x.x, x.y > h ? x.y - h : x.y < -h ? x.y + h : 0, x.z);
    double d = v3_len(w);
    return (shape_near){d - r, d > SHAPE_TINY ? v3_scale(1.0 / d, w) : v3(1, 0, 0)};
}

static shape_near cylinder_distance(double r, double h, vec3 x)
{
    double rho = sqrt(x.x * x.x + x.z * x.z), side = rho - r, cap = fabs(x.y) - h;
    vec3 u = rho > SHAPE_TINY ? v3(x.x / rho, 0, x.z / rho) : v3(1, 0, 0);
    double up = x.y < 0 ? -1 : 1;
    if (side > 0 && cap > 0) {
        double d = sqrt(side * side + cap * cap);
        if (d > SHAPE_TINY)
            return (shape_near){d, v3(side / d * u.x, cap / d * up, side / d * u.z)};
    }
    return side > cap ? (shape_near){side, u} : (shape_near){cap, v3(0, up, 0)};
}

static shape_near box_distance(vec3 h, vec3 x)
{
    vec3 q = v3(fabs(x.x) - h.x, fabs(x.y) - h.y, fabs(x.z) - h.z);
    vec3 o = v3(q.x > 0 ? q.x : 0, q.y > 0 ? q.y : 0, q.z > 0 ? q.z : 0);
    vec3 sign = v3(x.x < 0 ? -1 : 1, x.y < 0 ? -1 : 1, x.z < 0 ? -1 : 1);
    int n_out = (q.x > 0) + (q.y > 0) + (q.z > 0);
    if (n_out > 1) {
        double d = v3_len(o);
        if (d > SHAPE_TINY)
            return (shape_near){d, v3(o.x / d * sign.x, o.y / d * sign.y, o.z / d * sign.z)};
    }
    if (q.x >= q.y && q.x >= q.z)
        return (shape_near){q.x, v3(sign.x, 0, 0)};
    return q.y >= q.z ? (shape_near){q.y, v3(0, sign.y, 0)} : (shape_near){q.z, v3(0, 0, sign.z)};
}

shape_near shape_distance(const shape *s, vec3 x)
{
    switch (s->kind) {
    case SHAPE_SPHERE: return sphere_distance(s->radius, x);
    case SHAPE_CAPSULE: return capsule_distance(s->radius, s->half_height, x);
    case SHAPE_CYLINDER: return cylinder_distance(s->radius, s->half_height, x);
    case SHAPE_BOX: return box_distance(s->half, x);
    case SHAPE_PLANE: break;
    }
    return (shape_near){x.y, v3(0, 1, 0)};
}

double shape_support(const shape *s, vec3 n)
{
    switch (s->kind) {
    case SHAPE_SPHERE: return s->radius;
    case SHAPE_CAPSULE: return s->radius + s->half_height * fabs(n.y);
    case SHAPE_CYLINDER: return s->radius * sqrt(n.x * n.x + n.z * n.z) + s->half_height * fabs(n.y);
    case SHAPE_BOX: return s->half.x * fabs(n.x) + s->half.y * fabs(n.y) + s->half.z * fabs(n.z);
    case SHAPE_PLANE: break;
    }
    return 0;
}

double shape_size(const shape *s)
{
    switch (s->kind) {
    case SHAPE_SPHERE: return s->radius;
    case SHAPE_CAPSULE: return s->radius + s->half_height;
    case SHAPE_CYLINDER: return max_of(s->radius, s->half_height);
    case SHAPE_BOX: return v3_max_abs(s->half);
    case SHAPE_PLANE: break;
    }
    return 0;
}

/* Newton from the left on f(t) = distance − margin: f is convex, so every tangent lies below it, its root is never past
 * the true one, and a tangent that stays positive up to t = 1 proves that there is no hit. Grazing ways converge
 * linearly (the excess quarters), hence the count; a way that uses it up counts as a hit where it stands, which is
 * early, hence safe. */
bool shape_path(const shape *s, double margin, vec3 a, vec3 b, double *t, vec3 *normal)
{
    vec3 d = v3_sub(b, a);
    double slack = 1e-13 * (fabs(margin) + shape_size(s) + v3_max_abs(a) + v3_max_abs(b));
    double at = 0;
    for (int k = 0; k < 64; k++) {
        shape_near near = shape_distance(s, v3_madd(a, at, d));
        double f = near.distance - margin, slope = v3_dot(near.normal, d);
        *t = at;
        if (slope < 0 || k == 0) /* rounding may land on the far side of a solid without thickness */
            *normal = near.normal;
        if (at == 0 && f <= 0)
            return slope < 0;
        if (f <= slack)
            return at > 0 || slope < 0;
        if (slope >= 0 || at >= 1 || f + slope * (1 - at) > slack)
            return false;
        at = min_of(at - f / slope, 1.0);
    }
    return true;
}
