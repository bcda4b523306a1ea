/* SPDX-License-Identifier: MIT */
#include "subject.h"

#include "disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static weft_result no_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory for the audit"};
    return WEFT_ERROR_MEMORY;
}

/* *p with room for n items; true if that worked. */
static bool grow(void **p, int64_t n, size_t size)
{
    void *q = realloc(*p, ((size_t)n + 1) * size);
    if (q)
        *p = q;
    return q != NULL;
}

static bool make_room(subject *s, int64_t n_nodes, int64_t n_triangles)
{
    return grow((void **)&s->objects, s->n_objects + 1, sizeof *s->objects) &&
           grow((void **)&s->thickness, s->n_objects + 1, sizeof *s->thickness) &&
           grow((void **)&s->is_collider, s->n_objects + 1, sizeof *s->is_collider) &&
           grow((void **)&s->filters, s->n_objects + 1, sizeof *s->filters) &&
           grow((void **)&s->x, s->n_nodes + n_nodes, sizeof *s->x) &&
           grow((void **)&s->triangles, 3 * (s->n_triangles + n_triangles), sizeof *s->triangles) &&
           grow((void **)&s->triangle_object, s->n_triangles + n_triangles, sizeof *s->triangle_object);
}

weft_result subject_add(subject *s, const subject_part *part, weft_error *error)
{
    int32_t n_nodes = part->n_nodes, n_triangles = part->n_triangles;
    if ((int64_t)s->n_nodes + n_nodes > INT32_MAX || (int64_t)s->n_triangles + n_triangles > INT32_MAX / 3) {
        *error = (weft_error){.code = WEFT_ERROR_LIMIT, .element = -1, .text = "too many triangles for one audit"};
        return WEFT_ERROR_LIMIT;
    }
    if (!make_room(s, n_nodes, n_triangles))
        return no_memory(error);
    s->objects[s->n_objects] =
        (subject_object){disk_copy(part->name), part->is_collider, s->n_nodes, n_nodes, s->n_triangles, n_triangles};
    s->thickness[s->n_objects] = part->thickness;
    s->is_collider[s->n_objects] = part->is_collider;
    s->filters[s->n_objects] = part->filter;
    memset(s->x + s->n_nodes, 0, (size_t)n_nodes * sizeof *s->x);
    for (int32_t i = 0; i < 3 * n_triangles; i++)
        s->triangles[3 * s->n_triangles + i] = s->n_nodes + part->triangles[i];
    for (int32_t i = 0; i < n_triangles; i++)
        s->triangle_object[s->n_triangles + i] = s->n_objects;
    s->n_nodes += n_nodes;
    s->n_triangles += n_triangles;
    s->n_objects++;
    return WEFT_OK;
}

static weft_result add_filtered_mesh(subject *s, const char *name, bool is_collider, weft_filter filter,
                                     const weft_mesh *mesh, int32_t **faces, weft_error *error)
{
    int64_t n_corners = mesh->face_start[mesh->n_faces], most = n_corners - 2 * (int64_t)mesh->n_faces;
    int32_t *triangles = calloc((size_t)(3 * most) + 1, sizeof *triangles);
    int32_t *face = calloc((size_t)most + 1, sizeof *face);
    weft_result r = triangles && face ? WEFT_OK : no_memory(error);
    if (r >= 0) {
        int32_t n = weft_mesh_triangulate(mesh, triangles, face);
        subject_part part = {name, is_collider, mesh->n_nodes, n, triangles, 0, filter};
        r = subject_add(s, &part, error);
    }
    if (r >= 0 && mesh->n_nodes > 0)
        memcpy(subject_points(s, s->n_objects - 1), mesh->positions, (size_t)mesh->n_nodes * sizeof *mesh->positions);
    free(triangles);
    if (r >= 0 && faces)
        *faces = face;
    else
        free(face);
    return r;
}

weft_result subject_add_mesh(subject *s, const char *name, bool is_collider, const weft_mesh *mesh, int32_t **faces,
                             weft_error *error)
{
    return add_filtered_mesh(s, name, is_collider, weft_filter_default(), mesh, faces, error);
}

static weft_result add_solid(subject *s, const weft_scene_collider *c, weft_error *error)
{
    if (!grow((void **)&s->solids, s->n_solids + 1, sizeof *s->solids) ||
        !grow((void **)&s->solid_filters, s->n_solids + 1, sizeof *s->solid_filters) ||
        !grow((void **)&s->solid_names, s->n_solids + 1, sizeof *s->solid_names))
        return no_memory(error);
    s->solids[s->n_solids] = c->def;
    s->solid_filters[s->n_solids] = c->filter;
    s->solid_names[s->n_solids++] = c->name;
    return WEFT_OK;
}

