/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/clock.h"
#include "base/groups.h"
#include "sim/meet.h"
#include "sim/sim.h"

/* The radius within which cloths feel each other, as a share of the edge length, and at most: below a twentieth of the
 * edge contacts are too short for the step and everything is left to prevention. */
#define AUTO_SHARE 0.25
#define AUTO_RADIUS 4e-3

/* ---- making it --------------------------------------------------------------------------------------------------- */

static double pair_radius(const weft_sim *s, double edge_length)
{
    return s->def.pair_radius > 0 ? s->def.pair_radius : min_of(AUTO_RADIUS, AUTO_SHARE * edge_length);
}

/* Nodes of one panel lie in one plane at rest, and are as far from those of another as can be. */
static bool set_cloth_nodes(weft_sim *s, meeting *m, const cloth *c, int32_t *n_pieces)
{
    const surface *su = c->surface;
    int32_t most = 0;
    for (int32_t ei = 0; ei < su->n_elements; ei++) {
        const element *el = &su->elements[ei];
        most = el->panel > most ? el->panel : most;
        for (int k = 0; k < el->n; k++)
            m->nodes[c->offset + el->node[k]].piece = *n_pieces + (su->uv ? el->panel : 0);
    }
    for (int32_t vi = 0; vi < su->n_nodes; vi++) {
        const node_par *p = forces_node(&s->model.forces, c->offset + vi);
        near_node *n = &m->nodes[c->offset + vi];
        const node_row *r = &s->model.rows[c->offset + vi];
        double mass = s->model.mass[r->dof[0]], radius = pair_radius(s, p->edge_length);
        near_par par = {.thickness = p->thickness,
                        .radius = radius,
                        .guard = radius,
                        .friction = p->friction,
                        .dissipation = p->dissipation,
                        .stiffness = p->stiffness,
                        .lightness = 1 / (r->dof[1] < 0 ? mass : 0.5 * (mass + s->model.mass[r->dof[1]]))};
        n->rest = su->uv ? v3(su->uv[vi].u, su->uv[vi].v, 0) : su->rest[vi];
        n->common = alike_find(&m->pars, &s->mem, &par, sizeof par);
        if (n->common < 0)
            return false;
        m->reach = max_of(m->reach, par.thickness + par.radius);
        m->same[c->offset + vi] = r->dof[1] < 0 ? r->dof[0] : c->offset + vi;
    }
    *n_pieces += most + 1;
    return true;
}

/* Nodes that ties pull together count as one: where a seam is pulled shut its sides may touch. So do nodes that hang on
 * both sides of a seam: they follow the same. */
static void join_ties(weft_sim *s, meeting *m)
{
    for (int32_t i = 0; i < s->cloths.n; i++) {
        const cloth *c = s->cloths.items[i].item;
        for (int32_t vi = 0; c && c->surface->partner && vi < c->surface->n_nodes; vi++)
            groups_join(m->same, c->offset + vi, c->offset + c->surface->partner[vi]);
    }
    for (int32_t i = 0; i < s->ties.n; i++) {
        const tie *t = s->ties.items[i].item;
        for (int32_t k = 0; t && t->length == 0 && k < t->n; k++)
            groups_join(m->same, sim_get_cloth(s, t->cloth_a, NULL)->offset + t->a[k],
                        sim_get_cloth(s, t->cloth_b, NULL)->offset + t->b[k]);
    }
    groups_end(m->same, m->n_nodes);
}

/* Faces are those of all cloths, in their order. */
static bool set_cloth_triangles(weft_sim *s, meeting *m)
{
    const forces *f = &s->model.forces;
    int32_t n = f->list[FORCE_FACE].n;
    m->triangles = (const int32_t(*)[3])f->list[FORCE_FACE].items;
    m->object = f->face_cloth.items;
    if (m->n_triangles == n)
        return true;
    if (!MEM_MAKE(&s->mem, m->own_triangles, m->n_triangles) || !MEM_MAKE(&s->mem, m->own_object, m->n_triangles))
        return false;
    if (n > 0) {
        memcpy(m->own_triangles, m->triangles, (size_t)n * sizeof *m->triangles);
        memcpy(m->own_object, m->object, (size_t)n * sizeof *m->object);
    }
    m->triangles = (const int32_t(*)[3])m->own_triangles;
    m->object = m->own_object;
    return true;
}

