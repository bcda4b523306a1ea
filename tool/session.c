/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "session.h"

#include "contacts.h"
#include "interrupt.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

weft_result session_fault(weft_error *error, weft_result code, const char *format, ...)
{
    weft_error made = {.code = code, .element = -1};
    va_list args;
    va_start(args, format);
    vsnprintf(made.text, sizeof made.text, format, args);
    va_end(args);
    *error = made;
    return code;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static int32_t count_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 256 ? 256 : (int32_t)n;
}

static void free_buffers(session *s)
{
    free(s->infos);
    free(s->positions);
    free(s->all_positions);
    s->infos = NULL;
    s->positions = NULL;
    s->all_positions = NULL;
}

weft_result session_make_buffers(session *s, weft_error *error)
{
    size_t n = (size_t)s->n_cloths, n_nodes = 0;
    free_buffers(s);
    s->infos = calloc(n + 1, sizeof *s->infos);
    s->positions = calloc(n + 1, sizeof(weft_vec3 *));
    if (!s->infos || !s->positions)
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        weft_result r = weft_cloth_get_info(s->stage->sim, s->stage->cloths[i], &s->infos[i], error);
        if (r < 0)
            return r;
        n_nodes += (size_t)s->infos[i].n_nodes;
    }
    s->all_positions = calloc(n_nodes + 1, sizeof *s->all_positions);
    if (!s->all_positions)
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory");
    n_nodes = 0;
    for (size_t i = 0; i < n; i++) {
        s->positions[i] = s->all_positions + n_nodes;
        n_nodes += (size_t)s->infos[i].n_nodes;
    }
    return WEFT_OK;
}

weft_result session_create(const weft_scene *scene, int32_t n_threads, run_folder *folder, progress *p, session *out,
                           weft_error *error)
{
    *out = (session){.scene = scene, .folder = folder, .progress = p, .restart_frame = -1};
    out->n_cloths = scene->n_cloths;
    weft_sim_def def = scene->sim;
    if (n_threads >= 0)
        def.n_threads = n_threads;
    out->warnings.scene = scene;
    out->warnings.by_frames = true;
    def.log = warnings_log;
    def.log_user = &out->warnings;
    out->n_threads = def.n_threads > 0 ? def.n_threads : count_cores();
    out->n_columns = STATS_COUNT;
    weft_result r = weft_scene_resolve(scene, &out->resolved, error);
    r = r < 0 ? r : weft_stage_create(scene, &def, &out->stage, error);
    r = r < 0 ? r : session_make_buffers(out, error);
    if (r < 0)
        session_free(out);
    return r;
}

void session_free(session *s)
{
    interrupt_set_sim(NULL);
    if (s->stats)
        fclose(s->stats);
    weft_cache_close(s->writer, NULL);
    weft_stage_destroy(s->stage);
    weft_text_free(s->resolved);
    free_buffers(s);
    session_audit_free(s);
    *s = (session){0};
}

weft_result session_close(session *s, weft_error *error)
{
    weft_cache_writer *writer = s->writer;
    s->writer = NULL;
    weft_error ignored;
    return weft_cache_close(writer, error ? error : &ignored);
}

/* ---- storing ----------------------------------------------------------------------------------------------------- */

weft_cache_def session_cache_def(const session *s, const char **names)
{
    for (int32_t i = 0; i < s->n_cloths; i++)
        names[i] = s->scene->cloths[i].name;
    weft_cache_def def = weft_cache_def_default();
    def.fps = s->scene->output.fps;
    def.n_cloths = s->n_cloths;
    def.cloth_names = names;
    def.n_columns = s->n_columns;
    def.column_names = stats_names;
    def.scene = s->resolved;
    def.level = s->scene->output.compression;
    return def;
}

weft_result session_write_scene(session *s, weft_error *error)
{
    page old = {0};
    weft_error ignored;
    size_t n = strlen(s->resolved);
    bool same =
        disk_read(s->folder->scene, &old, &ignored) >= 0 && old.n == n && memcmp(old.bytes, s->resolved, n) == 0;
    page_free(&old);
    return same ? WEFT_OK : disk_write(s->folder->scene, s->resolved, n, true, error);
}

weft_result session_open_stats(session *s, const page *rows, weft_error *error)
{
    weft_result r = disk_write(s->folder->stats, page_text(rows), rows->n, true, error);
    if (r >= 0 && !(s->stats = fopen(s->folder->stats, "ab")))
        r = disk_fault(s->folder->stats, error);
    return r;
}

static weft_result add_stats_row(session *s, double time, const double *columns, weft_error *error)
{
    page row = {0};
    stats_add_row(&row, s->frame, time, s->hash, columns, s->n_columns);
    bool written = !row.failed && fwrite(row.bytes, 1, row.n, s->stats) == row.n && fflush(s->stats) == 0;
    page_free(&row);
    return written ? WEFT_OK : disk_fault(s->folder->stats, error);
}

static weft_result add_topology(session *s, int32_t cloth, weft_error *error)
{
    weft_topology topology;
    weft_result r = weft_stage_topology(s->stage, cloth, &topology, error);
    if (r < 0)
        return r;
    topology.cloth = cloth;
    r = weft_cache_add_topology(s->writer, &topology, error);
    weft_stage_topology_free(&topology);
    return r;
}

