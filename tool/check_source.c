/* SPDX-License-Identifier: MIT */
/* Where the moments of a check come from: mesh files, motions, runs. */
#include "check.h"

#include "disk.h"
#include "interrupt.h"
#include "run_folder.h"
#include "run_subject.h"
#include "say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static weft_result trouble(weft_error *error, weft_result code, const char *path, const char *text)
{
    *error = (weft_error){.code = code, .element = -1};
    snprintf(error->text, sizeof error->text, "%.300s: %s", path, text);
    return code;
}

static weft_result stopped(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_CANCELLED, .element = -1, .text = "stopped"};
    return WEFT_ERROR_CANCELLED;
}

/* The file's name without its folder. */
static const char *short_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What the mesh is to be checked against: still colliders. */
static weft_result add_against(subject *s, const check_options *o, weft_error *error)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < o->against.n && r >= 0; i++) {
        weft_mesh mesh;
        r = weft_mesh_read(o->against.items[i], &mesh, error);
        if (r >= 0)
            r = subject_add_mesh(s, short_name(o->against.items[i]), true, &mesh, NULL, error);
        weft_mesh_free(&mesh);
    }
    return r;
}

/* ---- meshes ---------------------------------------------------------------------------------------------------- */

static weft_result check_file(check *c, const char *path, int32_t frame, double time, weft_error *error)
{
    weft_mesh mesh;
    subject s = {0};
    int32_t *faces = NULL;
    weft_result r = weft_mesh_read(path, &mesh, error);
    if (r < 0)
        return r;
    r = subject_add_mesh(&s, short_name(path), false, &mesh, &faces, error);
    r = r < 0 ? r : add_against(&s, c->o, error);
    check_moment m = {.subject = &s, .faces = faces, .lines = mesh.face_line, .frame = frame, .time = time};
    r = r < 0 ? r : check_judge(c, &m, error);
    subject_free(&s);
    free(faces);
    weft_mesh_free(&mesh);
    return r;
}

weft_result check_mesh(check *c, const char *path, weft_error *error)
{
    c->kind = "mesh";
    if (!check_wants(c, 0, 1))
        return WEFT_OK;
    return check_file(c, path, 0, 0, error);
}

/* ---- motions --------------------------------------------------------------------------------------------------- */

/* Every file may have faces of its own. */
static weft_result check_sequence(check *c, weft_motion *motion, weft_error *error)
{
    weft_motion_info info = weft_motion_get_info(motion);
    weft_result r = WEFT_OK;
    double step = info.n_frames > 1 ? info.duration / (info.n_frames - 1) : 0;
    c->kind = "sequence";
    for (int32_t i = 0; i < info.n_frames && r >= 0; i++) {
        if (!check_wants(c, i, info.n_frames))
            continue;
        r = check_file(c, weft_motion_file(motion, i), i, info.start + i * step, error);
        progress_show_count(&c->progress, "checking", i + 1, info.n_frames);
        if (r >= 0 && interrupt_signal())
            r = stopped(error);
    }
    return r;
}

/* The mesh that a point cache is for: as given, or the OBJ of the same name beside it. malloc'ed. */
static char *find_topology(const check *c, const char *path)
{
    if (c->o->mesh)
        return disk_copy(c->o->mesh);
    page name = {0};
    page_add(&name, "%.*s.obj", (int)(disk_ending(path) - path - 1), path);
    char *copy = disk_copy(page_text(&name));
    page_free(&name);
    return copy;
}

static weft_result check_frames(check *c, weft_motion *motion, const weft_mesh *mesh, weft_error *error)
{
    weft_motion_info info = weft_motion_get_info(motion);
    subject s = {0};
    int32_t *faces = NULL;
    weft_result r = subject_add_mesh(&s, short_name(c->o->path), false, mesh, &faces, error);
    r = r < 0 ? r : add_against(&s, c->o, error);
    for (int32_t i = 0; i < info.n_frames && r >= 0; i++) {
        if (!check_wants(c, i, info.n_frames))
            continue;
        check_moment m = {.subject = &s, .faces = faces, .lines = mesh->face_line, .frame = i};
        r = weft_motion_read_frame(motion, i, &m.time, subject_points(&s, 0), info.n_points, error);
        r = r < 0 ? r : check_judge(c, &m, error);
        progress_show_count(&c->progress, "checking", i + 1, info.n_frames);
        if (r >= 0 && interrupt_signal())
            r = stopped(error);
    }
    subject_free(&s);
    free(faces);
    return r;
}

