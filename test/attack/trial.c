/* SPDX-License-Identifier: MIT */
/* One scene, step by step, before the judge.
 *
 * What is free must stay free. A step that tells that there was no room (squeezed) excuses the intersections that it
 * leaves, and what follows, until all is free again. Of what is tangled at the start only is asked that objects which
 * do not intersect do not begin to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attack/judge.h"
#include "attack/trial.h"
#include "attack/trips.h"

#define KIND_NAME(id, name, text) name,
#define KIND_TEXT(id, name, text) text,
static const char *const kind_names[] = {ATTACK_KINDS(KIND_NAME)};
static const char *const kind_texts[] = {ATTACK_KINDS(KIND_TEXT)};

const char *attack_kind_name(int kind)
{
    return kind_names[kind];
}

const char *attack_kind_text(int kind)
{
    return kind_texts[kind];
}

int attack_kind_find(const char *name, size_t length)
{
    for (int i = 0; i < N_ATTACK_KINDS; i++)
        if (strlen(kind_names[i]) == length && memcmp(kind_names[i], name, length) == 0)
            return i;
    return -1;
}

/* Bounds of the judge: of what is told about stretch, and by how much less than the thickness is too near, m (the
 * library promises it but for 1e-9). */
static const double stretch_bound = 3, near_slack = 2e-9;

typedef struct trial {
    attack_scene *scene;
    attack_report *report;
    attack_frame last;
    int step;
    bool tangled;    /* something intersects in the last frame */
    bool from_start; /* ... and has since the first */
    bool near;       /* something was too near to an analytic collider */
    attack_found known;
    bool inside_known;
    bool inside[ATTACK_MOST_CLOTHS][ATTACK_MOST_COLLIDERS];
} trial;

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static bool is_told(weft_result result, const weft_step_stats *stats)
{
    return result == WEFT_WARNING_SQUEEZED || stats->squeezed > 0 || stats->squeezed_pairs > 0;
}

static void note_pair(trial *t, attack_kind kind, const attack_frame *f, const attack_found *found)
{
    attack_note(t->report, kind, t->step, "%d pairs; triangles %d of object %d and %d of object %d", found->count,
                found->a, f->object[found->a], found->b, f->object[found->b]);
}

static bool finds_new(const attack_found *found, const attack_found *known)
{
    for (int i = 0; i < ATTACK_MOST_OBJECTS; i++)
        for (int j = 0; j < ATTACK_MOST_OBJECTS; j++)
            if (found->between[i][j] && !known->between[i][j])
                return true;
    return false;
}

static void learn(attack_found *known, const attack_found *found)
{
    for (int i = 0; i < ATTACK_MOST_OBJECTS; i++)
        for (int j = 0; j < ATTACK_MOST_OBJECTS; j++)
            known->between[i][j] = known->between[i][j] || found->between[i][j];
}

static void judge_intersections(trial *t, const attack_frame *f, bool told)
{
    attack_found found = attack_find_intersections(f);
    if (found.count > 0 && !t->tangled && !told)
        note_pair(t, ATTACK_INTERSECTS, f, &found);
    if (found.count > 0 && t->tangled && t->from_start && !told && finds_new(&found, &t->known))
        note_pair(t, ATTACK_TANGLED_MORE, f, &found);
    t->tangled = found.count > 0;
    if (t->tangled) {
        learn(&t->known, &found);
    } else {
        t->known = (attack_found){.count = 0};
        t->from_start = false;
    }
}

/* All closed meshes; only while nothing intersects is a cloth on one side as a whole. */
static void judge_sides(trial *t, const attack_frame *f)
{
    const attack_recipe *r = &t->scene->recipe;
    for (int ci = 0; !t->tangled && ci < r->n_colliders; ci++)
        for (int i = 0; attack_collider_is_closed(&r->colliders[ci]) && i < r->n_cloths; i++) {
            bool now = attack_is_inside(f, i, f->collider_object[ci]);
            if (t->inside_known && now != t->inside[i][ci])
                attack_note(t->report, ATTACK_SWALLOWED, t->step, "cloth %d, collider %d", i, ci);
            t->inside[i][ci] = now;
        }
    t->inside_known = !t->tangled;
}

static void judge_near(trial *t, const attack_frame *f, bool told, const weft_step_stats *stats)
{
    attack_found found = attack_find_near(t->scene, f, near_slack);
    if (found.count > 0 && !t->near && !told && stats->caught == 0)
        attack_note(t->report, ATTACK_NEAR, t->step, "%d triangles; %d is %.3g m too near to collider %d", found.count,
                    found.a, -found.size, found.b);
    t->near = found.count > 0;
}

static void judge_ways(trial *t, const attack_frame *f)
{
    t->report->judged_ways++;
    attack_found found = attack_find_passages(&t->last, f);
    if (found.count > 0)
        note_pair(t, ATTACK_PASSED, f, &found);
    found = attack_find_analytic_passages(t->scene, &t->last, f);
    if (found.count > 0)
        attack_note(t->report, ATTACK_PASSED_SOLID, t->step, "%d nodes; %d through collider %d", found.count, found.a,
                    found.b);
}

