/* SPDX-License-Identifier: MIT */
/* Detail where the cloth bends (villard2002 §4): at nodes where it does, the biggest elements split; where it does not,
 * four merge. Merging comes first, so that the nodes it frees serve for splitting; a family one of whose elements is to
 * split stays, and so does one that the balance would have split again. Between the two angles nothing happens: a
 * merged element, twice as long, has about twice the angle. */
#include <string.h>

#include "base/clock.h"
#include "math/trig.h"
#include "mesh/criterion.h"
#include "sim/check.h"
#include "sim/phases.h"
#include "sim/adapt.h"
#include "sim/params.h"
#include "sim/sim.h"

weft_adapt weft_adapt_default(void)
{
    return (weft_adapt){.refine_angle = 0.2, .coarsen_angle = 0.06, .coarsen_way = 5e-4, .interval = 1.0 / 60};
}

weft_result adapt_check(const weft_adapt *a, weft_error *e)
{
    weft_result r = check_integer("adapt.max_level", a->max_level, 0, FOREST_MAX_LEVEL, e);
    if (r != WEFT_OK || a->max_level == 0)
        return r;
    r = check_number("adapt.refine_angle", a->refine_angle, 1e-3, 3, e);
    if (r == WEFT_OK)
        r = check_number("adapt.coarsen_angle", a->coarsen_angle, 0, 3, e);
    if (r == WEFT_OK && a->coarsen_angle > 0.5 * a->refine_angle)
        r = error_set(
            e, WEFT_ERROR_ARGUMENT, -1,
            "adapt.coarsen_angle is %g, more than half of adapt.refine_angle, %g: what merges would split again",
            a->coarsen_angle, a->refine_angle);
    if (r == WEFT_OK)
        r = check_number("adapt.coarsen_way", a->coarsen_way, 0, 1, e);
    if (r == WEFT_OK)
        r = check_number("adapt.min_size", a->min_size, 0, 1e3, e);
    if (r == WEFT_OK)
        r = check_integer("adapt.node_limit", a->node_limit, 0, 100000000, e);
    if (r == WEFT_OK)
        r = check_number("adapt.interval", a->interval, 0, 10, e);
    return r;
}

/* A look at a cloth. */
typedef struct look {
    weft_sim *s;
    cloth *c;
    const surface *f;
    const vec3 *x;
    look_space *w;
} look;

void look_space_destroy(look_space *w, mem *m)
{
    MEM_FREE(m, w->normal, w->n_nodes);
    MEM_FREE(m, w->cosine, w->n_nodes);
    MEM_FREE(m, w->wanted, w->n_nodes);
    MEM_FREE(m, w->least, w->n_nodes);
    MEM_FREE(m, w->named, w->n_nodes);
    MEM_FREE(m, w->split, w->n_elements);
    MEM_FREE(m, w->merge, w->n_elements);
    MEM_FREE(m, w->towards, w->n_nodes);
    MEM_FREE(m, w->struck, w->n_nodes);
    *w = (look_space){0};
}

/* As large as the surface; kept, so that a look that finds nothing calls no allocator. */
static bool look_space_fit(look_space *w, mem *m, const surface *f, bool sizes)
{
    if (w->n_nodes == f->n_nodes && w->n_elements == f->n_elements)
        return true;
    look_space_destroy(w, m);
    w->n_nodes = f->n_nodes;
    w->n_elements = f->n_elements;
    return MEM_MAKE(m, w->normal, w->n_nodes) && MEM_MAKE(m, w->cosine, w->n_nodes) &&
           (!sizes || MEM_MAKE(m, w->wanted, w->n_nodes)) && MEM_MAKE(m, w->least, w->n_nodes) &&
           MEM_MAKE(m, w->named, w->n_nodes) && MEM_MAKE(m, w->split, w->n_elements) &&
           MEM_MAKE(m, w->merge, w->n_elements) && MEM_MAKE(m, w->towards, w->n_nodes) &&
           MEM_MAKE(m, w->struck, w->n_nodes);
}

/* ---- what should split ------------------------------------------------------------------------------------------- */

static double longest_side(const surface *f, const element *el)
{
    double l = 0;
    for (int i = 0; i < el->n; i++)
        l = max_of(l, surface_rest_length(f, el->node[i], el->node[(i + 1) % el->n]));
    return l;
}

