/* SPDX-License-Identifier: MIT */
/* What impacts between cloths, and of cloth on meshes of colliders, make of velocities.
 *
 * BDF2's velocity at the end of a step has the motion before the impact in it, so that half of what an impact has
 * stopped would come back. So the points of a pair that was hit get the relative velocity of the way that they have
 * gone in the step; and the step that follows takes for their velocity before what would have led there: what it is
 * now. Both by impulses on the pair's own nodes, equal and opposite, in sweeps over all impacts in their order (Gauss
 * and Seidel). All nodes stay on one formula in time, and the forces of a pair remain equal and opposite in what they
 * do: momentum is kept. (Nodes that began anew with Euler's formula beside partners on BDF2 turned equal forces into
 * unequal impulses, 3 % of the momentum of two sheets in the step in which they meet.)
 *
 * On meshes of colliders along the normal alone: nothing along the surface changes. */
#include "sim/params.h"
#include "sim/phases.h"

/* 1/mass of a degree of freedom; what is held has none. */
static double lightness(const model *m, int32_t i)
{
    return m->filters[i].kind == FREEDOM_ALL ? 1 / m->mass[i] : 0;
}

/* Adds to velocities what an impulse on a contact's points gives. */
static void push_contact(const model *m, const contact_term *c, vec3 impulse, vec3 *v)
{
    for (int k = 0; k < c->n; k++) {
        const node_row *row = &m->rows[c->node[k]];
        for (int d = 0; d < 2 && row->dof[d] >= 0; d++) {
            int32_t i = row->dof[d];
            v[i] = v3_madd(v[i], c->w[k] * row_weight(row) * lightness(m, i), impulse);
        }
    }
}

/* Relative velocities of a contact's points, m/s. */
typedef struct contact_speeds {
    vec3 gone;     /* of the way in this step, beyond what velocities at its end say */
    vec3 change;   /* from before the step, as `jump` has it, to its end */
    double weight; /* Σ w²/m */
} contact_speeds;

static contact_speeds speeds_of(const model *m, const state *st, const contact_term *c, double h)
{
    contact_speeds s = {v3_zero(), v3_zero(), 0};
    for (int k = 0; k < c->n; k++) {
        const node_row *row = &m->rows[c->node[k]];
        double w = c->w[k] * row_weight(row);
        for (int d = 0; d < 2 && row->dof[d] >= 0; d++) {
            int32_t i = row->dof[d];
            vec3 gone = v3_scale(1.0 / h, v3_sub(m->q1[i], st->q[i]));
            s.gone = v3_madd(s.gone, w, v3_sub(gone, m->v1[i]));
            s.change = v3_madd(s.change, w, v3_sub(gone, v3_add(st->v[i], m->jump[i])));
            s.weight += w * w * lightness(m, i);
        }
    }
    return s;
}

/* Whether a pair with a mesh is in touch at the end, and inertia would have brought it nearer by more than weight
 * does. */
static bool hits_mesh(const model *m, int32_t pair, double slow)
{
    const contact_term *c = &m->cloth_contact.pairs.terms[pair];
    const pair_state *s = &m->cloth_contact.pairs.states[pair];
    return contact_depth(c, m->assembly.x) > 0 &&
           contact_depth(c, m->target) - (s->thickness + s->radius - s->apart) > slow;
}

/* Whether a pair of cloths has stopped what inertia would have pressed in (IMPACT_DEPTH). */
static bool hits_cloth(const model *m, int32_t pair)
{
    const contact_term *c = &m->cloth_contact.pairs.terms[pair];
    return contact_depth(c, m->assembly.x) > 0 && contact_depth(c, m->target) - c->past > IMPACT_DEPTH * c->radius;
}

static void give_impulses(model *m, const state *st, int32_t pair, double h)
{
    const contact_term *c = &m->cloth_contact.pairs.terms[pair];
    contact_speeds s = speeds_of(m, st, c, h);
    if (!(s.weight > 0))
        return;
    if (pair_is_firm(&m->cloth_contact.pairs.states[pair])) {
        s.gone = v3_scale(v3_dot(s.gone, c->normal), c->normal);
        s.change = v3_scale(v3_dot(s.change, c->normal), c->normal);
    }
    push_contact(m, c, v3_scale(1 / s.weight, s.gone), m->v1);
    push_contact(m, c, v3_scale(1 / s.weight, s.change), m->jump);
}

void impacts_between_cloths(model *m, const state *st, double h)
{
    double slow = IMPACT_SPEED * h * h * gravity_or_one(m->def);
    const pair_set *pairs = &m->cloth_contact.pairs;
    for (int sweep = 0; sweep < IMPACT_SWEEPS; sweep++)
        for (int32_t pair = 0; pair < pairs->n; pair++)
            if (pair_is_firm(&pairs->states[pair]) ? hits_mesh(m, pair, slow) : hits_cloth(m, pair))
                give_impulses(m, st, pair, h);
}
