/* SPDX-License-Identifier: MIT */
#include "player/run_clip.h"

#include "marks.h"
#include "pictures.h"
#include "player/found_clip.h"
#include "run_subject.h"
#include "run_uv.h"
#include "stats.h"

#include <stdlib.h>
#include <string.h>

enum { FAULTY_FRAMES = 60 }; /* whose contours are found: an audit each */

struct run_clip {
    clip *c;
    weft_cache *cache;
    const weft_scene *scene;
    weft_stage *stage; /* NULL: none could be made; for warp and weft */
    int32_t *parts;    /* per cloth, then per collider; -1: none */
    int32_t *solids;   /* per collider; -1: none */
    const weft_topology **topologies;
    weft_vec3 *points;
    double *pressures; /* as many */
    uint8_t *squeezed;
    size_t room;
    run_subject audit;
    int32_t n_cloths, n_audited, n_threads;
    int32_t n_lost;  /* frames */
    double *columns; /* NULL: of another version, nobody knows what they are */
    bool failed;
};

static picture_color color_of(weft_color c)
{
    return (picture_color){(float)c.r, (float)c.g, (float)c.b};
}

static void free_room(run_clip *f)
{
    free(f->points);
    free(f->pressures);
    free(f->squeezed);
    f->points = NULL;
    f->pressures = NULL;
    f->squeezed = NULL;
    f->room = 0;
}

static weft_vec3 *room_for(run_clip *f, int32_t n)
{
    if ((size_t)n < f->room)
        return f->points;
    free_room(f);
    f->room = (size_t)n + 1;
    f->points = malloc(f->room * sizeof *f->points);
    f->pressures = malloc(f->room * sizeof *f->pressures);
    f->squeezed = malloc(f->room);
    if (!f->points || !f->pressures || !f->squeezed)
        free_room(f);
    f->failed = f->failed || !f->points;
    return f->points;
}

static void add_cloths(run_clip *f)
{
    for (int32_t i = 0; i < f->n_cloths; i++) {
        clip_part part = {weft_cache_cloth_name(f->cache, i), false, {0.80f, 0.26f, 0.22f}, {0.86f, 0.78f, 0.62f}};
        if (f->scene && i < f->scene->n_cloths) {
            part.front = color_of(f->scene->cloths[i].front);
            part.back = color_of(f->scene->cloths[i].back);
        }
        f->parts[i] = clip_add_part(f->c, &part);
        f->failed = f->failed || f->parts[i] < 0;
    }
}

static picture_solid solid_of(const weft_scene_collider *c)
{
    picture_solid s = {.kind = c->def.kind, .radius = c->def.radius, .height = c->def.height, .size = c->def.size};
    s.color = color_of(c->color);
    return s;
}

static void add_collider(run_clip *f, int32_t i)
{
    const weft_scene_collider *c = &f->scene->colliders[i];
    f->parts[f->n_cloths + i] = f->solids[i] = -1;
    if (!c->visible)
        return;
    if (c->is_mesh && c->mesh.n_faces == 0) {
        clip_add_note(f->c, "the mesh of '%s' is missing: shown without it", c->name);
    } else if (c->is_mesh) {
        clip_part part = {c->name, true, color_of(c->color), color_of(c->color)};
        f->parts[f->n_cloths + i] = clip_add_part(f->c, &part);
        f->failed = f->failed || f->parts[f->n_cloths + i] < 0;
    } else {
        picture_solid s = solid_of(c);
        f->solids[i] = clip_add_solid(f->c, c->name, &s);
        f->failed = f->failed || f->solids[i] < 0;
    }
}

static void pose_solid(run_clip *f, int32_t collider, double time)
{
    picture_solid s = solid_of(&f->scene->colliders[collider]);
    weft_scene_collider_pose(f->scene, collider, time, &s.position, s.rotation);
    clip_set_pose(f->c, f->solids[collider], &s);
    if (s.kind == WEFT_COLLIDER_PLANE && s.rotation[4] > 0.999)
        clip_set_ground(f->c, s.position.y);
}

/* ---- cloth ------------------------------------------------------------------------------------------------------- */

/* A quad's diagonal has no rest length. */
static uint8_t *find_lines(const weft_topology *t)
{
    uint8_t *lines = t->rest_lengths ? calloc((size_t)t->n_triangles + 1, 1) : NULL;
    for (int32_t i = 0; lines && i < 3 * t->n_triangles; i++)
        lines[i / 3] = (uint8_t)(lines[i / 3] | (t->rest_lengths[i] > 0) << i % 3);
    return lines;
}