/* Copies positions out. A cloth that has been cut or refined has a new topology, and other buffers. */
static weft_result gather(session *s, bool first, weft_error *error)
{
    bool changed = first;
    for (int32_t i = 0; i < s->n_cloths; i++) {
        weft_cloth_info now;
        weft_result r = weft_cloth_get_info(s->stage->sim, s->stage->cloths[i], &now, error);
        bool other = r >= 0 && now.revision != s->infos[i].revision;
        changed = changed || other;
        if (r >= 0 && (first || other))
            r = add_topology(s, i, error);
        if (r < 0)
            return r;
    }
    if (changed && !first) {
        weft_result r = session_make_buffers(s, error);
        if (r < 0)
            return r;
    }
    for (int32_t i = 0; i < s->n_cloths; i++) {
        weft_result r = weft_cloth_get_positions(s->stage->sim, s->stage->cloths[i], s->positions[i],
                                                 s->infos[i].n_nodes, 0, error);
        if (r < 0)
            return r;
    }
    return WEFT_OK;
}

static weft_result store_frame(session *s, int32_t frame, const double *columns, weft_error *error)
{
    contacts c = {0};
    weft_result r = gather(s, frame == 0, error);
    if (r >= 0 && s->scene->output.contacts)
        r = contacts_get(s->stage->sim, s->stage->cloths, s->n_cloths, &c, error);
    if (r < 0)
        return r;
    weft_cache_frame f = {.time = weft_sim_time(s->stage->sim), .hash = weft_sim_hash(s->stage->sim)};
    f.columns = columns;
    f.positions = (const weft_vec3 *const *)s->positions;
    f.contacts = c.of;
    r = weft_cache_add_frame(s->writer, &f, error);
    contacts_free(&c);
    if (r < 0)
        return r;
    s->frame = frame;
    s->hash = f.hash;
    return add_stats_row(s, f.time, columns, error);
}

weft_result session_add_restart(session *s, weft_error *error)
{
    if (s->restart_frame == s->frame)
        return WEFT_OK;
    size_t size = 0;
    weft_result r = weft_sim_snapshot(s->stage->sim, NULL, &size, error);
    if (r < 0)
        return r;
    void *bytes = malloc(size + 1);
    if (!bytes)
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory for a restart point");
    r = weft_sim_snapshot(s->stage->sim, bytes, &size, error);
    r = r < 0 ? r : weft_cache_add_restart(s->writer, bytes, size, error);
    free(bytes);
    if (r >= 0)
        s->restart_frame = s->frame;
    return r;
}

weft_result session_start(session *s, weft_error *error)
{
    const char **names = calloc((size_t)s->n_cloths + 1, sizeof *names);
    if (!names)
        return session_fault(error, WEFT_ERROR_MEMORY, "out of memory");
    weft_cache_def def = session_cache_def(s, names);
    weft_result r = session_write_scene(s, error);
    r = r < 0 ? r : weft_cache_create(s->folder->cache, &def, &s->writer, error);
    free(names);
    page head = {0};
    stats_add_head(&head, stats_names, s->n_columns);
    r = r < 0 ? r : session_open_stats(s, &head, error);
    page_free(&head);

    double columns[STATS_COUNT];
    for (int32_t i = 0; i < STATS_COUNT; i++)
        columns[i] = (double)NAN; /* nothing has been computed yet */
    columns[STATS_NODES] = 0;
    for (int32_t i = 0; i < s->n_cloths; i++)
        columns[STATS_NODES] += s->infos[i].n_nodes;
    columns[STATS_THREADS] = s->n_threads;
    r = r < 0 ? r : session_audit(s, columns, error);
    r = r < 0 ? r : store_frame(s, 0, columns, error);
    return r < 0 ? r : session_add_restart(s, error);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* One frame: computed, stored, told. */
static weft_result do_frame(session *s, int32_t last, weft_error *error)
{
    double columns[STATS_COUNT], began = progress_now();
    weft_step_stats stats;
    int32_t n_known = s->warnings.n;
    weft_result result = weft_stage_advance(s->stage, &stats, error);
    if (result < 0)
        return result;
    stats_fill(&stats, result, s->n_threads, s->seconds_stored, columns);
    weft_result r = session_audit(s, columns, error);
    double computed = progress_now();
    r = r < 0 ? r : store_frame(s, s->frame + 1, columns, error);
    bool wants_restart = s->frame % s->scene->output.restart_every == 0 || s->frame == last || interrupt_signal();
    if (r >= 0 && wants_restart)
        r = session_add_restart(s, error);
    s->seconds_stored = progress_now() - computed;
    s->seconds_storing += s->seconds_stored;
    if (r < 0)
        return r;
    progress_frame f = {.frame = s->frame, .seconds = progress_now() - began, .result = result};
    f.hash = s->hash;
    f.stats = &stats;
    f.pairs = columns[STATS_PAIRS];
    f.too_near = columns[STATS_TOO_NEAR];
    progress_show_frame(s->progress, &f);
    for (int32_t i = n_known; i < s->warnings.n; i++)
        progress_say(s->progress, "frame %d: %s", s->frame, s->warnings.items[i].text);
    return WEFT_OK;
}

/* A step that failed or was cancelled leaves the state before it. Between two frames that is worth a restart point; in
 * the middle of one, the last restart point has to do. */
static void save_what_is_left(session *s)
{
    weft_error ignored;
    if (weft_sim_hash(s->stage->sim) == s->hash)
        session_add_restart(s, &ignored);
}

session_end session_run(session *s, int32_t last, weft_error *error)
{
    double began = progress_now();
    weft_result r = WEFT_OK;
    interrupt_set_sim(s->stage->sim);
    while (r >= 0 && s->frame < last && !interrupt_signal())
        r = do_frame(s, last, error);
    interrupt_set_sim(NULL);
    s->seconds = progress_now() - began;
    if (r < 0)
        save_what_is_left(s);
    if (s->frame >= last && r >= 0)
        return SESSION_COMPLETE;
    return r < 0 && r != WEFT_ERROR_CANCELLED ? SESSION_FAILED : SESSION_INTERRUPTED;
}
