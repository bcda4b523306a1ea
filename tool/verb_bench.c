/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "bench.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>
#include <string.h>

static const char examples[] =
    "  weft bench                   the benches there are\n"
    "  weft bench step --threads 1  where a step's time goes; --only real: ball, ribbon, T-shirt, walk\n"
    "  weft bench scale             from 5 k to 340 k nodes, one thread, then two; --only sizes, --only threads\n"
    "  weft bench peers             Blender on the ball, and a sheet on a ball of triangles; --only ball, --only "
    "sheet\n"
    "  weft bench papers --quick    all tables of the papers, on small meshes; --only villard, volino, provot, ...\n"
    "  weft bench villard           Villard and Borouchaki's table 1 beside ours; an hour or more\n"
    "  weft bench villard --quick   the same on small meshes, in a few minutes\n"
    "  weft bench villard --only ball       one of hanging, spheres, ball, implicit, tablecloth\n"
    "  weft bench villard -o out/villard    with pictures, shapes and a CSV file there\n"
    "  weft bench ccd queries_vf.bin queries_ee.bin    continuous collision detection, misses and time\n"
    "  weft bench ccd --ply before.ply after.ply       the same on all candidates between two frames\n"
    "  weft bench volino            Volino and Magnenat-Thalmann's tables beside ours; some minutes\n"
    "  weft bench volino --only sphere      one of sphere, loop, body, cost, boxes, memory\n"
    "  weft bench ye                Ye and Zhao's cases beside ours, and more; half an hour\n"
    "  weft bench ye --only garment         one of units, sheets, capsule, rigid, ribbons,\n"
    "                                       garment, simulation, random\n"
    "  weft bench garments --quick          our drafts sewn on our own form, coarse; a minute\n"
    "  weft bench garments body.obj shirt.json skirt.json    the same of files; --only table: nothing but\n"
    "                                       the table, --only shirt: one of them\n"
    "  weft bench garments --only adapt     a T-shirt that splits where it folds, beside a uniform mesh\n";

static const char notes[] = "Files of queries for ccd have 200 bytes a record, little-endian: 24 doubles, x y z of the "
                            "four corners at the start\n"
                            "and at the end (vertex, then triangle; or the ends of both edges), and a 64-bit 1 if they "
                            "meet, 0 if not. Meshes come\n"
                            "two by two, with the same faces. Inclusion, beside it, takes some minutes on large "
                            "meshes: --quick asks it less.\n";

typedef struct bench_entry {
    const char *name;
    int (*run)(const bench_options *o);
    const char *about;
    bool takes_files;
} bench_entry;

static const bench_entry benches[] = {
    {"step", bench_step, "where a step's time goes, and how far from real time some scenes are", false},
    {"scale", bench_scale, "time and memory a node from 5 k to 340 k nodes, and what a second thread gives", false},
    {"peers", bench_peers, "beside other programs: Blender in the same run if it is installed; the others' figures",
     false},
    {"papers", bench_papers, "all tables of the four papers beside ours", false},
    {"provot", bench_provot, "the ribbon that rumples on a table, audited exactly", false},
    {"villard", bench_villard, "adaptive against uniform meshes: hanging, spheres, ball, round tablecloth", false},
    {"ccd", bench_ccd, "continuous collision detection on FILEs: misses, false alarms, time, beside plain inclusion",
     true},
    {"volino", bench_volino, "collision detection: sphere, loop, body and cloth, box trees, memory speed", false},
    {"garments", bench_garments, "patterns sewn on a body (BODY PATTERN ...), or our drafts on our own form", true},
    {"ye", bench_ye, "untangling: unit meshes, sheets, a capsule, garments in bodies, simulations, random tangles",
     false},
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
        {"kind", 0, ARGS_CHOICE, &o.ccd_kind, "name|vf|ee", "ccd: what the queries are; by the file's name", 0, 0},
        {"ply", 0, ARGS_TEXT, &o.ply, "BEFORE AFTER", "ccd: two frames of a mesh; as BEFORE AFTER alone", 0, 0},
    };
    const args_spec spec = {.verb = "bench",
                            .usage = "[NAME [FILE ...]] [options]",
                            .about = "Measures, and prints a table beside what others report.",
                            .examples = examples,
                            .options = options,
                            .n_options = sizeof options / sizeof *options,
                            .notes = notes,
                            .most_words = ARGS_WORDS,
                            .words_shown = "the name of a bench"};
    args_words words;
    int code;
    if (!args_begin(&spec, argc, argv, &words, &code))
        return code;
    if (words.n == 0) {
        list_benches();
        return EXIT_FINE;
    }
    o.files = words.items + 1;
    o.n_files = words.n - 1;
    const char *names[N_BENCHES];
    for (int i = 0; i < N_BENCHES; i++) {
        names[i] = benches[i].name;
        if (strcmp(names[i], words.items[0]) != 0)
            continue;
        if (!benches[i].takes_files && o.n_files > 0)
            return say_wrong("'weft bench %s' takes no file, found '%s'", names[i], o.files[0]);
        return benches[i].run(&o);
    }
    const char *near = args_nearest(words.items[0], names, N_BENCHES);
    return say_wrong("there is no bench '%s': did you mean '%s'?", words.items[0], near ? near : names[0]);
}