static void set_cloth_mesh(run_clip *f, int32_t cloth, const weft_topology *t)
{
    weft_vec2 *uv = run_uv_find(f->stage, f->scene, cloth, t);
    uint8_t *lines = find_lines(t);
    clip_mesh mesh = {.n_nodes = t->n_nodes,
                      .n_triangles = t->n_triangles,
                      .triangles = t->triangles,
                      .levels = t->levels,
                      .lines = lines,
                      .rest = t->rest_lengths,
                      .uv = uv};
    f->failed = f->failed || !clip_set_mesh(f->c, f->parts[cloth], &mesh);
    f->topologies[cloth] = t;
    free(uv);
    free(lines);
}

static void set_collider_mesh(run_clip *f, int32_t collider)
{
    const weft_mesh *mesh = &f->scene->colliders[collider].mesh;
    int64_t n_corners = mesh->face_start[mesh->n_faces];
    int32_t *triangles = calloc((size_t)(3 * n_corners - 6 * (int64_t)mesh->n_faces) + 1, sizeof *triangles);
    if (!triangles) {
        f->failed = true;
        return;
    }
    int32_t n = weft_mesh_triangulate(mesh, triangles, NULL);
    clip_mesh m = {.n_nodes = mesh->n_nodes, .n_triangles = n, .triangles = triangles};
    f->failed = f->failed || !clip_set_mesh(f->c, f->parts[f->n_cloths + collider], &m);
    free(triangles);
}

/* All that a frame needs can be read. */
static bool is_readable(run_clip *f, int32_t frame, double *time)
{
    weft_error ignored;
    const weft_topology *t;
    bool fine = weft_cache_read_head(f->cache, frame, time, NULL, NULL, &ignored) >= 0;
    for (int32_t i = 0; fine && i < f->n_cloths; i++)
        fine = weft_cache_get_topology(f->cache, frame, i, &t, &ignored) >= 0 && room_for(f, t->n_nodes) &&
               weft_cache_read_positions(f->cache, frame, i, f->points, t->n_nodes, &ignored) >= 0;
    return fine;
}

static void add_cloth_frame(run_clip *f, int32_t frame, int32_t cloth)
{
    weft_error ignored;
    const weft_topology *t;
    if (weft_cache_get_topology(f->cache, frame, cloth, &t, &ignored) < 0 || !room_for(f, t->n_nodes))
        return;
    if (t != f->topologies[cloth])
        set_cloth_mesh(f, cloth, t);
    if (!f->failed && weft_cache_read_positions(f->cache, frame, cloth, f->points, t->n_nodes, &ignored) >= 0)
        f->failed = !clip_set_points(f->c, f->parts[cloth], f->points);
}

static void add_collider_frame(run_clip *f, int32_t collider, double time)
{
    weft_error ignored;
    int32_t part = f->parts[f->n_cloths + collider], n = f->scene->colliders[collider].mesh.n_nodes;
    if (f->solids[collider] >= 0)
        pose_solid(f, collider, time);
    if (part >= 0 && room_for(f, n) &&
        weft_scene_collider_points(f->scene, collider, time, f->points, n, &ignored) >= 0)
        f->failed = f->failed || !clip_set_points(f->c, part, f->points);
}

/* ---- faults ------------------------------------------------------------------------------------------------------ */

static void add_found(run_clip *f, const weft_audit_found *found)
{
    const subject *s = &f->audit.subject;
    f->failed = f->failed || !found_clip_add(f->c, found);
    uint8_t *blame = calloc((size_t)s->n_triangles + 1, 1);
    if (blame)
        marks_blame(s, found, blame);
    for (int32_t i = 0; blame && i < f->n_cloths; i++)
        clip_add_blame(f->c, f->parts[i], blame + s->objects[i].first_triangle, s->objects[i].n_triangles);
    free(blame);
}

/* Where the run's audit found something, the contours are found again; so they are where prevention had no room
 * (squeezed pairs), since no other steps let cloth through. */
static void add_faults(run_clip *f, int32_t frame, const double *columns, double time)
{
    weft_error ignored;
    weft_audit_found found;
    if (!(columns[STATS_PAIRS] + columns[STATS_TOO_NEAR] > 0 || columns[STATS_SQUEEZED_PAIRS] > 0) ||
        f->n_audited >= FAULTY_FRAMES)
        return;
    f->n_audited++;
    if (!f->audit.topologies && run_subject_open(f->cache, f->scene, &f->audit, &ignored) < 0)
        return;
    if (run_subject_pose(&f->audit, frame, &time, &ignored) >= 0 &&
        subject_judge(&f->audit.subject, time, f->n_threads, &found, &ignored) >= 0)
        add_found(f, &found);
}

