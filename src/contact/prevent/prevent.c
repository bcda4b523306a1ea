/* SPDX-License-Identifier: MIT */
/* The order of prevention: test; impulses, one pair after the other; inelastic zones; then the caller may halve the
 * step, which on a ribbon that rumples was far better than anything rigid; then rigid zones and the fail-safe.
 * (Provot's own order, impulses and then rigid zones, stays free of intersections but freezes: a held zone stretches
 * its neighbours, the next step is violent, the zone grows.)
 *
 * After every response the new ends are snapped to the grid and tested again, at first only what moved; the answer
 * "free" always comes from a test of all pairs with fresh boxes on the numbers that will be stored. That test carries
 * the guarantee; everything else only has to be good.
 *
 * Invariants:
 *  1. PREVENT_FREE and PREVENT_CUT: the last test was complete, of these very x1, and found nothing;
 *  2. x0 is never changed; of what is held only a cut changes the end. */
#include "contact/prevent/prevent.h"

#include <string.h>

#include "base/clock.h"
#include "base/ranges.h"
#include "contact/params.h"
#include "contact/prevent/detect.h"
#include "contact/prevent/failsafe.h"
#include "contact/prevent/provot.h"
#include "contact/prevent/impact_zone.h"
#include "math/grid.h"

/* ---- memory ------------------------------------------------------------------------------------------------------ */

bool work_room(mem *m, void **items, int64_t *room, int64_t n, size_t item_size)
{
    if (n <= *room)
        return true;
    int64_t wanted = n + n / 2 + 64;
    void *p = mem_resized(m, *items, *room, wanted, item_size);
    if (!p)
        return false;
    *items = p;
    *room = wanted;
    return true;
}

static void free_nodes(prevent_work *k, mem *m)
{
    vec3 **by_node[] = {&k->x_base, &k->x_unkept};
    for (size_t i = 0; i < sizeof by_node / sizeof *by_node; i++)
        MEM_FREE(m, *by_node[i], k->n_nodes);
    int32_t **by_dof[] = {&k->parent, &k->impact_zone_of, &k->impact_zone_size, &k->self_hits, &k->self_hit_round};
    for (size_t i = 0; i < sizeof by_dof / sizeof *by_dof; i++)
        MEM_FREE(m, *by_dof[i], k->n_dofs);
    MEM_FREE(m, k->moved, k->n_nodes);
    MEM_FREE(m, k->v_base, k->n_dofs);
    MEM_FREE(m, k->obstacle, k->n_dofs);
    MEM_FREE(m, k->impact_zone_fraction, k->n_dofs);
    k->n_nodes = k->n_dofs = 0;
}

static bool make_node_arrays(prevent_work *k, mem *m, int32_t n_nodes, int32_t n_dofs)
{
    free_nodes(k, m);
    k->n_nodes = n_nodes;
    k->n_dofs = n_dofs;
    return MEM_MAKE(m, k->moved, n_nodes);
}

static bool take_places(prevent_work *k, const prevent_world *w)
{
    return ARENA_TAKE(w->scratch, k->x_boxed, k->n_nodes) && ARENA_TAKE(w->scratch, k->x_tested, k->n_nodes);
}

/* Obstacles come last: they tell that all of it is there. */
bool prevent_ready(prevent_job *j)
{
    prevent_work *k = j->work;
    mem *m = j->world->mem;
    int32_t n_nodes = k->n_nodes, n_dofs = k->n_dofs;
    if (k->obstacle)
        return true;
    int32_t **by_dof[] = {&k->parent, &k->impact_zone_of, &k->impact_zone_size, &k->self_hits, &k->self_hit_round};
    for (size_t i = 0; i < sizeof by_dof / sizeof *by_dof; i++)
        if (!*by_dof[i] && !MEM_MAKE(m, *by_dof[i], n_dofs))
            return false;
    return (k->x_base || MEM_MAKE(m, k->x_base, n_nodes)) && (k->x_unkept || MEM_MAKE(m, k->x_unkept, n_nodes)) &&
           (k->v_base || MEM_MAKE(m, k->v_base, n_dofs)) &&
           (k->impact_zone_fraction || MEM_MAKE(m, k->impact_zone_fraction, n_dofs)) &&
           MEM_MAKE(m, k->obstacle, n_dofs);
}

static bool prepare_work(prevent_world *w)
{
    if (!w->work && !MEM_MAKE(w->mem, w->work, 1))
        return false;
    prevent_work *k = w->work;
    k->n_squeezed = 0;
    if (k->n_nodes == w->n_nodes && k->n_dofs == w->n_dofs)
        return take_places(k, w);
    if (make_node_arrays(k, w->mem, w->n_nodes, w->n_dofs) && take_places(k, w))
        return true;
    free_nodes(k, w->mem);
    return false;
}

