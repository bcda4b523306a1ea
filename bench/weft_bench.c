/* SPDX-License-Identifier: MIT */
/* weft-bench: measures, and prints tables beside what others report. One program for all benches; this file has their
 * list, what each can be told, and main. */
#include "args.h"
#include "bench.h"
#include "disk.h"
#include "say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A bench has the options below (`run`), or a table of its own (`run_words`). */
typedef struct bench_entry {
    const char *name, *about;
    int (*run)(const bench_options *o);
    int (*run_words)(int argc, char **argv);
    const char *files; /* that it may be given, as the usage shows them; NULL: none */
    const char *examples, *notes;
} bench_entry;

static const bench_entry benches[] = {
    {.name = "step",
     .run = bench_step,
     .about = "where a step's time goes, and how far from real time some scenes are",
     .examples = "  weft-bench step --only phases --threads 1   milliseconds of each phase\n"
                 "  weft-bench step --only real                 ball, ribbon, T-shirt, walk; garments need data\n"},
    {.name = "scale",
     .run = bench_scale,
     .about = "time and memory a node from 5 k to 340 k nodes, and what a second thread gives",
     .examples = "  weft-bench scale --only sizes               one thread\n"
                 "  weft-bench scale --only threads             two beside two simulations of one\n"},
    {.name = "solve",
     .run_words = bench_solve,
     .about = "iterations and time of the inner solve: multigrid beside block Jacobi, and the memory's speed"},
    {.name = "torture",
     .run_words = bench_torture,
     .about = "scenes that are hard on collisions, audited exactly after every step"},
    {.name = "contact",
     .run = bench_contact,
     .about = "contact at default settings beside known answers: friction, layers, distances, momentum",
     .examples = "  weft-bench contact --quick                  all parts, less of each\n"
                 "  weft-bench contact --only slide             one of slide, creep, capstan, layers, bodies, sums,\n"
                 "                                              default-converged; the body needs data\n"},
    {.name = "motion",
     .run = bench_motion,
     .about = "motion at default settings beside known answers: energy of a swinging sheet",
     .examples = "  weft-bench motion --quick                   small meshes, 1/60 s\n"
                 "  weft-bench motion --only swing\n"},
    {.name = "violence",
     .run = bench_violence,
     .about = "what is held, or a collider, moves far in a step: stretch, the worst step's cost, intersections",
     .examples = "  weft-bench violence --only ring8            one of ring3, ring8, propeller3, propeller10, bullet,\n"
                 "                                              funnel, stack; or ring, propeller\n"
                 "  weft-bench violence --quick                 half the nodes a side\n"},
    {.name = "ccd",
     .run = bench_ccd,
     .about = "continuous collision detection: misses, false alarms, time, beside plain inclusion",
     .files = "[FILE ...]",
     .examples = "  weft-bench ccd --data DIR --quick           the files in DIR/ccd\n"
                 "  weft-bench ccd queries_vf.bin queries_ee.bin\n"
                 "  weft-bench ccd --ply before.ply after.ply   all candidates between two frames\n",
     .notes =
         "Files of queries have 200 bytes a record, little-endian: 24 doubles, x y z of the four corners at the "
         "start and\n"
         "at the end (vertex, then triangle; or the ends of both edges), and a 64-bit 1 if they meet, 0 if not. "
         "Meshes\n"
         "come two by two, with the same faces. Inclusion, beside it, takes some minutes on large meshes: --quick\n"
         "asks it less.\n"},
    {.name = "garments",
     .run = bench_garments,
     .about = "patterns sewn on a body, or our drafts on our own form; adaptive beside uniform meshes",
     .files = "[BODY PATTERN ...]",
     .examples = "  weft-bench garments --quick                 our drafts on our form, coarse; a minute\n"
                 "  weft-bench garments body.obj shirt.json skirt.json\n"
                 "  weft-bench garments --only table            without the comparison; --only NAME: one garment\n"
                 "  weft-bench garments --only adapt            a T-shirt that splits where it folds, beside a uniform "
                 "mesh\n"},
    {.name = "peers",
     .run = bench_peers,
     .about = "beside other programs: Blender in the same run if it is installed; the others' figures",
     .examples = "  weft-bench peers --only ball                Blender on the ball\n"
                 "  weft-bench peers --only sheet               a sheet on a ball of triangles\n"},
    {.name = "repair",
     .run = bench_repair,
     .about = "random tangles: how many are clean, and how much of the cloth's shape is left",
     .files = "[A..B]",
     .examples = "  weft-bench repair 1..20 -o out/repair       seeds of each kind; pictures of what fails\n"
                 "  weft-bench repair 7 --only strip            one of strip, sheets, knot, one-sided, layers, body,\n"
                 "                                              capsule, arm, hopeless, sleeve; --quick: without\n"
                 "                                              how near to its original cloth can be\n"},
    {.name = "untangling",
     .run = bench_untangling,
     .about = "the same tangles in a simulation under gravity: when they are free, and how far stretched",
     .files = "[A..B]",
     .examples = "  weft-bench untangling 1..20                 seeds of each kind\n"
                 "  weft-bench untangling 7 --only arm          one of strip, sheets, knot, layers, body, capsule,\n"
                 "                                              arm, sleeve\n"},
    {.name = "papers",
     .run = bench_papers,
     .about = "all tables of the four papers beside ours",
     .examples = "  weft-bench papers --quick                   on small meshes\n"
                 "  weft-bench papers --only provot             one of villard, volino, provot, garments, ye\n"},
    {.name = "villard",
     .run = bench_villard,
     .about = "Villard and Borouchaki: adaptive beside uniform meshes; hanging, spheres, ball, round tablecloth",
     .examples = "  weft-bench villard --quick                  small meshes, a few minutes; an hour or more without\n"
                 "  weft-bench villard --only ball              one of hanging, spheres, ball, implicit, tablecloth\n"
                 "  weft-bench villard -o out/villard           with pictures, shapes and a CSV file\n"},
    {.name = "volino",
     .run = bench_volino,
     .about = "Volino and Magnenat-Thalmann: collision detection beside box trees and the memory's speed",
     .examples = "  weft-bench volino                           some minutes; body and boxes need data\n"
                 "  weft-bench volino --only sphere             one of sphere, loop, body, cost, boxes, memory\n"},
    {.name = "provot",
     .run = bench_provot,
     .about = "Provot: the ribbon that rumples on a table, audited exactly after every step",
     .examples = "  weft-bench provot --quick                   the first second of six\n"},
    {.name = "ye",
     .run = bench_ye,
     .about = "Ye and Zhao: untangling of unit meshes, sheets, garments in bodies, simulations, random tangles",
     .examples = "  weft-bench ye                               half an hour; units, cups and bodies need data\n"
                 "  weft-bench ye --only garment                one of units, sheets, capsule, rigid, poses, ribbons,\n"
                 "                                              garment, simulation, random\n"},
};
enum { N_BENCHES = sizeof benches / sizeof *benches };

