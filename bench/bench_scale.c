/* SPDX-License-Identifier: MIT */
/* Measures what a step costs a node, in time and memory, from meshes that fit into a cache to those that do not: beside
 * the smallest mesh. And what a second thread gives: beside two simulations of one thread each at the same time, which
 * share caches and memory too. */
#include "bench.h"
#include "bench_run.h"
#include "bench_table.h"
#include "say.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double most_growth = 2, most_bytes = 2500, least_share = 0.85;

static const bench_column size_columns[] = {
    {"scene", "scene", -8},
    {"mesh", "n", 5},
    {"nodes", "nodes", 7},
    {"steps", "steps", 5},
    {"CPU ms", "cpu_ms", 9},
    {"us/node", "cpu_us_node", 8},
    {"Newton", "newton", 6},
    {"CG/Newton", "cg_newton", 9},
    {"us/node/Newton", "cpu_us_node_newton", 14},
    {"B/node", "bytes_node", 7},
    {"growth", "growth", 6},
};

/* Steps are those after the first few, in which nothing but gravity acts; on the ball it has landed by then. The
 * same for all sizes: some moments of a drape take more of Newton's steps than others. */
static int bench_sizes(const bench_options *o)
{
    static const int32_t sizes[] = {72, 146, 292, 584};
    static const struct {
        bench_scene_kind kind;
        int32_t first;
    } scenes[] = {{SCENE_HANGING, 4}, {SCENE_BALL, 8}};
    bench_table t;
    weft_error e;
    int code = EXIT_FINE;
    bool missed = false;
    printf("one thread; CPU of a step, and of a Newton step; growth: us/node over that of the first size\n\n");
    table_begin(&t, size_columns, sizeof size_columns / sizeof *size_columns);
    for (int s = 0; s < 2; s++) {
        double base = 0;
        for (int i = 0; i < (o->quick ? 2 : 4) && code == EXIT_FINE; i++) {
            bench_figures f;
            bench_scene_def def = {.kind = scenes[s].kind, .n = sizes[i], .n_threads = 1};
            if (bench_run(&def, scenes[s].first, 8, 0, &f, &e) < 0) {
                code = say_wrong("%s", e.text);
                break;
            }
            double each = 1e6 * f.cpu / f.steps / f.nodes;
            base = i == 0 ? each : base;
            table_text(&t, bench_scene_name(def.kind));
            table_count(&t, def.n);
            table_count(&t, f.nodes);
            table_count(&t, f.steps);
            table_number(&t, 1, 1e3 * f.cpu / f.steps);
            table_number(&t, 2, each);
            table_number(&t, 2, (double)f.newton / f.steps);
            table_number(&t, 2, (double)f.linear / (double)f.newton);
            table_number(&t, 2, 1e6 * f.cpu / (double)f.newton / f.nodes);
            table_number(&t, 0, (double)f.bytes / f.nodes);
            table_number(&t, 2, each / base);
            missed = missed || each > most_growth * base || (double)f.bytes > most_bytes * f.nodes;
        }
    }
    printf("\nbars: growth at most %g, at most %g bytes a node\n", most_growth, most_bytes);
    int end = table_end(&t, o, "scale");
    return code != EXIT_FINE ? code : end != EXIT_FINE ? end : missed ? EXIT_NO : EXIT_FINE;
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

enum { REPEATS = 5 };

/* Steps of one simulation, again and again from one state, so that each repeat does the same. */
typedef struct runner {
    bench_scene scene;
    void *start;
    size_t size;
    int32_t steps;
    weft_error e;
    weft_result r;
} runner;

static weft_result runner_begin(runner *u, const bench_scene_def *def, int32_t first, int32_t steps)
{
    *u = (runner){.steps = steps};
    u->r = bench_scene_create(&u->scene, def, &u->e);
    for (int32_t k = 0; k < first && u->r >= 0; k++)
        u->r = weft_sim_step(u->scene.sim, 1.0 / 60, NULL, &u->e);
    u->r = u->r < 0 ? u->r : weft_sim_snapshot(u->scene.sim, NULL, &u->size, &u->e);
    u->start = u->r < 0 ? NULL : malloc(u->size);
    if (!u->start)
        return u->r < 0 ? u->r : WEFT_ERROR_MEMORY;
    return u->r = weft_sim_snapshot(u->scene.sim, u->start, &u->size, &u->e);
}

static void runner_end(runner *u)
{
    free(u->start);
    bench_scene_destroy(&u->scene);
}

static void *run_steps(void *context)
{
    runner *u = context;
    u->r = weft_sim_restore(u->scene.sim, u->start, u->size, &u->e);
    for (int32_t k = 0; k < u->steps && u->r >= 0; k++)
        u->r = weft_sim_step(u->scene.sim, 1.0 / 60, NULL, &u->e);
    return NULL;
}

/* The clock's time of the runners side by side; HUGE_VAL after a failure. */
static double time_of(runner *u, int n)
{
    pthread_t thread;
    double from = bench_clock();
    bool second = n > 1 && pthread_create(&thread, NULL, run_steps, &u[1]) == 0;
    run_steps(&u[0]);
    if (second)
        pthread_join(thread, NULL);
    double wall = bench_clock() - from;
    return u[0].r < 0 || (n > 1 && (!second || u[1].r < 0)) ? HUGE_VAL : wall;
}

static const bench_column thread_columns[] = {
    {"scene", "scene", -8},         {"nodes", "nodes", 7},           {"steps", "steps", 5},
    {"one thread, s", "one_s", 14}, {"two threads, s", "two_s", 14}, {"two beside, s", "beside_s", 14},
    {"share", "share", 6},
};

static int thread_row(bench_table *t, bench_scene_def def, int32_t first, int32_t steps, bool *missed)
{
    runner beside[2] = {{.r = 0}, {.r = 0}}, both = {.r = 0};
    def.n_threads = 1;
    weft_result r = runner_begin(&beside[0], &def, first, steps);
    r = r < 0 ? r : runner_begin(&beside[1], &def, first, steps);
    def.n_threads = 2;
    r = r < 0 ? r : runner_begin(&both, &def, first, steps);
    double one = HUGE_VAL, two = HUGE_VAL, pair = HUGE_VAL;
    for (int k = 0; k < REPEATS && r >= 0; k++) {
        one = fmin(one, time_of(beside, 1));
        two = fmin(two, time_of(&both, 1));
        pair = fmin(pair, time_of(beside, 2));
    }
    runner_end(&beside[0]);
    runner_end(&beside[1]);
    runner_end(&both);
    if (!(isfinite(one) && isfinite(two) && isfinite(pair)))
        return say_wrong("the simulations side by side failed");
    table_text(t, bench_scene_name(def.kind));
    table_count(t, (int64_t)def.n * def.n);
    table_count(t, steps);
    table_number(t, 3, one);
    table_number(t, 3, two);
    table_number(t, 3, pair);
    table_number(t, 3, 0.5 * pair / two);
    *missed = *missed || 0.5 * pair < least_share * two;
    return EXIT_FINE;
}

static int bench_threads(const bench_options *o)
{
    bench_table t;
    bool missed = false;
    int code = EXIT_FINE;
    printf("\ntwo threads on one simulation against two simulations of one thread side by side, the same steps; share: "
           "of the\n"
           "throughput of the latter. Best of %d, in turn: on a machine that does something else it is too small\n\n",
           REPEATS);
    table_begin(&t, thread_columns, sizeof thread_columns / sizeof *thread_columns);
    for (int i = 0; i < (o->quick ? 1 : 2) && code == EXIT_FINE; i++) {
        int32_t n = i == 0 ? 72 : 292, steps = i == 0 ? 4 : 1;
        code = thread_row(&t, (bench_scene_def){.kind = SCENE_HANGING, .n = n}, 4, steps, &missed);
        if (code == EXIT_FINE)
            code = thread_row(&t, (bench_scene_def){.kind = SCENE_BALL, .n = n}, 8, steps, &missed);
    }
    printf("\nbar: a share of at least %g\n", least_share);
    int end = table_end(&t, o, "threads");
    return code != EXIT_FINE ? code : end != EXIT_FINE ? end : missed ? EXIT_NO : EXIT_FINE;
}

int bench_scale(const bench_options *o)
{
    bool sizes = !o->only || strcmp(o->only, "sizes") == 0, threads = !o->only || strcmp(o->only, "threads") == 0;
    if (!sizes && !threads)
        return say_wrong("there is no part '%s' of this bench: there are sizes, threads", o->only);
    int code = sizes ? bench_sizes(o) : EXIT_FINE;
    int other = code != EXIT_WRONG && threads ? bench_threads(o) : EXIT_FINE;
    return code > other ? code : other;
}
