/* SPDX-License-Identifier: MIT */
/* Measures where a step's time goes, phase by phase; and how long some scenes take beside the time they last, or
 * another bar. Cotton, BDF2, h = 1/60 s, with prevention.
 *
 * A phase's time is that of the clock; CPU is of all threads of this process, which a busy machine disturbs less. */
#include "bench.h"
#include "bench_data.h"
#include "bench_run.h"
#include "bench_table.h"
#include "disk.h"
#include "say.h"
#include "wear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool wanted(const bench_options *o, const char *part)
{
    return !o->only || strcmp(o->only, part) == 0;
}

/* ---- phases ------------------------------------------------------------------------------------------------------ */

static const bench_column phase_columns[] = {
    {"scene", "scene", -16}, {"nodes", "nodes", 7},         {"steps", "steps", 5},       {"CPU", "cpu_ms", 8},
    {"wall", "wall_ms", 8},  {"us/node", "cpu_us_node", 8}, {"adapt", "adapt_ms", 7},    {"touch", "touch_ms", 7},
    {"meet", "meet_ms", 7},  {"assembl", "assemble_ms", 7}, {"solve", "solve_ms", 7},    {"walk", "walk_ms", 7},
    {"test", "test_ms", 7},  {"respond", "respond_ms", 7},  {"Newton", "newton", 6},     {"CG", "cg", 6},
    {"halv", "halvings", 4}, {"stretch", "stretch", 7},     {"m/s end", "speed_end", 7}, {"audit", "intersections", 5},
};

static void phase_row(bench_table *t, const char *name, const bench_figures *f)
{
    double per = f->steps > 0 ? 1e3 / f->steps : 0;
    const double phases[] = {f->adapt, f->touch, f->meet, f->assemble, f->solve, f->walk, f->test, f->respond};
    table_text(t, name);
    table_count(t, f->nodes);
    table_count(t, f->steps);
    table_number(t, 1, per * f->cpu);
    table_number(t, 1, per * f->wall);
    table_number(t, 2, 1e3 * per * f->cpu / f->nodes);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        table_number(t, 1, per * phases[i]);
    table_number(t, 2, 1e-3 * per * (double)f->newton);
    table_number(t, 1, 1e-3 * per * (double)f->linear);
    table_count(t, f->halvings);
    table_number(t, 4, f->stretch);
    table_number(t, 3, f->speed);
    table_count(t, f->found);
}

static int bench_phases(const bench_options *o)
{
    static const struct {
        const char *name;
        bench_scene_def def;
        int32_t steps, quick_steps; /* 0: left out */
    } cases[] = {
        {"hanging 38^2", {.kind = SCENE_HANGING, .n = 38}, 30, 12},
        {"hanging 76^2", {.kind = SCENE_HANGING, .n = 76}, 12, 0},
        {"hanging 146^2", {.kind = SCENE_HANGING, .n = 146}, 6, 0},
        {"ball 38^2", {.kind = SCENE_BALL, .n = 38}, 60, 30},
        {"ball 76^2", {.kind = SCENE_BALL, .n = 76}, 24, 0},
        {"ball 146^2", {.kind = SCENE_BALL, .n = 146}, 12, 0},
        {"ball 38^2, 3 splits", {.kind = SCENE_BALL, .n = 38, .level = 3}, 24, 12},
        {"ribbon", {.kind = SCENE_RIBBON, .n = 0}, 40, 12},
        {"sheet, ball mesh", {.kind = SCENE_PEERS, .n = 44}, 60, 12},
    };
    bench_table t;
    weft_error e;
    int code = EXIT_FINE;
    printf("per step, ms, phases by the wall clock; %d threads (0: one a core)\n\n", o->n_threads);
    table_begin(&t, phase_columns, sizeof phase_columns / sizeof *phase_columns);
    for (size_t i = 0; i < sizeof cases / sizeof *cases && code == EXIT_FINE; i++) {
        bench_scene_def def = cases[i].def;
        bench_figures f;
        int32_t steps = o->quick ? cases[i].quick_steps : cases[i].steps;
        def.n_threads = o->n_threads;
        if (steps == 0)
            continue;
        if (bench_run(&def, 0, steps, 10, &f, &e) < 0)
            code = say_wrong("%s: %s", cases[i].name, e.text);
        else
            phase_row(&t, cases[i].name, &f);
    }
    int end = table_end(&t, o, "step");
    return code != EXIT_FINE ? code : end;
}

