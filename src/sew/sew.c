/* SPDX-License-Identifier: MIT */
/* Pulling seams shut.
 *
 * Each pair of nodes that a seam joins has a spring. Before every step its length is set to the distance that the pair
 * has, less the way that it may come nearer in a step, δ = speed · h, and its stiffness such that it then pulls with
 * the tension that the seam may have. In an implicit step such a spring gives δ at most, whatever the panel weighs, and
 * never pulls by more than the tension, whatever is in the way: both speed and force are bounded. The last fifth of a
 * millimetre is closed by a stiff spring. Contact does not keep the nodes of a pair apart (weft_tie_def.length is 0),
 * but everything else: no panel passes through the body or another panel on its way.
 *
 * When all pairs of a stage are near, the seams become rows of T (weft_tie_weld); those that are not, at the end of the
 * time, keep their springs and are tried again at the end of settling.
 *
 * Sources: provot1997 §5 (sewing as a motion under collision handling). The bounded springs are our own.
 *
 * Invariants: 1. nodes of the garment keep their numbers in the cloth, those of elements that split come after them; 2.
 * a welded seam has no springs. */
#include "sew/sew.h"

#include "base/union_find.h"
#include "garment/garment.h"
#include "garment/role.h"
#include "sew/params.h"
#include "sim/check.h"
#include "sim/guard.h"

#include <string.h>

weft_sew_def weft_sew_def_default(void)
{
    return (weft_sew_def){.struct_size = sizeof(weft_sew_def),
                          .speed = 1,
                          .tension = 200,
                          .within = 5e-4,
                          .at_last = 0.04,
                          .hem = 0.01,
                          .step = 1.0 / 60,
                          .sew_time = 3,
                          .relax_time = 0.25,
                          .settle_time = 2,
                          .still = 0.02,
                          .gravity = {0, -9.81, 0},
                          .sew_viscosity = 2,
                          .settle_viscosity = 1};
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static weft_result sew_check_def(const weft_sew_def *d, weft_error *e)
{
    weft_result r = check_struct_size("weft_sew_def", d->struct_size, sizeof *d, e);
    const struct {
        const char *name;
        double value, low, high;
    } numbers[] = {{"speed", d->speed, 0.01, 100},
                   {"tension", d->tension, 0.1, 1e5},
                   {"within", d->within, 1e-6, 0.01},
                   {"at_last", d->at_last, 0, 0.1},
                   {"hem", d->hem, 0, 0.1},
                   {"step", d->step, 1e-4, 0.1},
                   {"sew_time", d->sew_time, 0, 1000},
                   {"relax_time", d->relax_time, 0, 1000},
                   {"settle_time", d->settle_time, 0, 1000},
                   {"still", d->still, 0, 10},
                   {"sew_viscosity", d->sew_viscosity, 0, 1e4},
                   {"settle_viscosity", d->settle_viscosity, 0, 1e4},
                   {"end_viscosity", d->end_viscosity, 0, 1e4}};
    if (r == WEFT_OK)
        r = sew_check_adapt(d, e);
    if (r == WEFT_OK && (!d->garment || !d->pattern))
        r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "garment or pattern is NULL");
    if (r == WEFT_OK && weft_garment_get(d->garment)->n_panels != weft_pattern_panel_count(d->pattern))
        r = error_set(e, WEFT_ERROR_ARGUMENT, -1, "the garment was not made from this pattern");
    for (size_t i = 0; r == WEFT_OK && i < sizeof numbers / sizeof *numbers; i++)
        r = check_number(numbers[i].name, numbers[i].value, numbers[i].low, numbers[i].high, e);
    if (r == WEFT_OK)
        r = check_vector("gravity", d->gravity, 1e4, e);
    for (int32_t i = 0; r == WEFT_OK && d->seam_stage && i < weft_pattern_seam_count(d->pattern); i++)
        r = check_integer("seam_stage", d->seam_stage[i], 0, 1000, e);
    return r;
}

/* Whether two nodes that follow each other along a seam are joined there: from panel to panel, and over a dart's mouth,
 * they are not. */