/* Prevention takes the lesser radius of the two sides: that of the cloth. */
static bool set_colliders(weft_sim *s, meeting *m, int32_t first_object)
{
    int32_t n = m->n_triangles - s->model.mesh.n_triangles;
    const model_mesh *w = &s->model.mesh;
    for (int32_t i = 0; i < w->n_nodes; i++) {
        near_node *node = &m->nodes[m->n_cloth + i];
        const collider *c = &s->model.colliders[w->node_owner[i]];
        near_par par = {.guard = m->reach, .friction = c->friction, .dissipation = c->dissipation};
        *node = (near_node){.common = alike_find(&m->pars, &s->mem, &par, sizeof par), .piece = -1};
        if (node->common < 0)
            return false;
        m->same[m->n_cloth + i] = m->n_cloth + i;
    }
    for (int32_t i = 0; i < w->n_triangles; i++, n++) {
        for (int k = 0; k < 3; k++)
            m->own_triangles[n][k] = m->n_cloth + w->triangles[i][k];
        m->own_object[n] = first_object + w->owner[i];
        m->fixed[m->object[n]] = true;
    }
    return true;
}

static void count(weft_sim *s, meeting *m, int32_t *n_cloths)
{
    m->n_cloth = s->model.n;
    m->n_nodes = m->n_cloth + s->model.mesh.n_nodes;
    m->n_triangles = s->model.mesh.n_triangles;
    *n_cloths = 0;
    for (int32_t i = 0; i < s->cloths.n; i++) {
        const cloth *c = s->cloths.items[i].item;
        if (c) {
            m->n_triangles += c->surface->n_triangles;
            (*n_cloths)++;
        }
    }
    m->n_objects = *n_cloths + s->model.n_colliders;
}

static bool make_arrays(weft_sim *s, meeting *m)
{
    return set_cloth_triangles(s, m) && MEM_MAKE(&s->mem, m->fixed, m->n_objects) &&
           MEM_MAKE(&s->mem, m->same, m->n_nodes) && MEM_MAKE(&s->mem, m->nodes, m->n_nodes);
}

static bool fill(weft_sim *s, meeting *m, int32_t n_cloths)
{
    int32_t n_pieces = 0;
    for (int32_t i = 0; i < s->cloths.n; i++) {
        const cloth *c = s->cloths.items[i].item;
        if (c && !set_cloth_nodes(s, m, c, &n_pieces))
            return false;
    }
    if (!set_colliders(s, m, n_cloths))
        return false;
    join_ties(s, m);
    return alike_close(&m->pars, &s->mem, sizeof(near_par));
}

/* Analytic colliders have the last word about their thickness. */
static void keep_thickness(void *context, vec3 *x1)
{
    weft_sim *s = context;
    touch_report report = {0};
    touch_enforce(&s->model.touch, x1, s->model.filters, s->model.rows, s->model.moved, &report);
}

static double longest_side(const meeting *m)
{
    double most = 0;
    for (int32_t i = 0; i < m->n_triangles; i++)
        for (int k = 0; k < 3; k++) {
            const near_node *a = &m->nodes[m->triangles[i][k]], *b = &m->nodes[m->triangles[i][(k + 1) % 3]];
            most = max_of(most, v3_len_sq(v3_sub(b->rest, a->rest)));
        }
    return sqrt(most);
}

