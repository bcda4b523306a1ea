/* SPDX-License-Identifier: MIT */
/* An explicit substep, villard2002 eq. 7: accelerations from the forces at the start, velocities from these, positions
 * from those; velocities are bounded by the mesh. Edges beyond their limit are shortened; then impacts change
 * velocities by provot1997 eq. 4. In this order what the limit holds back presses cloth on to what it lies on, and
 * friction feels it: shortened after it, cloth slid off a ball with any friction. */
#include <string.h>

#include "contact/collider/respond.h"
#include "sim/sim.h"

/* By nodes as they are and move at the start. False without memory. */
static bool forces_at_start(weft_sim *s, double h)
{
    model *m = &s->model;
    air_par air = air_now(s);
    memset(m->newton.gradient, 0, (size_t)m->n * sizeof *m->newton.gradient);
    return assembly_pull(&m->assembly, s->state.q, s->state.v, h, &air, m->newton.gradient);
}

/* Bound of §5.3: ξ(ν, δt), ν the size of the mesh at the node. */
static vec3 bounded(const weft_sim *s, int32_t i, vec3 v, double h)
{
    double most = s->def.velocity_bound * forces_node(&s->model.forces, i)->edge_length / h, speed = v3_len(v);
    return speed > most ? v3_scale(most / speed, v) : v;
}

/* Rod friction: what holds the node across the rod gives the cone; within it the node stops. */
static vec3 slide(const weft_sim *s, const rod_term *r, vec3 force, vec3 v, double h)
{
    vec3 across = v3_madd(force, -v3_dot(force, r->axis), r->axis);
    double u = v3_dot(v, r->axis), most = r->friction * v3_len(across) * h / s->model.mass[r->dof];
    return v3_scale(fabs(u) <= most ? 0.0 : u - (u > 0 ? most : -most), r->axis);
}

/* Every collider in turn; a node between two ends up slower, never through. */
static vec3 impact(weft_sim *s, int32_t i, vec3 v, double h, double share, contact_memory *memory)
{
    model *m = &s->model;
    for (int32_t ci = 0; ci < m->n_analytic; ci++) {
        const collider *c = &m->colliders[ci];
        half_space keep;
        vec3 x = s->state.q[i];
        if (!collider_keep_out(c, collider_contact_margin(&m->collider_contacts, ci, i), 0, x, v3_madd(x, h, v),
                               &keep) ||
            v3_dot(keep.normal, v3_madd(x, h, v)) >= keep.reach)
            continue;
        vec3 ground = v3_scale(1.0 / h, v3_sub(collider_carry(c, x), x));
        vec3 after = respond_velocity(v, ground, keep.normal, forces_node(&m->forces, i)->friction * c->friction,
                                      forces_node(&m->forces, i)->dissipation * c->dissipation);
        vec3 force = v3_scale(m->mass[i] / h, v3_sub(v, after));
        record_contact(s, ci, x, force, share);
        memory[i] = (contact_memory){.owner = ci};
        s->stats.contacts++;
        v = after;
    }
    return v;
}

/* Without colliders. */
static void fly(weft_sim *s, double h)
{
    model *m = &s->model;
    for (int32_t i = 0; i < m->n; i++) {
        if (m->filters[i].kind != FREEDOM_ALL)
            continue;
        vec3 a = v3_madd(external_at(s, i), -1.0 / m->mass[i], m->newton.gradient[i]);
        m->v1[i] = bounded(s, i, v3_madd(s->state.v[i], h, a), h);
        m->q1[i] = v3_madd(s->state.q[i], h, m->v1[i]);
    }
    for (int32_t k = 0; k < m->n_rods; k++) {
        const rod_term *r = &m->rods[k];
        int32_t i = r->dof;
        vec3 force = v3_madd(v3_neg(m->newton.gradient[i]), m->mass[i], external_at(s, i));
        vec3 v = bounded(s, i, v3_madd(s->state.v[i], h / m->mass[i], force), h);
        m->v1[i] = slide(s, r, force, v, h);
        m->q1[i] = v3_madd(m->q1[i], h, m->v1[i]);
    }
}

static void land(weft_sim *s, double h, double share, contact_memory *memory)
{
    model *m = &s->model;
    for (int32_t i = 0; i < m->n; i++) {
        memory[i] = (contact_memory){.owner = OWNER_NONE};
        if (m->filters[i].kind != FREEDOM_ALL)
            continue;
        m->v1[i] = impact(s, i, m->v1[i], h, share, memory);
        m->q1[i] = v3_madd(s->state.q[i], h, m->v1[i]);
    }
}

/* What holds a node is what its acceleration lacks. */
static void reactions(weft_sim *s, double h, double share)
{
    model *m = &s->model;
    for (int32_t i = 0; i < m->n; i++) {
        if (m->filters[i].kind == FREEDOM_NONE)
            m->v1[i] = v3_scale(1.0 / h, v3_sub(m->q1[i], s->state.q[i]));
        vec3 force = v3_madd(v3_neg(m->newton.gradient[i]), m->mass[i], external_at(s, i));
        m->target[i] = v3_sub(v3_scale(m->mass[i] / h, v3_sub(m->v1[i], s->state.v[i])), force);
    }
    record_reactions(s, m->target, s->state.q, share);
}

step_end explicit_step(weft_sim *s, const substep *sub, weft_step_stats *stats)
{
    model *m = &s->model;
    double h = sub->h, share = h / sub->whole;
    hold_nodes(s, sub);
    external_accelerations(s);
    if (!forces_at_start(s, h) || !model_take_next(s))
        return STEP_FAILED;
    assembly_expand(&m->assembly, s->state.q, m->x0);
    m->collider_contacts.memory = s->state.memory;
    s->stats.contacts = 0;
    memset(s->model.next_restart, 0, (size_t)m->n * sizeof *s->model.next_restart);
    fly(s, h);
    limit_edges(s, h);
    land(s, h, share, s->model.next_memory);
    stats->contacts = s->stats.contacts;
    reactions(s, h, share);
    return commit_step(s, sub, stats);
}
