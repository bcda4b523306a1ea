/* SPDX-License-Identifier: MIT */
/* Cloth contact in a substep (cloth_contact.h): pairs are chosen before the solve, renewed between its Newton steps,
 * and remembered after it. */
#include <string.h>

#include "base/clock.h"
#include "sim/params.h"
#include "sim/phases.h"

/* All nodes: cloth from q by T, meshes as they are at the start or the end of the substep. */
void cloth_contact_place(model *m, const vec3 *q, const vec3 *mesh, vec3 *out)
{
    cloth_contact *cc = &m->cloth_contact;
    bool moved = assembly_expand(&m->assembly, q, out);
    m->n_placed += moved && out == m->x;
    if (cc->n_nodes > cc->n_cloth)
        memcpy(out + cc->n_cloth, mesh, (size_t)(cc->n_nodes - cc->n_cloth) * sizeof *out);
}

bool cloth_contact_couple(model *m, weft_step_stats *stats)
{
    cloth_contact *cc = &m->cloth_contact;
    couple_list list = {0};
    bool changed;
    if (!cc->bvh)
        return true;
    double t0 = clock_seconds();
    if (cc->pairs.n > 0)
        list = (couple_list){cc->pairs.states->pair.node, &cc->pairs.states->pair.edges, sizeof *cc->pairs.states,
                             cc->pairs.n};
    bool ok = contact_sum_plan(&m->newton.pairs, &m->assembly, cc->pairs.terms, cc->pairs.n, NULL) &&
              couple_contacts(&cc->couple, &m->assembly, &m->newton, &list, &changed);
    stats->recouplings += ok && changed;
    stats->seconds_meet += clock_seconds() - t0;
    return ok;
}

bool cloth_contact_begin(model *m, const state *st, double h, weft_step_stats *stats)
{
    cloth_contact *cc = &m->cloth_contact;
    if (!cc->bvh)
        return true;
    double t0 = clock_seconds();
    m->weight = 0;
    for (int32_t i = 0; i < m->n; i++)
        if (m->filters[i].kind == FREEDOM_ALL)
            m->weight += m->mass[i] * v3_len(external_at(m, i));
    cloth_contact_place(m, st->q, m->mesh.x0, cc->x0);
    cloth_contact_place(m, m->q1, m->mesh.x1, cc->x1);
    if (cc->n_tangled > 0 && tangled_find(m, st, cc->x0, NULL) < 0)
        return false;
    cc->parting = cc->n_tangled > 0;
    stats->tangled = cc->n_tangled > stats->tangled ? cc->n_tangled : stats->tangled;
    cc->pairs.h = cc->prevent.h = h;
    cc->pairs.slow = m->def->contact == WEFT_CONTACT_FINE ? PAIR_LYING_SPEED * gravity_or_one(m->def) * h * h : 0;
    cc->pairs.memory = &st->pairs;
    cc->pairs.rest_radius = st->pair_radius;
    cc->pairs.tangled = cc->tangled;
    arena_mark before = arena_mark_of(m->scratch);
    bool ok = (verlet_list_is_valid(&cc->list, cc->x0, cc->x1) || verlet_list_make(&cc->list, cc->x0, cc->x1)) &&
              pair_set_find(&cc->pairs, &cc->list, cc->x1);
    arena_release(m->scratch, before);
    stats->pairs = cc->pairs.n;
    stats->smallest_gap = min_of(stats->smallest_gap, cc->pairs.least);
    stats->neighbours += cc->list.pairs.n_vertex_triangle + cc->list.pairs.n_edge_edge;
    stats->seconds_meet += clock_seconds() - t0;
    return ok;
}

int32_t cloth_contact_wish(const model *m)
{
    const pair_set *near = &m->cloth_contact.pairs;
    double few = max_of(STEP_CONTROL_FEW_PAIRS * near->n, STEP_CONTROL_FEW_NODES * m->n);
    int32_t i = 0;
    while (i < PAIR_PASSING_LEVELS - 1 && near->passing[i] > few)
        i++;
    return untangling_wish(m, i - 1);
}

bool cloth_contact_slides(const model *m)
{
    const pair_set *p = &m->cloth_contact.pairs;
    return m->cloth_contact.bvh && p->n_switched > SLIDING_SWITCHED * p->n && p->sliding > SLIDING_WEIGHT * m->weight;
}

bool cloth_contact_refresh(model *m, const vec3 *q, newton_moment moment)
{
    cloth_contact *cc = &m->cloth_contact;
    if (!cc->bvh || cc->pairs.n == 0 || (moment != NEWTON_FIRST && moment != NEWTON_NEXT))
        return true;
    cloth_contact_place(m, q, m->mesh.x1, cc->x);
    if (moment == NEWTON_FIRST) {
        pair_set_note(&cc->pairs, cc->x);
        return true;
    }
    pair_set_update(&cc->pairs, cc->x, cc->x);
    return pair_set_is_settled(&cc->pairs);
}

void cloth_contact_measure(model *m, const vec3 *q)
{
    cloth_contact *cc = &m->cloth_contact;
    if (!cc->bvh || cc->pairs.n == 0)
        return;
    cloth_contact_place(m, q, m->mesh.x1, cc->x);
    pair_set_measure(&cc->pairs, cc->x);
}

bool cloth_contact_remember(model *m)
{
    cloth_contact *cc = &m->cloth_contact;
    return !cc->bvh || (pair_set_remember(&cc->pairs, m->assembly.x, &cc->next) &&
                        pair_set_rest(&cc->pairs, m->assembly.x, m->next_radius));
}

static pair_hit get_hit(const void *context, int32_t i)
{
    prevent_hit h = prevent_get_hit(context, i);
    pair_hit hit = {.pair = {.edges = h.edges}, .normal = h.normal};
    memcpy(hit.pair.node, h.node, sizeof h.node);
    memcpy(hit.w, h.w, sizeof h.w);
    return hit;
}

bool cloth_contact_again(model *m, weft_step_stats *stats)
{
    cloth_contact *cc = &m->cloth_contact;
    return pair_set_add_hits(&cc->pairs, prevent_n_hits(&cc->prevent), get_hit, &cc->prevent, cc->x1) &&
           cloth_contact_couple(m, stats);
}

/* What cloth exerts on the meshes through the pairs that the solve felt. */
void cloth_contact_record(model *m, const vec3 *q, double fraction)
{
    cloth_contact *cc = &m->cloth_contact;
    if (!cc->bvh || cc->n_nodes == cc->n_cloth)
        return;
    cloth_contact_place(m, q, m->mesh.x1, cc->x);
    for (int32_t i = 0; i < cc->pairs.n; i++) {
        const pair_state *st = &cc->pairs.states[i];
        bool first = st->pair.node[0] >= cc->n_cloth;
        int32_t node = st->pair.node[first ? 0 : 3];
        if (node < cc->n_cloth)
            continue;
        vec3 g, point = v3_zero();
        contact_eval(&cc->pairs.terms[i], cc->x, &g, NULL);
        for (int k = 0; k < cc->pairs.terms[i].n; k++) /* the weights of the cloth's side are 1, or −1, in all */
            point = v3_madd(point, first ? -cc->pairs.terms[i].w[k] : cc->pairs.terms[i].w[k],
                            cc->x[cc->pairs.terms[i].node[k]]);
        record_contact(m, m->mesh.node_owner[node - cc->n_cloth], point, v3_scale(first ? -1 : 1, g), fraction);
    }
}
