/* SPDX-License-Identifier: MIT */
/* Scenes in which what is held, or a collider, moves far in a step: how far cloth stretches beside its limit, what the
 * worst step costs beside the median, and whether anything intersects, by exact audit. Each has a bar. */
#include "bench.h"
#include "bench_table.h"
#include "say.h"
#include "sim/torture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct violent_scene {
    const char *label, *name;
    double speed;
} violent_scene;

static const violent_scene scenes[] = {
    {"ring3", "ring", 3},    {"ring8", "ring", 8},    {"propeller3", "propeller", 3}, {"propeller10", "propeller", 10},
    {"bullet", "bullet", 0}, {"funnel", "funnel", 0}, {"stack", "stack", 0},
};

/* Stretch over the fabric's limit; Newton steps of the worst step over those of the median one. */
static const double stretch_bar = 1.25, newton_bar = 30;

static const bench_column columns[] = {
    {"scene", "scene", -11},
    {"mesh", "mesh", -8},
    {"1/h", "rate_hz", 4},
    {"steps", "steps", 5},
    {"substeps", "substeps", 8},
    {"most", "most_substeps", 5},
    {"stretch", "stretch", 8},
    {"/limit", "stretch_over_limit", 7},
    {"Newton", "newton", 7},
    {"median", "median_newton", 6},
    {"most", "most_newton", 6},
    {"CG", "linear_iterations", 8},
    {"inters.", "intersections", 7},
    {"squeezed", "squeezed", 8},
    {"halved", "halvings", 6},
    {"CPU s", "cpu_s", 7},
    {"", "missed", -6},
};

typedef struct violence_run {
    int32_t steps, substeps, most_substeps, halvings, squeezed;
    int64_t newton, linear, intersections;
    int32_t *newton_of_step;
    double stretch, limit, cpu;
    bool failed;
} violence_run;

static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void add_step(violence_run *v, const weft_step_stats *st)
{
    v->newton_of_step[v->steps++] = st->newton_iterations;
    v->substeps += st->n_steps;
    v->most_substeps = v->most_substeps > st->n_steps ? v->most_substeps : st->n_steps;
    v->halvings += st->halvings;
    v->squeezed += st->squeezed_pairs + st->squeezed;
    v->newton += st->newton_iterations;
    v->linear += st->linear_iterations;
    v->stretch = fmax(v->stretch, st->stretch);
}

static weft_result run(const violent_scene *scene, const torture_options *o, violence_run *v, weft_error *e)
{
    torture t;
    weft_fabric cotton;
    weft_result r = weft_fabric_find("cotton", &cotton, e);
    r = r < 0 ? r : torture_create(&t, scene->name, o, e);
    if (r < 0)
        return r;
    int32_t n = torture_n_steps(&t);
    *v = (violence_run){.limit = cotton.stretch_limit, .newton_of_step = calloc((size_t)n + 1, sizeof(int32_t))};
    if (!v->newton_of_step)
        r = WEFT_ERROR_MEMORY;
    for (int32_t i = 0; i < n && r >= 0 && !v->failed; i++) {
        weft_step_stats st;
        torture_found found;
        double c0 = bench_cpu();
        weft_result result = torture_step(&t, &st, e);
        v->cpu += bench_cpu() - c0;
        v->failed = result < 0;
        if (v->failed) {
            printf("%s, step %d: %s\n", scene->label, i, e->text);
            continue;
        }
        add_step(v, &st);
        r = torture_audit(&t, &found, e);
        v->intersections += found.n_pairs;
    }
    torture_destroy(&t);
    return r;
}

static void put_row(bench_table *t, const violent_scene *scene, const torture_options *o, violence_run *v, int *missed)
{
    qsort(v->newton_of_step, (size_t)v->steps, sizeof *v->newton_of_step, compare);
    int32_t median = v->steps > 0 ? v->newton_of_step[v->steps / 2] : 0;
    int32_t most = v->steps > 0 ? v->newton_of_step[v->steps - 1] : 0;
    bool is_missed =
        v->failed || v->intersections > 0 || !(v->stretch <= stretch_bar * v->limit) || most > newton_bar * median;
    table_text(t, scene->label);
    table_text(t, o->adaptive ? "adaptive" : "uniform");
    table_number(t, 0, 1 / o->h);
    table_count(t, v->steps);
    table_count(t, v->substeps);
    table_count(t, v->most_substeps);
    table_number(t, 3, v->stretch);
    table_number(t, 3, v->stretch / v->limit);
    table_count(t, v->newton);
    table_count(t, median);
    table_count(t, most);
    table_count(t, v->linear);
    table_count(t, v->intersections);
    table_count(t, v->squeezed);
    table_count(t, v->halvings);
    table_number(t, 1, v->cpu);
    table_text(t, is_missed ? "MISSED" : "");
    *missed += is_missed;
}

static bool is_asked(const bench_options *o, const violent_scene *scene)
{
    return !o->only || strcmp(o->only, scene->label) == 0 || strcmp(o->only, scene->name) == 0;
}

/* A scene on one mesh at a rate. */
static weft_result measure_scene(bench_table *t, const bench_options *o, const violent_scene *scene, bool adaptive,
                                 double rate, int *missed, weft_error *e)
{
    violence_run v = {0};
    weft_sim_def d = weft_sim_def_default();
    d.n_threads = o->n_threads;
    torture_options so = {.thickness = -1, .speed = scene->speed, .h = 1 / rate, .adaptive = adaptive, .sim = &d};
    so.size = o->quick ? 0.5 : 1;
    weft_result r = run(scene, &so, &v, e);
    if (r >= 0)
        put_row(t, scene, &so, &v, missed);
    free(v.newton_of_step);
    return r;
}

int bench_violence(const bench_options *o)
{
    static const double rates[] = {60, 30, 240};
    bench_table t;
    weft_error e;
    weft_result r = WEFT_OK;
    int missed = 0, n_rates = o->quick ? 1 : 3;
    printf("Stretch at most %g times the limit, no step with more than %g times the median's Newton steps, nothing "
           "intersects\n",
           stretch_bar, newton_bar);
    table_begin(&t, columns, sizeof columns / sizeof *columns);
    for (int k = 0; k < n_rates; k++)
        for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
            for (int adaptive = 0; adaptive < 2 && r >= 0 && is_asked(o, &scenes[i]); adaptive++)
                r = measure_scene(&t, o, &scenes[i], adaptive, rates[k], &missed, &e);
    if (r < 0)
        return say_wrong("%s", e.text);
    return table_end(&t, o, "violence") != EXIT_FINE ? EXIT_WRONG : missed > 0 ? EXIT_NO : EXIT_FINE;
}