static void set_prevention(weft_sim *s, meeting *m)
{
    const near_par *pars = m->pars.items;
    m->near = (near_set){.mem = &s->mem, .pool = s->pool, .nodes = m->nodes, .pars = pars, .n_cloth = m->n_cloth};
    m->near.stiffness = s->def.contact_stiffness;
    m->near.reach = m->reach;
    m->near.longest = longest_side(m);
    m->near.x0 = m->x0;
    m->prevent = (prevent_world){.mem = &s->mem,
                                 .pool = s->pool,
                                 .tree = m->tree,
                                 .list = &m->list,
                                 .triangles = m->triangles,
                                 .mode = TREE_PROVEN,
                                 .n_nodes = m->n_nodes,
                                 .n_dofs = m->n_cloth,
                                 .rows = s->model.rows,
                                 .mass = s->model.mass,
                                 .filters = s->model.filters,
                                 .radius = &pars->guard,
                                 .friction = &pars->friction,
                                 .dissipation = &pars->dissipation,
                                 .stride = sizeof *pars / sizeof pars->friction,
                                 .common = &m->nodes->common,
                                 .common_stride = sizeof *m->nodes / sizeof m->nodes->common,
                                 .world_scale = s->def.world_scale,
                                 .keep = s->model.n_analytic > 0 ? keep_thickness : NULL,
                                 .exempt = tangle_exempts,
                                 .context = s};
    m->list = (near_list){.mem = &s->mem,
                          .pool = s->pool,
                          .tree = m->tree,
                          .triangles = m->triangles,
                          .n_nodes = m->n_nodes,
                          .reach = m->reach,
                          .reach_of = near_pair_reach,
                          .reach_context = &m->near};
}

/* The shape by which zones are formed: at rest, piece beside piece, so that they, and with them the order of all pairs,
 * do not depend on where the cloth has got to: a state that is restored goes on bit for bit. */
static void shape_at_rest(const weft_sim *s, const meeting *m, vec3 *out)
{
    const double apart = 64; /* m */
    int32_t at = m->n_cloth;
    for (int32_t vi = 0; vi < m->n_cloth; vi++)
        out[vi] = v3_add(m->nodes[vi].rest, v3(0, 0, apart * m->nodes[vi].piece));
    for (int32_t i = s->model.n_analytic; i < s->model.n_colliders; i++) {
        const collider_mesh *c = s->model.collider_owner[i]->mesh;
        memcpy(out + at, c->local, (size_t)c->n_vertices * sizeof *out);
        at += c->n_vertices;
    }
}

/* For a node, of the matrix' values: what pairs are chosen in. */
#define CHOOSING 96

/* Prevention has places of nodes in the matrix, and pairs are chosen there; the tree works in the preconditioner, and
 * in what is left of the matrix. */
void meet_lend(weft_sim *s)
{
    meeting *m = &s->model.meet;
    size_t bytes, places = PREVENT_PLACES * (size_t)m->n_nodes * sizeof(vec3), pairs = CHOOSING * (size_t)m->n_nodes;
    char *rest = model_lend(&s->model, &bytes);
    bool fits = bytes >= places + pairs;
    loan of_tree = {0}, of_pairs = {0};
    m->prevent.places = fits ? (vec3 *)(void *)rest : NULL;
    if (fits)
        loan_add(&of_pairs, rest + places, pairs);
    m->list.loan = m->near.loan = of_pairs;
    size_t solver;
    void *values = model_lend_values(&s->model, &solver);
    loan_add(&of_tree, values, solver);
    if (fits)
        loan_add(&of_tree, rest + places + pairs, bytes - places - pairs);
    tree_lend(m->tree, &of_tree);
}

void meet_take_back(weft_sim *s)
{
    meeting *m = &s->model.meet;
    m->prevent.places = NULL;
    m->list.loan = m->near.loan = (loan){0};
    tree_lend(m->tree, NULL);
}

