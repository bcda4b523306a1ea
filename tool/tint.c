/* SPDX-License-Identifier: MIT */
#include "tint.h"

#include "coloring.h"
#include "run_uv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SCALE_FRAMES = 12 };          /* that are looked at for the largest speed or pressure */
static const double MOST_SHEAR = 20; /* degrees */
static const double DEGREES = 180 / 3.14159265358979324;

struct tint {
    weft_cache *cache;
    const weft_scene *scene;
    const pictures_look *look;
    weft_stage *stage; /* for warp and weft; NULL: unknown */
    double most;       /* speed, m/s, or pressure, Pa */
    double *values;
    weft_vec3 *points; /* of another frame, or a collider */
    size_t room;
};

static weft_result no_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory for a picture"};
    return WEFT_ERROR_MEMORY;
}

static weft_scene_coloring coloring_of(const tint *t)
{
    return t->look->picture.coloring;
}

static bool make_room(tint *t, int32_t n)
{
    if ((size_t)n < t->room)
        return true;
    free(t->values);
    free(t->points);
    t->room = (size_t)n + 1;
    t->values = calloc(t->room, sizeof *t->values);
    t->points = calloc(t->room, sizeof *t->points);
    if (!t->values || !t->points)
        t->room = 0;
    return t->room > 0;
}

/* ---- speed ------------------------------------------------------------------------------------------------------- */

/* Between a frame and the one before (of the first: behind). Unknown where the mesh has changed. */
static void find_speed(tint *t, int32_t frame, int32_t cloth, const weft_topology *now, const weft_vec3 *x)
{
    weft_cache_info info = weft_cache_get_info(t->cache);
    int32_t other = frame > 0 ? frame - 1 : frame + 1;
    const weft_topology *then;
    weft_error ignored;
    double a, b;
    for (int32_t i = 0; i < now->n_nodes; i++)
        t->values[i] = (double)NAN;
    if (other < info.n_frames && weft_cache_get_topology(t->cache, other, cloth, &then, &ignored) >= 0 && then == now &&
        weft_cache_read_head(t->cache, frame, &a, NULL, NULL, &ignored) >= 0 &&
        weft_cache_read_head(t->cache, other, &b, NULL, NULL, &ignored) >= 0 &&
        weft_cache_read_positions(t->cache, other, cloth, t->points, now->n_nodes, &ignored) >= 0)
        coloring_speed(x, t->points, now->n_nodes, fmax(fabs(a - b), 1e-9), t->values);
}

/* ---- pressure ---------------------------------------------------------------------------------------------------- */

static bool has_contacts(const tint *t)
{
    return coloring_of(t) == WEFT_COLOR_PRESSURE;
}

static void find_pressure(tint *t, int32_t frame, int32_t cloth, const weft_topology *now)
{
    weft_error ignored;
    if (weft_cache_read_contacts(t->cache, frame, cloth, t->values, NULL, now->n_nodes, &ignored) >= 0)
        return;
    for (int32_t i = 0; i < now->n_nodes; i++)
        t->values[i] = (double)NAN;
}

/* ---- the scale, the same for all pictures of a run --------------------------------------------------------------- */

/* Numbers of many frames, of which the scale is found. */
typedef struct samples {
    double *items;
    size_t n, room;
} samples;

static bool add_samples(samples *s, const double *values, int32_t n)
{
    if (s->n + (size_t)n > s->room) {
        size_t room = 2 * (s->n + (size_t)n);
        double *grown = realloc(s->items, room * sizeof *grown);
        if (!grown)
            return false;
        s->items = grown;
        s->room = room;
    }
    for (int32_t i = 0; i < n; i++)
        if (values[i] > 0)
            s->items[s->n++] = values[i];
    return true;
}

/* Of one cloth in one frame, as far as they can be read. False: out of memory. */
static bool sample_cloth(tint *t, int32_t frame, int32_t cloth, samples *s)
{
    const weft_topology *now;
    weft_error ignored;
    if (weft_cache_get_topology(t->cache, frame, cloth, &now, &ignored) < 0)
        return true;
    weft_vec3 *x = calloc((size_t)now->n_nodes + 1, sizeof *x);
    bool fine = x && make_room(t, now->n_nodes);
    if (fine && weft_cache_read_positions(t->cache, frame, cloth, x, now->n_nodes, &ignored) >= 0) {
        if (has_contacts(t))
            find_pressure(t, frame, cloth, now);
        else
            find_speed(t, frame, cloth, now, x);
        fine = add_samples(s, t->values, now->n_nodes);
    }
    free(x);
    return fine;
}

