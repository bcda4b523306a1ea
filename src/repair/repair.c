/* SPDX-License-Identifier: MIT */
/* Repair that keeps the cloth: <weft/untangle.h>.
 *
 * Idea: the mesh, with its own lengths and angles as rest shape, is a simulation without weight in thick air, whose
 * untangling parts what crosses, whose elastic energy takes the rest along, and whose prevention keeps everything else
 * from crossing. Once nothing crosses it goes on until what was stretched has relaxed. The exact audit of the mesh that
 * comes out is the judge.
 *
 * Where we differ from ye2012: there contours alone move vertices, and lengths are nobody's concern.
 *
 * Invariants:
 * 1. The result has no more intersecting pairs than the input, and colliders keep their bits.
 * 2. Limits are numbers of steps, never seconds: the result is the same on any machine, for any number of threads. */
#include "repair/repair.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "repair/params.h"
#include "sim/phases.h"
#include "sim/sim.h"
#include "untangle/untangle.h"

/* ---- making ------------------------------------------------------------------------------------------------------ */

static bool is_collider(const weft_untangle_def *d, int32_t ti)
{
    return d->object_is_collider && d->object_is_collider[d->objects ? d->objects[ti] : 0];
}

/* Triangles without area are no cloth: they go where their corners go. */
static void choose_triangles(repair *k)
{
    for (int32_t ti = 0; ti < k->w.n_triangles; ti++) {
        const int32_t *t = k->w.tri[ti];
        double longest = 0;
        for (int i = 0; i < 3; i++)
            longest = max_of(longest, v3_len_sq(v3_sub(k->x[t[i]], k->x[t[(i + 1) % 3]])));
        k->wanted[ti] = !is_collider(k->def, ti) && k->w.tri_edge[ti][0] >= 0 &&
                        repair_triangle_area(&k->w, k->x, ti) > 1e-6 * longest;
    }
}

/* Edges of cloth: how many; their mean length. */
static int32_t measure_scale(repair *k)
{
    double sum = 0;
    int32_t n = 0;
    vec3 low = {1e300, 1e300, 1e300}, high = v3_scale(-1, low);
    for (int32_t ei = 0; ei < k->w.n_edges; ei++) {
        const mesh_adjacency_edge *e = &k->w.edges[ei];
        if (!k->wanted[e->tri[0]])
            continue;
        sum += v3_len(v3_sub(k->x[e->v[0]], k->x[e->v[1]]));
        n++;
        vec3 at = k->x[e->v[0]];
        low = (vec3){min_of(low.x, at.x), min_of(low.y, at.y), min_of(low.z, at.z)};
        high = (vec3){max_of(high.x, at.x), max_of(high.y, at.y), max_of(high.z, at.z)};
    }
    k->edge = n > 0 ? sum / n : 0;
    k->scale = 1;
    for (int i = 0; i < 2000 && k->edge > 0 && k->scale * k->edge < REPAIR_EDGE; i++)
        k->scale *= 2;
    for (int i = 0; i < 2000 && k->scale * k->edge >= 2 * REPAIR_EDGE; i++)
        k->scale /= 2;
    vec3 middle = v3_scale(0.5 * k->scale, v3_add(low, high));
    k->centre =
        v3_scale(1 / k->scale, (vec3){(double)(int64_t)middle.x, (double)(int64_t)middle.y, (double)(int64_t)middle.z});
    double most = v3_max_abs(v3_scale(k->scale, v3_sub(high, low)));
    return k->edge > 0 && most < 200 && v3_max_abs(middle) < 1e15 ? n : 0;
}

