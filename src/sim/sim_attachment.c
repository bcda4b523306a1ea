/* SPDX-License-Identifier: MIT */
/* Attachments and ties: creation, removal, targets, the forces they feel. */
#include <string.h>

#include "sim/check.h"
#include "sim/adapt.h"
#include "sim/clamp.h"
#include "sim/phases.h"
#include "sim/sim.h"

weft_attachment_def weft_attachment_def_default(void)
{
    return (weft_attachment_def){.struct_size = sizeof(weft_attachment_def),
                                 .kind = WEFT_ATTACH_PIN,
                                 .stiffness = 100,
                                 .rod_direction = {1, 0, 0},
                                 .rod_friction = 0.2,
                                 .until = HUGE_VAL};
}

weft_tie_def weft_tie_def_default(void)
{
    return (weft_tie_def){.struct_size = sizeof(weft_tie_def), .stiffness = 100, .damping = 0.01};
}

static attachment *get_attachment(const weft_sim *s, weft_attachment_id id, weft_error *e)
{
    if (!s) {
        sim_missing(s, e);
        return NULL;
    }
    attachment *a = slots_get(&s->defs.attachments, id.index, id.generation);
    if (!a)
        error_set(e, WEFT_ERROR_STALE_ID, id.index, "there is no attachment with the id %d/%u", id.index,
                  id.generation);
    return a;
}

void attachment_destroy(weft_sim *s, attachment *a)
{
    if (!a)
        return;
    MEM_FREE(&s->mem, a->nodes, a->n);
    MEM_FREE(&s->mem, a->targets, a->n);
    MEM_FREE(&s->mem, a->stiffness, a->n);
    if (a->normals)
        MEM_FREE(&s->mem, a->normals, a->n);
    MEM_FREE(&s->mem, a->force, a->n);
    keys_destroy(&a->keys, &s->mem);
    mem_free(&s->mem, a, 1, sizeof *a);
}

void tie_destroy(weft_sim *s, tie *t)
{
    if (!t)
        return;
    MEM_FREE(&s->mem, t->a, t->n);
    MEM_FREE(&s->mem, t->b, t->n);
    MEM_FREE(&s->mem, t->each, t->n);
    mem_free(&s->mem, t, 1, sizeof *t);
}

static bool same_cloth(weft_cloth_id a, weft_cloth_id b)
{
    return a.index == b.index && a.generation == b.generation;
}

void attachments_drop_cloth(weft_sim *s, weft_cloth_id id)
{
    for (int32_t i = 0; i < s->defs.attachments.n; i++) {
        attachment *a = s->defs.attachments.items[i].item;
        if (a && same_cloth(a->cloth, id)) {
            slots_remove(&s->defs.attachments, i);
            attachment_destroy(s, a);
        }
    }
    for (int32_t i = 0; i < s->defs.ties.n; i++) {
        tie *t = s->defs.ties.items[i].item;
        if (t && (same_cloth(t->cloth_a, id) || same_cloth(t->cloth_b, id))) {
            slots_remove(&s->defs.ties, i);
            tie_destroy(s, t);
        }
    }
}

void attachments_drop_collider(weft_sim *s, weft_collider_id id)
{
    for (int32_t i = 0; i < s->defs.attachments.n; i++) {
        attachment *a = s->defs.attachments.items[i].item;
        if (a && a->kind == WEFT_ATTACH_COLLIDER && a->collider.index == id.index &&
            a->collider.generation == id.generation) {
            slots_remove(&s->defs.attachments, i);
            attachment_destroy(s, a);
        }
    }
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static weft_result check_attached_nodes(const cloth *c, const int32_t *nodes, int32_t n, weft_error *e)
{
    if (n <= 0 || !nodes)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "at least one node is needed");
    for (int32_t i = 0; i < n; i++)
        if (nodes[i] < 0 || nodes[i] >= c->surface->n_nodes)
            return error_set(e, WEFT_ERROR_INDEX, i, "node %d does not exist, the cloth has %d nodes", nodes[i],
                             c->surface->n_nodes);
    return WEFT_OK;
}

