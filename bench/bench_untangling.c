/* SPDX-License-Identifier: MIT */
/* Untangling while the simulation runs: the tangles of tangle_cases.h as cloth of the default fabric, under gravity,
 * in steps of 1/60 s. A row a case: when it is free, how far it is stretched a second later than it may be tangled, and
 * whether `tangled` was told as long as the exact audit finds something. What has one side is no cloth, and what cannot
 * be parted is left out. With -o, pictures. */
#include "bench_table.h"
#include "repair_measure.h"
#include "say.h"
#include "tangle_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 60, FREE_BY = 30, MOST_SEEDS = 1000 };
static const double STEP = 1.0 / 60;

static const bench_column columns[] = {
    {"kind", "kind", -9},      {"seed", "seed", 5},         {"pairs", "pairs_before", 6},
    {"free s", "free_s", 7},   {"left", "pairs_after", 5},  {"untold", "untold", 6},
    {"stretch", "stretch", 8}, {"most", "stretch_most", 8}, {"area", "area", 6},
    {"hash", "same_hash", 6},  {"s", "cpu_s", 7},           {"", "verdict", -8}};

typedef struct course {
    int64_t left;   /* pairs at the end, by the exact audit */
    double free_at; /* time of the last step that began with something, s */
    int untold;     /* steps that began with something, which was not told */
    double stretch, most;
    uint64_t hash;
    double seconds;
} course;

/* ---- running ----------------------------------------------------------------------------------------------------- */

static bool make_scene(tangle_scene *s, const tangle_case *c, int32_t n_threads, weft_error *e)
{
    weft_sim_def d = weft_sim_def_default();
    d.n_threads = n_threads;
    return tangle_scene_make(s, c, &d, NULL, NULL, NULL, e);
}

static bool run_course(tangle_scene *s, course *out, weft_error *e)
{
    int32_t contours;
    bool good = true, told = false; /* at the end of the last step */
    *out = (course){0};
    for (int i = 0; i < STEPS && good; i++) {
        bool bad = repair_pairs(s->c, s->x, &contours) > 0;
        double start = bench_cpu();
        weft_step_stats st;
        good = weft_sim_step(s->sim, STEP, &st, e) >= 0;
        out->seconds += bench_cpu() - start;
        good = good && tangle_scene_take(s, e);
        if (bad)
            out->free_at = st.time;
        out->untold += bad && !told && st.tangled + st.caught == 0;
        told = st.squeezed + st.squeezed_pairs > 0;
        out->stretch = st.stretch;
        out->most = fmax(out->most, st.stretch);
    }
    out->left = good ? repair_pairs(s->c, s->x, &contours) : -1;
    out->hash = good ? weft_sim_hash(s->sim) : 0;
    return good;
}

typedef struct tally {
    int n, good;
    double free_at[MOST_SEEDS], stretch[MOST_SEEDS];
} tally;

static const char *verdict_of(const course *c, bool same)
{
    return c->left > 0                           ? "tangled"
           : c->free_at > FREE_BY * STEP + 0.001 ? "late"
           : c->untold > 0                       ? "untold"
           : c->stretch > 1.1                    ? "stretch"
           : !same                               ? "hash"
                                                 : "free";
}

static void take_picture(const bench_options *o, tangle_kind kind, int seed, const tangle_case *c, const weft_vec3 *x)
{
    const weft_vec3 *states[] = {c->h.x, x};
    const char *captions[] = {"before", "after"};
    char name[64];
    snprintf(name, sizeof name, "run_%s_%d.png", tangle_kind_names[kind], seed);
    heap_picture(&c->h, states, captions, 2, (weft_vec3){-0.5, -0.6, -0.8}, o, name);
}

static bool run_case(const bench_options *o, bench_table *t, tangle_kind kind, int seed, tally *sum)
{
    tangle_case c;
    tangle_scene s = {0}, again = {0};
    course one, other = {0};
    weft_error e = {0};
    int32_t contours;
    bool twice = seed <= 2 && !o->quick;
    bool good = tangle_case_make(&c, kind, (uint64_t)seed) && make_scene(&s, &c, 1, &e) && run_course(&s, &one, &e);
    if (good && twice)
        good = make_scene(&again, &c, 3, &e) && run_course(&again, &other, &e);
    if (good) {
        bool same = !twice || one.hash == other.hash;
        const char *verdict = verdict_of(&one, same);
        table_text(t, tangle_kind_names[kind]);
        table_count(t, seed);
        table_count(t, repair_pairs(&c, c.h.x, &contours));
        table_number(t, 3, one.free_at);
        table_count(t, one.left);
        table_count(t, one.untold);
        table_number(t, 3, one.stretch);
        table_number(t, 2, one.most);
        table_number(t, 3, repair_area(&c, s.x));
        table_text(t, twice ? same ? "same" : "DIFFER" : "");
        table_number(t, 2, one.seconds);
        table_text(t, verdict);
        sum->free_at[sum->n] = one.free_at;
        sum->stretch[sum->n++] = one.stretch;
        sum->good += strcmp(verdict, "free") == 0;
        if (o->folder && strcmp(verdict, "free") != 0)
            take_picture(o, kind, seed, &c, s.x);
        fflush(stdout);
    } else
        say_wrong("%s %d: %s", tangle_kind_names[kind], seed, e.text);
    tangle_scene_free(&s);
    tangle_scene_free(&again);
    tangle_case_free(&c);
    return good;
}

static int by_size(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static void print_tally(tangle_kind kind, tally *a)
{
    qsort(a->free_at, (size_t)a->n, sizeof *a->free_at, by_size);
    qsort(a->stretch, (size_t)a->n, sizeof *a->stretch, by_size);
    printf("%-9s %3d of %3d as they should be; free at s: median %.2f, 90 %% %.2f, most %.2f; stretch at the end: "
           "median %.3f, most %.3f\n",
           tangle_kind_names[kind], a->good, a->n, a->free_at[a->n / 2], a->free_at[a->n - 1 - a->n / 10],
           a->free_at[a->n - 1], a->stretch[a->n / 2], a->stretch[a->n - 1]);
}

int bench_untangling(const bench_options *options)
{
    bench_options o = *options;
    int from, to, good_ones = 0, all = 0;
    if (!repair_seeds(&o, &from, &to))
        return EXIT_WRONG;
    tally *sums = calloc(TANGLE_KINDS, sizeof *sums);
    bench_table t;
    bool good = sums != NULL, any = false;
    table_begin(&t, columns, sizeof columns / sizeof *columns);
    for (int kind = 0; kind < TANGLE_KINDS && good; kind++)
        for (int seed = from; seed <= to && good; seed++)
            if (kind != TANGLE_ONE_SIDED && kind != TANGLE_HOPELESS &&
                (!o.only || strcmp(o.only, tangle_kind_names[kind]) == 0)) {
                good = run_case(&o, &t, (tangle_kind)kind, seed, &sums[kind]);
                any = true;
            }
    int code = table_end(&t, &o, "untangling");
    puts("");
    for (int kind = 0; kind < TANGLE_KINDS && good; kind++)
        if (sums[kind].n > 0) {
            print_tally((tangle_kind)kind, &sums[kind]);
            good_ones += sums[kind].good;
            all += sums[kind].n;
        }
    free(sums);
    if (good && !any)
        return say_wrong("there is no kind of tangle named '%s' here", o.only);
    return !good ? EXIT_WRONG : code != EXIT_FINE ? code : good_ones == all ? EXIT_FINE : EXIT_NO;
}
