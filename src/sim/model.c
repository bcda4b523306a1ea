/* SPDX-License-Identifier: MIT */
/* The model: forces, matrix pattern and work space for the present definitions. Made anew when these have changed; a
 * failure leaves it dirty and the state as it was. */
#include <string.h>

#include "sim/clamp.h"
#include "sim/phases.h"
#include "sim/sim.h"

void model_invalidate(model *m)
{
    m->dirty = true;
}

/* Cloth, then meshes: what meets (cloth_contact.c) has its places in the same arrays. */
static int32_t n_places(const model *m)
{
    return m->n + m->mesh.n_nodes;
}

static void free_vectors(model *m)
{
    MEM_FREE(m->mem, m->filters, m->n);
    MEM_FREE(m->mem, m->mass, m->n);
    MEM_FREE(m->mem, m->target, m->n);
    MEM_FREE(m->mem, m->external, m->n);
    MEM_FREE(m->mem, m->q1, n_places(m));
    MEM_FREE(m->mem, m->own_x0, n_places(m));
    MEM_FREE(m->mem, m->x, n_places(m));
    MEM_FREE(m->mem, m->shortened, m->n);
    dirty_set_free(&m->dirty_set, m->mem);
    pressure_free(m);
}

/* Where no node follows others, and nothing else has places, nodes begin a step where the state has them. */
static bool make_start(model *m, const state *st)
{
    bool plain = m->mesh.n_nodes == 0;
    for (int32_t i = 0; plain && i < m->n; i++)
        plain = m->rows[i].dof[0] == i && m->rows[i].dof[1] < 0;
    if (!plain && !MEM_MAKE(m->mem, m->own_x0, n_places(m)))
        return false;
    m->x0 = plain ? st->q : m->own_x0;
    return true;
}

static bool make_vectors(model *m, const state *st)
{
    return MEM_MAKE(m->mem, m->filters, m->n) && MEM_MAKE(m->mem, m->mass, m->n) && MEM_MAKE(m->mem, m->target, m->n) &&
           (!m->def->force || MEM_MAKE(m->mem, m->external, m->n)) && MEM_MAKE(m->mem, m->q1, n_places(m)) &&
           make_start(m, st) && MEM_MAKE(m->mem, m->x, n_places(m)) && MEM_MAKE(m->mem, m->shortened, m->n) &&
           dirty_set_make(&m->dirty_set, m->mem, &m->forces.edges, m->rows, m->n);
}

bool model_take_next(model *m)
{
    if (!ARENA_TAKE(m->scratch, m->v1, m->n) || !ARENA_TAKE(m->scratch, m->next_memory, m->n) ||
        !ARENA_TAKE(m->scratch, m->next_restart, m->n) || !ARENA_TAKE(m->scratch, m->next_radius, m->n) ||
        !ARENA_TAKE(m->scratch, m->jump, m->n) || !collider_contact_ready(&m->collider_contacts))
        return false;
    /* What lies between members is written to snapshots too. */
    memset(m->next_memory, 0, (size_t)m->n * sizeof *m->next_memory);
    memset(m->jump, 0, (size_t)m->n * sizeof *m->jump);
    return true;
}

void model_destroy(model *m)
{
    if (m->forces.mem)
        forces_destroy(&m->forces);
    assembly_destroy(&m->assembly);
    newton_destroy(&m->newton, m->mem);
    collider_contact_destroy(&m->collider_contacts);
    cloth_contact_destroy(m);
    MEM_FREE(m->mem, m->rows, m->n);
    free_vectors(m);
    model_mesh_free(m);
    MEM_FREE(m->mem, m->colliders, m->n_colliders);
    MEM_FREE(m->mem, m->collider_owner, m->n_colliders);
    MEM_FREE(m->mem, m->rods, m->rod_room);
    MEM_FREE(m->mem, m->between, m->n_between);
    arena_destroy(m->scratch);
    *m = (model){.mem = m->mem,
                 .scratch = m->scratch,
                 .pool = m->pool,
                 .def = m->def,
                 .defs = m->defs,
                 .cancel = m->cancel,
                 .guard = m->guard,
                 .watch = m->watch,
                 .watcher = m->watcher,
                 .bvh_spare = m->bvh_spare,
                 .told = m->told,
                 .dirty = true};
}

