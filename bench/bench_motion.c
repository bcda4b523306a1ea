/* SPDX-License-Identifier: MIT */
/* The truth of motion at default settings: scenes whose energy or momentum is known (motion_scenes.h), beside the bar
 * that each has to meet. */
#include "bench.h"
#include "bench_table.h"
#include "motion_scenes.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- newton ------------------------------------------------------------------------------------------------------ */

static const bench_column newton_columns[] = {
    {"scene", "scene", -6},     {"steps", "steps", 5},  {"Newton", "newton_a_step", 6}, {"median", "median_newton", 6},
    {"most", "most_newton", 5}, {"CG", "cg_a_step", 7}, {"unsolved", "unsolved", 8},    {"CPU s", "cpu_s", 6},
};

static int table_newton(const bench_options *o, int *missed)
{
    bench_table t;
    weft_error e;
    weft_result r = WEFT_OK;
    (void)missed;
    printf("\nnewton: steps of Newton's method until none moves a node by more than 1e-6 m, 0.75 s by steps of 1/60 s; "
           "no bar\n\n");
    table_begin(&t, newton_columns, sizeof newton_columns / sizeof *newton_columns);
    for (int k = 0; k < MOTION_NEWTON_SCENES && r >= 0; k++) {
        motion_newton s;
        r = motion_newton_run(k, o->n_threads, &s, &e);
        if (r < 0)
            break;
        table_text(&t, motion_newton_names[k]);
        table_count(&t, s.steps);
        table_number(&t, 2, (double)s.newton / s.steps);
        table_count(&t, s.median);
        table_count(&t, s.most);
        table_number(&t, 1, (double)s.linear / s.steps);
        table_count(&t, s.unsolved);
        table_number(&t, 2, s.cpu);
    }
    int code = table_end(&t, o, "motion_newton");
    return r < 0 ? say_wrong("%s", e.text) : code;
}

/* ---- flag -------------------------------------------------------------------------------------------------------- */

enum { FLAG_STARTS = 5 };
static const double frequency_bar = 0.1, amplitude_bar = 0.2;

static const bench_column flag_columns[] = {
    {"wind m/s", "wind_m_s", 8},
    {"gravity", "gravity", -7},
    {"1/h", "rate_hz", 4},
    {"starts", "starts", 6},
    {"1/s", "frequency_hz", 6},
    {"least", "least_hz", 6},
    {"most", "most_hz", 6},
    {"mm", "amplitude_mm", 6},
    {"1/s off %", "frequency_off_percent", 9},
    {"mm off %", "amplitude_off_percent", 8},
    {"Newton", "newton_a_step", 6},
    {"CPU s", "cpu_s", 6},
    {"", "missed", -6},
};

typedef struct flag_medians {
    double frequency, least, most, amplitude, newton, cpu;
} flag_medians;

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static weft_result find_flag_medians(motion_flag_def d, int starts, flag_medians *out, weft_error *e)
{
    double f[FLAG_STARTS], a[FLAG_STARTS];
    weft_result r = WEFT_OK;
    *out = (flag_medians){0};
    for (d.start = 0; d.start < starts && r >= 0; d.start++) {
        motion_flag s;
        r = motion_flag_run(&d, &s, e);
        f[d.start] = s.frequency;
        a[d.start] = s.amplitude;
        out->newton += (double)s.newton / (s.steps * starts);
        out->cpu += s.cpu;
    }
    if (r < 0)
        return r;
    qsort(f, (size_t)starts, sizeof *f, compare_numbers);
    qsort(a, (size_t)starts, sizeof *a, compare_numbers);
    out->frequency = f[starts / 2];
    out->least = f[0];
    out->most = f[starts - 1];
    out->amplitude = a[starts / 2];
    return r;
}

