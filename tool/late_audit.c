/* SPDX-License-Identifier: MIT */
#include "late_audit.h"

#include "run_subject.h"

#include <stdlib.h>
#include <string.h>

/* What the audits of a run share. */
typedef struct auditor {
    weft_cache *cache;
    stats_table *table;
    progress *progress;
    int32_t n_threads;
} auditor;

static void put_value(stats_table *t, int32_t frame, int32_t column, double value)
{
    int32_t i = stats_find(t, column);
    if (i >= 0)
        t->values[(size_t)frame * (size_t)t->n_columns + (size_t)i] = value;
}

static weft_result audit_stored_frame(auditor *a, run_subject *s, int32_t frame, weft_error *error)
{
    double time;
    double began = progress_now();
    weft_audit_found f;
    weft_result r = run_subject_pose(s, frame, &time, error);
    if (r < 0)
        return r;
    r = subject_judge(&s->subject, time, a->n_threads, &f, error);
    bool too_many = r == WEFT_ERROR_LIMIT; /* which is an answer */
    if (r < 0 && !too_many)
        return r;
    put_value(a->table, frame, STATS_PAIRS, too_many ? (double)weft_audit_def_default().pair_limit : (double)f.n_pairs);
    put_value(a->table, frame, STATS_CONTOURS, f.n_contours);
    put_value(a->table, frame, STATS_TOO_NEAR, (double)f.n_near_triangles);
    put_value(a->table, frame, STATS_AUDIT, progress_now() - began);
    return WEFT_OK;
}

static weft_result audit_stored_frames(auditor *a, const weft_scene *scene, int32_t first, int32_t last,
                                       weft_error *error)
{
    run_subject s;
    weft_result r = run_subject_open(a->cache, scene, &s, error);
    for (int32_t i = first; i <= last && r >= 0; i++) {
        if (stats_at(a->table, i, STATS_PAIRS) >= 0)
            continue;
        r = audit_stored_frame(a, &s, i, error);
        progress_show_count(a->progress, "auditing", i + 1, a->table->n_frames);
    }
    run_subject_close(&s);
    return r;
}

/* The frames up to `last` that one scene has made. *first is 0 if that is not known. */
static weft_result audit_leg(auditor *a, int32_t last, int32_t *first, weft_error *error)
{
    char *text = NULL;
    weft_scene *scene = NULL;
    weft_error trouble;
    *first = 0;
    weft_result r = weft_cache_read_scene(a->cache, last, first, &text, &trouble);
    r = r < 0 ? r : weft_scene_parse("the scene in the cache", "/", text, strlen(text), NULL, 0, &scene, &trouble);
    r = r < 0 ? r : audit_stored_frames(a, scene, *first, last, &trouble);
    weft_scene_free(scene);
    weft_text_free(text);
    bool is_open = r < 0 && r != WEFT_ERROR_MEMORY;
    if (r < 0)
        *error = trouble;
    if (is_open)
        progress_warn(a->progress, "frames %d to %d cannot be audited: %s", *first, last, trouble.text);
    return is_open ? WEFT_OK : r;
}

static bool is_all_known(const stats_table *table)
{
    for (int32_t i = 0; i < table->n_frames; i++)
        if (!(stats_at(table, i, STATS_PAIRS) >= 0))
            return false;
    return true;
}

weft_result late_audit(weft_cache *cache, stats_table *table, int32_t n_threads, progress *p, weft_error *error)
{
    auditor a = {cache, table, p, n_threads};
    weft_result r = WEFT_OK;
    bool has_columns = stats_find(table, STATS_PAIRS) >= 0 && stats_find(table, STATS_TOO_NEAR) >= 0;
    if (!has_columns || is_all_known(table))
        return WEFT_OK;
    for (int32_t last = table->n_frames - 1, first; last >= 0 && r >= 0; last = first - 1)
        r = audit_leg(&a, last, &first, error);
    progress_end_line(p);
    return r;
}
