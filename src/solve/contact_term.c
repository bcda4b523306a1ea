/* SPDX-License-Identifier: MIT */
/* Energy, gradient and Hessian of one contact; contact_term.h has the formulas. */
#include "solve/contact_term.h"

static vec3 contact_point(const contact_term *c, const vec3 *x)
{
    vec3 p = v3_zero();
    for (int i = 0; i < c->n; i++)
        p = v3_madd(p, c->w[i], x[c->node[i]]);
    return p;
}

double contact_depth(const contact_term *c, const vec3 *x)
{
    return c->reach + c->radius - v3_dot(c->normal, contact_point(c, x));
}

static double spring_force(const contact_term *c, double s)
{
    if (s <= 0)
        return 0;
    return s < c->radius ? c->k * s * s / c->radius : c->k * (2 * s - c->radius);
}

/* The depth at which spring and damper cancel: the root of k s²/w + D (s − past) = 0, or of its straight
 * continuation. */
static double idle_depth(const contact_term *c)
{
    double w = c->radius, d = c->drag, k = c->k;
    if (c->past <= 0 || d <= 0)
        return 0;
    double s = 2 * d * c->past / (d + sqrt(d * d + 4 * k * d * c->past / w));
    return s < w ? s : (k * w + d * c->past) / (2 * k + d);
}

static double force_at(const contact_term *c, double s)
{
    return s <= 0 ? 0 : max_of(0.0, spring_force(c, s) + c->drag * (s - c->past));
}

double contact_force(const contact_term *c, const vec3 *x)
{
    return force_at(c, contact_depth(c, x));
}

static double slope_at(const contact_term *c, double s)
{
    return s > c->idle ? 2 * c->k * min_of(1.0, s / c->radius) + c->drag : 0;
}

double contact_reckoned(const contact_term *c, double from, const vec3 *x)
{
    return max_of(0.0, force_at(c, from) + slope_at(c, from) * (contact_depth(c, x) - from));
}

/* An integral of spring_force + drag (s − past). */
static double primitive(const contact_term *c, double s)
{
    double w = c->radius, over = s - w, d = s - c->past;
    double spring = s < w ? c->k * s * s * s / (3 * w) : c->k * (w * w / 3 + w * over + over * over);
    return spring + 0.5 * c->drag * d * d;
}

void contact_ready(contact_term *c)
{
    c->idle = idle_depth(c);
    c->base = primitive(c, c->idle);
}

static vec3 tangential(const contact_term *c, vec3 p)
{
    vec3 u = v3_sub(p, c->anchor);
    return v3_madd(u, -v3_dot(u, c->normal), c->normal);
}

vec3 contact_way(const contact_term *c, const vec3 *x)
{
    return tangential(c, contact_point(c, x));
}

/* How much of the secant friction lacks along the way that it slides (CONTACT_SECANT). */
static double along_way(const contact_term *c, double l)
{
    return c->slack == 0 ? 1 : c->owner < 0 ? CONTACT_SECANT : 1 - CONTACT_SECANT * c->slack / l;
}

static double friction_eval(const contact_term *c, vec3 p, vec3 *g, mat3 *h)
{
    double cone = c->friction * c->force;
    if (!(cone > 0))
        return 0;
    vec3 u = tangential(c, p);
    double l = v3_len(u);
    bool slides = c->slack > 0 ? l > c->slack : c->slides && l > 0;
    double secant = slides ? cone / l : contact_stick(c, cone);
    if (g)
        *g = v3_madd(*g, secant, u);
    if (h) {
        *h = m3_madd(*h, secant, m3_project_out(c->normal));
        if (slides)
            *h = m3_madd(*h, -along_way(c, l) * secant / (l * l), m3_outer(u, u));
    }
    return slides ? cone * (l - 0.5 * c->slack) : 0.5 * secant * l * l;
}

double contact_eval(const contact_term *c, const vec3 *x, vec3 *g, mat3 *h)
{
    vec3 p = contact_point(c, x);
    double s = c->reach + c->radius - v3_dot(c->normal, p), e = 0;
    if (g)
        *g = v3_zero();
    if (h)
        *h = m3_zero();
    if (s > c->idle) {
        e = primitive(c, s) - c->base;
        if (g)
            *g = v3_scale(-force_at(c, s), c->normal);
        if (h)
            *h = m3_scale(slope_at(c, s), m3_outer(c->normal, c->normal));
    }
    return e + friction_eval(c, p, g, h);
}

double contact_resting_force(const contact_term *c)
{
    return spring_force(c, c->past);
}

vec3 contact_friction_ratio(const contact_term *c, double force, const vec3 *x)
{
    double cone = c->friction * force;
    vec3 u = contact_way(c, x);
    double stick = contact_stick(c, cone), l = stick * v3_len(u);
    if (!(cone > 0) || l == 0)
        return v3_zero();
    return v3_scale(l > cone ? stick / l : stick / cone, u);
}
