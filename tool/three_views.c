/* SPDX-License-Identifier: MIT */
#include "three_views.h"

static const char *one_view(const picture_mesh *meshes, int32_t n_meshes, weft_vec3 direction, picture_bytes *out)
{
    picture_scene scene = picture_scene_default();
    picture_size size = picture_size_default();
    scene.meshes = meshes;
    scene.n_meshes = n_meshes;
    scene.has_ground = false;
    scene.sun = (weft_vec3){0.5 * direction.z + 0.6 * direction.x, 1.1, 0.8 * direction.z - 0.4 * direction.x};
    scene.camera.direction = direction;
    size.width = 480;
    size.height = 840;
    size.n_samples = 8;
    return picture_take(&scene, &size, out);
}

const char *three_views(const char *path, const picture_mesh *meshes, int32_t n_meshes, const picture_legend *legend)
{
    const weft_vec3 directions[3] = {{0, 0.1, 1}, {1, 0.1, 0}, {0, 0.1, -1}};
    static const char *const names[3] = {"front", "left", "back"};
    picture_bytes views[3] = {{0}}, sheet = {0};
    picture_tile tiles[3];
    const char *wrong = NULL;
    for (int i = 0; i < 3; i++) {
        wrong = wrong ? wrong : one_view(meshes, n_meshes, directions[i], &views[i]);
        tiles[i] = (picture_tile){&views[i], names[i]};
    }
    if (!wrong && legend)
        picture_draw_legend(&views[0], legend);
    wrong = wrong ? wrong : picture_sheet(tiles, 3, 3, &sheet);
    wrong = wrong ? wrong : picture_write_png(&sheet, path);
    for (int i = 0; i < 3; i++)
        picture_bytes_free(&views[i]);
    picture_bytes_free(&sheet);
    return wrong;
}
