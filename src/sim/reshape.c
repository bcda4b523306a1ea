/* SPDX-License-Identifier: MIT */
/* Carries the state over to another mesh of the same cloth.
 *
 * New nodes are the middle of older ones, in everything; but the centre of a quad, which lies on the drawn diagonal,
 * has a mean of all four corners' velocities. A node that goes, or that begins to hang, first moves to the middle of
 * its two parents and hands half of its momentum to each; a centre hands it to the four corners, by the weights of that
 * mean (mesh/corner_area.h; a quarter each). Since what corners have of a coarse element is what they have of the fine
 * ones plus these parts of what goes, the masses add up in the same way: momentum is kept, and velocities are means by
 * mass, so that the kinetic energy cannot grow.
 *
 * Everything that can fail happens before the first change, and what was before is kept until it is clear that the step
 * succeeds. */
#include <assert.h>
#include <string.h>

#include "sim/adapt.h"
#include "sim/phases.h"
#include "sim/sim.h"
#include "mesh/corner_area.h"
#include "mesh/leaves.h"
#include "mesh/sides.h"

static int32_t forest_node_of(const surface *s, int32_t vi)
{
    return s->origin ? s->origin[vi] : vi;
}

void follow_parents(const model *m, vec3 *a)
{
    weld_follow(m, a);
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        const cloth *c = m->defs->cloths.items[i].item;
        for (int32_t vi = 0; c && c->surface != c->roots && vi < c->surface->n_nodes; vi++) {
            const node_row *r = &c->surface->rows[vi];
            if (r->dof[1] >= 0)
                a[c->offset + vi] = v3_scale(0.5, v3_add(a[c->offset + r->dof[0]], a[c->offset + r->dof[1]]));
        }
    }
}

/* ---- into carriers ----------------------------------------------------------------------------------------------- */

/* Of degrees of freedom: what corners have of elements, then by T. */
static void add_masses(reshape *r)
{
    const cloth *c = r->cloth;
    const surface *f = c->surface;
    for (int32_t ei = 0; ei < f->n_elements; ei++) {
        double area[4], density = c->fabrics[f->elements[ei].fabric].density;
        surface_corner_areas(f, ei, area);
        for (int k = 0; k < f->elements[ei].n; k++) {
            const node_row *row = &f->rows[f->elements[ei].node[k]];
            for (int d = 0; d < 2 && row->dof[d] >= 0; d++)
                r->nodes[forest_node_of(f, row->dof[d])].mass += row_weight(row) * density * area[k];
        }
    }
    for (int32_t vi = 0; c->node_mass && vi < f->n_nodes; vi++)
        r->nodes[forest_node_of(f, vi)].mass += c->node_mass[vi];
}

weft_result reshape_begin(reshape *r, weft_sim *s, cloth *c, weft_error *e)
{
    *r = (reshape){.sim = s, .cloth = c};
    if (!forest_copy(&r->forest, &c->forest))
        return error_memory(e);
    r->n_nodes = r->forest.n_nodes;
    if (!MEM_MAKE(&s->mem, r->nodes, r->n_nodes)) {
        reshape_drop(r);
        return error_memory(e);
    }
    for (int32_t vi = 0; vi < c->surface->n_nodes; vi++) {
        int32_t k = c->offset + vi;
        const state *st = &s->state;
        r->nodes[forest_node_of(c->surface, vi)] =
            (carrier){.q = st->q[k],
                      .v = st->v[k],
                      .q_past = st->q_past[k],
                      .v_past = st->v_past[k],
                      .accel = st->accel[k],
                      .memory = st->memory[k],
                      .restart = st->restart[k],
                      .pair_radius = st->pair_radius[k],
                      /* What hangs follows its parents, whose speed may change. */
                      .known = c->surface->rows[vi].dof[1] < 0,
                      .stayed = true};
    }
    add_masses(r);
    return WEFT_OK;
}

