/* SPDX-License-Identifier: MIT */
/* weft: the command. Scenes in, pictures out. */
#include "args.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

typedef struct verb {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} verb;

static const verb verbs[] = {
    {"new", verb_new, "write a starter scene to change as you like"},
    {"run", verb_run, "simulate a scene: a folder with frames, pictures and a report"},
    {"info", verb_info, "say what a scene, a mesh, a motion file or a run is"},
    {"check", verb_check, "look for intersections, exactly: in a mesh, a motion or a run"},
    {"untangle", verb_untangle, "move the vertices of a mesh until it goes through nothing"},
    {"view", verb_view, "show a run or a mesh in the browser, in 3D"},
    {"export", verb_export, "turn a run into files for other programs"},
    {"render", verb_render, "make pictures or a video of a run"},
    {"pattern", verb_pattern, "check, mesh and draw a sewing pattern"},
    {"form", verb_form, "make a dress form to measure, or draft a pattern for it"},
    {"sew", verb_sew, "sew a pattern on a body: pictures of the drape and a report"},
    {"schema", verb_schema, "print what may stand in a scene file, for editors or people"},
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static void print_help(void)
{
    printf("weft %s: cloth simulation in physical units\n\nusage: weft VERB ...\n\n", weft_version());
    for (int i = 0; i < N_VERBS; i++)
        printf("  %-9s %s\n", verbs[i].name, verbs[i].about);
    puts("  help      this text, or all about one verb: weft help run\n"
         "\n"
         "examples\n"
         "  weft new drape                         writes drape.yaml: a cotton sheet above a ball\n"
         "  weft run drape.yaml                    simulates it; look at out/drape/preview.png\n"
         "  weft run drape.yaml --set cloths.sheet.fabric=silk -o out/silk\n"
         "  weft run --resume -o out/drape         goes on after Ctrl-C\n"
         "  weft view out/drape                    in the browser, in 3D, also while it goes on\n"
         "  weft export out/drape --out drape.glb  for other programs: obj ply pc2 mdd glb usda npz\n"
         "  weft render out/drape --mp4            a video\n"
         "\n"
         "exit codes: 0 fine, 1 the answer is no, 2 something is wrong (one message says what), 128 + n stopped by "
         "signal n");
}

static const verb *find_verb(const char *name)
{
    for (int i = 0; i < N_VERBS; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

static int unknown_verb(const char *name)
{
    if (strcmp(name, "bench") == 0)
        return say_wrong("benches are a program of their own: build/bench/weft-bench NAME, or ./dev bench NAME");
    const char *names[N_VERBS + 1];
    for (int i = 0; i < N_VERBS; i++)
        names[i] = verbs[i].name;
    names[N_VERBS] = "help";
    const char *near = args_nearest(name, names, N_VERBS + 1);
    if (near)
        return say_wrong("there is no verb '%s': did you mean '%s'?", name, near);
    return say_wrong(
        "there is no verb '%s': there are new, run, info, check, untangle, view, export, render, pattern, form, "
        "sew, schema and help",
        name);
}

static int unknown_option(const char *name)
{
    static const char *const names[] = {"--help", "--version"};
    const char *near = args_nearest(name, names, 2);
    if (near)
        return say_wrong("there is no option '%s': did you mean '%s'?", name, near);
    return say_wrong("there is no option '%s' before a verb: --help and --version are all; others follow the verb",
                     name);
}

static int help(const char *name)
{
    char option[] = "--help";
    char *words[] = {option, NULL};
    const verb *v = name ? find_verb(name) : NULL;
    bool is_help = name && (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0);
    if (name && !v && !is_help)
        return unknown_verb(name);
    if (v)
        return v->run(1, words);
    print_help();
    return EXIT_FINE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help();
        return EXIT_WRONG;
    }
    const char *name = argv[1];
    int code;
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 || strcmp(name, "version") == 0) {
        printf("weft %s\n", weft_version());
        code = EXIT_FINE;
    } else if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        code = help(argc > 2 ? argv[2] : NULL);
    else {
        const verb *v = find_verb(name);
        code = v ? v->run(argc - 2, argv + 2) : *name == '-' ? unknown_option(name) : unknown_verb(name);
    }
    /* What was asked for must have been written; a run has seen to that itself. */
    if (fflush(stdout) != 0 && code == EXIT_FINE && strcmp(name, "run") != 0)
        code = say_wrong("cannot write to the standard output");
    return code;
}