static weft_result check_cache(check *c, weft_motion *motion, const char *path, weft_error *error)
{
    weft_mesh mesh = {0};
    char *topology = find_topology(c, path);
    weft_result r;
    c->kind = "motion";
    if (!c->o->mesh && !disk_exists(topology))
        r = trouble(error, WEFT_ERROR_NOT_FOUND, path,
                    "points without faces, and there is no OBJ of the same name: give the mesh with --mesh FILE");
    else
        r = weft_mesh_read(topology, &mesh, error);
    if (r >= 0 && mesh.n_nodes != weft_motion_get_info(motion).n_points) {
        char text[120];
        snprintf(text, sizeof text, "%d vertices, but the motion has %d points", mesh.n_nodes,
                 weft_motion_get_info(motion).n_points);
        r = trouble(error, WEFT_ERROR_FORMAT, topology, text);
    }
    r = r < 0 ? r : check_frames(c, motion, &mesh, error);
    weft_mesh_free(&mesh);
    free(topology);
    return r;
}

weft_result check_motion(check *c, const char *path, weft_error *error)
{
    weft_motion *motion = NULL;
    weft_result r = weft_motion_open(path, c->o->fps, &motion, error);
    if (r < 0)
        return r;
    c->has_frames = true;
    r = weft_motion_file(motion, 0) ? check_sequence(c, motion, error) : check_cache(c, motion, path, error);
    weft_motion_close(motion);
    return r;
}

/* ---- runs ------------------------------------------------------------------------------------------------------ */

static weft_result add_against_of(void *user, subject *s, weft_error *error)
{
    return add_against(s, user, error);
}

static void warn_of_scene(const run_view *view)
{
    if (!view->scene || view->scene_trouble.text[0])
        say_warning("%s; the run is checked without colliders from files", view->scene_trouble.text);
}

enum { LOST_TOLD = 3 };

/* A frame that is damaged is told and passed over: the others can be judged. */
static weft_result check_run_frame(check *c, run_subject *s, int32_t frame, weft_error *error)
{
    check_moment m = {.subject = &s->subject, .scene = s->scene, .frame = frame};
    weft_result r = run_subject_pose(s, frame, &m.time, error);
    if (r >= 0)
        return check_judge(c, &m, error);
    if (r != WEFT_ERROR_CHECKSUM && r != WEFT_ERROR_FORMAT)
        return r;
    if (c->n_lost++ < LOST_TOLD)
        say_warning("%s; it is not judged", error->text);
    c->torn = true;
    return WEFT_OK;
}

weft_result check_run(check *c, const char *path, weft_error *error)
{
    run_view view;
    run_subject s = {0};
    weft_result r = run_view_open(path, &view, error);
    if (r < 0)
        return r;
    int32_t n = weft_cache_get_info(view.cache).n_frames;
    c->kind = "run";
    c->has_frames = true;
    warn_of_scene(&view);
    c->torn = run_view_warn_torn(&view) && !(c->o->frames.given && c->o->frames.to >= 0);
    r = run_subject_open(view.cache, view.scene, &s, error);
    s.extend = add_against_of;
    s.user = (void *)c->o; /* read only */
    for (int32_t i = 0; i < n && r >= 0; i++) {
        if (!check_wants(c, i, n))
            continue;
        r = check_run_frame(c, &s, i, error);
        progress_show_count(&c->progress, "checking", i + 1, n);
        if (r >= 0 && interrupt_signal())
            r = stopped(error);
    }
    if (c->n_lost > LOST_TOLD)
        say_warning("and %d more frames are damaged", c->n_lost - LOST_TOLD);
    run_subject_close(&s);
    run_view_close(&view);
    return r;
}
