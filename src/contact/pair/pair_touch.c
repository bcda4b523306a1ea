/* SPDX-License-Identifier: MIT */
/* Blocks and sides of pairs; pair_touch.h has the rules. */
#include "contact/pair/pair_touch.h"

#include <string.h>

/* Below this part of the product of its sides a normal counts as none. */
#define PAIR_NORMAL_LEAST 1e-12

/* The normal of the corners' order. */
static vec3 unit_normal(const vec3 x[4], bool edges)
{
    vec3 a = v3_sub(x[edges ? 1 : 2], x[edges ? 0 : 1]), b = v3_sub(x[3], x[edges ? 2 : 1]), n = v3_cross(a, b);
    double l = v3_len_sq(n);
    return l > PAIR_NORMAL_LEAST * v3_len_sq(a) * v3_len_sq(b) ? v3_scale(1 / sqrt(l), n) : v3_zero();
}

static void corners_of(const vec3 *x, const contact_pair *p, vec3 out[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = x[p->node[i]];
}

static double height_of(const vec3 x[4], bool edges)
{
    return v3_dot(unit_normal(x, edges), v3_sub(x[0], x[edges ? 2 : 1]));
}

vec3 pair_normal(const vec3 *x, const contact_pair *p)
{
    vec3 at[4];
    corners_of(x, p, at);
    return unit_normal(at, p->edges);
}

double pair_height(const vec3 *x, const contact_pair *p)
{
    vec3 at[4];
    corners_of(x, p, at);
    return height_of(at, p->edges);
}

/* The part of `way` across an edge with direction e of squared length ee. */
static vec3 across(vec3 way, vec3 e, double ee)
{
    return v3_madd(way, -v3_dot(way, e) / ee, e);
}

/* How far a direction d, across an edge at p, points away from the triangle with the opposite corner o: the sine of the
 * angle by which it is beyond the triangle's normal. */
static double beyond(const vec3 *x, vec3 p, vec3 e, double ee, int32_t o, vec3 d)
{
    vec3 in = across(v3_sub(x[o], p), e, ee);
    double l = v3_len(in);
    return l > 0 ? -v3_dot(in, d) / l : 0;
}

static pair_touch at_gap(const gap *g, vec3 normal, double share, double damp)
{
    pair_touch t = {.normal = normal, .share = share, .damp = damp, .corner = -1};
    memcpy(t.w, g->w, sizeof t.w);
    return t;
}

/* The side of the triangle on which the closest point lies: 0 to 2; −1: a corner. */
static int closest_side(const gap *g)
{
    for (int k = 0; k < 3; k++)
        if (g->w[1 + k] != 0 && g->w[1 + (k + 1) % 3] != 0)
            return k;
    return -1;
}

static int closest_corner(const gap *g)
{
    return g->w[1] != 0 ? 0 : g->w[2] != 0 ? 1 : 2;
}

/* Smoothly from 0 at 0 to 1 at 1 and beyond. */
static double smooth_step(double t)
{
    t = max_of(0.0, min_of(t, 1.0));
    return t * t * (3 - 2 * t);
}

/* Of a vertex whose closest point is on side k: above a border, less the farther it is beside it, along the triangle's
 * normal n; above a ridge. */
static pair_touch touch_side(const vec3 *x, const contact_pair *p, const pair_sides *s, int k, vec3 n, const gap *g)
{
    int32_t a = p->node[1 + k], b = p->node[1 + (k + 1) % 3];
    vec3 e = v3_sub(x[b], x[a]);
    double ee = v3_len_sq(e), height = v3_dot(n, g->vector);
    if (!(ee > 0))
        return at_gap(g, n, 0, 0);
    if (s->beside[k] < 0) {
        double off = sqrt(max_of(0.0, g->distance * g->distance - height * height) / ee);
        return at_gap(g, n, 1 - smooth_step(off / PAIR_BESIDE_BORDER), 0);
    }
    bool above = height > 0 && beyond(x, x[a], e, ee, s->beside[k], g->vector) >= 0;
    return at_gap(g, above ? v3_scale(1 / g->distance, g->vector) : n, above ? 0.5 : 0, 0);
}

static pair_touch touch_triangle(const vec3 *x, const contact_pair *p, const pair_sides *s, const gap *g)
{
    vec3 at[4];
    corners_of(x, p, at);
    vec3 n = v3_scale(s->side, unit_normal(at, false));
    if (g->inside)
        return at_gap(g, n, v3_len_sq(n) > 0, 1);
    int k = closest_side(g);
    bool apart = g->distance > 0 && v3_dot(n, g->vector) > 0;
    if (k >= 0 && !s->hit)
        return touch_side(x, p, s, k, n, g);
    if (!apart && !s->hit)
        return at_gap(g, n, 0, 0);
    pair_touch t = at_gap(g, apart ? v3_scale(1 / g->distance, g->vector) : n, 1, 0);
    t.corner = k >= 0 || s->hit ? -1 : closest_corner(g);
    return t;
}

/* How much an edge (its first corner at p, direction e) is a ridge towards d: the lesser of the sines by which d is
 * beyond its two triangles. A border is one towards what is beyond it. */
static double ridge_of(const vec3 *x, vec3 p, vec3 e, const int32_t opposite[2], vec3 d)
{
    double ee = v3_len_sq(e), least = 1;
    for (int k = 0; k < 2 && ee > 0; k++)
        if (opposite[k] >= 0)
            least = min_of(least, beyond(x, p, e, ee, opposite[k], d));
    return least;
}

/* How much two edges, with a normal n from the second to the first, are ridges towards each other. What is a collider's
 * has to be one itself; of cloth one of the two, to which the other gives way. */
static double ridges_share(const vec3 *x, const vec3 at[4], const pair_sides *s, vec3 n)
{
    double first = ridge_of(x, at[0], v3_sub(at[1], at[0]), s->beside, v3_neg(n));
    double second = ridge_of(x, at[2], v3_sub(at[3], at[2]), s->beside + 2, n);
    double ridge = s->firm == PAIR_FIRM_FIRST ? first : s->firm == PAIR_FIRM_SECOND ? second : max_of(first, second);
    return smooth_step(ridge / PAIR_RIDGE) * smooth_step(1 + min_of(first, second) / PAIR_VALLEY);
}

/* And how much all of it counts. */
static void find_shares(const vec3 *x, const vec3 at[4], pair_sides *s, vec3 n, const gap *g)
{
    vec3 a = v3_sub(at[1], at[0]), b = v3_sub(at[3], at[2]);
    double sine = sqrt(v3_len_sq(v3_cross(a, b)) / (v3_len_sq(a) * v3_len_sq(b)));
    s->damp = ridges_share(x, at, s, n);
    s->share = s->damp * smooth_step(sine / PAIR_EDGE_SINE);
    for (int i = 0; i < 4; i++)
        s->share *= smooth_step(fabs(g->w[i]) / PAIR_EDGE_END);
}

static pair_touch touch_edges(const vec3 *x, const contact_pair *p, pair_sides *s, const gap *g)
{
    vec3 at[4];
    corners_of(x, p, at);
    vec3 n = v3_scale(s->side, unit_normal(at, true));
    if (!g->inside || v3_len_sq(n) == 0) /* nor where its side is not known */
        return at_gap(g, n, 0, 0);
    if (s->hit)
        return at_gap(g, n, 1, 1);
    if (s->share < 0)
        find_shares(x, at, s, n, g);
    return at_gap(g, n, s->share, s->damp);
}

pair_touch pair_touch_at(const vec3 *x, const contact_pair *p, pair_sides *s, const gap *g)
{
    return p->edges ? touch_edges(x, p, s, g) : touch_triangle(x, p, s, g);
}
