/* SPDX-License-Identifier: MIT */
/* The model: forces, matrix pattern and work space for the present definitions. Made anew when these have changed; a
 * failure leaves it dirty and the state as it was. */
#include "sim/sim.h"

void model_invalidate(weft_sim *s)
{
    s->model.dirty = true;
}

static void free_vectors(weft_sim *s, model *m)
{
    MEM_FREE(&s->mem, m->filters, m->n);
    MEM_FREE(&s->mem, m->mass, m->n);
    MEM_FREE(&s->mem, m->gamma, m->n);
    MEM_FREE(&s->mem, m->base, m->n);
    MEM_FREE(&s->mem, m->motion, m->n);
    MEM_FREE(&s->mem, m->target, m->n);
    MEM_FREE(&s->mem, m->q1, m->n);
    MEM_FREE(&s->mem, m->v1, m->n);
    MEM_FREE(&s->mem, m->external, m->n);
    MEM_FREE(&s->mem, m->moved, m->n);
    MEM_FREE(&s->mem, m->x0, m->n);
    MEM_FREE(&s->mem, m->x, m->n);
    MEM_FREE(&s->mem, m->next_memory, m->n);
    MEM_FREE(&s->mem, m->next_restart, m->n);
}

static bool make_vectors(weft_sim *s, model *m)
{
    return MEM_MAKE(&s->mem, m->filters, m->n) && MEM_MAKE(&s->mem, m->mass, m->n) &&
           MEM_MAKE(&s->mem, m->gamma, m->n) && MEM_MAKE(&s->mem, m->base, m->n) &&
           MEM_MAKE(&s->mem, m->motion, m->n) && MEM_MAKE(&s->mem, m->target, m->n) && MEM_MAKE(&s->mem, m->q1, m->n) &&
           MEM_MAKE(&s->mem, m->v1, m->n) && MEM_MAKE(&s->mem, m->external, m->n) &&
           MEM_MAKE(&s->mem, m->moved, m->n) && MEM_MAKE(&s->mem, m->x0, m->n) && MEM_MAKE(&s->mem, m->x, m->n) &&
           MEM_MAKE(&s->mem, m->next_memory, m->n) && MEM_MAKE(&s->mem, m->next_restart, m->n);
}

void model_destroy(weft_sim *s)
{
    model *m = &s->model;
    if (m->forces.mem)
        forces_destroy(&m->forces);
    assembly_destroy(&m->assembly);
    newton_destroy(&m->newton, &s->mem);
    touch_destroy(&m->touch);
    MEM_FREE(&s->mem, m->rows, m->n);
    free_vectors(s, m);
    MEM_FREE(&s->mem, m->colliders, m->n_colliders);
    MEM_FREE(&s->mem, m->collider_owner, m->n_colliders);
    MEM_FREE(&s->mem, m->rods, m->n_rods);
    *m = (model){.dirty = true};
}

static bool add_ties(weft_sim *s, model *m)
{
    for (int32_t i = 0; i < s->ties.n; i++) {
        const tie *t = s->ties.items[i].item;
        if (!t)
            continue;
        int32_t a = sim_get_cloth(s, t->cloth_a, NULL)->offset, b = sim_get_cloth(s, t->cloth_b, NULL)->offset;
        for (int32_t k = 0; k < t->n; k++) {
            spring_element *sp = forces_push(&m->forces, FORCE_SPRING);
            if (!sp)
                return false;
            *sp = (spring_element){{a + t->a[k], b + t->b[k]}, {.k = t->stiffness, .length = t->length}, t->damping};
        }
    }
    return true;
}

static bool add_soft_pins(weft_sim *s, model *m)
{
    for (int32_t i = 0; i < s->attachments.n; i++) {
        const attachment *a = s->attachments.items[i].item;
        for (int32_t k = 0; a && a->kind == WEFT_ATTACH_SOFT && k < a->n; k++) {
            soft_element *so = forces_push(&m->forces, FORCE_SOFT);
            if (!so)
                return false;
            *so = (soft_element){.node = sim_get_cloth(s, a->cloth, NULL)->offset + a->nodes[k],
                                 .owner = i,
                                 .item = k,
                                 .k = a->stiffness[k],
                                 .target = a->targets[k]};
        }
    }
    return true;
}

