/* SPDX-License-Identifier: MIT */
/* Going on with a run: the state is taken from a restart point of the cache. All is read and checked before the cache
 * is opened for writing, which drops the frames behind. What is damaged is lost, and so is all behind it: the run goes
 * on from the last restart point before, and computes it again. */
#include "interrupt.h"
#include "repair.h"
#include "session.h"
#include "stats_file.h"

#include <stdlib.h>
#include <string.h>

/* A restart point, read. */
typedef struct point {
    int32_t frame; /* -1: there is none */
    void *bytes;
    size_t size;
} point;

/* The last one at or before a frame. */
static weft_result read_point(weft_cache *cache, int32_t frame, point *out, weft_error *error)
{
    *out = (point){.frame = -1};
    weft_result r = weft_cache_read_restart(cache, frame, &out->frame, NULL, &out->size, error);
    if (r < 0 || out->frame < 0)
        return r;
    out->bytes = malloc(out->size + 1);
    if (!out->bytes)
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory for a restart point");
    return weft_cache_read_restart(cache, frame, &out->frame, out->bytes, &out->size, error);
}

/* The cloths of the run must be those of the scene. Both are compared as they were at the start: faces that have split
 * since are part of the state, and come with the restart point. */
static weft_result check_cloths(const session *s, weft_cache *cache, weft_error *error)
{
    const char *advice = "start over with --force, or choose another folder with -o";
    weft_cache_info info = weft_cache_get_info(cache);
    if (info.n_cloths != s->n_cloths)
        return session_fault(error, WEFT_ERROR_SNAPSHOT, "the run in %.100s has %d cloths, the scene has %d: %s",
                             s->folder->path, info.n_cloths, s->n_cloths, advice);
    for (int32_t i = 0; i < s->n_cloths; i++) {
        const weft_topology *stored;
        weft_result r = weft_cache_get_topology(cache, 0, i, &stored, error);
        if (r < 0)
            return r;
        const char *name = s->scene->cloths[i].name, *old_name = weft_cache_cloth_name(cache, i);
        if (strcmp(name, old_name) != 0)
            return session_fault(error, WEFT_ERROR_SNAPSHOT,
                                 "the run in %.100s has the cloth '%.60s' where the scene "
                                 "has '%.60s': %s",
                                 s->folder->path, old_name, name, advice);
        if (stored->n_nodes != s->infos[i].n_nodes || stored->n_triangles != s->infos[i].n_triangles)
            return session_fault(error, WEFT_ERROR_SNAPSHOT,
                                 "cloth '%.60s' has %d nodes and %d triangles in the run, "
                                 "%d and %d in the scene: %s",
                                 name, stored->n_nodes, stored->n_triangles, s->infos[i].n_nodes,
                                 s->infos[i].n_triangles, advice);
    }
    if (info.fps != s->scene->output.fps)
        return session_fault(error, WEFT_ERROR_SNAPSHOT, "the run has %g frames a second, the scene has %g: %s",
                             info.fps, s->scene->output.fps, advice);
    return WEFT_OK;
}

/* Its bits would not be those of either build. */
static weft_result refuse_build(const session *s, const point *p, const weft_error *why, weft_error *error)
{
    return session_fault(error, why->code,
                         "the run in %.100s cannot go on after frame %d: %.200s. Its frames can be read all the same; "
                         "to go on, use that weft, or start over with --force",
                         s->folder->path, p->frame, why->text);
}

static weft_result restore(session *s, const point *p, weft_error *error)
{
    weft_error why;
    weft_result r = weft_sim_restore(s->stage->sim, p->bytes, p->size, &why);
    if (r == WEFT_ERROR_SNAPSHOT) /* an edited scene may have other colliders and attachments */
        r = weft_sim_restore_cloths(s->stage->sim, p->bytes, p->size, &why);
    if (r >= 0)
        return session_make_buffers(s, error);
    if (r == WEFT_ERROR_VERSION)
        return refuse_build(s, p, &why, error);
    if (r == WEFT_ERROR_MEMORY) { /* the scene has nothing to do with it */
        *error = why;
        return r;
    }
    return session_fault(error, WEFT_ERROR_SNAPSHOT,
                         "the scene no longer fits the run in %.100s (%.200s): start over "
                         "with --force, or choose another folder with -o",
                         s->folder->path, why.text);
}

/* ---- a frame without a restart point ----------------------------------------------------------------------------- */

