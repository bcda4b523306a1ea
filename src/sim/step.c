/* SPDX-License-Identifier: MIT */
/* The step: a table of contents. Each phase is a call; phases.h says what it reads and writes, and which file it is in.
 *
 *     adapt → [ constrain → predict → touch → ( solve → untangle → prevent )ⁿ → commit ]ᵐ → measure
 *
 * Brackets are a substep: how many there are, and of which lengths, is the policy of substep.h. The loop within it is
 * for what would pass through something: that is felt by the next solve, so that its neighbours give way too, since
 * impulses alone, after the solve, stretch the cloth about the nodes that they stop.
 *
 * The state changes by commits alone. A backup of it is made before the first commit of a step that another substep may
 * follow; if the step fails, it comes back. */
#include "base/clock.h"
#include "sim/adapt.h"
#include "sim/check.h"
#include "sim/params.h"
#include "sim/phases.h"
#include "sim/sim.h"

/* Colliders alone. */
static substep_end move_colliders(model *m, state *st, const substep *sub)
{
    move_meshes(m, st, sub);
    commit_meshes(m);
    st->time += sub->h;
    return SUBSTEP_DONE;
}

/* Hits at the first look after a solve, in its first round and now; whether those of the first were a crowd. */
typedef struct round_hits {
    int64_t first, now;
    bool crowd;
} round_hits;

static void count_round(round_hits *h, const model *m, int round, int64_t hits)
{
    const prevent_world *w = &m->cloth_contact.prevent;
    h->now = hits;
    if (round > 0)
        return;
    h->first = hits;
    h->crowd = prevent_n_hits(w) > (int64_t)SOLVE_CROWD * prevent_n_hit_nodes(w);
}

/* From the state to one that is safe: solve, untangle and prevent, until nothing is hit. *cut: the part of the substep
 * that it is reached at. */
static substep_end find_safe_end(model *m, const state *st, const substep *sub, double *cut, weft_step_stats *stats)
{
    bool explicit = m->def->integrator == WEFT_INTEGRATOR_EXPLICIT;
    bool may_ask = !explicit && m->def->response == WEFT_RESPONSE_WEFT && !m->cloth_contact.solves_in_vain;
    round_hits hits = {0};
    arena_mark before = arena_mark_of(m->scratch);
    prevent_end end = PREVENT_HITS;
    for (int round = 0; end == PREVENT_HITS; round++) {
        arena_release(m->scratch, before); /* what the last round has left */
        bool ask = may_ask && round + 1 < (m->violent ? VIOLENT_ROUNDS : SOLVE_ROUNDS);
        solve_end solved = explicit ? explicit_propose(m, st, sub, stats) : implicit_propose(m, st, sub, round, stats);
        if (solved == SOLVE_FAILED && round > 0 && sub->last) {
            may_ask = false; /* solved without what is hit there was a proposal: impulses have to do */
            round = -1;
            continue;
        }
        if (solved != SOLVE_DONE)
            return solved == SOLVE_CANCELLED ? SUBSTEP_CANCELLED : SUBSTEP_FAILED;
        if (!untangling_step(m, st, sub, stats))
            return SUBSTEP_FAILED;
        int64_t n_hits = stats->hits;
        end = prevent_passage(m, st, sub, ask, cut, stats);
        count_round(&hits, m, round, stats->hits - n_hits);
        if (hits.crowd && !ask && hits.now >= hits.first)
            m->cloth_contact.solves_in_vain = true;
    }
    return end == PREVENT_RETRY || end == PREVENT_FAILED ? SUBSTEP_FAILED : SUBSTEP_DONE;
}

static substep_end take_substep(weft_sim *s, step_control *control, const substep *sub, double *cut,
                                weft_step_stats *stats)
{
    model *m = &s->model;
    state *st = &s->state;
    bool implicit = m->def->integrator != WEFT_INTEGRATOR_EXPLICIT;
    if (m->n == 0)
        return move_colliders(m, st, sub);
    tilts_into_model(m, st);
    m->violent = sub->violent && !(sub->last && stretch_over_limit(m, st->q) > OVERSTRETCH);
    constrain(m, st, sub);
    if (implicit) {
        if (!predict(m, st, sub->h))
            return SUBSTEP_FAILED;
        if (step_control_shorten(control, sub, held_motion_wish(m, st)))
            return SUBSTEP_RESIZED;
        if (!touch(m, st, sub->h, stats))
            return SUBSTEP_FAILED;
        if (step_control_resize(control, sub, cloth_contact_wish(m)))
            return SUBSTEP_RESIZED;
    }
    substep_end end = find_safe_end(m, st, sub, cut, stats);
    if (end != SUBSTEP_DONE)
        return end;
    int64_t n_failed = s->mem.n_failed;
    if (implicit && substep_overstretches(m, st) && step_control_overstretched(control, sub))
        return SUBSTEP_OVERSTRETCHED;
    if (s->mem.n_failed > n_failed)
        return SUBSTEP_FAILED;
    bool more = !sub->rest || *cut < 1;
    if ((more && !backup_keep(&s->backup, &s->mem, st)) || !commit(m, st, sub, *cut))
        return SUBSTEP_FAILED;
    if (implicit && *cut == 1)
        implicit_record_forces(m, sub->h / sub->whole);
    return SUBSTEP_DONE;
}

