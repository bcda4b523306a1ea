/* SPDX-License-Identifier: MIT */
/* How far what is held goes in a substep beside its free neighbours (step control, substep.h).
 *
 * Where held nodes are at the end of a substep is known before it is solved, and so is where their neighbours would
 * go by themselves. Where these part by edges, no few Newton steps find the way in between: one pinned node that goes
 * on by eight edges stretches the edges about it, the stretch limit's barrier answers, and the line search stops all
 * the cloth. Substeps in which they part by half an edge are right, and cheaper in all. What is carried along at a
 * constant speed does not part, however fast it goes. */
#include "base/ranges.h"
#include "sim/params.h"
#include "sim/phases.h"

typedef struct held_run {
    const model *m;
    const state *st;
    const ranges *ranges;
    double way_sq[RANGES_MOST]; /* in edges, the farthest */
} held_run;

/* How far a node goes, held or by the guess. */
static vec3 way_of_node(const held_run *r, int32_t vi)
{
    const node_row *row = &r->m->rows[vi];
    vec3 way = v3_sub(r->m->q1[row->dof[0]], r->st->q[row->dof[0]]);
    if (row->dof[1] < 0)
        return way;
    return v3_scale(0.5, v3_add(way, v3_sub(r->m->q1[row->dof[1]], r->st->q[row->dof[1]])));
}

static bool node_is_held(const model *m, int32_t vi)
{
    const node_row *row = &m->rows[vi];
    return m->filters[row->dof[0]].kind == FREEDOM_NONE &&
           (row->dof[1] < 0 || m->filters[row->dof[1]].kind == FREEDOM_NONE);
}

static void parting_range(void *context, int32_t range)
{
    held_run *r = context;
    const edge_element *edges = r->m->forces.edges.items;
    double most = 0;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        const edge_element *e = &edges[i];
        bool held[2] = {node_is_held(r->m, e->node[0]), node_is_held(r->m, e->node[1])};
        if (held[0] == held[1])
            continue;
        double length = forces_edge(&r->m->forces, e)->length;
        vec3 a = way_of_node(r, e->node[0]), b = way_of_node(r, e->node[1]);
        double least = 0.5 * HELD_PARTING * length; /* else it is the free one that is fast */
        if (v3_len_sq(held[0] ? a : b) > least * least)
            most = max_of(most, v3_len_sq(v3_sub(b, a)) / (length * length));
    }
    r->way_sq[range] = most;
}

/* How far held nodes part from free ones at the other end of an edge, in edges. */
static double find_parting(const model *m, const state *st)
{
    ranges of_edges = ranges_of(m->forces.edges.n);
    held_run r = {.m = m, .st = st, .ranges = &of_edges};
    double most = 0;
    pool_for(m->pool, of_edges.n, parting_range, &r);
    for (int32_t i = 0; i < of_edges.n; i++)
        most = max_of(most, r.way_sq[i]);
    return sqrt(most);
}

static bool any_held_moves(const model *m, const state *st)
{
    for (int32_t i = 0; i < m->n; i++)
        if (m->filters[i].kind == FREEDOM_NONE && m->rows[i].dof[0] == i && v3_len_sq(v3_sub(m->q1[i], st->q[i])) > 0)
            return true;
    return false;
}

int32_t held_motion_wish(const model *m, const state *st)
{
    if (!any_held_moves(m, st))
        return -1;
    double way = 2 * find_parting(m, st) / HELD_PARTING;
    int32_t wish = -1;
    for (; way > 1 && wish < STEP_CONTROL_DEEPEST; way *= 0.5)
        wish++;
    return wish;
}
