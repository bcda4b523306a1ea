/* SPDX-License-Identifier: MIT */
/* What is prescribed in a substep: where colliders go, attachments as filters with given ends, rods, gravity and the
 * user's forces; and, when it is over, the forces that attachments and colliders have felt. */
#include <string.h>

#include "sim/clamp.h"
#include "sim/params.h"
#include "sim/phases.h"

/* Where a pin's keys carry a target: placed relative to the first key. */
static vec3 keyed_target(const attachment *a, vec3 target, double time)
{
    pose first = keys_at(&a->keys, a->keys.items[0].time), now = keys_at(&a->keys, time);
    return pose_apply(&now, pose_unapply(&first, target));
}

/* Targets set by hand are reached at the end of the whole step, in equal parts. */
static vec3 pin_target(const attachment *a, int32_t k, vec3 from, double time, const substep *sub)
{
    if (a->keys.n > 0)
        return keyed_target(a, a->targets[k], time);
    double fraction = sub->h / (sub->whole - sub->done);
    return fraction >= 1 ? a->targets[k] : v3_madd(from, fraction, v3_sub(a->targets[k], from));
}

static void hold_line(model *m, const state *st, const attachment *a, int32_t dof, rod_term *rod)
{
    vec3 d = v3_sub(st->q[dof], a->rod_point);
    vec3 on = v3_madd(a->rod_point, v3_dot(d, a->rod_axis), a->rod_axis);
    const contact_memory *past = &st->memory[dof];
    bool known = past->owner == CONTACT_OWNER_ROD;
    m->filters[dof] = (filter){FREEDOM_LINE, &a->rod_axis};
    m->q1[dof] = on;
    *rod = (rod_term){.dof = dof,
                      .axis = a->rod_axis,
                      .k = forces_node(&m->forces, dof)->stiffness,
                      .friction = a->rod_friction,
                      .force = known ? past->force : 0};
    rod->anchor = known ? v3_madd(on, -rod->friction * rod->force / rod->k, past->friction_ratio) : on;
}

/* Whether an attachment holds in a substep that begins at st->time; what it catches then stays its target. A step that
 * is taken again from there catches again. */
static bool attachment_holds(model *m, const state *st, int32_t index)
{
    attachment *a = m->defs->attachments.items[index].item;
    a->holds = st->time >= a->from - ATTACHMENT_TIME_SLACK && st->time < a->until - ATTACHMENT_TIME_SLACK;
    bool catches = a->holds && a->catches && (!a->has_caught || st->time <= a->caught_at);
    int32_t offset = definitions_cloth(m->defs, a->cloth)->offset;
    for (int32_t k = 0; catches && k < a->n; k++)
        a->targets[k] = attachment_target_at(m->defs, a, st->q[offset + a->nodes[k]], st->time);
    if (catches && a->kind == WEFT_ATTACH_CLAMP) {
        clamp_catch(m->defs, a, st->q, st->time);
        clamps_take_normals(m, index);
    }
    if (catches)
        a->caught_at = st->time;
    a->has_caught = a->has_caught ? st->time >= a->from - ATTACHMENT_TIME_SLACK : catches;
    return a->holds;
}

static void hold_attachment(model *m, const state *st, const attachment *a, double time, const substep *sub,
                            int32_t *n_rods)
{
    int32_t offset = definitions_cloth(m->defs, a->cloth)->offset;
    for (int32_t k = 0; k < a->n; k++) {
        int32_t dof = m->rows[offset + a->nodes[k]].dof[0]; /* itself, but where it is welded to another */
        switch (a->kind) {
        case WEFT_ATTACH_PIN:
        case WEFT_ATTACH_CLAMP:
            m->filters[dof].kind = FREEDOM_NONE;
            m->q1[dof] = pin_target(a, k, st->q[dof], time, sub);
            break;
        case WEFT_ATTACH_COLLIDER:
            m->filters[dof].kind = FREEDOM_NONE;
            m->q1[dof] =
                pose_apply(&m->colliders[definitions_collider(m->defs, a->collider)->model_index].to, a->targets[k]);
            break;
        case WEFT_ATTACH_ROD: hold_line(m, st, a, dof, &m->rods[(*n_rods)++]); break;
        case WEFT_ATTACH_SOFT: /* an element of the forces, below */ break;
        }
    }
}

static void move_soft_targets(model *m, double time)
{
    force_array *list = &m->forces.list[FORCE_SOFT];
    soft_element *soft = list->items;
    for (int32_t i = 0; i < list->n; i++) {
        const attachment *a = m->defs->attachments.items[soft[i].owner].item;
        vec3 target = a->targets[soft[i].item];
        soft[i].target = a->keys.n > 0 ? keyed_target(a, target, time) : target;
        soft[i].k = a->holds ? a->stiffness[soft[i].item] : 0;
    }
}

