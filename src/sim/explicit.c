/* SPDX-License-Identifier: MIT */
/* An explicit substep, villard2002 eq. 7: accelerations from the forces at the start, velocities from these, positions
 * from those; velocities are bounded by the mesh. Edges beyond their limit are shortened; then impacts change
 * velocities by provot1997 eq. 4. In this order what the limit holds back presses cloth on to what it lies on, and
 * friction feels it: shortened after it, cloth slid off a ball with any friction. */
#include <string.h>

#include "contact/collider/respond.h"
#include "sim/phases.h"

/* By nodes as they are and move at the start. False without memory. */
static bool forces_at_start(model *m, const state *st, double h)
{
    air_par air = air_now(m->def);
    memset(m->newton.gradient, 0, (size_t)m->n * sizeof *m->newton.gradient);
    return assembly_pull(&m->assembly, st->q, st->v, h, &air, m->newton.gradient);
}

/* Bound of §5.3: ξ(ν, δt), ν the size of the mesh at the node. */
static vec3 bounded(const model *m, int32_t i, vec3 v, double h)
{
    double most = m->def->velocity_bound * forces_node(&m->forces, i)->edge_length / h, speed = v3_len(v);
    return speed > most ? v3_scale(most / speed, v) : v;
}

/* Rod friction: what holds the node across the rod gives the cone; within it the node stops. */
static vec3 slide(const model *m, const rod_term *r, vec3 force, vec3 v, double h)
{
    vec3 across = v3_madd(force, -v3_dot(force, r->axis), r->axis);
    double u = v3_dot(v, r->axis), most = r->friction * v3_len(across) * h / m->mass[r->dof];
    return v3_scale(fabs(u) <= most ? 0.0 : u - (u > 0 ? most : -most), r->axis);
}

/* Every collider in turn; a node between two ends up slower, never through. */
static vec3 impact(model *m, const state *st, int32_t i, vec3 v, double h, double fraction, contact_memory *memory,
                   int32_t *n_contacts)
{
    for (int32_t ci = 0; ci < m->n_analytic; ci++) {
        const collider *c = &m->colliders[ci];
        half_space keep;
        vec3 x = st->q[i];
        if (!collider_keep_out(c, collider_contact_margin(&m->collider_contacts, ci, i), 0, x, v3_madd(x, h, v),
                               &keep) ||
            v3_dot(keep.normal, v3_madd(x, h, v)) >= keep.reach)
            continue;
        vec3 ground = v3_scale(1.0 / h, v3_sub(collider_carry(c, x), x));
        vec3 after = respond_velocity(v, ground, keep.normal, forces_node(&m->forces, i)->friction * c->friction,
                                      forces_node(&m->forces, i)->dissipation * c->dissipation);
        vec3 force = v3_scale(m->mass[i] / h, v3_sub(v, after));
        record_contact(m, ci, x, force, fraction);
        pressure_add(m, i, fraction * max_of(0.0, -v3_dot(force, keep.normal)));
        memory[i] = (contact_memory){.owner = ci};
        (*n_contacts)++;
        v = after;
    }
    return v;
}

/* Without colliders. */
static void fly(model *m, const state *st, double h)
{
    for (int32_t i = 0; i < m->n; i++) {
        if (m->filters[i].kind != FREEDOM_ALL)
            continue;
        vec3 a = v3_madd(external_at(m, i), -1.0 / m->mass[i], m->newton.gradient[i]);
        m->v1[i] = bounded(m, i, v3_madd(st->v[i], h, a), h);
        m->q1[i] = v3_madd(st->q[i], h, m->v1[i]);
    }
    for (int32_t k = 0; k < m->n_rods; k++) {
        const rod_term *r = &m->rods[k];
        int32_t i = r->dof;
        vec3 force = v3_madd(v3_neg(m->newton.gradient[i]), m->mass[i], external_at(m, i));
        vec3 v = bounded(m, i, v3_madd(st->v[i], h / m->mass[i], force), h);
        m->v1[i] = slide(m, r, force, v, h);
        m->q1[i] = v3_madd(m->q1[i], h, m->v1[i]);
    }
}

static void land(model *m, const state *st, double h, double fraction, contact_memory *memory, int32_t *n_contacts)
{
    for (int32_t i = 0; i < m->n; i++) {
        memory[i] = (contact_memory){.owner = CONTACT_OWNER_NONE};
        if (m->filters[i].kind != FREEDOM_ALL)
            continue;
        m->v1[i] = impact(m, st, i, m->v1[i], h, fraction, memory, n_contacts);
        m->q1[i] = v3_madd(st->q[i], h, m->v1[i]);
    }
}

/* What holds a node is what its acceleration lacks. */
static void reactions(model *m, const state *st, double h, double fraction)
{
    for (int32_t i = 0; i < m->n; i++) {
        if (m->filters[i].kind == FREEDOM_NONE)
            m->v1[i] = v3_scale(1.0 / h, v3_sub(m->q1[i], st->q[i]));
        vec3 force = v3_madd(v3_neg(m->newton.gradient[i]), m->mass[i], external_at(m, i));
        m->target[i] = v3_sub(v3_scale(m->mass[i] / h, v3_sub(m->v1[i], st->v[i])), force);
    }
    record_reactions(m, m->target, st->q, fraction);
}

solve_end explicit_propose(model *m, const state *st, const substep *sub, weft_step_stats *stats)
{
    double h = sub->h, fraction = h / sub->whole;
    if (!forces_at_start(m, st, h) || !model_take_next(m))
        return SOLVE_FAILED;
    assembly_expand(&m->assembly, st->q, m->x0);
    m->collider_contacts.memory = st->memory;
    stats->contacts = 0;
    memset(m->next_restart, 0, (size_t)m->n * sizeof *m->next_restart);
    memcpy(m->next_radius, st->pair_radius, (size_t)m->n * sizeof *m->next_radius);
    fly(m, st, h);
    limit_edges(m, h);
    land(m, st, h, fraction, m->next_memory, &stats->contacts);
    reactions(m, st, h, fraction);
    follow_parents(m, m->q1);
    return SOLVE_DONE;
}
