/* SPDX-License-Identifier: MIT */
/* `weft run --audit`: every frame is put to the exact audit before it is stored, on the numbers that are stored. */
#include "session.h"

#include <stdlib.h>

static weft_result add_cloth(session *s, int32_t i, weft_error *error)
{
    weft_cloth_info info;
    weft_result r = weft_cloth_get_info(s->stage->sim, s->stage->cloths[i], &info, error);
    if (r < 0)
        return r;
    int32_t *triangles = calloc(3 * (size_t)info.n_triangles + 1, sizeof *triangles);
    if (!triangles)
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory for the audit");
    r = weft_cloth_get_triangles(s->stage->sim, s->stage->cloths[i], triangles, info.n_triangles, error);
    const weft_scene_cloth *c = &s->scene->cloths[i];
    subject_part part = {.name = c->name,
                         .n_nodes = info.n_nodes,
                         .n_triangles = info.n_triangles,
                         .triangles = triangles,
                         .thickness = subject_thickness(&c->model),
                         .filter = c->filter};
    r = r < 0 ? r : subject_add(&s->subject, &part, error);
    free(triangles);
    s->audited[i] = info.revision;
    return r;
}

static weft_result add_mesh(session *s, int32_t i, weft_error *error)
{
    weft_collider_info info;
    weft_result r = weft_collider_get_info(s->stage->sim, s->stage->colliders[i], &info, error);
    if (r < 0)
        return r;
    int32_t *triangles = calloc(3 * (size_t)info.n_triangles + 1, sizeof *triangles);
    if (!triangles)
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory for the audit");
    r = weft_collider_get_triangles(s->stage->sim, s->stage->colliders[i], triangles, info.n_triangles, error);
    const weft_scene_collider *c = &s->scene->colliders[i];
    subject_part part = {c->name, true, info.n_vertices, info.n_triangles, triangles, 0, c->filter};
    r = r < 0 ? r : subject_add(&s->subject, &part, error);
    free(triangles);
    return r;
}

static weft_result make_subject(session *s, weft_error *error)
{
    weft_result r = WEFT_OK;
    subject_free(&s->subject);
    for (int32_t i = 0; i < s->n_cloths && r >= 0; i++)
        r = add_cloth(s, i, error);
    for (int32_t i = 0; i < s->scene->n_colliders && r >= 0; i++)
        r = s->scene->colliders[i].is_mesh ? add_mesh(s, i, error) : WEFT_OK;
    return r < 0 ? r : subject_add_colliders(&s->subject, s->scene, false, error);
}

static weft_result has_changed(session *s, bool *changed, weft_error *error)
{
    *changed = !s->subject.audit;
    for (int32_t i = 0; i < s->n_cloths; i++) {
        weft_cloth_info info;
        weft_result r = weft_cloth_get_info(s->stage->sim, s->stage->cloths[i], &info, error);
        if (r < 0)
            return r;
        *changed = *changed || info.revision != s->audited[i];
    }
    return WEFT_OK;
}

/* Positions as they are in the simulation: what will be stored. */
static weft_result pose(session *s, weft_error *error)
{
    weft_result r = WEFT_OK;
    int32_t object = 0;
    for (int32_t i = 0; i < s->n_cloths && r >= 0; i++, object++)
        r = weft_cloth_get_positions(s->stage->sim, s->stage->cloths[i], subject_points(&s->subject, object),
                                     s->subject.objects[object].n_nodes, 0, error);
    for (int32_t i = 0; i < s->scene->n_colliders && r >= 0; i++)
        if (s->scene->colliders[i].is_mesh) {
            r = weft_collider_get_vertices(s->stage->sim, s->stage->colliders[i], subject_points(&s->subject, object),
                                           s->subject.objects[object].n_nodes, error);
            object++;
        }
    return r;
}

weft_result session_audit(session *s, double *columns, weft_error *error)
{
    if (!s->audit)
        return WEFT_OK;
    double began = progress_now();
    if (!s->audited && !(s->audited = calloc((size_t)s->n_cloths + 1, sizeof *s->audited)))
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory for the audit");
    bool changed;
    weft_audit_found f;
    weft_result r = has_changed(s, &changed, error);
    r = r >= 0 && changed ? make_subject(s, error) : r;
    r = r < 0 ? r : pose(s, error);
    if (r < 0)
        return r;
    r = subject_judge(&s->subject, weft_sim_time(s->stage->sim), s->n_threads, &f, error);
    bool too_many = r == WEFT_ERROR_LIMIT; /* no reason to end the run */
    if (r < 0 && !too_many)
        return r;
    columns[STATS_PAIRS] = too_many ? (double)weft_audit_def_default().pair_limit : (double)f.n_pairs;
    columns[STATS_CONTOURS] = f.n_contours;
    columns[STATS_TOO_NEAR] = (double)f.n_near_triangles;
    columns[STATS_AUDIT] = progress_now() - began;
    return WEFT_OK;
}

void session_audit_free(session *s)
{
    subject_free(&s->subject);
    free(s->audited);
    s->audited = NULL;
}
