/* SPDX-License-Identifier: MIT */
/* Colliders: creation, motion, the forces they feel. */
#include "sim/check.h"
#include "sim/sim.h"

weft_collider_def weft_collider_def_default(void)
{
    return (weft_collider_def){.struct_size = sizeof(weft_collider_def),
                               .kind = WEFT_COLLIDER_PLANE,
                               .radius = 0.5,
                               .height = 1,
                               .size = {1, 1, 1},
                               .rotation = {0, 0, 0, 1},
                               .friction = 1,
                               .dissipation = 1};
}

sim_collider *definitions_collider(const definitions *d, weft_collider_id id)
{
    return slots_get(&d->colliders, id.index, id.generation);
}

sim_collider *sim_get_collider(const weft_sim *s, weft_collider_id id, weft_error *e)
{
    if (!s) {
        sim_missing(s, e);
        return NULL;
    }
    sim_collider *c = definitions_collider(&s->defs, id);
    if (!c)
        error_set(e, WEFT_ERROR_STALE_ID, id.index, "there is no collider with the id %d/%u", id.index, id.generation);
    return c;
}

void sim_collider_destroy(weft_sim *s, sim_collider *c)
{
    if (!c)
        return;
    keys_destroy(&c->keys, &s->mem);
    collider_mesh_destroy(c->mesh);
    mem_free(&s->mem, c, 1, sizeof *c);
}

pose sim_collider_pose(const sim_collider *c, double time)
{
    return c->keys.n > 0 ? keys_at(&c->keys, time) : c->still;
}

static weft_result check_keys(const weft_key *k, int32_t n, weft_error *e)
{
    if (n < 0 || (n > 0) != (k != NULL))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "keys and n_keys (%d) do not fit together", n);
    return keys_check(k, n, e);
}

weft_result collider_def_check(const weft_collider_def *d, weft_error *e)
{
    weft_result r = check_struct_size("weft_collider_def", d->struct_size, sizeof *d, e);
    if (r == WEFT_OK)
        r = check_integer("kind", d->kind, 0, WEFT_COLLIDER_MESH, e);
    if (r == WEFT_OK)
        r = check_number("radius", d->radius, 1e-4, 1e3, e);
    if (r == WEFT_OK)
        r = check_number("height", d->height, 0, 1e3, e);
    if (r == WEFT_OK)
        r = check_number("size.x", d->size.x, 1e-4, 1e3, e);
    if (r == WEFT_OK)
        r = check_number("size.y", d->size.y, 1e-4, 1e3, e);
    if (r == WEFT_OK)
        r = check_number("size.z", d->size.z, 1e-4, 1e3, e);
    if (r == WEFT_OK)
        r = check_number("friction", d->friction, 0, 100, e);
    if (r == WEFT_OK)
        r = check_number("dissipation", d->dissipation, 0, 1, e);
    if (r == WEFT_OK)
        r = keys_check(&(weft_key){0, d->position, d->rotation}, 1, e);
    if (r == WEFT_OK)
        r = check_keys(d->keys, d->n_keys, e);
    return r;
}

static weft_result check_collider_def(const weft_sim *s, const weft_collider_def *d, weft_error *e)
{
    weft_result r = collider_def_check(d, e);
    if (r == WEFT_OK && d->kind == WEFT_COLLIDER_MESH)
        r = collider_mesh_check(d, sim_world_limit(s), e);
    return r;
}

shape collider_def_shape(const weft_collider_def *d)
{
    static const shape_kind kinds[] = {
        [WEFT_COLLIDER_PLANE] = SHAPE_PLANE,     [WEFT_COLLIDER_SPHERE] = SHAPE_SPHERE,
        [WEFT_COLLIDER_CAPSULE] = SHAPE_CAPSULE, [WEFT_COLLIDER_CYLINDER] = SHAPE_CYLINDER,
        [WEFT_COLLIDER_BOX] = SHAPE_BOX,         [WEFT_COLLIDER_MESH] = SHAPE_PLANE, /* not looked at */
    };
    return (shape){kinds[d->kind], d->radius, 0.5 * d->height, v3_scale(0.5, d->size)};
}

int32_t definitions_collider_index(const definitions *d, const sim_collider *c)
{
    int32_t i = 0;
    while (i < d->colliders.n && d->colliders.items[i].item != c)
        i++;
    return i;
}

/* Contacts are remembered by the collider's number in the model, and numbers change with the set of colliders. */
static void forget_contacts(weft_sim *s)
{
    for (int32_t i = 0; i < s->state.n; i++)
        s->state.memory[i] = (contact_memory){.owner = CONTACT_OWNER_NONE};
    s->state.pairs.n = 0;
}

static weft_result create_collider(weft_sim *s, const weft_collider_def *d, weft_collider_id *out, weft_error *e)
{
    if (!s || !d || !out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1,
                         "weft_collider_create needs a simulation, a definition and a place for the id");
    weft_result r = check_collider_def(s, d, e);
    if (r != WEFT_OK)
        return r;
    sim_collider *c = mem_array(&s->mem, 1, sizeof *c);
    if (!c)
        return error_memory(e);
    *c = (sim_collider){.kind = d->kind,
                        .shape = collider_def_shape(d),
                        .still = {mat3_from_quat(d->rotation), d->position},
                        .friction = d->friction,
                        .dissipation = d->dissipation,
                        .filter = weft_filter_default()};
    bool is_mesh = d->kind == WEFT_COLLIDER_MESH;
    c->mesh = is_mesh ? collider_mesh_create(&s->mem, d) : NULL;
    if ((is_mesh && !c->mesh) || !keys_copy(&c->keys, &s->mem, d->keys, d->n_keys) ||
        !slots_reserve(&s->defs.colliders, &s->mem)) {
        sim_collider_destroy(s, c);
        return error_memory(e);
    }
    if (is_mesh)
        sim_mesh_place(s, c);
    slots_add(&s->defs.colliders, c, &out->index, &out->generation);
    forget_contacts(s);
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_collider_create(weft_sim *s, const weft_collider_def *d, weft_collider_id *out, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, create_collider(s, d, out, e));
}

