/* SPDX-License-Identifier: MIT */
#include "untangle.h"

#include "marks.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 800, HEIGHT = 720, SAMPLES = 9 };

static const picture_color solid_color = {0.58f, 0.66f, 0.74f};

static void fill_meshes(const subject *s, const weft_vec3 *x, const uint8_t *blame, picture_mesh *meshes,
                        picture_color *colors, uint8_t *lines)
{
    for (int32_t i = 0; i < s->n_triangles; i++) {
        colors[i] = s->is_collider[s->triangle_object[i]] && !blame[i] ? solid_color : marks_color(blame[i]);
        lines[i] = 7;
    }
    for (int32_t i = 0; i < s->n_objects; i++) {
        const subject_object *o = &s->objects[i];
        meshes[i] = (picture_mesh){.positions = x,
                                   .n_nodes = s->n_nodes,
                                   .triangles = s->triangles + 3 * (size_t)o->first_triangle,
                                   .n_triangles = o->n_triangles,
                                   .triangle_colors = colors + o->first_triangle,
                                   .is_solid = o->is_collider,
                                   .lines = o->is_collider ? NULL : lines + o->first_triangle,
                                   .line_width = 0.6};
    }
}

/* Returns how many. */
static int32_t fill_solids(const weft_scene *scene, picture_solid *solids)
{
    int32_t n = 0;
    for (int32_t i = 0; scene && i < scene->n_colliders; i++) {
        const weft_collider_def *d = &scene->colliders[i].def;
        if (scene->colliders[i].is_mesh || !scene->colliders[i].visible)
            continue;
        solids[n] = (picture_solid){.kind = d->kind, .radius = d->radius, .height = d->height, .size = d->size};
        solids[n].color = solid_color;
        weft_scene_collider_pose(scene, i, 0, &solids[n].position, solids[n].rotation);
        n++;
    }
    return n;
}

static const char *take(picture_scene *p, int32_t n_threads, picture_bytes *out)
{
    picture_size size = {WIDTH, HEIGHT, SAMPLES, n_threads};
    return picture_take(p, &size, out);
}

/* One camera for both: it sees the cloth before and after. */
static const char *find_camera(picture_scene *p, const subject *s, const weft_vec3 *const x[2])
{
    p->has_ground = false;
    p->camera.direction = (weft_vec3){0.55, 0.5, 1};
    picture_framing *framing = picture_framing_create(&p->camera, (double)WIDTH / HEIGHT);
    if (!framing)
        return "out of memory for a picture";
    int32_t n = s->n_objects > 0 ? s->objects[0].n_nodes : 0; /* the mesh; colliders may be far larger */
    for (int i = 0; i < 2; i++)
        picture_framing_add_cloth(framing, x[i], n);
    p->camera = picture_framing_camera(framing);
    picture_framing_free(framing);
    return NULL;
}

weft_result untangle_picture(const subject *s, const weft_scene *scene, const weft_vec3 *const x[2],
                             uint8_t *const blame[2], const char *const captions[2], int32_t n_threads,
                             const char *path, weft_error *error)
{
    picture_mesh *meshes = calloc((size_t)s->n_objects + 1, sizeof *meshes);
    picture_color *colors = calloc((size_t)s->n_triangles + 1, sizeof *colors);
    uint8_t *lines = calloc((size_t)s->n_triangles + 1, 1);
    picture_solid *solids = calloc((size_t)s->n_solids + 1, sizeof *solids);
    picture_bytes images[2] = {{0}}, sheet = {0};
    picture_scene p = picture_scene_default();
    picture_tile tiles[2];
    const char *trouble = meshes && colors && lines && solids ? find_camera(&p, s, x) : "out of memory for a picture";
    p.meshes = meshes;
    p.n_meshes = s->n_objects;
    p.solids = solids;
    p.n_solids = solids ? fill_solids(scene, solids) : 0;
    for (int i = 0; i < 2 && !trouble; i++) {
        fill_meshes(s, x[i], blame[i], meshes, colors, lines);
        trouble = take(&p, n_threads, &images[i]);
        tiles[i] = (picture_tile){&images[i], captions[i]};
    }
    if (!trouble)
        trouble = picture_sheet(tiles, 2, 2, &sheet);
    if (!trouble)
        trouble = picture_write_png(&sheet, path);
    for (int i = 0; i < 2; i++)
        picture_bytes_free(&images[i]);
    picture_bytes_free(&sheet);
    free(meshes);
    free(colors);
    free(lines);
    free(solids);
    if (!trouble)
        return WEFT_OK;
    *error = (weft_error){.code = WEFT_ERROR_FILE, .element = -1};
    snprintf(error->text, sizeof error->text, "%s", trouble);
    return WEFT_ERROR_FILE;
}
