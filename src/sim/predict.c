/* SPDX-License-Identifier: MIT */
/* The formula of an implicit substep: BDF2, or implicit Euler where there is no history.
 *
 * Euler   q1 = q0 + h v1                      v1 = v0 + h a1 BDF2    q1 = (4q0 − q₋₁)/3 + (2h/3) v1       v1 = (4v0 −
 * v₋₁)/3 + (2h/3) a1
 *
 * In both q1 = base + γ v1. A node whose velocity has just jumped (on an analytic collider) takes one Euler step while
 * the others go on with BDF2: the formulas couple nodes only through forces at the end of the step, so that is sound.
 * The solve then looks for the q1 near the target q̃ = base + γ v + γ² a, where inertia and outside forces alone would
 * take a node, and starts from a guess of it. */
#include "base/ranges.h"
#include "sim/clamp.h"
#include "sim/phases.h"

static bool has_past(const model *m, const state *st, double h)
{
    return m->def->integrator == WEFT_INTEGRATOR_BDF2 && st->last_h == h;
}

/* Base of a node's own formula: that of the step, `motion`, unless it starts anew. */
vec3 base_of(const model *m, const state *st, int32_t i)
{
    return st->restart[i] ? st->q[i] : motion_base(&m->motion, i);
}

double gamma_of(const model *m, const state *st, int32_t i)
{
    return m->gamma[st->restart[i] != 0];
}

/* As much of the outside acceleration as the node felt in the last step; in touch with something, its whole
 * acceleration, which leads along it, unless that came from an impact. A node at rest then starts at rest, not pushed
 * into what holds it. */
static vec3 expected_acceleration(const model *m, const state *st, int32_t i)
{
    vec3 felt = st->accel[i], outside = external_at(m, i);
    double g = v3_len_sq(outside);
    if (st->memory[i].owner != CONTACT_OWNER_NONE)
        return v3_len_sq(felt) <= g ? felt : v3_zero();
    return v3_scale(g > 0 ? min_of(1.0, max_of(0.0, v3_dot(felt, outside) / g)) : 0, outside);
}

/* A node that the last step left pressed in comes out a little, and would leave its contact for a step in which nothing
 * but the line search stops it. Less than the contact's reach does not count as leaving. */
static vec3 stay_in_touch(const model *m, const state *st, int32_t i, vec3 guess)
{
    int32_t owner = st->memory[i].owner;
    if (owner < 0 || owner >= m->n_analytic) /* snapshots may say anything */
        return guess;
    const collider *c = &m->colliders[owner];
    vec3 x0 = st->q[i], n = shape_distance(&c->shape, pose_unapply(&c->from, x0)).normal;
    n = m3_mul_v(c->to.r, n);
    double away = v3_dot(n, v3_sub(guess, collider_carry(c, x0)));
    return away > 0 && away < collider_contact_radius(&m->collider_contacts, i) ? v3_madd(guess, -away, n) : guess;
}

typedef struct predict_run {
    model *m;
    const state *st;
    const ranges *ranges;
    bool two; /* BDF2 */
    double way[RANGES_MOST];
} predict_run;

/* γ and q̃. */
static void predict_node(predict_run *r, int32_t i)
{
    model *m = r->m;
    const state *st = r->st;
    bool own = r->two && !st->restart[i];
    vec3 v = own ? v3_scale(1.0 / 3, v3_sub(v3_scale(4, st->v[i]), st->v_past[i])) : st->v[i];
    double gamma = gamma_of(r->m, r->st, i);
    m->target[i] = v3_madd(v3_madd(base_of(r->m, r->st, i), gamma, v), gamma * gamma, external_at(r->m, i));
}

/* First guess: what the integrator makes of the expected acceleration, in free flight its solution. Held nodes have
 * their end already. */
static void predict_range(void *context, int32_t range)
{
    predict_run *r = context;
    model *m = r->m;
    r->way[range] = 0;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        predict_node(r, i);
        r->way[range] = max_of(r->way[range], v3_max_abs(v3_sub(m->target[i], r->st->q[i])));
        double gamma = gamma_of(r->m, r->st, i);
        if (m->filters[i].kind == FREEDOM_ALL)
            m->q1[i] = stay_in_touch(r->m, r->st, i,
                                     v3_madd(m->target[i], gamma * gamma,
                                             v3_sub(expected_acceleration(r->m, r->st, i), external_at(r->m, i))));
    }
}

/* γ, q̃ and first guess of each node. */
static void predict_nodes(model *m, const state *st, double h)
{
    ranges p = ranges_of(m->n);
    predict_run r = {.m = m, .st = st, .ranges = &p, .two = has_past(m, st, h)};
    m->gamma[0] = r.two ? 2 * h / 3 : h;
    m->gamma[1] = h;
    m->motion = (assembly_motion){st->q, r.two ? st->q_past : NULL, m->gamma[0]};
    pool_for(m->pool, p.n, predict_range, &r);
    m->way = 0;
    for (int32_t i = 0; i < p.n; i++)
        m->way = max_of(m->way, r.way[i]);
}

static bool prepare_damping(model *m, const state *st, double h)
{
    bool two = has_past(m, st, h);
    const vec3 *q[2] = {st->q, two ? st->q_past : NULL};
    const double weight[2] = {two ? 4.0 / 3 : 1.0, two ? -1.0 / 3 : 0.0};
    air_par air = air_now(m->def);
    clamps_prepare(m, st, two, two ? 1.5 / h : 1.0 / h);
    return assembly_prepare(&m->assembly, q, weight, two ? 1.5 / h : 1.0 / h, &air, m->x0);
}

bool predict(model *m, const state *st, double h)
{
    predict_nodes(m, st, h);
    return prepare_damping(m, st, h);
}
