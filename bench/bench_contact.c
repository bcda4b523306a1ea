/* SPDX-License-Identifier: MIT */
/* The truth of contact at default settings: scenes whose answer is known (contact_scenes.h), beside the bar that each
 * has to meet. Here are the parts, and the slopes; the others are in contact_tables.c. */
#include "bench.h"
#include "bench_table.h"
#include "contact_scenes.h"
#include "contact_tables.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double k_f = 0.3;
static const double slide_share = 0.03, irregular_share = 0.05, slide_floor = 0.01; /* m/s² */
static const double speed_floor = 0.02;                                             /* m/s */

/* ---- slides ------------------------------------------------------------------------------------------------------ */

enum { SLOPES = 6, LEVELS = 3, SLIDES = SLOPES * CONTACT_SURFACES };

static const char *const surface_names[] = {"plane", "box", "mesh", "irr. mesh", "pinned", "hung"};
static const char *const weave_names[] = {"quads", "triangles", "irregular"};
static const double slopes[SLOPES] = {1.05, 1.1, 1.2, 1.5, 3, 0}; /* tan over k_f; 0: no friction, 20 degrees */
static const double speeds[LEVELS] = {0, 1, 3}, edges[LEVELS] = {0.005, 0.01, 0.02};
static const double turns[LEVELS] = {0, 45, 20}, rates[LEVELS] = {30, 60, 240};
static const char *const fabrics[LEVELS] = {"cotton", "silk", "denim"};

/* Run r has surface i = r / 6 and slope j = r mod 6, so that each meets each once. The six factors of three levels are
 *     ±(i mod 3) + (j mod 3) + c (i / 3 + j / 3)   mod 3,   c in 0, 1, 2.
 * Every two factors then meet in all combinations of levels: those of different sign since the two sums are independent
 * mod 3, those of the same sign since i / 3 + j / 3 takes the values 0, 1, 2, and each with a surface or a slope. */
static int slide_level(int r, int sign, int c)
{
    int i = r / SLOPES, j = r % SLOPES;
    return (sign * (i % 3) + j % 3 + c * (i / 3 + j / 3)) % 3;
}

static contact_slope_def slide_def(int r, const weft_sim_def *sim)
{
    double slope = slopes[r % SLOPES];
    contact_slope_def d = {.surface = (contact_surface)(r / SLOPES),
                           .weave = (contact_weave)slide_level(r, 1, 0),
                           .edge = edges[slide_level(r, 1, 1)],
                           .speed = speeds[slide_level(r, 1, 2)],
                           .turn = turns[slide_level(r, 2, 0)] * 3.14159265358979323846 / 180,
                           .h = 1 / rates[slide_level(r, 2, 1)],
                           .fabric = fabrics[slide_level(r, 2, 2)],
                           .undamped = true,
                           .sim = sim};
    d.friction = slope > 0 ? k_f : 0;
    d.tangent = slope > 0 ? slope * k_f : 0.36397023426620236;
    d.way = 0.45 * d.speed + 0.5 * contact_slide_known(&d) * 0.45 * 0.45;
    return d;
}

/* Each surface and each slope once. */
enum { QUICK_SLIDES = 6 };
static const int quick_slides[QUICK_SLIDES] = {0, 6 + 4, 12 + 2, 18 + 5, 24 + 3, 30 + 1};

static const bench_column slide_columns[] = {
    {"surface", "surface", -9},     {"tan/k_f", "tan_over_friction", 7},
    {"m/s", "start_speed_m_s", 4},  {"mesh", "mesh", -9},
    {"mm", "edge_mm", 3},           {"turn", "turn_deg", 4},
    {"fabric", "fabric", -6},       {"1/h", "rate_hz", 4},
    {"known", "known_m_s2", 7},     {"measured", "measured_m_s2", 8},
    {"error", "error_m_s2", 7},     {"%", "error_percent", 7},
    {"bar", "bar_m_s2", 6},         {"end m/s", "speed_error_m_s", 7},
    {"settled", "settled_m_s2", 8}, {"%", "settled_error_percent", 7},
    {"CPU s", "cpu_s", 6},          {"", "missed", -6},
};

static void slide_row(bench_table *t, const contact_slope_def *d, const contact_slide *s, const contact_slide *settled,
                      double cpu, int *missed)
{
    double error = s->acceleration - s->known, share = d->weave == CONTACT_IRREGULAR ? irregular_share : slide_share;
    double bar = fmax(share * s->known, slide_floor);
    bool is_missed = !(fabs(error) <= bar);
    bool is_slow = !(fabs(s->speed - s->known_speed) <= fmax(share * s->known_speed, speed_floor));
    table_text(t, surface_names[d->surface]);
    table_number(t, 2, d->friction > 0 ? d->tangent / d->friction : (double)NAN);
    table_number(t, 0, d->speed);
    table_text(t, weave_names[d->weave]);
    table_number(t, 0, 1e3 * d->edge);
    table_number(t, 0, d->turn * 180 / 3.14159265358979323846);
    table_text(t, d->fabric);
    table_number(t, 0, 1 / d->h);
    table_number(t, 4, s->known);
    table_number(t, 4, s->acceleration);
    table_number(t, 4, error);
    table_number(t, 2, 100 * error / s->known);
    table_number(t, 4, bar);
    table_number(t, 4, s->speed - s->known_speed);
    table_number(t, 4, settled->acceleration);
    table_number(t, 2, 100 * (settled->acceleration / s->known - 1));
    table_number(t, 2, cpu);
    table_text(t, is_missed ? "MISSED" : is_slow ? "SPEED" : "");
    *missed += is_missed || is_slow;
}