/* *fit: it can be cloth. */
static weft_result make_repair(repair *k, bool *fit, weft_error *e)
{
    int32_t n = k->def->n_nodes;
    bool good = MEM_MAKE(&k->m, k->x, n);
    good = MEM_MAKE(&k->m, k->best, n) && good;
    good = MEM_MAKE(&k->m, k->start, n) && good;
    good = MEM_MAKE(&k->m, k->wanted, k->def->n_triangles) && good;
    good = MEM_MAKE(&k->m, k->cloths, k->def->n_objects) && good;
    good = MEM_MAKE(&k->m, k->far, n) && good;
    good = MEM_MAKE(&k->m, k->at, n) && good;
    good = (!k->def->watch || MEM_MAKE(&k->m, k->shown, n)) && good;
    good = MEM_MAKE(&k->m, k->far_pin, k->def->n_objects) && good;
    good = MEM_MAKE(&k->m, k->anchors, k->def->n_objects) && good;
    if (!good)
        return error_memory(e);
    memcpy(k->x, k->def->positions, (size_t)n * sizeof *k->x);
    memcpy(k->best, k->x, (size_t)n * sizeof *k->x);
    if (!mesh_adjacency_make(&k->w, &k->m, n, k->x, k->def->n_triangles, (const int32_t(*)[3])k->def->triangles))
        return error_memory(e);
    choose_triangles(k);
    *fit = measure_scale(k) > 0;
    if (!*fit)
        return WEFT_OK;
    if (!pieces_make(&k->pieces, &k->m, &k->w, k->def->objects, k->def->n_objects, k->wanted))
        return error_memory(e);
    for (int32_t i = 0; i < k->pieces.n; i++)
        k->most_nodes = k->pieces.items[i].n_nodes > k->most_nodes ? k->pieces.items[i].n_nodes : k->most_nodes;
    if (!MEM_MAKE(&k->m, k->node, k->most_nodes) || !MEM_MAKE(&k->m, k->ratio, k->w.n_edges))
        return error_memory(e);
    weft_result r = repair_look(k, e);
    if (r < 0)
        return r;
    r = repair_stage(k, e);
    *fit = r >= 0;
    r = r < 0 ? (r == WEFT_ERROR_MEMORY ? r : WEFT_OK) : repair_take_positions(k, e);
    memcpy(k->start, k->x, (size_t)n * sizeof *k->x);
    return r;
}

static void free_repair(repair *k)
{
    int32_t n = k->def->n_nodes;
    weft_sim_destroy(k->sim);
    pieces_free(&k->pieces);
    MEM_FREE(&k->m, k->x, n);
    MEM_FREE(&k->m, k->best, n);
    MEM_FREE(&k->m, k->start, n);
    MEM_FREE(&k->m, k->wanted, k->def->n_triangles);
    MEM_FREE(&k->m, k->cloths, k->def->n_objects);
    MEM_FREE(&k->m, k->far, n);
    MEM_FREE(&k->m, k->at, n);
    MEM_FREE(&k->m, k->shown, k->shown ? n : 0);
    MEM_FREE(&k->m, k->far_pin, k->def->n_objects);
    MEM_FREE(&k->m, k->anchors, k->def->n_objects);
    MEM_FREE(&k->m, k->node, k->most_nodes);
    MEM_FREE(&k->m, k->ratio, k->w.n_edges);
    mesh_adjacency_free(&k->w);
}

