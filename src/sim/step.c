/* SPDX-License-Identifier: MIT */
/* The step: a table of contents. A substep that fails is halved; the state changes only when a substep has been
 * accepted, and if the step as a whole fails the state from before it comes back. */
#include <string.h>

#include "base/clock.h"
#include "base/ranges.h"
#include "contact/collider/respond.h"
#include "sim/check.h"
#include "sim/sim.h"

/* ---- the end of a substep ---------------------------------------------------------------------------------------- */

/* A node that the last correction had to move keeps its velocity but for the part that goes on inward. What stops that
 * part of it rubs: the implicit solve has had its friction on faces already, an explicit step has it here, since on a
 * convex collider faces touch and nodes do not. */
static void stop_inward(weft_sim *s, double h)
{
    model *m = &s->model;
    bool rubs = s->def.integrator == WEFT_INTEGRATOR_EXPLICIT;
    for (int32_t vi = 0; vi < m->n; vi++) {
        if (m->collider_contacts.pushed_by[vi] == OWNER_NONE)
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

static void keep_thickness(weft_sim *s, double h, weft_step_stats *stats)
{
    model *m = &s->model;
    collider_contact_report report = {0};
    if (m->n_analytic == 0)
        return;
    double t0 = clock_seconds();
    collider_contact_enforce(&m->collider_contacts, m->q1, m->filters, m->rows, &report);
    follow_parents(s, m->v1);
    stop_inward(s, h);
    stats->corrections += report.corrections;
    stats->correction = max_of(stats->correction, report.largest);
    stats->seconds_touch += clock_seconds() - t0;
}

typedef struct node_run {
    weft_sim *s;
    const ranges *ranges;
    double h;
    bool lost[RANGES_MOST];                                                   /* a node has left the world */
    double kinetic[RANGES_MOST], gravity[RANGES_MOST], speed_sq[RANGES_MOST]; /* sums, and the largest */
    double stretch_sq[RANGES_MOST];
    int32_t n_active[RANGES_MOST];
} node_run;

static void snap_range(void *context, int32_t range)
{
    node_run *r = context;
    model *m = &r->s->model;
    int32_t scale = r->s->def.world_scale;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        r->lost[range] = r->lost[range] || !grid_contains(m->q1[i], scale) || !v3_is_finite(m->v1[i]);
        m->q1[i] = r->lost[range] ? m->q1[i] : grid_snap(m->q1[i], scale);
    }
}

static bool snap_all(weft_sim *s)
{
    model *m = &s->model;
    ranges p = ranges_of(m->n);
    node_run r = {.s = s, .ranges = &p};
    pool_for(s->pool, p.n, snap_range, &r);
    for (int32_t i = 0; i < p.n; i++)
        if (r.lost[i])
            return false;
    follow_parents(s, m->q1);
    follow_parents(s, m->v1);
    return true;
}

/* Sharing of bending angles goes from the state into the model before a substep, and back when it is accepted. */
static void exchange_shares(weft_sim *s, bool into_model)
{
    for (int32_t i = 0; i < s->cloths.n; i++) {
        const cloth *c = s->cloths.items[i].item;
        if (!c || c->n_shares == 0)
            continue;
        double *share = s->state.share + c->share_offset;
        if (into_model)
            assembly_set_shares(&s->model.assembly, c->model_shares, c->n_shares, share);
        else
            assembly_get_shares(&s->model.assembly, c->model_shares, c->n_shares, share);
    }
}

/* A part of a step is about to become the state, and another may fail: what is to come back then. */
static bool keep_state(weft_sim *s)
{
    state *b = &s->backup;
    if (s->kept)
        return true;
    if (b->n != s->state.n || b->n_shares != s->state.n_shares) {
        state_destroy(b, &s->mem);
        if (!state_create(b, &s->mem, s->state.n, s->state.n_shares)) {
            state_destroy(b, &s->mem);
            return false;
        }
    }
    s->kept = state_copy(b, &s->mem, &s->state);
    return s->kept;
}

static void accept_range(void *context, int32_t range)
{
    const node_run *r = context;
    const model *m = &r->s->model;
    state *st = &r->s->state;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        st->accel[i] = v3_scale(1.0 / r->h, v3_sub(m->v1[i], st->v[i]));
        st->q_past[i] = st->q[i];
        st->v_past[i] = st->v[i];
        st->q[i] = m->q1[i];
        st->v[i] = m->v1[i];
        st->memory[i] = m->next_memory[i];
        st->restart[i] = m->next_restart[i];
    }
}