int contact_table_slide(const bench_options *o, int *missed)
{
    bench_table t;
    weft_error e;
    weft_result result = WEFT_OK;
    weft_sim_def sim = contact_sim_def();
    int before = *missed, n = o->quick ? QUICK_SLIDES : SLIDES;
    sim.n_threads = o->n_threads;
    printf("\nslide: a sheet of 0.12 m on a slope, k_f = %g, no air, no damping; acceleration from 0.1 to 0.4 s by "
           "Coulomb's law;\nempty tan/k_f: no friction; end: speed at 0.4 s, off by (bar %g %% or %g m/s;\nSPEED: this "
           "alone is missed); settled: the same after 0.3 s at "
           "rest, without a bar\n\n",
           k_f, 100 * slide_share, speed_floor);
    table_begin(&t, slide_columns, sizeof slide_columns / sizeof *slide_columns);
    for (int r = 0; r < n && result >= 0; r++) {
        contact_slide s, settled;
        contact_slope_def d = slide_def(o->quick ? quick_slides[r] : r, &sim);
        double cpu = bench_cpu();
        result = contact_slide_run(&d, &s, &e);
        d.settle = 0.3;
        result = result < 0 ? result : contact_slide_run(&d, &settled, &e);
        if (result >= 0)
            slide_row(&t, &d, &s, &settled, bench_cpu() - cpu, missed);
    }
    printf("slide: %d of %d missed\n", *missed - before, n);
    int code = table_end(&t, o, "contact_slide");
    return result < 0 ? say_wrong("%s", e.text) : code;
}

/* ---- creep ------------------------------------------------------------------------------------------------------- */

static const double creep_bar = 5e-5; /* m */

static const bench_column creep_columns[] = {
    {"surface", "surface", -9}, {"tan/k_f", "tan_over_friction", 7}, {"start", "start", -9},  {"seconds", "seconds", 7},
    {"mean mm", "mean_mm", 8},  {"most mm", "most_mm", 8},           {"bar mm", "bar_mm", 6}, {"CPU s", "cpu_s", 6},
    {"", "missed", -6},
};

static weft_result creep_row(bench_table *t, const contact_slope_def *d, double seconds, int *missed, weft_error *e)
{
    contact_creep c = {0};
    double cpu = bench_cpu();
    weft_result r = contact_creep_run(d, seconds, &c, e);
    bool is_missed = !(c.most <= creep_bar && fabs(c.mean) <= creep_bar);
    if (r < 0)
        return r;
    table_text(t, surface_names[d->surface]);
    table_number(t, 2, d->tangent / d->friction);
    table_text(t, d->settle > 0 ? "settled" : "thickness");
    table_number(t, 0, seconds);
    table_number(t, 4, 1e3 * c.mean);
    table_number(t, 4, 1e3 * c.most);
    table_number(t, 2, 1e3 * creep_bar);
    table_number(t, 2, bench_cpu() - cpu);
    table_text(t, is_missed ? "MISSED" : "");
    *missed += is_missed;
    return r;
}

int contact_table_creep(const bench_options *o, int *missed)
{
    static const contact_surface on[] = {CONTACT_ON_PLANE, CONTACT_ON_MESH, CONTACT_ON_PINNED_CLOTH};
    static const double shares[] = {0.9, 0.98};
    bench_table t;
    weft_error e;
    weft_result result = WEFT_OK;
    weft_sim_def sim = contact_sim_def();
    sim.n_threads = o->n_threads;
    printf("\ncreep: the same sheet, cotton, 10 mm, h = 1/60 s, where friction holds: way along the slope from 1 s on; "
           "most: of any node;\nstart: its thickness above, or where it lay after 0.5 s at rest\n\n");
    table_begin(&t, creep_columns, sizeof creep_columns / sizeof *creep_columns);
    for (int k = 0; k < 12 && result >= 0; k++) {
        contact_slope_def d = {.surface = on[k / 4],
                               .fabric = "cotton",
                               .friction = k_f,
                               .tangent = shares[k / 2 % 2] * k_f,
                               .settle = k % 2 ? 0.5 : 0,
                               .edge = 0.01,
                               .turn = 0.35,
                               .h = 1.0 / 60,
                               .sim = &sim};
        result = creep_row(&t, &d, o->quick ? 3 : 30, missed, &e);
    }
    int code = table_end(&t, o, "contact_creep");
    return result < 0 ? say_wrong("%s", e.text) : code;
}