/* Sides that are meant to be as long as wanted may be off by rounding. */
#define SIZE_SLACK 1e-9

static bool may_split(const look *k, const element *el)
{
    const weft_adapt *a = &k->c->adapt;
    return el->level < a->max_level &&
           (a->min_size == 0 || 0.5 * longest_side(k->f, el) >= (1 - SIZE_SLACK) * a->min_size);
}

static void ask_sizes(look *k)
{
    const weft_adapt *a = &k->c->adapt;
    guard_open(&k->s->guard);
    for (int32_t vi = 0; k->w->wanted && vi < k->f->n_nodes; vi++)
        k->w->wanted[vi] = a->size(a->size_user, k->x[vi], k->f->uv ? k->f->uv[vi] : (vec2){0, 0});
    guard_close(&k->s->guard);
}

/* Whether its sides, times `grow`, are longer than wanted at a corner. */
static bool is_too_long(const look *k, const element *el, double grow)
{
    double l = k->w->wanted ? grow * longest_side(k->f, el) : 0;
    for (int i = 0; k->w->wanted && i < el->n; i++)
        if (l > (1 + SIZE_SLACK) * k->w->wanted[el->node[i]])
            return true;
    return false;
}

static bool node_hangs(const look *k, int32_t vi)
{
    return k->f->rows[vi].dof[1] >= 0;
}

static bool is_curved(const look *k, const element *el, double cos_refine)
{
    for (int i = 0; i < el->n; i++) {
        int32_t vi = el->node[i];
        if (!node_hangs(k, vi) && k->w->cosine[vi] < cos_refine && k->w->least[vi] == el->level)
            return true;
    }
    return false;
}

static void find_splits(look *k)
{
    double cos_refine = weft_cos(k->c->adapt.refine_angle);
    for (int32_t vi = 0; vi < k->f->n_nodes; vi++)
        k->w->least[vi] = INT32_MAX;
    for (int32_t ei = 0; ei < k->f->n_elements; ei++)
        for (int i = 0; i < k->f->elements[ei].n; i++) {
            int32_t *least = &k->w->least[k->f->elements[ei].node[i]];
            *least = *least < k->f->elements[ei].level ? *least : k->f->elements[ei].level;
        }
    for (int32_t ei = 0; ei < k->f->n_elements; ei++) {
        const element *el = &k->f->elements[ei];
        k->w->split[ei] = may_split(k, el) && (is_curved(k, el, cos_refine) || is_too_long(k, el, 1));
        k->w->n_split += k->w->split[ei];
    }
}

/* ---- what may merge ---------------------------------------------------------------------------------------------- */

static void name_nodes(look *k)
{
    weft_sim *s = k->s;
    for (int32_t i = 0; i < s->defs.attachments.n; i++) {
        const attachment *a = s->defs.attachments.items[i].item;
        for (int32_t j = 0; a && sim_get_cloth(s, a->cloth, NULL) == k->c && j < a->n; j++)
            k->w->named[a->nodes[j]] = true;
    }
    for (int32_t i = 0; i < s->defs.ties.n; i++) {
        const tie *t = s->defs.ties.items[i].item;
        for (int32_t j = 0; t && sim_get_cloth(s, t->cloth_a, NULL) == k->c && j < t->n; j++)
            k->w->named[t->a[j]] = true;
        for (int32_t j = 0; t && sim_get_cloth(s, t->cloth_b, NULL) == k->c && j < t->n; j++)
            k->w->named[t->b[j]] = true;
    }
}

/* Elements [ei, ei + 4) are the children of one element: the walk names the children of a parent in a row. */
static int32_t family_at(const look *k, int32_t ei)
{
    const forest *t = &k->c->forest;
    int32_t parent = t->elements[k->f->elements[ei].leaf].parent;
    if (parent < 0 || ei + 4 > k->f->n_elements || k->f->elements[ei].leaf != t->elements[parent].child)
        return -1;
    for (int i = 1; i < 4; i++)
        if (k->f->elements[ei + i].leaf != t->elements[parent].child + i)
            return -1;
    return parent;
}