static bool find_most(tint *t)
{
    weft_cache_info info = weft_cache_get_info(t->cache);
    samples s = {0};
    bool fine = true;
    for (int32_t i = 0; fine && i < SCALE_FRAMES * info.n_cloths; i++) {
        int32_t frame = (int32_t)((int64_t)(i % SCALE_FRAMES + 1) * (info.n_frames - 1) / SCALE_FRAMES);
        fine = frame < 1 || sample_cloth(t, frame, i / SCALE_FRAMES, &s);
    }
    t->most = coloring_most(s.items, s.n, has_contacts(t) ? COLORING_PRESSED : 1);
    free(s.items);
    return fine;
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */

static weft_result near_mesh(tint *t, int32_t collider, double time, const weft_vec3 *x, int32_t n, weft_error *error)
{
    const weft_mesh *mesh = &t->scene->colliders[collider].mesh;
    int64_t n_corners = mesh->face_start[mesh->n_faces];
    int32_t *triangles = calloc((size_t)(3 * n_corners - 6 * (int64_t)mesh->n_faces) + 1, sizeof *triangles);
    weft_vec3 *points = calloc((size_t)mesh->n_nodes + 1, sizeof *points);
    weft_result r = triangles && points ? WEFT_OK : no_memory(error);
    r = r < 0 ? r : weft_scene_collider_points(t->scene, collider, time, points, mesh->n_nodes, error);
    if (r >= 0 && !coloring_near_mesh(points, triangles, weft_mesh_triangulate(mesh, triangles, NULL), x, n, t->values))
        r = no_memory(error);
    free(triangles);
    free(points);
    return r;
}

static weft_result find_distance(tint *t, int32_t frame, const weft_vec3 *x, int32_t n, weft_error *error)
{
    double time = 0;
    weft_result r = weft_cache_read_head(t->cache, frame, &time, NULL, NULL, error);
    for (int32_t i = 0; i < n; i++)
        t->values[i] = COLORING_REACH;
    for (int32_t i = 0; r >= 0 && t->scene && i < t->scene->n_colliders; i++) {
        const weft_scene_collider *c = &t->scene->colliders[i];
        picture_solid s = {.kind = c->def.kind, .radius = c->def.radius, .height = c->def.height, .size = c->def.size};
        if (c->is_mesh) {
            r = c->mesh.n_faces > 0 ? near_mesh(t, i, time, x, n, error) : r;
            continue;
        }
        weft_scene_collider_pose(t->scene, i, time, &s.position, s.rotation);
        coloring_near_solid(&s, x, n, t->values);
    }
    return r;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static void find_strain(tint *t, int which, int32_t cloth, const weft_topology *topology, const weft_vec3 *x)
{
    weft_vec2 *uv = run_uv_find(t->stage, t->scene, cloth, topology);
    for (int32_t i = 0; i < topology->n_nodes; i++)
        t->values[i] = (double)NAN;
    if (uv)
        coloring_strain(which, topology, uv, x, t->values);
    free(uv);
}

/* What stands for 0 … 1, or −1 … 1. */
static double scale_of(const tint *t)
{
    switch (coloring_of(t)) {
    case WEFT_COLOR_SHEAR: return MOST_SHEAR / DEGREES;
    case WEFT_COLOR_SPEED:
    case WEFT_COLOR_PRESSURE: return t->most > 0 ? t->most : 1;
    case WEFT_COLOR_DISTANCE: return COLORING_REACH;
    default: return t->look->stretch_limit - 1;
    }
}

static bool is_signed(weft_scene_coloring c)
{
    return c != WEFT_COLOR_SPEED && c != WEFT_COLOR_DISTANCE && c != WEFT_COLOR_PRESSURE;
}

tint *tint_open(weft_cache *cache, const weft_scene *scene, const pictures_look *look)
{
    tint *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    *t = (tint){.cache = cache, .scene = scene, .look = look};
    weft_scene_coloring c = look->picture.coloring;
    if (c == WEFT_COLOR_WARP || c == WEFT_COLOR_WEFT || c == WEFT_COLOR_SHEAR)
        t->stage = run_uv_stage(scene, weft_cache_get_info(cache).n_cloths);
    if ((c != WEFT_COLOR_SPEED && c != WEFT_COLOR_PRESSURE) || find_most(t))
        return t;
    tint_close(t);
    return NULL;
}

void tint_close(tint *t)
{
    if (!t)
        return;
    weft_stage_destroy(t->stage);
    free(t->values);
    free(t->points);
    free(t);
}

bool tint_is_by_node(const tint *t)
{
    weft_scene_coloring c = coloring_of(t);
    return c == WEFT_COLOR_STRETCH || c >= WEFT_COLOR_WARP;
}

weft_result tint_cloth(tint *t, int32_t frame, int32_t cloth, const weft_topology *topology, const weft_vec3 *x,
                       picture_color *out, weft_error *error)
{
    weft_result r = make_room(t, topology->n_nodes) ? WEFT_OK : no_memory(error);
    weft_scene_coloring c = coloring_of(t);
    if (r < 0)
        return r;
    if (c == WEFT_COLOR_SPEED)
        find_speed(t, frame, cloth, topology, x);
    else if (c == WEFT_COLOR_DISTANCE)
        r = find_distance(t, frame, x, topology->n_nodes, error);
    else if (c == WEFT_COLOR_PRESSURE)
        find_pressure(t, frame, cloth, topology);
    else if (c == WEFT_COLOR_STRETCH)
        coloring_stretch(topology, x, t->values);
    else
        find_strain(t, (int)c - WEFT_COLOR_WARP, cloth, topology, x);
    double scale = scale_of(t);
    for (int32_t i = 0; r >= 0 && i < topology->n_nodes; i++)
        out[i] = is_signed(c) ? picture_diverging(t->values[i] / scale) : picture_sequential(t->values[i] / scale);
    return r;
}

/* Of what is told, in that of numbers. */
static double unit_of(weft_scene_coloring c)
{
    switch (c) {
    case WEFT_COLOR_SHEAR: return DEGREES;
    case WEFT_COLOR_DISTANCE: return 1e3;
    case WEFT_COLOR_SPEED:
    case WEFT_COLOR_PRESSURE:
    case WEFT_COLOR_LEVEL: return 1;
    default: return 100;
    }
}

void tint_legend(const tint *t, picture_bytes *bytes)
{
    static const char *const titles[] = {[WEFT_COLOR_STRETCH] = "stretch, %",
                                         [WEFT_COLOR_LEVEL] = "level",
                                         [WEFT_COLOR_WARP] = "stretch along warp, %",
                                         [WEFT_COLOR_WEFT] = "stretch along weft, %",
                                         [WEFT_COLOR_SHEAR] = "shear, degrees",
                                         [WEFT_COLOR_SPEED] = "speed, m/s",
                                         [WEFT_COLOR_DISTANCE] = "distance to colliders, mm",
                                         [WEFT_COLOR_PRESSURE] = "contact pressure, Pa"};
    weft_scene_coloring c = coloring_of(t);
    char low[32] = "0", high[24];
    if (c == WEFT_COLOR_SIDES || c == WEFT_COLOR_INTERSECTIONS)
        return;
    bool both = is_signed(c) && c != WEFT_COLOR_LEVEL;
    double top = unit_of(c) * (c == WEFT_COLOR_LEVEL ? t->look->max_level : scale_of(t));
    snprintf(high, sizeof high, top >= 100 && top < 1e5 ? "%.0f" : "%.2g", top);
    if (both)
        snprintf(low, sizeof low, "-%s", high);
    picture_legend legend = {.map = both ? picture_diverging : picture_sequential, .low = both ? -1 : 0, .high = 1};
    legend.title = titles[c];
    legend.low_text = low;
    legend.middle_text = both ? "0" : NULL;
    legend.high_text = high;
    picture_draw_legend(bytes, &legend);
}