/* What pressed on a cloth, and where it was left no room. */
static void add_contacts(run_clip *f, int32_t frame, int32_t cloth)
{
    weft_error ignored;
    const weft_topology *t;
    if (weft_cache_get_topology(f->cache, frame, cloth, &t, &ignored) < 0 || !room_for(f, t->n_nodes) ||
        weft_cache_read_contacts(f->cache, frame, cloth, f->pressures, f->squeezed, t->n_nodes, &ignored) < 0)
        return;
    f->failed = f->failed || !clip_set_pressures(f->c, f->parts[cloth], f->pressures) ||
                !clip_add_squeezed(f->c, f->parts[cloth], f->squeezed);
}

/* ---- all frames -------------------------------------------------------------------------------------------------- */

static void add_frame(run_clip *f, int32_t frame, double time, double *columns)
{
    weft_error ignored;
    f->failed = !clip_begin_frame(f->c, frame, time);
    for (int32_t i = 0; i < f->n_cloths && !f->failed; i++)
        add_cloth_frame(f, frame, i);
    for (int32_t i = 0; f->scene && i < f->scene->n_colliders && !f->failed; i++)
        add_collider_frame(f, i, time);
    if (columns && !f->failed && weft_cache_read_head(f->cache, frame, NULL, NULL, columns, &ignored) >= 0)
        add_faults(f, frame, columns, time);
    for (int32_t i = 0; i < f->n_cloths && !f->failed; i++)
        add_contacts(f, frame, i);
}

bool run_clip_frame(run_clip *f, int32_t frame)
{
    double time;
    if (is_readable(f, frame, &time))
        add_frame(f, frame, time, f->columns);
    else
        f->n_lost += !f->failed;
    return !f->failed;
}

void run_clip_end(run_clip *f)
{
    if (f->n_lost > 0)
        clip_add_note(f->c, "%d of %d frames are damaged and left out (weft info --check tells which)", f->n_lost,
                      weft_cache_get_info(f->cache).n_frames);
    f->n_lost = 0;
}

static void open_parts(run_clip *f)
{
    size_t n_colliders = f->scene ? (size_t)f->scene->n_colliders : 0, n = (size_t)f->n_cloths + n_colliders + 1;
    f->parts = calloc(n, sizeof *f->parts);
    f->solids = calloc(n, sizeof *f->solids);
    f->topologies = calloc(n, sizeof *f->topologies);
    f->failed = !f->parts || !f->solids || !f->topologies;
    if (f->failed)
        return;
    f->stage = run_uv_stage(f->scene, f->n_cloths);
    add_cloths(f);
    for (int32_t i = 0; f->scene && i < f->scene->n_colliders && !f->failed; i++) {
        add_collider(f, i);
        if (!f->failed && f->parts[f->n_cloths + i] >= 0)
            set_collider_mesh(f, i);
    }
}

run_clip *run_clip_open(clip *c, weft_cache *cache, const weft_scene *scene, int32_t n_threads)
{
    weft_cache_info info = weft_cache_get_info(cache);
    run_clip *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    *f = (run_clip){.c = c, .cache = cache, .scene = scene, .n_cloths = info.n_cloths, .n_threads = n_threads};
    pictures_look look = pictures_look_of(scene);
    clip_set_scales(c, look.stretch_limit - 1, look.max_level);
    if (info.n_columns == STATS_COUNT)
        f->columns = calloc(STATS_COUNT, sizeof *f->columns);
    open_parts(f);
    if (!f->failed)
        return f;
    run_clip_close(f);
    return NULL;
}

bool run_clip_move(run_clip *f, weft_cache *cache, int32_t frame)
{
    weft_error ignored;
    bool same = weft_cache_get_info(cache).n_cloths == f->n_cloths && frame < weft_cache_get_info(cache).n_frames;
    for (int32_t i = 0; same && i < f->n_cloths; i++)
        if (frame >= 0 && f->topologies[i])
            same = weft_cache_get_topology(cache, frame, i, &f->topologies[i], &ignored) >= 0;
    f->cache = cache;
    run_subject_close(&f->audit);
    return same;
}

void run_clip_close(run_clip *f)
{
    if (!f)
        return;
    weft_stage_destroy(f->stage);
    run_subject_close(&f->audit);
    free(f->parts);
    free(f->solids);
    free(f->topologies);
    free_room(f);
    free(f->columns);
    free(f);
}

clip *run_clip_make(const char *title, weft_cache *cache, const weft_scene *scene, int32_t n_threads)
{
    weft_cache_info info = weft_cache_get_info(cache);
    clip *c = clip_new(title, info.fps);
    run_clip *f = c ? run_clip_open(c, cache, scene, n_threads) : NULL;
    bool fine = f != NULL;
    for (int32_t i = 0; fine && i < info.n_frames; i++)
        fine = run_clip_frame(f, i);
    if (fine)
        run_clip_end(f);
    run_clip_close(f);
    if (fine)
        return c;
    clip_free(c);
    return NULL;
}