static bool are_neighbours(const weft_garment_data *g, int32_t a, int32_t b)
{
    for (int32_t i = 0; i < g->n_triangles + g->n_quads; i++) {
        bool quad = i >= g->n_triangles, has_a = false, has_b = false;
        const int32_t *v = quad ? g->quads + 4 * (size_t)(i - g->n_triangles) : g->triangles + 3 * (size_t)i;
        for (int c = 0; c < 3 + quad; c++) {
            has_a = has_a || v[c] == a;
            has_b = has_b || v[c] == b;
        }
        if (has_a && has_b)
            return true;
    }
    return false;
}

static double length_between(const weft_garment_data *g, int32_t a, int32_t b)
{
    return are_neighbours(g, a, b) ? rest_distance(g, a, b) : 0;
}

/* Lengths of both sides, and the part of them that belongs to each pair. */
static void measure_seam(weft_sew *w, sew_seam *s, const weft_garment_data *g)
{
    for (int32_t k = 1; k < s->n; k++) {
        const weft_seam_pair *p = &w->pairs[s->first + k - 1], *q = p + 1;
        double a = length_between(g, p->a, q->a), b = length_between(g, p->b, q->b);
        s->length[0] += a;
        s->length[1] += b;
        w->share[s->first + k - 1] += 0.25 * (a + b);
        w->share[s->first + k] += 0.25 * (a + b);
    }
}

static bool copy_seam_name(weft_sew *w, sew_seam *s, const char *name)
{
    s->name_size = name ? (int32_t)strlen(name) + 1 : 0;
    if (!MEM_MAKE(&w->mem, s->name, s->name_size))
        return false;
    if (name)
        memcpy(s->name, name, (size_t)s->name_size);
    return true;
}

static int32_t stage_of_part(const weft_pattern *p, const weft_seam_part *part)
{
    switch (role_of(weft_pattern_panel(p, part->panel)).part) {
    case ROLE_SLEEVE:
    case ROLE_CUFF: return 1;
    case ROLE_WAISTBAND:
    case ROLE_COLLAR:
    case ROLE_HOOD: return 2;
    default: return 0;
    }
}

/* What becomes a ring does so before it is sewn to others: a band would spring open. And a sleeve gets its cuff as it
 * is closed: later its end would have slid over the cuff, which is then folded in. Halves of a sleeve, before and
 * behind the arm, are joined with the armhole. */
static int32_t stage_of_seam(const weft_pattern *p, const weft_seam *seam)
{
    int32_t most = 0, least = 2;
    bool own = true, cuff = false;
    for (int32_t i = 0; i < seam->n_a + seam->n_b; i++) {
        const weft_seam_part *part = i < seam->n_a ? &seam->a[i] : &seam->b[i - seam->n_a];
        int32_t stage = stage_of_part(p, part);
        own = own && part->panel == seam->a[0].panel;
        cuff = cuff || role_of(weft_pattern_panel(p, part->panel)).part == ROLE_CUFF;
        most = stage > most ? stage : most;
        least = stage < least ? stage : least;
    }
    return own || (cuff && least == 1 && most == 1) ? 0 : most;
}

/* Halves of a sleeve lie flat before and behind the arm; drawn to the armhole early they would close beside the arm. */
static bool seam_waits(const weft_pattern *p, const weft_seam *seam)
{
    for (int32_t i = 0; i < seam->n_a + seam->n_b; i++)
        if (role_of(weft_pattern_panel(p, i < seam->n_a ? seam->a[i].panel : seam->b[i - seam->n_a].panel)).is_half)
            return true;
    return false;
}

