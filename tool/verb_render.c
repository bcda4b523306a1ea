/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "finish.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char examples[] = "  weft render out/drape                            the last frame\n"
                               "  weft render out/drape --frame 30 --color stretch --wire --out stretch.png\n"
                               "  weft render out/drape --frames 0:60 --out seq/drape.png      seq/drape_0000.png …\n"
                               "  weft render out/drape --all --mp4                out/drape/video.mp4, with ffmpeg\n"
                               "  weft render out/drape --sheet --width 1280 --height 720\n"
                               "  weft render out/walk --mp4 --follow               the camera goes along\n"
                               "  weft render out/drape --eye 0,1,2 --target 0,0.2,0\n";

static const char notes[] = "Colliders come from the run's scene.yaml. Without --eye and --target the camera is found "
                            "so that the cloth of all\n"
                            "frames is seen, and is the same for all of them.\n";

typedef struct render_options {
    const char *run, *out;
    int32_t frame, every, coloring, width, height, samples, threads;
    args_range frames;
    args_vector eye, target;
    double turn;
    bool follow, all, wire, mp4, sheet, force, quiet;
} render_options;

static bool read_options(int argc, char **argv, render_options *o, int *code)
{
    const args_option options[] = {
        {"frame", 0, ARGS_INT, &o->frame, "N", "this frame; the last", 0, 1e9},
        {"frames", 0, ARGS_RANGE, &o->frames, "A:B", "these frames, both included", 0, 0},
        {"every", 0, ARGS_INT, &o->every, "N", "of these every N-th; 1", 1, 1e6},
        {"all", 0, ARGS_FLAG, &o->all, NULL, "all frames", 0, 0},
        {"sheet", 0, ARGS_FLAG, &o->sheet, NULL, "a contact sheet of them", 0, 0},
        {"mp4", 0, ARGS_FLAG, &o->mp4, NULL, "a video of them, with ffmpeg; all frames if none are named", 0, 0},
        {"out", 'o', ARGS_TEXT, &o->out, "PATH", "file; of several pictures, numbers go before the ending", 0, 0},
        {"color", 0, ARGS_CHOICE, &o->coloring,
         "sides|stretch|level|intersections|warp|weft|shear|speed|distance|pressure",
         "colours of the cloth; as the scene says", 0, 0},
        {"wire", 0, ARGS_FLAG, &o->wire, NULL, "the mesh's lines on the cloth", 0, 0},
        {"width", 0, ARGS_INT, &o->width, "N", "pixels", 16, 8192},
        {"height", 0, ARGS_INT, &o->height, "N", "pixels", 16, 8192},
        {"samples", 0, ARGS_INT, &o->samples, "N", "rays a pixel: more is less grainy, and slower", 1, 1024},
        {"eye", 0, ARGS_VECTOR, &o->eye, "X,Y,Z", "where the camera is, m", 0, 0},
        {"target", 0, ARGS_VECTOR, &o->target, "X,Y,Z", "what it looks at, m", 0, 0},
        {"follow", 0, ARGS_FLAG, &o->follow, NULL, "the camera goes along with the cloth", 0, 0},
        {"turn", 0, ARGS_NUMBER, &o->turn, "DEG", "so many degrees a frame round the cloth, which it follows", -180,
         180},
        {"threads", 't', ARGS_INT, &o->threads, "N", "0: one a core; the pictures are the same", 0, 256},
        {"force", 0, ARGS_FLAG, &o->force, NULL, "replace what exists", 0, 0},
        {"quiet", 'q', ARGS_FLAG, &o->quiet, NULL, "say nothing but errors", 0, 0},
    };
    const args_spec spec = {.verb = "render",
                            .usage = "DIR [options]",
                            .about = "Makes pictures or a video of a run.",
                            .examples = examples,
                            .notes = notes,
                            .options = options,
                            .n_options = sizeof options / sizeof *options,
                            .least_words = 1,
                            .most_words = 1,
                            .words_shown = "the folder of a run"};
    args_words words;
    if (!args_begin(&spec, argc, argv, &words, code))
        return false;
    o->run = words.items[0];
    *code = EXIT_FINE;
    if ((o->frame >= 0) + o->frames.given + o->all > 1)
        *code = say_wrong("give one of --frame, --frames and --all");
    else if (o->every > 1 && (o->sheet || o->mp4 || !(o->all || o->frames.given)))
        *code = say_wrong("'--every' goes with --frames or --all, and makes single pictures");
    else if (o->sheet && o->mp4)
        *code = say_wrong("give one of --sheet and --mp4");
    else if (o->eye.given != o->target.given)
        *code = say_wrong("--eye and --target go together, as in --eye 0,1,2 --target 0,0.2,0");
    else if (o->eye.given && (o->follow || o->turn != 0))
        *code = say_wrong("--follow and --turn find the camera themselves: give them without --eye and --target");
    return *code == EXIT_FINE;
}

static pictures_look look_of(const render_options *o, const weft_scene *scene)
{
    pictures_look look = pictures_look_of(scene);
    weft_scene_picture *p = &look.picture;
    look.n_threads = o->threads;
    p->width = o->width > 0 ? o->width : p->width;
    p->height = o->height > 0 ? o->height : p->height;
    p->samples = o->samples > 0 ? o->samples : p->samples;
    p->wire = p->wire || o->wire;
    if (o->coloring >= 0)
        p->coloring = (weft_scene_coloring)o->coloring;
    if (o->eye.given) {
        p->has_camera = true;
        p->eye = o->eye.v;
        p->target = o->target.v;
    }
    look.follow = o->follow || o->turn != 0;
    look.turn = o->turn;
    p->has_camera = p->has_camera && !look.follow;
    return look;
}