static void print_benches(void)
{
    puts("weft-bench: measures, and prints tables beside what others report\n\nusage: weft-bench NAME ...\n");
    for (int i = 0; i < N_BENCHES; i++)
        printf("  %-10s %s\n", benches[i].name, benches[i].about);
    puts(
        "\n"
        "weft-bench NAME --help has the options of one. Exit codes: 0 fine, 1 a figure that is promised was missed, 2\n"
        "something is wrong (one message says what).");
}

static const bench_entry *find_bench(const char *name)
{
    for (int i = 0; i < N_BENCHES; i++)
        if (strcmp(benches[i].name, name) == 0)
            return &benches[i];
    return NULL;
}

static int unknown_bench(const char *name)
{
    const char *names[N_BENCHES];
    for (int i = 0; i < N_BENCHES; i++)
        names[i] = benches[i].name;
    const char *near = args_nearest(name, names, N_BENCHES);
    if (near)
        return say_wrong("there is no bench '%s': did you mean '%s'?", name, near);
    return say_wrong("there is no bench '%s': weft-bench alone lists them", name);
}

/* Whether what was said makes sense for this bench; else *code is set. */
static bool check_options(const bench_entry *b, const bench_options *o, int *code)
{
    if (!b->files && o->n_files > 0)
        *code = say_wrong("'weft-bench %s' takes no file, found '%s'", b->name, o->files[0]);
    else if (o->data && !disk_is_folder(o->data))
        *code = say_wrong("--data %s: there is no such folder", o->data);
    else
        return true;
    return false;
}

