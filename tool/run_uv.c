/* SPDX-License-Identifier: MIT */
#include "run_uv.h"

#include <stdlib.h>

weft_stage *run_uv_stage(const weft_scene *scene, int32_t n_cloths)
{
    weft_error ignored;
    weft_stage *stage = NULL;
    if (!scene || scene->n_cloths != n_cloths || weft_stage_create(scene, NULL, &stage, &ignored) < 0)
        return NULL;
    return stage;
}

weft_vec2 *run_uv_find(weft_stage *stage, const weft_scene *scene, int32_t cloth, const weft_topology *t)
{
    const weft_scene_cloth *from = stage ? &scene->cloths[cloth] : NULL;
    weft_vec2 *uv =
        from && (from->is_grid || from->rest == WEFT_REST_UV) ? calloc((size_t)t->n_nodes + 1, sizeof *uv) : NULL;
    weft_error ignored;
    weft_cloth_info info;
    if (!uv)
        return NULL;
    weft_cloth_id id = stage->cloths[cloth];
    bool shaped = !t->shape || weft_cloth_set_shape(stage->sim, id, t->shape, t->shape_size, &ignored) >= 0;
    if (shaped && weft_cloth_get_info(stage->sim, id, &info, &ignored) >= 0 && info.n_nodes == t->n_nodes &&
        weft_cloth_get_uv(stage->sim, id, uv, t->n_nodes, &ignored) >= 0)
        return uv;
    free(uv);
    return NULL;
}