/* The frames that are meant; false: the run has not got them. */
static bool find_range(const render_options *o, int32_t n_frames, int32_t *from, int32_t *to)
{
    bool everything = o->all || o->mp4 || o->sheet;
    *to = n_frames - 1;
    *from = everything ? 0 : *to;
    if (o->frame >= 0)
        *from = *to = o->frame;
    if (o->frames.given) {
        *from = o->frames.from;
        *to = o->frames.to >= 0 ? o->frames.to : *to;
    }
    return n_frames > 0 && *from <= *to && *to < n_frames;
}

/* Where the pictures go if nothing is said: never to the preview that the run made. */
static char *default_out(const render_options *o, const run_folder *f, bool several, int32_t frame)
{
    char name[40];
    snprintf(name, sizeof name, "frame_%04d.png", frame);
    if (o->mp4)
        return disk_copy(f->video);
    if (o->sheet)
        return disk_join(f->path, "sheet.png");
    return disk_join(f->path, several ? "frames/frame.png" : name);
}

/* "a/b.png" and 7: "a/b_0007.png". malloc'ed. */
static char *numbered(const char *path, int32_t frame)
{
    page name = {0};
    const char *ending = disk_ending(path);
    int stem = (int)(*ending ? ending - path - 1 : (ptrdiff_t)strlen(path));
    page_add(&name, "%.*s_%04d%s%s", stem, path, frame, *ending ? "." : "", ending);
    char *copy = disk_copy(page_text(&name));
    page_free(&name);
    return copy;
}

typedef struct render_job {
    const render_options *o;
    run_view *view;
    pictures *taken;
    pictures_look look;
    progress progress;
    int32_t from, to;
    char *out;
} render_job;

static int check_target(const render_job *j, const char *path)
{
    if (!j->o->force && disk_exists(path))
        return say_wrong("%s exists already; replace it with --force", path);
    return EXIT_FINE;
}

static int render_sequence(render_job *j)
{
    weft_error error;
    int code = EXIT_FINE;
    int32_t every = j->o->every, last = j->from + (j->to - j->from) / every * every;
    for (int32_t i = j->from; i <= last && code == EXIT_FINE; i += every) {
        char *path = numbered(j->out, i);
        code = check_target(j, path);
        if (code == EXIT_FINE && pictures_write(j->taken, i, path, &error) < 0)
            code = say_wrong("%s", error.text);
        progress_show_count(&j->progress, "pictures", i - j->from + 1, j->to - j->from + 1);
        if (i == last && code == EXIT_FINE && !j->o->quiet) {
            progress_end_line(&j->progress);
            printf("%s\n", path);
        }
        free(path);
    }
    progress_end_line(&j->progress);
    return code;
}

static int render_one(render_job *j)
{
    weft_error error;
    double fps = weft_cache_get_info(j->view->cache).fps;
    int code = check_target(j, j->out);
    if (code != EXIT_FINE)
        return code;
    weft_result r;
    if (j->o->mp4)
        r = finish_video(j->taken, &j->progress, j->out, &j->look, j->from, j->to, fps, &error);
    else if (j->o->sheet)
        r = pictures_write_sheet(j->taken, j->from, j->to, j->out, &error);
    else
        r = pictures_write(j->taken, j->to, j->out, &error);
    if (r < 0)
        return say_wrong("%s", error.text);
    if (!j->o->quiet)
        printf("%s\n", j->out);
    return EXIT_FINE;
}

static int render(const render_options *o, run_view *view)
{
    weft_error error;
    render_job j = {.o = o, .view = view};
    int32_t n_frames = weft_cache_get_info(view->cache).n_frames;
    if (!find_range(o, n_frames, &j.from, &j.to))
        return say_wrong("%s has no such frames: it has 0 to %d", o->run, n_frames - 1);
    bool several = !o->mp4 && !o->sheet && (o->all || o->frames.given);
    j.look = look_of(o, view->scene);
    j.progress = progress_begin(progress_choose(false, o->quiet), 0);
    j.out = o->out ? disk_copy(o->out) : default_out(o, &view->folder, several, j.to);
    int code = disk_make_parent(j.out, &error) < 0 ? say_wrong("%s", error.text) : EXIT_FINE;
    if (code == EXIT_FINE && pictures_open(view->cache, view->scene, &j.look, &j.taken, &error) < 0)
        code = say_wrong("%s", error.text);
    if (code == EXIT_FINE) {
        finish_warn(&j.progress, view, j.taken);
        code = several ? render_sequence(&j) : render_one(&j);
    }
    pictures_close(j.taken);
    free(j.out);
    return code;
}

int verb_render(int argc, char **argv)
{
    render_options o = {.frame = -1, .every = 1, .coloring = -1};
    run_view view;
    weft_error error;
    int code;
    if (!read_options(argc, argv, &o, &code))
        return code;
    if (run_view_open(o.run, &view, &error) < 0)
        return say_wrong("%s", error.text);
    run_view_warn_torn(&view);
    code = render(&o, &view);
    run_view_close(&view);
    return code;
}
