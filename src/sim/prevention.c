/* SPDX-License-Identifier: MIT */
/* The last phase before the commit: nothing passes through anything. First the thickness of analytic colliders,
 * exactly; then ends are put on the grid of positions, so that what is tested is what will be stored; then prevention
 * (contact/prevent/prevent.h), whose check of the stored numbers carries the guarantee. */
#include <string.h>

#include "base/clock.h"
#include "base/ranges.h"
#include "contact/collider/respond.h"
#include "sim/phases.h"
#include "sim/step_stats.h"

/* ---- thickness --------------------------------------------------------------------------------------------------- */

/* A node that the last correction had to move keeps its velocity but for the part that goes on inward. What stops that
 * part of it rubs: the implicit solve has had its friction on faces already, an explicit step has it here, since on a
 * convex collider faces touch and nodes do not. */
static void stop_inward(model *m, double h)
{
    bool rubs = m->def->integrator == WEFT_INTEGRATOR_EXPLICIT;
    for (int32_t vi = 0; vi < m->n; vi++) {
        if (m->collider_contacts.pushed_by[vi] == CONTACT_OWNER_NONE)
            continue;
        const collider *c = &m->colliders[m->collider_contacts.pushed_by[vi]];
        vec3 x0 = m->x0[vi], n = m->collider_contacts.push_normal[vi];
        vec3 ground = v3_scale(1.0 / h, v3_sub(collider_carry(c, x0), x0));
        double inward = v3_dot(n, v3_sub(m->v1[vi], ground));
        if (inward < 0 && rubs)
            m->v1[vi] = respond_velocity(m->v1[vi], ground, n, forces_node(&m->forces, vi)->friction * c->friction, 0);
        else if (inward < 0)
            m->v1[vi] = v3_madd(m->v1[vi], -inward, n);
    }
}

static void keep_thickness(model *m, double h, weft_step_stats *stats)
{
    collider_contact_correction report = {0};
    if (m->n_analytic == 0)
        return;
    double t0 = clock_seconds();
    collider_contact_enforce(&m->collider_contacts, m->q1, m->filters, m->rows, &report);
    follow_parents(m, m->v1);
    stop_inward(m, h);
    stats->corrections += report.corrections;
    stats->correction = max_of(stats->correction, report.largest);
    stats->seconds_touch += clock_seconds() - t0;
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

typedef struct snap_run {
    model *m;
    const ranges *ranges;
    bool lost[RANGES_MOST]; /* a node has left the world */
} snap_run;

static void snap_range(void *context, int32_t range)
{
    snap_run *r = context;
    model *m = r->m;
    int32_t scale = r->m->def->world_scale;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        r->lost[range] = r->lost[range] || !grid_contains(m->q1[i], scale) || !v3_is_finite(m->v1[i]);
        m->q1[i] = r->lost[range] ? m->q1[i] : grid_snap(m->q1[i], scale);
    }
}

static bool snap_all(model *m)
{
    ranges p = ranges_of(m->n);
    snap_run r = {.m = m, .ranges = &p};
    pool_for(m->pool, p.n, snap_range, &r);
    for (int32_t i = 0; i < p.n; i++)
        if (r.lost[i])
            return false;
    follow_parents(m, m->q1);
    follow_parents(m, m->v1);
    return true;
}

/* ---- passage ----------------------------------------------------------------------------------------------------- */

static void add_prevention(weft_step_stats *total, const prevent_stats *more){WEFT_STATS_PREVENTION(STATS_ADD)}

prevent_end prevent_ask(model *m, const state *st, const vec3 *q1)
{
    cloth_contact *cc = &m->cloth_contact;
    prevent_stats unused = {0};
    prevent_options o = {.response = PREVENT_WEFT, .ask = true};
    find_meshes(m); /* the last step has moved them on */
    cloth_contact_place(m, st->q, m->mesh.x0, cc->x0);
    cloth_contact_place(m, q1, m->mesh.x0, cc->x1);
    arena_mark before = arena_mark_of(m->scratch);
    vec3 *v1; /* which nobody asks for */
    prevent_end end = PREVENT_FAILED;
    if (ARENA_TAKE(m->scratch, v1, cc->n_cloth)) {
        memset(v1, 0, (size_t)cc->n_cloth * sizeof *v1);
        end = prevent(&cc->prevent, cc->x0, cc->x1, v1, &o, &unused);
    }
    arena_release(m->scratch, before);
    return end;
}

/* Of cloth with cloth and with meshes. */
static prevent_end prevent_pairs(model *m, const state *st, const substep *sub, bool ask, double *cut,
                                 weft_step_stats *stats)
{
    cloth_contact *cc = &m->cloth_contact;
    prevent_stats ps = {0};
    if (!cc->bvh)
        return PREVENT_FREE;
    cloth_contact_place(m, st->q, m->mesh.x0, cc->x0);
    cloth_contact_place(m, m->q1, m->mesh.x1, cc->x1);
    cc->prevent.h = sub->h;
    prevent_options o = {.response = m->def->response == WEFT_RESPONSE_PROVOT ? PREVENT_PROVOT : PREVENT_WEFT,
                         .last_chance = sub->last,
                         .ask = ask};
    prevent_end end = prevent(&cc->prevent, cc->x0, cc->x1, m->v1, &o, &ps);
    add_prevention(stats, &ps);
    if (end == PREVENT_SQUEEZED) {
        cc->n_tangled += ps.squeezed_pairs; /* they may have gone through each other */
        squeezed_note(m);
    }
    if (end == PREVENT_CUT) {
        *cut = ps.cut;
        if (cc->n_nodes > cc->n_cloth)
            memcpy(m->mesh.x1, cc->x1 + cc->n_cloth, (size_t)(cc->n_nodes - cc->n_cloth) * sizeof *cc->x1);
    }
    return end;
}

prevent_end prevent_passage(model *m, const state *st, const substep *sub, bool ask, double *cut,
                            weft_step_stats *stats)
{
    keep_thickness(m, sub->h, stats);
    if (!snap_all(m))
        return PREVENT_RETRY;
    prevent_end end = prevent_pairs(m, st, sub, ask, cut, stats);
    bool counts = end == PREVENT_FREE || end == PREVENT_SQUEEZED || end == PREVENT_CUT;
    if (counts && (m->collider_contacts.lacking || !snap_all(m)))
        return PREVENT_RETRY;
    if (counts && m->n_analytic > 0)
        stats->squeezed = collider_contact_count_squeezed(&m->collider_contacts, m->q1);
    return end;
}