/* Child i keeps one corner of the parent, its own number i; all its other nodes go or hang. */
static bool is_flat(const look *k, int32_t ei, double cos_coarsen)
{
    for (int i = 0; i < 4; i++) {
        const element *el = &k->f->elements[ei + i];
        for (int j = 0; j < el->n; j++) {
            int32_t vi = el->node[j];
            bool corner = j == i && (el->n == 4 || i < 3);
            if ((!node_hangs(k, vi) && k->w->cosine[vi] < cos_coarsen) || (!corner && k->w->named[vi]))
                return false;
        }
    }
    return true;
}

/* How far a node that goes is from the middle it goes to, m. */
static double way_to_middle(const look *k, int32_t vi, int32_t a, int32_t b)
{
    return node_hangs(k, vi) ? 0 : v3_len(v3_sub(k->x[vi], v3_scale(0.5, v3_add(k->x[a], k->x[b]))));
}

/* Of all nodes of the family at ei that go or begin to hang, the farthest. */
static double merge_way(const look *k, int32_t ei, int32_t diagonal)
{
    const element *el = &k->f->elements[ei];
    int n = el[0].n;
    double way = 0;
    for (int i = 0; i < n; i++)
        way = max_of(way, way_to_middle(k, el[i].node[(i + 1) % n], el[i].node[i], el[(i + 1) % n].node[(i + 1) % n]));
    if (n == 4)
        way = max_of(way,
                     way_to_middle(k, el[0].node[2], el[diagonal].node[diagonal], el[diagonal + 2].node[diagonal + 2]));
    return way;
}

static bool may_merge(const look *k, int32_t ei, double cos_coarsen)
{
    int32_t parent = family_at(k, ei);
    if (parent < 0 || !is_flat(k, ei, cos_coarsen) || !forest_can_merge(&k->c->forest, parent))
        return false;
    for (int i = 0; i < 4; i++)
        if (k->w->split[ei + i] || is_too_long(k, &k->f->elements[ei + i], 2))
            return false;
    return merge_way(k, ei, k->c->forest.elements[parent].diagonal) <= k->c->adapt.coarsen_way;
}

static void find_merges(look *k)
{
    double cos_coarsen = weft_cos(k->c->adapt.coarsen_angle);
    for (int32_t vi = 0; vi < k->f->n_nodes; vi++)
        k->w->named[vi] = false;
    name_nodes(k);
    for (int32_t ei = 0; ei < k->f->n_elements; ei++) {
        k->w->merge[ei] = may_merge(k, ei, cos_coarsen);
        k->w->n_merge += k->w->merge[ei];
    }
}

/* ---- doing it ---------------------------------------------------------------------------------------------------- */

static void merge_families(const look *k, reshape *r)
{
    for (int32_t ei = 0; ei < k->f->n_elements; ei++)
        if (k->w->merge[ei])
            reshape_merge(r, family_at(k, ei));
}

/* A split makes five nodes, and as many again for each coarser neighbour that must split before it. */
static bool has_room_for_nodes(const cloth *c, const forest *f)
{
    int32_t most = c->adapt.node_limit > 0 ? c->adapt.node_limit : INT32_MAX;
    return f->n_live_nodes <= most - 5;
}

/* Coarse ones first: they are what the limit of nodes should be spent on. */
static weft_result split_elements(const look *k, forest *f, bool *limited, weft_error *e)
{
    for (int32_t level = 0; level < FOREST_MAX_LEVEL; level++)
        for (int32_t ei = 0; ei < k->f->n_elements; ei++) {
            if (!k->w->split[ei] || k->f->elements[ei].level != level)
                continue;
            if (!has_room_for_nodes(k->c, f)) {
                *limited = true;
                return WEFT_OK;
            }
            if (!forest_refine(f, k->f->elements[ei].leaf))
                return error_memory(e);
        }
    return WEFT_OK;
}

/* A family that merges only to be split again, for the balance, would lose its motion each time. */
static weft_result spare_families(look *k, weft_error *e)
{
    forest tried;
    bool unused;
    if (!forest_copy(&tried, &k->c->forest))
        return error_memory(e);
    weft_result r = split_elements(k, &tried, &unused, e);
    for (int32_t ei = 0; r == WEFT_OK && ei < k->f->n_elements; ei++)
        if (k->w->merge[ei] && !forest_can_merge(&tried, family_at(k, ei))) {
            k->w->merge[ei] = false;
            k->w->n_merge--;
        }
    forest_destroy(&tried);
    return r;
}