/* What step control is told of a substep that was done. In a crowd that nothing makes room for (SOLVE_CROWD), one that
 * failures alone have made so short need not stay so, however fast cloths pass each other: what failed may be over, and
 * the rest of the step would pay for it. (A bullet in a curtain is another matter: with longer substeps it stretches
 * the cloth by 30 % in place of 5.) */
static int32_t wish_after(const model *m, const substep *sub)
{
    bool by_failures = sub->level > STEP_CONTROL_LEVELS && !sub->violent;
    return by_failures && m->cloth_contact.solves_in_vain ? -1 : cloth_contact_wish(m);
}

/* All substeps of a step of length h. */
static substep_end take_substeps(weft_sim *s, double h, weft_step_stats *stats)
{
    const weft_sim_def *def = &s->def;
    double start = s->state.time;
    int64_t n_failed = s->mem.n_failed;
    step_control control =
        step_control_begin(h, s->state.last_h, def->halving_limit, def->integrator != WEFT_INTEGRATOR_EXPLICIT);
    while (step_control_goes_on(&control)) {
        double cut = 1;
        substep sub = step_control_next(&control);
        if (atomic_load(&s->cancel))
            return SUBSTEP_CANCELLED;
        arena_mark before = arena_mark_of(&s->scratch);
        substep_end end = take_substep(s, &control, &sub, &cut, stats);
        arena_release(&s->scratch, before);
        switch (end) {
        case SUBSTEP_DONE:
            stats->n_steps++;
            step_control_accept(&control, &sub, cut == 1, s->state.time - start, wish_after(&s->model, &sub));
            break;
        case SUBSTEP_RESIZED: break;
        case SUBSTEP_OVERSTRETCHED: stats->halvings++; break;
        case SUBSTEP_FAILED:
            if (s->mem.n_failed > n_failed || !step_control_halve(&control, &sub))
                return SUBSTEP_FAILED;
            stats->halvings++;
            break;
        case SUBSTEP_CANCELLED: return SUBSTEP_CANCELLED;
        }
    }
    s->state.time = start + h;
    return SUBSTEP_DONE;
}

static void begin_step(weft_sim *s, double h)
{
    backup_forget(&s->backup);
    colliders_set_off(&s->defs, s->state.time, h);
    keep_meshes(&s->model);
    forget_forces(&s->model);
    pressure_clear(&s->model);
    squeezed_clear(&s->model.cloth_contact);
    s->model.cloth_contact.solves_in_vain = false;
}

/* Measures, or brings back what was before the step. */
static void end_step(weft_sim *s, substep_end end, adaptation *adapted, weft_step_stats *stats)
{
    if (end == SUBSTEP_DONE) {
        measure(&s->model, &s->state, stats);
    } else {
        backup_restore(&s->backup, &s->mem, &s->state);
        return_meshes(&s->model);
    }
    backup_trim(&s->backup, &s->mem);
    adapt_end(s, adapted, end == SUBSTEP_DONE);
    if (end == SUBSTEP_CANCELLED)
        atomic_store(&s->cancel, false); /* a wish that came too late for this step is for the next */
}

static weft_result take_step(weft_sim *s, double h, weft_step_stats *stats, weft_error *e)
{
    if (!s)
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "the simulation is NULL");
    weft_result r = check_number("h", h, 1e-7, 0.5, e);
    if (r != WEFT_OK)
        return r;
    double t0 = clock_seconds();
    int64_t calls = s->mem.n_calls, n_failed = s->mem.n_failed;
    weft_step_stats st = weft_step_stats_none();
    adaptation changed = {0};
    weft_result adapted = adapt(s, &changed, &st, e);
    if (adapted < 0) {
        adapt_end(s, &changed, false);
        return adapted;
    }
    begin_step(s, h);
    substep_end end = take_substeps(s, h, &st);
    end_step(s, end, &changed, &st);
    st.allocations = s->mem.n_calls - calls;
    st.seconds_total = clock_seconds() - t0;
    s->stats = st;
    if (stats)
        *stats = st;
    if (end == SUBSTEP_FAILED && s->mem.n_failed > n_failed) {
        model_invalidate(&s->model); /* part of it may be half made */
        return error_memory(e);
    }
    r = step_outcome(s, end, &st, e);
    return r == WEFT_OK ? adapted : r;
}

weft_result weft_sim_step(weft_sim *s, double h, weft_step_stats *stats, weft_error *e)
{
    weft_result r = sim_enter(s, __func__, e);
    return r < 0 ? r : sim_leave(s, take_step(s, h, stats, e));
}
