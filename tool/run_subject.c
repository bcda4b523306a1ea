/* SPDX-License-Identifier: MIT */
#include "run_subject.h"

#include <stdlib.h>

weft_result run_subject_open(weft_cache *cache, const weft_scene *scene, run_subject *out, weft_error *error)
{
    *out = (run_subject){.cache = cache, .scene = scene, .n_cloths = weft_cache_get_info(cache).n_cloths, .only = -1};
    out->topologies = calloc((size_t)out->n_cloths + 1, sizeof *out->topologies);
    if (out->topologies)
        return WEFT_OK;
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory for the audit"};
    return WEFT_ERROR_MEMORY;
}

void run_subject_close(run_subject *s)
{
    subject_free(&s->subject);
    free(s->topologies);
    *s = (run_subject){0};
}

static bool is_wanted(const run_subject *s, int32_t cloth)
{
    return s->only < 0 || s->only == cloth;
}

static weft_result make_subject(run_subject *s, weft_error *error)
{
    weft_result r = WEFT_OK;
    subject_free(&s->subject);
    for (int32_t i = 0; i < s->n_cloths && r >= 0; i++) {
        const weft_topology *t = s->topologies[i];
        if (!is_wanted(s, i))
            continue;
        const weft_scene_cloth *known = s->scene && i < s->scene->n_cloths ? &s->scene->cloths[i] : NULL;
        subject_part part = {.name = weft_cache_cloth_name(s->cache, i),
                             .n_nodes = t->n_nodes,
                             .n_triangles = t->n_triangles,
                             .triangles = t->triangles,
                             .thickness = known ? subject_thickness(&known->model) : 0,
                             .filter = known ? known->filter : weft_filter_default()};
        r = subject_add(&s->subject, &part, error);
    }
    r = r < 0 ? r : subject_add_colliders(&s->subject, s->scene, true, error);
    return r < 0 || !s->extend ? r : s->extend(s->user, &s->subject, error);
}

static weft_result set_topologies(run_subject *s, int32_t frame, weft_error *error)
{
    bool changed = s->subject.n_objects == 0;
    for (int32_t i = 0; i < s->n_cloths; i++) {
        const weft_topology *t;
        weft_result r = weft_cache_get_topology(s->cache, frame, i, &t, error);
        if (r < 0)
            return r;
        changed = changed || t != s->topologies[i];
        s->topologies[i] = t;
    }
    return changed ? make_subject(s, error) : WEFT_OK;
}

weft_result run_subject_pose(run_subject *s, int32_t frame, double *time, weft_error *error)
{
    weft_result r = set_topologies(s, frame, error);
    r = r < 0 ? r : weft_cache_read_head(s->cache, frame, time, NULL, NULL, error);
    for (int32_t i = 0, object = 0; i < s->n_cloths && r >= 0; i++)
        if (is_wanted(s, i))
            r = weft_cache_read_positions(s->cache, frame, i, subject_points(&s->subject, object++),
                                          s->topologies[i]->n_nodes, error);
    return r < 0 ? r : subject_pose_colliders(&s->subject, s->scene, *time, error);
}