void reshape_drop(reshape *r)
{
    mem *m = &r->sim->mem;
    forest_destroy(&r->forest);
    MEM_FREE(m, r->nodes, r->n_nodes);
    MEM_FREE(m, r->number, r->n_number);
    state_destroy(&r->state, m);
    if (r->surface)
        MEM_FREE(m, r->node_mass, r->surface->n_nodes);
    if (r->surface != r->cloth->roots)
        surface_destroy(r->surface);
    *r = (reshape){0};
}

/* ---- merging ----------------------------------------------------------------------------------------------------- */

/* The four middles, and what they are stitched to. */
#define MERGE_MOST_LEAVING 8

/* Active middles of sides that go or begin to hang when the children of ei merge. */
static int leaving_nodes(const forest *f, int32_t ei, int32_t out[MERGE_MOST_LEAVING])
{
    const forest_element *el = &f->elements[ei];
    int n = 0;
    for (int i = 0; i < el->n; i++) {
        int32_t middle = f->edges[el->edge[i]].middle;
        if (forest_hangs(f, middle))
            continue;
        out[n++] = middle;
        if (f->closed && f->nodes[middle].partner != middle)
            out[n++] = f->nodes[middle].partner;
    }
    return n;
}

/* Where a node is at rest; those that a split made are middles. */
static vec3 rest_of(reshape *r, int32_t id)
{
    carrier *c = &r->nodes[id];
    const int32_t *p = r->forest.nodes[id].parent;
    if (!c->placed) {
        const surface *roots = r->cloth->roots;
        if (p[0] >= 0)
            c->rest = v3_scale(0.5, v3_add(rest_of(r, p[0]), rest_of(r, p[1])));
        else
            c->rest = roots->rest ? roots->rest[id] : v3(roots->uv[id].u, roots->uv[id].v, 0);
        c->placed = true;
    }
    return c->rest;
}

/* How the centre of a quad stands to its corners. */
static void centre_weights(reshape *r, const forest_element *el, double out[4])
{
    vec3 p[4];
    for (int i = 0; i < 4; i++)
        p[i] = rest_of(r, el->node[i]);
    corner_centre_weights(p, el->diagonal, out);
}

static void gain(carrier *to, double mass, vec3 momentum)
{
    if (!to->gained)
        to->momentum = v3_scale(to->mass, to->v);
    to->gained = true;
    to->momentum = v3_add(to->momentum, momentum);
    to->mass += mass;
}

/* Of n nodes, by weights. */
static void hand_over(reshape *r, int32_t id, const int32_t *to, const double *weight, int n)
{
    carrier *c = &r->nodes[id];
    vec3 momentum = c->gained ? c->momentum : v3_scale(c->mass, c->v);
    for (int i = 0; i < n; i++)
        gain(&r->nodes[to[i]], weight[i] * c->mass, v3_scale(weight[i], momentum));
    *c = (carrier){.stayed = true}; /* should it become active again, it does so as the middle of its parents */
}

static void hand_over_centre(reshape *r, const forest_element *el)
{
    double weight[4];
    centre_weights(r, el, weight);
    hand_over(r, r->forest.elements[el->child].node[2], el->node, weight, 4);
}

static void forget_nodes(void *user, const forest_change *change)
{
    reshape *r = user;
    for (int32_t i = 0; i < change->n_nodes_out; i++)
        r->nodes[change->nodes_out[i]] = (carrier){.known = false};
}

void reshape_merge(reshape *r, int32_t ei)
{
    int32_t leaving[MERGE_MOST_LEAVING];
    int n = leaving_nodes(&r->forest, ei, leaving);
    const double half[2] = {0.5, 0.5};
    for (int i = 0; i < n; i++)
        hand_over(r, leaving[i], r->forest.nodes[leaving[i]].parent, half, 2);
    if (r->forest.elements[ei].n == 4)
        hand_over_centre(r, &r->forest.elements[ei]);
    r->forest.replace = forget_nodes;
    r->forest.replace_user = r;
    forest_merge(&r->forest, ei);
    r->forest.replace = NULL;
}

/* ---- out of carriers --------------------------------------------------------------------------------------------- */

