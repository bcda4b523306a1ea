/* SPDX-License-Identifier: MIT */
/* Where things belong that intersect: sides of cloths and colliders, and which cloth is worn over which. They are read
 * when something is first found to intersect (untangling.c), and anew whenever the definitions have changed. */
#include <string.h>

#include "sim/check.h"
#include "sim/phases.h"
#include "sim/sim.h"

static bool same_cloth(weft_cloth_id a, weft_cloth_id b)
{
    return a.index == b.index && a.generation == b.generation;
}

static weft_result check_side(weft_untangle_side side, weft_error *e)
{
    return check_integer("side", (int32_t)side, WEFT_SIDE_IN, WEFT_SIDE_PLAIN, e);
}

/* ---- sides ------------------------------------------------------------------------------------------------------- */

static weft_result set_cloth_side(weft_sim *s, weft_cloth_id id, weft_untangle_side side, weft_error *e)
{
    cloth *c = sim_get_cloth(s, id, e);
    weft_result r = c ? check_side(side, e) : sim_missing(s, NULL);
    if (r < 0)
        return r;
    c->side = side;
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_cloth_set_side(weft_sim *s, weft_cloth_id id, weft_untangle_side side, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_cloth_side(s, id, side, e));
}

static weft_result set_collider_side(weft_sim *s, weft_collider_id id, weft_untangle_side side, weft_error *e)
{
    sim_collider *c = sim_get_collider(s, id, e);
    weft_result r = c ? check_side(side, e) : sim_missing(s, NULL);
    if (r < 0)
        return r;
    c->side = side;
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_collider_set_side(weft_sim *s, weft_collider_id id, weft_untangle_side side, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_collider_side(s, id, side, e));
}

static weft_result give_side(weft_untangle_side side, weft_untangle_side *out, weft_error *e)
{
    if (!out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "there is no place for the side: it is NULL");
    *out = side;
    return WEFT_OK;
}

weft_result weft_cloth_get_side(const weft_sim *s, weft_cloth_id id, weft_untangle_side *out, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    const cloth *c = r < 0 ? NULL : sim_get_cloth(s, id, e);
    if (r < 0)
        return r;
    return c ? give_side(c->side, out, e) : sim_missing(s, NULL);
}

weft_result weft_collider_get_side(const weft_sim *s, weft_collider_id id, weft_untangle_side *out, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    const sim_collider *c = r < 0 ? NULL : sim_get_collider(s, id, e);
    if (r < 0)
        return r;
    return c ? give_side(c->side, out, e) : sim_missing(s, NULL);
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

/* None twice the other way round: quadratic, but there are as many as somebody wrote down. */
static weft_result check_layers(const weft_sim *s, const weft_layer *l, int32_t n, weft_error *e)
{
    weft_result r = check_integer("n", n, 0, 4096, e);
    if (r == WEFT_OK && n > 0 && !l)
        r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "there are %d layers, but the array is NULL", n);
    for (int32_t i = 0; r == WEFT_OK && i < n; i++) {
        if (!sim_get_cloth(s, l[i].inner, e) || !sim_get_cloth(s, l[i].outer, e))
            return WEFT_ERROR_STALE_ID;
        if (same_cloth(l[i].inner, l[i].outer))
            return error_set(e, WEFT_ERROR_ARGUMENT, i, "layer %d has a cloth over itself", i);
        for (int32_t k = 0; k < i; k++)
            if (same_cloth(l[i].inner, l[k].outer) && same_cloth(l[i].outer, l[k].inner))
                return error_set(e, WEFT_ERROR_ARGUMENT, i, "layer %d is the other way round than layer %d", i, k);
    }
    return r;
}

static weft_result set_layers(weft_sim *s, const weft_layer *l, int32_t n, weft_error *e)
{
    definitions *d = &s->defs;
    weft_layer *items = NULL;
    weft_result r = check_layers(s, l, n, e);
    if (r != WEFT_OK)
        return r;
    if (!MEM_MAKE(&s->mem, items, n))
        return error_memory(e);
    if (n > 0)
        memcpy(items, l, (size_t)n * sizeof *l);
    MEM_FREE(&s->mem, d->layers, d->layer_room);
    d->layers = items;
    d->n_layers = d->layer_room = n;
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_sim_set_layers(weft_sim *s, const weft_layer *layers, int32_t n, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    if (r < 0)
        return r;
    return sim_leave(s, s ? set_layers(s, layers, n, e) : sim_missing(s, e));
}

weft_result weft_sim_get_layers(const weft_sim *s, weft_layer *out, int32_t room, int32_t *n, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    if (!s || !n || room < 0 || (room > 0 && !out))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "weft_sim_get_layers needs a simulation, room and a place for n");
    *n = s->defs.n_layers;
    int32_t given = room < *n ? room : *n;
    if (given > 0)
        memcpy(out, s->defs.layers, (size_t)given * sizeof *out);
    return WEFT_OK;
}

void layers_drop_cloth(weft_sim *s, weft_cloth_id id)
{
    definitions *d = &s->defs;
    int32_t n = 0;
    for (int32_t i = 0; i < d->n_layers; i++)
        if (!same_cloth(d->layers[i].inner, id) && !same_cloth(d->layers[i].outer, id))
            d->layers[n++] = d->layers[i];
    d->n_layers = n;
}

/* ---- for untangling ---------------------------------------------------------------------------------------------- */

/* Objects are cloths in their order, then colliders as the model has them. */
void untangling_find_sides(const model *m, weft_untangle_side *sides)
{
    int32_t n = 0;
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        const cloth *c = m->defs->cloths.items[i].item;
        if (c)
            sides[n++] = c->side;
    }
    for (int32_t i = 0; i < m->n_colliders; i++, n++) {
        const sim_collider *c = m->collider_owner[i];
        sides[n] = c->side;
        if (c->mesh && c->side == WEFT_SIDE_DYNAMIC && c->mesh->info.closed)
            sides[n] = collider_mesh_volume(c->mesh) < 0 ? WEFT_SIDE_IN : WEFT_SIDE_OUT;
    }
}

/* Number of a cloth among those that there are. */
static int32_t object_of(const definitions *d, weft_cloth_id id)
{
    int32_t n = 0;
    for (int32_t i = 0; i < id.index; i++)
        n += d->cloths.items[i].item != NULL;
    return n;
}

void untangling_find_layers(const model *m, weft_untangle_layer *layers)
{
    for (int32_t i = 0; i < m->defs->n_layers; i++)
        layers[i] = (weft_untangle_layer){object_of(m->defs, m->defs->layers[i].inner),
                                          object_of(m->defs, m->defs->layers[i].outer)};
}
