/* SPDX-License-Identifier: MIT */
/* The report of a repair: a player with before and after, and what the repair says of itself. */
#include "untangle.h"

#include "disk.h"
#include "report/report.h"

#include <stdlib.h>

bool untangle_note(subject_clip *to, const subject *s, const weft_scene *scene, const weft_audit_found *found,
                   int32_t when)
{
    static const char *const states[] = {"before", "after", NULL};
    if (!to->c) {
        to->c = clip_new("repair", 1);
        to->rests_first = true;
        if (to->c)
            clip_set_states(to->c, states);
    }
    return to->c && subject_clip_add(to, s, found, scene, when, 0);
}

static void set_repair(record *to, const weft_untangle_report *r)
{
    static const char *const verdicts[] = {"repaired", "distorted", "tangled", "not repairable"};
    record_set(to, "verdict", "%s", verdicts[r->verdict]);
    record_set_flag(to, "is_bad", r->verdict != WEFT_UNTANGLE_REPAIRED);
    record_set(to, "pairs_before", "%lld", (long long)r->pairs_before);
    record_set(to, "pairs_after", "%lld", (long long)r->pairs_after);
    record_set(to, "contours_before", "%d", r->contours_before);
    record_set(to, "contours_after", "%d", r->contours_after);
    record_set(to, "moved", "%d", r->n_moved);
    record_set(to, "mean_move", "%.3g", 1e3 * r->mean_move);
    record_set(to, "max_move", "%.3g", 1e3 * r->max_move);
    static const char *const of_cloth[] = {"area", "least_edge", "most_edge", "low_edge", "high_edge"};
    for (size_t i = 0; i < sizeof of_cloth / sizeof *of_cloth; i++)
        record_set_empty(to, of_cloth[i]);
    if (r->method != WEFT_UNTANGLE_CLOTH)
        return;
    record_set(to, "area", "%.1f", 100 * r->area);
    record_set(to, "least_edge", "%.1f", 100 * r->edge[0]);
    record_set(to, "most_edge", "%.1f", 100 * r->edge[3]);
    record_set(to, "low_edge", "%.1f", 100 * r->edge[1]);
    record_set(to, "high_edge", "%.1f", 100 * r->edge[2]);
}

weft_result untangle_report_write(const char *name, const weft_untangle_report *report, subject_clip *states,
                                  const char *path, weft_error *error)
{
    record *to = record_new();
    page html = {0};
    clip_summary summary;
    record_set(to, "name", "%s", name);
    set_repair(to, report);
    weft_result r = disk_make_parent(path, error);
    r = r < 0 ? r : report_set_clip(to, states->c, 0, &summary, error);
    r = r < 0 ? r : report_fill("untangle", to, &html, error);
    r = r < 0 ? r : disk_write(path, html.bytes, html.n, true, error);
    page_free(&html);
    record_free(to);
    return r;
}
