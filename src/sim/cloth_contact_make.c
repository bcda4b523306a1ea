/* SPDX-License-Identifier: MIT */
/* The list of colliding triangles, and what stands on it, made with the model: nodes with what they are to contact, the
 * tree, the world of prevention. */
#include <string.h>

#include "base/union_find.h"
#include "sim/params.h"
#include "sim/phases.h"

static double pair_radius(const weft_sim_def *def, double edge_length)
{
    return def->pair_radius > 0 ? def->pair_radius : min_of(PAIR_RADIUS_MOST, PAIR_RADIUS_EDGES * edge_length);
}

/* Prevention's radius. */
static double guard_of(const weft_sim_def *def, double thickness, double radius)
{
    bool fine = def->contact == WEFT_CONTACT_FINE && thickness > 0;
    return fine ? min_of(radius, PAIR_LYING_GUARD * thickness) : radius;
}

/* Nodes of one panel lie in one plane at rest, and are as far from those of another as can be. */
static bool set_cloth_nodes(model *m, cloth_contact *cc, const cloth *c, int32_t *n_pieces)
{
    const surface *su = c->surface;
    int32_t most = 0;
    for (int32_t ei = 0; ei < su->n_elements; ei++) {
        const element *el = &su->elements[ei];
        most = el->panel > most ? el->panel : most;
        for (int k = 0; k < el->n; k++)
            cc->nodes[c->offset + el->node[k]].piece = *n_pieces + (su->uv ? el->panel : 0);
    }
    for (int32_t vi = 0; vi < su->n_nodes; vi++) {
        const node_par *p = forces_node(&m->forces, c->offset + vi);
        pair_node *n = &cc->nodes[c->offset + vi];
        const node_row *r = &m->rows[c->offset + vi];
        double mass = m->mass[r->dof[0]], radius = pair_radius(m->def, p->edge_length);
        pair_par par = {.thickness = p->thickness,
                        .radius = radius,
                        .guard = guard_of(m->def, p->thickness, radius),
                        .friction = p->friction,
                        .dissipation = p->dissipation,
                        .stiffness = p->stiffness,
                        .lightness = 1 / (r->dof[1] < 0 ? mass : 0.5 * (mass + m->mass[r->dof[1]]))};
        n->rest = su->uv ? v3(su->uv[vi].u, su->uv[vi].v, 0) : su->rest[vi];
        n->common = intern_find(&cc->pars, m->mem, &par, sizeof par);
        if (n->common < 0)
            return false;
        cc->reach = max_of(cc->reach, par.thickness + par.radius);
        cc->same[c->offset + vi] = r->dof[1] < 0 ? r->dof[0] : c->offset + vi;
    }
    *n_pieces += most + 1;
    return true;
}

/* Nodes that ties pull together count as one: where a seam is pulled shut its sides may touch. So do nodes that hang on
 * both sides of a seam: they follow the same. */
static void join_ties(const definitions *d, cloth_contact *cc)
{
    for (int32_t i = 0; i < d->cloths.n; i++) {
        const cloth *c = d->cloths.items[i].item;
        for (int32_t vi = 0; c && c->surface->partner && vi < c->surface->n_nodes; vi++)
            union_find_join(cc->same, c->offset + vi, c->offset + c->surface->partner[vi]);
    }
    for (int32_t i = 0; i < d->ties.n; i++) {
        const tie *t = d->ties.items[i].item;
        for (int32_t k = 0; t && t->length == 0 && k < t->n; k++)
            union_find_join(cc->same, definitions_cloth(d, t->cloth_a)->offset + t->a[k],
                            definitions_cloth(d, t->cloth_b)->offset + t->b[k]);
    }
    union_find_end(cc->same, cc->n_nodes);
}

/* Faces are those of all cloths, in their order. */
static bool set_cloth_triangles(model *m, cloth_contact *cc)
{
    const forces *f = &m->forces;
    int32_t n = f->list[FORCE_FACE].n;
    cc->triangles = (const int32_t(*)[3])f->list[FORCE_FACE].items;
    cc->object = f->face_cloth.items;
    if (cc->n_triangles == n)
        return true;
    if (!MEM_MAKE(m->mem, cc->own_triangles, cc->n_triangles) || !MEM_MAKE(m->mem, cc->own_object, cc->n_triangles))
        return false;
    if (n > 0) {
        memcpy(cc->own_triangles, cc->triangles, (size_t)n * sizeof *cc->triangles);
        memcpy(cc->own_object, cc->object, (size_t)n * sizeof *cc->object);
    }
    cc->triangles = (const int32_t(*)[3])cc->own_triangles;
    cc->object = cc->own_object;
    return true;
}

