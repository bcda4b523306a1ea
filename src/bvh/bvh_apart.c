/* SPDX-License-Identifier: MIT */
/* Two edges of a contour, through the motion: apart, or with a common vertex and nothing else. bvh_simple.c says
 * why this is asked. */
#include "bvh/bvh_simple.h"

/* Whether f lies beyond e along (x, y), or e beyond f, by `least` at both times. */
static bool apart_along(const contour *c, const rim *e, const rim *f, double x, double y, double least)
{
    bool up = true, down = true;
    for (int k = 0; k < c->n_times; k++) {
        double e0 = x * e->tail.x[k] + y * e->tail.y[k], e1 = x * e->head.x[k] + y * e->head.y[k];
        double f0 = x * f->tail.x[k] + y * f->tail.y[k], f1 = x * f->head.x[k] + y * f->head.y[k];
        up = up && min_of(f0, f1) - max_of(e0, e1) > least;
        down = down && min_of(e0, e1) - max_of(f0, f1) > least;
    }
    return up || down;
}

/* Along (x, y) of any length. Without a thickness the margin may be too large, and no root is needed. */
static bool apart_across(const contour *c, const rim *e, const rim *f, double x, double y)
{
    if (c->thickness == 0)
        return apart_along(c, e, f, x, y, 2 * c->margin * (fabs(x) + fabs(y)));
    double length = sqrt(x * x + y * y);
    return length > 0 && apart_along(c, e, f, x / length, y / length, c->thickness + 2 * c->margin);
}

/* Edges without a common vertex. Of two segments that are disjoint at one time, the normal of one, or the line through
 * both, tells it; the line between the middles tells of distance. */
bool contour_strangers_apart(const contour *c, const rim *e, const rim *f)
{
    double least = c->thickness + 2 * c->margin;
    if (apart_along(c, e, f, 1, 0, least) || apart_along(c, e, f, 0, 1, least))
        return true;
    for (int k = 0; k < c->n_times; k++)
        if (apart_across(c, e, f, e->tail.y[k] - e->head.y[k], e->head.x[k] - e->tail.x[k]) ||
            apart_across(c, e, f, f->tail.y[k] - f->head.y[k], f->head.x[k] - f->tail.x[k]))
            return true;
    double x = f->tail.x[0] + f->head.x[0] - e->tail.x[0] - e->head.x[0];
    double y = f->tail.y[0] + f->head.y[0] - e->tail.y[0] - e->head.y[0];
    return apart_across(c, e, f, x, y);
}

/* Whether two rays from one point never fall together: their cross product keeps its sign, or they look apart. */
static bool rays_apart(const contour *c, const spot *r, const spot *s)
{
    double least = 8 * c->margin * (spot_extent(r) + spot_extent(s));
    if (turns_left(c, r, s, least) || turns_left(c, s, r, least))
        return true;
    if (!(dot_at(r, 0, s, 0) < -least))
        return false;
    return c->n_times == 1 || (dot_at(r, 1, s, 1) < -least && dot_at(r, 0, s, 1) + dot_at(r, 1, s, 0) < -2 * least);
}

/* A pass of the contour through a vertex, and where it comes from and goes to, seen from there. */
typedef struct pass {
    int32_t in, out; /* half-edges */
    spot back, forth;
} pass;

static pass find_pass(const contour *c, const rim *e, bool at_head)
{
    const bvh *t = c->t;
    pass p;
    p.in = at_head ? e->he : contour_past(t, c->p, c->q, e->he);
    p.out = at_head ? contour_next(t, c->p, c->q, e->he) : e->he;
    spot v = spot_of(c, t->node[p.out]), back = spot_of(c, t->node[p.in]),
         forth = spot_of(c, t->node[next_side(p.out)]);
    p.back = spot_from(&v, &back);
    p.forth = spot_from(&v, &forth);
    return p;
}

/* Whether, turning left from `from` at x0, `a` comes before `b` for certain. */
static bool comes_before(const contour *c, const spot *from, const spot *a, const spot *b)
{
    double least = 8 * c->margin * (spot_extent(from) + spot_extent(a) + spot_extent(b));
    double at_a = spot_cross(from, 0, a, 0), at_b = spot_cross(from, 0, b, 0);
    bool a_unclear = fabs(at_a) <= least, b_unclear = fabs(at_b) <= least;
    if ((a_unclear && b_unclear) || (a_unclear && !(dot_at(from, 0, a, 0) < 0)) ||
        (b_unclear && !(dot_at(from, 0, b, 0) < 0)))
        return false;
    if ((at_a > 0) != (at_b > 0))
        return at_a > 0;
    return spot_cross(a, 0, b, 0) > least;
}

/* S lies to the left of forth and to the right of back. */
static bool sectors_apart(const contour *c, const pass *p, const pass *q)
{
    return comes_before(c, &p->forth, &p->back, &q->forth) && comes_before(c, &p->forth, &q->forth, &q->back);
}

static bool angle_is_wide(const spot *r, const spot *s, double most_cos)
{
    double length = sqrt(dot_at(r, 0, r, 0) * dot_at(s, 0, s, 0));
    return dot_at(r, 0, s, 0) <= (most_cos - 1e-9) * length;
}

/* The outer angle where one edge follows another, for thickness. */
static bool corner_is_wide(const contour *c, const pass *p)
{
    if (!(spot_cross(&p->back, 0, &p->forth, 0) > 0))
        return true;
    int32_t in = c->t->twin[p->in], out = c->t->twin[p->out];
    bool filled = in >= 0 && out >= 0 && in / 3 == out / 3;
    return angle_is_wide(&p->back, &p->forth, filled ? BVH_FILLED_COS : BVH_OPEN_COS);
}

bool contour_followers_apart(const contour *c, const rim *e, const rim *f)
{
    pass p = {.in = e->he, .out = f->he, .back = spot_from(&e->head, &e->tail), .forth = spot_from(&f->tail, &f->head)};
    return rays_apart(c, &p.back, &p.forth) && (c->thickness == 0 || corner_is_wide(c, &p));
}

static bool neighbours_apart(contour *c, const rim *e, const rim *f)
{
    bool e_head = e->to == f->from || e->to == f->to, f_head = f->to == e->from || f->to == e->to;
    pass p = find_pass(c, e, e_head), q = find_pass(c, f, f_head);
    const spot *r = e_head ? &p.back : &p.forth, *s = f_head ? &q.back : &q.forth;
    if (!rays_apart(c, r, s))
        return false;
    if (p.in == q.in)
        return c->thickness == 0 || corner_is_wide(c, &p);
    if (!sectors_apart(c, &p, &q) || (c->thickness > 0 && !angle_is_wide(r, s, BVH_OPEN_COS)))
        return false;
    c->touches[e->loop] |= 1u << f->loop;
    c->touches[f->loop] |= 1u << e->loop;
    return true;
}

bool contour_edges_apart(contour *c, const rim *e, const rim *f)
{
    int n_common = (e->from == f->from) + (e->from == f->to) + (e->to == f->from) + (e->to == f->to);
    if (n_common == 0)
        return contour_strangers_apart(c, e, f);
    return n_common == 1 && neighbours_apart(c, e, f);
}
