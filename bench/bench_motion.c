/* SPDX-License-Identifier: MIT */
/* The truth of motion at default settings: scenes whose energy or momentum is known (motion_scenes.h), beside the bar
 * that each has to meet. */
#include "bench.h"
#include "bench_table.h"
#include "motion_scenes.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const weaves[] = {"quads", "triangles", "irregular"};
static const char *const fabrics[] = {"cotton", "silk"};
static const double rates[] = {30, 60, 240};

/* ---- swing ------------------------------------------------------------------------------------------------------- */

static const double growth_bar = 0.005, beside_bar = 0.15;

static const bench_column swing_columns[] = {
    {"mesh", "mesh", -9},
    {"cells", "cells", 5},
    {"fabric", "fabric", -6},
    {"1/h", "rate_hz", 4},
    {"growth %", "growth_percent", 8},
    {"loss %", "loss_percent", 7},
    {"bar", "loss_bar_percent", 5},
    {"converged %", "converged_loss_percent", 11},
    {"growth %", "converged_growth_percent", 8},
    {"stretch", "stretch", 7},
    {"Newton", "newton_a_step", 6},
    {"most", "most_newton", 5},
    {"conv.", "converged_newton_a_step", 6},
    {"CPU s", "cpu_s", 6},
    {"", "missed", -6},
};

/* What converged BDF2 loses, or less. */
static double loss_bar(double rate)
{
    return rate < 100 ? 0.25 : 0.13;
}

static weft_result swing_row(bench_table *t, motion_swing_def d, int *missed, weft_error *e)
{
    motion_swing s, c;
    weft_result r = motion_swing_run(&d, &s, e);
    d.converged = true;
    r = r < 0 ? r : motion_swing_run(&d, &c, e);
    if (r < 0)
        return r;
    double bar = loss_bar(1 / d.h);
    bool is_missed = !(s.most_growth <= growth_bar) || (d.h <= 1.0 / 59 && !(s.loss <= bar)) ||
                     !(fabs(s.loss - c.loss) <= beside_bar * fmax(fabs(c.loss), 0.02));
    table_text(t, weaves[d.weave]);
    table_count(t, d.cells);
    table_text(t, d.fabric);
    table_number(t, 0, 1 / d.h);
    table_number(t, 3, 100 * s.most_growth);
    table_number(t, 2, 100 * s.loss);
    table_number(t, 0, d.h <= 1.0 / 59 ? 100 * bar : (double)NAN);
    table_number(t, 2, 100 * c.loss);
    table_number(t, 3, 100 * c.most_growth);
    table_number(t, 3, s.stretch);
    table_number(t, 2, (double)s.newton / s.steps);
    table_count(t, s.most_newton);
    table_number(t, 2, (double)c.newton / c.steps);
    table_number(t, 2, s.cpu);
    table_text(t, is_missed ? "MISSED" : "");
    *missed += is_missed;
    return r;
}

static int table_swing(const bench_options *o, int *missed)
{
    static const int cells[] = {20, 38, 60};
    bench_table t;
    weft_error e;
    weft_result r = WEFT_OK;
    printf(
        "\nswing: a square of 0.5 m falls from level about one pinned edge, no air, no damping; energy over m g L/2: "
        "most growth in a step (bar %g %%),\nloss in 1 s, and that of a converged run (bar: within %g %% of it, and "
        "2 %% of that for little losses)\n\n",
        100 * growth_bar, 100 * beside_bar);
    table_begin(&t, swing_columns, sizeof swing_columns / sizeof *swing_columns);
    for (int k = 0; k < 54 && r >= 0; k++) {
        motion_swing_def d = {.weave = (contact_weave)(k / 3 % 3),
                              .cells = cells[k / 18],
                              .fabric = fabrics[k / 9 % 2],
                              .h = 1 / rates[k % 3],
                              .seconds = 1,
                              .n_threads = o->n_threads};
        if (!o->quick || (k < 18 && k % 3 == 1))
            r = swing_row(&t, d, missed, &e);
    }
    int code = table_end(&t, o, "motion_swing");
    return r < 0 ? say_wrong("%s", e.text) : code;
}

/* ---- meet -------------------------------------------------------------------------------------------------------- */