static bool sew_make_seams(weft_sew *w, const weft_sew_def *d, const weft_garment_data *g)
{
    w->n_seams = weft_pattern_seam_count(d->pattern);
    w->n_pairs = g->n_pairs;
    w->n_nodes = g->n_nodes;
    w->room_x = g->n_nodes;
    if (!MEM_MAKE(&w->mem, w->seams, w->n_seams) || !MEM_MAKE(&w->mem, w->pairs, w->n_pairs) ||
        !MEM_MAKE(&w->mem, w->share, w->n_pairs) || !MEM_MAKE(&w->mem, w->stiffness, w->n_pairs) ||
        !MEM_MAKE(&w->mem, w->length, w->n_pairs) || !MEM_MAKE(&w->mem, w->x, w->n_nodes))
        return false;
    int32_t at = 0;
    for (int32_t i = 0; i < w->n_seams; i++) {
        sew_seam *s = &w->seams[i];
        s->first = at;
        s->stage = d->seam_stage ? d->seam_stage[i] : stage_of_seam(d->pattern, weft_pattern_seam(d->pattern, i));
        s->waits = d->seam_stage || seam_waits(d->pattern, weft_pattern_seam(d->pattern, i));
        w->state.n_stages = s->stage >= w->state.n_stages ? s->stage + 1 : w->state.n_stages;
        for (; at < g->n_pairs && g->pairs[at].seam == i; at++)
            w->pairs[at] = g->pairs[at];
        s->n = at - s->first;
        measure_seam(w, s, g);
        if (!copy_seam_name(w, s, weft_pattern_seam(d->pattern, i)->name))
            return false;
    }
    return true;
}

static weft_result sew_make_cloth(weft_sew *w, const weft_sew_def *d, const weft_garment_data *g, weft_error *e)
{
    weft_mesh_def mesh = weft_mesh_def_default();
    mesh.n_nodes = g->n_nodes;
    mesh.positions = g->positions;
    mesh.uv = g->uv;
    mesh.n_triangles = g->n_triangles;
    mesh.triangles = g->triangles;
    mesh.n_quads = g->n_quads;
    mesh.quads = g->quads;
    mesh.model = d->model;
    mesh.model.adapt = (weft_adapt){0}; /* not before the seams are welded */
    mesh.model.face_panel = g->face_panel;
    mesh.model.n_panels = g->n_panels;
    weft_result r = weft_cloth_create_mesh(w->sim, &mesh, &w->cloth, e);
    weft_cloth_info info;
    r = r < 0 ? r : weft_cloth_get_info(w->sim, w->cloth, &info, e);
    if (r == WEFT_OK)
        w->mass = info.mass;
    w->has_cloth = r == WEFT_OK;
    return r;
}

static weft_result sew_make_tie(weft_sew *w, sew_seam *s, weft_error *e)
{
    int32_t *nodes = mem_array(&w->mem, 2 * (int64_t)s->n, sizeof *nodes);
    if (!nodes)
        return s->n == 0 ? WEFT_OK : error_memory(e);
    for (int32_t k = 0; k < s->n; k++) {
        nodes[k] = w->pairs[s->first + k].a;
        nodes[s->n + k] = w->pairs[s->first + k].b;
    }
    weft_tie_def tie = weft_tie_def_default();
    tie.cloth_a = tie.cloth_b = w->cloth;
    tie.nodes_a = nodes;
    tie.nodes_b = nodes + s->n;
    tie.n_pairs = s->n;
    tie.damping = 0;
    weft_result r = weft_tie_create(w->sim, &tie, &s->tie, e);
    mem_free(&w->mem, nodes, 2 * (int64_t)s->n, sizeof *nodes);
    return r;
}

/* Or gives the body its friction back. */
static weft_result make_slippery(weft_sew *w, bool slippery, weft_error *e)
{
    if (!w->def.has_body)
        return WEFT_OK;
    return weft_collider_set_friction(w->sim, w->def.body, slippery ? 0 : w->friction, w->dissipation, e);
}