static void hold_nodes(model *m, const state *st, const substep *sub)
{
    double end = st->time + sub->h;
    int32_t n_rods = 0;
    for (int32_t i = 0; i < m->n_colliders; i++) {
        m->colliders[i].from = sim_collider_pose(m->collider_owner[i], st->time);
        m->colliders[i].to = sim_collider_pose(m->collider_owner[i], end);
    }
    move_meshes(m, st, sub);
    for (int32_t i = 0; i < m->n; i++)
        m->filters[i] = (filter){m->rows[i].dof[0] == i ? FREEDOM_ALL : FREEDOM_NONE, NULL};
    for (int32_t i = 0; i < m->defs->attachments.n; i++)
        if (m->defs->attachments.items[i].item && attachment_holds(m, st, i))
            hold_attachment(m, st, m->defs->attachments.items[i].item, end, sub, &n_rods);
    for (int32_t i = 0; i < m->n_between; i++) {
        const held_between *b = &m->between[i];
        if (!((const attachment *)m->defs->attachments.items[b->owner].item)->holds)
            continue;
        if (b->is_rod) {
            hold_line(m, st, m->defs->attachments.items[b->owner].item, b->node, &m->rods[n_rods++]);
            continue;
        }
        m->filters[b->node].kind = FREEDOM_NONE;
        m->q1[b->node] = v3_scale(0.5, v3_add(m->q1[b->end[0]], m->q1[b->end[1]]));
    }
    m->n_rods = n_rods;
    follow_parents(m, m->q1);
    move_soft_targets(m, end);
    clamps_turn(m, end);
    m->collider_contacts.h = sub->h;
    collider_contact_find_embedded(&m->collider_contacts, st->q, m->filters, m->rows);
}

/* Nodes that follow others have no mass of their own: what the user puts there goes to those. */
static void hand_on_forces(model *m)
{
    for (int32_t i = 0; i < m->n; i++) {
        const node_row *r = &m->rows[i];
        for (int d = 0; d < 2 && r->dof[0] != i && r->dof[d] >= 0; d++)
            m->external[r->dof[d]] = v3_madd(m->external[r->dof[d]], row_weight(r), m->external[i]);
    }
}

static void external_accelerations(model *m, const state *st)
{
    if (!m->external)
        return;
    memset(m->external, 0, (size_t)m->n * sizeof *m->external);
    guard_open(m->guard);
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        const cloth *c = m->defs->cloths.items[i].item;
        if (c)
            m->def->force(m->def->force_user, (weft_cloth_id){i, m->defs->cloths.items[i].generation}, st->time,
                          c->surface->n_nodes, st->q + c->offset, st->v + c->offset, m->mass + c->offset,
                          m->external + c->offset);
    }
    guard_close(m->guard);
    hand_on_forces(m);
    for (int32_t i = 0; i < m->n; i++)
        m->external[i] = m->mass[i] > 0 ? v3_madd(m->def->gravity, 1.0 / m->mass[i], m->external[i]) : m->def->gravity;
}

vec3 external_at(const model *m, int32_t dof)
{
    return m->external ? m->external[dof] : m->def->gravity;
}

air_par air_now(const weft_sim_def *def)
{
    double half = 0.5 * def->air_density;
    return (air_par){.wind = def->wind,
                     .drag = half * def->drag_normal,
                     .skin = half * def->drag_tangential,
                     .viscosity = def->air_viscosity};
}

void constrain(model *m, const state *st, const substep *sub)
{
    hold_nodes(m, st, sub);
    external_accelerations(m, st);
}

void forget_forces(model *m)
{
    for (int32_t i = 0; i < m->defs->attachments.n; i++) {
        attachment *a = m->defs->attachments.items[i].item;
        for (int32_t k = 0; a && k < a->n; k++)
            a->force[k] = v3_zero();
    }
    for (int32_t i = 0; i < m->n_colliders; i++)
        m->collider_owner[i]->force = m->collider_owner[i]->torque = v3_zero();
}

void record_reactions(model *m, vec3 *reaction, const vec3 *q, double fraction)
{
    /* What holds a node between two others is felt by these. */
    for (int32_t i = m->n_between - 1; i >= 0; i--) {
        const held_between *b = &m->between[i];
        bool holds = ((const attachment *)m->defs->attachments.items[b->owner].item)->holds;
        for (int k = 0; holds && k < 2; k++)
            reaction[b->end[k]] = v3_madd(reaction[b->end[k]], 0.5, reaction[b->node]);
    }
    const soft_element *soft = m->forces.list[FORCE_SOFT].items;
    for (int32_t i = 0; i < m->defs->attachments.n; i++) {
        attachment *a = m->defs->attachments.items[i].item;
        if (!a || !a->holds || a->kind == WEFT_ATTACH_SOFT)
            continue;
        int32_t offset = definitions_cloth(m->defs, a->cloth)->offset;
        for (int32_t k = 0; k < a->n; k++)
            a->force[k] = v3_madd(a->force[k], -fraction, reaction[m->rows[offset + a->nodes[k]].dof[0]]);
    }
    for (int32_t i = 0; i < m->forces.list[FORCE_SOFT].n; i++) {
        attachment *a = m->defs->attachments.items[soft[i].owner].item;
        vec3 pull = v3_scale(soft[i].k, v3_sub(q[soft[i].node], soft[i].target));
        a->force[soft[i].item] = v3_madd(a->force[soft[i].item], fraction, pull);
    }
}

void record_contact(model *m, int32_t ci, vec3 point, vec3 force, double fraction)
{
    sim_collider *c = m->collider_owner[ci];
    c->force = v3_madd(c->force, fraction, force);
    c->torque = v3_madd(c->torque, fraction, v3_cross(v3_sub(point, m->colliders[ci].to.p), force));
}