static bool add_ties(const definitions *d, model *m)
{
    for (int32_t i = 0; i < d->ties.n; i++) {
        tie *t = d->ties.items[i].item;
        if (!t || t->welded)
            continue;
        int32_t a = definitions_cloth(d, t->cloth_a)->offset, b = definitions_cloth(d, t->cloth_b)->offset;
        t->model_first = m->forces.list[FORCE_SPRING].n;
        for (int32_t k = 0; k < t->n; k++) {
            common_par par = {.k = t->each ? t->each[k].stiffness : t->stiffness,
                              .length = t->each ? t->each[k].length : t->length,
                              .time = t->damping};
            int32_t common = forces_common(&m->forces, &par, true);
            spring_element *sp = common >= 0 ? forces_push(&m->forces, FORCE_SPRING) : NULL;
            if (!sp)
                return false;
            *sp = (spring_element){.node = {a + t->a[k], b + t->b[k]}, .common = common};
        }
    }
    return true;
}

static bool add_soft_pins(const definitions *d, model *m)
{
    for (int32_t i = 0; i < d->attachments.n; i++) {
        const attachment *a = d->attachments.items[i].item;
        for (int32_t k = 0; a && a->kind == WEFT_ATTACH_SOFT && k < a->n; k++) {
            soft_element *so = forces_push(&m->forces, FORCE_SOFT);
            if (!so)
                return false;
            *so = (soft_element){.node = definitions_cloth(d, a->cloth)->offset + a->nodes[k],
                                 .owner = i,
                                 .item = k,
                                 .k = a->stiffness[k],
                                 .target = a->targets[k]};
        }
    }
    return true;
}

static bool make_forces(model *m)
{
    forces_init(&m->forces, m->mem);
    if (!forces_set_nodes(&m->forces, m->n) || !MEM_MAKE(m->mem, m->rows, m->n))
        return false;
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        cloth *c = m->defs->cloths.items[i].item;
        if (!c)
            continue;
        c->model_tilts = m->forces.tilts.n;
        if (!forces_add_cloth(&m->forces, c->surface, &c->material, c->offset))
            return false;
        for (int32_t vi = 0; vi < c->surface->n_nodes; vi++) {
            node_row r = c->surface->rows[vi];
            r.dof[0] += c->offset;
            r.dof[1] += r.dof[1] >= 0 ? c->offset : 0;
            m->rows[c->offset + vi] = r;
        }
    }
    weld_rows(m->defs, m->rows, m->n);
    return add_ties(m->defs, m) && add_soft_pins(m->defs, m) && seam_bending(m);
}

static void add_collider(model *m, sim_collider *c, int32_t at)
{
    c->model_index = at;
    m->collider_owner[at] = c;
    m->colliders[at] = (collider){.shape = c->shape, .friction = c->friction, .dissipation = c->dissipation};
}

static bool make_colliders(model *m)
{
    for (int32_t i = 0; i < m->defs->colliders.n; i++) {
        const sim_collider *c = m->defs->colliders.items[i].item;
        m->n_colliders += c != NULL;
        m->n_analytic += c && !c->mesh;
    }
    if (!MEM_MAKE(m->mem, m->colliders, m->n_colliders) || !MEM_MAKE(m->mem, m->collider_owner, m->n_colliders))
        return false;
    int32_t analytic = 0, mesh = m->n_analytic;
    for (int32_t i = 0; i < m->defs->colliders.n; i++) {
        sim_collider *c = m->defs->colliders.items[i].item;
        if (c)
            add_collider(m, c, c->mesh ? mesh++ : analytic++);
    }
    return model_mesh_make(m);
}

