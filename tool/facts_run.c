/* SPDX-License-Identifier: MIT */
#include "facts.h"
#include "progress.h"
#include "run_folder.h"
#include "stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void add_sizes(facts *f, const weft_cache_info *info, double raw)
{
    facts_number(f, "size", "size", (double)info->size, "bytes");
    facts_number(f, "frame_bytes", "  frames", (double)info->frame_bytes, "bytes");
    facts_number(f, "restart_bytes", "  restart points", (double)info->restart_bytes, "bytes");
    if (raw > 0)
        facts_number(f, "ratio", "frames / doubles", (double)info->frame_bytes / raw, "");
}

static void add_cloth(facts *f, weft_cache *cache, int32_t i, int32_t frame)
{
    weft_error error;
    const weft_topology *t;
    facts_open_item(f, "cloth", weft_cache_cloth_name(cache, i));
    if (weft_cache_get_topology(cache, frame, i, &t, &error) >= 0) {
        facts_number(f, "nodes", "nodes", t->n_nodes, "");
        facts_number(f, "triangles", "triangles", t->n_triangles, "");
        facts_number(f, "faces", "faces", t->n_faces, "");
    }
    facts_close_item(f);
}

/* Why this program cannot go on from the last restart point; empty if it can, or there is none. */
static weft_error refusal_of(weft_cache *cache)
{
    weft_error why = {0}, ignored;
    int32_t last = weft_cache_get_info(cache).n_frames - 1, at = -1;
    size_t size = 0;
    if (weft_cache_read_restart(cache, last, &at, NULL, &size, &ignored) < 0 || at < 0)
        return why;
    void *bytes = malloc(size + 1);
    if (bytes && weft_cache_read_restart(cache, last, &at, bytes, &size, &ignored) >= 0 &&
        weft_snapshot_check(bytes, size, &why) >= 0)
        why.text[0] = '\0';
    free(bytes);
    return why;
}

static void add_state(facts *f, weft_cache *cache, int32_t wanted)
{
    weft_cache_info got = weft_cache_get_info(cache), *info = &got;
    weft_error refusal = refusal_of(cache);
    const char *state = info->torn                     ? "damaged: weft run --resume computes again what is lost"
                        : info->n_frames - 1 >= wanted ? "complete"
                        : *refusal.text                ? "interrupted, and this weft cannot go on with it"
                        : info->was_closed             ? "interrupted: weft run --resume goes on"
                                                       : "interrupted or being written: weft run --resume goes on";
    if (*refusal.text)
        facts_text(f, "refusal", "restart points", refusal.text);
    if (f->json) {
        facts_bool(f, "complete", "", info->n_frames - 1 >= wanted);
        facts_bool(f, "was_closed", "", info->was_closed);
        facts_bool(f, "damaged", "", info->torn);
        facts_number(f, "lost_bytes", "", (double)info->lost_bytes, "");
        facts_number(f, "frames_wanted", "", wanted, "");
        return;
    }
    facts_text(f, "state", "state", state);
    if (info->lost_bytes > 0)
        facts_number(f, "lost_bytes", info->torn ? "lost" : "unfinished", (double)info->lost_bytes,
                     info->torn ? "bytes behind the last frame" : "bytes of a frame behind the last one");
}

/* The statistics of all frames, and the size that their positions would have as doubles. */
static weft_result read_frames(weft_cache *cache, stats_table *table, double *raw, weft_error *error)
{
    weft_result r = stats_read(cache, table, error);
    weft_cache_info info = weft_cache_get_info(cache);
    *raw = 0;
    for (int32_t i = 0; r >= 0 && i < info.n_frames; i++)
        for (int32_t c = 0; r >= 0 && c < info.n_cloths; c++) {
            const weft_topology *t;
            r = weft_cache_get_topology(cache, i, c, &t, error);
            *raw += r < 0 ? 0 : 24.0 * t->n_nodes;
        }
    return r;
}