void prevent_destroy(prevent_world *w)
{
    prevent_work *k = w->work;
    if (!k)
        return;
    free_nodes(k, w->mem);
    detect_destroy(k, w->mem);
    ledger_destroy(&k->ledger, w->mem);
    MEM_FREE(w->mem, k->constraints, k->constraint_room);
    MEM_FREE(w->mem, k->reaches, k->reach_room);
    failsafe_destroy(k, w->mem);
    MEM_FREE(w->mem, k->squeezed, k->squeezed_room);
    MEM_FREE(w->mem, w->work, 1);
}

const prevent_pair *prevent_squeezed(const prevent_world *w, int32_t *n)
{
    *n = w->work ? w->work->n_squeezed : 0;
    return w->work ? w->work->squeezed : NULL;
}

int32_t prevent_n_hits(const prevent_world *w)
{
    return w->work ? w->work->n_told : 0;
}

int32_t prevent_n_hit_nodes(const prevent_world *w)
{
    return w->work && w->work->n_told > 0 ? w->work->n_told_nodes : 0;
}

prevent_hit prevent_get_hit(const prevent_world *w, int32_t i)
{
    const impact *c = &w->work->hits[w->work->order[i]];
    prevent_hit h = {.edges = c->edges, .normal = c->normal, .aim = c->aim};
    memcpy(h.node, c->node, sizeof h.node);
    memcpy(h.w, c->w, sizeof h.w);
    return h;
}

/* ---- after a response -------------------------------------------------------------------------------------------- */

static vec3 row_value(const node_row *r, const vec3 *a)
{
    if (r->dof[1] < 0)
        return a[r->dof[0]];
    return v3_madd(v3_scale(row_weight(r), a[r->dof[0]]), row_weight(r), a[r->dof[1]]);
}

typedef struct settle_run {
    prevent_job *j;
    const ranges *ranges;
    bool lost[RANGES_MOST];
} settle_run;

static void settle_range(void *context, int32_t range)
{
    settle_run *r = context;
    const prevent_world *w = r->j->world;
    const vec3 *base = r->j->reach > 0 ? r->j->work->x_base : NULL;
    vec3 *x1 = r->j->x1;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        r->lost[range] = r->lost[range] || !grid_contains(x1[i], w->world_scale) ||
                         (base && v3_len(v3_sub(x1[i], base[i])) > r->j->reach);
        if (!r->lost[range] && i < w->n_dofs && w->rows[i].dof[0] == i)
            x1[i] = grid_snap(x1[i], w->world_scale);
    }
}

bool prevent_settle(prevent_job *j)
{
    const prevent_world *w = j->world;
    ranges p = ranges_of(w->n_nodes);
    settle_run r = {.j = j, .ranges = &p};
    pool_for(w->pool, p.n, settle_range, &r);
    for (int32_t i = 0; i < p.n; i++)
        if (r.lost[i]) {
            j->ran_away = true;
            return false;
        }
    for (int32_t i = 0; i < w->n_dofs; i++) {
        if (w->rows[i].dof[0] == i)
            continue;
        j->x1[i] = row_value(&w->rows[i], j->x1);
        j->v1[i] = row_value(&w->rows[i], j->v1);
    }
    return true;
}

/* `keep` has moved it: it does not go back. In the fail-safe it is where it has to be. */
static void meet_obstacle(prevent_job *j, int32_t dof, vec3 by)
{
    obstacle *o = &j->work->obstacle[dof];
    vec3 normal = v3_unit_or(by, v3_zero());
    if (j->in_failsafe || o->n == 2 || (o->n == 1 && v3_dot(o->normal, normal) < PREVENT_SAME_OBSTACLE))
        o->n = 2;
    else
        *o = (obstacle){normal, 1};
}

static bool keep_clear(prevent_job *j)
{
    const prevent_world *w = j->world;
    vec3 *before = j->work->x_unkept;
    if (!w->keep)
        return true;
    memcpy(before, j->x1, (size_t)w->n_nodes * sizeof *before);
    w->keep(w->context, j->x1);
    for (int32_t i = 0; i < w->n_dofs; i++) {
        vec3 by = v3_sub(j->x1[i], before[i]);
        if (w->rows[i].dof[0] == i && v3_max_abs(by) > 0)
            meet_obstacle(j, i, by);
    }
    return prevent_settle(j);
}

bool prevent_test_again(prevent_job *j)
{
    if (!prevent_settle(j) || !keep_clear(j))
        return false;
    if (!detect_moved(j))
        return false;
    return j->n_hits > 0 || detect_all(j);
}

/* ---- the order --------------------------------------------------------------------------------------------------- */

static void forget_obstacles(prevent_work *k)
{
    for (int32_t i = 0; k->obstacle && i < k->n_dofs; i++)
        k->obstacle[i] = (obstacle){0};
}

static bool sweep_hits(prevent_job *j)
{
    prevent_work *k = j->work;
    impact_world w = {j->world, k->obstacle, j->x0, j->x1, j->v1};
    double t0 = clock_seconds();
    for (int32_t i = 0; i < j->n_hits; i++) {
        const impact *c = &k->hits[k->order[i]];
        ledger_entry *entry = ledger_find(&k->ledger, j->world->mem, c);
        if (!entry)
            return false;
        impact_respond(&w, c, entry);
    }
    j->stats->sweeps++;
    j->stats->seconds_respond += clock_seconds() - t0;
    return prevent_test_again(j);
}