static weft_result sew_make(weft_sew *w, const weft_sew_def *d, weft_error *e)
{
    const weft_garment_data *g = weft_garment_get(d->garment);
    if (!sew_make_seams(w, d, g))
        return error_memory(e);
    weft_result r = sew_make_cloth(w, d, g, e);
    for (int32_t i = 0; r == WEFT_OK && i < w->n_seams; i++)
        r = sew_make_tie(w, &w->seams[i], e);
    r = r < 0 ? r : sew_add_elastics(w, d, e);
    r = r < 0 ? r : sew_add_hems(w, d, e);
    if (r == WEFT_OK && d->has_body)
        r = weft_collider_get_friction(w->sim, d->body, &w->friction, &w->dissipation, e);
    w->is_slippery = r == WEFT_OK;
    r = r < 0 ? r : make_slippery(w, true, e);
    r = r < 0 ? r : weft_sim_set_gravity(w->sim, (weft_vec3){0, 0, 0}, e);
    return r < 0 ? r : weft_sim_set_air_viscosity(w->sim, d->sew_viscosity, e);
}

weft_result weft_sew_create(weft_sim *sim, const weft_sew_def *def, weft_sew **out, weft_error *error)
{
    if (!sim || !def || !out)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "simulation, def or out is NULL");
    weft_result r = sim_may_change(sim, __func__, error);
    r = r < 0 ? r : sew_check_def(def, error);
    if (r < 0)
        return r;
    mem m;
    mem_init(&m, def->garment->mem.fn, def->garment->mem.user);
    weft_sew *w = mem_array(&m, 1, sizeof *w);
    if (!w)
        return error_memory(error);
    *w = (weft_sew){.mem = m, .sim = sim, .def = *def, .state = {.n_stages = 1}};
    r = sew_make(w, def, error);
    w->state.n_seams = w->n_seams;
    if (r < 0) {
        weft_error ignored;
        if (w->has_cloth)
            weft_cloth_remove(sim, w->cloth, &ignored);
        weft_sew_destroy(w);
        return r;
    }
    *out = w;
    return WEFT_OK;
}

void weft_sew_destroy(weft_sew *w)
{
    weft_error ignored;
    if (!w || sim_is_busy(w->sim, __func__))
        return;
    mem m = w->mem;
    if (w->is_slippery) { /* not sewn to the end: the simulation is given back as it was */
        make_slippery(w, false, &ignored);
        weft_sim_set_gravity(w->sim, w->def.gravity, &ignored);
    }
    for (int32_t i = 0; w->seams && i < w->n_seams; i++)
        MEM_FREE(&m, w->seams[i].name, w->seams[i].name_size);
    MEM_FREE(&m, w->seams, w->n_seams);
    MEM_FREE(&m, w->pairs, w->n_pairs);
    MEM_FREE(&m, w->share, w->n_pairs);
    MEM_FREE(&m, w->stiffness, w->n_pairs);
    MEM_FREE(&m, w->length, w->n_pairs);
    MEM_FREE(&m, w->x, w->room_x);
    sew_free_elastics(w, &m);
    mem_free(&m, w, 1, sizeof *w);
}

weft_cloth_id weft_sew_cloth(const weft_sew *w)
{
    return w->cloth;
}

/* ---- pulling ----------------------------------------------------------------------------------------------------- */

static double pair_gap(const weft_sew *w, int32_t k)
{
    return v3_len(v3_sub(w->x[w->pairs[k].a], w->x[w->pairs[k].b]));
}

/* Nodes that splitting made come behind the garment's own. */
static weft_result read_positions(weft_sew *w, weft_error *e)
{
    weft_cloth_info info;
    weft_result r = weft_cloth_get_info(w->sim, w->cloth, &info, e);
    if (r == WEFT_OK && !ARRAY_RESERVE(&w->mem, w->x, w->room_x, info.n_nodes))
        return error_memory(e);
    return r < 0 ? r : weft_cloth_get_positions(w->sim, w->cloth, w->x, info.n_nodes, 0, e);
}

/* Gaps of all seams, from the positions of now. */
static weft_result measure_gaps(weft_sew *w, weft_error *e)
{
    weft_result r = read_positions(w, e);
    double sum = 0;
    w->state.gap = 0;
    w->state.n_welded = 0;
    for (int32_t i = 0; r == WEFT_OK && i < w->n_seams; i++) {
        sew_seam *s = &w->seams[i];
        s->gap = 0;
        for (int32_t k = s->first; k < s->first + s->n; k++) {
            double gap = pair_gap(w, k);
            s->gap = max_of(s->gap, gap);
            sum += gap;
        }
        w->state.n_welded += s->welded || s->n == 0;
        if (!s->welded)
            w->state.gap = max_of(w->state.gap, s->gap);
    }
    w->state.gap_mean = w->n_pairs > 0 ? sum / w->n_pairs : 0;
    return r;
}

