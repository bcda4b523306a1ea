/* SPDX-License-Identifier: MIT */
/* Measures ours beside other programs: Blender on the ball, in the same run if it is installed; and several programs on
 * a sheet of irregular triangles on a ball of triangles and a floor. Where a figure is not from this run it says so:
 * those were measured on the same kind of machine. CPU time of all threads; ours has one unless more are asked for,
 * since threads that wait for each other take CPU time too. */
#include "bench.h"
#include "bench_run.h"
#include "bench_table.h"
#include "peers_blender.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NOT_TOLD ((double)NAN)

static int32_t threads_of(const bench_options *o)
{
    return o->n_threads > 0 ? o->n_threads : 1;
}

/* ---- the ball ---------------------------------------------------------------------------------------------------- */

static const bench_column ball_columns[] = {
    {"program", "program", -24},
    {"nodes", "nodes", 7},
    {"frames", "frames", 6},
    {"CPU ms/frame", "cpu_ms_frame", 12},
    {"stretch", "stretch", 7},
    {"inside", "triangles_inside", 6},
    {"audit", "intersections", 6},
    {"times", "times_less_cpu", 7},
    {"bar", "bar", 4},
    {"from", "from", -11},
};

typedef struct told {
    const char *program;
    int32_t n;
    double ms, stretch, inside; /* or NOT_TOLD */
} told;

/* Ball scene, ms per frame of 1/60 s. */
static const told others[] = {
    {"Blender", 38, 795, 1.95, 526},
    {"Blender", 76, 1896, NOT_TOLD, NOT_TOLD},
    {"Blender", 146, 4697, NOT_TOLD, NOT_TOLD},
    {"Bullet, no self-coll.", 38, 7.2, NOT_TOLD, NOT_TOLD},
    {"Bullet, no self-coll.", 76, 50.6, NOT_TOLD, NOT_TOLD},
    {"NvCloth", 38, 0.7, 1.27, NOT_TOLD},
    {"NvCloth, unstable", 146, 15.9, NOT_TOLD, NOT_TOLD},
};

static void ball_row(bench_table *t, const told *p, int32_t frames, double audit, double times, double bar,
                     const char *from)
{
    table_text(t, p->program);
    table_count(t, (int64_t)p->n * p->n);
    table_number(t, 0, frames > 0 ? frames : NOT_TOLD);
    table_number(t, 1, p->ms);
    table_number(t, 3, p->stretch);
    table_number(t, 0, p->inside);
    table_number(t, 0, audit);
    table_number(t, 1, times);
    table_number(t, 0, bar);
    table_text(t, from);
}

static void told_rows(bench_table *t, int32_t n, double ours)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].n == n)
            ball_row(t, &others[i], 0, NOT_TOLD, others[i].ms / ours, NOT_TOLD, "another run");
}

/* No edge of ours may get longer than by so much. */
static const double most_stretch = 1.03;
/* m, far below an edge of any of the meshes. */
static const double blender_close = 2e-3;

/* Blender in this run. Its distance of 15 mm costs it dearly on fine meshes, so a shorter one is shown too. */
static int blender_row(bench_table *t, int32_t n, int32_t frames, double apart, double ours, double bar, bool *missed)
{
    blender_figures b;
    weft_error e;
    char name[64];
    if (blender_run(n, frames, apart, &b, &e) < 0)
        return say_wrong("%s", e.text);
    if (apart > 0)
        snprintf(name, sizeof name, "Blender, %g mm apart", 1e3 * apart);
    else
        snprintf(name, sizeof name, "Blender %.15s", b.version);
    told peer = {name, n, 1e3 * b.cpu / frames, b.stretch, b.inside};
    ball_row(t, &peer, frames, NOT_TOLD, peer.ms / ours, bar, "this run");
    *missed = *missed || (bar > 0 && peer.ms < bar * ours);
    return EXIT_FINE;
}

static int ball_size(bench_table *t, const bench_options *o, int32_t n, int32_t frames, double bar, bool *missed)
{
    bench_figures f;
    weft_error e;
    bench_scene_def def = {.kind = SCENE_BALL, .n = n, .limit = most_stretch, .n_threads = threads_of(o)};
    if (bench_run(&def, 0, frames, 1, &f, &e) < 0)
        return say_wrong("%s", e.text);
    told ours = {"weft", n, 1e3 * f.cpu / f.steps, f.stretch, NOT_TOLD};
    ball_row(t, &ours, frames, (double)f.found, NOT_TOLD, NOT_TOLD, "this run");
    *missed = *missed || f.found > 0 || f.stretch > most_stretch;
    int code = blender_is_there() ? blender_row(t, n, frames, 0, ours.ms, bar, missed) : EXIT_FINE;
    if (code == EXIT_FINE && blender_is_there())
        code = blender_row(t, n, frames, blender_close, ours.ms, NOT_TOLD, missed);
    told_rows(t, n, ours.ms);
    return code;
}

