/* SPDX-License-Identifier: MIT */
/* Tables of weft-bench contact: a strip over a cylinder, layers, sheets on bodies, and what collisions conserve. */
#include "bench_data.h"
#include "bench_table.h"
#include "contact_scenes.h"
#include "contact_tables.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <weft/io/mesh.h>

static void end_row(bench_table *t, bool is_missed, int *missed)
{
    table_text(t, is_missed ? "MISSED" : "");
    *missed += is_missed;
}

static int end_table(bench_table *t, const bench_options *o, const char *name, weft_result r, const weft_error *e)
{
    int code = table_end(t, o, name);
    return r < 0 ? say_wrong("%s", e->text) : code;
}

/* ---- capstan ----------------------------------------------------------------------------------------------------- */

static const double capstan_bar = 2; /* % */

static const bench_column capstan_columns[] = {
    {"cylinder", "cylinder", -8},
    {"k_f", "friction", 4},
    {"mm", "edge_mm", 3},
    {"known", "known_ratio", 7},
    {"measured", "measured_ratio", 8},
    {"%", "error_percent", 7},
    {"least", "least_ratio", 7},
    {"most", "most_ratio", 7},
    {"bar %", "bar_percent", 5},
    {"CPU s", "cpu_s", 6},
    {"", "missed", -6},
};

static weft_result capstan_row(bench_table *t, const contact_capstan_def *d, int *missed, weft_error *e)
{
    contact_capstan c;
    double cpu = bench_cpu();
    weft_result r = contact_capstan_run(d, &c, e);
    double error = 100 * (c.ratio / c.known - 1);
    if (r < 0)
        return r;
    table_text(t, d->is_mesh ? "mesh" : "analytic");
    table_number(t, 1, d->friction);
    table_number(t, 0, 1e3 * d->edge);
    table_number(t, 4, c.known);
    table_number(t, 4, c.ratio);
    table_number(t, 2, error);
    table_number(t, 4, c.least / c.load);
    table_number(t, 4, c.most / c.load);
    table_number(t, 0, capstan_bar);
    table_number(t, 2, bench_cpu() - cpu);
    end_row(t, !(fabs(error) <= capstan_bar), missed);
    return r;
}