/* ---- real time --------------------------------------------------------------------------------------------------- */

static const bench_column real_columns[] = {
    {"scene", "scene", -40}, {"nodes", "nodes", 6}, {"cloth s", "cloth_s", 8},     {"wall s", "wall_s", 8},
    {"CPU s", "cpu_s", 8},   {"bar s", "bar_s", 6}, {"audit", "intersections", 6}, {"stretch", "stretch", 8},
};

static const char real_body[] = "bodies/mh_female_apose.obj"; /* in the folder of data */

typedef struct real_bench {
    const bench_options *o;
    bench_table t;
    bool missed;
} real_bench;

static void real_row(real_bench *b, const char *name, const bench_figures *f, double bar)
{
    table_text(&b->t, name);
    table_count(&b->t, f->nodes);
    table_number(&b->t, 2, f->cloth);
    table_number(&b->t, 2, f->wall);
    table_number(&b->t, 2, f->cpu);
    table_number(&b->t, 1, bar);
    table_count(&b->t, f->found);
    table_number(&b->t, 4, f->stretch);
    b->missed = b->missed || f->found > 0 || f->wall > bar;
}

static int real_scene(real_bench *b, const char *name, bench_scene_def def, double seconds)
{
    weft_error e;
    bench_figures f;
    def.n_threads = b->o->n_threads;
    if (b->o->quick)
        seconds *= 0.1;
    if (bench_run(&def, 0, (int32_t)(60 * seconds + 0.5), 1, &f, &e) < 0)
        return say_wrong("%s: %s", name, e.text);
    real_row(b, name, &f, seconds);
    return EXIT_FINE;
}

static void add_wear(bench_figures *f, const wear *w)
{
    f->nodes = 0;
    for (int32_t i = 0; i < w->n_garments; i++)
        f->nodes += w->garments[i].figures.n_nodes;
}

static weft_result audit_wear(const wear *w, bench_figures *f, weft_error *e)
{
    wear_audit a = {0};
    weft_result r = wear_check(w, &a, e);
    f->audits++;
    f->found += a.n_cloth + a.n_body;
    return r;
}

static weft_result wear_one(wear *w, const char *folder, const char *pattern, bench_figures *f, weft_error *e)
{
    char *path = disk_join(folder, pattern);
    double cpu = bench_cpu(), wall = bench_clock();
    weft_result r = wear_add(w, path, NULL, e);
    r = r < 0 ? r : wear_sew(w, e);
    f->cpu += bench_cpu() - cpu;
    f->wall += bench_clock() - wall;
    r = r < 0 ? r : wear_measure(w, w->n_garments - 1, e);
    if (r >= 0) {
        const wear_figures *g = &w->garments[w->n_garments - 1].figures;
        f->stretch = fmax(f->stretch, 1 + g->stretch);
        f->cloth += g->n_steps * w->def.step;
    }
    add_wear(f, w);
    free(path);
    return r < 0 ? r : audit_wear(w, f, e);
}

static weft_result begin_wear(wear *w, const real_bench *b, const char *body, const char *motion, double size,
                              weft_fabric *fabric, weft_error *e)
{
    wear_def d = wear_def_default();
    weft_result r = weft_fabric_find("cotton", fabric, e);
    d.fabric = fabric;
    d.n_threads = b->o->n_threads;
    d.body = body;
    d.motion = motion;
    d.size = size;
    return r < 0 ? r : wear_begin(w, &d, e);
}