/* Share of the tension that a seam is pulled with. */
static double pull_of(const weft_sew *w, const sew_seam *s)
{
    if (s->stage <= w->state.stage)
        return 1;
    return s->stage == w->state.stage + 1 && !s->waits ? SEW_ADVANCE : 0;
}

static weft_result set_springs(weft_sew *w, weft_error *e)
{
    double most = w->def.speed * w->def.step;
    weft_result r = WEFT_OK;
    for (int32_t i = 0; r == WEFT_OK && i < w->n_seams; i++) {
        const sew_seam *s = &w->seams[i];
        if (s->welded || s->n == 0)
            continue;
        double tension = pull_of(w, s) * w->def.tension;
        for (int32_t k = s->first; k < s->first + s->n; k++) {
            double gap = pair_gap(w, k), way = min_of(gap, most);
            w->length[k] = gap - way;
            w->stiffness[k] = tension * w->share[k] / max_of(way, SEW_STIFFEST);
        }
        r = weft_tie_set_pull(w->sim, s->tie, w->stiffness + s->first, w->length + s->first, s->n, e);
    }
    return r;
}

/* Largest gap of the seams that are pulled. */
static double stage_gap(const weft_sew *w)
{
    double gap = 0;
    for (int32_t i = 0; i < w->n_seams; i++)
        if (w->seams[i].stage <= w->state.stage && !w->seams[i].welded)
            gap = max_of(gap, w->seams[i].gap);
    return gap;
}

static weft_result weld_seams(weft_sew *w, double within, weft_error *e)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; r == WEFT_OK && i < w->n_seams; i++) {
        sew_seam *s = &w->seams[i];
        if (s->welded || s->n == 0 || s->gap > within)
            continue;
        r = weft_tie_weld(w->sim, s->tie, 2 * within, e); /* other seams may have moved its ends */
        s->welded = r == WEFT_OK;
        s->gap_pulled = s->gap;
        r = r == WEFT_ERROR_RANGE ? WEFT_OK : r;
    }
    return r < 0 ? r : measure_gaps(w, e);
}

static void enter_phase(weft_sew *w, weft_sew_phase phase)
{
    w->state.phase = phase;
    w->state.time = 0;
}

static weft_result begin_relaxing(weft_sew *w, weft_error *e)
{
    weft_result r = weld_seams(w, w->def.within, e);
    r = r < 0 ? r : weld_seams(w, w->def.at_last, e);
    r = r < 0 ? r : sew_mend(w, e);
    r = r < 0 ? r : sew_pull_elastics(w, e);
    if (r == WEFT_OK)
        enter_phase(w, WEFT_SEW_RELAX);
    return r;
}

static weft_result begin_settling(weft_sew *w, weft_error *e)
{
    weft_result r = weld_seams(w, w->def.at_last, e);
    r = r < 0 ? r : make_slippery(w, false, e);
    w->is_slippery = w->is_slippery && r < 0;
    r = r < 0 ? r : weft_sim_set_gravity(w->sim, w->def.gravity, e);
    r = r < 0 ? r : weft_sim_set_air_viscosity(w->sim, w->def.settle_viscosity, e);
    r = r < 0 ? r : sew_begin_adapting(w, e);
    if (r == WEFT_OK)
        enter_phase(w, WEFT_SEW_SETTLE);
    return r;
}

