/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "args.h"
#include "enclosed.h"
#include "finish.h"
#include "interrupt.h"
#include "late_audit.h"
#include "plausible.h"
#include "say.h"
#include "session.h"
#include "stats_file.h"
#include "verbs.h"
#include "video.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_options {
    const char *scene_path; /* NULL: that of the folder */
    const char *out;
    int32_t frames, threads, from; /* -1: not given */
    args_list sets;
    double player_mb;
    bool resume, force, json, quiet, no_pictures, mp4, audit;
} run_options;

/* A run from the first word to the last line. */
typedef struct job {
    run_options o;
    progress progress;
    weft_scene *scene;
    char *scene_path;
    run_folder folder;
    weft_error error;
} job;

static const char examples[] =
    "  weft run drape.yaml                      into out/drape; the last line is the path of the preview\n"
    "  weft run drape.yaml -o out/b --frames 20 a short try, elsewhere\n"
    "  weft run drape.yaml --set cloths.sheet.fabric=silk --set output.fps=30\n"
    "  weft run --resume -o out/drape           goes on after Ctrl-C, a crash or a full disk, bit for bit\n"
    "  weft run edited.yaml --resume --from 60 -o out/drape   the edited scene, from frame 60 on\n"
    "  weft run drape.yaml --json | jq .frame   progress for programs\n";

static const char notes[] =
    "The folder has cache.weft (all frames), stats.csv, scene.yaml (with every default), preview.png,\n"
    "contact-sheet.png and report.html. Ctrl-C ends the run after its frame; twice, at once. Both leave a run that\n"
    "--resume goes on with, and the exit code 130 (SIGTERM: 143).\n"
    "Warnings are told at the end, and in the report. --audit writes what it finds into stats.csv and the report; it\n"
    "takes some percent of the time. Wrong, which makes its exit code 1, are intersections, cloth too near a "
    "collider,\n"
    "cloth wholly inside of a closed mesh, cloth that has no room in the last frame, and frames that were not "
    "audited.\n"
    "Without it, too, the exit code is 1 where cloth was stretched by more than 1.25 times its limit, as held nodes\n"
    "that are drawn apart force it to be.\n";

static bool read_options(int argc, char **argv, run_options *o, int *code)
{
    const args_option options[] = {
        {"out", 'o', ARGS_TEXT, &o->out, "DIR", "folder of the run; out/NAME, by the scene's name", 0, 0},
        {"frames", 'n', ARGS_INT, &o->frames, "N", "frames to compute, whatever the scene says", 0, 1e6},
        {"threads", 't', ARGS_INT, &o->threads, "N", "0: one a core; the results are the same", 0, 256},
        {"set", 0, ARGS_LIST, &o->sets, "PATH=VALUE", "change a value of the scene; again and again", 0, 0},
        {"resume", 0, ARGS_FLAG, &o->resume, NULL, "go on with the run in the folder", 0, 0},
        {"from", 0, ARGS_INT, &o->from, "FRAME", "with --resume: go on after this frame, dropping later ones", 0, 1e6},
        {"force", 0, ARGS_FLAG, &o->force, NULL, "replace the run in the folder", 0, 0},
        {"no-pictures", 0, ARGS_FLAG, &o->no_pictures, NULL, "no preview and no contact sheet", 0, 0},
        {"player-mb", 0, ARGS_NUMBER, &o->player_mb, "MB", "size of the report's 3D player, at most; 0: none; 8", 0,
         1000},
        {"mp4", 0, ARGS_FLAG, &o->mp4, NULL, "also video.mp4, if ffmpeg is installed", 0, 0},
        {"audit", 0, ARGS_FLAG, &o->audit, NULL,
         "look for intersections in every frame; exit code 1 if a result is wrong", 0, 0},
        {"json", 0, ARGS_FLAG, &o->json, NULL, "progress as JSON lines on the standard output", 0, 0},
        {"quiet", 'q', ARGS_FLAG, &o->quiet, NULL, "say nothing but errors", 0, 0},
    };
    const args_spec spec = {.verb = "run",
                            .usage = "SCENE [options]",
                            .about = "Simulates a scene, YAML or JSON, frame by frame into a folder.",
                            .examples = examples,
                            .notes = notes,
                            .options = options,
                            .n_options = sizeof options / sizeof *options,
                            .most_words = 1};
    args_words words;
    if (!args_begin(&spec, argc, argv, &words, code))
        return false;
    o->scene_path = words.n > 0 ? words.items[0] : NULL;
    *code = EXIT_WRONG;
    if (!o->scene_path && !(o->resume && o->out))
        say_wrong("'weft run' needs a scene file; usage: weft run SCENE [options]. To try one: weft new drape");
    else if (o->from >= 0 && !o->resume)
        say_wrong("'--from' goes with '--resume': weft run --resume --from %d -o DIR", o->from);
    else if (o->force && o->resume)
        say_wrong("'--resume' goes on with a run, '--force' replaces it: give one of them");
    else
        *code = EXIT_FINE;
    return *code == EXIT_FINE;
}