/* Flat panels to settled on the body. */
static int real_shirt(real_bench *b, const char *folder)
{
    wear w = {0};
    weft_error e;
    weft_fabric fabric;
    bench_figures f = {0};
    char *body = disk_join(folder, real_body);
    weft_result r = begin_wear(&w, b, body, NULL, b->o->quick ? 0.03 : 0.016, &fabric, &e);
    r = r < 0 ? r : wear_one(&w, folder, "patterns_freesewing/tshirt_teagan.json", &f, &e);
    wear_end(&w);
    free(body);
    if (r < 0)
        return say_wrong("%s", e.text);
    real_row(b, "T-shirt on a body, flat to settled", &f, 20);
    return EXIT_FINE;
}

static weft_result walk(wear *w, int32_t n, bench_figures *f, weft_error *e)
{
    weft_result r = WEFT_OK;
    *f = (bench_figures){0};
    for (int32_t i = 1; i <= n && i < w->motion_info.n_frames && r >= 0; i++) {
        weft_step_stats st;
        double cpu = bench_cpu(), wall = bench_clock();
        r = wear_follow(w, i, &st, e);
        f->cpu += bench_cpu() - cpu;
        f->wall += bench_clock() - wall;
        if (r < 0)
            break;
        bench_add(f, &st);
        f->cloth += 1 / w->def.motion_fps;
        r = audit_wear(w, f, e);
    }
    add_wear(f, w);
    return r;
}

/* Ten frames a second: a frame may take 0.1 s. */
static int real_walk(real_bench *b, const char *folder)
{
    wear w = {0};
    weft_error e;
    weft_fabric fabric;
    bench_figures f = {0};
    char *body = disk_join(folder, real_body);
    char *motion = disk_join(folder, "motion/mh_female_walk_cmu07_01.pc2");
    int32_t frames = b->o->quick ? 5 : 20;
    weft_result r = begin_wear(&w, b, body, motion, 0.03, &fabric, &e);
    r = r < 0 ? r : wear_one(&w, folder, "patterns_freesewing/circleskirt_sandy.json", &f, &e);
    r = r < 0 ? r : wear_one(&w, folder, "patterns_freesewing/tshirt_teagan.json", &f, &e);
    r = r < 0 ? r : walk(&w, frames, &f, &e);
    wear_end(&w);
    free(body);
    free(motion);
    if (r < 0)
        return say_wrong("%s", e.text);
    real_row(b, "walk with a skirt and a T-shirt", &f, 0.1 * frames);
    return EXIT_FINE;
}

static int bench_real(const bench_options *o)
{
    real_bench b = {.o = o};
    bool data = bench_has_data(o, real_body);
    printf("\nfrom start to end, with prevention, an exact audit after every step (not timed); %d threads (0: one a "
           "core)\n\n",
           o->n_threads);
    table_begin(&b.t, real_columns, sizeof real_columns / sizeof *real_columns);
    int code =
        real_scene(&b, "ball, 1444 nodes, three splits", (bench_scene_def){.kind = SCENE_BALL, .n = 38, .level = 3}, 2);
    code = code != EXIT_FINE ? code
                             : real_scene(&b, "ribbon of 4000 triangles", (bench_scene_def){.kind = SCENE_RIBBON}, 6);
    if (data && code == EXIT_FINE)
        code = real_shirt(&b, o->data);
    if (data && code == EXIT_FINE)
        code = real_walk(&b, o->data);
    if (!data)
        bench_left_out(o, "garments", real_body);
    if (b.missed)
        printf("\nnot all within its bar\n");
    int end = table_end(&b.t, o, "real");
    return code != EXIT_FINE ? code : end != EXIT_FINE ? end : b.missed ? EXIT_NO : EXIT_FINE;
}

int bench_step(const bench_options *o)
{
    bool phases = wanted(o, "phases"), real = wanted(o, "real");
    if (!phases && !real)
        return say_wrong("there is no part '%s' of this bench: there are phases, real", o->only);
    int code = phases ? bench_phases(o) : EXIT_FINE;
    return code == EXIT_WRONG || !real ? code : bench_real(o);
}