static weft_result check_not_hanging(const cloth *c, const weft_attachment_def *d, weft_error *e)
{
    for (int32_t i = 0; i < d->n_nodes && d->kind != WEFT_ATTACH_SOFT; i++)
        if (c->surface->rows[d->nodes[i]].dof[1] >= 0)
            return error_set(e, WEFT_ERROR_ARGUMENT, i,
                             "node %d hangs in the middle of a side and follows its ends: it cannot be held by itself",
                             d->nodes[i]);
    return WEFT_OK;
}

/* Marks nodes that are held already, then sees whether a new one is among them or named twice. */
static weft_result check_not_held(weft_sim *s, weft_cloth_id id, const cloth *c, const weft_attachment_def *d,
                                  weft_error *e)
{
    int32_t n_nodes = c->surface->n_nodes, twice = -1;
    bool *held = mem_array(&s->mem, n_nodes, sizeof *held);
    if (!held)
        return error_memory(e);
    for (int32_t i = 0; i < s->defs.attachments.n && d->kind != WEFT_ATTACH_SOFT; i++) {
        const attachment *a = s->defs.attachments.items[i].item;
        for (int32_t k = 0; a && a->kind != WEFT_ATTACH_SOFT && same_cloth(a->cloth, id) && k < a->n; k++)
            held[a->nodes[k]] = true;
    }
    for (int32_t i = 0; i < d->n_nodes && twice < 0; i++) {
        if (held[d->nodes[i]])
            twice = d->nodes[i];
        held[d->nodes[i]] = true;
    }
    mem_free(&s->mem, held, n_nodes, sizeof *held);
    if (twice >= 0)
        return error_set(e, WEFT_ERROR_DUPLICATE, twice, "node %d is attached twice", twice);
    return WEFT_OK;
}

static weft_result check_attachment_targets(const weft_sim *s, const vec3 *t, int32_t n, weft_error *e)
{
    for (int32_t i = 0; t && i < n; i++) {
        if (!v3_is_finite(t[i]))
            return error_set(e, WEFT_ERROR_NOT_FINITE, i, "target %d is not finite", i);
        if (v3_max_abs(t[i]) > sim_world_limit(s))
            return error_set(e, WEFT_ERROR_RANGE, i, "target %d is (%g, %g, %g), beyond ±%g", i, t[i].x, t[i].y, t[i].z,
                             sim_world_limit(s));
    }
    return WEFT_OK;
}

static weft_result check_weights(const double *w, int32_t n, weft_error *e)
{
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(w[i]))
            return error_set(e, WEFT_ERROR_NOT_FINITE, i, "weights[%d] is not finite", i);
        if (w[i] < 0 || w[i] > 1e3)
            return error_set(e, WEFT_ERROR_RANGE, i, "weights[%d] is %g, it must be in [0, 1000]", i, w[i]);
    }
    return WEFT_OK;
}

static weft_result check_times(double from, double until, weft_error *e)
{
    if (!isfinite(from) || isnan(until))
        return error_set(e, WEFT_ERROR_NOT_FINITE, -1, "%s is %g", isfinite(from) ? "until" : "from",
                         isfinite(from) ? until : from);
    if (until <= from)
        return error_set(e, WEFT_ERROR_RANGE, -1, "until is %g, it must be more than from, %g", until, from);
    return WEFT_OK;
}

static weft_result check_kind(const weft_sim *s, const weft_attachment_def *d, weft_error *e)
{
    weft_result r = check_integer("kind", d->kind, 0, WEFT_ATTACH_CLAMP, e);
    if (r == WEFT_OK)
        r = check_times(d->from, d->until, e);
    if (r != WEFT_OK)
        return r;
    if (d->kind == WEFT_ATTACH_COLLIDER)
        return sim_get_collider(s, d->collider, e) ? WEFT_OK : sim_missing(s, NULL);
    if (d->kind == WEFT_ATTACH_ROD) {
        r = check_vector("rod_point", d->rod_point, 1e6, e);
        if (r == WEFT_OK)
            r = check_direction("rod_direction", d->rod_direction, e);
        return r == WEFT_OK ? check_number("rod_friction", d->rod_friction, 0, 10, e) : r;
    }
    r = check_attachment_targets(s, d->targets, d->n_nodes, e);
    if (r == WEFT_OK && (d->n_keys < 0 || (d->n_keys > 0) != (d->keys != NULL)))
        r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "keys and n_keys (%d) do not fit together", d->n_keys);
    if (r == WEFT_OK)
        r = keys_check(d->keys, d->n_keys, e);
    if (r == WEFT_OK && d->kind == WEFT_ATTACH_SOFT)
        r = check_number("stiffness", d->stiffness, 1e-6, 1e7, e);
    if (r == WEFT_OK && d->kind == WEFT_ATTACH_SOFT && d->weights)
        r = check_weights(d->weights, d->n_nodes, e);
    return r;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool has_targets(weft_attachment_kind kind)
{
    return kind == WEFT_ATTACH_PIN || kind == WEFT_ATTACH_SOFT || kind == WEFT_ATTACH_CLAMP;
}

