/* SPDX-License-Identifier: MIT */
/* Which things collide, by their filters. Pairs of cloth with cloth and with meshes that do not are left out by the
 * tree (bvh/bvh_walk.c), which all that looks for pairs asks: the solve, prevention, what starts tangled. Nodes of
 * cloth that does not meet an analytic collider have no thickness to keep from it (collider_contact_margin). While all
 * filters are the default, none of it is there. */
#include "bvh/bvh.h"
#include "sim/phases.h"
#include "sim/sim.h"

weft_filter weft_filter_default(void)
{
    return (weft_filter){.category = 1, .mask = UINT32_MAX, .itself = true};
}

bool collides_with(const cloth *c, const sim_collider *other)
{
    return filters_meet(&c->filter, &other->filter);
}

static bool is_default(const weft_filter *f)
{
    return f->category == 1 && f->mask == UINT32_MAX && f->itself;
}

static bool has_filters(const definitions *d)
{
    bool has = false;
    for (int32_t i = 0; i < d->cloths.n; i++) {
        const cloth *c = d->cloths.items[i].item;
        has = has || (c && !is_default(&c->filter));
    }
    for (int32_t i = 0; i < d->colliders.n; i++) {
        const sim_collider *c = d->colliders.items[i].item;
        has = has || (c && !is_default(&c->filter));
    }
    return has;
}

/* Objects are cloths in their order, then colliders as the model has them. */
bool cloth_contact_filter(model *m, cloth_contact *cc)
{
    int32_t n = 0;
    if (!has_filters(m->defs))
        return true;
    if (!MEM_MAKE(m->mem, cc->filters, cc->n_objects))
        return false;
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        const cloth *c = m->defs->cloths.items[i].item;
        if (c)
            cc->filters[n++] = c->filter;
    }
    for (int32_t i = 0; i < m->n_colliders; i++)
        cc->filters[n++] = m->collider_owner[i]->filter;
    return true;
}

bool collider_contact_filter(model *m)
{
    collider_contacts *t = &m->collider_contacts;
    if (m->n_analytic == 0 || !has_filters(m->defs))
        return true;
    if (!MEM_MAKE(m->mem, t->unfelt, (int64_t)m->n_analytic * t->n_nodes))
        return false;
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        const cloth *c = m->defs->cloths.items[i].item;
        for (int32_t ci = 0; c && ci < m->n_analytic; ci++)
            for (int32_t vi = c->offset; vi < c->offset + c->surface->n_nodes; vi++)
                t->unfelt[(int64_t)ci * t->n_nodes + vi] = !collides_with(c, m->collider_owner[ci]);
    }
    return true;
}

/* ---- the API ----------------------------------------------------------------------------------------------------- */

/* to NULL: there is no such thing, and the error tells of it. */
static weft_result set_filter(weft_sim *s, weft_filter *to, weft_filter f)
{
    if (!to)
        return sim_missing(s, NULL);
    *to = f;
    model_invalidate(&s->model);
    return WEFT_OK;
}

weft_result weft_cloth_set_filter(weft_sim *s, weft_cloth_id id, weft_filter f, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    cloth *c = r < 0 ? NULL : sim_get_cloth(s, id, e);
    return r < 0 ? r : sim_leave(s, set_filter(s, c ? &c->filter : NULL, f));
}

weft_result weft_collider_set_filter(weft_sim *s, weft_collider_id id, weft_filter f, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    sim_collider *c = r < 0 ? NULL : sim_get_collider(s, id, e);
    return r < 0 ? r : sim_leave(s, set_filter(s, c ? &c->filter : NULL, f));
}

static weft_result give_filter(const weft_sim *s, const weft_filter *f, weft_filter *out, weft_error *e)
{
    if (!f)
        return sim_missing(s, NULL);
    if (!out)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "there is no place for the filter: it is NULL");
    *out = *f;
    return WEFT_OK;
}

weft_result weft_cloth_get_filter(const weft_sim *s, weft_cloth_id id, weft_filter *out, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    const cloth *c = r < 0 ? NULL : sim_get_cloth(s, id, e);
    return r < 0 ? r : give_filter(s, c ? &c->filter : NULL, out, e);
}

weft_result weft_collider_get_filter(const weft_sim *s, weft_collider_id id, weft_filter *out, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    const sim_collider *c = r < 0 ? NULL : sim_get_collider(s, id, e);
    return r < 0 ? r : give_filter(s, c ? &c->filter : NULL, out, e);
}
