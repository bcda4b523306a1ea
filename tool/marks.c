/* SPDX-License-Identifier: MIT */
#include "marks.h"

#include "render/camera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 800, HEIGHT = 600, SAMPLES = 9, NEAR_VIEWS = 3, NUMBERED = 20 };

static const picture_color calm = {0.80f, 0.80f, 0.76f}, solid_color = {0.58f, 0.66f, 0.74f};
static const picture_color ink = {0.05f, 0.05f, 0.08f}, paper = {1.0f, 1.0f, 1.0f}, line_color = {0.90f, 0.05f, 0.25f};

picture_color marks_color(int blame)
{
    static const picture_color colors[] = {
        {0.80f, 0.80f, 0.76f}, {0.86f, 0.18f, 0.14f}, {0.93f, 0.56f, 0.10f}, {0.55f, 0.25f, 0.75f}};
    return colors[blame >= 0 && blame <= 3 ? blame : 0];
}

static weft_vec3 minus(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* a + s b */
static weft_vec3 plus(weft_vec3 a, double s, weft_vec3 b)
{
    return (weft_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(weft_vec3 a, weft_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static weft_vec3 cross(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static weft_vec3 unit(weft_vec3 a)
{
    double length = sqrt(dot(a, a));
    return length > 0 ? (weft_vec3){a.x / length, a.y / length, a.z / length} : a;
}

/* ---- keeping --------------------------------------------------------------------------------------------------- */

void marks_blame(const subject *s, const weft_audit_found *f, uint8_t *blame)
{
    memset(blame, 0, (size_t)s->n_triangles);
    for (int64_t i = 0; i < f->n_near_triangles; i++)
        blame[f->near_triangles[i].triangle] = 2;
    for (int64_t i = 0; i < f->n_pairs; i++)
        blame[f->pairs[i].triangle[0]] = blame[f->pairs[i].triangle[1]] = 1;
}

/* A copy of n items; NULL: out of memory. */
static void *copy_of(const void *from, int64_t n, size_t size)
{
    void *to = calloc((size_t)n + 1, size);
    if (to && n > 0)
        memcpy(to, from, (size_t)n * size);
    return to;
}

/* From where a contour is seen best: from outside, if it is far from the middle of it all, else as all of it is. */
static weft_vec3 outward(const evidence *e, weft_vec3 middle, double radius, int32_t contour)
{
    weft_vec3 usual = {0.2, 0.18, 0.4}, off = minus(e->contours[contour].centre, middle);
    return radius > 0 ? plus(usual, 1 / radius, off) : usual;
}

/* The mean of the nodes, and how far the farthest is. */
static weft_vec3 middle_of(const evidence *e, double *radius)
{
    weft_vec3 middle = {0};
    *radius = 0;
    for (int32_t i = 0; i < e->n_nodes; i++)
        middle = plus(middle, 1.0 / e->n_nodes, e->x[i]);
    for (int32_t i = 0; i < e->n_nodes; i++) {
        weft_vec3 off = minus(e->x[i], middle);
        *radius = fmax(*radius, sqrt(dot(off, off)));
    }
    return middle;
}

/* Where to look at each contour from: outward, and along the normals of its triangles. */
static void find_views(evidence *e, const weft_audit_found *f)
{
    double radius;
    weft_vec3 middle = middle_of(e, &radius);
    bool has_plane = false;
    for (int32_t i = 0; i < e->n_solids; i++)
        has_plane = has_plane || e->solids[i].kind == WEFT_COLLIDER_PLANE;
    for (int64_t i = 0; i < 2 * f->n_pairs; i++) {
        const int32_t *t = &e->triangles[3 * f->pairs[i / 2].triangle[i % 2]];
        int32_t contour = f->pairs[i / 2].contour;
        weft_vec3 n = unit(cross(minus(e->x[t[1]], e->x[t[0]]), minus(e->x[t[2]], e->x[t[0]])));
        e->views[contour] = plus(e->views[contour], dot(n, outward(e, middle, radius, contour)) < 0 ? -1 : 1, n);
    }
    for (int32_t i = 0; i < e->n_contours; i++) {
        e->views[i] = unit(plus(outward(e, middle, radius, i), 1, unit(e->views[i])));
        if (has_plane && e->views[i].y < 0.2) { /* not through the floor */
            e->views[i].y = 0.2;
            e->views[i] = unit(e->views[i]);
        }
    }
}

/* Insertion by number of pairs; only the first NUMBERED matter. */
static void find_order(evidence *e)
{
    for (int32_t i = 0; i < e->n_contours; i++) {
        int32_t k = i < NUMBERED ? i : NUMBERED;
        if (i >= NUMBERED && e->contours[i].n_pairs <= e->contours[e->order[NUMBERED - 1]].n_pairs) {
            e->order[i] = i;
            continue;
        }
        if (i >= NUMBERED)
            e->order[i] = e->order[--k];
        for (; k > 0 && e->contours[e->order[k - 1]].n_pairs < e->contours[i].n_pairs; k--)
            e->order[k] = e->order[k - 1];
        e->order[k] = i;
    }
}

static void pose_solids(evidence *e, const weft_scene *scene, double time)
{
    for (int32_t i = 0; scene && i < scene->n_colliders; i++) {
        const weft_scene_collider *c = &scene->colliders[i];
        if (c->is_mesh)
            continue;
        picture_solid *s = &e->solids[e->n_solids++];
        *s =
            (picture_solid){.kind = c->def.kind, .radius = c->def.radius, .height = c->def.height, .size = c->def.size};
        s->color = solid_color;
        weft_scene_collider_pose(scene, i, time, &s->position, s->rotation);
    }
}

bool evidence_keep(evidence *e, const subject *s, const weft_audit_found *f, const weft_scene *scene, double time)
{
    evidence_free(e);
    *e = (evidence){.n_objects = s->n_objects, .n_nodes = s->n_nodes, .n_triangles = s->n_triangles};
    e->n_contours = f->n_contours, e->n_lines = f->n_lines, e->n_points = f->n_points;
    e->objects = copy_of(s->objects, s->n_objects, sizeof *e->objects);
    e->x = copy_of(s->x, s->n_nodes, sizeof *e->x);
    e->triangles = copy_of(s->triangles, 3 * (int64_t)s->n_triangles, sizeof *e->triangles);
    e->contours = copy_of(f->contours, f->n_contours, sizeof *e->contours);
    e->lines = copy_of(f->lines, f->n_lines, sizeof *e->lines);
    e->points = copy_of(f->points, f->n_points, sizeof *e->points);
    e->blame = calloc((size_t)s->n_triangles + 1, 1);
    e->views = calloc((size_t)f->n_contours + 1, sizeof *e->views);
    e->order = calloc((size_t)f->n_contours + 1, sizeof *e->order);
    e->solids = calloc(scene ? (size_t)scene->n_colliders + 1 : 1, sizeof *e->solids);
    if (!e->objects || !e->x || !e->triangles || !e->contours || !e->lines || !e->points || !e->blame || !e->views ||
        !e->order || !e->solids) {
        evidence_free(e);
        return false;
    }
    marks_blame(s, f, e->blame);
    pose_solids(e, scene, time);
    find_views(e, f);
    find_order(e);
    return true;
}

void evidence_free(evidence *e)
{
    free(e->objects);
    free(e->x);
    free(e->triangles);
    free(e->blame);
    free(e->contours);
    free(e->lines);
    free(e->points);
    free(e->views);
    free(e->order);
    free(e->solids);
    *e = (evidence){0};
}

/* ---- drawing over a picture ------------------------------------------------------------------------------------ */

static void set_pixel(picture_bytes *b, int32_t x, int32_t y, picture_color c)
{
    if (x < 0 || y < 0 || x >= b->width || y >= b->height)
        return;
    uint8_t *p = b->rgb + 3 * ((int64_t)y * b->width + x);
    p[0] = (uint8_t)(255 * c.r), p[1] = (uint8_t)(255 * c.g), p[2] = (uint8_t)(255 * c.b);
}

static void draw_dot(picture_bytes *b, double x, double y, int32_t radius, picture_color c)
{
    for (int32_t j = -radius; j <= radius; j++)
        for (int32_t i = -radius; i <= radius; i++)
            if (i * i + j * j <= radius * radius)
                set_pixel(b, (int32_t)floor(x) + i, (int32_t)floor(y) + j, c);
}

static void draw_segment(picture_bytes *b, const float from[2], const float to[2], int32_t radius, picture_color c)
{
    double dx = (double)to[0] - (double)from[0], dy = (double)to[1] - (double)from[1];
    double length = ceil(fmax(fabs(dx), fabs(dy)));
    if (!(length < 20000)) /* far outside */
        return;
    int32_t n = (int32_t)length;
    for (int32_t i = 0; i <= n; i++) {
        double at = n > 0 ? (double)i / n : 0;
        draw_dot(b, (double)from[0] + at * dx, (double)from[1] + at * dy, radius, c);
    }
}

static bool project(const camera *c, const picture_camera *def, weft_vec3 x, float out[2])
{
    return camera_project(c, f3_from_double(minus(x, def->target)), &out[0], &out[1]);
}

static void draw_line(picture_bytes *b, const camera *c, const picture_camera *def, const evidence *e, int32_t line,
                      int32_t radius, picture_color color)
{
    const weft_audit_line *l = &e->lines[line];
    const weft_vec3 *x = e->points + l->first_point;
    for (int32_t i = 0; i < l->n_points - !l->closed; i++) {
        float from[2], to[2];
        if (project(c, def, x[i], from) && project(c, def, x[(i + 1) % l->n_points], to))
            draw_segment(b, from, to, radius, color);
    }
}

static void draw_number(picture_bytes *b, const float at[2], int32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    int32_t w = picture_text_width(2, text), x = (int32_t)at[0] + 12, y = (int32_t)at[1] - 26;
    for (int32_t j = -3; j < 17; j++)
        for (int32_t i = -3; i < w + 1; i++)
            set_pixel(b, x + i, y + j, paper);
    picture_text(b, x, y, 2, ink, text);
}

static void draw_ring(picture_bytes *b, const float at[2])
{
    enum { RADIUS = 13 };
    for (int32_t j = -RADIUS - 1; j <= RADIUS + 1; j++)
        for (int32_t i = -RADIUS - 1; i <= RADIUS + 1; i++) {
            double r = sqrt((double)(i * i + j * j));
            if (fabs(r - RADIUS) < 1.3)
                set_pixel(b, (int32_t)at[0] + i, (int32_t)at[1] + j, ink);
        }
}

static void draw_contour(picture_bytes *b, const camera *c, const picture_camera *def, const evidence *e,
                         int32_t contour)
{
    const weft_audit_contour *k = &e->contours[contour];
    for (int32_t i = k->first_line; i < k->first_line + k->n_lines; i++)
        draw_line(b, c, def, e, i, 2, paper);
    for (int32_t i = k->first_line; i < k->first_line + k->n_lines; i++)
        draw_line(b, c, def, e, i, 1, line_color);
}

/* Rings and numbers for the largest contours, the first of those that would cover each other. */
static void draw_numbers(picture_bytes *b, const camera *c, const picture_camera *def, const evidence *e)
{
    float drawn[NUMBERED][2];
    int32_t n = 0;
    for (int32_t i = 0; i < e->n_contours && i < NUMBERED; i++) {
        float at[2];
        bool free_place = project(c, def, e->contours[e->order[i]].centre, at);
        for (int32_t k = 0; k < n && free_place; k++)
            free_place = fabsf(at[0] - drawn[k][0]) > 30 || fabsf(at[1] - drawn[k][1]) > 24;
        if (!free_place)
            continue;
        draw_ring(b, at);
        draw_number(b, at, i + 1);
        drawn[n][0] = at[0], drawn[n++][1] = at[1];
    }
}

/* Contours, through whatever is in front of them: all, or one alone. */
static void draw_contours(picture_bytes *b, const picture_camera *def, const evidence *e, int32_t only)
{
    camera c = camera_make(def, b->width, b->height);
    if (only >= 0) {
        draw_contour(b, &c, def, e, only);
        return;
    }
    for (int32_t i = 0; i < e->n_contours; i++)
        draw_contour(b, &c, def, e, i);
    draw_numbers(b, &c, def, e);
}

/* ---- pictures -------------------------------------------------------------------------------------------------- */

static picture_scene scene_of(const evidence *e, picture_mesh *meshes, picture_color *colors)
{
    picture_scene p = picture_scene_default();
    for (int32_t i = 0; i < e->n_triangles; i++)
        colors[i] = marks_color(e->blame[i]);
    for (int32_t i = 0; i < e->n_objects; i++) {
        const subject_object *o = &e->objects[i];
        for (int32_t k = o->first_triangle; k < o->first_triangle + o->n_triangles; k++)
            if (o->is_collider && !e->blame[k])
                colors[k] = solid_color;
        meshes[i] = (picture_mesh){.positions = e->x,
                                   .n_nodes = e->n_nodes,
                                   .triangles = e->triangles + 3 * o->first_triangle,
                                   .n_triangles = o->n_triangles,
                                   .front = o->is_collider ? solid_color : calm,
                                   .back = o->is_collider ? solid_color : calm,
                                   .triangle_colors = colors + o->first_triangle};
    }
    p.meshes = meshes;
    p.n_meshes = e->n_objects;
    p.solids = e->solids;
    p.n_solids = e->n_solids;
    p.has_ground = false;
    p.camera.direction = (weft_vec3){0.5, 0.45, 1};
    return p;
}

static const char *frame_all(picture_scene *p, const evidence *e)
{
    picture_framing *framing = picture_framing_create(&p->camera, (double)WIDTH / HEIGHT);
    if (!framing)
        return "out of memory for a picture";
    picture_framing_add_cloth(framing, e->x, e->n_nodes);
    p->camera = picture_framing_camera(framing);
    picture_framing_free(framing);
    return NULL;
}

/* So near that a contour fills a third of the picture. */
static picture_camera near_camera(const picture_camera *all, const evidence *e, int32_t contour)
{
    const weft_audit_contour *c = &e->contours[contour];
    picture_camera near = *all;
    weft_vec3 size = minus(c->upper, c->lower);
    double whole = sqrt(dot(minus(all->eye, all->target), minus(all->eye, all->target)));
    double radius = fmax(0.5 * sqrt(dot(size, size)), 0.01 * whole * tan(0.0087 * all->height_angle));
    near.target = c->centre;
    double distance = 2.2 * radius / tan(all->height_angle * 0.5 * 3.14159265358979324 / 180);
    near.eye = plus(c->centre, fmin(distance, whole), e->views[contour]);
    return near;
}

/* only: the contour that is drawn; -1: all of them. */
static const char *take(picture_scene *p, const evidence *e, int32_t only, int32_t n_threads, picture_bytes *out)
{
    picture_size size = {WIDTH, HEIGHT, SAMPLES, n_threads};
    const char *trouble = picture_take(p, &size, out);
    if (!trouble)
        draw_contours(out, &p->camera, e, only);
    return trouble;
}

static const char *make_sheet(const evidence *e, int32_t n_threads, picture_scene *p, picture_bytes *out)
{
    picture_bytes images[1 + NEAR_VIEWS] = {{0}};
    picture_tile tiles[1 + NEAR_VIEWS];
    char captions[1 + NEAR_VIEWS][80];
    int32_t n = 1 + (e->n_contours < NEAR_VIEWS ? e->n_contours : NEAR_VIEWS);
    const char *trouble = frame_all(p, e);
    picture_camera all = p->camera;
    for (int32_t i = 0; i < n && !trouble; i++) {
        snprintf(captions[0], sizeof captions[0], "%d contour%s", e->n_contours, e->n_contours == 1 ? "" : "s");
        if (i > 0) {
            const weft_audit_contour *c = &e->contours[e->order[i - 1]];
            snprintf(captions[i], sizeof captions[i], "%d: %d pairs, %.3g m%s", i, c->n_pairs, c->length,
                     c->closed ? ", closed" : "");
            p->camera = near_camera(&all, e, e->order[i - 1]);
        }
        trouble = take(p, e, i > 0 ? e->order[i - 1] : -1, n_threads, &images[i]);
        tiles[i] = (picture_tile){&images[i], captions[i]};
    }
    if (!trouble)
        trouble = picture_sheet(tiles, n, n > 1 ? 2 : 1, out);
    for (int32_t i = 0; i < n; i++)
        picture_bytes_free(&images[i]);
    return trouble;
}

weft_result marks_write(const evidence *e, int32_t n_threads, const char *path, weft_error *error)
{
    picture_mesh *meshes = calloc((size_t)e->n_objects + 1, sizeof *meshes);
    picture_color *colors = calloc((size_t)e->n_triangles + 1, sizeof *colors);
    picture_bytes sheet = {0};
    const char *trouble = meshes && colors ? NULL : "out of memory for a picture";
    if (!trouble) {
        picture_scene p = scene_of(e, meshes, colors);
        trouble = make_sheet(e, n_threads, &p, &sheet);
    }
    if (!trouble)
        trouble = picture_write_png(&sheet, path);
    picture_bytes_free(&sheet);
    free(meshes);
    free(colors);
    if (!trouble)
        return WEFT_OK;
    *error = (weft_error){.code = WEFT_ERROR_FILE, .element = -1};
    snprintf(error->text, sizeof error->text, "%s", trouble);
    return WEFT_ERROR_FILE;
}
