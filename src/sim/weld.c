/* SPDX-License-Identifier: MIT */
/* Seams that are shut: rows of T.
 *
 * The nodes of a welded pair, and all that other welded pairs join to them, have one degree of freedom: that of the
 * node with the least number. Their rows of T name it, so stretch, bending, contact and masses of both sides act on it,
 * and the sides stay together to the last bit. Seams of any number of layers are possible.
 *
 * Invariants: 1. the row of a welded node names a node whose row names itself; 2. welded nodes are at one place. */
#include <string.h>

#include "sim/clamp.h"
#include "sim/check.h"
#include "sim/phases.h"
#include "sim/adapt.h"
#include "sim/sim.h"

static int32_t root_of(const node_row *rows, int32_t vi)
{
    while (rows[vi].dof[1] < 0 && rows[vi].dof[0] != vi)
        vi = rows[vi].dof[0];
    return vi;
}

static void join_rows(node_row *rows, int32_t a, int32_t b)
{
    a = root_of(rows, a);
    b = root_of(rows, b);
    rows[a > b ? a : b].dof[0] = a > b ? b : a;
}

/* Nodes that have come by splitting, on both sides of a seam: active ones are joined; of those that hang, both follow
 * the same. */
static void join_partners(const definitions *d, node_row *rows)
{
    for (int32_t i = 0; i < d->cloths.n; i++) {
        const cloth *c = d->cloths.items[i].item;
        for (int32_t vi = 0; c && c->surface->partner && vi < c->surface->n_nodes; vi++)
            if (c->surface->rows[vi].dof[1] < 0)
                join_rows(rows, c->offset + vi, c->offset + c->surface->partner[vi]);
    }
}

void weld_rows(const definitions *d, node_row *rows, int32_t n)
{
    join_partners(d, rows);
    for (int32_t i = 0; i < d->ties.n; i++) {
        const tie *t = d->ties.items[i].item;
        for (int32_t k = 0; t && t->welded && k < t->n; k++)
            join_rows(rows, definitions_cloth(d, t->cloth_a)->offset + t->a[k],
                      definitions_cloth(d, t->cloth_b)->offset + t->b[k]);
    }
    for (int32_t vi = 0; vi < n; vi++)
        for (int k = 0; k < 2 && rows[vi].dof[k] >= 0; k++)
            rows[vi].dof[k] = root_of(rows, rows[vi].dof[k]);
}

/* Without rows: what each pair says, until nothing changes. Values go to greater numbers only. */
static bool follow_pair(vec3 *a, int32_t i, int32_t j)
{
    int32_t from = i < j ? i : j, to = i < j ? j : i;
    bool differs = memcmp(&a[from], &a[to], sizeof *a) != 0;
    a[to] = a[from];
    return differs;
}

static bool follow_partners(const definitions *d, vec3 *a)
{
    bool changed = false;
    for (int32_t i = 0; i < d->cloths.n; i++) {
        const cloth *c = d->cloths.items[i].item;
        for (int32_t vi = 0; c && c->surface->partner && vi < c->surface->n_nodes; vi++)
            if (c->surface->partner[vi] != vi && c->surface->rows[vi].dof[1] < 0)
                changed |= follow_pair(a, c->offset + vi, c->offset + c->surface->partner[vi]);
    }
    return changed;
}

static void follow_pairs(const definitions *d, vec3 *a)
{
    for (bool changed = true; changed;) {
        changed = follow_partners(d, a);
        for (int32_t i = 0; i < d->ties.n; i++) {
            const tie *t = d->ties.items[i].item;
            for (int32_t k = 0; t && t->welded && k < t->n; k++)
                changed |= follow_pair(a, definitions_cloth(d, t->cloth_a)->offset + t->a[k],
                                       definitions_cloth(d, t->cloth_b)->offset + t->b[k]);
        }
    }
}

void weld_follow(const model *m, vec3 *a)
{
    if (m->dirty)
        follow_pairs(m->defs, a);
    for (int32_t vi = 0; !m->dirty && vi < m->n; vi++)
        if (m->rows[vi].dof[1] < 0)
            a[vi] = a[m->rows[vi].dof[0]];
}

/* ---- the API ----------------------------------------------------------------------------------------------------- */

static weft_result get_tie(weft_sim *s, weft_tie_id id, tie **out, weft_error *e)
{
    if (!s)
        return sim_missing(s, e);
    *out = slots_get(&s->defs.ties, id.index, id.generation);
    if (!*out)
        return error_set(e, WEFT_ERROR_STALE_ID, id.index, "there is no tie with the id %d/%u", id.index,
                         id.generation);
    if ((*out)->welded)
        return error_set(e, WEFT_ERROR_ARGUMENT, id.index, "the tie %d/%u is welded", id.index, id.generation);
    return WEFT_OK;
}

static weft_result set_tie_pull(weft_sim *s, weft_tie_id id, const double *stiffness, const double *length, int32_t n,
                                weft_error *e)
{
    tie *t = NULL;
    weft_result r = get_tie(s, id, &t, e);
    if (r == WEFT_OK && (!stiffness || !length || n != t->n))
        r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "the tie has %d pairs, there are %d stiffnesses and lengths", t->n,
                      stiffness && length ? n : 0);
    for (int32_t k = 0; r == WEFT_OK && k < n; k++) {
        r = check_number("stiffness", stiffness[k], 0, 1e7, e);
        r = r == WEFT_OK ? check_number("length", length[k], 0, 1e3, e) : r;
    }
    if (r == WEFT_OK && !t->each && !MEM_MAKE(&s->mem, t->each, n))
        r = error_memory(e);
    if (r < 0)
        return r;
    const spring_element *springs = s->model.dirty ? NULL : s->model.forces.list[FORCE_SPRING].items;
    common_par *commons = s->model.forces.commons.items;
    for (int32_t k = 0; k < n; k++) {
        t->each[k] = (spring_pull_par){stiffness[k], length[k]};
        if (springs) {
            common_par *own = &commons[springs[t->model_first + k].common];
            own->k = stiffness[k];
            own->length = length[k];
        }
    }
    return WEFT_OK;
}