weft_result meet_create(weft_sim *s, weft_error *e)
{
    meeting *m = &s->model.meet;
    int32_t n_cloths;
    if (s->def.response == WEFT_RESPONSE_NONE || s->model.n == 0)
        return WEFT_OK;
    count(s, m, &n_cloths);
    if (m->n_triangles == 0)
        return WEFT_OK;
    if (!make_arrays(s, m))
        return error_memory(e);
    m->x0 = s->model.x0;
    m->x1 = s->model.q1;
    m->x = s->model.x;
    if (!fill(s, m, n_cloths))
        return error_memory(e);
    if (m->x0 != s->state.q)
        memcpy(m->x0, s->state.q, (size_t)m->n_cloth * sizeof *m->x0);
    if (s->model.mesh.n_nodes > 0)
        memcpy(m->x0 + m->n_cloth, s->model.mesh.x0, (size_t)s->model.mesh.n_nodes * sizeof *m->x0);
    shape_at_rest(s, m, m->x1);
    tree_input in = {.n_nodes = m->n_nodes,
                     .n_triangles = m->n_triangles,
                     .triangles = m->triangles,
                     .x = m->x1,
                     .object = m->object,
                     .n_objects = m->n_objects,
                     .fixed = m->fixed,
                     .same = m->same,
                     .spare = &s->tree_spare};
    weft_result r = tree_create(&s->mem, &in, &m->tree, e);
    if (r >= 0)
        set_prevention(s, m);
    return r < 0 ? r : tangle_find(s, m->x0, e);
}

void meet_destroy(weft_sim *s)
{
    meeting *m = &s->model.meet;

    unravel_free(s);
    squeezed_free(s);
    prevent_destroy(&m->prevent);
    near_destroy(&m->near);
    near_list_destroy(&m->list);
    near_memories_destroy(&m->next, &s->mem);
    couple_destroy(&m->couple, &s->mem);
    tree_leave(m->tree, &s->tree_spare);
    MEM_FREE(&s->mem, m->own_triangles, m->n_triangles);
    MEM_FREE(&s->mem, m->own_object, m->n_triangles);
    MEM_FREE(&s->mem, m->fixed, m->n_objects);
    MEM_FREE(&s->mem, m->same, m->n_nodes);
    MEM_FREE(&s->mem, m->nodes, m->n_nodes);
    alike_destroy(&m->pars, &s->mem, sizeof(near_par));
    MEM_FREE(&s->mem, m->tangled, m->n_nodes);
    *m = (meeting){0};
}

/* ---- a substep --------------------------------------------------------------------------------------------------- */

/* All nodes: cloth from q by T, meshes as they are at the start or the end of the substep. */
void meet_place(weft_sim *s, const vec3 *q, const vec3 *mesh, vec3 *out)
{
    meeting *m = &s->model.meet;
    bool moved = assembly_expand(&s->model.assembly, q, out);
    s->model.n_placed += moved && out == s->model.x;
    if (m->n_nodes > m->n_cloth)
        memcpy(out + m->n_cloth, mesh, (size_t)(m->n_nodes - m->n_cloth) * sizeof *out);
}

bool meet_couple(weft_sim *s, weft_step_stats *stats)
{
    meeting *m = &s->model.meet;
    couple_list list = {0};
    bool changed;
    if (!m->tree)
        return true;
    double t0 = clock_seconds();
    if (m->near.n > 0)
        list = (couple_list){m->near.states->pair.node, &m->near.states->pair.edges, sizeof *m->near.states, m->near.n};
    loan none = {0}, lent = {0};
    size_t bytes;
    void *room = model_lend_values(&s->model, &bytes);
    loan_add(&lent, room, bytes);
    bool ok = contact_sum_plan(&s->model.newton.pairs, &s->model.assembly, m->near.terms, m->near.n, &none) &&
              couple_contacts(&m->couple, &s->model.assembly, &s->model.newton, &list, &lent, &changed);
    stats->recouplings += ok && changed;
    stats->seconds_meet += clock_seconds() - t0;
    return ok;
}