static bool attachment_allocate(weft_sim *s, attachment *a, const weft_attachment_def *d)
{
    a->n = d->n_nodes;
    return (d->kind != WEFT_ATTACH_CLAMP || MEM_MAKE(&s->mem, a->normals, a->n)) && MEM_MAKE(&s->mem, a->nodes, a->n) &&
           MEM_MAKE(&s->mem, a->targets, a->n) && MEM_MAKE(&s->mem, a->stiffness, a->n) &&
           MEM_MAKE(&s->mem, a->force, a->n) &&
           keys_copy(&a->keys, &s->mem, d->keys, has_targets(d->kind) ? d->n_keys : 0);
}

static void fill_attachment(weft_sim *s, attachment *a, const weft_attachment_def *d, const cloth *c)
{
    a->kind = d->kind;
    a->cloth = d->cloth;
    a->collider = d->collider;
    a->rod_point = d->rod_point;
    a->rod_axis = v3_unit_or(d->rod_direction, v3(1, 0, 0));
    a->rod_friction = d->rod_friction;
    a->spring = d->stiffness;
    a->from = d->from;
    a->until = d->until;
    a->catches = d->from > s->state.time && (!d->targets || d->kind == WEFT_ATTACH_COLLIDER);
    memcpy(a->nodes, d->nodes, (size_t)a->n * sizeof *a->nodes);
    pose frame = pose_identity();
    if (d->kind == WEFT_ATTACH_COLLIDER)
        frame = sim_collider_pose(sim_get_collider(s, d->collider, NULL), s->state.time);
    for (int32_t i = 0; i < a->n; i++) {
        bool given = d->targets && d->kind != WEFT_ATTACH_COLLIDER;
        a->targets[i] = given ? d->targets[i] : pose_unapply(&frame, s->state.q[c->offset + a->nodes[i]]);
        a->stiffness[i] = d->stiffness * (d->weights ? d->weights[i] : 1);
    }
    if (a->kind == WEFT_ATTACH_CLAMP) {
        bool catches = a->catches;
        a->catches = false; /* the normals are the first key's, as the targets are */
        clamp_catch(&s->defs, a, s->state.q, s->state.time);
        a->catches = catches;
    }
}

static weft_result create_attachment(weft_sim *s, const weft_attachment_def *d, weft_attachment_id *out, weft_error *e)
{
    if (!s || !d || !out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1,
                         "weft_attachment_create needs a simulation, a definition and a place for the id");
    weft_result r = check_struct_size("weft_attachment_def", d->struct_size, sizeof *d, e);
    if (r != WEFT_OK)
        return r;
    const cloth *c = sim_get_cloth(s, d->cloth, e);
    if (!c)
        return sim_missing(s, NULL);
    r = check_attached_nodes(c, d->nodes, d->n_nodes, e);
    if (r == WEFT_OK)
        r = check_kind(s, d, e);
    if (r == WEFT_OK)
        r = check_not_hanging(c, d, e);
    if (r == WEFT_OK)
        r = check_not_held(s, d->cloth, c, d, e);
    if (r == WEFT_OK && d->kind == WEFT_ATTACH_CLAMP)
        r = clamp_check(s, d->cloth, d->nodes, d->n_nodes, e);
    if (r != WEFT_OK)
        return r;
    attachment *a = mem_array(&s->mem, 1, sizeof *a);
    if (!a)
        return error_memory(e);
    if (!attachment_allocate(s, a, d) || !slots_reserve(&s->defs.attachments, &s->mem)) {
        attachment_destroy(s, a);
        return error_memory(e);
    }
    fill_attachment(s, a, d, c);
    slots_add(&s->defs.attachments, a, &out->index, &out->generation);
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_attachment_create(weft_sim *s, const weft_attachment_def *d, weft_attachment_id *out, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, create_attachment(s, d, out, e));
}