/* beside: NULL, or what it has to agree with. */
static void flag_row(bench_table *t, const motion_flag_def *d, int starts, const flag_medians *m,
                     const flag_medians *beside, int *missed)
{
    double f = beside ? m->frequency / beside->frequency - 1 : (double)NAN;
    double a = beside ? m->amplitude / beside->amplitude - 1 : (double)NAN;
    bool is_missed = beside && !(fabs(f) <= frequency_bar && fabs(a) <= amplitude_bar);
    table_number(t, 2, d->wind);
    table_text(t, d->weightless ? "" : "yes");
    table_number(t, 0, 1 / d->h);
    table_count(t, starts);
    table_number(t, 2, m->frequency);
    table_number(t, 2, m->least);
    table_number(t, 2, m->most);
    table_number(t, 1, 1e3 * m->amplitude);
    table_number(t, 1, 100 * f);
    table_number(t, 1, 100 * a);
    table_number(t, 2, m->newton);
    table_number(t, 2, m->cpu);
    table_text(t, is_missed ? "MISSED" : "");
    *missed += is_missed;
}

/* Steps of 1/60 s beside 1/240 s, at 6 m/s. */
static weft_result flag_by_steps(bench_table *t, const bench_options *o, int *missed, weft_error *e)
{
    flag_medians fine = {0}, coarse;
    int starts = o->quick ? 1 : FLAG_STARTS;
    motion_flag_def d = {.weave = CONTACT_QUADS,
                         .fabric = "cotton",
                         .wind = 6,
                         .h = 1.0 / 240,
                         .seconds = o->quick ? 12 : 24,
                         .settle = 4,
                         .n_threads = o->n_threads};
    weft_result r = find_flag_medians(d, starts, &fine, e);
    if (r < 0)
        return r;
    flag_row(t, &d, starts, &fine, NULL, missed);
    d.h = 1.0 / 60;
    r = find_flag_medians(d, starts, &coarse, e);
    if (r >= 0)
        flag_row(t, &d, starts, &coarse, &fine, missed);
    return r;
}

/* Without gravity, by speed. */
static weft_result flag_by_speed(bench_table *t, const bench_options *o, int *missed, weft_error *e)
{
    static const double winds[] = {1, 2, 3, 4, 6};
    weft_result r = WEFT_OK;
    for (int k = 0; k < 5 && r >= 0; k++) {
        flag_medians m;
        motion_flag_def d = {.weave = CONTACT_QUADS,
                             .fabric = "cotton",
                             .wind = winds[k],
                             .h = 1.0 / 60,
                             .seconds = 30,
                             .settle = 20,
                             .weightless = true,
                             .n_threads = o->n_threads};
        r = find_flag_medians(d, 1, &m, e);
        if (r >= 0)
            flag_row(t, &d, 1, &m, NULL, missed);
    }
    return r;
}

static int table_flag(const bench_options *o, int *missed)
{
    bench_table t;
    weft_error e;
    printf("\nflag: cotton, 0.6 by 0.4 m, held along its luff, air as by default: peak of the spectrum and amplitude "
           "of its lower free corner across the\nwind over 20 s after the first 4, median of the starts; 1/60 s beside "
           "1/240 s (bars %g and %g %%); without gravity from 20 s to 30 s\n\n",
           100 * frequency_bar, 100 * amplitude_bar);
    table_begin(&t, flag_columns, sizeof flag_columns / sizeof *flag_columns);
    weft_result r = flag_by_steps(&t, o, missed, &e);
    if (r >= 0 && !o->quick)
        r = flag_by_speed(&t, o, missed, &e);
    int code = table_end(&t, o, "motion_flag");
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
    {"newton", table_newton},
    {"flag", table_flag},
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
        return say_wrong("there is no part '%s' of this bench: there are swing, meet, newton, flag", o->only);
    if (code != EXIT_FINE)
        return code;
    printf("\n%d rows miss their bar\n", missed);
    return missed > 0 ? EXIT_NO : EXIT_FINE;
}