/* ---- scene and folder -------------------------------------------------------------------------------------------- */

static char *default_folder(const weft_scene *scene)
{
    char *name = disk_copy(*scene->name ? scene->name : "run");
    for (char *c = name; *c; c++)
        if (*c == '/' || (unsigned char)*c < 0x20)
            *c = '_';
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        name[0] = '_';
    char *path = disk_join("out", name);
    free(name);
    return path;
}

/* `weft run DIR --resume` means what is in DIR. */
static void find_scene(job *j)
{
    run_options *o = &j->o;
    if (o->resume && o->scene_path && disk_is_folder(o->scene_path)) {
        o->out = o->out ? o->out : o->scene_path;
        o->scene_path = NULL;
    }
    j->scene_path = o->scene_path ? disk_copy(o->scene_path) : disk_join(o->out, "scene.yaml");
}

static int load_scene(job *j)
{
    run_options *o = &j->o;
    char frames[48];
    find_scene(j);
    if (!o->scene_path && !disk_exists(j->scene_path))
        return progress_fail(&j->progress, "%s: no run is there to resume (no scene.yaml)", o->out);
    if (disk_is_folder(j->scene_path))
        return progress_fail(&j->progress, "%s is a folder: 'weft run' needs a scene file", j->scene_path);
    snprintf(frames, sizeof frames, "output.frames=%d", o->frames);
    if (o->frames >= 0)
        o->sets.items[o->sets.n++] = frames;
    if (weft_scene_load(j->scene_path, o->sets.items, o->sets.n, &j->scene, &j->error) < 0)
        return progress_fail(&j->progress, "%s", j->error.text);
    char *folder = o->out ? disk_copy(o->out) : default_folder(j->scene);
    j->folder = run_folder_name(folder);
    free(folder);
    j->progress.last = j->scene->output.frames;
    return EXIT_FINE;
}

static int check_folder(job *j)
{
    const run_folder *f = &j->folder;
    bool has_run = run_folder_has_run(f);
    if (j->o.resume && (has_run || !j->o.scene_path))
        return EXIT_FINE;
    /* The scene must not be replaced by its resolved form, nor removed. */
    if (disk_is_same(j->scene_path, f->scene))
        return progress_fail(&j->progress, "the run would replace the scene %s itself: choose another folder (-o DIR)",
                             j->scene_path);
    if (j->o.force || j->o.resume)
        return EXIT_FINE;
    if (has_run)
        return progress_fail(&j->progress,
                             "%s holds a run already: go on with it (--resume), replace it (--force), or "
                             "choose another folder (-o DIR)",
                             f->path);
    const char *names[] = {f->stats, f->scene, f->preview, f->sheet, f->report, f->video};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (disk_exists(names[i]))
            return progress_fail(&j->progress,
                                 "%s exists already: replace it (--force), or choose another folder "
                                 "(-o DIR)",
                                 names[i]);
    return EXIT_FINE;
}

/* ---- what is told ------------------------------------------------------------------------------------------------ */

static void add_field(page *fields, const char *name, const char *text)
{
    page_add(fields, "%s\"%s\":", fields->n ? "," : "", name);
    page_add_json(fields, text);
}

static void tell_start(job *j, const session *s)
{
    int32_t n_nodes = 0, last = j->scene->output.frames;
    for (int32_t i = 0; i < s->n_cloths; i++)
        n_nodes += s->infos[i].n_nodes;
    page e = {0};
    add_field(&e, "scene", j->scene_path);
    add_field(&e, "name", j->scene->name);
    add_field(&e, "folder", j->folder.path);
    add_field(&e, "version", weft_version());
    page_add(&e, ",\"first_frame\":%d,\"frames\":%d,\"fps\":", s->frame, last);
    page_add_number(&e, j->scene->output.fps);
    page_add(&e, ",\"nodes\":%d,\"threads\":%d", n_nodes, s->n_threads);
    progress_event(&j->progress, "start", &e);
    page_free(&e);
    if (j->o.resume && s->frame > 0)
        progress_say(&j->progress, "%s: going on after frame %d of %d, %d nodes, into %s", j->scene->name, s->frame,
                     last, n_nodes, j->folder.path);
    else
        progress_say(&j->progress, "%s: %d frame%s, %d nodes, %d thread%s, into %s", j->scene->name, last,
                     last == 1 ? "" : "s", n_nodes, s->n_threads, s->n_threads == 1 ? "" : "s", j->folder.path);
}

