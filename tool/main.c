/* SPDX-License-Identifier: MIT */
/* weft: the command. Scenes in, pictures out. */
#include "args.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

static void print_help(void)
{
    printf("weft %s: cloth simulation in physical units\n\nusage: weft VERB ...\n\n", weft_version());
    for (const command_verb *v = verbs; v->name; v++)
        printf("  %-9s %s\n", v->name, v->about);
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

static int unknown_verb(const char *name)
{
    if (strcmp(name, "bench") == 0)
        return say_wrong("benches are a program of their own: build/bench/weft-bench NAME, or ./dev bench NAME");
    const char *names[32];
    char all[256] = "";
    int32_t n = 0;
    for (const command_verb *v = verbs; v->name; v++) {
        names[n++] = v->name;
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", v == verbs ? "" : ", ", v->name);
    }
    names[n++] = "help";
    const char *near = args_nearest(name, names, n);
    if (near)
        return say_wrong("there is no verb '%s': did you mean '%s'?", name, near);
    return say_wrong("there is no verb '%s': there are %s and help", name, all);
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
    const command_verb *v = name ? verb_find(name) : NULL;
    bool is_help = name && (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0);
    if (name && !v && !is_help)
        return unknown_verb(name);
    if (v)
        return verb_tell(v, "");
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
        const command_verb *v = verb_find(name);
        code = v ? v->run(argc - 2, argv + 2) : *name == '-' ? unknown_option(name) : unknown_verb(name);
    }
    /* What was asked for must have been written; a run has seen to that itself. */
    if (fflush(stdout) != 0 && code == EXIT_FINE && strcmp(name, "run") != 0)
        code = say_wrong("cannot write to the standard output");
    return code;
}
