/* SPDX-License-Identifier: MIT */
/* The motion of garments as a cache, motion.weft, that `weft export` and `weft render` read. */
#include "contacts.h"
#include "disk.h"
#include "wear.h"

#include <stdio.h>
#include <stdlib.h>

static weft_result fill(const wear *w, weft_cloth_id cloth, const weft_cloth_info *info, int32_t *triangles,
                        double *rest, weft_error *error)
{
    weft_result r = weft_cloth_get_triangles(w->sim, cloth, triangles, info->n_triangles, error);
    return r < 0 ? r : weft_cloth_get_rest_lengths(w->sim, cloth, rest, info->n_triangles, error);
}

/* Faces are the triangles as drawn. */
static weft_result add_topology(wear *w, int32_t i, weft_error *error)
{
    weft_cloth_info info;
    weft_result r = weft_cloth_get_info(w->sim, w->garments[i].cloth, &info, error);
    if (r < 0)
        return r;
    size_t n = (size_t)info.n_triangles;
    int32_t *triangles = malloc(3 * n * sizeof *triangles), *start = malloc((n + 1) * sizeof *start);
    double *rest = malloc(3 * n * sizeof *rest);
    if (triangles && start && rest)
        r = fill(w, w->garments[i].cloth, &info, triangles, rest, error);
    else {
        *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
        r = WEFT_ERROR_MEMORY;
    }
    for (size_t k = 0; r >= 0 && k <= n; k++)
        start[k] = (int32_t)(3 * k);
    weft_topology t = {.cloth = i,
                       .revision = info.revision,
                       .n_nodes = info.n_nodes,
                       .n_triangles = info.n_triangles,
                       .triangles = triangles,
                       .rest_lengths = rest,
                       .n_faces = info.n_triangles,
                       .face_start = start,
                       .corners = triangles};
    r = r < 0 ? r : weft_cache_add_topology(w->writer, &t, error);
    w->recorded[i] = info.revision;
    free(triangles);
    free(start);
    free(rest);
    return r;
}

weft_result wear_record_begin(wear *w, const char *folder, weft_error *error)
{
    const char *names[WEAR_MOST];
    for (int32_t i = 0; i < w->n_garments; i++)
        names[i] = w->garments[i].name;
    weft_cache_def def = weft_cache_def_default();
    def.fps = w->def.motion_fps;
    def.n_cloths = w->n_garments;
    def.cloth_names = names;
    char *path = disk_join(folder, "motion.weft");
    remove(path);
    weft_result r = weft_cache_create(path, &def, &w->writer, error);
    free(path);
    for (int32_t i = 0; r >= 0 && i < w->n_garments; i++)
        r = add_topology(w, i, error);
    return r;
}

weft_result wear_record_frame(wear *w, weft_error *error)
{
    wear_mesh m;
    weft_result r = WEFT_OK;
    for (int32_t i = 0; r >= 0 && i < w->n_garments; i++) {
        weft_cloth_info info;
        r = weft_cloth_get_info(w->sim, w->garments[i].cloth, &info, error);
        if (r >= 0 && info.revision != w->recorded[i])
            r = add_topology(w, i, error);
    }
    r = r < 0 ? r : wear_mesh_get(w, &m, error);
    if (r < 0)
        return r;
    const weft_vec3 *positions[WEAR_MOST];
    weft_cloth_id cloths[WEAR_MOST];
    contacts c;
    for (int32_t i = 0; i < w->n_garments; i++)
        positions[i] = m.positions + m.first_node[i], cloths[i] = w->garments[i].cloth;
    weft_cache_frame f = {.time = w->n_recorded++ / w->def.motion_fps, .hash = weft_sim_hash(w->sim)};
    f.positions = positions;
    r = contacts_get(w->sim, cloths, w->n_garments, &c, error);
    f.contacts = c.of;
    r = r < 0 ? r : weft_cache_add_frame(w->writer, &f, error);
    contacts_free(&c);
    wear_mesh_free(&m);
    return r;
}

weft_result wear_record_end(wear *w, weft_error *error)
{
    weft_cache_writer *writer = w->writer;
    w->writer = NULL;
    return weft_cache_close(writer, error);
}
