/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/clock.h"
#include "base/union_find.h"
#include "sim/cloth_contact.h"
#include "sim/sim.h"
#include "sim/step_stats.h"

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
static bool set_cloth_nodes(weft_sim *s, cloth_contact *m, const cloth *c, int32_t *n_pieces)
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
        pair_node *n = &m->nodes[c->offset + vi];
        const node_row *r = &s->model.rows[c->offset + vi];
        double mass = s->model.mass[r->dof[0]], radius = pair_radius(s, p->edge_length);
        pair_par par = {.thickness = p->thickness,
                        .radius = radius,
                        .guard = radius,
                        .friction = p->friction,
                        .dissipation = p->dissipation,
                        .stiffness = p->stiffness,
                        .lightness = 1 / (r->dof[1] < 0 ? mass : 0.5 * (mass + s->model.mass[r->dof[1]]))};
        n->rest = su->uv ? v3(su->uv[vi].u, su->uv[vi].v, 0) : su->rest[vi];
        n->common = intern_find(&m->pars, &s->mem, &par, sizeof par);
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
static void join_ties(weft_sim *s, cloth_contact *m)
{
    for (int32_t i = 0; i < s->cloths.n; i++) {
        const cloth *c = s->cloths.items[i].item;
        for (int32_t vi = 0; c && c->surface->partner && vi < c->surface->n_nodes; vi++)
            union_find_join(m->same, c->offset + vi, c->offset + c->surface->partner[vi]);
    }
    for (int32_t i = 0; i < s->ties.n; i++) {
        const tie *t = s->ties.items[i].item;
        for (int32_t k = 0; t && t->length == 0 && k < t->n; k++)
            union_find_join(m->same, sim_get_cloth(s, t->cloth_a, NULL)->offset + t->a[k],
                            sim_get_cloth(s, t->cloth_b, NULL)->offset + t->b[k]);
    }
    union_find_end(m->same, m->n_nodes);
}

