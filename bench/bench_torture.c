/* SPDX-License-Identifier: MIT */
/* Measures prevention on scenes that are hard on collisions (test/sim/torture.h): what passed through by an exact audit
 * after every step, which responses it took, how far the cloth stretched, and where the time went. Beside it, if asked
 * for: Provot's response in place of ours, meshes in place of analytic spheres. */
#include "args.h"
#include "bench.h"
#include "say.h"
#include "sim/torture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct options {
    const char *scenes, *csv;
    double rate, seconds;
    int32_t threads, every;
    bool provot, no_audit, fine;
    torture_options scene;
} options;

typedef struct row {
    const char *scene;
    int32_t steps, bad_steps, halvings, rigid, failsafes, cuts, squeezed, alarms;
    int64_t intersections, near_triangles;
    double stretch, stretch_end, gap, cpu, solve, assemble, collider_contacts, cloth_contact, walk, test, respond,
        total, top_half, tall, wall;
} row;

static void stop_on(weft_result r, const weft_error *e)
{
    if (r < 0)
        exit(say_wrong("%s", e->text));
}

static void add(row *r, const weft_step_stats *st)
{
    r->steps++;
    r->halvings += st->halvings;
    r->rigid += st->rigid;
    r->failsafes += st->failsafes;
    r->alarms += st->rigid > 0 || st->failsafes > 0;
    r->cuts += st->cuts;
    r->squeezed += st->squeezed_pairs + st->squeezed;
    r->stretch = fmax(r->stretch, st->stretch);
    r->stretch_end = st->stretch;
    r->gap = fmin(r->gap, st->smallest_gap);
    r->solve += st->seconds_solve;
    r->assemble += st->seconds_assemble;
    r->collider_contacts += st->seconds_touch;
    r->cloth_contact += st->seconds_meet;
    r->walk += st->seconds_walk;
    r->test += st->seconds_test;
    r->respond += st->seconds_respond;
    r->total += st->seconds_total;
}

static void print_step(const row *r, const weft_step_stats *st)
{
    printf("%-7s %5d %7.3f s  parts %d newton %2d cg %4d recoupled %d pairs %5d of %lld, %lld hits %4lld sweeps %d "
           "inel %d zones %d/%d rigid %d fs %d cut %d "
           "sq %d halv %d gap %.1e stretch %.3f speed %.2f  split %d merged %d bad %lld  %.0f ms\n",
           r->scene, r->steps, st->time, st->n_steps, st->newton_iterations, st->linear_iterations, st->recouplings,
           st->pairs, (long long)st->neighbours, (long long)st->candidates, (long long)st->hits, st->sweeps,
           st->inelastic, st->zones, st->largest_zone, st->rigid, st->failsafes, st->cuts, st->squeezed_pairs,
           st->halvings, st->smallest_gap, st->stretch, st->max_speed, st->split, st->merged,
           (long long)r->intersections, 1e3 * st->seconds_total);
    fflush(stdout);
}

/* Of the highest node; *low: of the lowest. */
static double highest(const torture *t, double *low)
{
    weft_error e;
    double top = -HUGE_VAL;
    *low = HUGE_VAL;
    for (int32_t i = 0; i < t->n_cloths; i++) {
        weft_cloth_info info;
        stop_on(weft_cloth_get_info(t->sim, t->cloths[i], &info, &e), &e);
        weft_vec3 *x = malloc((size_t)info.n_nodes * sizeof *x);
        stop_on(weft_cloth_get_positions(t->sim, t->cloths[i], x, info.n_nodes, 0, &e), &e);
        for (int32_t k = 0; k < info.n_nodes; k++)
            top = fmax(top, x[k].y), *low = fmin(*low, x[k].y);
        free(x);
    }
    return top;
}

static void run(row *r, const options *o)
{
    weft_error e;
    weft_sim_def d = weft_sim_def_default();
    torture t;
    double low, top;
    torture_options so = o->scene;
    d.n_threads = o->threads;
    d.contact = o->fine ? WEFT_CONTACT_FINE : WEFT_CONTACT_COARSE;
    d.response = o->provot ? WEFT_RESPONSE_PROVOT : WEFT_RESPONSE_WEFT;
    so.sim = &d;
    so.h = 1 / o->rate;
    r->gap = HUGE_VAL;
    stop_on(torture_create(&t, r->scene, &so, &e), &e);
    int32_t n = torture_n_steps(&t);
    for (int32_t i = 0; i < n && (o->seconds <= 0 || i * t.h < o->seconds); i++) {
        weft_step_stats st;
        torture_found s = {0};
        clock_t c0 = clock();
        weft_result result = torture_step(&t, &st, &e);
        r->cpu += (double)(clock() - c0) / CLOCKS_PER_SEC;
        r->wall += result < 0 ? 0 : st.seconds_total;
        if (result < 0) {
            printf("%-7s step %d: %s\n", r->scene, i, e.text);
            break;
        }
        add(r, &st);
        if (!o->no_audit)
            stop_on(torture_audit(&t, &s, &e), &e);
        r->intersections += s.n_pairs;
        r->bad_steps += s.n_pairs > 0;
        r->near_triangles += s.n_near;
        if (fabs(st.time - 0.5) < 0.5 * t.h)
            r->top_half = highest(&t, &low);
        if (o->every > 0 && r->steps % o->every == 0)
            print_step(r, &st);
    }
    top = highest(&t, &low);
    r->tall = (top - low) / t.length;
    torture_destroy(&t);
}