/* The command that goes on. */
static void add_resume_command(const job *j, page *p)
{
    page_add(p, "weft run --resume -o ");
    page_add_shell(p, j->folder.path);
}

static int tell_interrupted(job *j, int32_t frame)
{
    int number = interrupt_signal() ? interrupt_signal() : SIGINT;
    page command = {0}, e = {0};
    add_resume_command(j, &command);
    page_add(&e, "\"signal\":%d,\"frame\":%d", number, frame);
    add_field(&e, "resume", page_text(&command));
    progress_event(&j->progress, "interrupted", &e);
    progress_say(&j->progress, "interrupted after frame %d of %d; to go on: %s", frame, j->scene->output.frames,
                 page_text(&command));
    page_free(&command);
    page_free(&e);
    return 128 + number;
}

static int tell_failed(job *j)
{
    page command = {0};
    add_resume_command(j, &command);
    int code = progress_fail(&j->progress, "%s (to go on: %s)", j->error.text, page_text(&command));
    page_free(&command);
    return code;
}

/* stats.csv gets what was audited late, and the lines that a blow after the last frame has left out. The report tells
 * of the same, and is to be made again. Where it cannot be written, that is told; the answer stands all the same. */
static void renew_stats(job *j, const stats_table *table)
{
    page csv = {0};
    weft_error trouble = {.text = "out of memory"};
    stats_add_table(&csv, table, table->n_frames);
    if (csv.failed || !stats_file_is(&j->folder, &csv)) {
        weft_result r = csv.failed ? WEFT_ERROR_MEMORY : run_folder_lock(&j->folder, &trouble);
        if (r >= 0)
            remove(j->folder.report);
        r = r < 0 ? r : disk_write(j->folder.stats, page_text(&csv), csv.n, true, &trouble);
        if (r < 0)
            progress_warn(&j->progress, "stats.csv is not renewed: %s", trouble.text);
    }
    page_free(&csv);
}

/* Of all frames; those that were computed without an audit get it now, if the run is at its end. What an audit has
 * written into stats.csv before is told, but is no answer for another one. */
static weft_result gather_from_frames(job *j, const run_view *view, bool at_end, warnings *w)
{
    stats_table table;
    weft_result r = stats_read(view->cache, &table, &j->error);
    if (r < 0)
        return r;
    if (!j->o.audit)
        stats_recall_file(&table, &j->folder);
    else if (at_end)
        r = late_audit(view->cache, &table, j->o.threads > 0 ? j->o.threads : 0, &j->progress, &j->error);
    warnings_add_table(w, &table);
    stats_recall_file(&table, &j->folder);
    if (at_end)
        renew_stats(j, &table);
    stats_free(&table);
    return r;
}

/* Those of all frames, and of the log of this session; what was told before is not told again. */
static weft_result gather_warnings(job *j, bool at_end, warnings *w)
{
    run_view view;
    weft_result r = run_view_open(j->folder.path, &view, &j->error);
    if (r < 0)
        return r;
    r = gather_from_frames(j, &view, at_end, w);
    r = r >= 0 && j->o.audit ? enclosed_warn(view.cache, view.scene, w, &j->error) : r;
    run_view_close(&view);
    return r;
}

static weft_result tell_warnings(job *j, bool at_end, warnings *w)
{
    page folder = {0};
    page_add_shell(&folder, j->folder.path);
    weft_result r = gather_warnings(j, at_end, w);
    if (j->o.audit)
        warnings_add_unaudited(w, page_text(&folder));
    warnings_tell(w, &j->progress);
    if (r >= 0 && j->o.audit && w->n_faulty == 0 && w->n_audited == w->n_frames)
        progress_say(&j->progress, "no intersections in any of %d frames", w->n_audited);
    page_free(&folder);
    return r;
}

/* What was done. */
typedef struct deed {
    int32_t n_frames, n_computed;
    double seconds, storing;
    uint64_t hash;
} deed;

