/* SPDX-License-Identifier: MIT */
/* The commit: what was proposed, and found safe, becomes the state. Nothing else of a step writes it. */
#include "base/ranges.h"
#include "sim/phases.h"

typedef struct commit_run {
    const model *m;
    state *st;
    const ranges *ranges;
    double h;
} commit_run;

static void accept_range(void *context, int32_t range)
{
    const commit_run *r = context;
    const model *m = r->m;
    state *st = r->st;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        st->accel[i] = v3_scale(1.0 / r->h, v3_sub(m->v1[i], st->v[i]));
        st->q_past[i] = st->q[i];
        st->v_past[i] = v3_add(st->v[i], m->jump[i]);
        st->q[i] = m->q1[i];
        st->v[i] = m->v1[i];
        st->memory[i] = m->next_memory[i];
        st->restart[i] = m->next_restart[i];
        st->pair_radius[i] = m->next_radius[i];
    }
}

void tilts_into_model(model *m, const state *st)
{
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        const cloth *c = m->defs->cloths.items[i].item;
        if (c && c->n_tilts > 0)
            assembly_set_tilts(&m->assembly, c->model_tilts, c->n_tilts, st->tilt + c->tilt_offset);
    }
}

static void tilts_into_state(model *m, state *st)
{
    for (int32_t i = 0; i < m->defs->cloths.n; i++) {
        const cloth *c = m->defs->cloths.items[i].item;
        if (c && c->n_tilts > 0)
            assembly_get_tilts(&m->assembly, c->model_tilts, c->n_tilts, st->tilt + c->tilt_offset);
    }
}

bool commit(model *m, state *st, const substep *sub, double cut)
{
    double h = sub->h * cut;
    if (!pair_memories_copy(&st->pairs, m->mem, &m->cloth_contact.next) || !untangling_remember(m, st))
        return false;
    ranges p = ranges_of(m->n);
    commit_run r = {.m = m, .st = st, .ranges = &p, .h = h};
    pool_for(m->pool, p.n, accept_range, &r);
    untangling_commit(m, st, cut);
    tilts_into_state(m, st);
    commit_meshes(m);
    st->time += h;
    st->last_h = h;
    return true;
}