weft_result weft_tie_set_pull(weft_sim *s, weft_tie_id id, const double *stiffness, const double *length, int32_t n,
                              weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, set_tie_pull(s, id, stiffness, length, n, e));
}

static weft_result check_near(const weft_sim *s, const tie *t, double within, weft_error *e)
{
    int32_t a = sim_get_cloth(s, t->cloth_a, NULL)->offset, b = sim_get_cloth(s, t->cloth_b, NULL)->offset;
    for (int32_t k = 0; k < t->n; k++) {
        double apart = v3_len(v3_sub(s->state.q[a + t->a[k]], s->state.q[b + t->b[k]]));
        if (s->model.rows[a + t->a[k]].dof[1] >= 0 || s->model.rows[b + t->b[k]].dof[1] >= 0)
            return error_set(e, WEFT_ERROR_ARGUMENT, k, "pair %d has a node that hangs in the middle of a side", k);
        if (!(apart <= within))
            return error_set(e, WEFT_ERROR_RANGE, k, "the nodes of pair %d are %g m apart, more than %g m", k, apart,
                             within);
    }
    return WEFT_OK;
}

/* Puts what has one row together. The sums are zero, one a node. */
static void gather_pairs(weft_sim *s, const node_row *rows, vec3 *place, vec3 *speed, double *mass)
{
    state *st = &s->state;
    for (int32_t vi = 0; vi < s->model.n; vi++) {
        double m = s->model.mass[vi];
        int32_t to = rows[vi].dof[0];
        if (rows[vi].dof[1] >= 0)
            continue;
        place[to] = v3_madd(place[to], m, st->q[vi]);
        speed[to] = v3_madd(speed[to], m, st->v[vi]);
        mass[to] += m;
    }
    for (int32_t vi = 0; vi < s->model.n; vi++) {
        int32_t to = rows[vi].dof[0];
        if (rows[vi].dof[1] >= 0 || !(mass[to] > 0) || (to == vi && mass[to] == s->model.mass[vi]))
            continue;
        st->q[vi] = st->q_past[vi] = grid_snap(v3_scale(1 / mass[to], place[to]), s->def.world_scale);
        st->v[vi] = st->v_past[vi] = v3_scale(1 / mass[to], speed[to]);
        st->accel[vi] = v3_zero();
        st->memory[vi] = (contact_memory){.owner = CONTACT_OWNER_NONE};
        st->restart[vi] = 1;
    }
}

static weft_result set_welded(weft_sim *s, tie *t, weft_error *e)
{
    cloth *a = sim_get_cloth(s, t->cloth_a, NULL), *b = sim_get_cloth(s, t->cloth_b, NULL);
    t->welded = true;
    weft_result r = stitch_again(s, a, e);
    r = r < 0 || a == b ? r : stitch_again(s, b, e);
    t->welded = r == WEFT_OK;
    return r;
}

/* A clamp's border must stay free: what is sewn to it would bend there, too. */
static weft_result check_not_clamped(const weft_sim *s, const tie *t, weft_error *e)
{
    for (int32_t i = 0; i < 2 * t->n; i++) {
        int32_t node = i % 2 == 0 ? t->a[i / 2] : t->b[i / 2];
        if (clamp_holds_node(&s->defs, i % 2 == 0 ? t->cloth_a : t->cloth_b, node))
            return error_set(e, WEFT_ERROR_ARGUMENT, i / 2,
                             "pair %d: node %d is clamped, and a clamp holds a free border", i / 2, node);
    }
    return WEFT_OK;
}

static weft_result weld_tie(weft_sim *s, weft_tie_id id, double within, weft_error *e)
{
    tie *t = NULL;
    weft_result r = get_tie(s, id, &t, e);
    r = r < 0 ? r : model_build(&s->model, &s->state, e);
    r = r < 0 ? r : check_near(s, t, within, e);
    r = r < 0 ? r : check_not_clamped(s, t, e);
    if (r < 0)
        return r;
    int32_t n = s->model.n;
    node_row *rows = mem_array(&s->mem, n, sizeof *rows);
    vec3 *sums = mem_array(&s->mem, 2 * (int64_t)n, sizeof *sums);
    double *mass = mem_array(&s->mem, n, sizeof *mass);
    r = rows && sums && mass ? set_welded(s, t, e) : error_memory(e);
    if (r == WEFT_OK) {
        memcpy(rows, s->model.rows, (size_t)n * sizeof *rows);
        weld_rows(&s->defs, rows, n);
        gather_pairs(s, rows, sums, sums + n, mass);
        model_invalidate(&s->model);
    }
    mem_free(&s->mem, rows, n, sizeof *rows);
    mem_free(&s->mem, sums, 2 * (int64_t)n, sizeof *sums);
    mem_free(&s->mem, mass, n, sizeof *mass);
    return r;
}

weft_result weft_tie_weld(weft_sim *s, weft_tie_id id, double within, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, weld_tie(s, id, within, e));
}
