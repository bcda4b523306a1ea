/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "args.h"
#include "disk.h"
#include "interrupt.h"
#include "report/report.h"
#include "say.h"
#include "verbs.h"
#include "view/server.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

static const char examples[] =
    "  weft view out/drape                      opens the player in the browser; frames come in full precision\n"
    "  weft view out/drape --port 8123          at a port of your choice; for ssh -L 8123:127.0.0.1:8123\n"
    "  weft view shirt.obj                      a mesh, and where it goes through itself\n"
    "  weft view shirt.obj --against body.obj   and through the body\n";

static const char notes[] =
    "The page is served on this machine's loopback alone, to whoever knows the address, which has a secret; nothing\n"
    "else is served. A run that still goes is shown as it goes on. Ctrl-C ends it. Without a screen (DISPLAY or\n"
    "WAYLAND_DISPLAY) no browser is opened. Through ssh -L the address is the same, with the port at your end.\n";

typedef struct view_options {
    const char *path;
    args_list against;
    double mb;
    int32_t port, threads;
    bool no_open, quiet;
} view_options;

static bool read_options(int argc, char **argv, view_options *o, int *code)
{
    const args_option options[] = {
        {"port", 'p', ARGS_INT, &o->port, "N", "of 127.0.0.1; one that is free", 1024, 65535},
        {"no-open", 0, ARGS_FLAG, &o->no_open, NULL, "only print the address", 0, 0},
        {"against", 0, ARGS_LIST, &o->against, "FILE", "with a mesh: one that stands still; again and again", 0, 0},
        {"player-mb", 0, ARGS_NUMBER, &o->mb, "MB", "of frames in the browser; of more, some are left out; 1000", 1,
         1e6},
        {"threads", 't', ARGS_INT, &o->threads, "N", "0: one a core", 0, 256},
        {"quiet", 'q', ARGS_FLAG, &o->quiet, NULL, "print the address alone", 0, 0},
    };
    const args_spec spec = {.verb = "view",
                            .usage = "DIR|FILE [options]",
                            .about = "Shows a run or a mesh in the browser, in 3D.",
                            .examples = examples,
                            .notes = notes,
                            .options = options,
                            .n_options = sizeof options / sizeof *options,
                            .least_words = 1,
                            .most_words = 1,
                            .words_shown = "the folder of a run, or a mesh"};
    args_words words;
    if (!args_begin(&spec, argc, argv, &words, code))
        return false;
    o->path = words.items[0];
    *code = EXIT_FINE;
    if (o->against.n > 0 && (disk_is_folder(o->path) || disk_ending_is(o->path, "weft")))
        *code = say_wrong("'--against' goes with a mesh, and %s is a run", o->path);
    return *code == EXIT_FINE;
}

static weft_result make_page(const char *name, page *html, weft_error *error)
{
    record *to = record_new();
    record_set(to, "name", "%s", name);
    record_set(to, "clip_stream", "frames");
    weft_result r = report_fill("view", to, html, error);
    record_free(to);
    return r;
}

/* The browser is asked to show it; whether it does is not known. Its words are not for our terminal. */
static void open_browser(const char *url)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if (!(x && *x) && !(wayland && *wayland))
        return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
    char program[] = "xdg-open", *address = disk_copy(url), *words[] = {program, address, NULL};
    pid_t child;
    posix_spawnp(&child, program, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(address);
}

static int serve(const view_options *o, view_server *server, const feed_source *source)
{
    weft_error error;
    page html = {0};
    if (make_page(feed_source_name(source), &html, &error) < 0)
        return say_wrong("%s", error.text);
    if (!o->quiet)
        printf("%s: %s\n", o->path, feed_source_about(source));
    printf("%s\n", server->url);
    if (!o->quiet)
        printf("Ctrl-C ends it\n");
    fflush(stdout);
    if (!o->no_open)
        open_browser(server->url);
    weft_result r = view_server_run(server, &html, source, &error);
    page_free(&html);
    return r < 0 ? say_wrong("%s", error.text) : EXIT_FINE;
}

static int view(const view_options *o)
{
    const feed_def def = {.path = o->path,
                          .against = o->against.items,
                          .n_against = o->against.n,
                          .n_threads = o->threads,
                          .budget = 1e6 * o->mb};
    feed_source *source = NULL;
    view_server server = {.socket = -1};
    weft_error error;
    interrupt_watch();
    int code = EXIT_FINE;
    if (view_server_open(o->port, &server, &error) < 0 || feed_source_open(&def, &source, &error) < 0)
        code = say_wrong("%s", error.text);
    else if (!interrupt_signal())
        code = serve(o, &server, source);
    view_server_close(&server);
    feed_source_close(source);
    return code;
}

int verb_view(int argc, char **argv)
{
    view_options o = {.mb = 1000};
    int code;
    o.against.items = calloc((size_t)argc + 1, sizeof *o.against.items);
    if (!o.against.items)
        return say_wrong("out of memory");
    if (read_options(argc, argv, &o, &code))
        code = view(&o);
    free(o.against.items);
    return code;
}
