/* SPDX-License-Identifier: MIT */
/* Springs, beams and air for explicit steps: forces alone, from positions and velocities; and stored energies alone.
 *
 * Such a step is some 10,000 times shorter than the motion it is part of, and takes nothing but these forces; so they
 * are written out for it, in a header, with one square root for a spring and one with one angle for a beam. Damping
 * goes by the rate of the strain s that the velocities give, ds/dt = ∇s·v, in place of a difference over the last step
 * (energy.h): that needs no strain but the present one.
 *
 * The energies are those of spring.h, beam.h and air.h, and the tests hold these kernels against them. */
#ifndef WEFT_FORCE_PULL_H
#define WEFT_FORCE_PULL_H

#include "math/trig.h"
#include "force/air.h"
#include "force/beam.h"
#include "force/limit.h"
#include "force/params.h"
#include "force/spring.h"

/* ∂E/∂x1 of a spring, −∂E/∂x0: d = x1 − x0, w its rate, `time` that of the damping. */
static inline vec3 spring_pull(vec3 d, vec3 w, const spring_par *p, double time)
{
    double l = v3_len(d), rest = p->length;
    if (!(l > FORCE_SHORTEST))
        return v3_scale(p->k * (rest > 0.0 ? 0.0 : 1.0), d);
    double per_length = 1.0 / l;
    double slope = l - rest + time * per_length * v3_dot(d, w);
    if (p->limit > 0.0 && rest > 0.0)
        slope += rest * limit_eval(l / rest, p->limit).slope;
    return v3_scale(p->k * slope * per_length, d);
}

/* What a spring of length |d| has stored, without damping. */
static inline double spring_stored(vec3 d, const spring_par *p)
{
    double l = v3_len(d), strain = l - p->length, value = 0.5 * strain * strain;
    if (p->limit > 0.0 && p->length > 0.0)
        value += p->length * p->length * limit_eval(l / p->length, p->limit).value;
    return p->k * value;
}

/* The same of a beam. */
static inline double beam_stored(vec3 a, vec3 b, const beam_par *p)
{
    double theta = weft_atan2(v3_len(v3_cross(a, b)), v3_dot(a, b));
    return 0.5 * p->k * theta * theta;
}

/* ∂E/∂A and ∂E/∂B of a beam, −(their sum) being ∂E/∂P: a = P − A, b = B − P with the rates va, vb; h is the step. With
 * c = a × b, θ = atan2(|c|, a·b), ∂θ/∂A = c × a/(|c| |a|²) and ∂θ/∂B = c × b/(|c| |b|²). Below θ = past the damping
 * fades as in beam.h, past being θ − h dθ/dt. Straight or folded beams, whose c has no direction, pull at nothing. */
static inline void beam_pull(vec3 a, vec3 b, vec3 va, vec3 vb, const beam_par *p, double time, double h, vec3 g[2])
{
    vec3 c = v3_cross(a, b);
    double c_len = v3_len(c), aa = v3_len_sq(a), bb = v3_len_sq(b);
    if (!(c_len > FORCE_SHORTEST && aa > FORCE_SHORTEST && bb > FORCE_SHORTEST)) {
        g[0] = g[1] = v3_zero();
        return;
    }
    double theta = weft_atan2(c_len, v3_dot(a, b));
    vec3 ta = v3_scale(1.0 / (c_len * aa), v3_cross(c, a)), tb = v3_scale(1.0 / (c_len * bb), v3_cross(c, b));
    double rate = v3_dot(tb, vb) - v3_dot(ta, va);
    double slope = p->k * (theta + time * rate * (rate < 0.0 ? theta / (theta - h * rate) : 1.0));
    g[0] = v3_scale(slope, ta);
    g[1] = v3_scale(slope, tb);
}

/* ∂D/∂v of each node of a triangle with the given normal times area; v is the mean velocity of the nodes. */
static inline vec3 air_pull(vec3 area, vec3 v, const air_par *p)
{
    vec3 w = v3_sub(v, p->wind);
    double a_sq = v3_len_sq(area), a = sqrt(a_sq);
    vec3 by_w = v3_scale(p->viscosity, w);
    if ((p->drag != 0.0 || p->skin != 0.0) && a > FORCE_SHORTEST) {
        double flow = v3_dot(w, area), along = flow / a_sq; /* w_n/a */
        vec3 wt = v3_madd(w, -along, area);
        by_w = v3_madd(v3_madd(by_w, p->drag * fabs(flow / a) * along, area), p->skin * v3_len(wt), wt);
    }
    return v3_scale(a / 3.0, by_w);
}

#endif