static void tell_done_event(const job *j, const deed *d)
{
    page e = {0};
    page_add(&e, "\"frames\":%d,\"computed\":%d,\"seconds\":", d->n_frames, d->n_computed);
    page_add_number(&e, d->seconds);
    page_add(&e, ",\"seconds_storing\":");
    page_add_number(&e, d->storing);
    page_add(&e, ",\"hash\":\"%016" PRIx64 "\"", d->hash);
    add_field(&e, "folder", j->folder.path);
    add_field(&e, "cache", j->folder.cache);
    if (disk_exists(j->folder.preview))
        add_field(&e, "preview", j->folder.preview);
    if (disk_exists(j->folder.report))
        add_field(&e, "report", j->folder.report);
    progress_event(&j->progress, "done", &e);
    page_free(&e);
}

static void tell_done(job *j, const deed *d)
{
    progress_end_line(&j->progress);
    tell_done_event(j, d);
    if (j->progress.style == PROGRESS_JSON || j->progress.style == PROGRESS_QUIET)
        return;
    char took[32];
    progress_format_time(d->seconds, took, sizeof took);
    printf("%d frame%s", d->n_frames, d->n_frames == 1 ? "" : "s");
    if (d->n_computed > 0 && d->n_computed < d->n_frames)
        printf(", the last %d", d->n_computed);
    if (d->n_computed > 0)
        printf(" in %s, storing %.1f %% of it", took, d->seconds > 0 ? 100 * d->storing / d->seconds : 0);
    printf("; final hash %016" PRIx64 "\n", d->hash);
    if (disk_exists(j->folder.report))
        printf("report  %s\n", j->folder.report);
    printf("%s\n", disk_exists(j->folder.preview) ? j->folder.preview : j->folder.path);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static weft_result finish(job *j, const warnings *w, bool only_missing)
{
    finish_def def = {.folder = &j->folder, .progress = &j->progress, .warnings = w, .only_missing = only_missing};
    def.player_mb = j->o.player_mb;
    def.pictures = !j->o.no_pictures;
    def.video = j->o.mp4;
    def.n_threads = j->o.threads > 0 ? j->o.threads : 0;
    bool any = !only_missing || !disk_exists(j->folder.preview) || !disk_exists(j->folder.sheet);
    if (def.pictures && any)
        progress_say(&j->progress, "making pictures");
    return finish_run(&def, &j->error);
}

/* Whether a cache has all frames, and none is damaged. */
static weft_result has_all_frames(const job *j, weft_cache *cache, bool *complete, uint64_t *hash, weft_error *error)
{
    weft_cache_damage damage;
    int32_t last = weft_cache_get_info(cache).n_frames - 1;
    *complete = false;
    if (last < j->scene->output.frames)
        return WEFT_OK;
    weft_result r = weft_cache_check(cache, &damage, error);
    *complete = r >= 0 && !damage.found;
    return *complete ? weft_cache_read_head(cache, last, NULL, hash, NULL, error) : r;
}

/* The exit code: with --audit what makes a result wrong, or leaves it open, is an answer. */
static int end_complete(job *j, const warnings *w, const deed *d)
{
    tell_done(j, d);
    bool is_sound = !warnings_are_wrong(w) && w->n_audited == w->n_frames;
    return (j->o.audit && !is_sound) || w->n_stretched > 0 ? EXIT_NO : EXIT_FINE;
}

/* True: there is nothing to compute. */
static bool is_complete(job *j, int *code)
{
    weft_cache *cache = NULL;
    if (!j->o.resume || j->o.from >= 0 || !run_folder_has_run(&j->folder))
        return false;
    weft_result r = run_folder_lock(&j->folder, &j->error);
    /* A folder that cannot be written to may have a complete run. */
    r = r == WEFT_ERROR_EXISTS ? r : run_folder_open_cache(&j->folder, &cache, &j->error);
    if (r == WEFT_ERROR_CHECKSUM)
        return false; /* resuming repairs it */
    uint64_t hash = 0;
    bool complete = false;
    r = r < 0 ? r : has_all_frames(j, cache, &complete, &hash, &j->error);
    int32_t last = r < 0 ? -1 : weft_cache_get_info(cache).n_frames - 1;
    weft_cache_free(cache);
    if (r < 0) {
        *code = progress_fail(&j->progress, "%s", j->error.text);
        return true;
    }
    if (!complete)
        return false;
    progress_say(&j->progress,
                 "%s is complete already, %d frames; to go on: --frames N; to do it again: --from FRAME, "
                 "or --force",
                 j->folder.path, last);
    warnings w = {.by_frames = true};
    interrupt_ignore_no_more();
    if (interrupt_signal()) {
        *code = tell_interrupted(j, last);
        return true;
    }
    if (tell_warnings(j, true, &w) < 0 || finish(j, &w, true) < 0)
        *code = progress_fail(&j->progress, "%s", j->error.text);
    else
        *code = end_complete(j, &w, &(deed){.n_frames = last, .hash = hash});
    return true;
}

static weft_result begin_session(job *j, session *s)
{
    weft_result r = run_folder_lock(&j->folder, &j->error);
    if (r >= 0 && j->o.resume && run_folder_has_run(&j->folder))
        return session_resume(s, j->o.from, &j->error);
    if (r >= 0 && j->o.resume)
        progress_say(&j->progress, "nothing to resume in %s: starting at frame 0", j->folder.path);
    r = r < 0 || !j->o.force ? r : run_folder_clear(&j->folder, &j->error);
    return r < 0 ? r : session_start(s, &j->error);
}

/* What was wrong before may be the reason. */
static int end_failed(job *j, session *s)
{
    weft_error why = j->error;
    tell_warnings(j, false, &s->warnings);
    j->error = why;
    return tell_failed(j);
}

static int end_session(job *j, session *s, session_end end)
{
    weft_error trouble;
    weft_result closed = session_close(s, &trouble);
    if (end != SESSION_FAILED && closed < 0)
        j->error = trouble;
    if (end == SESSION_FAILED || closed < 0)
        return end_failed(j, s);
    progress_end_line(&j->progress);
    if (end == SESSION_COMPLETE)
        interrupt_ignore_no_more();
    if (end == SESSION_INTERRUPTED || interrupt_signal()) { /* in the last frame, too: pictures may take long */
        tell_warnings(j, false, &s->warnings);
        return tell_interrupted(j, s->frame);
    }
    if (tell_warnings(j, true, &s->warnings) < 0 || finish(j, &s->warnings, false) < 0)
        return progress_fail(&j->progress, "%s (all frames are in %s)", j->error.text, j->folder.cache);
    return end_complete(j, &s->warnings,
                        &(deed){s->frame, s->frame - s->first_frame, s->seconds, s->seconds_storing, s->hash});
}

/* A cache that had more frames than are asked for, and was damaged, gets them back. */
static int32_t last_frame(const job *j, const session *s)
{
    int32_t wanted = j->scene->output.frames;
    return j->o.from < 0 && s->had_frames - 1 > wanted ? s->had_frames - 1 : wanted;
}

static int run_session(job *j)
{
    session s;
    warnings odd = {0};
    plausible_scene(j->scene, &odd);
    warnings_tell(&odd, &j->progress); /* first of all: what is out of scale may be refused, too */
    if (session_create(j->scene, j->o.threads, &j->folder, &j->progress, &s, &j->error) < 0)
        return progress_fail(&j->progress, "%s", j->error.text);
    s.audit = j->o.audit;
    warnings_take(&s.warnings, &odd);
    int code;
    if (begin_session(j, &s) < 0) {
        warnings_tell(&s.warnings, &j->progress);
        code = progress_fail(&j->progress, "%s", j->error.text);
        code = interrupt_signal() ? 128 + interrupt_signal() : code;
    } else {
        int32_t last = last_frame(j, &s);
        j->progress.last = last;
        tell_start(j, &s);
        if (s.frame < last) /* pictures of a state that has been passed would be misleading */
            run_folder_drop_pictures(&j->folder);
        code = end_session(j, &s, session_run(&s, last, &j->error));
    }
    session_free(&s);
    return code;
}

static int run_job(job *j)
{
    int code = load_scene(j);
    if (code != EXIT_FINE || is_complete(j, &code))
        return code;
    if (j->o.from > j->scene->output.frames)
        return progress_fail(&j->progress, "--from %d: the scene ends with frame %d; more with --frames N", j->o.from,
                             j->scene->output.frames);
    if (j->o.mp4 && !video_is_possible())
        return progress_fail(&j->progress, "'--mp4' needs ffmpeg, which is not installed");
    code = check_folder(j);
    return code == EXIT_FINE ? run_session(j) : code;
}

int verb_run(int argc, char **argv)
{
    job j = {.o = {.frames = -1, .threads = -1, .from = -1, .player_mb = 8}, .folder.lock = -1};
    int code = EXIT_WRONG;
    j.o.sets.items = calloc((size_t)argc + 2, sizeof *j.o.sets.items);
    if (!j.o.sets.items)
        return say_wrong("out of memory");
    if (read_options(argc, argv, &j.o, &code)) {
        j.progress = progress_begin(progress_choose(j.o.json, j.o.quiet), 0);
        interrupt_watch();
        code = run_job(&j);
    }
    weft_scene_free(j.scene);
    run_folder_free(&j.folder);
    free(j.scene_path);
    free(j.o.sets.items);
    return code;
}