/* The folder of data in the environment; NULL: there is none. */
static const char *usual_data(void)
{
    const char *data = getenv("WEFT_DATA");
    return data && *data ? data : NULL;
}

static int run_with_options(const bench_entry *b, int argc, char **argv)
{
    bench_options o = {0};
    /* The last two are of ccd alone; contact has another one in place of the first of them. */
    args_option options[] = {
        {"quick", 0, ARGS_FLAG, &o.quick, NULL, "small meshes and few steps", 0, 0},
        {"threads", 0, ARGS_INT, &o.n_threads, "N", "0: one a core; 0", 0, 256},
        {"only", 0, ARGS_TEXT, &o.only, "NAME", "one part of the bench", 0, 0},
        {"out", 'o', ARGS_TEXT, &o.folder, "DIR", "folder for pictures and CSV files; none", 0, 0},
        {"data", 0, ARGS_TEXT, &o.data, "DIR", "folder of data; WEFT_DATA", 0, 0},
        {"kind", 0, ARGS_CHOICE, &o.ccd_kind, "name|vf|ee", "what the queries are; by the file's name", 0, 0},
        {"ply", 0, ARGS_TEXT, &o.ply, "BEFORE AFTER", "two frames of a mesh; as BEFORE AFTER alone", 0, 0},
    };
    enum { ALL_OPTIONS = sizeof options / sizeof *options, USUAL_OPTIONS = ALL_OPTIONS - 2 };
    int n_options = b->run == bench_ccd ? ALL_OPTIONS : b->run == bench_contact ? USUAL_OPTIONS + 1 : USUAL_OPTIONS;
    if (b->run == bench_contact)
        options[USUAL_OPTIONS] = (args_option){"fine", 0, ARGS_FLAG, &o.fine, NULL, "with fine contact", 0, 0};
    char usage[64];
    snprintf(usage, sizeof usage, "%s%s[options]", b->files ? b->files : "", b->files ? " " : "");
    const args_spec spec = {.verb = b->name,
                            .usage = usage,
                            .about = b->about,
                            .examples = b->examples,
                            .notes = b->notes,
                            .options = options,
                            .n_options = n_options,
                            .most_words = ARGS_WORDS};
    args_words words;
    int code;
    if (!args_begin(&spec, argc, argv, &words, &code))
        return code;
    o.files = words.items;
    o.n_files = words.n;
    if (!check_options(b, &o, &code))
        return code;
    o.data = o.data ? o.data : usual_data();
    return b->run(&o);
}

static int run_bench(const char *name, int argc, char **argv)
{
    const bench_entry *b = find_bench(name);
    if (!b)
        return unknown_bench(name);
    return b->run ? run_with_options(b, argc, argv) : b->run_words(argc, argv);
}

static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int main(int argc, char **argv)
{
    char option[] = "--help";
    char *help[] = {option, NULL};
    int code = EXIT_FINE;
    say_set_program("weft-bench");
    if (argc < 2 || (is_help(argv[1]) && argc == 2))
        print_benches();
    else if (is_help(argv[1]))
        code = run_bench(argv[2], 1, help);
    else
        code = run_bench(argv[1], argc - 2, argv + 2);
    if (fflush(stdout) != 0 && code == EXIT_FINE)
        code = say_wrong("cannot write to the standard output");
    return code;
}