/* False: it is no use to go on. */
static bool judge_frame(trial *t, weft_result result, const weft_step_stats *stats)
{
    attack_phase(t->report, "judging", t->step);
    attack_frame f = attack_frame_take(t->scene);
    bool told = is_told(result, stats), was_free = !t->tangled, good = f.finite && f.on_grid && f.in_sight;
    if (!f.finite)
        attack_note(t->report, ATTACK_NAN, t->step, "node %d", f.bad_node);
    else if (!f.on_grid)
        attack_note(t->report, ATTACK_OFF_GRID, t->step, "node %d", f.bad_node);
    else if (!f.in_sight)
        attack_note(t->report, ATTACK_FLUNG, t->step, "%s", "it cannot be judged any more");
    if (good) {
        bool straight = stats->n_steps == 1 && stats->cuts == 0 && f.revision == t->last.revision && !told;
        judge_intersections(t, &f, told);
        judge_sides(t, &f);
        judge_near(t, &f, told, stats);
        if (straight && was_free && !t->tangled)
            judge_ways(t, &f);
    }
    attack_frame_free(&t->last);
    t->last = f;
    return good;
}

static void judge_start(trial *t)
{
    attack_phase(t->report, "judging", 0);
    t->last = attack_frame_take(t->scene);
    if (!t->last.finite || !t->last.on_grid)
        attack_note(t->report, ATTACK_OFF_GRID, 0, "node %d", t->last.bad_node);
    t->known = attack_find_intersections(&t->last);
    t->tangled = t->from_start = t->known.count > 0;
    t->near = attack_find_near(t->scene, &t->last, near_slack).count > 0;
    t->report->tangled_start = t->tangled || t->near;
    judge_sides(t, &t->last);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void count_step(trial *t, weft_result result, const weft_step_stats *stats)
{
    attack_report *r = t->report;
    int32_t touching = stats->pairs + stats->contacts;
    r->steps_done = t->step;
    r->n_nodes = stats->n_nodes;
    r->touching = touching > r->touching ? touching : r->touching;
    r->squeezed_steps += is_told(result, stats);
    r->parted_steps += stats->n_steps > 1;
    double newton_most = t->scene->recipe.sim.newton_most;
    if (newton_most > 0 && stats->newton_iterations > newton_most)
        attack_note(r, ATTACK_HANG, t->step, "%d Newton steps", stats->newton_iterations);
    if (stats->stretch > stretch_bound)
        attack_note(r, ATTACK_STRETCHED, t->step, "by %.3g", stats->stretch);
}

static attack_kind kind_of(const trial *t, weft_result failure)
{
    bool hard = t->tangled || t->near || t->report->squeezed_steps > 0;
    if (failure != WEFT_ERROR_DIVERGED)
        return ATTACK_ERROR;
    return hard ? ATTACK_STUCK : ATTACK_DIVERGED;
}

static weft_result take_step(trial *t, weft_step_stats *stats)
{
    const attack_sim *r = &t->scene->recipe.sim;
    weft_error e = {.text = ""};
    weft_result result;
    if (r->starve == t->step && attack_starve(t->scene, t->step, t->report, stats, &result))
        return result;
    attack_phase(t->report, "step", t->step);
    result = attack_scene_send(t->scene, &e);
    uint64_t before = weft_sim_hash(t->scene->sim);
    clock_t start = clock();
    if (result >= 0)
        result = weft_sim_step(t->scene->sim, r->h, stats, &e);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    t->report->slowest_step = seconds > t->report->slowest_step ? seconds : t->report->slowest_step;
    if (result < 0)
        attack_note(t->report, kind_of(t, result), t->step, "%.115s", e.text);
    if (result < 0 && weft_sim_hash(t->scene->sim) != before)
        attack_note(t->report, ATTACK_FAILED_CHANGED, t->step, "%.115s", e.text);
    return result;
}

static void run_steps(trial *t)
{
    const attack_sim *r = &t->scene->recipe.sim;
    attack_twin twin = {.scene = NULL}, fed = {.scene = NULL};
    for (t->step = 1; t->step <= r->steps; t->step++) {
        weft_step_stats stats = weft_step_stats_none();
        if (r->flip == t->step)
            attack_damage(t->scene, t->step, t->report);
        if (r->snapshot == t->step)
            twin = attack_twin_make(t->scene, ATTACK_DIFFERS, t->step, t->report);
        if (r->starve == t->step)
            fed = attack_twin_make(t->scene, ATTACK_STARVED_DIFFERS, t->step, t->report);
        weft_result result = take_step(t, &stats);
        attack_twin_follow(&twin, t->scene, result, t->step, t->report);
        attack_twin_follow(&fed, t->scene, result, t->step, t->report);
        if (result < 0)
            break;
        count_step(t, result, &stats);
        if (!judge_frame(t, result, &stats))
            break;
    }
    attack_twin_end(&twin, t->step, t->report);
    attack_twin_end(&fed, t->step, t->report);
}

void attack_try(const attack_recipe *r, attack_report *report)
{
    weft_error e = {.text = ""};
    memset(report, 0, sizeof *report);
    if (r->sim.starve == 1)
        attack_starve_making(r, report);
    trial t = {.scene = attack_need(sizeof *t.scene), .report = report};
    attack_phase(report, "making", 0);
    weft_result result = attack_scene_make(t.scene, r, (int)r->sim.threads, 0, &e);
    if (result < 0) {
        attack_note(report, ATTACK_REFUSED, 0, "%.115s", e.text);
    } else {
        judge_start(&t);
        run_steps(&t);
        attack_frame_free(&t.last);
    }
    attack_phase(report, "destroying", t.step);
    attack_scene_close(t.scene, t.step, report);
    free(t.scene);
}
