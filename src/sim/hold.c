/* SPDX-License-Identifier: MIT */
/* What holds nodes during a substep: attachments as filters with prescribed ends, rods, colliders' placements; and what
 * pushes them from outside. */
#include <string.h>

#include "sim/sim.h"

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
    double share = sub->h / (sub->whole - sub->done);
    return share >= 1 ? a->targets[k] : v3_madd(from, share, v3_sub(a->targets[k], from));
}

static void hold_line(weft_sim *s, const attachment *a, int32_t dof, rod_term *rod)
{
    model *m = &s->model;
    const state *st = &s->state;
    vec3 d = v3_sub(st->q[dof], a->rod_point);
    vec3 on = v3_madd(a->rod_point, v3_dot(d, a->rod_axis), a->rod_axis);
    const contact_memory *past = &st->memory[dof];
    bool known = past->owner == OWNER_ROD;
    m->filters[dof] = (filter){FREEDOM_LINE, &a->rod_axis};
    m->q1[dof] = on;
    *rod = (rod_term){.dof = dof,
                      .axis = a->rod_axis,
                      .k = forces_node(&m->forces, dof)->stiffness,
                      .friction = a->rod_friction,
                      .force = known ? past->force : 0};
    rod->anchor = known ? v3_madd(on, -rod->friction * rod->force / rod->k, past->friction_ratio) : on;
}

static void hold_attachment(weft_sim *s, const attachment *a, double time, const substep *sub, int32_t *n_rods)
{
    model *m = &s->model;
    int32_t offset = sim_get_cloth(s, a->cloth, NULL)->offset;
    for (int32_t k = 0; k < a->n; k++) {
        int32_t dof = m->rows[offset + a->nodes[k]].dof[0]; /* itself, but where it is welded to another */
        switch (a->kind) {
        case WEFT_ATTACH_PIN:
            m->filters[dof].kind = FREEDOM_NONE;
            m->q1[dof] = pin_target(a, k, s->state.q[dof], time, sub);
            break;
        case WEFT_ATTACH_COLLIDER:
            m->filters[dof].kind = FREEDOM_NONE;
            m->q1[dof] =
                pose_apply(&m->colliders[sim_get_collider(s, a->collider, NULL)->model_index].to, a->targets[k]);
            break;
        case WEFT_ATTACH_ROD: hold_line(s, a, dof, &m->rods[(*n_rods)++]); break;
        case WEFT_ATTACH_SOFT: /* an element of the forces, below */ break;
        }
    }
}

static void move_soft_targets(weft_sim *s, double time)
{
    force_array *list = &s->model.forces.list[FORCE_SOFT];
    soft_element *soft = list->items;
    for (int32_t i = 0; i < list->n; i++) {
        const attachment *a = s->attachments.items[soft[i].owner].item;
        vec3 target = a->targets[soft[i].item];
        soft[i].target = a->keys.n > 0 ? keyed_target(a, target, time) : target;
    }
}

void hold_nodes(weft_sim *s, const substep *sub)
{
    model *m = &s->model;
    double end = s->state.time + sub->h;
    int32_t n_rods = 0;
    for (int32_t i = 0; i < m->n_colliders; i++) {
        m->colliders[i].from = sim_collider_pose(m->collider_owner[i], s->state.time);
        m->colliders[i].to = sim_collider_pose(m->collider_owner[i], end);
    }
    move_meshes(s, sub);
    for (int32_t i = 0; i < m->n; i++)
        m->filters[i] = (filter){m->rows[i].dof[0] == i ? FREEDOM_ALL : FREEDOM_NONE, NULL};
    for (int32_t i = 0; i < s->attachments.n; i++)
        if (s->attachments.items[i].item)
            hold_attachment(s, s->attachments.items[i].item, end, sub, &n_rods);
    for (int32_t i = 0; i < m->n_between; i++) {
        const held_between *b = &m->between[i];
        if (b->rod >= 0) {
            hold_line(s, s->attachments.items[b->rod].item, b->node, &m->rods[n_rods++]);
            continue;
        }
        m->filters[b->node].kind = FREEDOM_NONE;
        m->q1[b->node] = v3_scale(0.5, v3_add(m->q1[b->end[0]], m->q1[b->end[1]]));
    }
    follow_parents(s, m->q1);
    move_soft_targets(s, end);
    m->collider_contacts.h = sub->h;
    collider_contact_look(&m->collider_contacts, s->state.q, m->filters, m->rows);
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

void external_accelerations(weft_sim *s)
{
    model *m = &s->model;
    if (!m->external)
        return;
    memset(m->external, 0, (size_t)m->n * sizeof *m->external);
    for (int32_t i = 0; i < s->cloths.n; i++) {
        const cloth *c = s->cloths.items[i].item;
        if (c)
            s->def.force(s->def.force_user, (weft_cloth_id){i, s->cloths.items[i].generation}, s->state.time,
                         c->surface->n_nodes, s->state.q + c->offset, s->state.v + c->offset, m->mass + c->offset,
                         m->external + c->offset);
    }
    hand_on_forces(m);
    for (int32_t i = 0; i < m->n; i++)
        m->external[i] = m->mass[i] > 0 ? v3_madd(s->def.gravity, 1.0 / m->mass[i], m->external[i]) : s->def.gravity;
}

vec3 external_at(const weft_sim *s, int32_t dof)
{
    return s->model.external ? s->model.external[dof] : s->def.gravity;
}

air_par air_now(const weft_sim *s)
{
    double half = 0.5 * s->def.air_density;
    return (air_par){.wind = s->def.wind,
                     .drag = half * s->def.drag_normal,
                     .skin = half * s->def.drag_tangential,
                     .viscosity = s->def.air_viscosity};
}

void record_reactions(weft_sim *s, vec3 *reaction, const vec3 *q, double share)
{
    /* What holds a node between two others is felt by these. */
    for (int32_t i = s->model.n_between - 1; i >= 0; i--) {
        const held_between *b = &s->model.between[i];
        for (int k = 0; k < 2; k++)
            reaction[b->end[k]] = v3_madd(reaction[b->end[k]], 0.5, reaction[b->node]);
    }
    const soft_element *soft = s->model.forces.list[FORCE_SOFT].items;
    for (int32_t i = 0; i < s->attachments.n; i++) {
        attachment *a = s->attachments.items[i].item;
        if (!a || a->kind == WEFT_ATTACH_SOFT)
            continue;
        int32_t offset = sim_get_cloth(s, a->cloth, NULL)->offset;
        for (int32_t k = 0; k < a->n; k++)
            a->force[k] = v3_madd(a->force[k], -share, reaction[s->model.rows[offset + a->nodes[k]].dof[0]]);
    }
    for (int32_t i = 0; i < s->model.forces.list[FORCE_SOFT].n; i++) {
        attachment *a = s->attachments.items[soft[i].owner].item;
        vec3 pull = v3_scale(soft[i].k, v3_sub(q[soft[i].node], soft[i].target));
        a->force[soft[i].item] = v3_madd(a->force[soft[i].item], share, pull);
    }
}

void record_contact(weft_sim *s, int32_t index, vec3 point, vec3 force, double share)
{
    sim_collider *c = s->model.collider_owner[index];
    c->force = v3_madd(c->force, share, force);
    c->torque = v3_madd(c->torque, share, v3_cross(v3_sub(point, s->model.colliders[index].to.p), force));
}
