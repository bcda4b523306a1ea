/* SPDX-License-Identifier: MIT */
#include "finish.h"

#include "player/run_clip.h"
#include "report/run_report.h"
#include "stats_file.h"
#include "video.h"

#include <string.h>

void finish_warn(progress *p, const run_view *view, const pictures *taken)
{
    if (!view->scene)
        progress_warn(p, "%s; cloth is drawn alone", view->scene_trouble.text);
    else if (view->scene_trouble.text[0] && pictures_missing(taken, 0))
        progress_warn(p, "%s", view->scene_trouble.text);
    for (int32_t i = 0; pictures_missing(taken, i); i++)
        progress_warn(p, "the mesh of '%s' is missing: drawn without it", pictures_missing(taken, i));
}

static weft_result add_frames(video *v, pictures *taken, progress *p, int32_t from, int32_t to, weft_error *error)
{
    weft_result r = WEFT_OK;
    for (int32_t i = from; i <= to && r >= 0; i++) {
        picture_bytes bytes = {0};
        r = pictures_take(taken, i, &bytes, error);
        r = r < 0 ? r : video_add(v, &bytes, error);
        picture_bytes_free(&bytes);
        progress_show_count(p, "video", i - from + 1, to - from + 1);
    }
    progress_end_line(p);
    return r;
}

weft_result finish_video(pictures *taken, progress *p, const char *path, const pictures_look *look, int32_t from,
                         int32_t to, double fps, weft_error *error)
{
    video *v;
    weft_result r = video_open(path, look->picture.width, look->picture.height, fps, &v, error);
    if (r < 0)
        return r;
    r = add_frames(v, taken, p, from, to, error);
    weft_error ending;
    weft_result closed = video_close(v, r >= 0, &ending);
    if (r >= 0 && closed < 0)
        *error = ending;
    return r < 0 ? r : closed;
}

static bool wanted(const finish_def *d, const char *path)
{
    return !d->only_missing || !disk_exists(path);
}

static weft_result make_pictures(const finish_def *d, run_view *view, weft_error *error)
{
    const run_folder *f = d->folder;
    weft_cache_info info = weft_cache_get_info(view->cache);
    int32_t last = info.n_frames - 1;
    bool preview = d->pictures && wanted(d, f->preview), sheet = d->pictures && wanted(d, f->sheet);
    bool make_video = d->video && wanted(d, f->video);
    if ((!preview && !sheet && !make_video) || last < 0)
        return WEFT_OK;
    pictures_look look = pictures_look_of(view->scene);
    look.n_threads = d->n_threads;
    pictures *taken = NULL;
    weft_result r = pictures_open(view->cache, view->scene, &look, &taken, error);
    if (r < 0)
        return r;
    finish_warn(d->progress, view, taken);
    r = preview ? pictures_write(taken, last, f->preview, error) : r;
    r = r >= 0 && sheet ? pictures_write_sheet(taken, 0, last, f->sheet, error) : r;
    if (r >= 0 && make_video)
        r = finish_video(taken, d->progress, f->video, &look, 0, last, info.fps, error);
    pictures_close(taken);
    return r;
}

static void tell_clip(progress *p, const clip_summary *s)
{
    if (s->n_frames == 0)
        return;
    if (s->n_frames < s->n_given)
        progress_warn(p, "the report's player has %d of %d frames, to stay below its budget (--player-mb)", s->n_frames,
                      s->n_given);
    progress_say(p, "the report's player: %d frames, %.2f MB, positions to %.3f mm", s->n_frames,
                 1e-6 * (double)s->size, 1e3 * s->worst_error);
}

static weft_result make_report(const finish_def *d, run_view *view, weft_error *error)
{
    stats_table table;
    weft_result r = stats_read(view->cache, &table, error);
    if (r < 0)
        return r;
    stats_recall_file(&table, d->folder);
    page preview = {0}, sheet = {0}, html = {0};
    weft_error ignored;
    if (disk_exists(d->folder->preview))
        disk_read(d->folder->preview, &preview, &ignored);
    if (disk_exists(d->folder->sheet))
        disk_read(d->folder->sheet, &sheet, &ignored);
    run_report_def def = {.name = view->scene ? view->scene->name : "A run",
                          .folder = d->folder->path,
                          .scene = view->scene,
                          .cache = view->cache,
                          .table = &table,
                          .warnings = d->warnings,
                          .preview = &preview,
                          .sheet = &sheet};
    clip_summary summary = {0};
    if (d->player_mb > 0)
        def.clip = run_clip_make(def.name, view->cache, view->scene, d->n_threads);
    def.clip_budget = (size_t)(1e6 * d->player_mb);
    def.clip_summary = &summary;
    r = run_report_make(&def, &html, error);
    tell_clip(d->progress, &summary);
    clip_free(def.clip);
    r = r < 0 ? r : disk_write(d->folder->report, page_text(&html), html.n, true, error);
    page_free(&preview);
    page_free(&sheet);
    page_free(&html);
    stats_free(&table);
    return r;
}

weft_result finish_run(const finish_def *d, weft_error *error)
{
    run_view view;
    weft_result r = run_view_open(d->folder->path, &view, error);
    if (r < 0)
        return r;
    r = make_pictures(d, &view, error);
    /* A video that cannot be made is no reason to have no report. */
    if (r >= 0 || d->video) {
        weft_error trouble;
        weft_result reported = wanted(d, d->folder->report) ? make_report(d, &view, &trouble) : WEFT_OK;
        if (r >= 0 && reported < 0) {
            *error = trouble;
            r = reported;
        }
    }
    run_view_close(&view);
    return r;
}