/* Prevention takes the lesser radius of the two sides: that of the cloth. */
static bool set_colliders(model *m, cloth_contact *cc, int32_t first_object)
{
    int32_t n = cc->n_triangles - m->mesh.n_triangles;
    const model_mesh *w = &m->mesh;
    for (int32_t i = 0; i < w->n_nodes; i++) {
        pair_node *node = &cc->nodes[cc->n_cloth + i];
        const collider *c = &m->colliders[w->node_owner[i]];
        pair_par par = {.guard = cc->reach, .friction = c->friction, .dissipation = c->dissipation};
        *node = (pair_node){.common = intern_find(&cc->pars, m->mem, &par, sizeof par), .piece = -1};
        if (node->common < 0)
            return false;
        cc->same[cc->n_cloth + i] = cc->n_cloth + i;
    }
    for (int32_t i = 0; i < w->n_triangles; i++, n++) {
        for (int k = 0; k < 3; k++)
            cc->own_triangles[n][k] = cc->n_cloth + w->triangles[i][k];
        cc->own_object[n] = first_object + w->owner[i];
        cc->fixed[cc->object[n]] = true;
    }
    return true;
}

static void count_objects(model *m, cloth_contact *cc, int32_t *n_cloths)
{
    cc->n_cloth = m->n;
    cc->n_nodes = cc->n_cloth + m->mesh.n_nodes;
    cc->n_triangles = m->mesh.n_triangles;
    *n_cloths = 0;
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        const cloth *c = m->defs->cloths.items[i].item;
        if (c) {
            cc->n_triangles += c->surface->n_triangles;
            (*n_cloths)++;
        }
    }
    cc->n_objects = *n_cloths + m->n_colliders;
}

static bool make_contact_arrays(model *m, cloth_contact *cc)
{
    return set_cloth_triangles(m, cc) && MEM_MAKE(m->mem, cc->fixed, cc->n_objects) && cloth_contact_filter(m, cc) &&
           MEM_MAKE(m->mem, cc->same, cc->n_nodes) && MEM_MAKE(m->mem, cc->nodes, cc->n_nodes);
}

static bool fill_nodes(model *m, cloth_contact *cc, int32_t n_cloths)
{
    int32_t n_pieces = 0;
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        const cloth *c = m->defs->cloths.items[i].item;
        if (c && !set_cloth_nodes(m, cc, c, &n_pieces))
            return false;
    }
    if (!set_colliders(m, cc, n_cloths))
        return false;
    join_ties(m->defs, cc);
    return intern_seal(&cc->pars, m->mem, sizeof(pair_par));
}

/* Analytic colliders have the last word about their thickness. */
static void keep_collider_thickness(void *context, vec3 *x1)
{
    model *m = context;
    collider_contact_correction report = {0};
    collider_contact_enforce(&m->collider_contacts, x1, m->filters, m->rows, &report);
}

static double longest_rest_side(const cloth_contact *cc)
{
    double most = 0;
    for (int32_t i = 0; i < cc->n_triangles; i++)
        for (int k = 0; k < 3; k++) {
            const pair_node *a = &cc->nodes[cc->triangles[i][k]], *b = &cc->nodes[cc->triangles[i][(k + 1) % 3]];
            most = max_of(most, v3_len_sq(v3_sub(b->rest, a->rest)));
        }
    return sqrt(most);
}

static void set_prevention(model *m, cloth_contact *cc)
{
    const pair_par *pars = cc->pars.items;
    cc->pairs = (pair_set){.mem = m->mem, .pool = m->pool, .nodes = cc->nodes, .pars = pars, .n_cloth = cc->n_cloth};
    cc->pairs.scratch = m->scratch;
    cc->pairs.ring = &cc->ring;
    cc->pairs.n_nodes = cc->n_nodes;
    cc->pairs.stiffness = m->def->contact_stiffness;
    cc->pairs.reach = cc->reach;
    cc->pairs.longest = longest_rest_side(cc);
    cc->pairs.x0 = cc->x0;
    cc->prevent = (prevent_world){.mem = m->mem,
                                  .pool = m->pool,
                                  .bvh = cc->bvh,
                                  .scratch = m->scratch,
                                  .list = &cc->list,
                                  .triangles = cc->triangles,
                                  .mode = BVH_PROVEN,
                                  .n_nodes = cc->n_nodes,
                                  .n_dofs = cc->n_cloth,
                                  .rows = m->rows,
                                  .mass = m->mass,
                                  .filters = m->filters,
                                  .radius = &pars->guard,
                                  .friction = &pars->friction,
                                  .dissipation = &pars->dissipation,
                                  .stride = sizeof *pars / sizeof pars->friction,
                                  .common = &cc->nodes->common,
                                  .common_stride = sizeof *cc->nodes / sizeof cc->nodes->common,
                                  .world_scale = m->def->world_scale,
                                  .keep = m->n_analytic > 0 ? keep_collider_thickness : NULL,
                                  .exempt = tangled_exempts,
                                  .context = m};
    cc->list = (verlet_list){.mem = m->mem,
                             .pool = m->pool,
                             .bvh = cc->bvh,
                             .scratch = m->scratch,
                             .triangles = cc->triangles,
                             .n_nodes = cc->n_nodes,
                             .reach = cc->reach,
                             .reach_of = pair_set_reach,
                             .reach_context = &cc->pairs};
}

