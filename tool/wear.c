/* SPDX-License-Identifier: MIT */
#include "wear.h"

#include "player/clip.h"

#include "pattern_body.h"
#include "plausible.h"
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

wear_def wear_def_default(void)
{
    weft_sew_def sew = weft_sew_def_default();
    return (wear_def){.motion_fps = 30,
                      .body_scale = 1,
                      .size = 0.02,
                      .ratio = 2,
                      .clearance = 0.005,
                      .step = sew.step,
                      .sew_time = sew.sew_time,
                      .settle_time = sew.settle_time,
                      .speed = sew.speed,
                      .tension = sew.tension,
                      .still = sew.still,
                      .pair_radius = 2e-3,
                      .friction = 1,
                      .player_mb = 8};
}

static weft_result fail(weft_error *error, weft_result code, const char *path, const char *what)
{
    *error = (weft_error){.code = code, .element = -1};
    snprintf(error->text, sizeof error->text, "%.250s: %.240s", path, what);
    return code;
}

static weft_result in_file(weft_result r, const char *path, weft_error *error)
{
    weft_error told = *error;
    return r < 0 ? fail(error, r, path, told.text) : r;
}

/* ---- the body ---------------------------------------------------------------------------------------------------- */

static weft_result open_motion(wear *w, weft_error *error)
{
    const wear_def *d = &w->def;
    if (!d->motion)
        return WEFT_OK;
    weft_result r = weft_motion_open(d->motion, d->motion_fps, &w->motion, error);
    if (r < 0)
        return r;
    w->motion_info = weft_motion_get_info(w->motion);
    if (w->motion_info.n_points != w->skin.n_nodes) {
        char text[120];
        snprintf(text, sizeof text, "has %d points, but the body %d", w->motion_info.n_points, w->skin.n_nodes);
        return fail(error, WEFT_ERROR_FORMAT, d->motion, text);
    }
    return WEFT_OK;
}

/* A body that moves is dressed where its first frame has it. */
static weft_result pose_body(wear *w, weft_error *error)
{
    weft_result r = WEFT_OK;
    if (w->motion)
        r = weft_motion_read_frame(w->motion, 0, NULL, w->skin.positions, w->skin.n_nodes, error);
    for (int32_t i = 0; r >= 0 && i < w->skin.n_nodes; i++) {
        weft_vec3 *p = &w->skin.positions[i];
        *p = (weft_vec3){w->def.body_scale * p->x, w->def.body_scale * p->y, w->def.body_scale * p->z};
    }
    return r;
}

static weft_result make_body(wear *w, weft_error *error)
{
    weft_body_def def = weft_body_def_default();
    def.vertices = w->skin.positions;
    def.n_vertices = w->skin.n_nodes;
    def.triangles = w->skin_triangles;
    def.n_triangles = w->n_skin_triangles;
    weft_result r = in_file(weft_body_create(&def, &w->body, error), w->def.body, error);
    if (r < 0 || !w->def.landmarks)
        return r;
    weft_landmarks marks = *weft_body_landmarks(w->body);
    r = weft_landmarks_read(w->def.landmarks, &marks, error);
    return r < 0 ? r : weft_body_set_landmarks(w->body, &marks, error);
}

static weft_result make_sim(wear *w, weft_error *error)
{
    weft_sim_def def = weft_sim_def_default();
    def.integrator = WEFT_INTEGRATOR_IMPLICIT;
    def.n_threads = w->def.n_threads;
    def.pair_radius = w->def.pair_radius;
    def.log = warnings_log;
    def.log_user = &w->warnings;
    weft_result r = weft_sim_create(&def, &w->sim, error);
    weft_collider_def body = weft_collider_def_default();
    body.kind = WEFT_COLLIDER_MESH;
    body.vertices = w->skin.positions;
    body.n_vertices = w->skin.n_nodes;
    body.triangles = w->skin_triangles;
    body.n_triangles = w->n_skin_triangles;
    body.friction = w->def.friction;
    return r < 0 ? r : weft_collider_create(w->sim, &body, &w->collider, error);
}

static weft_result read_skin(wear *w, weft_error *error)
{
    weft_result r = weft_mesh_read(w->def.body, &w->skin, error);
    if (r < 0)
        return r;
    int32_t most = w->skin.face_start[w->skin.n_faces] - 2 * w->skin.n_faces;
    w->skin_triangles = malloc((3 * (size_t)most + 1) * sizeof *w->skin_triangles);
    if (!w->skin_triangles)
        return fail(error, WEFT_ERROR_MEMORY, w->def.body, "out of memory");
    w->n_skin_triangles = weft_mesh_triangulate(&w->skin, w->skin_triangles, NULL);
    return WEFT_OK;
}

