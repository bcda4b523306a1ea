/* SPDX-License-Identifier: MIT */
/* What a mesh is to come out of: meshes, and the colliders of a scene where they are when it begins. */
#include "untangle.h"

#include "disk.h"

#include <stdio.h>
#include <string.h>

static weft_result bad_collider(weft_error *error, const char *path, const char *name, const char *text)
{
    *error = (weft_error){.code = WEFT_ERROR_ARGUMENT, .element = -1};
    snprintf(error->text, sizeof error->text, "%.200s: %.80s%s", path, name, text);
    return WEFT_ERROR_ARGUMENT;
}

static bool is_scene_name(const char *path)
{
    return disk_ending_is(path, "yaml") || disk_ending_is(path, "yml") || disk_ending_is(path, "json");
}

static weft_result add_mesh_file(subject *s, const char *path, weft_error *error)
{
    const char *slash = strrchr(path, '/');
    weft_mesh mesh;
    weft_result r = weft_mesh_read(path, &mesh, error);
    if (r >= 0)
        r = subject_add_mesh(s, slash ? slash + 1 : path, true, &mesh, NULL, error);
    weft_mesh_free(&mesh);
    return r;
}

/* Solids that move would be elsewhere than where the repair has them. */
static weft_result add_scene_colliders(subject *s, const char *path, weft_scene **scene, weft_error *error)
{
    if (*scene)
        return bad_collider(error, path, "", "one scene is enough");
    weft_result r = weft_scene_load(path, NULL, 0, scene, error);
    int32_t object = s->n_objects;
    r = r < 0 ? r : subject_add_colliders(s, *scene, true, error);
    for (int32_t i = 0; r >= 0 && i < (*scene)->n_colliders; i++) {
        const weft_scene_collider *c = &(*scene)->colliders[i];
        if (!c->is_mesh && c->def.n_keys > 0)
            r = bad_collider(error, path, c->name, " moves; give a scene in which it stands where it is to be");
        else if (c->is_mesh && c->mesh.n_faces > 0) {
            r = weft_scene_collider_points(*scene, i, 0, subject_points(s, object), s->objects[object].n_nodes, error);
            object++;
        }
    }
    if (r >= 0 && (*scene)->n_colliders == 0)
        r = bad_collider(error, path, "", "the scene has no colliders");
    return r;
}

weft_result untangle_add_colliders(subject *s, const args_list *files, weft_scene **scene, weft_error *error)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < files->n && r >= 0; i++)
        r = is_scene_name(files->items[i]) ? add_scene_colliders(s, files->items[i], scene, error)
                                           : add_mesh_file(s, files->items[i], error);
    return r;
}
