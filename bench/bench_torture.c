/* SPDX-License-Identifier: MIT */
/* The scenes that are hard on collisions, with an exact audit after every step: one readable table and a CSV.
 *
 * bench_torture [--scenes ribbon,mat] [--adaptive] [--meshes] [--thickness M] [--h S] [--size X] [--seconds S]
 * [--threads N] [--no-audit] [--csv FILE]
 *
 * Times are means over the run, in ms a step; the audit's is apart from them. `hurt` counts steps after which triangles
 * intersect, `pairs` the most of them at once, `near` the most triangles within the thickness of a solid. Exit code 1
 * if there were any. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <weft/weft.h>

#include "sheet.h"
#include "sim/torture.h"

typedef struct bench_options {
    torture_options torture;
    const char *scenes, *csv;
    double seconds; /* 0: all of each scene */
    int32_t threads;
    bool audit;
} bench_options;

typedef struct row {
    const char *scene;
    int32_t nodes, steps, parts, halvings, squeezed, hurt, hurt_first;
    int64_t pairs, near;
    double ms, ms_solve, ms_touch, ms_audit;
    double newton, cg;
    double stretch_most, stretch_end, speed_end;
} row;

static double seconds_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void audit(row *r, const torture *t, int32_t step)
{
    weft_error e = {0};
    torture_found found;
    double t0 = seconds_now();
    stop_on(torture_audit(t, &found, &e), &e);
    r->ms_audit += 1e3 * (seconds_now() - t0) / r->steps;
    r->hurt += found.n_pairs > 0;
    if (found.n_pairs > 0 && r->hurt == 1)
        r->hurt_first = step;
    r->pairs = found.n_pairs > r->pairs ? found.n_pairs : r->pairs;
    r->near = found.n_near > r->near ? found.n_near : r->near;
}

static void add_step(row *r, const weft_step_stats *st)
{
    r->nodes = st->n_nodes;
    r->parts += st->n_steps;
    r->halvings += st->halvings;
    r->squeezed += st->squeezed;
    r->ms += 1e3 * st->seconds_total / r->steps;
    r->ms_solve += 1e3 * (st->seconds_solve + st->seconds_assemble) / r->steps;
    r->ms_touch += 1e3 * st->seconds_touch / r->steps;
    r->newton += (double)st->newton_iterations / r->steps;
    r->cg += (double)st->linear_iterations / r->steps;
    r->stretch_most = larger(r->stretch_most, st->stretch);
    r->stretch_end = st->stretch;
    r->speed_end = st->max_speed;
}

static void run(row *r, const bench_options *o)
{
    weft_error e = {0};
    torture t;
    weft_sim_def d = weft_sim_def_default();
    d.n_threads = o->threads;
    torture_options options = o->torture;
    options.sim = &d;
    stop_on(torture_create(&t, r->scene, &options, &e), &e);
    if (o->seconds > 0 && o->seconds < t.seconds)
        t.seconds = o->seconds;
    r->steps = torture_n_steps(&t);
    for (int32_t k = 1; k <= r->steps; k++) {
        weft_step_stats st;
        stop_on(torture_step(&t, &st, &e), &e);
        add_step(r, &st);
        if (o->audit)
            audit(r, &t, k);
    }
    torture_destroy(&t);
}

static void print_row(const row *r)
{
    printf("%-7s %6d %5d %5d %7.1f %7.1f %7.1f %7.1f %6.2f %6.1f %7.3f %7.3f %7.3f %5d %5lld %5lld %5d\n", r->scene,
           r->nodes, r->steps, r->parts, r->ms, r->ms_solve, r->ms_touch, r->ms_audit, r->newton, r->cg,
           r->stretch_most, r->stretch_end, r->speed_end, r->hurt, (long long)r->pairs, (long long)r->near,
           r->squeezed);
    if (r->hurt > 0)
        printf("        intersections in %d steps, the first is step %d\n", r->hurt, r->hurt_first);
    fflush(stdout);
}

static void write_csv(const row *r, FILE *f)
{
    fprintf(f, "%s,%d,%d,%d,%d,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%d,%lld,%lld,%d\n", r->scene, r->nodes,
            r->steps, r->parts, r->halvings, r->ms, r->ms_solve, r->ms_touch, r->ms_audit, r->newton, r->cg,
            r->stretch_most, r->stretch_end, r->speed_end, r->hurt, (long long)r->pairs, (long long)r->near,
            r->squeezed);
}

static void usage(void)
{
    fprintf(stderr, "usage: bench_torture [--scenes ribbon,mat] [--adaptive] [--meshes] [--thickness M] [--h S] "
                    "[--size X] [--seconds S] [--threads N] [--no-audit] [--csv FILE]\n");
    exit(2);
}

/* True if the argument was one without a value. */
static bool take_flag(bench_options *o, const char *name)
{
    if (strcmp(name, "--adaptive") == 0)
        o->torture.adaptive = true;
    else if (strcmp(name, "--meshes") == 0)
        o->torture.meshes = true;
    else if (strcmp(name, "--no-audit") == 0)
        o->audit = false;
    else
        return false;
    return true;
}

static void take_value(bench_options *o, const char *name, const char *value)
{
    if (!value)
        usage();
    else if (strcmp(name, "--scenes") == 0)
        o->scenes = value;
    else if (strcmp(name, "--csv") == 0)
        o->csv = value;
    else if (strcmp(name, "--thickness") == 0)
        o->torture.thickness = atof(value);
    else if (strcmp(name, "--h") == 0)
        o->torture.h = atof(value);
    else if (strcmp(name, "--size") == 0)
        o->torture.size = atof(value);
    else if (strcmp(name, "--seconds") == 0)
        o->seconds = atof(value);
    else if (strcmp(name, "--threads") == 0)
        o->threads = atoi(value);
    else
        usage();
}

/* Whether the name is one of the list with commas; NULL: all are. */
static bool is_wanted(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (strncmp(p, name, n) == 0 && (p[n] == ',' || p[n] == '\0'))
            return true;
    return !list;
}

int main(int argc, char **argv)
{
    bench_options o = {.torture = {.thickness = -1}, .threads = 2, .audit = true};
    for (int i = 1; i < argc; i++)
        if (!take_flag(&o, argv[i])) {
            take_value(&o, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
            i++;
        }
    FILE *csv = o.csv ? fopen(o.csv, "w") : NULL;
    if (o.csv && !csv) {
        fprintf(stderr, "bench_torture: cannot write %s\n", o.csv);
        return 2;
    }
    if (csv)
        fprintf(csv, "scene,nodes,steps,parts,halvings,ms,ms_solve,ms_touch,ms_audit,newton,cg,stretch_most,"
                     "stretch_end,speed_end,hurt,pairs,near,squeezed\n");
    printf("%-7s %6s %5s %5s %7s %7s %7s %7s %6s %6s %7s %7s %7s %5s %5s %5s %5s\n", "scene", "nodes", "steps", "parts",
           "ms", "solve", "touch", "audit", "Newton", "CG", "stretch", "at end", "m/s end", "hurt", "pairs", "near",
           "sqz");
    bool hurt = false;
    for (int k = 0; k < TORTURE_SCENES; k++) {
        row r = {.scene = torture_names[k]};
        if (!is_wanted(o.scenes, r.scene))
            continue;
        run(&r, &o);
        print_row(&r);
        hurt = hurt || r.hurt > 0 || r.near > 0;
        if (csv)
            write_csv(&r, csv);
    }
    if (csv)
        fclose(csv);
    return hurt;
}