static weft_result copy_form(wear *w, weft_error *error)
{
    const weft_form_data *f = w->def.form;
    size_t n = (size_t)f->n_vertices, n_corners = 3 * (size_t)f->n_triangles;
    w->skin.positions = malloc(n * sizeof *w->skin.positions);
    w->skin.face_start = malloc((n_corners / 3 + 1) * sizeof *w->skin.face_start);
    w->skin.corners = malloc(n_corners * sizeof *w->skin.corners);
    w->skin_triangles = malloc(n_corners * sizeof *w->skin_triangles);
    if (!w->skin.positions || !w->skin.face_start || !w->skin.corners || !w->skin_triangles)
        return fail(error, WEFT_ERROR_MEMORY, w->def.body, "out of memory");
    w->skin.n_nodes = f->n_vertices;
    w->skin.n_faces = w->n_skin_triangles = f->n_triangles;
    memcpy(w->skin.positions, f->vertices, n * sizeof *f->vertices);
    memcpy(w->skin.corners, f->triangles, n_corners * sizeof *f->triangles);
    memcpy(w->skin_triangles, f->triangles, n_corners * sizeof *f->triangles);
    for (size_t i = 0; i <= n_corners / 3; i++)
        w->skin.face_start[i] = (int32_t)(3 * i);
    return WEFT_OK;
}

weft_result wear_begin(wear *w, const wear_def *def, weft_error *error)
{
    *w = (wear){.def = *def};
    weft_result r = def->form ? copy_form(w, error) : read_skin(w, error);
    r = r < 0 ? r : open_motion(w, error);
    r = r < 0 ? r : pose_body(w, error);
    if (r >= 0)
        plausible_body(def->body, w->skin.positions, w->skin.n_nodes, def->body_scale, &w->warnings);
    w->body_is_odd = w->warnings.n > 0;
    r = r < 0 ? r : make_body(w, error);
    return r < 0 ? r : make_sim(w, error);
}

static void end_garment(wear_garment *g)
{
    weft_sew_destroy(g->sew);
    weft_garment_destroy(g->garment);
    weft_pattern_destroy(g->pattern);
    free(g->fits);
    free(g->panel_fabric);
    free(g->name);
    *g = (wear_garment){0};
}

void wear_end(wear *w)
{
    for (int32_t i = 0; i < w->n_garments; i++)
        end_garment(&w->garments[i]);
    weft_error ignored;
    if (w->writer)
        weft_cache_close(w->writer, &ignored);
    clip_free(w->clip);
    weft_sim_destroy(w->sim);
    weft_body_destroy(w->body);
    weft_motion_close(w->motion);
    free(w->skin_triangles);
    weft_mesh_free(&w->skin);
    *w = (wear){0};
}

/* What a step has to say beyond the log. */
static void note_step(wear *w, weft_result result, const weft_step_stats *stats)
{
    warnings_add_result(&w->warnings, result, weft_sim_time(w->sim));
    w->n_squeezed = stats->squeezed_pairs + stats->squeezed;
}

/* ---- a garment --------------------------------------------------------------------------------------------------- */

char *wear_name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *begin = slash ? slash + 1 : path, *dot = strrchr(begin, '.');
    size_t n = dot && dot > begin ? (size_t)(dot - begin) : strlen(begin);
    char *name = malloc(n + 1);
    if (name) {
        memcpy(name, begin, n);
        name[n] = '\0';
    }
    return name;
}

static weft_result cut_and_place(wear *w, wear_garment *g, weft_error *error)
{
    weft_garment_def def = weft_garment_def_default();
    def.size = w->def.size;
    def.seam_ratio = w->def.ratio;
    weft_fit_def fit = weft_fit_def_default();
    fit.clearance = w->def.clearance;
    fit.ignore_hints = w->def.ignore_hints;
    g->fits = calloc((size_t)weft_pattern_panel_count(g->pattern) + 1, sizeof *g->fits);
    if (!g->fits || !g->name)
        return fail(error, WEFT_ERROR_MEMORY, g->path, "out of memory");
    wear_mesh worn = {0};
    weft_result r = in_file(weft_garment_create(g->pattern, &def, &g->garment, error), g->path, error);
    if (r >= 0 && w->n_garments > 0) {
        r = wear_mesh_get(w, &worn, error);
        fit.n_worn_vertices = worn.n_nodes;
        fit.worn_vertices = worn.positions;
        fit.n_worn_triangles = worn.first_triangle[w->n_garments];
        fit.worn_triangles = worn.triangles;
    }
    r = r < 0 ? r : in_file(weft_garment_fit(g->garment, g->pattern, w->body, &fit, g->fits, error), g->path, error);
    wear_mesh_free(&worn);
    return r;
}

static weft_fabric turned(weft_fabric f)
{
    weft_fabric t = f;
    t.stretch_warp = f.stretch_weft;
    t.stretch_weft = f.stretch_warp;
    t.bending_warp = f.bending_weft;
    t.bending_weft = f.bending_warp;
    return t;
}

