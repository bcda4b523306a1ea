/* SPDX-License-Identifier: MIT */
/* Pairs that colliders have left no room during the last step: what prevention could not keep apart, substep by
 * substep. The list lives with the model and grows only when there is something to list. */
#include <string.h>

#include "base/array.h"
#include "sim/phases.h"
#include "sim/sim.h"

void squeezed_clear(cloth_contact *cc)
{
    cc->n_squeezed = 0;
}

void squeezed_free(model *m)
{
    cloth_contact *cc = &m->cloth_contact;
    MEM_FREE(m->mem, cc->squeezed, cc->squeezed_room);
    cc->n_squeezed = 0;
    cc->squeezed_room = 0;
}

/* Without memory the list ends early; their number is in the statistics. */
void squeezed_note(model *m)
{
    cloth_contact *cc = &m->cloth_contact;
    int32_t n = 0;
    const prevent_pair *pairs = prevent_squeezed(&cc->prevent, &n);
    if (n <= 0 || n > (1 << 24) - cc->n_squeezed)
        return;
    if (!ARRAY_RESERVE_MORE(m->mem, cc->squeezed, cc->n_squeezed, cc->squeezed_room, n))
        return;
    memcpy(cc->squeezed + cc->n_squeezed, pairs, (size_t)n * sizeof *pairs);
    cc->n_squeezed += n;
}

static weft_squeezed_node of_cloth(const definitions *d, int32_t node)
{
    for (int32_t i = 0; i < d->cloths.n; i++) {
        const cloth *c = d->cloths.items[i].item;
        if (c && node >= c->offset && node < c->offset + c->surface->n_nodes)
            return (weft_squeezed_node){false, i, node - c->offset};
    }
    return (weft_squeezed_node){false, -1, node};
}

/* Vertices of meshes stand one mesh after the other, in the order of the model's colliders. */
static weft_squeezed_node of_mesh(const model *m, int32_t vertex)
{
    const model_mesh *w = &m->mesh;
    const sim_collider *owner = m->collider_owner[w->node_owner[vertex]];
    int32_t first = vertex;
    while (first > 0 && w->node_owner[first - 1] == w->node_owner[vertex])
        first--;
    return (weft_squeezed_node){true, definitions_collider_index(m->defs, owner), vertex - first};
}

weft_result weft_sim_get_squeezed(const weft_sim *s, weft_squeezed *out, int32_t room, int32_t *n, weft_error *e)
{
    weft_result r = sim_may_read(s, __func__, e);
    if (r < 0)
        return r;
    if (!s || !n || (!out && room > 0))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the simulation, or a place to write to, is NULL");
    const cloth_contact *cc = &s->model.cloth_contact;
    *n = s->model.dirty ? 0 : cc->n_squeezed;
    for (int32_t i = 0; i < *n && i < room; i++) {
        const prevent_pair *p = &cc->squeezed[i];
        out[i].edges = p->edges;
        for (int k = 0; k < 4; k++)
            out[i].node[k] = p->node[k] < cc->n_cloth ? of_cloth(&s->defs, p->node[k])
                                                      : of_mesh(&s->model, p->node[k] - cc->n_cloth);
    }
    return WEFT_OK;
}