static weft_result advance_old(weft_stage *old, session *s, int32_t n, weft_error *error)
{
    weft_step_stats stats;
    weft_result r = WEFT_OK;
    interrupt_set_sim(old->sim);
    for (int32_t i = 0; i < n && r >= 0; i++) {
        r = interrupt_signal() ? WEFT_ERROR_CANCELLED : weft_stage_advance(old, &stats, error);
        progress_show_count(s->progress, "computing again", i + 1, n);
    }
    interrupt_set_sim(NULL);
    progress_end_line(s->progress);
    if (r == WEFT_ERROR_CANCELLED)
        return session_fault(error, r, "interrupted before anything was changed");
    return r;
}

/* Replaces the bytes of p by the state of a simulation. */
static weft_result take_point(const weft_sim *sim, point *p, weft_error *error)
{
    weft_result r = weft_sim_snapshot(sim, NULL, &p->size, error);
    free(p->bytes);
    p->bytes = malloc(p->size + 1);
    if (!p->bytes)
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory for a restart point");
    return r < 0 ? r : weft_sim_snapshot(sim, p->bytes, &p->size, error);
}

/* From the restart point at p->frame on to `frame`, by the scene that made those frames. */
static weft_result catch_up(session *s, weft_cache *cache, point *p, int32_t frame, weft_error *error)
{
    weft_error why;
    weft_scene *scene = NULL;
    weft_stage *old = NULL;
    uint64_t hash;
    char *text = NULL;
    int32_t first;
    progress_say(s->progress, "frame %d has no restart point: computing again from frame %d", frame, p->frame);
    weft_result r = weft_cache_read_scene(cache, frame, &first, &text, &why);
    r = r < 0 ? r : weft_scene_parse("the scene in the cache", "/", text, strlen(text), NULL, 0, &scene, &why);
    weft_text_free(text);
    weft_sim_def def = scene ? scene->sim : weft_sim_def_default();
    def.n_threads = s->n_threads;
    r = r < 0 ? r : weft_stage_create(scene, &def, &old, &why);
    r = r < 0 ? r : weft_sim_restore(old->sim, p->bytes, p->size, &why);
    r = r < 0 ? r : advance_old(old, s, frame - p->frame, &why);
    r = r < 0 ? r : weft_cache_read_head(cache, frame, NULL, &hash, NULL, &why);
    if (r >= 0 && hash != weft_sim_hash(old->sim))
        r = session_fault(&why, WEFT_ERROR_SNAPSHOT, "the frame comes out differently than it is stored");
    r = r < 0 ? r : take_point(old->sim, p, &why);
    if (r == WEFT_ERROR_VERSION)
        refuse_build(s, p, &why, error);
    else if (r < 0)
        session_fault(error, r, "cannot go on from frame %d: %.300s; a restart point is at frame %d: --from %d", frame,
                      why.text, p->frame, p->frame);
    else
        p->frame = frame;
    weft_stage_destroy(old);
    weft_scene_free(scene);
    return r;
}

/* ---- topologies -------------------------------------------------------------------------------------------------- */

static bool same_bytes(const void *a, const void *b, int64_t n, size_t size)
{
    return (!a && !b) || n == 0 || (a && b && memcmp(a, b, (size_t)n * size) == 0);
}

static bool same_topology(const weft_topology *a, const weft_topology *b)
{
    if (a->n_nodes != b->n_nodes || a->n_triangles != b->n_triangles || a->n_faces != b->n_faces || a->n_uv != b->n_uv)
        return false;
    if (!same_bytes(a->triangles, b->triangles, a->n_triangles, 3 * sizeof *a->triangles) ||
        !same_bytes(a->rest_lengths, b->rest_lengths, a->n_triangles, 3 * sizeof *a->rest_lengths) ||
        !same_bytes(a->face_start, b->face_start, a->n_faces + 1, sizeof *a->face_start))
        return false;
    int32_t n_corners = a->n_faces > 0 ? a->face_start[a->n_faces] : 0;
    return same_bytes(a->corners, b->corners, n_corners, sizeof *a->corners) &&
           same_bytes(a->uv, b->uv, a->n_uv, sizeof *a->uv) &&
           same_bytes(a->corner_uv, b->corner_uv, n_corners, sizeof *a->corner_uv);
}

/* Which cloths an edited mesh file has given another topology of the same size. */
static weft_result find_changed(session *s, weft_cache *cache, bool *changed, weft_error *error)
{
    for (int32_t i = 0; i < s->n_cloths; i++) {
        const weft_topology *stored;
        weft_topology now;
        weft_result r = weft_cache_get_topology(cache, s->frame, i, &stored, error);
        r = r < 0 ? r : weft_stage_topology(s->stage, i, &now, error);
        if (r < 0)
            return r;
        changed[i] = !same_topology(stored, &now);
        weft_stage_topology_free(&now);
    }
    return WEFT_OK;
}