static void print_head(void)
{
    printf("%-7s %5s %5s %6s %5s %5s %5s %4s %4s %4s %7s %7s %8s %5s %7s %5s %7s %7s | "
           "%6s %6s %6s %6s %6s %6s %6s\n",
           "scene", "steps", "bad", "inters", "halv", "rigid", "fails", "cuts", "sque", "alrm", "stretch", "at end",
           "gap m", "near", "top .5s", "tall", "CPU s", "wall s", "solve", "assem", "touch", "meet", "walk", "test",
           "resp");
}

static void print_row(const row *r)
{
    printf("%-7s %5d %5d %6lld %5d %5d %5d %4d %4d %4d %7.3f %7.3f %8.1e %5lld %7.3f %5.3f %7.1f %7.1f | %6.1f %6.1f "
           "%6.1f %6.1f "
           "%6.1f %6.1f %6.1f\n",
           r->scene, r->steps, r->bad_steps, (long long)r->intersections, r->halvings, r->rigid, r->failsafes, r->cuts,
           r->squeezed, r->alarms, r->stretch, r->stretch_end, r->gap, (long long)r->near_triangles, r->top_half,
           r->tall, r->cpu, r->wall, r->solve, r->assemble, r->collider_contacts, r->cloth_contact, r->walk, r->test,
           r->respond);
    fflush(stdout);
}

static void write_row(const row *r, FILE *f)
{
    fprintf(f, "%s,%d,%d,%lld,%d,%d,%d,%d,%d,%d,%g,%g,%g,%lld,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g\n", r->scene, r->steps,
            r->bad_steps, (long long)r->intersections, r->halvings, r->rigid, r->failsafes, r->cuts, r->squeezed,
            r->alarms, r->stretch, r->stretch_end, r->gap, (long long)r->near_triangles, r->top_half, r->tall, r->cpu,
            r->wall, r->solve, r->assemble, r->collider_contacts, r->cloth_contact, r->walk, r->test, r->respond);
}

static bool is_wanted(const options *o, const char *name)
{
    if (!o->scenes)
        return true;
    size_t n = strlen(name);
    for (const char *p = o->scenes; (p = strstr(p, name)); p += n)
        if ((p == o->scenes || p[-1] == ',') && (p[n] == 0 || p[n] == ','))
            return true;
    return false;
}

static void run_all(const options *o, FILE *csv)
{
    if (csv)
        fprintf(csv, "scene,steps,bad_steps,intersections,halvings,rigid,failsafes,cuts,squeezed,alarms,stretch,"
                     "stretch_end,gap_m,near_triangles,top_half_m,tall,cpu_s,wall_s,solve_s,assemble_s,touch_s,meet_s,"
                     "walk_s,test_s,"
                     "respond_s\n");
    print_head();
    for (int i = 0; i < TORTURE_SCENES; i++) {
        row r = {.scene = torture_names[i]};
        if (!is_wanted(o, r.scene))
            continue;
        run(&r, o);
        print_row(&r);
        if (csv)
            write_row(&r, csv);
    }
}

static const char examples[] = "  weft-bench torture --scenes ribbon --seconds 6 --threads 2 --no-audit\n"
                               "  weft-bench torture --scenes mat,funnel --provot --every 10\n";

int bench_torture(int argc, char **argv)
{
    options o = {.rate = 60, .threads = 1, .scene = {.thickness = -1}};
    const args_option list[] = {
        {"scenes", 0, ARGS_TEXT, &o.scenes, "NAME,..", "of ribbon,sheets,mat,funnel,pinch,bullet,stack; all", 0, 0},
        {"rate", 0, ARGS_NUMBER, &o.rate, "HZ", "steps a second; 60", 1e-3, 1e6},
        {"thickness", 0, ARGS_NUMBER, &o.scene.thickness, "M", "of the cloth; cotton's", 0, 1},
        {"size", 0, ARGS_NUMBER, &o.scene.size, "S", "times the number of nodes a side; 1", 0, 100},
        {"seconds", 0, ARGS_NUMBER, &o.seconds, "S", "at most, of each scene; all of it", 0, 1e4},
        {"threads", 0, ARGS_INT, &o.threads, "N", "0: one a core; 1", 0, 256},
        {"adaptive", 0, ARGS_FLAG, &o.scene.adaptive, NULL, "half the nodes a side, which split where they bend", 0, 0},
        {"meshes", 0, ARGS_FLAG, &o.scene.meshes, NULL, "spheres are meshes of triangles", 0, 0},
        {"provot", 0, ARGS_FLAG, &o.provot, NULL, "Provot's response in place of ours", 0, 0},
        {"fine", 0, ARGS_FLAG, &o.fine, NULL, "fine contact", 0, 0},
        {"no-audit", 0, ARGS_FLAG, &o.no_audit, NULL, "nothing is audited", 0, 0},
        {"every", 0, ARGS_INT, &o.every, "N", "a line each N steps; none", 0, 1e6},
        {"csv", 0, ARGS_TEXT, &o.csv, "FILE", "the table as CSV; none", 0, 0},
    };
    const args_spec spec = {.verb = "torture",
                            .usage = "[options]",
                            .about = "Scenes that are hard on collisions, audited exactly after every step.",
                            .examples = examples,
                            .options = list,
                            .n_options = sizeof list / sizeof *list};
    args_words words;
    int code;
    if (!args_begin(&spec, argc, argv, &words, &code))
        return code;
    FILE *csv = o.csv ? fopen(o.csv, "w") : NULL;
    if (o.csv && !csv)
        return say_wrong("cannot write %s", o.csv);
    run_all(&o, csv);
    return csv && fclose(csv) != 0 ? say_wrong("cannot write %s", o.csv) : EXIT_FINE;
}
