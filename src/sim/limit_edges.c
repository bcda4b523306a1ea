/* SPDX-License-Identifier: MIT */
/* Provot 1995's way with the stretch limit, beside the stiffening that is the default: after the step, edges longer
 * than their limit are shortened to it, both ends by their mobility, in sweeps over all edges. What a sweep corrects
 * the next may undo, so the limit holds only nearly; velocities follow the positions. After the first sweep only edges
 * count that the last or the present one has moved an end of. */
#include <string.h>

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
            w += row_weight(r) * row_weight(r) / m->mass[r->dof[d]];
    return w;
}

static vec3 place(const model *m, int32_t vi)
{
    const node_row *r = &m->rows[vi];
    return r->dof[1] < 0 ? m->q1[r->dof[0]] : v3_scale(0.5, v3_add(m->q1[r->dof[0]], m->q1[r->dof[1]]));
}

/* An impulse at a node, in a sweep. */
static void push(model *m, int32_t vi, vec3 impulse, double h, int32_t sweep)
{
    const node_row *r = &m->rows[vi];
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++) {
        int32_t dof = r->dof[d];
        if (m->filters[dof].kind != FREEDOM_ALL)
            continue;
        double w = row_weight(r) / m->mass[dof];
        m->q1[dof] = v3_madd(m->q1[dof], w, impulse);
        m->v1[dof] = v3_madd(m->v1[dof], w / h, impulse);
        m->shortened[dof] = sweep;
    }
}

/* Whether an end has moved since the edge was looked at. */
static bool is_due(const model *m, const edge_element *ed, int32_t sweep)
{
    for (int k = 0; k < 2; k++) {
        const node_row *r = &m->rows[ed->node[k]];
        if (m->shortened[r->dof[0]] >= sweep - 1 || (r->dof[1] >= 0 && m->shortened[r->dof[1]] >= sweep - 1))
            return true;
    }
    return false;
}

static bool shorten(weft_sim *s, const edge_element *ed, double h, int32_t sweep)
{
    model *m = &s->model;
    if (ed->limit == 0 || !is_due(m, ed, sweep))
        return false;
    int32_t a = ed->node[0], b = ed->node[1];
    vec3 d = v3_sub(place(m, b), place(m, a));
    double most = ed->limit * ed->length, l_sq = v3_len_sq(d);
    if (l_sq <= most * most)
        return false;
    double l = sqrt(l_sq), over = l - most, w = mobility(s, a) + mobility(s, b);
    if (over <= 1e-9 * ed->length || w == 0)
        return false;
    vec3 u = v3_scale(over / (l * w), d);
    push(m, a, u, h, sweep);
    push(m, b, v3_neg(u), h, sweep);
    return true;
}

void limit_edges(weft_sim *s, double h)
{
    model *m = &s->model;
    const edge_element *edges = m->forces.edges.items;
    bool any = m->forces.limited;
    if (any)
        memset(m->shortened, 0, (size_t)m->n * sizeof *m->shortened);
    for (int32_t sweep = 1; any && sweep <= LIMIT_SWEEPS; sweep++) {
        any = false;
        for (int32_t i = 0; i < m->forces.edges.n; i++)
            any = shorten(s, &edges[i], h, sweep) || any;
    }
}