/* A rib is knitted with its courses round the body, whatever grain line its panel has. */
static weft_result choose_fabrics(const wear *w, wear_garment *g, weft_error *error)
{
    int32_t n = weft_pattern_panel_count(g->pattern);
    g->panel_fabric = calloc((size_t)n + 1, sizeof *g->panel_fabric);
    if (!g->panel_fabric)
        return fail(error, WEFT_ERROR_MEMORY, g->path, "out of memory");
    g->fabrics[0] = w->def.fabric ? *w->def.fabric : weft_fabric_default();
    g->fabrics[2] = w->def.rib ? *w->def.rib : g->fabrics[0];
    g->fabrics[1] = turned(g->fabrics[2]);
    for (int32_t i = 0; w->def.rib && i < n; i++) {
        weft_panel_info info;
        if (!weft_pattern_is_rib(g->pattern, i) || weft_pattern_panel_info(g->pattern, i, &info, NULL) < 0)
            continue;
        weft_vec2 grain = weft_pattern_panel(g->pattern, i)->grain;
        bool wide = info.high.u - info.low.u > info.high.v - info.low.v, along_u = fabs(grain.u) > fabs(grain.v);
        g->panel_fabric[i] = wide == along_u ? 1 : 2;
    }
    return WEFT_OK;
}

weft_result wear_add(wear *w, const char *path, weft_pattern *pattern, weft_error *error)
{
    if (w->n_garments == WEAR_MOST) {
        weft_pattern_destroy(pattern);
        return fail(error, WEFT_ERROR_RANGE, path, "too many garments");
    }
    wear_garment *g = &w->garments[w->n_garments];
    *g = (wear_garment){.path = path, .name = wear_name_of(path), .pattern = pattern};
    weft_result r = pattern ? WEFT_OK : weft_pattern_read(path, &g->pattern, error);
    r = r < 0 ? r : choose_fabrics(w, g, error);
    r = r < 0 ? r : cut_and_place(w, g, error);
    if (r < 0)
        end_garment(g);
    else
        w->n_garments++;
    return r;
}

static weft_result begin_sewing(wear *w, wear_garment *g, weft_error *error)
{
    weft_sew_def def = weft_sew_def_default();
    def.garment = g->garment;
    def.pattern = g->pattern;
    def.model.fabrics = g->fabrics;
    def.model.n_fabrics = sizeof g->fabrics / sizeof *g->fabrics;
    def.model.panel_fabric = g->panel_fabric;
    def.body = w->collider;
    def.has_body = true;
    def.step = w->def.step;
    def.sew_time = w->def.sew_time;
    def.settle_time = w->def.settle_time;
    def.speed = w->def.speed;
    def.tension = w->def.tension;
    def.still = w->def.still;
    if (w->def.adapt > 0) {
        def.model.adapt = weft_adapt_default();
        def.model.adapt.max_level = w->def.adapt;
        /* Each change makes the model of the whole wardrobe anew, and folds take longer than that to come. */
        def.model.adapt.refine_angle = 0.3;
        def.model.adapt.interval = 0.1;
    }
    weft_result r = in_file(weft_sew_create(w->sim, &def, &g->sew, error), g->path, error);
    if (r >= 0)
        g->cloth = weft_sew_cloth(g->sew);
    return r;
}

weft_result wear_sew(wear *w, weft_error *error)
{
    wear_garment *g = &w->garments[w->n_garments - 1];
    weft_result r = begin_sewing(w, g, error);
    while (r >= 0 && g->state.phase != WEFT_SEW_DONE && !w->stopped) {
        weft_step_stats stats = {0};
        weft_sew_phase before = g->state.phase;
        double from = progress_now();
        r = weft_sew_step(g->sew, &stats, &g->state, error);
        double seconds = progress_now() - from;
        note_step(w, r, &stats);
        *(before == WEFT_SEW_PULL ? &g->figures.seconds_sew : &g->figures.seconds_settle) += seconds;
        if (r >= 0 && w->watch && !w->watch(w->watch_user, w, &stats, seconds))
            w->stopped = true;
    }
    return r < 0 ? in_file(r, g->path, error) : WEFT_OK;
}

weft_result wear_follow(wear *w, int32_t frame, weft_step_stats *stats, weft_error *error)
{
    weft_vec3 *to = malloc((size_t)w->skin.n_nodes * sizeof *to);
    if (!to)
        return fail(error, WEFT_ERROR_MEMORY, w->def.motion, "out of memory");
    weft_result r = weft_motion_read_frame(w->motion, frame, NULL, to, w->skin.n_nodes, error);
    for (int32_t i = 0; r >= 0 && i < w->skin.n_nodes; i++)
        to[i] = (weft_vec3){w->def.body_scale * to[i].x, w->def.body_scale * to[i].y, w->def.body_scale * to[i].z};
    r = r < 0 ? r : weft_collider_set_vertices(w->sim, w->collider, to, w->skin.n_nodes, error);
    r = r < 0 ? r : weft_sim_step(w->sim, 1 / w->def.motion_fps, stats, error);
    if (r >= 0)
        note_step(w, r, stats);
    if (r >= 0)
        memcpy(w->skin.positions, to, (size_t)w->skin.n_nodes * sizeof *to);
    free(to);
    return r < 0 ? r : WEFT_OK;
}
