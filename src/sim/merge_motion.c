/* SPDX-License-Identifier: MIT */
/* Merging moves the surface: nodes that go, or begin to hang, end in the middle of their parents. Here that is a motion
 * like any other. Before the mesh changes, all families that are to merge go to where they will be, on straight lines
 * and together, and the same test that ends every step says whether something comes too near on the way. Families with
 * a node that does are taken out, and the rest is tried again: without them it is another motion.
 *
 * Testing the end alone would not do: what lies under a small bump is on its other side when the bump has gone, and
 * nothing intersects before or after.
 *
 * Invariants:
 *  1. what is still to merge afterwards has been tried together, and nothing came too near;
 *  2. every round but the last takes out a family; after MERGE_ROUNDS, or where a hit names none, all are taken out.
 *
 * The test has active nodes on the grid of positions; where they will be stored, in the middle of their parents, may be
 * half a cell (1.2e-10 m) off it. That the stored numbers are free of intersections is checked exactly, when the model
 * of the new mesh is made (step.c). */
#include <string.h>

#include "sim/adapt.h"
#include "sim/params.h"
#include "sim/phases.h"
#include "sim/sim.h"

static void go(look_space *w, const surface *f, int32_t vi, int32_t a, int32_t b)
{
    if (f->rows[vi].dof[0] != vi)
        return; /* it follows others already */
    int32_t v = vi;
    do { /* what is sewn to it goes with it */
        w->towards[v][0] = a;
        w->towards[v][1] = b;
        v = f->partner ? f->partner[v] : v;
    } while (v != vi);
}

/* Middles of the sides, and the centre of a quad. Corners of the parent are active: the balance sees to that. */
static void send_family(const cloth *c, look_space *w, int32_t ei)
{
    const surface *f = c->surface;
    const element *el = &f->elements[ei];
    int n = el[0].n, d = c->forest.elements[c->forest.elements[el[0].leaf].parent].diagonal;
    for (int i = 0; i < n; i++)
        go(w, f, el[i].node[(i + 1) % n], el[i].node[i], el[(i + 1) % n].node[(i + 1) % n]);
    if (n == 4)
        go(w, f, el[0].node[2], el[d].node[d], el[d + 2].node[d + 2]);
}

/* A parent may go as well, to the middle of its own; the way up is as long as there are levels. */
static vec3 end_of(const look_space *w, const vec3 *q, int32_t vi)
{
    if (w->towards[vi][0] < 0)
        return q[vi];
    return v3_scale(0.5, v3_add(end_of(w, q, w->towards[vi][0]), end_of(w, q, w->towards[vi][1])));
}

static void send_cloth(weft_sim *s, cloth *c, vec3 *q1)
{
    look_space *w = &c->look;
    for (int32_t vi = 0; vi < c->surface->n_nodes; vi++) {
        w->towards[vi][0] = w->towards[vi][1] = -1;
        w->struck[vi] = false;
    }
    for (int32_t ei = 0; ei < c->surface->n_elements; ei++)
        if (w->merge[ei])
            send_family(c, w, ei);
    const vec3 *q = s->state.q + c->offset;
    for (int32_t vi = 0; vi < c->surface->n_nodes; vi++)
        q1[c->offset + vi] = end_of(w, q, vi);
}

static bool is_struck(const look_space *w, const element *el)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < el[i].n; k++) {
            int32_t vi = el[i].node[k];
            if (w->struck[vi] && w->towards[vi][0] >= 0)
                return true;
        }
    return false;
}

static void strike_ring(cloth *c, int32_t vi)
{
    int32_t v = vi;
    do {
        c->look.struck[v] = true;
        v = c->surface->partner ? c->surface->partner[v] : v;
    } while (v != vi);
}

/* What hangs moves by its parents. What goes no way, but for the grid, is not to blame. */
static void mark_struck(const weft_sim *s, cloth *c, int32_t vi)
{
    const node_row *r = &c->surface->rows[vi];
    double cell = grid_cell(s->def.world_scale);
    for (int d = 0; d < 2 && r->dof[d] >= 0; d++) {
        int32_t k = c->offset + r->dof[d];
        if (v3_len(v3_sub(s->model.q1[k], s->state.q[k])) > 2 * cell)
            strike_ring(c, r->dof[d]);
    }
}

static bool merges(const cloth *c)
{
    return c && c->look.n_merge > 0;
}

static void strike_all(weft_sim *s)
{
    const prevent_world *p = &s->model.cloth_contact.prevent;
    for (int32_t h = 0; h < prevent_n_hits(p); h++) {
        prevent_hit hit = prevent_get_hit(p, h);
        for (int32_t i = 0; i < s->defs.cloths.n; i++) {
            cloth *c = s->defs.cloths.items[i].item;
            for (int k = 0; merges(c) && k < 4; k++)
                if (hit.node[k] >= c->offset && hit.node[k] < c->offset + c->surface->n_nodes)
                    mark_struck(s, c, hit.node[k] - c->offset);
        }
    }
}

/* Returns how many families were taken out. */
static int32_t take_out(weft_sim *s, bool all)
{
    int32_t n = 0;
    for (int32_t i = 0; i < s->defs.cloths.n; i++) {
        cloth *c = s->defs.cloths.items[i].item;
        for (int32_t ei = 0; merges(c) && ei < c->surface->n_elements; ei++) {
            if (!c->look.merge[ei] || (!all && !is_struck(&c->look, &c->surface->elements[ei])))
                continue;
            c->look.merge[ei] = false;
            c->look.n_merge--;
            n++;
        }
    }
    return n;
}

weft_result merges_try(weft_sim *s, weft_step_stats *stats, weft_error *e)
{
    model *m = &s->model;
    int32_t n = 0;
    int64_t n_failed = s->mem.n_failed;
    for (int32_t i = 0; i < s->defs.cloths.n; i++)
        n += merges(s->defs.cloths.items[i].item);
    if (n == 0 || !m->cloth_contact.bvh)
        return WEFT_OK;
    for (int round = 0; round < MERGE_ROUNDS; round++) {
        memcpy(m->q1, s->state.q, (size_t)m->n * sizeof *m->q1);
        for (int32_t i = 0; i < s->defs.cloths.n; i++)
            if (merges(s->defs.cloths.items[i].item))
                send_cloth(s, s->defs.cloths.items[i].item, m->q1);
        prevent_end end = prevent_ask(&s->model, &s->state, m->q1);
        if (end == PREVENT_FREE)
            return WEFT_OK;
        if (s->mem.n_failed > n_failed)
            return error_memory(e);
        if (end != PREVENT_HITS)
            break;
        strike_all(s);
        int32_t out = take_out(s, false);
        stats->refused += out;
        if (out == 0)
            break;
    }
    stats->refused += take_out(s, true);
    return WEFT_OK;
}
