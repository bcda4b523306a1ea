/* SPDX-License-Identifier: MIT */
/* The report of a check: a player with what was found, the frames that have something, and the contours of the worst.
 * */
#include "check.h"

#include "disk.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

enum { MOMENTS_TOLD = 500 };

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

bool check_begin_report(check *c)
{
    if (!c->o->report)
        return true;
    c->clip.c = clip_new(file_name(c->o->path), c->o->fps);
    c->bad_moments = record_new();
    if (c->bad_moments)
        record_set_list(c->bad_moments, "moment");
    return c->clip.c && c->bad_moments;
}

bool check_note(check *c, const check_moment *m, const weft_audit_found *found)
{
    if (!c->clip.c)
        return true;
    if (subject_faults(found) > 0 && c->n_bad <= MOMENTS_TOLD) {
        record *moment = record_add(c->bad_moments, "moment");
        record_set(moment, "frame", "%d", m->frame);
        record_set(moment, "time", "%.4g", m->time);
        record_set(moment, "pairs", "%lld", (long long)found->n_pairs);
        record_set(moment, "with_colliders", "%lld", (long long)found->n_collider_pairs);
        record_set(moment, "contours", "%d", found->n_contours);
        record_set(moment, "near", "%lld", (long long)found->n_near_triangles);
    }
    return subject_clip_add(&c->clip, m->subject, found, m->scene, m->frame, m->time);
}

static void set_figures(const check *c, record *to)
{
    record_set(to, "name", "%s", file_name(c->o->path));
    record_set(to, "n_bad", "%d", c->n_bad);
    record_set(to, "n_frames", "%d", c->n_moments);
    record_set_flag(to, "has_frames", c->has_frames);
    record_set(to, "first_bad", "%d", c->first_bad);
    record_set(to, "worst", "%d", c->worst);
    record_set(to, "triangles", "%d", c->n_triangles);
    record_set(to, "tested", "%lld", (long long)c->n_tested);
    record_set(to, "degenerate", "%d", c->n_degenerate);
    record_set_flag(to, "torn", c->torn);
    record_set(to, "n_lost", "%d", c->n_lost);
    record_set(to, "left_out", "%d", c->n_bad > MOMENTS_TOLD ? c->n_bad - MOMENTS_TOLD : 0);
    record_set(to, "list", "%s", page_text(&c->contours));
}

weft_result check_write_report(check *c, weft_error *error)
{
    record *to = c->bad_moments;
    page html = {0};
    clip_summary summary;
    set_figures(c, to);
    if (c->n_lost > 0 && c->clip.c)
        clip_add_note(c->clip.c, "damaged and left out: %d", c->n_lost);
    weft_result r = report_set_clip(to, c->clip.c, (size_t)(1e6 * c->o->player_mb), &summary, error);
    if (r >= 0 && summary.n_frames < summary.n_given)
        progress_warn(&c->progress, "the report's player has %d of %d frames, to stay below its budget (--player-mb)",
                      summary.n_frames, summary.n_given);
    if (r >= 0)
        progress_say(&c->progress, "the report's player: %d frame%s, %.2f MB, positions to %.3f mm", summary.n_frames,
                     summary.n_frames == 1 ? "" : "s", 1e-6 * (double)summary.size, 1e3 * summary.worst_error);
    r = r < 0 ? r : report_fill("check", to, &html, error);
    r = r < 0 ? r : disk_write(c->o->report, html.bytes, html.n, true, error);
    page_free(&html);
    return r;
}