/* Every byte of the cache. */
static weft_result check_cache(weft_cache *cache, const char *path, weft_error *error)
{
    weft_cache_damage damage;
    weft_result r = weft_cache_check(cache, &damage, error);
    if (r < 0 || !damage.found)
        return r;
    *error = (weft_error){.code = damage.what.code, .element = -1};
    snprintf(error->text, sizeof error->text,
             "%.300s. %d frames can be kept; 'weft run --resume -o %.80s' computes again what is lost",
             damage.what.text, damage.n_frames, path);
    return damage.what.code;
}

/* Of a file that is the cache of a run's folder, and not a copy elsewhere. */
static void add_cure(const run_folder *folder, weft_error *error)
{
    char *cache = disk_join(folder->path, "cache.weft");
    weft_error why = *error;
    if (error->code == WEFT_ERROR_CHECKSUM && disk_is_same(cache, folder->cache))
        snprintf(error->text, sizeof error->text, "%.300s; 'weft run --resume -o %.80s' computes again what is lost",
                 why.text, folder->path);
    free(cache);
}

/* Why the cache in a folder cannot be opened, and what to do. */
static weft_result tell_unreadable(const char *path, weft_error *error)
{
    run_folder folder = run_folder_name(path);
    weft_cache *cache = NULL;
    weft_result r = run_folder_open_cache(&folder, &cache, error);
    weft_cache_free(cache);
    add_cure(&folder, error);
    run_folder_free(&folder);
    return r;
}

static void add_run(facts *f, run_view *view, const stats_table *table, double raw)
{
    weft_cache_info info = weft_cache_get_info(view->cache);
    int32_t last = info.n_frames - 1, wanted = view->scene ? view->scene->output.frames : last, restart = -1;
    size_t size = 0;
    weft_error ignored;
    char hash[24] = "none";
    facts_text(f, "kind", "kind", "run");
    if (view->scene)
        facts_text(f, "scene", "scene", view->scene->name);
    facts_number(f, "frames", "frames", info.n_frames, f->json ? "" : "with the one at the start");
    facts_number(f, "fps", "fps", info.fps, "");
    facts_number(f, "time", "time", last >= 0 ? table->times[last] : 0, "s");
    add_state(f, view->cache, wanted);
    facts_number(f, "restarts", "restart points", info.n_restarts, "");
    if (last >= 0 && weft_cache_read_restart(view->cache, last, &restart, NULL, &size, &ignored) >= 0 && restart >= 0)
        facts_number(f, "last_restart", "  the last at", restart, "");
    if (last >= 0)
        snprintf(hash, sizeof hash, "%016" PRIx64, table->hashes[last]);
    facts_text(f, "hash", "hash", hash);
    facts_number(f, "seconds", "computed in", stats_sum(table, STATS_TOTAL) + stats_sum(table, STATS_STORE), "s");
    add_sizes(f, &info, raw);
    facts_open_list(f, "cloths");
    for (int32_t i = 0; i < info.n_cloths && last >= 0; i++)
        add_cloth(f, view->cache, i, last);
    facts_close_list(f);
}

weft_result facts_of_run(facts *f, const char *path, bool check, weft_error *error)
{
    run_view view;
    weft_result r = run_view_open(path, &view, error);
    if (r < 0)
        return r == WEFT_ERROR_NOT_FOUND || !disk_is_folder(path) ? r : tell_unreadable(path, error);
    stats_table table = {0};
    double raw;
    r = check ? check_cache(view.cache, view.folder.path, error) : WEFT_OK;
    if (r >= 0 && (r = read_frames(view.cache, &table, &raw, error)) < 0)
        add_cure(&view.folder, error);
    if (r >= 0) {
        add_run(f, &view, &table, raw);
        if (check)
            facts_bool(f, "checked", "every frame reads", true);
    }
    stats_free(&table);
    run_view_close(&view);
    return r;
}