int contact_table_capstan(const bench_options *o, int *missed)
{
    bench_table t;
    weft_error e;
    weft_result r = WEFT_OK;
    printf("\ncapstan: a strip drawn at 2 mm/s half round a cylinder of 50 mm against 0.1 N, no weight, h = 1/60 s: "
           "tensions' ratio, exp(k_f π);\nleast and most of a step in the last second\n\n");
    table_begin(&t, capstan_columns, sizeof capstan_columns / sizeof *capstan_columns);
    for (int k = 0; k < 8 && r >= 0; k++) {
        const contact_capstan_def d = {.is_mesh = k & 1,
                                       .friction = k & 2 ? 0.1 : 0.3,
                                       .edge = k & 4 ? 0.005 : 0.01,
                                       .h = 1.0 / 60,
                                       .n_threads = o->n_threads};
        if (!o->quick || k < 2)
            r = capstan_row(&t, &d, missed, &e);
    }
    return end_table(&t, o, "contact_capstan", r, &e);
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

static const double spacing_from = 0.9, spacing_to = 1.3, spacing_least = 0.5, still = 1e-3; /* m/s */

static const bench_column layers_columns[] = {
    {"edge mm", "edge_mm", 7},   {"thick mm", "thickness_mm", 8}, {"plane", "above_plane", 6}, {"2 on 1", "second", 6},
    {"3 on 2", "third", 6},      {"4 on 3", "fourth", 6},         {"5 on 4", "fifth", 6},      {"least", "least", 6},
    {"mm/s", "fastest_mm_s", 7}, {"CPU s", "cpu_s", 6},           {"", "missed", -6},
};

static weft_result layers_row(bench_table *t, const contact_layers_def *d, int *missed, weft_error *e)
{
    contact_layers l;
    double cpu = bench_cpu(), least = HUGE_VAL;
    weft_result r = contact_layers_run(d, &l, e);
    bool is_missed = !(l.speed <= still);
    if (r < 0)
        return r;
    table_number(t, 0, 1e3 * d->edge);
    table_number(t, 1, 1e3 * d->thickness);
    for (int i = 0; i < CONTACT_LAYERS; i++) {
        table_number(t, 2, l.mean[i]);
        least = fmin(least, l.least[i]);
        is_missed = is_missed || !(l.mean[i] >= spacing_from && l.mean[i] <= spacing_to);
    }
    table_number(t, 2, least);
    table_number(t, 3, 1e3 * l.speed);
    table_number(t, 2, bench_cpu() - cpu);
    end_row(t, is_missed || !(least >= spacing_least), missed);
    return r;
}

int contact_table_layers(const bench_options *o, int *missed)
{
    static const double edges[] = {0.02, 0.01, 0.005}, thickness[] = {2e-3, 5e-4, 2e-4};
    bench_table t;
    weft_error e;
    weft_result r = WEFT_OK;
    printf(
        "\nlayers: five sheets of 0.1 m on a plane after 3 s, h = 1/60 s: mean spacing over thickness (bar %g to %g), "
        "the least (bar %g),\nthe fastest node (bar %g mm/s)\n\n",
        spacing_from, spacing_to, spacing_least, 1e3 * still);
    table_begin(&t, layers_columns, sizeof layers_columns / sizeof *layers_columns);
    for (int k = 0; k < 9 && r >= 0; k++) {
        const contact_layers_def d = {.edge = edges[k / 3],
                                      .thickness = thickness[k % 3],
                                      .h = 1.0 / 60,
                                      .seconds = 3,
                                      .n_threads = o->n_threads};
        if (!o->quick || k == 1 || k == 3)
            r = layers_row(&t, &d, missed, &e);
    }
    return end_table(&t, o, "contact_layers", r, &e);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static const double gap_most = 3e-4, gap_least = -5e-5; /* m */
static const char body_file[] = "bodies/mh_female_apose.obj";

static const bench_column bodies_columns[] = {
    {"body", "body", -9},
    {"mm", "edge_mm", 3},
    {"near", "near_triangles", 5},
    {"least", "near_least_mm", 7},
    {"mean", "near_mean_mm", 6},
    {"95 %", "near_95_mm", 6},
    {"most", "near_most_mm", 6},
    {"bearing", "bearing_triangles", 7},
    {"least", "bearing_least_mm", 7},
    {"mean", "bearing_mean_mm", 6},
    {"95 %", "bearing_95_mm", 6},
    {"most", "bearing_most_mm", 6},
    {"mm/s", "fastest_mm_s", 7},
    {"CPU s", "cpu_s", 6},
    {"", "missed", -6},
};

static void gaps_cells(bench_table *t, const contact_gaps *g)
{
    table_count(t, g->n);
    table_number(t, 3, 1e3 * g->least);
    table_number(t, 3, 1e3 * g->mean);
    table_number(t, 3, 1e3 * g->most_of_95);
    table_number(t, 3, 1e3 * g->most);
}

static weft_result body_row(bench_table *t, const contact_body_def *d, int *missed, weft_error *e)
{
    static const char *const names[] = {"sphere", "mesh sph.", "cylinder", "mesh cyl.", "shoulders"};
    contact_draped s;
    double cpu = bench_cpu();
    weft_result r = contact_body_run(d, &s, e);
    if (r < 0)
        return r;
    table_text(t, names[d->body]);
    table_number(t, 0, 1e3 * d->edge);
    gaps_cells(t, &s.near);
    gaps_cells(t, &s.bearing);
    table_number(t, 2, 1e3 * s.speed);
    table_number(t, 2, bench_cpu() - cpu);
    end_row(t, !(s.bearing.n > 0 && s.near.least >= gap_least && s.bearing.most <= gap_most), missed);
    return r;
}

/* Polygons cut into triangles. */
static weft_result read_body(const char *path, contact_mesh *out, weft_error *e)
{
    weft_mesh m;
    *out = (contact_mesh){0};
    weft_result r = weft_mesh_read(path, &m, e);
    if (r < 0)
        return r;
    size_t n_corners = (size_t)m.face_start[m.n_faces];
    out->triangles = malloc((3 * n_corners + 1) * sizeof *out->triangles);
    out->x = malloc((size_t)m.n_nodes * sizeof *out->x);
    if (out->triangles && out->x) {
        out->n_triangles = weft_mesh_triangulate(&m, out->triangles, NULL);
        out->n_nodes = m.n_nodes;
        for (int32_t k = 0; k < m.n_nodes; k++)
            out->x[k] = m.positions[k];
    } else
        r = WEFT_ERROR_MEMORY;
    weft_mesh_free(&m);
    return r;
}

static weft_result shoulders_row(bench_table *t, const bench_options *o, int *missed, weft_error *e)
{
    contact_mesh body;
    char *path = bench_data(o, body_file);
    if (!path) {
        bench_left_out(o, "shoulders", body_file);
        return WEFT_OK;
    }
    const contact_body_def d = {.body = CONTACT_BODY,
                                .mesh = &body,
                                .edge = o->quick ? 0.03 : 0.015,
                                .h = 1.0 / 60,
                                .seconds = 3,
                                .n_threads = o->n_threads};
    weft_result r = read_body(path, &body, e);
    r = r < 0 ? r : body_row(t, &d, missed, e);
    contact_mesh_free(&body);
    free(path);
    return r;
}

int contact_table_bodies(const bench_options *o, int *missed)
{
    bench_table t;
    weft_error e = {.text = "out of memory"};
    weft_result r = WEFT_OK;
    printf(
        "\nbodies: a sheet of cotton after 3 s, h = 1/60 s: distance of triangles from the body less the thickness, "
        "mm; "
        "near: within 2 mm\nof it, or of the nearest where all hovers; bearing: near, and two rings from any that is "
        "not. Bars: least of near %g mm, most of "
        "bearing %g mm\n\n",
        1e3 * gap_least, 1e3 * gap_most);
    table_begin(&t, bodies_columns, sizeof bodies_columns / sizeof *bodies_columns);
    for (int k = 0; k < CONTACT_BODY && r >= 0; k++) {
        const contact_body_def d = {.body = (contact_body)k,
                                    .edge = o->quick ? 0.02 : 0.01,
                                    .h = 1.0 / 60,
                                    .seconds = 3,
                                    .n_threads = o->n_threads};
        r = body_row(&t, &d, missed, &e);
    }
    r = r < 0 ? r : shoulders_row(&t, o, missed, &e);
    return end_table(&t, o, "contact_bodies", r, &e);
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

static const double sums_bar = 1e-8;

static const bench_column sums_columns[] = {
    {"scene", "scene", -14},
    {"settings", "settings", -9},
    {"1/h", "rate_hz", 4},
    {"touch", "steps_with_pairs", 5},
    {"momentum", "momentum_step", 9},
    {"angular", "angular_step", 9},
    {"mom. all", "momentum_all", 9},
    {"ang. all", "angular_all", 9},
    {"energy", "energy_ratio", 6},
    {"bar", "bar", 6},
    {"", "missed", -6},
};

static void tiny_cell(bench_table *t, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.2e", value);
    table_text(t, text);
}

static weft_result sums_row(bench_table *t, const contact_sums_def *d, int *missed, weft_error *e)
{
    contact_sums s;
    weft_result r = contact_sums_run(d, &s, e);
    if (r < 0)
        return r;
    table_text(t, d->alone ? "one that spins" : "two that meet");
    table_text(t, d->converged ? "converged" : "default");
    table_number(t, 0, 1 / d->h);
    table_count(t, s.touched);
    tiny_cell(t, s.momentum);
    tiny_cell(t, s.angular);
    tiny_cell(t, s.momentum_all);
    tiny_cell(t, s.angular_all);
    table_number(t, 3, s.energy);
    bool has_bar = !d->alone && !d->converged;
    table_text(t, has_bar ? "1e-8" : "");
    end_row(t, has_bar && !(s.momentum <= sums_bar && s.angular <= sums_bar), missed);
    return r;
}

int contact_table_sums(const bench_options *o, int *missed)
{
    bench_table t;
    weft_error e;
    weft_result r = WEFT_OK;
    printf("\nsums: two sheets meet at 2 m/s in empty space, 0.2 s: the largest change in a step, and of all, over the "
           "sums of sizes;\none that spins and waves by itself is the integrator's own share; it and converged "
           "settings have no bar\n\n");
    table_begin(&t, sums_columns, sizeof sums_columns / sizeof *sums_columns);
    for (int k = 0; k < 8 && r >= 0; k++) {
        const contact_sums_def d = {.alone = k >= 4,
                                    .converged = k / 2 % 2 == 1,
                                    .edge = 0.01,
                                    .h = k % 2 ? 1.0 / 240 : 1.0 / 60,
                                    .seconds = 0.2,
                                    .n_threads = o->n_threads};
        r = sums_row(&t, &d, missed, &e);
    }
    return end_table(&t, o, "contact_sums", r, &e);
}