bool meet_begin(weft_sim *s, double h, weft_step_stats *stats)
{
    meeting *m = &s->model.meet;
    if (!m->tree)
        return true;
    double t0 = clock_seconds();
    meet_place(s, s->state.q, s->model.mesh.x0, m->x0);
    meet_place(s, s->model.q1, s->model.mesh.x1, m->x1);
    if (m->n_tangled > 0 && tangle_find(s, m->x0, NULL) < 0)
        return false;
    stats->tangled = m->n_tangled;
    m->near.h = m->prevent.h = h;
    m->near.memory = &s->state.pairs;
    m->near.tangled = m->tangled;
    meet_lend(s);
    bool ok = (near_list_holds(&m->list, m->x0, m->x1) || near_list_make(&m->list, m->x0, m->x1)) &&
              near_find(&m->near, &m->list, m->x1);
    meet_take_back(s);
    stats->pairs = m->near.n;
    stats->smallest_gap = min_of(stats->smallest_gap, m->near.least);
    stats->neighbours += m->list.pairs.n_vertex_triangle + m->list.pairs.n_edge_edge;
    stats->seconds_meet += clock_seconds() - t0;
    return ok;
}

/* A few pairs alone, at a corner that flaps, do not make all the cloth wait: few of all pairs, or few beside the nodes.
 * (A sheet of 85,000 nodes that lands on a ball has a dozen pairs in all, in the first wrinkles.) */
#define FEW 0.02
#define FEW_BESIDE_NODES 1e-3

int32_t meet_hurry(const weft_sim *s)
{
    const near_set *near = &s->model.meet.near;
    double few = max_of(FEW * near->n, FEW_BESIDE_NODES * s->model.n);
    int32_t i = 0;
    while (i < NEAR_HURRIES - 1 && near->hurry[i] > few)
        i++;
    return i - 1;
}

/* Much of the weight slides, and most pairs have only just begun to, or ended it: those that go on sliding have their
 * forces. */
#define MUCH 0.3
#define MOST 0.5

bool meet_slides(const weft_sim *s)
{
    const model *m = &s->model;
    double weight = 0;
    if (!m->meet.tree || m->meet.near.n_switched <= MOST * m->meet.near.n)
        return false;
    for (int32_t i = 0; i < m->n; i++)
        if (m->filters[i].kind == FREEDOM_ALL)
            weight += m->mass[i] * v3_len(external_at(s, i));
    return m->meet.near.sliding > MUCH * weight;
}

bool meet_refresh(weft_sim *s, const vec3 *q, newton_moment moment)
{
    meeting *m = &s->model.meet;
    if (!m->tree || m->near.n == 0 || (moment != NEWTON_FIRST && moment != NEWTON_NEXT))
        return true;
    meet_place(s, q, s->model.mesh.x1, m->x);
    if (moment == NEWTON_FIRST) {
        near_note(&m->near, m->x);
        return true;
    }
    near_update(&m->near, m->x, m->x);
    return near_is_settled(&m->near);
}

void meet_measure(weft_sim *s, const vec3 *q)
{
    meeting *m = &s->model.meet;
    if (!m->tree || m->near.n == 0)
        return;
    meet_place(s, q, s->model.mesh.x1, m->x);
    near_measure(&m->near, m->x);
}

bool meet_remember(weft_sim *s)
{
    meeting *m = &s->model.meet;
    return !m->tree || near_remember(&m->near, s->model.assembly.x, &m->next);
}

/* ---- prevention -------------------------------------------------------------------------------------------------- */

static void add_prevention(weft_step_stats *out, const prevent_stats *p)
{
    out->candidates += p->candidates;
    out->settled += p->settled;
    out->tests += p->tests;
    out->hits += p->hits;
    out->sweeps += p->sweeps;
    out->inelastic += p->inelastic_rounds;
    out->zones += p->zones;
    out->largest_zone = p->largest_zone > out->largest_zone ? p->largest_zone : out->largest_zone;
    out->rigid += p->rigid;
    out->failsafes += p->failsafes;
    out->cuts += p->cuts;
    out->squeezed_pairs += p->squeezed;
    out->smallest_gap = min_of(out->smallest_gap, p->smallest_gap);
    out->seconds_walk += p->seconds_walk;
    out->seconds_test += p->seconds_test;
    out->seconds_respond += p->seconds_respond;
}