static contact_memory mean_memory(const contact_memory *a, const contact_memory *b)
{
    if (a->owner != b->owner || a->owner == CONTACT_OWNER_NONE)
        return (contact_memory){.owner = CONTACT_OWNER_NONE};
    return (contact_memory){.friction_ratio = v3_scale(0.5, v3_add(a->friction_ratio, b->friction_ratio)),
                            .force = 0.5 * (a->force + b->force),
                            .owner = a->owner};
}

static void be_middle(carrier *c, const carrier *a, const carrier *b)
{
    *c = (carrier){.q = v3_scale(0.5, v3_add(a->q, b->q)),
                   .v = v3_scale(0.5, v3_add(a->v, b->v)),
                   .q_past = v3_scale(0.5, v3_add(a->q_past, b->q_past)),
                   .v_past = v3_scale(0.5, v3_add(a->v_past, b->v_past)),
                   .accel = v3_scale(0.5, v3_add(a->accel, b->accel)),
                   .memory = mean_memory(&a->memory, &b->memory),
                   .restart = a->restart || b->restart,
                   .pair_radius = 0.5 * (a->pair_radius + b->pair_radius),
                   .known = true,
                   .stayed = c->stayed,
                   .centre_of = c->centre_of};
}

static void know(reshape *r, int32_t id);

/* Velocities of a quad's centre, and the way that led to where it is. */
static void move_as_centre(reshape *r, carrier *c)
{
    const forest_element *el = &r->forest.elements[c->centre_of - 1];
    double weight[4];
    centre_weights(r, el, weight);
    c->v = c->v_past = c->accel = v3_zero();
    c->q_past = c->q;
    for (int i = 0; i < 4; i++) {
        know(r, el->node[i]);
        const carrier *k = &r->nodes[el->node[i]];
        c->v = v3_madd(c->v, weight[i], k->v);
        c->v_past = v3_madd(c->v_past, weight[i], k->v_past);
        c->accel = v3_madd(c->accel, weight[i], k->accel);
        c->q_past = v3_madd(c->q_past, weight[i], v3_sub(k->q_past, k->q));
    }
}

/* The way up is as long as there are levels. */
static void know(reshape *r, int32_t id)
{
    carrier *c = &r->nodes[id];
    if (c->known)
        return;
    const int32_t *p = r->forest.nodes[id].parent;
    know(r, p[0]);
    know(r, p[1]);
    be_middle(c, &r->nodes[p[0]], &r->nodes[p[1]]);
    if (c->centre_of > 0)
        move_as_centre(r, c);
}

static void find_centres(reshape *r)
{
    for (int32_t ei = 0; ei < r->forest.n_elements; ei++) {
        const forest_element *el = &r->forest.elements[ei];
        if (el->n == 4 && el->child >= 0)
            r->nodes[r->forest.elements[el->child].node[2]].centre_of = ei + 1;
    }
}

/* What is stitched has one velocity: all of a ring gain if one does. */
static void settle_ring(reshape *r, int32_t id)
{
    const forest_node *nodes = r->forest.nodes;
    double mass = r->nodes[id].mass;
    vec3 momentum = r->nodes[id].momentum;
    for (int32_t v = nodes[id].partner; v != id; v = nodes[v].partner) {
        const carrier *c = &r->nodes[v];
        momentum = v3_add(momentum, c->gained ? c->momentum : v3_scale(c->mass, c->v));
        mass += c->mass;
    }
    vec3 speed = v3_scale(1 / mass, momentum);
    int32_t v = id;
    do {
        carrier *c = &r->nodes[v];
        c->v = c->v_past = speed;
        c->restart = 1; /* the past is no longer that of this node */
        c->gained = false;
        v = nodes[v].partner;
    } while (v != id);
}

static void settle_velocities(reshape *r)
{
    for (int32_t id = 0; id < r->n_nodes; id++)
        if (r->nodes[id].known && r->nodes[id].gained)
            settle_ring(r, id);
}

