/* SPDX-License-Identifier: MIT */
/* What contacts press on cloth with. Normal forces go to degrees of freedom by the weights of the contact's points and
 * of T, as masses do; a pressure is such a force over the area that goes there likewise. So forces on a cloth add up to
 * those of its contacts, and where nodes hang, or are welded, the pressure goes on smoothly.
 *
 * Nothing of a step reads them. */
#include <math.h>
#include <string.h>

#include "mesh/corner_area.h"
#include "sim/phases.h"
#include "sim/sim.h"

/* Adds what falls to a node to its degrees of freedom. */
static void hand_down(const model *m, int32_t node, double amount, double *sums)
{
    const node_row *r = &m->rows[node];
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
        sums[r->dof[d]] += row_weight(r) * amount;
}

bool pressure_make(model *m)
{
    if (!MEM_MAKE(m->mem, m->pressed, m->n) || !MEM_MAKE(m->mem, m->area, m->n))
        return false;
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        const cloth *c = m->defs->cloths.items[i].item;
        for (int32_t ei = 0; c && ei < c->surface->n_elements; ei++) {
            const element *el = &c->surface->elements[ei];
            double area[4];
            surface_corner_areas(c->surface, ei, area);
            for (int k = 0; k < el->n; k++)
                hand_down(m, c->offset + el->node[k], area[k], m->area);
        }
    }
    return true;
}

void pressure_free(model *m)
{
    MEM_FREE(m->mem, m->pressed, m->n);
    MEM_FREE(m->mem, m->area, m->n);
}

void pressure_clear(model *m)
{
    if (m->n > 0)
        memset(m->pressed, 0, (size_t)m->n * sizeof *m->pressed);
}

void pressure_add(model *m, int32_t node, double force)
{
    hand_down(m, node, force, m->pressed);
}

static void add_term(model *m, const contact_term *c, const vec3 *x, double fraction)
{
    double force = fraction * contact_force(c, x);
    for (int k = 0; k < c->n && force > 0; k++)
        if (c->node[k] < m->n)
            hand_down(m, c->node[k], fabs(c->w[k]) * force, m->pressed);
}

void pressure_record(model *m, double fraction)
{
    cloth_contact *cc = &m->cloth_contact;
    for (int32_t i = 0; i < m->collider_contacts.n_contacts; i++)
        add_term(m, &m->collider_contacts.contacts[i], m->assembly.x, fraction);
    if (!cc->bvh || cc->pairs.n == 0)
        return;
    cloth_contact_place(m, m->q1, m->mesh.x1, cc->x);
    for (int32_t i = 0; i < cc->pairs.n; i++)
        add_term(m, &cc->pairs.terms[i], cc->x, fraction);
}

static double pressure_at(const model *m, int32_t node)
{
    const node_row *r = &m->rows[node];
    double sum = 0;
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
        sum += m->area[r->dof[d]] > 0 ? row_weight(r) * m->pressed[r->dof[d]] / m->area[r->dof[d]] : 0;
    return sum;
}

weft_result weft_cloth_get_pressures(const weft_sim *s, weft_cloth_id id, double *out, int32_t n, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const cloth *c = sim_get_cloth(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    int32_t wanted = c->surface->n_nodes;
    if (!out || n < wanted)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "room for %d items is needed, there is %d", wanted, out ? n : 0);
    for (int32_t i = 0; i < wanted; i++)
        out[i] = s->model.dirty ? 0 : pressure_at(&s->model, c->offset + i);
    return WEFT_OK;
}