/* ---- default settings beside converged ones ---------------------------------------------------------------------- */

static const double apart_share = 0.01, apart_floor = 1e-3; /* m */

static const bench_column apart_columns[] = {
    {"scene", "scene", -32}, {"way mm", "way_mm", 8},           {"apart mm", "apart_mm", 8}, {"%", "apart_percent", 7},
    {"bar mm", "bar_mm", 6}, {"unsolved", "unsolved_steps", 8}, {"CPU s", "cpu_s", 6},       {"", "missed", -6},
};

static void apart_row(bench_table *t, const char *name, const contact_apart *a, double cpu, int *missed)
{
    double bar = fmax(apart_share * a->way, apart_floor);
    bool is_missed = !(a->most <= bar);
    table_text(t, name);
    table_number(t, 2, 1e3 * a->way);
    table_number(t, 3, 1e3 * a->most);
    table_number(t, 2, 100 * a->most / a->way);
    table_number(t, 2, 1e3 * bar);
    table_count(t, a->unsolved);
    table_number(t, 2, cpu);
    table_text(t, is_missed ? "MISSED" : "");
    *missed += is_missed;
}

static weft_result compare_slides(bench_table *t, const bench_options *o, int *missed, weft_error *e)
{
    static const contact_surface on[] = {CONTACT_ON_PLANE, CONTACT_ON_MESH, CONTACT_ON_PINNED_CLOTH};
    weft_result r = WEFT_OK;
    weft_sim_def sim = contact_sim_def();
    sim.n_threads = o->n_threads;
    for (int k = 0; k < (o->quick ? 3 : 6) && r >= 0; k++) {
        char name[64];
        contact_apart a = {0};
        double cpu = bench_cpu();
        contact_slope_def d = {.surface = on[k % 3],
                               .settle = k < 3 ? 0 : 0.3,
                               .weave = CONTACT_TRIANGLES,
                               .fabric = "cotton",
                               .friction = k_f,
                               .tangent = 1.5 * k_f,
                               .speed = 1,
                               .edge = 0.02,
                               .turn = 0.35,
                               .way = 0.7,
                               .h = 1.0 / 60,
                               .undamped = true,
                               .sim = &sim};
        r = contact_slope_compare(&d, o->quick ? 0.2 : 0.3, &a, e);
        snprintf(name, sizeof name, "slide on %s%s", surface_names[on[k % 3]], k < 3 ? "" : ", settled");
        if (r >= 0)
            apart_row(t, name, &a, bench_cpu() - cpu, missed);
    }
    return r;
}

int contact_table_converged(const bench_options *o, int *missed)
{
    bench_table t;
    weft_error e;
    contact_apart a;
    printf("\ndefault-converged: the default beside tolerances 100 times tighter and 1000 Newton steps; the farthest "
           "node apart;\nslides at 1.5 times the threshold from 1 m/s; unsolved: steps that the converged run did not "
           "converge in\n\n");
    table_begin(&t, apart_columns, sizeof apart_columns / sizeof *apart_columns);
    weft_result r = compare_slides(&t, o, missed, &e);
    double cpu = bench_cpu();
    r = r < 0 ? r : contact_swag_compare(o->quick ? 0.05 : 0.025, 1.0 / 60, 1, o->n_threads, &a, &e);
    if (r >= 0)
        apart_row(&t, "swag, 1 s", &a, bench_cpu() - cpu, missed);
    int code = table_end(&t, o, "contact_converged");
    return r < 0 ? say_wrong("%s", e.text) : code;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

typedef struct contact_part {
    const char *name;
    int (*run)(const bench_options *o, int *missed);
} contact_part;

static const contact_part parts[] = {
    {"slide", contact_table_slide},
    {"creep", contact_table_creep},
    {"capstan", contact_table_capstan},
    {"layers", contact_table_layers},
    {"bodies", contact_table_bodies},
    {"sums", contact_table_sums},
    {"default-converged", contact_table_converged},
};
enum { N_PARTS = sizeof parts / sizeof *parts };

int bench_contact(const bench_options *o)
{
    int missed = 0, n = 0, code = EXIT_FINE;
    contact_use(o->fine ? WEFT_CONTACT_FINE : WEFT_CONTACT_COARSE);
    for (int i = 0; i < N_PARTS && code == EXIT_FINE; i++)
        if (!o->only || strcmp(o->only, parts[i].name) == 0) {
            code = parts[i].run(o, &missed);
            n++;
        }
    if (n == 0)
        return say_wrong("there is no part '%s' of this bench: there are slide, creep, capstan, layers, bodies, sums, "
                         "default-converged",
                         o->only);
    if (code != EXIT_FINE)
        return code;
    printf("\n%d rows miss their bar\n", missed);
    return missed > 0 ? EXIT_NO : EXIT_FINE;
}