/* Nodes that were not there get their state, those that hang theirs anew. */
static void fill_carriers(reshape *r, const surface *to)
{
    settle_velocities(r);
    find_centres(r);
    for (int32_t vi = 0; vi < to->n_nodes; vi++)
        know(r, to->origin[vi]);
    for (int32_t vi = 0; vi < to->n_nodes; vi++)
        if (to->rows[vi].dof[1] >= 0)
            be_middle(&r->nodes[to->origin[vi]], &r->nodes[to->origin[to->rows[vi].dof[0]]],
                      &r->nodes[to->origin[to->rows[vi].dof[1]]]);
}

static void place_carrier(const reshape *r, const surface *to, state *st, int32_t offset)
{
    for (int32_t vi = 0; vi < to->n_nodes; vi++) {
        const carrier *c = &r->nodes[to->origin[vi]];
        int32_t k = offset + vi;
        st->q[k] = c->q;
        st->v[k] = c->v;
        st->q_past[k] = c->q_past;
        st->v_past[k] = c->v_past;
        st->accel[k] = c->accel;
        st->memory[k] = c->memory;
        st->restart[k] = c->restart;
        st->pair_radius[k] = c->pair_radius;
    }
}

/* ---- by number --------------------------------------------------------------------------------------------------- */

/* The new number of each node of the cloth, −1 for those that go. NULL: no memory. */
static int32_t *numbers_of_old(const reshape *r, const surface *to)
{
    const surface *from = r->cloth->surface;
    mem *m = &r->sim->mem;
    int32_t *number = mem_array(m, r->forest.n_nodes + 1, sizeof *number), *by_old = NULL;
    if (number && MEM_MAKE(m, by_old, from->n_nodes)) {
        for (int32_t id = 0; id < r->forest.n_nodes; id++)
            number[id] = -1;
        for (int32_t vi = 0; vi < to->n_nodes; vi++)
            number[to->origin[vi]] = vi;
        for (int32_t vi = 0; vi < from->n_nodes; vi++)
            by_old[vi] = r->nodes[forest_node_of(from, vi)].stayed ? number[forest_node_of(from, vi)] : -1;
    }
    mem_free(m, number, r->forest.n_nodes + 1, sizeof *number);
    return by_old;
}

/* Pairs whose nodes are still there keep what they remember. */
static bool carry_pairs(const reshape *r, const surface *to, const int32_t *by_old, pair_memories *out)
{
    const pair_memories *old = &r->sim->state.pairs;
    const cloth *c = r->cloth;
    int32_t after = c->offset + c->surface->n_nodes, more = to->n_nodes - c->surface->n_nodes;
    if (!pair_memories_reserve(out, &r->sim->mem, old->n))
        return false;
    out->n = 0;
    for (int64_t i = 0; i < old->n; i++) {
        pair_memory p = old->items[i];
        bool stays = true;
        for (int k = 0; k < 4; k++) {
            int32_t vi = p.pair.node[k];
            int32_t now = vi < c->offset ? vi : vi >= after ? vi + more : by_old[vi - c->offset];
            if (vi >= c->offset && vi < after && now >= 0)
                now += c->offset;
            stays = stays && now >= 0;
            p.pair.node[k] = now;
        }
        if (stays)
            out->items[out->n++] = p;
    }
    return true;
}

/* ---- tilts of bending -------------------------------------------------------------------------------------------- */

/* One for each pair of neighbours that bend, in the order of the forces (build_bending.c): the side as the first of
 * them runs along it. `number` gives the new number of each node; NULL: as it is. */
static void add_tilt_sides(sides *all, const surface *s, const cloth_material *m, const int32_t *number, int32_t kind)
{
    int32_t k = 0;
    for (int32_t ti = 0; ti < s->n_bent; ti++)
        for (int i = 0; i < 3; i++) {
            const triangle *t = &s->bent[ti];
            if (!forces_have_tilt(s, m, ti, i))
                continue;
            int32_t from = t->node[(i + 1) % 3], to = t->node[(i + 2) % 3];
            if (number) {
                from = number[from];
                to = number[to];
            }
            if (from >= 0 && to >= 0)
                sides_add(all, from, to, k, kind);
            k++;
        }
}