static int bench_ball(const bench_options *o)
{
    bench_table t;
    bool missed = false;
    printf("0.72 m of cotton, limit of stretch 1.03, from 5 cm above a ball of 0.2 m, cloth against itself too, frames "
           "of\n"
           "1/60 s; inside: triangles in the ball; times: its CPU over ours%s\n\n",
           blender_is_there() ? "" : "; Blender is not installed (Debian: apt-get install blender)");
    table_begin(&t, ball_columns, sizeof ball_columns / sizeof *ball_columns);
    int code = ball_size(&t, o, 38, o->quick ? 12 : 60, 60, &missed);
    if (!o->quick && code == EXIT_FINE)
        code = ball_size(&t, o, 76, 24, NOT_TOLD, &missed);
    if (!o->quick && code == EXIT_FINE)
        code = ball_size(&t, o, 146, 12, 40, &missed);
    int end = table_end(&t, o, "peers_ball");
    return code != EXIT_FINE ? code : end != EXIT_FINE ? end : missed ? EXIT_NO : EXIT_FINE;
}

/* ---- the sheet --------------------------------------------------------------------------------------------------- */

static const bench_column sheet_columns[] = {
    {"program", "program", -24},           {"nodes", "nodes", 6},
    {"CPU s a s of cloth", "cpu_s_s", 18}, {"stretch", "stretch", 7},
    {"intersecting", "intersections", 12}, {"from", "from", -11},
};

static void sheet_row(bench_table *t, const char *program, double nodes, double cpu, double stretch, double found,
                      const char *from)
{
    table_text(t, program);
    table_number(t, 0, nodes);
    table_number(t, 2, cpu);
    table_number(t, 3, stretch);
    table_number(t, 0, found);
    table_text(t, from);
}

static int bench_sheet(const bench_options *o)
{
    bench_table t;
    bench_figures f;
    weft_error e;
    bench_scene_def def = {.kind = SCENE_PEERS, .n = 44, .n_threads = threads_of(o)};
    if (bench_run(&def, 0, o->quick ? 12 : 120, 1, &f, &e) < 0)
        return say_wrong("%s", e.text);
    printf("\n1 x 1 m of irregular triangles, 8 mm above a ball of 2448 triangles and a floor; friction 0.4; %.2g s of "
           "cloth, an exact\naudit after every step; threads of ours: %d\n\n",
           f.cloth, (int)def.n_threads);
    table_begin(&t, sheet_columns, sizeof sheet_columns / sizeof *sheet_columns);
    sheet_row(&t, "weft", f.nodes, f.cpu / f.cloth, f.stretch, (double)f.found, "this run");
    sheet_row(&t, "PositionBasedDynamics", 1939, 1.03, NOT_TOLD, 531, "another run");
    sheet_row(&t, "ARCSim", 1939, 43.8, NOT_TOLD, 0, "another run");
    sheet_row(&t, "Codimensional IPC", 1939, 87.3, NOT_TOLD, 0, "another run");
    printf("\nbar: 1 CPU second a second\nours by phase, s of the wall clock a s: touch %.2f, meet %.2f, "
           "assemble %.2f, solve %.2f, walk %.2f, test %.2f, respond %.2f; %.2f Newton steps\na step, %.1f CG\n",
           f.touch / f.cloth, f.meet / f.cloth, f.assemble / f.cloth, f.solve / f.cloth, f.walk / f.cloth,
           f.test / f.cloth, f.respond / f.cloth, (double)f.newton / f.steps, (double)f.linear / f.steps);
    int code = table_end(&t, o, "peers_sheet");
    return code != EXIT_FINE ? code : f.found > 0 || f.cpu > f.cloth ? EXIT_NO : EXIT_FINE;
}

int bench_peers(const bench_options *o)
{
    bool ball = !o->only || strcmp(o->only, "ball") == 0, sheet = !o->only || strcmp(o->only, "sheet") == 0;
    if (!ball && !sheet)
        return say_wrong("there is no part '%s' of this bench: there are ball, sheet", o->only);
    int code = ball ? bench_ball(o) : EXIT_FINE;
    int other = code != EXIT_WRONG && sheet ? bench_sheet(o) : EXIT_FINE;
    return code > other ? code : other;
}