static near_hit get_hit(const void *context, int32_t i)
{
    prevent_hit h = prevent_get_hit(context, i);
    near_hit hit = {.pair = {.edges = h.edges}, .normal = h.normal};
    memcpy(hit.pair.node, h.node, sizeof h.node);
    memcpy(hit.w, h.w, sizeof h.w);
    return hit;
}

bool meet_again(weft_sim *s, weft_step_stats *stats)
{
    meeting *m = &s->model.meet;
    return near_strike(&m->near, prevent_n_hits(&m->prevent), get_hit, &m->prevent, m->x1) && meet_couple(s, stats);
}

static prevent_end prevent_lent(weft_sim *s, const prevent_options *o, prevent_stats *ps)
{
    meeting *m = &s->model.meet;
    meet_lend(s);
    prevent_end end = prevent(&m->prevent, m->x0, m->x1, s->model.v1, o, ps);
    meet_take_back(s);
    return end;
}

step_end meet_prevent(weft_sim *s, const substep *sub, double *cut, weft_step_stats *stats)
{
    meeting *m = &s->model.meet;
    prevent_stats ps = {0};
    if (!m->tree)
        return STEP_DONE;
    meet_place(s, s->state.q, s->model.mesh.x0, m->x0);
    meet_place(s, s->model.q1, s->model.mesh.x1, m->x1);
    m->prevent.h = sub->h;
    prevent_options o = {.response = s->def.response == WEFT_RESPONSE_PROVOT ? PREVENT_PROVOT : PREVENT_WEFT,
                         .last_chance = sub->last,
                         .ask = sub->ask};
    prevent_end end = prevent_lent(s, &o, &ps);
    add_prevention(stats, &ps);
    switch (end) {
    case PREVENT_SQUEEZED:
        m->n_tangled += ps.squeezed; /* they may have gone through each other */
        squeezed_note(s);
        return STEP_DONE;
    case PREVENT_FREE: return STEP_DONE;
    case PREVENT_HITS: return STEP_AGAIN;
    case PREVENT_CUT:
        *cut = ps.cut;
        if (m->n_nodes > m->n_cloth)
            memcpy(s->model.mesh.x1, m->x1 + m->n_cloth, (size_t)(m->n_nodes - m->n_cloth) * sizeof *m->x1);
        return STEP_CUT;
    default: return STEP_FAILED;
    }
}

prevent_end meet_ask(weft_sim *s, const vec3 *q1)
{
    meeting *m = &s->model.meet;
    prevent_stats unused = {0};
    prevent_options o = {.response = PREVENT_WEFT, .ask = true};
    meet_place(s, s->state.q, s->model.mesh.x0, m->x0);
    meet_place(s, q1, s->model.mesh.x0, m->x1);
    return prevent_lent(s, &o, &unused);
}

/* What cloth exerts on the meshes through the pairs that the solve felt. */
void meet_record(weft_sim *s, const vec3 *q, double share)
{
    meeting *m = &s->model.meet;
    if (!m->tree || m->n_nodes == m->n_cloth)
        return;
    meet_place(s, q, s->model.mesh.x1, m->x);
    for (int32_t i = 0; i < m->near.n; i++) {
        const near_state *st = &m->near.states[i];
        bool first = st->pair.node[0] >= m->n_cloth;
        int32_t node = st->pair.node[first ? 0 : 3];
        if (node < m->n_cloth)
            continue;
        vec3 g, point = v3_zero();
        contact_eval(&m->near.terms[i], m->x, &g, NULL);
        for (int k = 0; k < m->near.terms[i].n; k++) /* the weights of the cloth's side are 1, or −1, in all */
            point =
                v3_madd(point, first ? -m->near.terms[i].w[k] : m->near.terms[i].w[k], m->x[m->near.terms[i].node[k]]);
        record_contact(s, s->model.mesh.node_owner[node - m->n_cloth], point, v3_scale(first ? -1 : 1, g), share);
    }
}
