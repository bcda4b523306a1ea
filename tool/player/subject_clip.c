/* SPDX-License-Identifier: MIT */
#include "player/subject_clip.h"

#include "marks.h"
#include "player/found_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cloths take turns. */
static const picture_color fronts[] = {
    {0.80f, 0.62f, 0.30f}, {0.33f, 0.52f, 0.72f}, {0.42f, 0.62f, 0.42f}, {0.62f, 0.45f, 0.62f}};
static const picture_color backs[] = {
    {0.72f, 0.72f, 0.68f}, {0.66f, 0.68f, 0.70f}, {0.70f, 0.70f, 0.64f}, {0.70f, 0.66f, 0.68f}};
enum { N_COLORS = sizeof fronts / sizeof *fronts };
static const picture_color body_color = {0.58f, 0.66f, 0.74f};

/* ---- colliders that are no meshes -------------------------------------------------------------------------------- */

static picture_solid solid_at(const weft_scene *scene, int32_t collider, double time)
{
    const weft_scene_collider *from = &scene->colliders[collider];
    picture_solid s = {
        .kind = from->def.kind, .radius = from->def.radius, .height = from->def.height, .size = from->def.size};
    s.color = (picture_color){(float)from->color.r, (float)from->color.g, (float)from->color.b};
    weft_scene_collider_pose(scene, collider, time, &s.position, s.rotation);
    return s;
}

static bool is_shown(const weft_scene_collider *c)
{
    return !c->is_mesh && c->visible;
}

static bool add_solids(subject_clip *to, const weft_scene *scene)
{
    for (int32_t i = 0; scene && i < scene->n_colliders; i++) {
        if (!is_shown(&scene->colliders[i]))
            continue;
        picture_solid s = solid_at(scene, i, 0);
        if (clip_add_solid(to->c, scene->colliders[i].name, &s) < 0)
            return false;
        to->n_solids++;
    }
    return true;
}

static void pose_solids(const subject_clip *to, const weft_scene *scene, double time)
{
    for (int32_t i = 0, solid = 0; scene && i < scene->n_colliders && solid < to->n_solids; i++) {
        if (!is_shown(&scene->colliders[i]))
            continue;
        picture_solid s = solid_at(scene, i, time);
        clip_set_pose(to->c, solid++, &s);
        if (s.kind == WEFT_COLLIDER_PLANE && s.rotation[4] > 0.999)
            clip_set_ground(to->c, s.position.y);
    }
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static bool add_objects(subject_clip *to, const subject *s)
{
    to->hashes = calloc((size_t)s->n_objects + 1, sizeof *to->hashes);
    to->n_objects = s->n_objects;
    for (int32_t i = 0; to->hashes && i < s->n_objects; i++) {
        const subject_object *o = &s->objects[i];
        clip_part part = {o->name, o->is_collider, fronts[i % N_COLORS], backs[i % N_COLORS]};
        if (o->is_collider)
            part.front = part.back = body_color;
        if (clip_add_part(to->c, &part) < 0)
            return false;
    }
    return to->hashes != NULL;
}

/* FNV-1a */
static uint64_t hash_of(const int32_t *triangles, int32_t n, int32_t n_nodes)
{
    uint64_t h = 0xCBF29CE484222325 ^ (uint64_t)n_nodes;
    for (size_t i = 0; i < 3 * (size_t)n; i++)
        h = (h ^ (uint32_t)triangles[i]) * 0x100000001B3;
    return h | 1;
}

/* The lengths that sides of an object's triangles have now. NULL: out of memory. malloc'ed. */
static double *measure_sides(const subject *s, const subject_object *o)
{
    double *lengths = malloc((3 * (size_t)o->n_triangles + 1) * sizeof *lengths);
    const int32_t *t = s->triangles + 3 * (size_t)o->first_triangle;
    for (size_t k = 0; lengths && k < 3 * (size_t)o->n_triangles; k++) {
        const weft_vec3 *a = &s->x[t[k]], *b = &s->x[t[k % 3 == 2 ? k - 2 : k + 1]];
        double x = b->x - a->x, y = b->y - a->y, z = b->z - a->z;
        lengths[k] = sqrt(x * x + y * y + z * z);
    }
    return lengths;
}

static bool set_object_mesh(subject_clip *to, const subject *s, int32_t i)
{
    const subject_object *o = &s->objects[i];
    size_t n = 3 * (size_t)o->n_triangles;
    int32_t *own = malloc((n + 1) * sizeof *own);
    if (!own)
        return false;
    for (size_t k = 0; k < n; k++)
        own[k] = s->triangles[3 * (size_t)o->first_triangle + k] - o->first_node;
    uint64_t hash = hash_of(own, o->n_triangles, o->n_nodes);
    clip_mesh mesh = {.n_nodes = o->n_nodes, .n_triangles = o->n_triangles, .triangles = own};
    double *rest = to->rests_first && hash != to->hashes[i] && !o->is_collider ? measure_sides(s, o) : NULL;
    mesh.rest = rest;
    bool fine = hash == to->hashes[i] || clip_set_mesh(to->c, i, &mesh);
    to->hashes[i] = hash;
    free(rest);
    free(own);
    return fine;
}

/* ---- what was found ---------------------------------------------------------------------------------------------- */

static bool add_blame(subject_clip *to, const subject *s, const weft_audit_found *found)
{
    uint8_t *blame = calloc((size_t)s->n_triangles + 1, 1);
    bool fine = blame != NULL;
    if (fine)
        marks_blame(s, found, blame);
    for (int32_t i = 0; fine && i < s->n_objects; i++)
        fine = clip_add_blame(to->c, i, blame + s->objects[i].first_triangle, s->objects[i].n_triangles);
    free(blame);
    return fine;
}

bool subject_clip_add(subject_clip *to, const subject *s, const weft_audit_found *found, const weft_scene *scene,
                      int32_t frame, double time)
{
    bool fine = to->hashes || (add_objects(to, s) && add_solids(to, scene));
    fine = fine && s->n_objects == to->n_objects && clip_begin_frame(to->c, frame, time);
    for (int32_t i = 0; fine && i < s->n_objects; i++)
        fine = set_object_mesh(to, s, i) && clip_set_points(to->c, i, s->x + s->objects[i].first_node);
    if (fine)
        pose_solids(to, scene, time);
    return fine && (!found || (found_clip_add(to->c, found) && add_blame(to, s, found)));
}

void subject_clip_free(subject_clip *to)
{
    free(to->hashes);
    *to = (subject_clip){0};
}
