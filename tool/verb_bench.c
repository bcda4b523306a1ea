/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "bench.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>
#include <string.h>

static const char examples[] =
    "  weft bench                   the benches there are\n"
    "  weft bench villard           Villard and Borouchaki's table 1 beside ours; some hours\n"
    "  weft bench villard --quick   the same on small meshes, in a minute or two\n"
    "  weft bench villard -o out/villard    with pictures and a CSV file there\n"
    "  weft bench volino            Volino and Magnenat-Thalmann's tables beside ours; some minutes\n"
    "  weft bench volino --only sphere      one of sphere, loop, body, cost, boxes, memory\n";

typedef struct bench_entry {
    const char *name;
    int (*run)(const bench_options *o);
    const char *about;
} bench_entry;

static const bench_entry benches[] = {
    {"villard", bench_villard, "adaptive against uniform meshes: hanging, spheres, ball, round tablecloth"},
    {"volino", bench_volino, "collision detection: sphere, loop, body and cloth, box trees, memory speed"},
};
enum { N_BENCHES = sizeof benches / sizeof *benches };

static void list_benches(void)
{
    for (int i = 0; i < N_BENCHES; i++)
        printf("%-9s %s\n", benches[i].name, benches[i].about);
}

int verb_bench(int argc, char **argv)
{
    bench_options o = {0};
    const args_option options[] = {
        {"quick", 0, ARGS_FLAG, &o.quick, NULL, "small meshes and few steps", 0, 0},
        {"threads", 0, ARGS_INT, &o.n_threads, "N", "0: one a core; 0", 0, 256},
        {"only", 0, ARGS_TEXT, &o.only, "NAME", "one part of the bench", 0, 0},
        {"out", 'o', ARGS_TEXT, &o.folder, "DIR", "folder for pictures and a CSV file; none", 0, 0},
    };
    const args_spec spec = {.verb = "bench",
                            .usage = "[NAME] [options]",
                            .about = "Measures, and prints a table beside what others report.",
                            .examples = examples,
                            .options = options,
                            .n_options = sizeof options / sizeof *options,
                            .most_words = 1,
                            .words_shown = "the name of a bench"};
    args_words words;
    int code;
    if (!args_begin(&spec, argc, argv, &words, &code))
        return code;
    if (words.n == 0) {
        list_benches();
        return EXIT_FINE;
    }
    const char *names[N_BENCHES];
    for (int i = 0; i < N_BENCHES; i++) {
        names[i] = benches[i].name;
        if (strcmp(names[i], words.items[0]) == 0)
            return benches[i].run(&o);
    }
    const char *near = args_nearest(words.items[0], names, N_BENCHES);
    return say_wrong("there is no bench '%s': did you mean '%s'?", words.items[0], near ? near : names[0]);
}
