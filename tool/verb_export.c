/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "export_audit.h"
#include "interrupt.h"
#include "progress.h"
#include "run_folder.h"
#include "say.h"
#include "uniform.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char examples[] =
    "  weft export out/drape --out drape.glb           one file; the format by its ending\n"
    "  weft export out/drape --out blender/drape.pc2    for Blender, with drape.obj beside it to apply it to\n"
    "  weft export out/drape --out seq/drape.obj --from 60 --every 2    drape_0060.obj, drape_0062.obj …\n"
    "  weft export out/drape --out drape.pc2 --uniform  adaptive cloth, for formats of one topology\n"
    "  weft export out/drape --out drape.usda --scale 100 --cloth sheet   one cloth, in centimetres\n";

typedef struct export_options {
    weft_export_def def;
    const char *run, *out, *format, *cloth;
    int32_t axes;
    bool quiet, uniform, no_audit;
} export_options;

static const char *format_list(char *out, size_t room)
{
    size_t n = 0;
    for (int32_t i = 0; i < weft_export_format_count() && n < room; i++)
        n += (size_t)snprintf(out + n, room - n, "%s%s", i ? "|" : "", weft_export_format_name(i));
    return out;
}

static void add_formats(page *notes)
{
    page_add(notes, "formats\n");
    for (int32_t i = 0; i < weft_export_format_count(); i++)
        page_add(notes, "  %-5s %s\n", weft_export_format_name(i), weft_export_format_about(i));
    page_add(notes, "The order of vertices is kept in all of them.\n");
}

static bool read_options(int argc, char **argv, export_options *o, int *code)
{
    char formats[128];
    const args_option options[] = {
        {"out", 'o', ARGS_TEXT, &o->out, "PATH", "file to write; of a sequence, numbers go before the ending", 0, 0},
        {"format", 'f', ARGS_TEXT, &o->format, format_list(formats, sizeof formats), "", 0, 0},
        {"from", 0, ARGS_INT, &o->def.from, "FRAME", "first frame; 0", 0, 1e9},
        {"to", 0, ARGS_INT, &o->def.to, "FRAME", "last frame; the run's last", 0, 1e9},
        {"every", 0, ARGS_INT, &o->def.every, "N", "every N-th frame; 1", 1, 1e6},
        {"axes", 0, ARGS_CHOICE, &o->axes, "y|z", "which axis is up; y, as simulated", 0, 0},
        {"scale", 0, ARGS_NUMBER, &o->def.scale, "S", "file units a metre; 1. 100: centimetres", 1e-9, 1e9},
        {"fps", 0, ARGS_NUMBER, &o->def.fps, "F", "frames a second the file claims; as simulated", 1e-3, 1e6},
        {"cloth", 0, ARGS_TEXT, &o->cloth, "NAME", "one cloth; all of them", 0, 0},
        {"uniform", 0, ARGS_FLAG, &o->uniform, NULL, "adaptive cloth on its finest uniform mesh: one topology", 0, 0},
        {"triangles", 0, ARGS_FLAG, &o->def.as_triangles, NULL, "triangles in place of quads and polygons", 0, 0},
        {"no-audit", 0, ARGS_FLAG, &o->no_audit, NULL, "do not look what rounding to floats does to thin gaps", 0, 0},
        {"force", 0, ARGS_FLAG, &o->def.force, NULL, "replace what exists", 0, 0},
        {"quiet", 'q', ARGS_FLAG, &o->quiet, NULL, "say nothing but errors", 0, 0},
    };
    page notes = {0};
    add_formats(&notes);
    const args_spec spec = {.verb = "export",
                            .usage = "DIR --out PATH [options]",
                            .about = "Turns a run into files for other programs.",
                            .examples = examples,
                            .notes = page_text(&notes),
                            .options = options,
                            .n_options = sizeof options / sizeof *options,
                            .least_words = 1,
                            .most_words = 1,
                            .words_shown = "the folder of a run"};
    args_words words;
    bool go_on = args_begin(&spec, argc, argv, &words, code);
    page_free(&notes);
    o->run = go_on ? words.items[0] : NULL;
    if (go_on && !o->out) {
        *code = say_wrong("'weft export' needs --out PATH, as in: weft export %s --out cloth.glb", o->run);
        go_on = false;
    }
    return go_on;
}

static int choose_format(export_options *o)
{
    const char *name = o->format ? o->format : disk_ending(o->out);
    char formats[128];
    const char *names[16];
    int32_t n = weft_export_format_count();
    for (int32_t i = 0; i < n && i < 16; i++) {
        names[i] = weft_export_format_name(i);
        bool same = o->format ? strcmp(name, names[i]) == 0 : disk_ending_is(o->out, names[i]);
        if (same) {
            o->def.format = (weft_export_format)i;
            return EXIT_FINE;
        }
    }
    const char *near = args_nearest(name, names, n < 16 ? n : 16);
    format_list(formats, sizeof formats);
    if (!o->format && !*name)
        return say_wrong("'%s' has no ending that tells the format: give --format %s", o->out, formats);
    if (near)
        return say_wrong("there is no format '%s': did you mean '%s'? There are %s", name, near, formats);
    return say_wrong("there is no format '%s': there are %s", name, formats);
}