step_end commit_step(weft_sim *s, const substep *sub, weft_step_stats *stats)
{
    model *m = &s->model;
    state *st = &s->state;
    double h = sub->h, cut = 1;
    follow_parents(s, m->q1);
    if (!untangling_step(s, sub, stats))
        return STEP_FAILED;
    keep_thickness(s, h, stats);
    if (!snap_all(s))
        return STEP_FAILED;
    step_end end = cloth_contact_prevent(s, sub, &cut, stats);
    if (end == STEP_AGAIN)
        return end;
    if (end == STEP_FAILED || m->collider_contacts.lacking || !snap_all(s))
        return STEP_FAILED;
    bool more = !sub->rest || end == STEP_CUT;
    if ((more && !keep_state(s)) || !pair_memories_copy(&st->pairs, &s->mem, &m->cloth_contact.next))
        return STEP_FAILED;
    h *= cut;
    if (m->n_analytic > 0)
        stats->squeezed = collider_contact_count_squeezed(&m->collider_contacts, m->q1);
    ranges p = ranges_of(m->n);
    node_run r = {.s = s, .ranges = &p, .h = h};
    pool_for(s->pool, p.n, accept_range, &r);
    untangling_commit(s, cut);
    exchange_shares(s, false);
    commit_meshes(s);
    st->time += h;
    st->last_h = h;
    return end;
}

/* ---- statistics -------------------------------------------------------------------------------------------------- */

static void measure_range(void *context, int32_t range)
{
    node_run *r = context;
    const model *m = &r->s->model;
    const state *st = &r->s->state;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        double v_sq = v3_len_sq(st->v[i]);
        r->kinetic[range] += 0.5 * m->mass[i] * v_sq;
        r->gravity[range] -= m->mass[i] * v3_dot(r->s->def.gravity, st->q[i]);
        r->speed_sq[range] = max_of(r->speed_sq[range], v_sq);
        r->n_active[range] += m->rows[i].dof[0] == i;
    }
}

static void stretch_range(void *context, int32_t range)
{
    node_run *r = context;
    const vec3 *q = r->s->state.q;
    const edge_element *edges = r->s->model.forces.edges.items;
    double most = 0;
    for (int32_t i = ranges_begin(r->ranges, range); i < ranges_end(r->ranges, range); i++) {
        const edge_element *e = &edges[i];
        double length = forces_edge(&r->s->model.forces, e)->length;
        most = max_of(most, v3_len_sq(v3_sub(q[e->node[1]], q[e->node[0]])) / (length * length));
    }
    r->stretch_sq[range] = most;
}

