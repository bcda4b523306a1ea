/* SPDX-License-Identifier: MIT */
/* Continuous collision detection by planes that move.
 *
 * Provot 1997 §1.1, §1.2 solves the cubic of coplanarity and then looks whether the points are inside; rounding,
 * double roots, motion within a plane and parallel edges make that miss. Here the question is turned round: a "no" is
 * proven, and whatever finds no proof is a hit. The primitives are one moving polygon that may or may not reach the
 * origin (ccd_view.h). It does not while some plane is between the two. If plane normals a at time ta and b at tb are
 * joined by n(t), linear in t, then n(t) · w(t) is quadratic for each corner w, and its Bernstein coefficients on
 * [ta, tb] are
 *
 *     a · w(ta),   (a · w(tb) + b · w(ta)) / 2,   b · w(tb).
 *
 * If they exceed thickness · |a|, thickness · (|a| + |b|) / 2 and thickness · |b| for every corner, then n(t) · w(t)
 * > thickness · |n(t)| all through: the distance stays above the thickness. a = b is the plane that does not turn.
 * Normals come from the nearest points at ta and tb, so the proof loses only what the square of the turn costs.
 *
 * The search: [0, 1] first; an interval without proof is cut where Newton's method or the secant expects the contact,
 * or in the middle, earlier half first. So all before the current interval is proven, and what cannot be proven in
 * the end is the first contact, however it came about. This is subdivision in time alone: bisection by inclusion in
 * (t, u, v) needs thousands of boxes where one or two planes do.
 *
 * Invariants
 *  1. No contact in [0, from.t]; from is clear.
 *  2. Nothing that is computed for the guess, the nearest point or the direction is trusted: proofs use the given
 *     coordinates, any direction, and `noise`, which bounds all rounding errors of n · w (derived in ccd_view.c).
 *  3. `false` is returned only with proofs that join to cover [0, 1]. NaN proves nothing, comparisons with it fail.
 *  4. The number of views is bounded; at the bound the answer is a hit. */
#include "contact/ccd/ccd.h"
#include "contact/ccd/ccd_view.h"
#include "contact/params.h"

#include <float.h>

/* ---- proofs ------------------------------------------------------------------------------------------------------ */

static bool view_is_clear(const ccd_view *a)
{
    return a->gap > a->margin;
}

/* No contact between the times of the two. */
static bool is_covered(const ccd_motion *m, const ccd_view *a, const ccd_view *b)
{
    if (!view_is_clear(a) || !view_is_clear(b))
        return false;
    bool still_a = true, still_b = true, turning = true;
    double margin = a->margin + b->margin;
    for (int i = 0; i < m->n; i++) {
        double p = v3_dot(a->n, b->w[i]), q = v3_dot(b->n, a->w[i]);
        still_a &= p > a->margin;
        still_b &= q > b->margin;
        turning &= p + q > margin;
    }
    return still_a | still_b | turning;
}

/* The plane of this view parts them from 0 to 1. */
static bool is_apart_throughout(const ccd_motion *m, const ccd_view *a)
{
    return ccd_least_dot(m->w0, m->n, a->n) > a->margin && ccd_least_dot(m->w1, m->n, a->n) > a->margin;
}

/* ---- guesses ----------------------------------------------------------------------------------------------------- */

/* How fast the nearest points of a view approach each other, by its normal. */
static double approach_speed(const ccd_motion *m, const ccd_view *a)
{
    int last = m->n - 1;
    vec3 d = v3_sub(m->w1[0], m->w0[0]);
    vec3 du = v3_sub(v3_sub(m->w1[1], m->w0[1]), d), dv = v3_sub(v3_sub(m->w1[last], m->w0[last]), d);
    return -v3_dot(a->n, v3_madd(v3_madd(d, a->s, du), a->r, dv));
}

/* The distance cannot be told from the thickness, or is less. */
static bool is_contact(const ccd_view *a)
{
    return a->gap <= a->margin + CCD_NOISE_CONTACT * a->noise;
}

/* The contact at `to` is known as well as it can be. */
static bool is_located(const ccd_view *from, const ccd_view *to)
{
    return is_contact(to) &&
           (to->t - from->t <= CCD_SHORT_TIME || from->gap <= from->margin + CCD_NOISE_LOCATED * from->noise);
}

/* Beyond the thickness by this much, and negative behind the plane of `from`. */
static double signed_gap(const ccd_motion *m, const ccd_view *from, const ccd_view *a)
{
    return (v3_dot(from->n, a->n) < 0 ? -a->gap : a->gap) - m->thickness;
}

static double middle_time(const ccd_view *a, const ccd_view *b)
{
    return 0.5 * (a->t + b->t);
}

