/* SPDX-License-Identifier: MIT */
/* Provot 1995's way with the stretch limit, beside the stiffening that is the default: after the step, edges longer
 * than their limit are shortened to it, both ends by their mobility, in sweeps over all edges. What a sweep corrects
 * the next may undo, so the limit holds only nearly; velocities follow the positions. */
#include "sim/sim.h"

#define LIMIT_SWEEPS 20

static double mobility(const weft_sim *s, int32_t i)
{
    return s->model.filters[i].kind == FREEDOM_ALL ? 1.0 / s->model.mass[i] : 0.0;
}

static bool shorten(weft_sim *s, const edge_element *ed, double h)
{
    model *m = &s->model;
    int32_t a = ed->node[0], b = ed->node[1];
    vec3 d = v3_sub(m->q1[b], m->q1[a]);
    double l = v3_len(d), over = l - ed->limit * ed->length, wa = mobility(s, a), wb = mobility(s, b);
    if (ed->limit == 0 || over <= 1e-9 * ed->length || wa + wb == 0)
        return false;
    vec3 u = v3_scale(over / (l * (wa + wb)), d);
    m->q1[a] = v3_madd(m->q1[a], wa, u);
    m->q1[b] = v3_madd(m->q1[b], -wb, u);
    m->v1[a] = v3_madd(m->v1[a], wa / h, u);
    m->v1[b] = v3_madd(m->v1[b], -wb / h, u);
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
