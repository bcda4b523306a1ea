/* SPDX-License-Identifier: MIT */
/* Scenes: loading, freeing, and where colliders are. */
#include "io/file.h"
#include "io/heap.h"
#include "io/scene/scene_inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* "scenes/ball.yaml" → "ball". */
static const char *name_of_file(scene_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    return scene_arena_text(a, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static weft_result read_tree(scene_reader *r, const void *bytes, size_t size, tree_node **root)
{
    weft_result result = tree_parse(r->arena, r->source, 0, bytes, size, root, r->error);
    for (int32_t i = 1; result == WEFT_OK && i <= r->source->n_sets; i++)
        result = tree_set(r->arena, r->source, i, root, r->error);
    return result;
}

static weft_result fill_scene(scene_reader *r, scene_inside *in, const void *bytes, size_t size, weft_scene *s)
{
    tree_node *root = NULL;
    weft_result result = read_tree(r, bytes, size, &root);
    if (result == WEFT_OK)
        result = scene_read(r, root);
    if (result == WEFT_OK)
        result = scene_fill(r, in, s);
    if (result < 0)
        return result;
    if (!in->draft.name.text)
        in->draft.name.text = name_of_file(&in->arena, s->path);
    s->name = in->draft.name.text;
    return s->name ? WEFT_OK : fault_memory(r->error);
}

static weft_scene *make_scene(const char *name, const char *folder, scene_inside **inside)
{
    weft_scene *s = heap_array(1, sizeof *s);
    scene_inside *in = heap_array(1, sizeof *in);
    *inside = in;
    if (s)
        s->inside = in;
    if (s && in) {
        s->path = scene_arena_text(&in->arena, name, strlen(name));
        in->folder = folder ? scene_arena_text(&in->arena, folder, strlen(folder)) : NULL;
    }
    if (s && in && s->path && (in->folder || !folder))
        return s;
    if (s)
        weft_scene_free(s);
    else
        free(in);
    return NULL;
}

weft_result weft_scene_parse(const char *name, const char *folder, const void *bytes, size_t size,
                             const char *const *sets, int32_t n_sets, weft_scene **out, weft_error *e)
{
    if (!name || !out || (size > 0 && !bytes) || n_sets < 0 || (n_sets > 0 && !sets))
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_scene_parse needs a name, bytes and a place for the scene");
    *out = NULL;
    scene_inside *in;
    weft_scene *s = make_scene(name, folder, &in);
    if (!s)
        return fault_memory(e);
    tree_source source = {name, sets, n_sets};
    scene_reader r = {&in->arena, &source, &in->draft, e};
    weft_result result = fill_scene(&r, in, bytes, size, s);
    if (result < 0)
        weft_scene_free(s);
    else
        *out = s;
    return result;
}

weft_result weft_scene_load(const char *path, const char *const *sets, int32_t n_sets, weft_scene **out, weft_error *e)
{
    if (!path || !out)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_scene_load needs a path and a place for the scene");
    *out = NULL;
    char *bytes, *folder = file_beside(path, "");
    size_t size;
    if (!folder)
        return fault_memory(e);
    weft_result result = file_read(path, &bytes, &size, e);
    if (result == WEFT_OK)
        result = weft_scene_parse(path, folder, bytes, size, sets, n_sets, out, e);
    free(bytes);
    free(folder);
    return result;
}

void weft_scene_free(weft_scene *s)
{
    if (!s)
        return;
    scene_inside *in = s->inside;
    for (int32_t i = 0; i < s->n_cloths; i++)
        weft_mesh_free(&s->cloths[i].mesh);
    for (int32_t i = 0; i < s->n_colliders; i++) {
        weft_mesh_free(&s->colliders[i].mesh);
        weft_motion_close(s->colliders[i].motion);
    }
    if (in)
        scene_arena_free(&in->arena);
    free(in);
    free(s);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

weft_result weft_scene_resolve(const weft_scene *s, char **out, weft_error *e)
{
    if (!s || !out)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_scene_resolve needs a scene and a place for the text");
    return scene_write(s, false, out, e);
}

weft_result weft_scene_resolve_json(const weft_scene *s, char **out, weft_error *e)
{
    if (!s || !out)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_scene_resolve_json needs a scene and a place for the text");
    return scene_write(s, true, out, e);
}

weft_result weft_scene_schema(char **out, weft_error *e)
{
    return out ? schema_json(out, e) : fault(e, WEFT_ERROR_ARGUMENT, "weft_scene_schema needs a place for the text");
}

weft_result weft_scene_reference(char **out, weft_error *e)
{
    return out ? schema_page(out, e) : fault(e, WEFT_ERROR_ARGUMENT, "weft_scene_reference needs a place for the text");
}

void weft_text_free(char *t)
{
    free(t);
}

/* ---- colliders in time ------------------------------------------------------------------------------------------- */

void weft_scene_collider_pose(const weft_scene *s, int32_t collider, double time, weft_vec3 *position,
                              double rotation[9])
{
    const weft_collider_def *d = &s->colliders[collider].def;
    weft_key still = {.position = d->position, .rotation = d->rotation};
    weft_keys_at(d->n_keys > 0 ? d->keys : &still, d->n_keys > 0 ? d->n_keys : 1, time, position, rotation, NULL);
}

weft_result weft_scene_collider_points(const weft_scene *s, int32_t collider, double time, weft_vec3 *out, int32_t n,
                                       weft_error *e)
{
    if (!s || collider < 0 || collider >= s->n_colliders || !s->colliders[collider].is_mesh)
        return fault(e, WEFT_ERROR_INDEX, "the scene has no mesh collider %d", collider);
    const weft_scene_collider *c = &s->colliders[collider];
    if (!out || n != c->mesh.n_nodes)
        return fault(e, WEFT_ERROR_ARGUMENT, "collider '%s' has %d points, there is room for %d", c->name,
                     c->mesh.n_nodes, out ? n : 0);
    weft_result result = WEFT_OK;
    if (c->motion)
        result = weft_motion_sample(c->motion, time, out, n, e);
    else if (n > 0)
        memcpy(out, c->mesh.positions, (size_t)n * sizeof *out);
    if (result < 0)
        return result;
    double rotation[9];
    weft_vec3 position;
    weft_scene_collider_pose(s, collider, time, &position, rotation);
    for (int32_t i = 0; i < n; i++)
        out[i] = scene_move(rotation, position, scene_to_file_frame(&c->transform, out[i]));
    return WEFT_OK;
}