static weft_result change(look *k, reshape *r, weft_step_stats *stats, bool *limited, weft_error *e)
{
    weft_result result = reshape_begin(r, k->s, k->c, e);
    if (result != WEFT_OK)
        return result;
    uint32_t before = r->forest.revision;
    merge_families(k, r);
    result = split_elements(k, &r->forest, limited, e);
    int32_t n = (int32_t)(r->forest.revision - before);
    if (result != WEFT_OK || n == 0) {
        reshape_drop(r);
        return result;
    }
    result = reshape_commit(r, e);
    if (result == WEFT_OK) {
        stats->merged += k->w->n_merge;
        stats->split += n - k->w->n_merge;
    }
    return result;
}

static bool room_for_changes(weft_sim *s, adaptation *a)
{
    if (a->changes)
        return true;
    a->capacity = s->defs.cloths.n;
    return MEM_MAKE(&s->mem, a->changes, a->capacity);
}

static void forget_merges(look *k)
{
    for (int32_t ei = 0; ei < k->f->n_elements; ei++)
        k->w->merge[ei] = false;
    k->w->n_merge = 0;
}

static look look_at(weft_sim *s, cloth *c)
{
    return (look){.s = s, .c = c, .f = c->surface, .x = s->state.q + c->offset, .w = &c->look};
}

/* What should split and what may merge, into c->look. */
static weft_result look_over(weft_sim *s, cloth *c, bool split_only, weft_error *e)
{
    look k = look_at(s, c);
    if (!look_space_fit(k.w, &s->mem, k.f, c->adapt.size)) {
        look_space_destroy(k.w, &s->mem);
        return error_memory(e);
    }
    k.w->n_split = k.w->n_merge = 0;
    criterion_cosines(k.f, k.x, k.w->normal, k.w->cosine);
    ask_sizes(&k);
    find_splits(&k);
    if (split_only)
        forget_merges(&k);
    else
        find_merges(&k);
    return k.w->n_split > 0 && k.w->n_merge > 0 ? spare_families(&k, e) : WEFT_OK;
}

static weft_result adapt_cloth(weft_sim *s, cloth *c, adaptation *a, weft_step_stats *stats, bool *limited,
                               weft_error *e)
{
    look k = look_at(s, c);
    if (k.w->n_split > 0 && k.w->n_merge == 0 && !has_room_for_nodes(c, &c->forest)) {
        *limited = true;
        return WEFT_OK;
    }
    if (k.w->n_split == 0 && k.w->n_merge == 0)
        return WEFT_OK;
    if (!room_for_changes(s, a))
        return error_memory(e);
    weft_result r = change(&k, &a->changes[a->n], stats, limited, e);
    a->n += r == WEFT_OK && a->changes[a->n].sim;
    return r;
}

static bool can_wait(const weft_sim *s, const cloth *c)
{
    return s->state.time < c->few_from &&
           ADAPT_FEW * ((int64_t)c->look.n_split + c->look.n_merge) < (int64_t)c->surface->n_elements;
}

static bool looks(const weft_sim *s, const cloth *c)
{
    return c && c->adapt.max_level > 0 && s->state.time >= c->next_look;
}

static void forget_look(cloth *c)
{
    c->look.n_split = c->look.n_merge = 0;
}

static void forget_looks(weft_sim *s)
{
    for (int32_t i = 0; i < s->defs.cloths.n; i++)
        if (s->defs.cloths.items[i].item)
            forget_look(s->defs.cloths.items[i].item);
}

