/* SPDX-License-Identifier: MIT */
/* Frames points exactly: with t the tangent of half the angle of view, the point (x, z), x to the side and z ahead, is
 * seen from the eye (e, −d) if |x − e| ≤ (z + d) t. Over all points that asks for
 *
 *     max(x − z t) − d t  ≤  e  ≤  min(x + z t) + d t,
 *
 * which can be met from d = (max(x − z t) − min(x + z t)) / 2t on. The greater of the distances so found for width and
 * height serves both, and e is the middle of its range. So four numbers stand for any number of points of any number of
 * frames; each collider has its own four, as only the cloth's size in the end tells whether it counts. */
#include "render/solid_mesh.h"

#include <math.h>
#include <stdlib.h>

/* What a set of points asks of the camera, and its box. */
typedef struct fit {
    double most[2];  /* max(x − z t), along right and up */
    double least[2]; /* min(x + z t) */
    weft_vec3 low, high;
} fit;

struct picture_framing {
    picture_camera camera;
    weft_vec3 axes[3]; /* right, up, ahead */
    double tangent[2]; /* of half the angles of view, less the margin */
    fit cloth;
    fit *solids;
    int32_t n_solids;
};

static const fit no_fit = {.most = {-HUGE_VAL, -HUGE_VAL},
                           .least = {HUGE_VAL, HUGE_VAL},
                           .low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                           .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static double dot(weft_vec3 a, weft_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static weft_vec3 unit_or(weft_vec3 a, weft_vec3 otherwise)
{
    double l = sqrt(dot(a, a));
    return l > 1e-30 ? (weft_vec3){a.x / l, a.y / l, a.z / l} : otherwise;
}

static bool is_empty(const fit *f)
{
    return f->low.x > f->high.x;
}

static void add_box(fit *f, weft_vec3 low, weft_vec3 high)
{
    f->low = (weft_vec3){fmin(f->low.x, low.x), fmin(f->low.y, low.y), fmin(f->low.z, low.z)};
    f->high = (weft_vec3){fmax(f->high.x, high.x), fmax(f->high.y, high.y), fmax(f->high.z, high.z)};
}

static void add_points(const picture_framing *framing, fit *f, const weft_vec3 *x, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        double z = dot(x[i], framing->axes[2]);
        if (!isfinite(z))
            continue;
        add_box(f, x[i], x[i]);
        for (int k = 0; k < 2; k++) {
            double side = dot(x[i], framing->axes[k]), t = framing->tangent[k];
            f->most[k] = fmax(f->most[k], side - z * t);
            f->least[k] = fmin(f->least[k], side + z * t);
        }
    }
}

static void join(fit *f, const fit *other)
{
    for (int k = 0; k < 2; k++) {
        f->most[k] = fmax(f->most[k], other->most[k]);
        f->least[k] = fmin(f->least[k], other->least[k]);
    }
    add_box(f, other->low, other->high);
}

static double diagonal(const fit *f)
{
    weft_vec3 d = {f->high.x - f->low.x, f->high.y - f->low.y, f->high.z - f->low.z};
    return sqrt(dot(d, d));
}

static double box_distance(const fit *a, const fit *b)
{
    weft_vec3 d = {fmax(fmax(a->low.x - b->high.x, b->low.x - a->high.x), 0),
                   fmax(fmax(a->low.y - b->high.y, b->low.y - a->high.y), 0),
                   fmax(fmax(a->low.z - b->high.z, b->low.z - a->high.z), 0)};
    return sqrt(dot(d, d));
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

picture_framing *picture_framing_create(const picture_camera *camera, double aspect)
{
    picture_framing *f = malloc(sizeof *f);
    if (!f)
        return NULL;
    double t = tan(camera->height_angle * 0.5 * 3.14159265358979324 / 180) * (1 - 2 * camera->margin);
    *f = (picture_framing){.camera = *camera, .tangent = {t * aspect, t}, .cloth = no_fit};
    weft_vec3 d = camera->direction;
    weft_vec3 ahead = unit_or((weft_vec3){-d.x, -d.y, -d.z}, (weft_vec3){0, 0, -1});
    weft_vec3 right = unit_or((weft_vec3){-ahead.z, 0, ahead.x}, (weft_vec3){1, 0, 0});
    f->axes[0] = right;
    f->axes[1] = (weft_vec3){right.y * ahead.z - right.z * ahead.y, right.z * ahead.x - right.x * ahead.z,
                             right.x * ahead.y - right.y * ahead.x};
    f->axes[2] = ahead;
    return f;
}

void picture_framing_free(picture_framing *framing)
{
    if (framing)
        free(framing->solids);
    free(framing);
}

void picture_framing_add_cloth(picture_framing *framing, const weft_vec3 *positions, int32_t n_nodes)
{
    add_points(framing, &framing->cloth, positions, n_nodes);
}

static bool has_solid(picture_framing *framing, int32_t index)
{
    if (index < framing->n_solids)
        return true;
    fit *more = realloc(framing->solids, ((size_t)index + 1) * sizeof *more);
    if (!more)
        return false;
    framing->solids = more;
    while (framing->n_solids <= index)
        more[framing->n_solids++] = no_fit;
    return true;
}

const char *picture_framing_add_points(picture_framing *framing, int32_t index, const weft_vec3 *positions, int32_t n)
{
    if (index < 0)
        return "a collider's index is negative";
    if (!has_solid(framing, index))
        return "out of memory";
    add_points(framing, &framing->solids[index], positions, n);
    return NULL;
}

const char *picture_framing_add_solid(picture_framing *framing, int32_t index, const picture_solid *solid)
{
    solid_mesh mesh;
    if (!solid_mesh_make(solid, &mesh))
        return "out of memory";
    const char *fault = picture_framing_add_points(framing, index, mesh.positions, mesh.n_nodes);
    solid_mesh_free(&mesh);
    return fault;
}

const char *picture_framing_add_scene(picture_framing *framing, const picture_scene *scene)
{
    const char *fault = NULL;
    for (int32_t i = 0; i < scene->n_meshes && !fault; i++) {
        const picture_mesh *m = &scene->meshes[i];
        if (m->is_solid)
            fault = picture_framing_add_points(framing, i, m->positions, m->n_nodes);
        else
            picture_framing_add_cloth(framing, m->positions, m->n_nodes);
    }
    for (int32_t i = 0; i < scene->n_solids && !fault; i++)
        fault = picture_framing_add_solid(framing, scene->n_meshes + i, &scene->solids[i]);
    return fault;
}

/* ---- the camera -------------------------------------------------------------------------------------------------- */

static fit what_counts(const picture_framing *framing)
{
    fit all = framing->cloth;
    double size = diagonal(&framing->cloth);
    for (int32_t i = 0; i < framing->n_solids; i++) {
        const fit *s = &framing->solids[i];
        bool counts =
            is_empty(&framing->cloth) || (diagonal(s) < 3 * size && box_distance(s, &framing->cloth) < 0.5 * size);
        if (counts && !is_empty(s))
            join(&all, s);
    }
    if (is_empty(&all))
        add_points(framing, &all, (weft_vec3[]){{-1, 0, -1}, {1, 1, 1}}, 2);
    return all;
}

picture_camera picture_framing_camera(const picture_framing *framing)
{
    picture_camera camera = framing->camera;
    if (camera.given)
        return camera;
    fit all = what_counts(framing);
    double distance = -HUGE_VAL, along[3], air = 1e-3 * diagonal(&all) + 1e-6; /* the eye is not in a lone point */
    for (int k = 0; k < 2; k++) {
        distance = fmax(distance, (all.most[k] - all.least[k] + air) / (2 * framing->tangent[k]));
        along[k] = 0.5 * (all.most[k] + all.least[k]);
    }
    weft_vec3 centre = {0.5 * (all.low.x + all.high.x), 0.5 * (all.low.y + all.high.y), 0.5 * (all.low.z + all.high.z)};
    along[2] = dot(centre, framing->axes[2]);
    const weft_vec3 *a = framing->axes;
    for (int k = 0; k < 2; k++) { /* first the target, amid the scene, then the eye */
        weft_vec3 x = {along[0] * a[0].x + along[1] * a[1].x + along[2] * a[2].x,
                       along[0] * a[0].y + along[1] * a[1].y + along[2] * a[2].y,
                       along[0] * a[0].z + along[1] * a[1].z + along[2] * a[2].z};
        *(k == 0 ? &camera.target : &camera.eye) = x;
        along[2] = -distance;
    }
    camera.given = true;
    return camera;
}