static weft_result remove_collider(weft_sim *s, weft_collider_id id, weft_error *e)
{
    sim_collider *c = sim_get_collider(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    attachments_drop_collider(s, id);
    slots_remove(&s->defs.colliders, id.index);
    sim_collider_destroy(s, c);
    forget_contacts(s);
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_collider_remove(weft_sim *s, weft_collider_id id, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, remove_collider(s, id, e));
}

static weft_result set_collider_keys(weft_sim *s, weft_collider_id id, const weft_key *k, int32_t n, weft_error *e)
{
    sim_collider *c = sim_get_collider(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    if (n <= 0)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "at least one key is needed");
    weft_result r = check_keys(k, n, e);
    keys copy = {0};
    if (r == WEFT_OK && !keys_copy(&copy, &s->mem, k, n))
        r = error_memory(e);
    if (r != WEFT_OK)
        return r;
    keys_destroy(&c->keys, &s->mem);
    c->keys = copy;
    c->is_sent = false;
    if (c->mesh)
        c->mesh->driven = false;
    return WEFT_OK;
}

weft_result weft_collider_set_keys(weft_sim *s, weft_collider_id id, const weft_key *k, int32_t n, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_collider_keys(s, id, k, n, e));
}

static weft_result set_collider_pose(weft_sim *s, weft_collider_id id, vec3 position, weft_quat rotation, weft_error *e)
{
    const sim_collider *c = sim_get_collider(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    double now = s->state.time;
    pose from = sim_collider_pose(c, now);
    weft_key way[2] = {{now, from.p, mat3_to_quat(&from.r)}, {now + 1, position, rotation}};
    weft_result r = keys_check(&way[1], 1, e);
    if (r == WEFT_OK)
        r = set_collider_keys(s, id, way, 2, e);
    if (r == WEFT_OK)
        sim_get_collider(s, id, NULL)->is_sent = true;
    return r;
}

weft_result weft_collider_set_pose(weft_sim *s, weft_collider_id id, weft_vec3 position, weft_quat rotation,
                                   weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_collider_pose(s, id, position, rotation, e));
}

void colliders_set_off(definitions *d, double now, double h)
{
    for (int32_t i = 0; i < d->colliders.n; i++) {
        sim_collider *c = d->colliders.items[i].item;
        if (!c || !c->is_sent)
            continue;
        c->keys.items[0].time = now;
        c->keys.items[1].time = now + h;
        c->is_sent = false;
    }
}

static weft_result set_collider_friction(weft_sim *s, weft_collider_id id, double friction, double dissipation,
                                         weft_error *e)
{
    sim_collider *c = sim_get_collider(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    weft_result r = check_number("friction", friction, 0, 100, e);
    r = r < 0 ? r : check_number("dissipation", dissipation, 0, 1, e);
    if (r < 0)
        return r;
    c->friction = friction;
    c->dissipation = dissipation;
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_collider_set_friction(weft_sim *s, weft_collider_id id, double friction, double dissipation,
                                       weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_collider_friction(s, id, friction, dissipation, e));
}

weft_result weft_collider_get_friction(const weft_sim *s, weft_collider_id id, double *friction, double *dissipation,
                                       weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const sim_collider *c = sim_get_collider(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    if (friction)
        *friction = c->friction;
    if (dissipation)
        *dissipation = c->dissipation;
    return WEFT_OK;
}

weft_result weft_collider_get_pose(const weft_sim *s, weft_collider_id id, weft_vec3 *position, double rotation[9],
                                   weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const sim_collider *c = sim_get_collider(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    pose p = sim_collider_pose(c, s->state.time);
    if (position)
        *position = p.p;
    for (int i = 0; rotation && i < 9; i++)
        rotation[i] = p.r.m[i];
    return WEFT_OK;
}

weft_result weft_collider_get_force(const weft_sim *s, weft_collider_id id, weft_vec3 *force, weft_vec3 *torque,
                                    weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const sim_collider *c = sim_get_collider(s, id, e);
    if (!c)
        return sim_missing(s, NULL);
    if (force)
        *force = c->force;
    if (torque)
        *torque = c->torque;
    return WEFT_OK;
}

weft_result weft_collider_get_clearance(const weft_sim *s, weft_collider_id id, weft_cloth_id cloth_id, double *out,
                                        weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    const sim_collider *c = sim_get_collider(s, id, e);
    const cloth *cl = c ? sim_get_cloth(s, cloth_id, e) : NULL;
    if (!cl)
        return sim_missing(s, NULL);
    if (!out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "nowhere to write to");
    if (c->mesh) {
        *out = sim_mesh_clearance(s, c, cl);
        return WEFT_OK;
    }
    collider now = {.shape = c->shape, .to = sim_collider_pose(c, s->state.time)};
    const vec3 *x = s->state.q + cl->offset;
    double least = HUGE_VAL;
    for (int32_t vi = 0; vi < cl->surface->n_nodes; vi++)
        least = min_of(least, collider_distance(&now, x[vi]));
    for (int32_t ti = 0; ti < cl->surface->n_triangles; ti++) {
        const int32_t *t = cl->surface->triangles[ti].node;
        least = min_of(least, collider_deepest(&now, (vec3[3]){x[t[0]], x[t[1]], x[t[2]]}).lower);
    }
    *out = least;
    return WEFT_OK;
}
