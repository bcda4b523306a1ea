/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
/* Keeps what a repair goes through as a run, which `weft view`, `render`, `info` and `export` show like any other. Its
 * scene names the mesh and the colliders that are meshes; how many frames there are is known at the end only. */
#include "untangle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FPS = 30 };

static weft_result out_of_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
    return WEFT_ERROR_MEMORY;
}

static void add_scene_text(const untangle_frames *f, int32_t n_frames, page *p)
{
    page_add(
        p, "# The course of a repair by weft untangle: not to be run.\nname: repair\ncloths:\n  cloth: {mesh: {file: ");
    page_add_json(p, f->cloth);
    page_add(p, "}}\n");
    for (int32_t i = 0, n = 0; i < f->colliders->n; i++) {
        char *path = disk_is_folder(f->colliders->items[i]) ? NULL : realpath(f->colliders->items[i], NULL);
        if (path && !disk_ending_is(path, "yaml") && !disk_ending_is(path, "yml") && !disk_ending_is(path, "json")) {
            page_add(p, "%s  collider_%d: {shape: mesh, file: ", n == 0 ? "colliders:\n" : "", n + 1);
            n++;
            page_add_json(p, path);
            page_add(p, "}\n");
        }
        free(path);
    }
    page_add(p, "output: {fps: %d, frames: %d}\n", FPS, n_frames);
}

static double side_length(const subject *s, size_t k)
{
    weft_vec3 a = s->x[s->triangles[k]], b = s->x[s->triangles[k % 3 == 2 ? k - 2 : k + 1]];
    return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y) + (b.z - a.z) * (b.z - a.z));
}

/* The mesh is the subject's first object; as it is now it is at rest. */
static weft_result add_cloth_mesh(untangle_frames *f, const subject *s, const weft_mesh *mesh, weft_error *error)
{
    size_t n = 3 * (size_t)s->objects[0].n_triangles;
    double *rest = malloc((n + 1) * sizeof *rest);
    if (!rest)
        return out_of_memory(error);
    for (size_t k = 0; k < n; k++)
        rest[k] = side_length(s, k);
    weft_topology t = {.n_nodes = mesh->n_nodes,
                       .n_triangles = s->objects[0].n_triangles,
                       .triangles = s->triangles,
                       .rest_lengths = rest,
                       .n_faces = mesh->n_faces,
                       .face_start = mesh->face_start,
                       .corners = mesh->corners};
    weft_result r = weft_cache_add_topology(f->writer, &t, error);
    free(rest);
    return r;
}

static weft_result open_folder(untangle_frames *f, const char *folder, bool force, weft_error *error)
{
    f->folder = run_folder_name(folder);
    if (run_folder_has_run(&f->folder) && !force) {
        *error = (weft_error){.code = WEFT_ERROR_EXISTS, .element = -1};
        snprintf(error->text, sizeof error->text, "%.400s has a run already; replace it with --force", folder);
        return WEFT_ERROR_EXISTS;
    }
    weft_result r = run_folder_lock(&f->folder, error);
    return r < 0 || !force ? r : run_folder_clear(&f->folder, error);
}

weft_result untangle_frames_begin(untangle_frames *f, const char *folder, bool force, const char *in,
                                  const args_list *colliders, const subject *s, const weft_mesh *mesh,
                                  weft_error *error)
{
    static const char *const names[] = {"cloth"};
    page text = {0};
    *f = (untangle_frames){.folder.lock = -1, .colliders = colliders, .cloth = realpath(in, NULL)};
    weft_result r = f->cloth ? open_folder(f, folder, force, error) : out_of_memory(error);
    weft_cache_def d = weft_cache_def_default();
    add_scene_text(f, 1, &text);
    d.fps = FPS;
    d.n_cloths = 1;
    d.cloth_names = names;
    d.scene = page_text(&text);
    r = r < 0 ? r : weft_cache_create(f->folder.cache, &d, &f->writer, error);
    r = r < 0 ? r : add_cloth_mesh(f, s, mesh, error);
    page_free(&text);
    return r;
}

void untangle_frames_add(void *user, int32_t iteration, const weft_vec3 *positions)
{
    untangle_frames *f = user;
    (void)iteration;
    if (!f->writer || f->result < 0)
        return;
    weft_cache_frame frame = {.time = (double)f->n / FPS, .positions = &positions};
    f->result = weft_cache_add_frame(f->writer, &frame, &f->error);
    f->n += f->result >= 0;
}

weft_result untangle_frames_end(untangle_frames *f, weft_error *error)
{
    page text = {0};
    if (!f->writer)
        return WEFT_OK;
    weft_result r = weft_cache_close(f->writer, error);
    f->writer = NULL;
    if (f->result < 0) {
        *error = f->error;
        r = f->result;
    }
    add_scene_text(f, f->n - 1, &text);
    r = r < 0 ? r : disk_write(f->folder.scene, page_text(&text), text.n, true, error);
    page_free(&text);
    return r;
}

void untangle_frames_free(untangle_frames *f)
{
    weft_error unused;
    if (f->writer)
        weft_cache_close(f->writer, &unused);
    run_folder_free(&f->folder);
    free(f->cloth);
}
