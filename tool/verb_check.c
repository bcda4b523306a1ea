/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "disk.h"
#include "interrupt.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char examples[] =
    "  weft check shirt.obj                     where does this mesh (obj, ply, stl) go through itself?\n"
    "  weft check shirt.obj --against body.obj  and through the body?\n"
    "  weft check shirt.obj -o found.png        a picture of what is found\n"
    "  weft check shirt.obj --report found.html a page with a 3D player: go from contour to contour\n"
    "  weft check out/drape                     every frame of a run, against its colliders too\n"
    "  weft check walk_####.obj                 a file a frame; faces may change\n"
    "  weft check walk.pc2 --mesh body.obj      points over time; the mesh says what the faces are\n"
    "  weft check out/drape --json | jq '.moments[] | select(.pairs > 0).frame'\n";

static const char notes[] =
    "Two triangles intersect if they share a point outside their common vertices and edges; touching counts. The\n"
    "answer is exact: no tolerances. From colliders that are no meshes, cloth has to keep its thickness, to 1e-9 m.\n"
    "With -o a picture shows the frame with the most of it. Exit code 0: none found,\n"
    "1: some, or frames are lost, 2: something is wrong.\n";

static bool read_options(int argc, char **argv, check_options *o, int *code)
{
    const args_option options[] = {
        {"against", 0, ARGS_LIST, &o->against, "FILE", "a mesh that stands still, as a collider; again and again", 0,
         0},
        {"mesh", 0, ARGS_TEXT, &o->mesh, "FILE", "faces of a PC2 or MDD; the OBJ of the same name", 0, 0},
        {"frames", 0, ARGS_RANGE, &o->frames, "A:B", "these frames, both included; all", 0, 0},
        {"every", 0, ARGS_INT, &o->every, "N", "every N-th frame; 1", 1, 1e6},
        {"fps", 0, ARGS_NUMBER, &o->fps, "F", "frames a second of a PC2 or a sequence; 24", 1e-3, 1e6},
        {"out", 'o', ARGS_TEXT, &o->out, "PATH", "a picture of the worst frame, PNG; made also if nothing is found", 0,
         0},
        {"report", 0, ARGS_TEXT, &o->report, "PATH", "a page with a 3D player of what is found, HTML", 0, 0},
        {"player-mb", 0, ARGS_NUMBER, &o->player_mb, "MB", "of frames in the report; of more, some are left out; 8",
         0.01, 1000},
        {"json", 0, ARGS_FLAG, &o->json, NULL, "one JSON object", 0, 0},
        {"pairs", 0, ARGS_FLAG, &o->pairs, NULL, "with --json: every pair of triangles", 0, 0},
        {"threads", 't', ARGS_INT, &o->threads, "N", "0: one a core; the answer is the same", 0, 256},
        {"force", 0, ARGS_FLAG, &o->force, NULL, "replace the picture and the report", 0, 0},
        {"quiet", 'q', ARGS_FLAG, &o->quiet, NULL, "only the exit code, and errors", 0, 0},
    };
    const args_spec spec = {.verb = "check",
                            .usage = "FILE|DIR [options]",
                            .about = "Looks for intersections, exactly: in a mesh, a motion or a run.",
                            .examples = examples,
                            .notes = notes,
                            .options = options,
                            .n_options = sizeof options / sizeof *options,
                            .least_words = 1,
                            .most_words = 1,
                            .words_shown = "a mesh, a motion or the folder of a run"};
    args_words words;
    if (!args_begin(&spec, argc, argv, &words, code))
        return false;
    o->path = words.items[0];
    *code = EXIT_FINE;
    if (o->pairs && !o->json)
        *code = say_wrong("'--pairs' goes with '--json'");
    else if (o->out && !o->force && disk_exists(o->out))
        *code = say_wrong("%s exists already; replace it with --force", o->out);
    else if (o->report && !o->force && disk_exists(o->report))
        *code = say_wrong("%s exists already; replace it with --force", o->report);
    return *code == EXIT_FINE;
}

static weft_result look(check *c, weft_error *error)
{
    const char *path = c->o->path;
    bool sequence = strchr(path, '#') && !disk_exists(path);
    if (sequence || disk_ending_is(path, "pc2") || disk_ending_is(path, "mdd"))
        return check_motion(c, path, error);
    if (disk_is_folder(path) || disk_ending_is(path, "weft"))
        return check_run(c, path, error);
    return check_mesh(c, path, error);
}

/* The path of the picture that was made, or NULL: none was wanted. */
static const char *make_picture(check *c, int *code)
{
    weft_error error;
    if (!c->o->out ||
        (disk_make_parent(c->o->out, &error) >= 0 && marks_write(&c->evidence, c->o->threads, c->o->out, &error) >= 0))
        return c->o->out;
    *code = say_wrong("%s", error.text);
    return NULL;
}

static void make_report(check *c, int *code)
{
    weft_error error;
    if (c->o->report && (disk_make_parent(c->o->report, &error) < 0 || check_write_report(c, &error) < 0))
        *code = say_wrong("%s", error.text);
}

static int run_check_verb(const check_options *o)
{
    check c = {.o = o, .worst_faults = o->out || o->report ? -1 : 0};
    weft_error error;
    c.progress = progress_begin(progress_choose(false, o->quiet || o->json), 0);
    interrupt_watch();
    if (!check_begin_report(&c))
        return say_wrong("out of memory");
    weft_result r = look(&c, &error);
    progress_end_line(&c.progress);
    int code = c.n_bad > 0 || c.torn ? EXIT_NO : EXIT_FINE;
    if (r == WEFT_ERROR_CANCELLED)
        code = 128 + interrupt_signal();
    else if (r < 0)
        code = say_wrong("%s%s%s", strncmp(error.text, o->path, strlen(o->path)) ? o->path : "",
                         strncmp(error.text, o->path, strlen(o->path)) ? ": " : "", error.text);
    else if (c.n_moments == 0)
        code = say_wrong(c.n_lost > 0 ? "%s: none of the frames can be read" : "%s has no such frames", o->path);
    else {
        const char *picture = make_picture(&c, &code);
        make_report(&c, &code);
        check_tell(&c, picture);
    }
    check_free(&c);
    return code;
}

int verb_check(int argc, char **argv)
{
    check_options o = {.every = 1, .fps = 24, .player_mb = 8};
    int code = EXIT_WRONG;
    o.against.items = calloc((size_t)argc + 1, sizeof *o.against.items);
    if (!o.against.items)
        return say_wrong("out of memory");
    if (read_options(argc, argv, &o, &code))
        code = run_check_verb(&o);
    free(o.against.items);
    return code;
}