static const double momentum_bar = 1e-4, momentum_converged_bar = 1e-8;

static const bench_column meet_columns[] = {
    {"mesh", "mesh", -9},
    {"fabric", "fabric", -6},
    {"1/h", "rate_hz", 4},
    {"spin", "spins", 4},
    {"settings", "settings", -9},
    {"touch", "steps_with_pairs", 5},
    {"momentum", "momentum", 9},
    {"angular %", "angular_percent", 9},
    {"bar", "angular_bar_percent", 5},
    {"energy", "energy_kept", 7},
    {"Newton", "newton_a_step", 6},
    {"CPU s", "cpu_s", 6},
    {"", "missed", -6},
};

static double angular_bar(double rate)
{
    return rate < 100 ? 0.015 : 0.005;
}

static weft_result meet_row(bench_table *t, const motion_meeting_def *d, int *missed, weft_error *e)
{
    motion_meeting s;
    double cpu = bench_cpu();
    weft_result r = motion_meeting_run(d, &s, e);
    if (r < 0)
        return r;
    char momentum[32];
    snprintf(momentum, sizeof momentum, "%.1e", s.momentum);
    bool is_missed = !(s.momentum <= (d->converged ? momentum_converged_bar : momentum_bar)) ||
                     !(s.angular <= angular_bar(1 / d->h));
    table_text(t, weaves[d->weave]);
    table_text(t, d->fabric);
    table_number(t, 0, 1 / d->h);
    table_text(t, d->spins ? "yes" : "");
    table_text(t, d->converged ? "converged" : "default");
    table_count(t, s.touched);
    table_text(t, momentum);
    table_number(t, 4, 100 * s.angular);
    table_number(t, 1, 100 * angular_bar(1 / d->h));
    table_number(t, 3, s.kept);
    table_number(t, 2, (double)s.newton / s.steps);
    table_number(t, 2, bench_cpu() - cpu);
    table_text(t, is_missed ? "MISSED" : "");
    *missed += is_missed;
    return r;
}

static int table_meet(const bench_options *o, int *missed)
{
    bench_table t;
    weft_error e;
    weft_result r = WEFT_OK;
    printf("\nmeet: two sheets of 0.2 m meet at 2 m/s in empty space, 0.3 s, without and with a spin of 6.7 rad/s; "
           "the largest change of momentum over the sum of the\nsheets' |p| (bar %g, converged %g), of angular "
           "momentum over what there is of it, energy that is left\n\n",
           momentum_bar, momentum_converged_bar);
    table_begin(&t, meet_columns, sizeof meet_columns / sizeof *meet_columns);
    for (int k = 0; k < 72 && r >= 0; k++) {
        motion_meeting_def d = {.weave = (contact_weave)(k / 3 % 3),
                                .cells = 16,
                                .fabric = fabrics[k / 9 % 2],
                                .h = 1 / rates[k % 3],
                                .seconds = 0.3,
                                .spins = k / 18 % 2 == 1,
                                .converged = k / 36 == 1,
                                .n_threads = o->n_threads};
        bool some = k < 36 && k % 3 == 1;
        if (o->quick ? some : k < 36 || k % 3 == 1)
            r = meet_row(&t, &d, missed, &e);
    }
    int code = table_end(&t, o, "motion_meet");
    return r < 0 ? say_wrong("%s", e.text) : code;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

typedef struct motion_part {
    const char *name;
    int (*run)(const bench_options *o, int *missed);
} motion_part;

static const motion_part parts[] = {
    {"swing", table_swing},
    {"meet", table_meet},
};
enum { N_PARTS = sizeof parts / sizeof *parts };

int bench_motion(const bench_options *o)
{
    int missed = 0, n = 0, code = EXIT_FINE;
    for (int i = 0; i < N_PARTS && code == EXIT_FINE; i++)
        if (!o->only || strcmp(o->only, parts[i].name) == 0) {
            code = parts[i].run(o, &missed);
            n++;
        }
    if (n == 0)
        return say_wrong("there is no part '%s' of this bench: there are swing, meet", o->only);
    if (code != EXIT_FINE)
        return code;
    printf("\n%d rows miss their bar\n", missed);
    return missed > 0 ? EXIT_NO : EXIT_FINE;
}