static bool make_rods(model *m)
{
    for (int32_t i = 0; i < m->defs->attachments.n; i++) {
        const attachment *a = m->defs->attachments.items[i].item;
        if (a && a->kind == WEFT_ATTACH_ROD)
            m->rod_room += a->n;
    }
    return MEM_MAKE(m->mem, m->rods, m->rod_room);
}

/* Who holds a node of the forest, while nodes between those of one attachment are looked for. */
typedef enum holder { HOLDER_NONE, HOLDER_THIS, HOLDER_OTHER } holder;

static void mark_held(const definitions *d, const cloth *c, const attachment *a, uint8_t *held)
{
    memset(held, HOLDER_NONE, (size_t)c->forest.n_nodes);
    for (int32_t i = 0; i < d->attachments.n; i++) {
        const attachment *o = d->attachments.items[i].item;
        for (int32_t k = 0; o && o->kind != WEFT_ATTACH_SOFT && definitions_cloth(d, o->cloth) == c && k < o->n; k++)
            held[c->surface->origin[o->nodes[k]]] = o == a ? HOLDER_THIS : HOLDER_OTHER;
    }
}

/* Nodes in the middle of a side whose ends are held, and of a quad whose corners are: going down the levels, so that
 * ends come before what lies between them. Counts them, or (number given: of each forest node) writes them. */
static int32_t find_between(const cloth *c, uint8_t *held, const int32_t *number, int32_t owner, bool is_rod,
                            held_between *out)
{
    const forest *f = &c->forest;
    int32_t n = 0;
    for (int32_t level = 0; level < FOREST_MAX_LEVEL; level++)
        for (int32_t ei = 0; ei < f->n_elements; ei++) {
            const forest_element *el = &f->elements[ei];
            if (el->n == 0 || el->level != level || el->child < 0)
                continue;
            int32_t made[5], n_made = 0;
            bool all = el->n == 4;
            for (int i = 0; i < el->n; i++) {
                made[n_made++] = f->edges[el->edge[i]].middle;
                all = all && held[el->node[i]] == HOLDER_THIS;
            }
            if (all)
                made[n_made++] = f->elements[el->child].node[2];
            for (int i = 0; i < n_made; i++) {
                const int32_t *p = f->nodes[made[i]].parent;
                bool between = held[p[0]] == HOLDER_THIS && held[p[1]] == HOLDER_THIS;
                if (held[made[i]] != HOLDER_NONE || !between || forest_hangs(f, made[i]))
                    continue; /* what hangs follows its ends anyway */
                held[made[i]] = HOLDER_THIS;
                if (number)
                    out[n] = (held_between){c->offset + number[made[i]],
                                            {c->offset + number[p[0]], c->offset + number[p[1]]},
                                            owner,
                                            is_rod};
                n++;
            }
        }
    return n;
}

/* For one attachment on a cloth that has split: appends to the model's list. */
static bool add_between(model *m, int32_t index)
{
    const attachment *a = m->defs->attachments.items[index].item;
    const cloth *c = definitions_cloth(m->defs, a->cloth);
    if (c->surface == c->roots || a->kind == WEFT_ATTACH_SOFT)
        return true;
    int32_t n_forest = c->forest.n_nodes, n = 0;
    bool is_rod = a->kind == WEFT_ATTACH_ROD;
    uint8_t *held = mem_array(m->mem, n_forest, sizeof *held);
    int32_t *number = mem_array(m->mem, n_forest, sizeof *number);
    bool ok = held && number;
    if (ok) {
        for (int32_t vi = 0; vi < c->surface->n_nodes; vi++)
            number[c->surface->origin[vi]] = vi;
        mark_held(m->defs, c, a, held);
        n = find_between(c, held, NULL, index, is_rod, NULL);
    }
    if (ok && n > 0) {
        held_between *grown = mem_resized(m->mem, m->between, m->n_between, m->n_between + n, sizeof *grown);
        ok = grown != NULL;
        if (ok) {
            m->between = grown;
            mark_held(m->defs, c, a, held);
            m->n_between += find_between(c, held, number, index, is_rod, m->between + m->n_between);
            m->rod_room += is_rod ? n : 0;
        }
    }
    mem_free(m->mem, held, n_forest, sizeof *held);
    mem_free(m->mem, number, n_forest, sizeof *number);
    return ok;
}