/* Shares of edges that are still there, each with the sign of the triangle that now comes first; others begin at 0. */
static bool carry_tilts(const reshape *r, const surface *to, const int32_t *by_old, const double *old, double *out)
{
    const surface *from = r->cloth->surface;
    sides all = {0};
    if (!sides_create(&all, &r->sim->mem, to->n_nodes, 3 * from->n_bent + 3 * to->n_bent)) {
        sides_destroy(&all);
        return false;
    }
    add_tilt_sides(&all, from, &r->cloth->material, by_old, 0);
    add_tilt_sides(&all, to, &r->cloth->material, NULL, 1);
    sides_sort(&all);
    int32_t n = 0;
    for (const side *g = NULL; (g = sides_next(&all, g, &n));)
        if (n == 2 && g[0].index == 0 && g[1].index == 1) {
            assert(old); /* the cloth had this share before */
            out[g[1].owner] = g[0].from == g[1].from ? old[g[0].owner] : -old[g[0].owner];
        }
    sides_destroy(&all);
    return true;
}

/* ---- commit ------------------------------------------------------------------------------------------------------ */

static bool make_reshaped_state(reshape *r)
{
    weft_sim *s = r->sim;
    const cloth *c = r->cloth;
    const surface *to = r->surface;
    const state *st = &s->state;
    state *made = &r->state;
    int32_t n = st->n - c->surface->n_nodes + to->n_nodes, tilts = st->n_tilts - c->n_tilts + r->n_tilts;
    int32_t after = c->offset + c->surface->n_nodes, tilts_after = c->tilt_offset + c->n_tilts;
    if (!state_create(made, &s->mem, n, tilts))
        return false;
    made->time = st->time;
    made->last_h = st->last_h;
    state_copy_range(made, 0, st, 0, c->offset);
    state_copy_range(made, c->offset + to->n_nodes, st, after, st->n - after);
    state_copy_tilts(made, 0, st, 0, c->tilt_offset);
    state_copy_tilts(made, c->tilt_offset + r->n_tilts, st, tilts_after, st->n_tilts - tilts_after);
    place_carrier(r, to, made, c->offset);
    int32_t *by_old = numbers_of_old(r, to);
    const double *old = c->n_tilts > 0 ? st->tilt + c->tilt_offset : NULL;
    bool ok = by_old && carry_pairs(r, to, by_old, &made->pairs) &&
              (r->n_tilts == 0 || carry_tilts(r, to, by_old, old, made->tilt + c->tilt_offset));
    MEM_FREE(&s->mem, by_old, c->surface->n_nodes);
    return ok;
}

static bool make_masses(reshape *r)
{
    const cloth *c = r->cloth;
    if (!c->node_mass)
        return true;
    if (!MEM_MAKE(&r->sim->mem, r->node_mass, r->surface->n_nodes))
        return false;
    memcpy(r->node_mass, c->node_mass, (size_t)c->roots->n_nodes * sizeof *r->node_mass);
    return true;
}

/* Numbers of attached and tied nodes; none of them goes. */
static void renumber(int32_t *nodes, int32_t n, const reshape *r)
{
    for (int32_t i = 0; i < n; i++)
        nodes[i] = r->number[forest_node_of(r->cloth->surface, nodes[i])];
}

static void renumber_holds(const reshape *r)
{
    weft_sim *s = r->sim;
    for (int32_t i = 0; i < s->defs.attachments.n; i++) {
        attachment *a = s->defs.attachments.items[i].item;
        if (a && sim_get_cloth(s, a->cloth, NULL) == r->cloth)
            renumber(a->nodes, a->n, r);
    }
    for (int32_t i = 0; i < s->defs.ties.n; i++) {
        tie *t = s->defs.ties.items[i].item;
        if (t && sim_get_cloth(s, t->cloth_a, NULL) == r->cloth)
            renumber(t->a, t->n, r);
        if (t && sim_get_cloth(s, t->cloth_b, NULL) == r->cloth)
            renumber(t->b, t->n, r);
    }
}