static int unknown_cloth(const char *name, const weft_cache *cache, int32_t n)
{
    const char **names = calloc((size_t)n + 1, sizeof *names);
    for (int32_t i = 0; names && i < n; i++)
        names[i] = weft_cache_cloth_name(cache, i);
    const char *near = names ? args_nearest(name, names, n) : NULL;
    near = !near && n > 0 ? weft_cache_cloth_name(cache, 0) : near;
    free(names);
    return say_wrong("the run has no cloth '%s': did you mean '%s'?", name, near ? near : "");
}

static int choose_cloth(export_options *o, const weft_cache *cache)
{
    int32_t n = weft_cache_get_info(cache).n_cloths;
    if (!o->cloth)
        return EXIT_FINE;
    for (int32_t i = 0; i < n; i++)
        if (strcmp(weft_cache_cloth_name(cache, i), o->cloth) == 0) {
            o->def.cloth = i;
            return EXIT_FINE;
        }
    return unknown_cloth(o->cloth, cache, n);
}

static bool on_progress(void *user, int32_t done, int32_t n)
{
    progress_show_count(user, "exporting", done, n);
    return interrupt_signal() == 0;
}

/* A file is there in any case; a frame that rounding has made intersect is worth a warning. */
static int audit_floats(const export_options *o, weft_cache *cache, progress *p)
{
    weft_error error;
    export_audit found;
    if (o->no_audit || !export_audit_is_needed(o->def.format))
        return EXIT_FINE;
    weft_result r = export_audit_run(cache, &o->def, p, &found, &error);
    progress_end_line(p);
    if (r == WEFT_ERROR_CANCELLED)
        return 128 + interrupt_signal();
    if (r < 0)
        say_warning("the rounded positions could not be checked: %s", error.text);
    else if (found.n_new > 0)
        say_warning(
            "rounded to floats, %d of %d frames have intersections that they had not before, frame %d the first: "
            "%lld pairs of triangles there",
            found.n_new, found.n_frames, found.first, (long long)found.pairs);
    return EXIT_FINE;
}

static int export_run(export_options *o, weft_cache *cache)
{
    weft_error error;
    weft_export_result result;
    int code = choose_cloth(o, cache);
    if (code != EXIT_FINE)
        return code;
    if (disk_make_parent(o->out, &error) < 0)
        return say_wrong("%s", error.text);
    progress p = progress_begin(progress_choose(false, o->quiet), 0);
    o->def.progress = on_progress;
    o->def.progress_user = &p;
    interrupt_watch();
    weft_result r = weft_export(cache, &o->def, &result, &error);
    progress_end_line(&p);
    if (r == WEFT_ERROR_CANCELLED)
        return 128 + interrupt_signal();
    if (r < 0)
        return say_wrong("%s", error.text);
    if (!o->quiet && result.n_files > 1)
        printf("%s … %s: %d files, %d frames\n", result.first, result.last, result.n_files, result.n_frames);
    else if (!o->quiet)
        printf("%s: %d frames\n", result.first, result.n_frames);
    if (result.note[0])
        say_warning("%s", result.note);
    return audit_floats(o, cache, &p);
}

/* By way of a second cache, which is gone afterwards. */
static int export_uniform(export_options *o, const run_view *view)
{
    weft_error error;
    weft_cache *cache = NULL;
    char *path = disk_join(view->folder.path, "uniform.weft.part");
    weft_result r = path ? uniform_make(view, path, &error) : uniform_no_memory(&error);
    if (r >= 0)
        r = weft_cache_open(path, &cache, &error);
    int code = r < 0 ? say_wrong("%s", error.text) : export_run(o, cache);
    weft_cache_free(cache);
    if (path)
        remove(path);
    free(path);
    return code;
}

int verb_export(int argc, char **argv)
{
    export_options o = {.def = weft_export_def_default()};
    run_view view;
    weft_error error;
    int code;
    if (!read_options(argc, argv, &o, &code))
        return code;
    code = choose_format(&o);
    if (code != EXIT_FINE)
        return code;
    o.def.path = o.out;
    o.def.axes = o.axes == 1 ? WEFT_AXES_Z_UP : WEFT_AXES_Y_UP;
    if (run_view_open(o.run, &view, &error) < 0)
        return say_wrong("%s", error.text);
    run_view_warn_torn(&view);
    code = o.uniform ? export_uniform(&o, &view) : export_run(&o, view.cache);
    run_view_close(&view);
    return code;
}
