/* SPDX-License-Identifier: MIT */
#include "sim/kit.h"

#include "base/hash.h"
#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static int32_t n_live(const slots *s)
{
    int32_t n = 0;
    for (int32_t i = 0; i < s->n; i++)
        n += s->items[i].item != NULL;
    return n;
}

static uint64_t hash_vertices(const weft_sim *s)
{
    uint64_t h = HASH_START;
    for (int32_t i = 0; i < s->defs.colliders.n; i++) {
        const sim_collider *c = s->defs.colliders.items[i].item;
        if (!c || !c->mesh)
            continue;
        h = hash_bytes(h, c->mesh->x, (size_t)c->mesh->n_vertices * sizeof *c->mesh->x);
        h = hash_bytes(h, c->mesh->goal, (size_t)c->mesh->n_vertices * sizeof *c->mesh->goal);
        h = hash_bytes(h, &c->mesh->driven, sizeof c->mesh->driven);
    }
    return h;
}

kit_fingerprint kit_fingerprint_of(const weft_sim *s)
{
    return (kit_fingerprint){.hash = weft_sim_hash(s),
                             .vertices = hash_vertices(s),
                             .n_cloths = n_live(&s->defs.cloths),
                             .n_colliders = n_live(&s->defs.colliders),
                             .n_attachments = n_live(&s->defs.attachments),
                             .n_ties = n_live(&s->defs.ties),
                             .n_nodes = s->state.n,
                             .bytes = s->mem.in_use,
                             .time = weft_sim_time(s),
                             .dirty = s->model.dirty};
}

bool kit_same_fingerprint(const kit_fingerprint *a, const kit_fingerprint *b)
{
    return a->hash == b->hash && a->vertices == b->vertices && a->n_cloths == b->n_cloths &&
           a->n_colliders == b->n_colliders && a->n_attachments == b->n_attachments && a->n_ties == b->n_ties &&
           a->n_nodes == b->n_nodes && a->bytes == b->bytes && a->time == b->time && a->dirty == b->dirty;
}

int32_t kit_hanging(const weft_sim *sim, weft_cloth_id id)
{
    const cloth *c = sim_get_cloth(sim, id, NULL);
    const vec3 *q = sim->state.q + c->offset, *v = sim->state.v + c->offset;
    int32_t n = 0;
    for (int32_t i = 0; i < c->surface->n_nodes; i++) {
        const int32_t *dof = c->surface->rows[i].dof;
        if (dof[1] < 0)
            continue;
        vec3 x = v3_scale(0.5, v3_add(q[dof[0]], q[dof[1]])), u = v3_scale(0.5, v3_add(v[dof[0]], v[dof[1]]));
        assert_memory_equal(&x, &q[i], sizeof x);
        assert_memory_equal(&u, &v[i], sizeof u);
        n++;
    }
    return n;
}