static weft_result remove_attachment(weft_sim *s, weft_attachment_id id, weft_error *e)
{
    attachment *a = get_attachment(s, id, e);
    if (!a)
        return sim_missing(s, NULL);
    const cloth *c = sim_get_cloth(s, a->cloth, NULL);
    for (int32_t k = 0; k < a->n; k++) /* another rod must not inherit this one's friction */
        s->state.memory[c->offset + a->nodes[k]] = (contact_memory){.owner = CONTACT_OWNER_NONE};
    slots_remove(&s->defs.attachments, id.index);
    attachment_destroy(s, a);
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_attachment_remove(weft_sim *s, weft_attachment_id id, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, remove_attachment(s, id, e));
}

vec3 attachment_target_at(const definitions *d, const attachment *a, vec3 x, double time)
{
    if (a->kind == WEFT_ATTACH_COLLIDER) {
        pose frame = sim_collider_pose(definitions_collider(d, a->collider), time);
        return pose_unapply(&frame, x);
    }
    if (a->keys.n == 0)
        return x;
    pose first = keys_at(&a->keys, a->keys.items[0].time), now = keys_at(&a->keys, time);
    return pose_apply(&first, pose_unapply(&now, x));
}

/* Room for n nodes, of which those that there are stay; a failure leaves all as it was. */
static bool attachment_resize(weft_sim *s, attachment *a, int32_t n)
{
    attachment b = {0};
    int32_t kept = n < a->n ? n : a->n;
    bool ok = MEM_MAKE(&s->mem, b.nodes, n) && MEM_MAKE(&s->mem, b.targets, n) && MEM_MAKE(&s->mem, b.stiffness, n) &&
              MEM_MAKE(&s->mem, b.force, n);
    attachment *old = ok ? a : &b;
    int32_t n_old = ok ? a->n : n;
    if (ok && kept > 0) {
        memcpy(b.nodes, a->nodes, (size_t)kept * sizeof *b.nodes);
        memcpy(b.targets, a->targets, (size_t)kept * sizeof *b.targets);
        memcpy(b.stiffness, a->stiffness, (size_t)kept * sizeof *b.stiffness);
        memcpy(b.force, a->force, (size_t)kept * sizeof *b.force);
    }
    MEM_FREE(&s->mem, old->nodes, n_old);
    MEM_FREE(&s->mem, old->targets, n_old);
    MEM_FREE(&s->mem, old->stiffness, n_old);
    MEM_FREE(&s->mem, old->force, n_old);
    if (ok) {
        a->nodes = b.nodes;
        a->targets = b.targets;
        a->stiffness = b.stiffness;
        a->force = b.force;
        a->n = n;
    }
    return ok;
}

static weft_result refuse_clamp(weft_error *e)
{
    return error_set(e, WEFT_ERROR_ARGUMENT, -1, "a clamp keeps the nodes it has: remove it and make another one");
}

static weft_result add_attachment_nodes(weft_sim *s, weft_attachment_id id, const int32_t *nodes,
                                        const weft_vec3 *targets, int32_t n, weft_error *e)
{
    attachment *a = get_attachment(s, id, e);
    if (!a)
        return sim_missing(s, NULL);
    if (a->kind == WEFT_ATTACH_CLAMP)
        return refuse_clamp(e);
    const cloth *c = sim_get_cloth(s, a->cloth, NULL);
    weft_attachment_def more = {.kind = a->kind, .nodes = nodes, .n_nodes = n};
    weft_result r = check_attached_nodes(c, nodes, n, e);
    if (r == WEFT_OK && targets && a->kind != WEFT_ATTACH_PIN && a->kind != WEFT_ATTACH_SOFT)
        r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "only pins and soft pins have targets");
    if (r == WEFT_OK)
        r = check_attachment_targets(s, targets, n, e);
    if (r == WEFT_OK)
        r = check_not_hanging(c, &more, e);
    if (r == WEFT_OK)
        r = check_not_held(s, a->cloth, c, &more, e);
    int32_t first = a->n;
    if (r == WEFT_OK && !attachment_resize(s, a, first + n))
        r = error_memory(e);
    for (int32_t i = 0; r == WEFT_OK && i < n; i++) {
        a->nodes[first + i] = nodes[i];
        a->stiffness[first + i] = a->spring;
        a->targets[first + i] =
            targets ? targets[i] : attachment_target_at(&s->defs, a, s->state.q[c->offset + nodes[i]], s->state.time);
    }
    model_invalidate(&s->model);
    return r;
}