static weft_result add_changed(session *s, const bool *changed, weft_error *error)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < s->n_cloths && r >= 0; i++) {
        weft_topology now;
        if (!changed[i])
            continue;
        r = weft_stage_topology(s->stage, i, &now, error);
        if (r < 0)
            break;
        now.cloth = i;
        r = weft_cache_add_topology(s->writer, &now, error);
        weft_stage_topology_free(&now);
    }
    return r;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Reads everything that is needed of the cache, changing nothing. */
static weft_result read_state(session *s, weft_cache *cache, int32_t from, page *rows, bool *changed, weft_error *error)
{
    int32_t n_frames = weft_cache_get_info(cache).n_frames;
    s->n_stored = n_frames;
    if (from >= n_frames)
        return session_fault(error, WEFT_ERROR_RANGE, "--from %d: the run in %.200s has frames 0 to %d", from,
                             s->folder->path, n_frames - 1);
    weft_cache_damage damage;
    s->frame = -1;
    weft_result r = weft_cache_check(cache, &damage, error);
    if (r < 0)
        return r;
    point p;
    int32_t kept = damage.n_frames - 1;
    r = read_point(cache, from >= 0 && from < kept ? from : kept, &p, error);
    if (r >= 0 && damage.found)
        r = repair_allowed(s, cache, &damage, from, p.frame, error);
    r = r < 0 || p.frame < 0 ? r : check_cloths(s, cache, error);
    bool again = r >= 0 && p.frame >= 0 && from > p.frame;
    r = again ? catch_up(s, cache, &p, from, error) : r;
    r = r < 0 || p.frame < 0 ? r : restore(s, &p, error);
    s->frame = p.frame;
    s->restart_frame = again ? -1 : p.frame;
    free(p.bytes);
    if (r < 0 || s->frame < 0)
        return r;
    stats_table table;
    r = stats_read_first(cache, s->frame + 1, &table, error);
    if (r < 0)
        return r;
    stats_recall_file(&table, s->folder);
    stats_add_table(rows, &table, s->frame + 1);
    s->hash = table.hashes[s->frame];
    s->n_columns = stats_match(cache) ? table.n_columns : STATS_COUNT;
    stats_free(&table);
    return find_changed(s, cache, changed, error);
}

static weft_result go_on(session *s, const page *rows, const bool *changed, weft_error *error)
{
    const char **names = calloc((size_t)s->n_cloths + 1, sizeof *names);
    if (!names)
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory");
    weft_cache_def def = session_cache_def(s, names);
    if (s->frame + 1 < s->n_stored)
        run_folder_drop_pictures(s->folder);
    weft_result r = weft_cache_reopen(s->folder->cache, &def, s->frame, &s->writer, error);
    free(names);
    r = r < 0 ? r : session_add_restart(s, error);
    r = r < 0 ? r : add_changed(s, changed, error);
    r = r < 0 ? r : session_open_stats(s, rows, error);
    return r < 0 ? r : session_write_scene(s, error);
}

/* In place of a cache that has nothing to go on from. */
static weft_result start_over(session *s, const char *why, weft_error *error)
{
    s->frame = 0;
    progress_say(s->progress, "%s in %s: starting at frame 0", why, s->folder->path);
    run_folder_drop_pictures(s->folder);
    return remove(s->folder->cache) == 0 ? session_start(s, error) : disk_fault(s->folder->cache, error);
}

static weft_result resume(session *s, int32_t from, page *rows, bool *changed, weft_error *error)
{
    weft_cache *cache = NULL;
    weft_cache_damage d = {.found = true};
    weft_result r = run_folder_open_cache(s->folder, &cache, &d.what);
    if (r == WEFT_ERROR_CHECKSUM) {
        r = repair_allowed(s, NULL, &d, from, -1, error);
        return r < 0 ? r : start_over(s, "nothing can be read", error);
    }
    *error = d.what;
    if (r < 0)
        return r;
    r = read_state(s, cache, from, rows, changed, error);
    weft_cache_free(cache);
    if (r < 0)
        return r;
    if (s->frame >= 0)
        return go_on(s, rows, changed, error);
    return start_over(s, "no restart point", error);
}

weft_result session_resume(session *s, int32_t from, weft_error *error)
{
    page rows = {0};
    bool *changed = calloc((size_t)s->n_cloths + 1, sizeof *changed);
    if (!changed)
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory");
    weft_result r = resume(s, from, &rows, changed, error);
    s->first_frame = s->frame;
    page_free(&rows);
    free(changed);
    return r;
}