static void move_behind(weft_sim *s, const cloth *c, int32_t by, int32_t tilts_by)
{
    for (int32_t i = 0; i < s->defs.cloths.n; i++) {
        cloth *o = s->defs.cloths.items[i].item;
        if (o && o->offset > c->offset) {
            o->offset += by;
            o->tilt_offset += tilts_by;
        }
    }
}

#define RESHAPE_SWAP(type, a, b)                                                                                       \
    do {                                                                                                               \
        type swap_ = (a);                                                                                              \
        (a) = (b);                                                                                                     \
        (b) = swap_;                                                                                                   \
    } while (0)

/* The cloth gets what the reshape has, and the other way round. */
static void exchange(reshape *r)
{
    weft_sim *s = r->sim;
    cloth *c = r->cloth;
    for (int32_t vi = 0; vi < r->surface->n_nodes; vi++)
        r->number[forest_node_of(r->surface, vi)] = vi;
    renumber_holds(r);
    move_behind(s, c, r->surface->n_nodes - c->surface->n_nodes, r->n_tilts - c->n_tilts);
    RESHAPE_SWAP(state, s->state, r->state);
    RESHAPE_SWAP(double *, c->node_mass, r->node_mass);
    RESHAPE_SWAP(surface *, c->surface, r->surface);
    RESHAPE_SWAP(forest, c->forest, r->forest);
    RESHAPE_SWAP(int32_t, c->n_tilts, r->n_tilts);
    c->material.node_mass = c->node_mass;
    model_invalidate(&s->model);
}

/* Carriers for the nodes that the forest has now. */
static bool grow_carriers(reshape *r)
{
    if (r->forest.n_nodes <= r->n_nodes)
        return true;
    carrier *grown = mem_resized(&r->sim->mem, r->nodes, r->n_nodes, r->forest.n_nodes, sizeof *grown);
    if (!grown)
        return false;
    r->nodes = grown;
    r->n_nodes = r->forest.n_nodes;
    return true;
}

static bool make_reshaped(reshape *r)
{
    r->n_number = r->forest.n_nodes; /* slots do not grow fewer: enough for the forest of before, too */
    if (!grow_carriers(r) || !MEM_MAKE(&r->sim->mem, r->number, r->n_number))
        return false;
    r->surface = surface_of_leaves(&r->forest, r->cloth->roots);
    if (!r->surface)
        return false;
    r->n_tilts = forces_n_tilts(r->surface, &r->cloth->material);
    fill_carriers(r, r->surface);
    return make_masses(r) && make_reshaped_state(r);
}

weft_result reshape_commit(reshape *r, weft_error *e)
{
    if (!make_reshaped(r)) {
        reshape_drop(r);
        return error_memory(e);
    }
    exchange(r);
    return WEFT_OK;
}

void reshape_undo(reshape *r)
{
    exchange(r);
    reshape_drop(r);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static bool names_beyond(const int32_t *nodes, int32_t n, const cloth *c)
{
    for (int32_t i = 0; i < n; i++)
        if (nodes[i] >= c->roots->n_nodes)
            return true;
    return false;
}

bool reshape_names_new_nodes(const weft_sim *s, const cloth *c)
{
    for (int32_t i = 0; i < s->defs.attachments.n; i++) {
        const attachment *a = s->defs.attachments.items[i].item;
        if (a && sim_get_cloth(s, a->cloth, NULL) == c && names_beyond(a->nodes, a->n, c))
            return true;
    }
    for (int32_t i = 0; i < s->defs.ties.n; i++) {
        const tie *t = s->defs.ties.items[i].item;
        if (t && ((sim_get_cloth(s, t->cloth_a, NULL) == c && names_beyond(t->a, t->n, c)) ||
                  (sim_get_cloth(s, t->cloth_b, NULL) == c && names_beyond(t->b, t->n, c))))
            return true;
    }
    return false;
}