/* Where to cut between from, which is clear, and to; `patient`: the last cuts did not shorten the interval enough. */
static double guess_time(const ccd_motion *m, const ccd_view *from, const ccd_view *to, bool patient)
{
    if (patient)
        return middle_time(from, to);
    double gap = from->gap - m->thickness, end = signed_gap(m, from, to), speed = approach_speed(m, from);
    double newton = speed > 0 ? from->t + gap / speed : 2;
    if (is_contact(to) && fabs(to->gap - m->thickness) <= CCD_NOISE_AT * to->noise) {
        /* At the contact: just before it, where a view is clear again. */
        double before = to->t - max_of(CCD_NOISE_BEFORE * to->noise / max_of(speed, DBL_MIN), 4 * DBL_EPSILON);
        newton = min_of(newton, before);
    }
    if (newton > from->t && newton < to->t)
        return newton;
    return end < 0 ? from->t + (to->t - from->t) * (gap / (gap - end)) : middle_time(from, to);
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void set_weights(const ccd_motion *m, const ccd_view *a, double weight[4])
{
    if (m->n == 3) {
        weight[0] = 1;
        weight[1] = -(1 - a->s - a->r);
        weight[2] = -a->s;
        weight[3] = -a->r;
    } else {
        weight[0] = 1 - a->s;
        weight[1] = a->s;
        weight[2] = -(1 - a->r);
        weight[3] = -a->r;
    }
}

/* A normal for those that touch from the start: across the polygon, against the motion. */
static vec3 normal_at_rest(const ccd_motion *m, const ccd_view *a)
{
    int last = m->n - 1;
    vec3 u = v3_sub(a->w[1], a->w[0]), v = v3_sub(a->w[last], a->w[0]);
    ccd_view across = *a;
    across.n = v3_unit_or(v3_cross(u, v), v3_zero());
    if (v3_len_sq(across.n) < 0.5) {
        vec3 d = v3_sub(m->w0[0], m->w1[0]);
        across.n = v3_unit_or(d, v3(0, 0, 1));
    }
    return approach_speed(m, &across) < 0 ? v3_neg(across.n) : across.n;
}

static bool answer_hit(const ccd_motion *m, const ccd_view *from, const ccd_view *at, weft_ccd_hit *hit)
{
    if (!hit)
        return true;
    hit->time = at->t;
    hit->time_lower = from->t;
    set_weights(m, at, hit->weight);
    hit->normal = from->gap > 0 ? from->n : normal_at_rest(m, from);
    return true;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

static bool search_contact(const ccd_motion *m, const ccd_view *half, weft_ccd_hit *hit)
{
    ccd_view from, open[CCD_MOST_VIEWS];
    int n_open = 2, n_slow = 0;
    ccd_view_take(m, 0, &from);
    if (!view_is_clear(&from))
        return answer_hit(m, &from, &from, hit);
    ccd_view_take(m, 1, &open[0]);
    open[1] = *half;
    double length = 0.5;
    for (int n_views = 3; n_views < CCD_MOST_VIEWS;) {
        const ccd_view *to = &open[n_open - 1];
        if (is_covered(m, &from, to)) {
            from = *to;
            if (--n_open == 0)
                return false;
            length = open[n_open - 1].t - from.t;
            n_slow = 0;
            continue;
        }
        if (is_located(&from, to))
            return answer_hit(m, &from, to->t - from.t < CCD_SAME_TIME ? to : &from, hit);
        double t = guess_time(m, &from, to, n_slow >= 2);
        if (!(t > from.t && t < to->t))
            return answer_hit(m, &from, is_contact(to) ? to : &from, hit);
        ccd_view_take(m, t, &open[n_open++]);
        n_views++;
        n_slow = t - from.t > 0.5 * length ? n_slow + 1 : 0;
        length = t - from.t;
    }
    return answer_hit(m, &from, &from, hit);
}

static bool ccd_detect(const ccd_motion *m, weft_ccd_hit *hit)
{
    ccd_view half;
    ccd_view_take(m, 0.5, &half);
    return !is_apart_throughout(m, &half) && search_contact(m, &half, hit);
}

bool weft_ccd_vertex_triangle(const weft_vec3 x0[4], const weft_vec3 x1[4], double thickness, weft_ccd_hit *hit)
{
    double d = max_of(thickness, 0);
    if (ccd_vertex_triangle_apart(x0, x1, d))
        return false;
    ccd_motion m;
    ccd_motion_of_vertex_triangle(x0, x1, d, &m);
    return ccd_detect(&m, hit);
}

bool weft_ccd_edge_edge(const weft_vec3 x0[4], const weft_vec3 x1[4], double thickness, weft_ccd_hit *hit)
{
    double d = max_of(thickness, 0);
    if (ccd_edge_edge_apart(x0, x1, d))
        return false;
    ccd_motion m;
    ccd_motion_of_edge_edge(x0, x1, d, &m);
    return ccd_detect(&m, hit);
}

/* ---- thickness --------------------------------------------------------------------------------------------------- */

static double thickness_of(const ccd_motion *m, double thickness, double factor)
{
    ccd_view a;
    ccd_view_take(m, 0, &a);
    double lower = (a.gap - a.noise) * (1 - 16 * DBL_EPSILON);
    return lower > 0 ? min_of(thickness, factor * lower) : 0;
}

double weft_ccd_vertex_triangle_thickness(const weft_vec3 x[4], double thickness, double factor)
{
    ccd_motion m;
    ccd_motion_of_vertex_triangle(x, x, 0, &m);
    return thickness_of(&m, thickness, factor);
}

double weft_ccd_edge_edge_thickness(const weft_vec3 x[4], double thickness, double factor)
{
    ccd_motion m;
    ccd_motion_of_edge_edge(x, x, 0, &m);
    return thickness_of(&m, thickness, factor);
}