weft_result weft_attachment_add_nodes(weft_sim *s, weft_attachment_id id, const int32_t *nodes,
                                      const weft_vec3 *targets, int32_t n, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, add_attachment_nodes(s, id, nodes, targets, n, e));
}

static int32_t place_of_node(const attachment *a, int32_t node)
{
    int32_t k = 0;
    while (k < a->n && a->nodes[k] != node)
        k++;
    return k;
}

static weft_result check_dropped(const attachment *a, const int32_t *nodes, int32_t n, weft_error *e)
{
    for (int32_t i = 0; i < n; i++)
        if (place_of_node(a, nodes[i]) == a->n)
            return error_set(e, WEFT_ERROR_INDEX, i, "node %d is not one of the attachment's %d", nodes[i], a->n);
    return WEFT_OK;
}

static bool is_among(const int32_t *nodes, int32_t n, int32_t node)
{
    int32_t i = 0;
    while (i < n && nodes[i] != node)
        i++;
    return i < n;
}

static weft_result drop_attachment_nodes(weft_sim *s, weft_attachment_id id, const int32_t *nodes, int32_t n,
                                         weft_error *e)
{
    attachment *a = get_attachment(s, id, e);
    if (!a)
        return sim_missing(s, NULL);
    if (a->kind == WEFT_ATTACH_CLAMP)
        return refuse_clamp(e);
    const cloth *c = sim_get_cloth(s, a->cloth, NULL);
    weft_result r = check_attached_nodes(c, nodes, n, e);
    if (r == WEFT_OK)
        r = check_dropped(a, nodes, n, e);
    if (r != WEFT_OK)
        return r;
    int32_t kept = 0;
    for (int32_t k = 0; k < a->n; k++) {
        if (is_among(nodes, n, a->nodes[k])) {
            s->state.memory[c->offset + a->nodes[k]] = (contact_memory){.owner = CONTACT_OWNER_NONE};
            continue;
        }
        a->nodes[kept] = a->nodes[k];
        a->targets[kept] = a->targets[k];
        a->stiffness[kept] = a->stiffness[k];
        a->force[kept++] = a->force[k];
    }
    model_invalidate(&s->model);
    return attachment_resize(s, a, kept) ? WEFT_OK : error_memory(e);
}

weft_result weft_attachment_drop_nodes(weft_sim *s, weft_attachment_id id, const int32_t *nodes, int32_t n,
                                       weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, drop_attachment_nodes(s, id, nodes, n, e));
}

weft_result weft_attachment_get_nodes(const weft_sim *s, weft_attachment_id id, int32_t *out, int32_t *n, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const attachment *a = get_attachment(s, id, e);
    if (!a)
        return sim_missing(s, NULL);
    if (!n || (out && *n < a->n))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "room for %d nodes is needed, there is %d", a->n, n ? *n : 0);
    *n = a->n;
    if (out && a->n > 0)
        memcpy(out, a->nodes, (size_t)a->n * sizeof *out);
    return WEFT_OK;
}

static weft_result set_attachment_targets(weft_sim *s, weft_attachment_id id, const weft_vec3 *targets, int32_t n,
                                          weft_error *e)
{
    attachment *a = get_attachment(s, id, e);
    if (!a)
        return sim_missing(s, NULL);
    if (!has_targets(a->kind))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "only pins, clamps and soft pins have targets");
    if (!targets || n != a->n)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "%d targets are needed, there are %d", a->n, targets ? n : 0);
    weft_result r = check_attachment_targets(s, targets, n, e);
    if (r != WEFT_OK)
        return r;
    memcpy(a->targets, targets, (size_t)n * sizeof *targets);
    keys_destroy(&a->keys, &s->mem);
    return WEFT_OK;
}

weft_result weft_attachment_set_targets(weft_sim *s, weft_attachment_id id, const weft_vec3 *targets, int32_t n,
                                        weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_attachment_targets(s, id, targets, n, e));
}

