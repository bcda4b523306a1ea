/* SPDX-License-Identifier: MIT */
/* Pictures of heaps: an object a colour, one camera for all states. */
#include "disk.h"
#include "render/picture.h"
#include "say.h"
#include "ye.h"

#include <stdlib.h>

enum { WIDTH = 620, HEIGHT = 560, SAMPLES = 9, MOST_STATES = 5 };

static const picture_color fronts[] = {{0.85f, 0.62f, 0.2f}, {0.33f, 0.58f, 0.42f}, {0.72f, 0.3f, 0.3f}};
static const picture_color back = {0.62f, 0.62f, 0.64f};

/* The triangles of an object stand together. */
static void fill_meshes(const heap *h, const weft_vec3 *x, uint8_t *lines, picture_mesh *out)
{
    for (int32_t ti = 0; ti < h->n_triangles; ti++) {
        int32_t k = h->objects[ti];
        if (ti == 0 || h->objects[ti - 1] != k)
            out[k] = (picture_mesh){.positions = x,
                                    .n_nodes = h->n_nodes,
                                    .triangles = h->triangles + 3 * (size_t)ti,
                                    .front = fronts[k % 3],
                                    .back = back,
                                    .lines = h->n_triangles < 8000 ? lines + ti : NULL,
                                    .line_width = 0.6};
        out[k].n_triangles++;
        lines[ti] = 7;
    }
}

static const char *take(const picture_scene *p, int32_t n_threads, picture_bytes *out)
{
    picture_size size = {WIDTH, HEIGHT, SAMPLES, n_threads};
    return picture_take(p, &size, out);
}

static const char *find_camera(picture_scene *p, const heap *h, const weft_vec3 *const *states, int n)
{
    picture_framing *framing = picture_framing_create(&p->camera, (double)WIDTH / HEIGHT);
    if (!framing)
        return "out of memory for a picture";
    for (int i = 0; i < n; i++)
        picture_framing_add_cloth(framing, states[i], h->n_nodes);
    p->camera = picture_framing_camera(framing);
    picture_framing_free(framing);
    return NULL;
}

static const char *make_sheet(const heap *h, const weft_vec3 *const *states, const char *const *captions, int n,
                              picture_scene *p, picture_mesh *meshes, uint8_t *lines, const bench_options *o,
                              const char *path)
{
    picture_bytes images[MOST_STATES] = {{0}}, sheet = {0};
    picture_tile tiles[MOST_STATES];
    const char *trouble = find_camera(p, h, states, n);
    for (int i = 0; i < n && !trouble; i++) {
        fill_meshes(h, states[i], lines, meshes);
        trouble = take(p, o->n_threads, &images[i]);
        tiles[i] = (picture_tile){&images[i], captions[i]};
    }
    if (!trouble)
        trouble = picture_sheet(tiles, n, n, &sheet);
    if (!trouble)
        trouble = picture_write_png(&sheet, path);
    for (int i = 0; i < n; i++)
        picture_bytes_free(&images[i]);
    picture_bytes_free(&sheet);
    return trouble;
}

bool heap_picture(const heap *h, const weft_vec3 *const *states, const char *const *captions, int n,
                  weft_vec3 direction, const bench_options *o, const char *name)
{
    picture_mesh *meshes = calloc((size_t)h->n_objects + 1, sizeof *meshes);
    uint8_t *lines = calloc((size_t)h->n_triangles + 1, 1);
    char *path = disk_join(o->folder, name);
    picture_scene p = picture_scene_default();
    weft_error e = {0};
    const char *trouble = !meshes || !lines || !path ? "out of memory for a picture" : NULL;
    p.has_ground = false;
    p.camera.direction = direction;
    p.meshes = meshes;
    p.n_meshes = h->n_objects;
    if (!trouble && disk_make_folder(o->folder, &e) < 0)
        trouble = e.text;
    if (!trouble)
        trouble = make_sheet(h, states, captions, n, &p, meshes, lines, o, path);
    if (trouble)
        say_wrong("%s: %s", name, trouble);
    free(path);
    free(lines);
    free(meshes);
    return !trouble;
}