static bool make_forces(weft_sim *s, model *m)
{
    forces_init(&m->forces, &s->mem);
    if (!forces_set_nodes(&m->forces, m->n) || !MEM_MAKE(&s->mem, m->rows, m->n))
        return false;
    for (int32_t i = 0; i < s->cloths.n; i++) {
        cloth *c = s->cloths.items[i].item;
        if (!c)
            continue;
        c->model_shares = m->forces.shares.n;
        if (!forces_add_cloth(&m->forces, c->surface, &c->material, c->offset))
            return false;
        for (int32_t vi = 0; vi < c->surface->n_nodes; vi++) {
            node_row r = c->surface->rows[vi];
            r.dof[0] += c->offset;
            r.dof[1] += r.dof[1] >= 0 ? c->offset : 0;
            m->rows[c->offset + vi] = r;
        }
    }
    return add_ties(s, m) && add_soft_pins(s, m);
}

static bool make_colliders(weft_sim *s, model *m)
{
    int32_t n = 0;
    for (int32_t i = 0; i < s->colliders.n; i++)
        n += s->colliders.items[i].item != NULL;
    m->n_colliders = n;
    if (!MEM_MAKE(&s->mem, m->colliders, n) || !MEM_MAKE(&s->mem, m->collider_owner, n))
        return false;
    n = 0;
    for (int32_t i = 0; i < s->colliders.n; i++) {
        sim_collider *c = s->colliders.items[i].item;
        if (!c)
            continue;
        c->model_index = n;
        m->collider_owner[n] = c;
        m->colliders[n++] = (collider){.shape = c->shape, .friction = c->friction, .dissipation = c->dissipation};
    }
    return true;
}

static bool make_rods(weft_sim *s, model *m)
{
    for (int32_t i = 0; i < s->attachments.n; i++) {
        const attachment *a = s->attachments.items[i].item;
        if (a && a->kind == WEFT_ATTACH_ROD)
            m->n_rods += a->n;
    }
    return MEM_MAKE(&s->mem, m->rods, m->n_rods);
}

/* Masses go to degrees of freedom by the weights of T. */
static void lump_masses(model *m)
{
    for (int32_t vi = 0; vi < m->n; vi++)
        for (int d = 0; d < 2 && m->rows[vi].dof[d] >= 0; d++)
            m->mass[m->rows[vi].dof[d]] += m->rows[vi].weight[d] * m->forces.nodes[vi].mass;
}

static double mean_edge(const forces *f)
{
    const edge_element *edges = f->edges.items;
    double sum = 0;
    for (int32_t i = 0; i < f->edges.n; i++)
        sum += edges[i].length;
    return f->edges.n > 0 ? sum / f->edges.n : 0.01;
}

static bool make_all(weft_sim *s, model *m)
{
    m->n = s->state.n;
    if (!make_vectors(s, m) || !make_forces(s, m) || !make_colliders(s, m) || !make_rods(s, m))
        return false;
    lump_masses(m);
    m->mean_edge = mean_edge(&m->forces);
    return assembly_create(&m->assembly, &s->mem, s->pool, &m->forces, m->rows, m->n, m->n) &&
           newton_create(&m->newton, &s->mem, m->n) &&
           touch_create(&m->touch, &s->mem, s->pool, &m->forces, m->n_colliders);
}

weft_result model_build(weft_sim *s, weft_error *e)
{
    if (!s->model.dirty)
        return WEFT_OK;
    model_destroy(s);
    if (!make_all(s, &s->model)) {
        model_destroy(s);
        return error_memory(e);
    }
    model *m = &s->model;
    m->touch.colliders = m->colliders;
    m->touch.radius = s->def.contact_radius;
    m->touch.stiffness = s->def.contact_stiffness;
    m->touch.x0 = m->x0;
    m->touch.x = m->x;
    m->dirty = false;
    sim_log(s, WEFT_LOG_DEBUG, "model: %d nodes, %lld blocks, %d batches in %d colours, %d colliders", m->n,
            (long long)m->assembly.hessian.n_blocks, m->assembly.n_batches, m->assembly.n_colours, m->n_colliders);
    return WEFT_OK;
}
