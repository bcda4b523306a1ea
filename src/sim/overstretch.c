/* SPDX-License-Identifier: MIT */
/* Cloth beyond its stretch limit (step control, substep.h).
 *
 * The limit is kept inside the solve, by a barrier. What is over it at the end of a substep was stretched by impulses
 * that stopped nodes after the solve, or is what a solve has left that came to no end: both get less with the way that
 * nodes go in a substep. So a substep that stretches an edge far beyond the limit is taken again in halves. */
#include "base/ranges.h"
#include "sim/params.h"
#include "sim/phases.h"

typedef struct over_run {
    const model *m;
    const vec3 *q;
    const ranges *ranges;
    double over_sq[RANGES_MOST];
} over_run;

static vec3 end_of_edge(const over_run *r, int32_t vi)
{
    const node_row *row = &r->m->rows[vi];
    return row->dof[1] < 0 ? r->q[row->dof[0]] : v3_scale(0.5, v3_add(r->q[row->dof[0]], r->q[row->dof[1]]));
}

static void over_range(void *context, int32_t range)
{
    over_run *r = context;
    const edge_element *edges = r->m->forces.edges.items;
    double most = 0;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        const edge_par *p = forces_edge(&r->m->forces, &edges[i]);
        double limit = p->length * edge_limit(p);
        if (p->taut > 0)
            most = max_of(most, v3_len_sq(v3_sub(end_of_edge(r, edges[i].node[1]), end_of_edge(r, edges[i].node[0]))) /
                                    (limit * limit));
    }
    r->over_sq[range] = most;
}

double stretch_over_limit(const model *m, const vec3 *q)
{
    ranges of_edges = ranges_of(m->forces.edges.n);
    over_run r = {.m = m, .q = q, .ranges = &of_edges};
    double most = 0;
    if (!m->forces.stiffened)
        return 0;
    pool_for(m->pool, of_edges.n, over_range, &r);
    for (int32_t i = 0; i < of_edges.n; i++)
        most = max_of(most, r.over_sq[i]);
    return sqrt(most);
}

/* Not while something is pulled apart, which stretches more than that; nor where colliders have left something no room
 * in this step, which is told, or in a crowd that no solve parts: what is stretched there shorter steps do not mend. */
bool substep_overstretches(const model *m, const state *st)
{
    const cloth_contact *cc = &m->cloth_contact;
    if (cc->bvh && (cc->n_tangled > 0 || cc->n_squeezed > 0 || cc->solves_in_vain))
        return false;
    double over = stretch_over_limit(m, m->q1);
    bool grows = over > OVERSTRETCH && over > stretch_over_limit(m, st->q);
    return grows && over > OVERSTRETCH * forced_stretch(m, m->q1);
}