/* All looks come before the first change: merging is tried as a motion of all cloths together. */
weft_result adapt_cloths(weft_sim *s, adaptation *a, bool split_only, weft_step_stats *stats, weft_error *e)
{
    bool limited = false;
    weft_result r = WEFT_OK;
    *a = (adaptation){.time = s->state.time};
    forget_looks(s);
    for (int32_t i = 0; i < s->defs.cloths.n && r == WEFT_OK; i++) {
        cloth *c = s->defs.cloths.items[i].item;
        if (!looks(s, c))
            continue;
        r = look_over(s, c, split_only, e);
        if (can_wait(s, c))
            forget_look(c);
    }
    if (r == WEFT_OK)
        r = merges_try(s, stats, e);
    for (int32_t i = 0; i < s->defs.cloths.n && r == WEFT_OK; i++) {
        cloth *c = s->defs.cloths.items[i].item;
        if (looks(s, c))
            r = adapt_cloth(s, c, a, stats, &limited, e);
    }
    return r == WEFT_OK && limited ? WEFT_WARNING_NODE_LIMIT : r;
}

void adapt_end(weft_sim *s, adaptation *a, bool keep)
{
    while (a->n > 0) {
        reshape *r = &a->changes[--a->n];
        /* A little slack, so that steps of just the interval are not missed by rounding. */
        if (keep) {
            r->cloth->few_from = a->time + (ADAPT_WAIT - 0.001) * r->cloth->adapt.interval;
            reshape_drop(r);
        } else
            reshape_undo(r);
    }
    MEM_FREE(&s->mem, a->changes, a->capacity);
    for (int32_t i = 0; keep && i < s->defs.cloths.n; i++) {
        cloth *c = s->defs.cloths.items[i].item;
        if (c && c->adapt.max_level > 0 && a->time >= c->next_look)
            c->next_look = a->time + 0.999 * c->adapt.interval;
    }
}

/* ---- the phase --------------------------------------------------------------------------------------------------- */

/* The model of a mesh that has changed. */
static weft_result lay_out_model(weft_sim *s, weft_step_stats *stats, weft_error *e)
{
    double t0 = clock_seconds();
    weft_result r = model_build(&s->model, &s->state, e);
    stats->seconds_layout += clock_seconds() - t0;
    return r;
}

/* What is only suspected to intersect is looked for: what merging may do goes by how much there is, and by where. */
static weft_result find_tangled(weft_sim *s, weft_error *e)
{
    model *m = &s->model;
    cloth_contact *cc = &m->cloth_contact;
    bool any = false;
    for (int32_t i = 0; i < s->defs.cloths.n; i++)
        any = any || looks(s, s->defs.cloths.items[i].item);
    if (!any || !cc->bvh || cc->n_tangled == 0)
        return WEFT_OK;
    find_meshes(m);
    cloth_contact_place(m, s->state.q, m->mesh.x0, cc->x0);
    return tangled_find(m, &s->state, cc->x0, e);
}

/* Merging moves the surface, by up to coarsen_way. Where that has put it through something, the change is taken back
 * and only what splits is done: splitting moves nothing. */
static weft_result adapt_cleanly(weft_sim *s, adaptation *a, weft_step_stats *stats, weft_error *e)
{
    weft_result adapted = find_tangled(s, e);
    int32_t tangled = s->model.cloth_contact.n_tangled;
    for (int round = 0; adapted >= 0 && round < 2; round++) {
        adapted = adapt_cloths(s, a, round > 0, stats, e);
        if (adapted < 0 || a->n == 0)
            return adapted;
        weft_result r = lay_out_model(s, stats, e);
        if (r != WEFT_OK)
            return r;
        if (round > 0 || s->model.cloth_contact.n_tangled <= tangled)
            break;
        adapt_end(s, a, false);
        stats->split = stats->merged = 0;
        r = lay_out_model(s, stats, e);
        if (r != WEFT_OK)
            return r;
    }
    return adapted;
}

/* The mesh for this step, and the model of it. */
weft_result adapt(weft_sim *s, adaptation *a, weft_step_stats *stats, weft_error *e)
{
    weft_result r = model_build(&s->model, &s->state, e);
    if (r != WEFT_OK)
        return r;
    bool measured = s->stats.n_steps > 0 && s->stats.time == s->state.time;
    double before = s->stats.energy_stretch + s->stats.energy_bending;
    double t0 = clock_seconds();
    weft_result adapted = adapt_cleanly(s, a, stats, e);
    if (adapted >= 0 && a->n > 0 && measured)
        stats->energy_jump = elastic_energy(&s->model, &s->state) - before;
    stats->seconds_adapt = clock_seconds() - t0;
    return adapted;
}