/* The shape by which zones are formed: at rest, piece beside piece, so that they, and with them the order of all pairs,
 * do not depend on where the cloth has got to: a state that is restored goes on bit for bit. */
static void shape_at_rest(const model *m, const cloth_contact *cc, vec3 *out)
{
    const double apart = 64; /* cc */
    int32_t at = cc->n_cloth;
    for (int32_t vi = 0; vi < cc->n_cloth; vi++)
        out[vi] = v3_add(cc->nodes[vi].rest, v3(0, 0, apart * cc->nodes[vi].piece));
    for (int32_t i = m->n_analytic; i < m->n_colliders; i++) {
        const collider_mesh *c = m->collider_owner[i]->mesh;
        memcpy(out + at, c->local, (size_t)c->n_vertices * sizeof *out);
        at += c->n_vertices;
    }
}

weft_result cloth_contact_create(model *m, const state *st, weft_error *e)
{
    cloth_contact *cc = &m->cloth_contact;
    int32_t n_cloths;
    if (m->def->response == WEFT_RESPONSE_NONE || m->n == 0)
        return WEFT_OK;
    count_objects(m, cc, &n_cloths);
    if (cc->n_triangles == 0)
        return WEFT_OK;
    if (!make_contact_arrays(m, cc))
        return error_memory(e);
    cc->x0 = m->x0;
    cc->x1 = m->q1;
    cc->x = m->x;
    if (!fill_nodes(m, cc, n_cloths))
        return error_memory(e);
    if (cc->x0 != st->q)
        memcpy(cc->x0, st->q, (size_t)cc->n_cloth * sizeof *cc->x0);
    if (m->mesh.n_nodes > 0)
        memcpy(cc->x0 + cc->n_cloth, m->mesh.x0, (size_t)m->mesh.n_nodes * sizeof *cc->x0);
    shape_at_rest(m, cc, cc->x1);
    bvh_input in = {.n_nodes = cc->n_nodes,
                    .n_triangles = cc->n_triangles,
                    .triangles = cc->triangles,
                    .x = cc->x1,
                    .object = cc->object,
                    .n_objects = cc->n_objects,
                    .fixed = cc->fixed,
                    .filters = cc->filters,
                    .same = cc->same,
                    .spare = &m->bvh_spare,
                    .scratch = m->scratch};
    weft_result r = bvh_create(m->mem, &in, &cc->bvh, e);
    if (r >= 0 && !pair_ring_create(&cc->ring, m->mem, cc->bvh, cc->triangles, cc->n_triangles, cc->same))
        r = error_memory(e);
    if (r >= 0)
        set_prevention(m, cc);
    return r < 0 ? r : tangled_find(m, st, cc->x0, e);
}

void cloth_contact_destroy(model *m)
{
    cloth_contact *cc = &m->cloth_contact;

    untangling_free(m);
    squeezed_free(m);
    prevent_destroy(&cc->prevent);
    pair_set_destroy(&cc->pairs);
    verlet_list_destroy(&cc->list);
    pair_memories_destroy(&cc->next, m->mem);
    couple_destroy(&cc->couple, m->mem);
    pair_ring_destroy(&cc->ring, m->mem);
    bvh_leave(cc->bvh, &m->bvh_spare);
    MEM_FREE(m->mem, cc->own_triangles, cc->n_triangles);
    MEM_FREE(m->mem, cc->own_object, cc->n_triangles);
    MEM_FREE(m->mem, cc->fixed, cc->n_objects);
    MEM_FREE(m->mem, cc->filters, cc->n_objects);
    MEM_FREE(m->mem, cc->same, cc->n_nodes);
    MEM_FREE(m->mem, cc->nodes, cc->n_nodes);
    intern_destroy(&cc->pars, m->mem, sizeof(pair_par));
    MEM_FREE(m->mem, cc->tangled, cc->n_nodes);
    *cc = (cloth_contact){0};
}