weft_result subject_add_colliders(subject *s, const weft_scene *scene, bool meshes, weft_error *error)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; scene && r >= 0 && i < scene->n_colliders; i++) {
        const weft_scene_collider *c = &scene->colliders[i];
        if (!c->is_mesh)
            r = add_solid(s, c, error);
        else if (meshes && c->mesh.n_faces > 0)
            r = add_filtered_mesh(s, c->name, true, c->filter, &c->mesh, NULL, error);
    }
    return r;
}

/* As the simulation does: the sum's last bit is worth 2^(scale − 32). */
static double snap(double x, int32_t world_scale)
{
    volatile double big = 1.5 * (double)(INT64_C(1) << (20 + world_scale));
    volatile double sum = x + big;
    return sum - big;
}

weft_result subject_pose_colliders(subject *s, const weft_scene *scene, double time, weft_error *error)
{
    int32_t object = 0;
    while (object < s->n_objects && !s->is_collider[object])
        object++;
    for (int32_t i = 0; scene && i < scene->n_colliders; i++) {
        if (!scene->colliders[i].is_mesh || scene->colliders[i].mesh.n_faces == 0)
            continue;
        weft_vec3 *x = subject_points(s, object);
        int32_t n = s->objects[object++].n_nodes;
        weft_result r = weft_scene_collider_points(scene, i, time, x, n, error);
        if (r < 0)
            return r;
        for (int32_t vi = 0; vi < n; vi++) {
            x[vi].x = snap(x[vi].x, scene->sim.world_scale);
            x[vi].y = snap(x[vi].y, scene->sim.world_scale);
            x[vi].z = snap(x[vi].z, scene->sim.world_scale);
        }
    }
    return WEFT_OK;
}

weft_vec3 *subject_points(subject *s, int32_t object)
{
    return s->x + s->objects[object].first_node;
}

static weft_audit_def def_of(const subject *s, int32_t n_threads)
{
    weft_audit_def d = weft_audit_def_default();
    d.n_nodes = s->n_nodes;
    d.positions = s->x;
    d.n_triangles = s->n_triangles;
    d.triangles = s->triangles;
    d.objects = s->triangle_object;
    d.n_objects = s->n_objects > 0 ? s->n_objects : 1;
    d.object_is_collider = s->n_objects > 0 ? s->is_collider : NULL;
    d.thickness = s->n_objects > 0 ? s->thickness : NULL;
    d.object_filters = s->n_objects > 0 ? s->filters : NULL;
    d.collider_filters = s->solid_filters;
    d.colliders = s->solids;
    d.n_colliders = s->n_solids;
    d.n_threads = n_threads;
    return d;
}

weft_result subject_judge(subject *s, double time, int32_t n_threads, weft_audit_found *out, weft_error *error)
{
    weft_result r = WEFT_OK;
    *out = (weft_audit_found){0};
    if (!s->audit) {
        weft_audit_def d = def_of(s, n_threads);
        r = weft_audit_create(&d, &s->audit, error);
    }
    if (r >= 0)
        r = weft_audit_run(s->audit, s->x, time, error);
    if (r >= 0)
        *out = weft_audit_get(s->audit);
    return r;
}

void subject_free(subject *s)
{
    for (int32_t i = 0; i < s->n_objects; i++)
        free(s->objects[i].name);
    weft_audit_destroy(s->audit);
    free(s->objects);
    free(s->thickness);
    free(s->is_collider);
    free(s->filters);
    free(s->x);
    free(s->triangles);
    free(s->triangle_object);
    free(s->solids);
    free(s->solid_filters);
    free(s->solid_names);
    *s = (subject){0};
}

int64_t subject_faults(const weft_audit_found *f)
{
    return f->n_pairs + f->n_near_triangles;
}

double subject_thickness(const weft_cloth_model *model)
{
    weft_fabric standard = weft_fabric_default();
    double least = model->n_fabrics > 0 ? model->fabrics[0].thickness : standard.thickness;
    for (int32_t i = 1; i < model->n_fabrics; i++)
        least = model->fabrics[i].thickness < least ? model->fabrics[i].thickness : least;
    return least;
}