/* The next stage, or weight. A stage that does not come to its end shares the time with the others. */
static weft_result after_pull(weft_sew *w, weft_error *e)
{
    weft_sew_state *t = &w->state;
    bool last = t->stage + 1 >= t->n_stages;
    double gap = stage_gap(w), share = w->def.sew_time * (t->stage + 1) / t->n_stages;
    w->near_time = gap <= SEW_NEARLY * w->def.at_last ? w->near_time + w->def.step : 0;
    if (!last && (gap <= SEW_NEXT_STAGE || w->near_time >= SEW_PATIENCE || t->time >= share)) {
        t->stage++;
        w->near_time = 0;
    } else if (last && (gap <= w->def.within || w->near_time >= SEW_PATIENCE || t->time >= w->def.sew_time))
        return begin_relaxing(w, e);
    return WEFT_OK;
}

static weft_result after_relax(weft_sew *w, weft_error *e)
{
    return w->state.time < w->def.relax_time ? WEFT_OK : begin_settling(w, e);
}

static weft_result after_settle(weft_sew *w, weft_error *e)
{
    bool still = w->state.speed <= w->def.still && w->state.time >= min_of(SEW_SETTLE_LEAST, w->def.settle_time);
    if (!still && w->state.time < w->def.settle_time)
        return WEFT_OK;
    weft_result r = weld_seams(w, w->def.at_last, e);
    r = r < 0 ? r : sew_mend(w, e);
    r = r < 0 ? r : weft_sim_set_air_viscosity(w->sim, w->def.end_viscosity, e);
    if (r == WEFT_OK)
        enter_phase(w, WEFT_SEW_DONE);
    return r;
}

static weft_result after_step(weft_sew *w, weft_error *e)
{
    switch (w->state.phase) {
    case WEFT_SEW_PULL: return after_pull(w, e);
    case WEFT_SEW_RELAX: return after_relax(w, e);
    case WEFT_SEW_SETTLE: return after_settle(w, e);
    default: return WEFT_OK;
    }
}

weft_result weft_sew_step(weft_sew *w, weft_step_stats *stats, weft_sew_state *state, weft_error *error)
{
    if (!w)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "the sewing is NULL");
    weft_step_stats own;
    weft_result r = WEFT_OK;
    if (w->state.phase != WEFT_SEW_DONE) {
        r = measure_gaps(w, error);
        r = r < 0 ? r : set_springs(w, error);
        r = r < 0 ? r : weft_sim_step(w->sim, w->def.step, &own, error);
        if (r >= 0) {
            w->state.n_steps++;
            w->state.time += w->def.step;
            w->state.speed = sqrt(2 * own.energy_kinetic / w->mass);
            r = measure_gaps(w, error);
        }
        r = r < 0 ? r : after_step(w, error);
        if (r >= 0 && stats)
            *stats = own;
    }
    if (state)
        *state = w->state;
    return r;
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

weft_result weft_sew_get_seam(const weft_sew *w, int32_t seam, weft_sew_seam *out, weft_error *error)
{
    if (!w || !out)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "the sewing or out is NULL");
    if (seam < 0 || seam >= w->n_seams)
        return error_set(error, WEFT_ERROR_INDEX, seam, "there is no seam %d, but %d of them", seam, w->n_seams);
    const sew_seam *s = &w->seams[seam];
    *out = (weft_sew_seam){.name = s->name,
                           .seam = seam,
                           .n_pairs = s->n,
                           .length_a = s->length[0],
                           .length_b = s->length[1],
                           .gap = s->gap,
                           .gap_pulled = s->welded ? s->gap_pulled : s->gap,
                           .welded = s->welded};
    return WEFT_OK;
}

weft_result weft_sew_same(const weft_sew *w, int32_t *out, int32_t n, weft_error *error)
{
    if (!w || !out || n < w->n_nodes)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "room for %d nodes is needed", w ? w->n_nodes : 0);
    union_find_begin(out, n);
    for (int32_t k = 0; k < w->n_pairs; k++)
        union_find_join(out, w->pairs[k].a, w->pairs[k].b);
    int32_t n_partners;
    const int32_t *partner = sew_partners(w, &n_partners);
    for (int32_t vi = w->n_nodes; partner && vi < n && vi < n_partners; vi++) /* made by splitting: rings of two */
        out[vi] = partner[vi] < vi ? partner[vi] : vi;
    union_find_end(out, n);
    return WEFT_OK;
}
