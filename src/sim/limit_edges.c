/* SPDX-License-Identifier: MIT */
/* Provot 1995's way with the stretch limit, beside the stiffening that is the default: after the step, edges longer
 * than their limit are shortened to it, both ends by their mobility, in sweeps over all edges. What a sweep corrects
 * the next may undo, so the limit holds only nearly; velocities follow the positions. */
#include "sim/sim.h"

#define LIMIT_SWEEPS 20

/* Of a node, by its degrees of freedom. */
static double mobility(const weft_sim *s, int32_t vi)
{
    const model *m = &s->model;
    const node_row *r = &m->rows[vi];
    double w = 0;
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++)
        if (m->filters[r->dof[d]].kind == FREEDOM_ALL)
            w += r->weight[d] * r->weight[d] / m->mass[r->dof[d]];
    return w;
}

static vec3 place(const model *m, int32_t vi)
{
    const node_row *r = &m->rows[vi];
    return r->dof[1] < 0 ? m->q1[vi] : v3_scale(0.5, v3_add(m->q1[r->dof[0]], m->q1[r->dof[1]]));
}

/* An impulse at a node. */
static void push(model *m, int32_t vi, vec3 impulse, double h)
{
    const node_row *r = &m->rows[vi];
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++) {
        int32_t dof = r->dof[d];
        if (m->filters[dof].kind != FREEDOM_ALL)
            continue;
        double w = r->weight[d] / m->mass[dof];
        m->q1[dof] = v3_madd(m->q1[dof], w, impulse);
        m->v1[dof] = v3_madd(m->v1[dof], w / h, impulse);
    }
}

static bool shorten(weft_sim *s, const edge_element *ed, double h)
{
    model *m = &s->model;
    if (ed->limit == 0)
        return false;
    int32_t a = ed->node[0], b = ed->node[1];
    vec3 d = v3_sub(place(m, b), place(m, a));
    double l = v3_len(d), over = l - ed->limit * ed->length, w = mobility(s, a) + mobility(s, b);
    if (over <= 1e-9 * ed->length || w == 0)
        return false;
    vec3 u = v3_scale(over / (l * w), d);
    push(m, a, u, h);
    push(m, b, v3_neg(u), h);
    return true;
}

void limit_edges(weft_sim *s, double h)
{
    const edge_element *edges = s->model.forces.edges.items;
    bool any = true;
    for (int sweep = 0; any && sweep < LIMIT_SWEEPS; sweep++) {
        any = false;
        for (int32_t i = 0; i < s->model.forces.edges.n; i++)
            any = shorten(s, &edges[i], h) || any;
    }
}
