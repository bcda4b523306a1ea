/* SPDX-License-Identifier: MIT */
/* Curves of outlines as polylines. */
#ifndef WEFT_GARMENT_CURVE_H
#define WEFT_GARMENT_CURVE_H

#include "base/mem.h"
#include "math/vec.h"

#include <weft/pattern.h>

static inline vec2 v2(double u, double v)
{
    return (vec2){u, v};
}

static inline vec2 v2_sub(vec2 a, vec2 b)
{
    return v2(a.u - b.u, a.v - b.v);
}

/* a + s b */
static inline vec2 v2_madd(vec2 a, double s, vec2 b)
{
    return v2(a.u + s * b.u, a.v + s * b.v);
}

static inline double v2_dot(vec2 a, vec2 b)
{
    return a.u * b.u + a.v * b.v;
}

static inline double v2_cross(vec2 a, vec2 b)
{
    return a.u * b.v - a.v * b.u;
}

static inline double v2_len(vec2 a)
{
    return sqrt(v2_dot(a, a));
}

static inline double v2_distance(vec2 a, vec2 b)
{
    return v2_len(v2_sub(a, b));
}

/* Distance of p from the segment a b, squared. */
static inline double v2_segment_distance_sq(vec2 p, vec2 a, vec2 b)
{
    vec2 d = v2_sub(b, a), q = v2_sub(p, a);
    double dd = v2_dot(d, d), t = dd > 0 ? v2_dot(q, d) / dd : 0;
    vec2 r = v2_madd(q, -(t < 0 ? 0 : t > 1 ? 1 : t), d);
    return v2_dot(r, r);
}

/* Into how many chords a curve is cut so that none is farther from it than `tolerance`; at most 4096. */
int32_t curve_chords(const weft_curve *c, vec2 to, double tolerance);

/* The point at share t of a curve's parameter; `to` is where it ends. t = 0 and 1 give its ends exactly. */
vec2 curve_at(const weft_curve *c, vec2 to, double t);

#endif