static bool make_between(model *m)
{
    for (int32_t i = 0; i < m->defs->attachments.n; i++) {
        if (m->defs->attachments.items[i].item && !add_between(m, i))
            return false;
    }
    return true;
}

/* Masses go to degrees of freedom by the weights of T. */
static void lump_masses(model *m)
{
    for (int32_t vi = 0; vi < m->n; vi++)
        for (int d = 0; d < 2 && m->rows[vi].dof[d] >= 0; d++)
            m->mass[m->rows[vi].dof[d]] += row_weight(&m->rows[vi]) * forces_node(&m->forces, vi)->mass;
}

static double mean_edge(const forces *f)
{
    const edge_element *edges = f->edges.items;
    double sum = 0;
    for (int32_t i = 0; i < f->edges.n; i++)
        sum += forces_edge(f, &edges[i])->length;
    return f->edges.n > 0 ? sum / f->edges.n : 0.01;
}

/* Where nodes are at rest: near ones of a piece of cloth are near, which is all that is asked of it. */
static void place_at_rest(const definitions *d, vec3 *rest)
{
    for (int32_t i = 0; i < d->cloths.n; i++) {
        const cloth *c = d->cloths.items[i].item;
        const surface *f = c ? c->surface : NULL;
        for (int32_t vi = 0; f && vi < f->n_nodes; vi++)
            rest[c->offset + vi] = f->uv ? v3(f->uv[vi].u, f->uv[vi].v, 0) : f->rest[vi];
    }
}

static bool make_newton(model *m)
{
    vec3 *rest = NULL;
    bool ok = MEM_MAKE(m->mem, rest, m->n);
    if (ok) {
        place_at_rest(m->defs, rest);
        ok = newton_create(&m->newton, m->mem, &m->assembly.hessian, rest);
    }
    MEM_FREE(m->mem, rest, m->n);
    return ok;
}

static bool make_model(model *m, const state *st)
{
    m->n = st->n;
    if (!make_forces(m) || !make_colliders(m) || !make_vectors(m, st) || !make_between(m) || !clamps_make(m) ||
        !make_rods(m))
        return false;
    lump_masses(m);
    if (!pressure_make(m))
        return false;
    m->mean_edge = mean_edge(&m->forces);
    return assembly_create(&m->assembly, m->mem, m->scratch, m->pool, &m->forces, m->rows, m->n, m->n) &&
           make_newton(m) &&
           collider_contact_create(&m->collider_contacts, m->mem, m->scratch, m->pool, &m->forces, m->n_analytic) &&
           collider_contact_filter(m);
}

weft_result model_build(model *m, const state *st, weft_error *e)
{
    if (!m->dirty)
        return WEFT_OK;
    model_destroy(m);
    if (!make_model(m, st)) {
        model_destroy(m);
        return error_memory(e);
    }
    weft_result r = cloth_contact_create(m, st, e);
    if (r < 0) {
        model_destroy(m);
        return r;
    }
    m->collider_contacts.colliders = m->colliders;
    m->collider_contacts.radius = m->def->contact_radius;
    m->collider_contacts.fine = m->def->contact == WEFT_CONTACT_FINE;
    m->collider_contacts.stiffness = m->def->contact_stiffness;
    m->collider_contacts.slack = min_of(COLLIDER_CONTACT_SLACK * m->def->newton_tolerance, COLLIDER_CONTACT_MOST_SLACK);
    m->collider_contacts.grid = ldexp(1.0, m->def->world_scale - 32);
    m->collider_contacts.x0 = m->x0;
    m->collider_contacts.x = m->x;
    m->dirty = false;
    sim_log(m, WEFT_LOG_DEBUG, "model: %d nodes, %lld blocks, %d batches in %d colours, %d colliders", m->n,
            (long long)m->assembly.hessian.n_blocks + m->n, m->assembly.n_batches, m->assembly.n_colours,
            m->n_colliders);
    return WEFT_OK;
}