static void keep_state(repair *k)
{
    memcpy(k->best, k->x, (size_t)k->def->n_nodes * sizeof *k->x);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* *done: a step that does not converge ends the repair, with the best state so far; one without memory is an error. */
static weft_result step_once(repair *k, weft_step_stats *st, bool *done, weft_error *e)
{
    weft_result r = weft_sim_step(k->sim, REPAIR_STEP, st, e);
    *done = r < 0;
    k->report->n_iterations += r >= 0;
    return r == WEFT_ERROR_MEMORY ? r : WEFT_OK;
}

static int64_t count_bad(const weft_step_stats *st)
{
    return (int64_t)st->tangled + st->caught;
}

/* Everything from the start, by groups, and nothing is held. */
static weft_result begin_again(repair *k, weft_error *e)
{
    k->shallow = false;
    k->first = k->started = k->progressed = k->report->n_iterations;
    k->attempt = 0;
    k->least = INT64_MAX;
    k->best_pairs = INT64_MAX;
    weft_result r = repair_free_far(k, e);
    r = r < 0 ? r : repair_weigh_anchor(k, e);
    r = r < 0 ? r : weft_sim_set_air_viscosity(k->sim, REPAIR_THICK_AIR, e);
    untangling_use_groups(&k->sim->model, 20, false);
    return r < 0 ? r : repair_return(k, e);
}

enum { ATTEMPTS = 4, PLAIN_ATTEMPT = 2 };

/* The first time that an attempt is made it is not waited for long; when all have been made in vain it is. Eq. 2 alone
 * is slow, and is waited for. */
static bool attempt_is_stuck(const repair *k)
{
    int32_t patience = k->shallow ? REPAIR_SHALLOW_PATIENCE : REPAIR_PATIENCE;
    return k->attempt < ATTEMPTS && k->attempt != PLAIN_ATTEMPT && k->report->n_iterations - k->progressed >= patience;
}

/* Attempts, each from the start: groups of contours are parted, then contours are shortened, which does what remains;
 * the same once more, which begins slower and frees most knots that the first did not; by eq. 2 alone, which draws a
 * line that ends at a border out there (a bottle's neck to the hole beside it); by groups in thin air. What is far is
 * held at first, for a while; what is shallow goes by contours first, for a while. */
static weft_result choose_attempt(repair *k, weft_error *e)
{
    static const int rings[ATTEMPTS] = {20, 20, 0, 20};
    static const bool plain[ATTEMPTS] = {false, false, true, false};
    static const double air[ATTEMPTS] = {REPAIR_THICK_AIR, REPAIR_THICK_AIR, REPAIR_THICK_AIR, REPAIR_AIR};
    weft_result r = WEFT_OK;
    int at = k->report->n_iterations - k->started;
    if ((k->holds_far && at == REPAIR_FAR_STEPS) || (k->shallow && (at == REPAIR_SHALLOW_STEPS || attempt_is_stuck(k))))
        return begin_again(k, e);
    if (k->shallow) {
        untangling_use_groups(&k->sim->model, 0, false);
        return WEFT_OK;
    }
    if (at == REPAIR_GROUP_STEPS + REPAIR_CONTOUR_STEPS || attempt_is_stuck(k)) {
        k->attempt++;
        k->started = k->progressed = k->report->n_iterations;
        k->least = INT64_MAX;
        at = 0;
    }
    if (at == 0) {
        int way = k->attempt % ATTEMPTS;
        untangling_use_groups(&k->sim->model, rings[way], plain[way]);
        r = k->attempt > 0 ? repair_return(k, e) : r;
        return r < 0 ? r : weft_sim_set_air_viscosity(k->sim, air[way], e);
    }
    if (at == REPAIR_GROUP_STEPS)
        untangling_use_groups(&k->sim->model, 0, false);
    return WEFT_OK;
}

/* Until nothing crosses. *clean tells. A step that fails leaves what is best so far. */
static weft_result part_cloth(repair *k, bool *clean, weft_error *e)
{
    weft_step_stats st;
    weft_result r = WEFT_OK;
    bool done = false;
    k->best_pairs = k->least = INT64_MAX;
    *clean = false;
    int32_t most = k->def->max_iterations < REPAIR_STEPS ? k->def->max_iterations : REPAIR_STEPS;
    while (r >= 0 && k->report->n_iterations < k->first + most) {
        r = choose_attempt(k, e);
        r = r < 0 ? r : step_once(k, &st, &done, e);
        if (r < 0 || done)
            break;
        int64_t bad = count_bad(&st); /* of what the step began with, which is in x */
        if ((double)bad < REPAIR_PROGRESS * (double)k->least) {
            k->least = bad;
            k->progressed = k->report->n_iterations;
        }
        if (bad < k->best_pairs) {
            k->best_pairs = bad;
            keep_state(k);
        }
        r = repair_take_positions(k, e);
        *clean = bad == 0;
        if (*clean)
            break;
    }
    return r;
}

/* Mean way of the vertices so far, m. */
static double mean_way(const repair *k)
{
    double sum = 0;
    for (int32_t vi = 0; vi < k->w.n_vertices; vi++)
        sum += v3_len(v3_sub(k->x[vi], k->start[vi]));
    return sum / max_of(1, k->w.n_vertices);
}

/* Nothing crosses: until nothing is stretched, and nothing goes back any more. */
static weft_result relax_cloth(repair *k, double *scratch, weft_error *e)
{
    weft_step_stats st;
    weft_result r = repair_anchor(k, 0, e);
    bool done = false;
    double way = 1e300;
    for (int i = 0; i < REPAIR_RELAX_STEPS && r >= 0; i += REPAIR_RELAX_LOOK) {
        double before = way;
        r = repair_take_positions(k, e);
        repair_measure_cloth(k, k->x, scratch);
        way = mean_way(k);
        if (r >= 0)
            keep_state(k);
        if (r < 0 || (repair_is_relaxed(k->report) && way > REPAIR_RETURNING * before))
            break;
        for (int j = 0; j < REPAIR_RELAX_LOOK && r >= 0; j++) {
            r = step_once(k, &st, &done, e);
            if (r < 0 || done || count_bad(&st) > 0)
                return r;
        }
    }
    return r;
}

/* ---- result ------------------------------------------------------------------------------------------------------ */

/* Of each vertex: what has not moved keeps its bits. */
static void settle_vertices(repair *k)
{
    weft_untangle_report *p = k->report;
    double least = REPAIR_UNMOVED * k->edge;
    for (int32_t vi = k->w.n_vertices - 1; vi >= 0; vi--) {
        int32_t of = k->w.same[vi];
        if (v3_len(v3_sub(k->best[of], k->start[of])) <= least)
            k->best[vi] = k->def->positions[vi];
        else
            k->best[vi] = k->best[of];
        double way = v3_len(v3_sub(k->best[vi], k->def->positions[vi]));
        p->n_moved += way > 0;
        p->mean_move += way;
        p->max_move = max_of(p->max_move, way);
    }
    p->mean_move = p->n_moved > 0 ? p->mean_move / p->n_moved : 0;
}

static weft_untangle_verdict verdict_of(const weft_untangle_report *p)
{
    int64_t before = p->pairs_before + p->inside_before, after = p->pairs_after + p->inside_after;
    bool hopeless =
        p->method == WEFT_UNTANGLE_CLOTH && p->n_moved == 0 && (double)after >= REPAIR_GAINED * (double)before;
    if (after > 0)
        return hopeless ? WEFT_UNTANGLE_NOT_REPAIRABLE : WEFT_UNTANGLE_TANGLED;
    bool same = p->method == WEFT_UNTANGLE_CONTOURS || repair_is_same(p);
    return same ? WEFT_UNTANGLE_REPAIRED : WEFT_UNTANGLE_DISTORTED;
}

/* What comes out, by the exact audit; the input, if that is better, or if hardly anything was gained: unless all that
 * is cloth is clean, and what is left are faces without area, or twice the same, or cloth wholly in a collider. */
static weft_result finish_repair(repair *k, weft_error *e)
{
    weft_untangle_report *p = k->report, after;
    weft_untangle_def d = *k->def;
    settle_vertices(k);
    d.positions = k->best;
    weft_result r = untangle_survey(&d, &after, e);
    if (r < 0)
        return r;
    int64_t left = after.pairs_before + after.inside_before, before = p->pairs_before + p->inside_before;
    bool worse = after.pairs_before > p->pairs_before ||
                 (k->clean ? left > before : left > 0 && (double)left >= REPAIR_GAINED * (double)before);
    p->pairs_after = worse ? p->pairs_before : after.pairs_before;
    p->inside_after = worse ? p->inside_before : after.inside_before;
    p->length_after = p->length_last = worse ? p->length_before : after.length_before;
    p->contours_after = worse ? p->contours_before : after.contours_before;
    if (!worse)
        return r;
    memcpy(k->best, k->def->positions, (size_t)k->def->n_nodes * sizeof *k->best);
    p->n_moved = 0;
    p->mean_move = p->max_move = 0;
    return r;
}

static weft_result look_for_hope(repair *k, bool *hopeless, weft_error *e)
{
    int32_t *scratch = NULL;
    if (!MEM_MAKE(&k->m, scratch, 2 * (int64_t)k->w.n_triangles))
        return error_memory(e);
    *hopeless = pieces_are_hopeless(&k->pieces, &k->w, k->def->objects, k->wanted, scratch);
    MEM_FREE(&k->m, scratch, 2 * (int64_t)k->w.n_triangles);
    return WEFT_OK;
}

/* Whether the cloth is in shape; what has no known side may be anywhere near, and is held to less. */
static bool is_back(const repair *k)
{
    const weft_untangle_report *p = k->report;
    double lengths = k->sided ? REPAIR_BACK_LENGTHS : REPAIR_BACK_SHALLOW_LENGTHS;
    return repair_is_same(p) && p->angles >= (k->sided ? REPAIR_BACK_ANGLES : REPAIR_BACK_SHALLOW_ANGLES) &&
           p->edge[1] > 1 - lengths && p->edge[2] < 1 + lengths && p->edge[0] > 1 - REPAIR_RELAXED_ONE &&
           p->edge[3] < 1 + REPAIR_RELAXED_ONE;
}

/* Nothing crosses: what does not intrude goes back to where it was, as far as the rest can follow in shape. *done: it
 * is, or nothing more can be done. */
static weft_result draw_back(repair *k, double *scratch, bool *done, weft_error *e)
{
    weft_step_stats st;
    weft_result r = WEFT_OK;
    double strength = REPAIR_BACK;
    *done = false;
    for (int i = 0; i < REPAIR_BACK_STAGES && r >= 0 && !*done; i++, strength *= REPAIR_BACK_WEAKER) {
        r = repair_anchor(k, strength, e);
        for (int j = 0; j < REPAIR_BACK_STEPS && r >= 0 && !*done; j++) {
            r = step_once(k, &st, done, e);
            *done = *done || count_bad(&st) > 0;
        }
        r = r < 0 ? r : repair_weigh_anchor(k, e);
        r = r < 0 || *done ? r : repair_take_positions(k, e);
        if (r < 0 || *done)
            return r;
        repair_measure_cloth(k, k->x, scratch);
        keep_state(k);
        *done = is_back(k);
    }
    return r;
}

/* Nothing crosses: until nothing is stretched. */
static weft_result settle_cloth(repair *k, double *scratch, weft_error *e)
{
    bool done = false;
    weft_result r = weft_sim_set_air_viscosity(k->sim, REPAIR_AIR, e);
    if (r >= 0 && (k->sided || k->shallow))
        r = draw_back(k, scratch, &done, e);
    return r < 0 || done ? r : relax_cloth(k, scratch, e);
}

/* Parted, and relaxed; once more, if that costs the cloth its shape where some of it was held, or by contours. */
static weft_result part_and_relax(repair *k, double *scratch, weft_error *e)
{
    weft_result r = part_cloth(k, &k->clean, e);
    r = r < 0 || !k->clean ? r : settle_cloth(k, scratch, e);
    if (r < 0 || !(k->holds_far || k->shallow) || repair_is_same(k->report) ||
        k->report->n_iterations >= k->def->max_iterations)
        return r;
    r = begin_again(k, e);
    r = r < 0 ? r : part_cloth(k, &k->clean, e);
    return r < 0 || !k->clean ? r : settle_cloth(k, scratch, e);
}

static weft_result run_repair(repair *k, double *scratch, vec3 *out, weft_error *e)
{
    bool hopeless = false;
    weft_result r = untangle_survey(k->def, k->report, e);
    r = r < 0 ? r : look_for_hope(k, &hopeless, e);
    if (r >= 0 && !hopeless && k->report->pairs_before + k->report->inside_before > 0)
        r = part_and_relax(k, scratch, e);
    r = r < 0 ? r : finish_repair(k, e);
    if (r < 0)
        return r;
    repair_measure_cloth(k, k->best, scratch);
    memcpy(out, k->best, (size_t)k->def->n_nodes * sizeof *out);
    return r;
}

static weft_result repair_cloth(const weft_untangle_def *def, vec3 *out, weft_untangle_report *report, bool *fit,
                                weft_error *e)
{
    repair k = {.def = def, .report = report};
    double *scratch = NULL;
    mem_init(&k.m, def->alloc, def->alloc_user);
    weft_result r = make_repair(&k, fit, e);
    if (r >= 0 && *fit) {
        r = MEM_MAKE(&k.m, scratch, k.w.n_edges) ? run_repair(&k, scratch, out, e) : error_memory(e);
        MEM_FREE(&k.m, scratch, k.w.n_edges);
    }
    free_repair(&k);
    return r;
}

static bool any_is_rigid(const weft_untangle_def *d)
{
    bool any = false;
    for (int32_t i = 0; i < d->n_objects && d->object_is_rigid; i++)
        any = any || d->object_is_rigid[i];
    return any;
}

weft_result weft_untangle(const weft_untangle_def *def, weft_vec3 *out, weft_untangle_report *report, weft_error *error)
{
    weft_untangle_report own;
    if (!def || (!out && def->n_nodes > 0))
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "weft_untangle needs a definition and room for positions");
    weft_result r = untangle_check(def, error);
    if (r < 0)
        return r;
    report = report ? report : &own;
    bool fit = def->method == WEFT_UNTANGLE_CLOTH && !any_is_rigid(def) && !def->fixed_strategy && !def->as_published &&
               !def->average && def->n_objects <= REPAIR_OBJECTS && def->n_triangles > 0;
    if (fit)
        r = repair_cloth(def, out, report, &fit, error);
    if (r >= 0 && !fit) {
        r = untangle_contours(def, out, report, error);
        report->method = WEFT_UNTANGLE_CONTOURS;
    }
    if (r >= 0)
        report->verdict = verdict_of(report);
    return r;
}