static void measure(weft_sim *s, weft_step_stats *out)
{
    model *m = &s->model;
    ranges of_nodes = ranges_of(m->n), of_edges = ranges_of(m->forces.edges.n);
    node_run r = {.s = s, .ranges = &of_nodes};
    double elastic[FORCE_KINDS], stretch_sq = 0;
    assembly_elastic(&m->assembly, s->state.q, elastic);
    out->energy_stretch = elastic[FORCE_SPRING] + elastic[FORCE_MEMBRANE];
    out->energy_bending = elastic[FORCE_BEAM] + elastic[FORCE_BEND] + elastic[FORCE_HINGE];
    pool_for(s->pool, of_nodes.n, measure_range, &r);
    for (int32_t i = 0; i < of_nodes.n; i++) {
        out->energy_kinetic += r.kinetic[i];
        out->energy_gravity += r.gravity[i];
        out->max_speed = max_of(out->max_speed, r.speed_sq[i]);
        out->n_active += r.n_active[i];
    }
    out->max_speed = sqrt(out->max_speed);
    r.ranges = &of_edges;
    pool_for(s->pool, of_edges.n, stretch_range, &r);
    for (int32_t i = 0; i < of_edges.n; i++)
        stretch_sq = max_of(stretch_sq, r.stretch_sq[i]);
    out->stretch = sqrt(stretch_sq);
    out->time = s->state.time;
    out->n_nodes = m->n;
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

static void forget_forces(weft_sim *s)
{
    for (int32_t i = 0; i < s->attachments.n; i++) {
        attachment *a = s->attachments.items[i].item;
        if (a)
            memset(a->force, 0, (size_t)a->n * sizeof *a->force);
    }
    for (int32_t i = 0; i < s->model.n_colliders; i++)
        s->model.collider_owner[i]->force = s->model.collider_owner[i]->torque = v3_zero();
}

static step_end take_substep(weft_sim *s, const substep *sub, weft_step_stats *stats)
{
    if (s->model.n == 0) {
        move_meshes(s, sub);
        commit_meshes(s);
        s->state.time += sub->h;
        return STEP_DONE;
    }
    exchange_shares(s, true);
    bool explicit = s->def.integrator == WEFT_INTEGRATOR_EXPLICIT;
    arena_mark before = arena_mark_of(&s->scratch);
    step_end end = explicit ? explicit_step(s, sub, stats) : implicit_step(s, sub, stats);
    arena_release(&s->scratch, before);
    return end;
}

/* The level of the last part, as far as hurry made it. Where folds turn, one step after the other is taken in parts;
 * pairs found for the whole of it only to learn that were a third of what finding them took. By the state alone. */
static int32_t first_level(const weft_sim *s, double h)
{
    int32_t level = 0;
    double last = s->state.last_h * (1 + 1e-9);
    if (s->def.integrator == WEFT_INTEGRATOR_EXPLICIT || last <= 0)
        return 0;
    while (level < MOST_HURRY && level < s->def.halving_limit && ldexp(h, -level) > last)
        level++;
    return level;
}

/* The step in parts of h/2^level: a failure halves what is left, two successes in a row at one level double it again.
 * A part that is cut short is gone on with from there. */
static step_end advance(weft_sim *s, double h, weft_step_stats *stats)
{
    double start = s->state.time, done = 0;
    int32_t level = first_level(s, h), good = 0;
    bool guessed = true;
    int64_t n_failed = s->mem.n_failed;
    while (done < h) {
        if (atomic_load(&s->cancel))
            return STEP_CANCELLED;
        double part = ldexp(h, -level), left = h - done;
        bool rest = left <= part * (1 + 1e-9);
        substep sub = {.h = rest ? left : part,
                       .whole = h,
                       .done = done,
                       .level = level,
                       .last = level == s->def.halving_limit,
                       .rest = rest,
                       .guessed = guessed};
        step_end end = take_substep(s, &sub, stats);
        if (end == STEP_CANCELLED)
            return end;
        if (end == STEP_LONGER) {
            level--;
            continue;
        }
        guessed = false;
        if (end == STEP_SHORTER) {
            int32_t wanted = level + cloth_contact_hurry(s);
            level = wanted < MOST_HURRY ? wanted : MOST_HURRY;
            continue;
        }
        if (end == STEP_FAILED) {
            if (sub.last || s->mem.n_failed > n_failed)
                return STEP_FAILED;
            level++;
            good = 0;
            stats->halvings++;
            continue;
        }
        done = rest && end == STEP_DONE ? h : s->state.time - start;
        stats->n_steps++;
        good = end == STEP_DONE ? good + 1 : 0;
        if (level > 0 && good == 2 && cloth_contact_hurry(s) < 0) {
            level--;
            good = 0;
        }
    }
    s->state.time = start + h;
    return STEP_DONE;
}

/* A last Newton step of more than this share of the edge length is worth a warning. */
#define ROUGH 0.2

static weft_result warnings(const weft_sim *s, const weft_step_stats *st)
{
    if (st->squeezed_pairs > 0) {
        sim_log(s, WEFT_LOG_WARNING, "%g s: %d pairs of primitives have no room", st->time, st->squeezed_pairs);
        return WEFT_WARNING_SQUEEZED;
    }
    if (st->squeezed > 0) {
        sim_log(s, WEFT_LOG_WARNING, "%g s: %d triangles have no room between colliders", st->time, st->squeezed);
        return WEFT_WARNING_SQUEEZED;
    }
    if (st->halvings > 0) {
        sim_log(s, WEFT_LOG_WARNING, "%g s: the step was done in %d parts", st->time, st->n_steps);
        return WEFT_WARNING_HALVED;
    }
    if (st->residual > ROUGH * s->model.mean_edge) {
        sim_log(s, WEFT_LOG_INFO, "%g s: the last Newton step still moved a node by %g m", st->time, st->residual);
        return WEFT_WARNING_NOT_CONVERGED;
    }
    return WEFT_OK;
}

static weft_result outcome(const weft_sim *s, step_end end, const weft_step_stats *stats, weft_error *e)
{
    if (end == STEP_CANCELLED)
        return error_set(e, WEFT_ERROR_CANCELLED, -1, "cancelled; the state is that before the step");
    if (end == STEP_FAILED)
        return error_set(
            e, WEFT_ERROR_DIVERGED, -1,
            "no acceptable step from %g s, halved %d times: the solver did not converge or a node left the "
            "world; the state is that before the step",
            s->state.time, stats->halvings);
    return warnings(s, stats);
}

static double elastic_energy(weft_sim *s)
{
    double elastic[FORCE_KINDS];
    exchange_shares(s, true);
    assembly_elastic(&s->model.assembly, s->state.q, elastic);
    return elastic[FORCE_SPRING] + elastic[FORCE_MEMBRANE] + elastic[FORCE_BEAM] + elastic[FORCE_BEND] +
           elastic[FORCE_HINGE];
}

/* The model of a mesh that has changed. */
static weft_result lay_out(weft_sim *s, weft_step_stats *stats, weft_error *e)
{
    double t0 = clock_seconds();
    weft_result r = model_build(s, e);
    stats->seconds_layout += clock_seconds() - t0;
    return r;
}

/* Merging moves the surface, by up to coarsen_way. Where that has put it through something, the change is taken back
 * and only what splits is done: splitting moves nothing. */
static weft_result adapt_cleanly(weft_sim *s, adaptation *a, weft_step_stats *stats, weft_error *e)
{
    int32_t tangled = s->model.cloth_contact.n_tangled;
    weft_result adapted = WEFT_OK;
    for (int round = 0; round < 2; round++) {
        adapted = adapt_cloths(s, a, round > 0, stats, e);
        if (adapted < 0 || a->n == 0)
            return adapted;
        weft_result r = lay_out(s, stats, e);
        if (r != WEFT_OK)
            return r;
        if (round > 0 || s->model.cloth_contact.n_tangled <= tangled)
            break;
        adapt_end(s, a, false);
        stats->split = stats->merged = 0;
        r = lay_out(s, stats, e);
        if (r != WEFT_OK)
            return r;
    }
    return adapted;
}

/* The mesh for this step, and the model of it. */
static weft_result adapt(weft_sim *s, adaptation *a, weft_step_stats *stats, weft_error *e)
{
    weft_result r = model_build(s, e);
    if (r != WEFT_OK)
        return r;
    bool measured = s->stats.n_steps > 0 && s->stats.time == s->state.time;
    double before = s->stats.energy_stretch + s->stats.energy_bending;
    double t0 = clock_seconds();
    weft_result adapted = adapt_cleanly(s, a, stats, e);
    if (adapted >= 0 && a->n > 0 && measured)
        stats->energy_jump = elastic_energy(s) - before;
    stats->seconds_adapt = clock_seconds() - t0;
    return adapted;
}

weft_result weft_sim_step(weft_sim *s, double h, weft_step_stats *stats, weft_error *e)
{
    if (!s)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the simulation is NULL");
    weft_result r = check_number("h", h, 1e-7, 0.5, e);
    if (r != WEFT_OK)
        return r;
    weft_step_stats st = weft_step_stats_none();
    double t0 = clock_seconds();
    int64_t calls = s->mem.n_calls, n_failed = s->mem.n_failed;
    adaptation changed = {0};
    weft_result adapted = adapt(s, &changed, &st, e);
    if (adapted < 0) {
        adapt_end(s, &changed, false);
        return adapted;
    }
    s->kept = false;
    keep_meshes(s);
    forget_forces(s);
    squeezed_clear(s);
    step_end end = advance(s, h, &st);
    if (end == STEP_DONE) {
        measure(s, &st);
    } else {
        if (s->kept)
            state_copy(&s->state, &s->mem, &s->backup);
        return_meshes(s);
    }
    if (!s->kept)
        state_destroy(&s->backup, &s->mem); /* steps that are taken in parts come one after the other, and go by */
    adapt_end(s, &changed, end == STEP_DONE);
    if (end == STEP_CANCELLED)
        atomic_store(&s->cancel, false); /* one that came too late for this step is for the next */
    st.allocations = s->mem.n_calls - calls;
    st.seconds_total = clock_seconds() - t0;
    s->stats = st;
    if (stats)
        *stats = st;
    if (end == STEP_FAILED && s->mem.n_failed > n_failed) {
        model_invalidate(s); /* part of it may be half made */
        return error_memory(e);
    }
    r = outcome(s, end, &st, e);
    return r == WEFT_OK ? adapted : r;
}