/* Faces are those of all cloths, in their order. */
static bool set_cloth_triangles(weft_sim *s, cloth_contact *m)
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
static bool set_colliders(weft_sim *s, cloth_contact *m, int32_t first_object)
{
    int32_t n = m->n_triangles - s->model.mesh.n_triangles;
    const model_mesh *w = &s->model.mesh;
    for (int32_t i = 0; i < w->n_nodes; i++) {
        pair_node *node = &m->nodes[m->n_cloth + i];
        const collider *c = &s->model.colliders[w->node_owner[i]];
        pair_par par = {.guard = m->reach, .friction = c->friction, .dissipation = c->dissipation};
        *node = (pair_node){.common = intern_find(&m->pars, &s->mem, &par, sizeof par), .piece = -1};
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

static void count(weft_sim *s, cloth_contact *m, int32_t *n_cloths)
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

static bool make_arrays(weft_sim *s, cloth_contact *m)
{
    return set_cloth_triangles(s, m) && MEM_MAKE(&s->mem, m->fixed, m->n_objects) &&
           MEM_MAKE(&s->mem, m->same, m->n_nodes) && MEM_MAKE(&s->mem, m->nodes, m->n_nodes);
}

static bool fill(weft_sim *s, cloth_contact *m, int32_t n_cloths)
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
    return intern_seal(&m->pars, &s->mem, sizeof(pair_par));
}

/* Analytic colliders have the last word about their thickness. */
static void keep_thickness(void *context, vec3 *x1)
{
    weft_sim *s = context;
    collider_contact_report report = {0};
    collider_contact_enforce(&s->model.collider_contacts, x1, s->model.filters, s->model.rows, &report);
}

static double longest_side(const cloth_contact *m)
{
    double most = 0;
    for (int32_t i = 0; i < m->n_triangles; i++)
        for (int k = 0; k < 3; k++) {
            const pair_node *a = &m->nodes[m->triangles[i][k]], *b = &m->nodes[m->triangles[i][(k + 1) % 3]];
            most = max_of(most, v3_len_sq(v3_sub(b->rest, a->rest)));
        }
    return sqrt(most);
}

static void set_prevention(weft_sim *s, cloth_contact *m)
{
    const pair_par *pars = m->pars.items;
    m->pairs = (pair_set){.mem = &s->mem, .pool = s->pool, .nodes = m->nodes, .pars = pars, .n_cloth = m->n_cloth};
    m->pairs.scratch = &s->scratch;
    m->pairs.stiffness = s->def.contact_stiffness;
    m->pairs.reach = m->reach;
    m->pairs.longest = longest_side(m);
    m->pairs.x0 = m->x0;
    m->prevent = (prevent_world){.mem = &s->mem,
                                 .pool = s->pool,
                                 .bvh = m->bvh,
                                 .scratch = &s->scratch,
                                 .list = &m->list,
                                 .triangles = m->triangles,
                                 .mode = BVH_PROVEN,
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
                                 .exempt = tangled_exempts,
                                 .context = s};
    m->list = (verlet_list){.mem = &s->mem,
                            .pool = s->pool,
                            .bvh = m->bvh,
                            .scratch = &s->scratch,
                            .triangles = m->triangles,
                            .n_nodes = m->n_nodes,
                            .reach = m->reach,
                            .reach_of = pair_set_reach,
                            .reach_context = &m->pairs};
}

/* The shape by which zones are formed: at rest, piece beside piece, so that they, and with them the order of all pairs,
 * do not depend on where the cloth has got to: a state that is restored goes on bit for bit. */
static void shape_at_rest(const weft_sim *s, const cloth_contact *m, vec3 *out)
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

weft_result cloth_contact_create(weft_sim *s, weft_error *e)
{
    cloth_contact *m = &s->model.cloth_contact;
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
    bvh_input in = {.n_nodes = m->n_nodes,
                    .n_triangles = m->n_triangles,
                    .triangles = m->triangles,
                    .x = m->x1,
                    .object = m->object,
                    .n_objects = m->n_objects,
                    .fixed = m->fixed,
                    .same = m->same,
                    .spare = &s->bvh_spare,
                    .scratch = &s->scratch};
    weft_result r = bvh_create(&s->mem, &in, &m->bvh, e);
    if (r >= 0)
        set_prevention(s, m);
    return r < 0 ? r : tangled_find(s, m->x0, e);
}

void cloth_contact_destroy(weft_sim *s)
{
    cloth_contact *m = &s->model.cloth_contact;

    untangling_free(s);
    squeezed_free(s);
    prevent_destroy(&m->prevent);
    pair_set_destroy(&m->pairs);
    verlet_list_destroy(&m->list);
    pair_memories_destroy(&m->next, &s->mem);
    couple_destroy(&m->couple, &s->mem);
    bvh_leave(m->bvh, &s->bvh_spare);
    MEM_FREE(&s->mem, m->own_triangles, m->n_triangles);
    MEM_FREE(&s->mem, m->own_object, m->n_triangles);
    MEM_FREE(&s->mem, m->fixed, m->n_objects);
    MEM_FREE(&s->mem, m->same, m->n_nodes);
    MEM_FREE(&s->mem, m->nodes, m->n_nodes);
    intern_destroy(&m->pars, &s->mem, sizeof(pair_par));
    MEM_FREE(&s->mem, m->tangled, m->n_nodes);
    *m = (cloth_contact){0};
}

/* ---- a substep --------------------------------------------------------------------------------------------------- */

/* All nodes: cloth from q by T, meshes as they are at the start or the end of the substep. */
void cloth_contact_place(weft_sim *s, const vec3 *q, const vec3 *mesh, vec3 *out)
{
    cloth_contact *m = &s->model.cloth_contact;
    bool moved = assembly_expand(&s->model.assembly, q, out);
    s->model.n_placed += moved && out == s->model.x;
    if (m->n_nodes > m->n_cloth)
        memcpy(out + m->n_cloth, mesh, (size_t)(m->n_nodes - m->n_cloth) * sizeof *out);
}

bool cloth_contact_couple(weft_sim *s, weft_step_stats *stats)
{
    cloth_contact *m = &s->model.cloth_contact;
    couple_list list = {0};
    bool changed;
    if (!m->bvh)
        return true;
    double t0 = clock_seconds();
    if (m->pairs.n > 0)
        list = (couple_list){m->pairs.states->pair.node, &m->pairs.states->pair.edges, sizeof *m->pairs.states,
                             m->pairs.n};
    bool ok = contact_sum_plan(&s->model.newton.pairs, &s->model.assembly, m->pairs.terms, m->pairs.n, NULL) &&
              couple_contacts(&m->couple, &s->model.assembly, &s->model.newton, &list, &changed);
    stats->recouplings += ok && changed;
    stats->seconds_meet += clock_seconds() - t0;
    return ok;
}

bool cloth_contact_begin(weft_sim *s, double h, weft_step_stats *stats)
{
    cloth_contact *m = &s->model.cloth_contact;
    if (!m->bvh)
        return true;
    double t0 = clock_seconds();
    cloth_contact_place(s, s->state.q, s->model.mesh.x0, m->x0);
    cloth_contact_place(s, s->model.q1, s->model.mesh.x1, m->x1);
    if (m->n_tangled > 0 && tangled_find(s, m->x0, NULL) < 0)
        return false;
    stats->tangled = m->n_tangled;
    m->pairs.h = m->prevent.h = h;
    m->pairs.memory = &s->state.pairs;
    m->pairs.tangled = m->tangled;
    arena_mark before = arena_mark_of(&s->scratch);
    bool ok = (verlet_list_is_valid(&m->list, m->x0, m->x1) || verlet_list_make(&m->list, m->x0, m->x1)) &&
              pair_set_find(&m->pairs, &m->list, m->x1);
    arena_release(&s->scratch, before);
    stats->pairs = m->pairs.n;
    stats->smallest_gap = min_of(stats->smallest_gap, m->pairs.least);
    stats->neighbours += m->list.pairs.n_vertex_triangle + m->list.pairs.n_edge_edge;
    stats->seconds_meet += clock_seconds() - t0;
    return ok;
}

/* A few pairs alone, at a corner that flaps, do not make all the cloth wait: few of all pairs, or few beside the nodes.
 * (A sheet of 85,000 nodes that lands on a ball has a dozen pairs in all, in the first wrinkles.) */
#define FEW 0.02
#define FEW_BESIDE_NODES 1e-3

int32_t cloth_contact_hurry(const weft_sim *s)
{
    const pair_set *near = &s->model.cloth_contact.pairs;
    double few = max_of(FEW * near->n, FEW_BESIDE_NODES * s->model.n);
    int32_t i = 0;
    while (i < PAIR_PASSING_LEVELS - 1 && near->passing[i] > few)
        i++;
    return i - 1;
}

/* Much of the weight slides, and most pairs have only just begun to, or ended it: those that go on sliding have their
 * forces. */
#define MUCH 0.3
#define MOST 0.5

bool cloth_contact_slides(const weft_sim *s)
{
    const model *m = &s->model;
    double weight = 0;
    if (!m->cloth_contact.bvh || m->cloth_contact.pairs.n_switched <= MOST * m->cloth_contact.pairs.n)
        return false;
    for (int32_t i = 0; i < m->n; i++)
        if (m->filters[i].kind == FREEDOM_ALL)
            weight += m->mass[i] * v3_len(external_at(s, i));
    return m->cloth_contact.pairs.sliding > MUCH * weight;
}

bool cloth_contact_refresh(weft_sim *s, const vec3 *q, newton_moment moment)
{
    cloth_contact *m = &s->model.cloth_contact;
    if (!m->bvh || m->pairs.n == 0 || (moment != NEWTON_FIRST && moment != NEWTON_NEXT))
        return true;
    cloth_contact_place(s, q, s->model.mesh.x1, m->x);
    if (moment == NEWTON_FIRST) {
        pair_set_note(&m->pairs, m->x);
        return true;
    }
    pair_set_update(&m->pairs, m->x, m->x);
    return pair_set_is_settled(&m->pairs);
}

void cloth_contact_measure(weft_sim *s, const vec3 *q)
{
    cloth_contact *m = &s->model.cloth_contact;
    if (!m->bvh || m->pairs.n == 0)
        return;
    cloth_contact_place(s, q, s->model.mesh.x1, m->x);
    pair_set_measure(&m->pairs, m->x);
}

bool cloth_contact_remember(weft_sim *s)
{
    cloth_contact *m = &s->model.cloth_contact;
    return !m->bvh || pair_set_remember(&m->pairs, s->model.assembly.x, &m->next);
}

/* ---- prevention -------------------------------------------------------------------------------------------------- */

static void add_prevention(weft_step_stats *total, const prevent_stats *more)
{
    WEFT_STATS_PREVENTION(STATS_ADD)
}

static pair_hit get_hit(const void *context, int32_t i)
{
    prevent_hit h = prevent_get_hit(context, i);
    pair_hit hit = {.pair = {.edges = h.edges}, .normal = h.normal};
    memcpy(hit.pair.node, h.node, sizeof h.node);
    memcpy(hit.w, h.w, sizeof h.w);
    return hit;
}

bool cloth_contact_again(weft_sim *s, weft_step_stats *stats)
{
    cloth_contact *m = &s->model.cloth_contact;
    return pair_set_add_hits(&m->pairs, prevent_n_hits(&m->prevent), get_hit, &m->prevent, m->x1) &&
           cloth_contact_couple(s, stats);
}

step_end cloth_contact_prevent(weft_sim *s, const substep *sub, double *cut, weft_step_stats *stats)
{
    cloth_contact *m = &s->model.cloth_contact;
    prevent_stats ps = {0};
    if (!m->bvh)
        return STEP_DONE;
    cloth_contact_place(s, s->state.q, s->model.mesh.x0, m->x0);
    cloth_contact_place(s, s->model.q1, s->model.mesh.x1, m->x1);
    m->prevent.h = sub->h;
    prevent_options o = {.response = s->def.response == WEFT_RESPONSE_PROVOT ? PREVENT_PROVOT : PREVENT_WEFT,
                         .last_chance = sub->last,
                         .ask = sub->ask};
    prevent_end end = prevent(&m->prevent, m->x0, m->x1, s->model.v1, &o, &ps);
    add_prevention(stats, &ps);
    switch (end) {
    case PREVENT_SQUEEZED:
        m->n_tangled += ps.squeezed_pairs; /* they may have gone through each other */
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

prevent_end cloth_contact_ask(weft_sim *s, const vec3 *q1)
{
    cloth_contact *m = &s->model.cloth_contact;
    prevent_stats unused = {0};
    prevent_options o = {.response = PREVENT_WEFT, .ask = true};
    cloth_contact_place(s, s->state.q, s->model.mesh.x0, m->x0);
    cloth_contact_place(s, q1, s->model.mesh.x0, m->x1);
    arena_mark before = arena_mark_of(&s->scratch);
    vec3 *v1; /* which nobody asks for */
    prevent_end end = PREVENT_FAILED;
    if (ARENA_TAKE(&s->scratch, v1, m->n_cloth)) {
        memset(v1, 0, (size_t)m->n_cloth * sizeof *v1);
        end = prevent(&m->prevent, m->x0, m->x1, v1, &o, &unused);
    }
    arena_release(&s->scratch, before);
    return end;
}

/* What cloth exerts on the meshes through the pairs that the solve felt. */
void cloth_contact_record(weft_sim *s, const vec3 *q, double share)
{
    cloth_contact *m = &s->model.cloth_contact;
    if (!m->bvh || m->n_nodes == m->n_cloth)
        return;
    cloth_contact_place(s, q, s->model.mesh.x1, m->x);
    for (int32_t i = 0; i < m->pairs.n; i++) {
        const pair_state *st = &m->pairs.states[i];
        bool first = st->pair.node[0] >= m->n_cloth;
        int32_t node = st->pair.node[first ? 0 : 3];
        if (node < m->n_cloth)
            continue;
        vec3 g, point = v3_zero();
        contact_eval(&m->pairs.terms[i], m->x, &g, NULL);
        for (int k = 0; k < m->pairs.terms[i].n; k++) /* the weights of the cloth's side are 1, or −1, in all */
            point = v3_madd(point, first ? -m->pairs.terms[i].w[k] : m->pairs.terms[i].w[k],
                            m->x[m->pairs.terms[i].node[k]]);
        record_contact(s, s->model.mesh.node_owner[node - m->n_cloth], point, v3_scale(first ? -1 : 1, g), share);
    }
}