weft_result weft_attachment_get_force(const weft_sim *s, weft_attachment_id id, weft_vec3 *force, weft_vec3 *per_node,
                                      int32_t n, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const attachment *a = get_attachment(s, id, e);
    if (!a)
        return sim_missing(s, NULL);
    if (per_node && n < a->n)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "room for %d forces is needed, there is %d", a->n, n);
    vec3 sum = v3_zero();
    for (int32_t i = 0; i < a->n; i++) {
        sum = v3_add(sum, a->force[i]);
        if (per_node)
            per_node[i] = a->force[i];
    }
    if (force)
        *force = sum;
    return WEFT_OK;
}

/* ---- ties -------------------------------------------------------------------------------------------------------- */

static weft_result check_tie(const weft_sim *s, const weft_tie_def *d, weft_error *e)
{
    weft_result r = check_struct_size("weft_tie_def", d->struct_size, sizeof *d, e);
    if (r != WEFT_OK)
        return r;
    const cloth *a = sim_get_cloth(s, d->cloth_a, e), *b = a ? sim_get_cloth(s, d->cloth_b, e) : NULL;
    if (!b)
        return sim_missing(s, NULL);
    r = check_attached_nodes(a, d->nodes_a, d->n_pairs, e);
    if (r == WEFT_OK)
        r = check_attached_nodes(b, d->nodes_b, d->n_pairs, e);
    for (int32_t i = 0; r == WEFT_OK && i < d->n_pairs; i++)
        if (a == b && d->nodes_a[i] == d->nodes_b[i])
            r = error_set(e, WEFT_ERROR_DEGENERATE, i, "pair %d ties node %d to itself", i, d->nodes_a[i]);
    if (r == WEFT_OK)
        r = check_number("stiffness", d->stiffness, 1e-6, 1e7, e);
    if (r == WEFT_OK)
        r = check_number("length", d->length, 0, 1e3, e);
    if (r == WEFT_OK)
        r = check_number("damping", d->damping, 0, 10, e);
    return r;
}

static weft_result create_tie(weft_sim *s, const weft_tie_def *d, weft_tie_id *out, weft_error *e)
{
    if (!s || !d || !out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1,
                         "weft_tie_create needs a simulation, a definition and a place for the id");
    weft_result r = check_tie(s, d, e);
    if (r != WEFT_OK)
        return r;
    tie *t = mem_array(&s->mem, 1, sizeof *t);
    if (!t)
        return error_memory(e);
    *t = (tie){.cloth_a = d->cloth_a,
               .cloth_b = d->cloth_b,
               .n = d->n_pairs,
               .stiffness = d->stiffness,
               .length = d->length,
               .damping = d->damping};
    if (!MEM_MAKE(&s->mem, t->a, t->n) || !MEM_MAKE(&s->mem, t->b, t->n) || !slots_reserve(&s->defs.ties, &s->mem)) {
        tie_destroy(s, t);
        return error_memory(e);
    }
    memcpy(t->a, d->nodes_a, (size_t)t->n * sizeof *t->a);
    memcpy(t->b, d->nodes_b, (size_t)t->n * sizeof *t->b);
    slots_add(&s->defs.ties, t, &out->index, &out->generation);
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_tie_create(weft_sim *s, const weft_tie_def *d, weft_tie_id *out, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, create_tie(s, d, out, e));
}

static weft_result remove_tie(weft_sim *s, weft_tie_id id, weft_error *e)
{
    if (!s)
        return sim_missing(s, e);
    tie *t = slots_get(&s->defs.ties, id.index, id.generation);
    if (!t)
        return error_set(e, WEFT_ERROR_STALE_ID, id.index, "there is no tie with the id %d/%u", id.index,
                         id.generation);
    cloth *a = sim_get_cloth(s, t->cloth_a, NULL);
    bool welded = t->welded;
    t->welded = false;
    weft_result r = welded && a == sim_get_cloth(s, t->cloth_b, NULL) ? stitch_again(s, a, e) : WEFT_OK;
    t->welded = welded;
    if (r < 0)
        return r;
    slots_remove(&s->defs.ties, id.index);
    tie_destroy(s, t);
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_tie_remove(weft_sim *s, weft_tie_id id, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, remove_tie(s, id, e));
}