/* Where it would go without impulses, and how far they may lead from there. */
static void begin_impulses(prevent_job *j)
{
    prevent_work *k = j->work;
    double way = 0, aim = 0;
    memcpy(k->x_base, j->x1, (size_t)j->world->n_nodes * sizeof *j->x1);
    memcpy(k->v_base, j->v1, (size_t)j->world->n_dofs * sizeof *j->v1);
    for (int32_t i = 0; i < j->world->n_nodes; i++)
        way = max_of(way, v3_len(v3_sub(j->x1[i], j->x0[i])));
    for (int32_t i = 0; i < j->n_hits; i++)
        aim = max_of(aim, k->hits[i].aim);
    j->reach = IMPACT_MOST_LEVERS * (way + aim);
}

static bool respond_by_impulses(prevent_job *j)
{
    if (!ledger_reset(&j->work->ledger, j->world->mem, j->n_hits))
        return false;
    j->in_sweeps = true;
    for (int i = 0; i < PREVENT_SWEEPS && j->n_hits > 0; i++)
        if (!sweep_hits(j))
            return false;
    j->in_sweeps = false;
    return impact_zone_respond(j);
}

/* Takes impulses back; what hit before they began hits again. */
static bool take_back_impulses(prevent_job *j)
{
    prevent_work *k = j->work;
    memcpy(j->x1, k->x_base, (size_t)j->world->n_nodes * sizeof *j->x1);
    memcpy(j->v1, k->v_base, (size_t)j->world->n_dofs * sizeof *j->v1);
    forget_obstacles(k);
    return prevent_settle(j) && detect_all(j);
}

/* Impulses of velocities have levers of their own: those that have run away become that of the way gone. */
static void rein_in_velocities(prevent_job *j)
{
    double h = j->world->h;
    for (int32_t i = 0; i < j->world->n_dofs; i++)
        if (!(v3_len(v3_sub(j->v1[i], j->work->v_base[i])) * h <= j->reach))
            j->v1[i] = v3_scale(1 / h, v3_sub(j->x1[i], j->x0[i]));
}

static prevent_end respond_weft(prevent_job *j)
{
    begin_impulses(j);
    bool done = respond_by_impulses(j);
    if (done)
        rein_in_velocities(j);
    j->in_sweeps = false;
    j->reach = 0;
    if (!done && !(j->ran_away && take_back_impulses(j)))
        return PREVENT_FAILED;
    if (j->n_hits == 0)
        return PREVENT_FREE;
    return j->options->last_chance ? failsafe(j) : PREVENT_RETRY;
}

/* Tells the caller of all hits. False without memory. */
static bool tell_hits(prevent_job *j)
{
    prevent_work *k = j->work;
    arena_mark before = arena_mark_of(j->world->scratch);
    int32_t n = j->world->n_nodes;
    bool *hit;
    if (!ARENA_TAKE(j->world->scratch, hit, n))
        return false;
    memset(hit, 0, (size_t)n * sizeof *hit);
    for (int32_t i = 0; i < j->n_hits; i++)
        for (int c = 0; c < 4; c++)
            hit[k->hits[i].node[c]] = true;
    k->n_told = j->n_hits;
    k->n_told_nodes = 0;
    for (int32_t vi = 0; vi < n; vi++)
        k->n_told_nodes += hit[vi];
    arena_release(j->world->scratch, before);
    return true;
}

static prevent_end run_prevention(prevent_job *j)
{
    const prevent_options *o = j->options;
    if (!prepare_work(j->world))
        return PREVENT_FAILED;
    j->work = j->world->work;
    j->before_walk = bvh_mark(j->world->bvh);
    forget_obstacles(j->work);
    if (!prevent_settle(j) || !detect_all(j))
        return PREVENT_FAILED;
    j->work->n_told = 0;
    if (j->n_hits == 0)
        return PREVENT_FREE;
    if (o->ask)
        return tell_hits(j) ? PREVENT_HITS : PREVENT_FAILED;
    if (!prevent_ready(j))
        return PREVENT_FAILED;
    return o->response == PREVENT_PROVOT ? provot_respond(j) : respond_weft(j);
}

prevent_end prevent(prevent_world *w, const vec3 *x0, vec3 *x1, vec3 *v1, const prevent_options *o,
                    prevent_stats *stats)
{
    prevent_job j = {.world = w, .x0 = x0, .x1 = x1, .v1 = v1, .options = o, .stats = stats};
    arena_mark before = arena_mark_of(w->scratch);
    stats->cut = 1;
    stats->smallest_gap = HUGE_VAL;
    prevent_end end = run_prevention(&j);
    arena_release(w->scratch, before);
    return end;
}
