/* SPDX-License-Identifier: MIT */
/* Points of lines, Bézier curves and arcs.
 *
 * A chord of a curve c over the parameter step h is within h²/8 · max|c″| of it. For Bézier curves c″ is bounded by
 * the second differences of the control points (2 |P0 − 2P1 + P2|; 6 times the larger one of a cubic), for an arc of
 * angle α and radius r the sagitta is r (1 − cos(αh/2)) ≤ r α² h² / 8: the same formula with |c″| = r α². */
#include "garment/curve.h"

#include "garment/params.h"
#include "math/trig.h"

typedef struct circle {
    vec2 centre;
    double radius, start, turn; /* angles; turn has a sign */
} circle;

/* The circle through both ends: the centre is on the bisector of the chord, on the left of it if the arc turns left
 * and is the small one, or turns right and is the large one. */
static circle arc_circle(const weft_curve *c, vec2 to)
{
    vec2 d = v2_sub(to, c->from);
    double half = 0.5 * v2_len(d), r = max_of(c->radius, half);
    vec2 middle = v2_madd(c->from, 0.5, d), side = half > 0 ? v2(-d.v / (2 * half), d.u / (2 * half)) : v2(0, 0);
    double away = sqrt(max_of(r * r - half * half, 0));
    circle o = {.radius = r};
    o.centre = v2_madd(middle, c->is_left != c->is_large ? away : -away, side);
    vec2 a = v2_sub(c->from, o.centre), b = v2_sub(to, o.centre);
    o.start = weft_atan2(a.v, a.u);
    o.turn = weft_atan2(b.v, b.u) - o.start;
    if (c->is_left && o.turn < 0)
        o.turn += 2 * WEFT_PI;
    if (!c->is_left && o.turn > 0)
        o.turn -= 2 * WEFT_PI;
    return o;
}

static vec2 second_difference(vec2 a, vec2 b, vec2 c)
{
    return v2(a.u - 2 * b.u + c.u, a.v - 2 * b.v + c.v);
}

/* A bound of the second derivative by the parameter, over all of the curve. */
static double curve_bend(const weft_curve *c, vec2 to)
{
    if (c->kind == WEFT_CURVE_QUADRATIC)
        return 2 * v2_len(second_difference(c->from, c->control[0], to));
    if (c->kind == WEFT_CURVE_CUBIC)
        return 6 * max_of(v2_len(second_difference(c->from, c->control[0], c->control[1])),
                          v2_len(second_difference(c->control[0], c->control[1], to)));
    if (c->kind == WEFT_CURVE_ARC) {
        circle o = arc_circle(c, to);
        return o.radius * o.turn * o.turn;
    }
    return 0;
}

int32_t curve_chords(const weft_curve *c, vec2 to, double tolerance)
{
    double n = ceil(sqrt(curve_bend(c, to) / (8 * tolerance)));
    return n >= CURVE_MOST_CHORDS ? CURVE_MOST_CHORDS : n < 1 ? 1 : (int32_t)n;
}

static vec2 curve_mix(vec2 a, vec2 b, double t)
{
    return v2((1 - t) * a.u + t * b.u, (1 - t) * a.v + t * b.v);
}

vec2 curve_at(const weft_curve *c, vec2 to, double t)
{
    if (t <= 0)
        return c->from;
    if (t >= 1)
        return to;
    if (c->kind == WEFT_CURVE_QUADRATIC)
        return curve_mix(curve_mix(c->from, c->control[0], t), curve_mix(c->control[0], to, t), t);
    if (c->kind == WEFT_CURVE_CUBIC) {
        vec2 ab = curve_mix(c->from, c->control[0], t), bc = curve_mix(c->control[0], c->control[1], t),
             cd = curve_mix(c->control[1], to, t);
        return curve_mix(curve_mix(ab, bc, t), curve_mix(bc, cd, t), t);
    }
    if (c->kind == WEFT_CURVE_ARC) {
        circle o = arc_circle(c, to);
        double angle = o.start + t * o.turn;
        return v2(o.centre.u + o.radius * weft_cos(angle), o.centre.v + o.radius * weft_sin(angle));
    }
    return curve_mix(c->from, to, t);
}
