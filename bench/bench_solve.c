/* SPDX-License-Identifier: MIT */
/* Measures the inner solve: iterations and time of multigrid beside block Jacobi, to the same true error in the energy
 * norm, on Hessians of a cotton sheet that hangs or lies on a ball. Besides, how fast the matrix product goes through
 * memory beside a plain triad, the best of some repetitions, and the memory of the whole simulation. Adaptive meshes
 * begin with a quarter of the nodes a side and split up to three times where they bend. Compare times within one run
 * only. */
#include "args.h"
#include "base/clock.h"
#include "bench.h"
#include "bench_scene.h"
#include "say.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double energy_norm(const blockmat *a, const vec3 *x, vec3 *ax)
{
    double s = 0;
    blockmat_multiply_rows(a, x, ax, 0, a->n);
    for (int32_t i = 0; i < a->n; i++)
        s += v3_dot(x[i], ax[i]);
    return sqrt(s);
}

typedef struct trial {
    int32_t iterations;
    double ms, error, estimate;
} trial;

/* One solve; its true error against the known solution. */
static trial solve(weft_sim *s, multigrid *g, const vec3 *b, const vec3 *known, double tolerance, vec3 *d, vec3 *work)
{
    const model *m = &s->model;
    const blockmat *a = &m->assembly.hessian;
    cg_problem p = {.a = a,
                    .filters = m->filters,
                    .pool = s->pool,
                    .multigrid = g,
                    .position = m->q1,
                    .tolerance = tolerance,
                    .limit = 100000};
    memcpy(work, b, (size_t)a->n * sizeof *work);
    double t = clock_seconds();
    cg_result r = cg_solve(&p, &s->scratch, work, d);
    trial out = {r.iterations, 1e3 * (clock_seconds() - t), 0, r.error};
    for (int32_t i = 0; i < a->n; i++)
        d[i] = v3_sub(d[i], known[i]);
    out.error = energy_norm(a, d, work) / energy_norm(a, known, work);
    return out;
}

/* Comma-separated lists are texts. */
typedef struct options {
    double seconds;
    int32_t threads;
    const char *csv, *scenes, *meshes, *sizes, *stiffness;
    bool no_jacobi;
} options;

typedef struct row {
    const char *scene, *mesh;
    int n, nodes;
    double stiffness;
    double tolerance;
    trial jacobi, multigrid;
} row;

static void print_row(const row *r, FILE *csv)
{
    printf("%-8s %-8s %4d² %7d %5g %6g %6d %9.1f %9.1e %6d %9.1f %9.1e %9.1e %6.1f\n", r->scene, r->mesh, r->n,
           r->nodes, r->stiffness, r->tolerance, r->jacobi.iterations, r->jacobi.ms, r->jacobi.error,
           r->multigrid.iterations, r->multigrid.ms, r->multigrid.error, r->multigrid.estimate,
           r->jacobi.ms / r->multigrid.ms);
    fflush(stdout);
    if (csv)
        fprintf(csv, "%s,%s,%d,%d,%g,%g,%d,%.6g,%.6g,%d,%.6g,%.6g,%.6g\n", r->scene, r->mesh, r->n, r->nodes,
                r->stiffness, r->tolerance, r->jacobi.iterations, r->jacobi.ms, r->jacobi.error,
                r->multigrid.iterations, r->multigrid.ms, r->multigrid.error, r->multigrid.estimate);
}

/* The least work of block Jacobi that has the given true error: its own estimate is too kind by up to four times. */
static trial solve_blocks(weft_sim *s, const vec3 *b, const vec3 *known, double error, vec3 *d, vec3 *work)
{
    double tolerance = error;
    trial t = solve(s, NULL, b, known, tolerance, d, work);
    while (!(t.error <= error) && 0.7 * tolerance > 1e-3 * error) {
        tolerance *= 0.7;
        t = solve(s, NULL, b, known, tolerance, d, work);
    }
    return t;
}

#define REPETITIONS 15

/* Bytes a product reads and writes: blocks and the diagonal, columns, starts, the two vectors once. */
static double product_rate(const blockmat *a, const vec3 *x, vec3 *y)
{
    double best = HUGE_VAL;
    double bytes = (double)a->n_blocks * (9 * sizeof *a->val + sizeof *a->col) +
                   (double)a->n * (sizeof *a->diagonal + 2 * sizeof *a->before + 2 * sizeof *x);
    for (int k = 0; k < REPETITIONS; k++) {
        double t = clock_seconds();
        blockmat_multiply_rows(a, x, y, 0, a->n);
        best = min_of(best, clock_seconds() - t);
    }
    return 1e-9 * bytes / best;
}

/* a = b + s c over as many bytes as the matrix has. */
static double triad_rate(const blockmat *m)
{
    size_t n = (size_t)m->n_blocks * 3;
    double *all = calloc(3 * n, sizeof *all), *b = all + n, *c = b + n, best = HUGE_VAL;
    if (!all)
        exit(say_wrong("out of memory"));
    for (int k = 0; k < REPETITIONS; k++) {
        double t = clock_seconds(), s = 0.5 + k;
        for (size_t i = 0; i < n; i++)
            all[i] = b[i] + s * c[i];
        best = min_of(best, clock_seconds() - t);
        b[k] = all[n - 1];
    }
    free(all);
    return 1e-9 * (double)(3 * n * sizeof *all) / best;
}

static void stop_on(weft_result r, const weft_error *e)
{
    if (r < 0)
        exit(say_wrong("%s", e->text));
}

/* The matrix and direction of the last Newton step; the values of the matrix last as long as the solve. */
typedef struct last {
    weft_sim *s;
    float *val;
    mat3 *diagonal;
    vec3 *direction;
} last;

static void *copied(void *old, const void *from, size_t size)
{
    void *to = realloc(old, size);
    if (!to)
        exit(say_wrong("out of memory"));
    return memcpy(to, from, size);
}

static void keep_last(void *watcher)
{
    last *l = watcher;
    const model *m = &l->s->model;
    const blockmat *a = &m->assembly.hessian;
    l->val = copied(l->val, a->val, 9 * (size_t)a->n_blocks * sizeof *a->val);
    l->diagonal = copied(l->diagonal, a->diagonal, (size_t)a->n * sizeof *a->diagonal);
    l->direction = copied(l->direction, m->newton.direction, (size_t)m->n * sizeof *l->direction);
}

/* Puts them back: nothing steps after it. */
static void bring_back(last *l)
{
    model *m = &l->s->model;
    blockmat *a = &m->assembly.hessian;
    if (!blockmat_take(a, &l->s->scratch))
        exit(say_wrong("out of memory"));
    memcpy(a->val, l->val, 9 * (size_t)a->n_blocks * sizeof *a->val);
    memcpy(a->diagonal, l->diagonal, (size_t)a->n * sizeof *a->diagonal);
    memcpy(m->newton.direction, l->direction, (size_t)m->n * sizeof *l->direction);
    free(l->val);
    free(l->diagonal);
    free(l->direction);
}

/* One time step solved tightly after some; what its last Newton step had is in the simulation again. */
static void make_solve(weft_sim *s, const options *o)
{
    weft_error e = {0};
    last l = {.s = s};
    int steps = (int)(o->seconds * 60 + 0.5);
    for (int k = 0; k < steps; k++)
        stop_on(weft_sim_step(s, 1.0 / 60, NULL, &e), &e);
    s->def.linear_tolerance = 1e-9;
    s->model.watch = keep_last;
    s->model.watcher = &l;
    stop_on(weft_sim_step(s, 1.0 / 60, NULL, &e), &e);
    bring_back(&l);
}

/* Its rows: each tolerance with both preconditioners, and the speed of memory. */
static void compare(weft_sim *s, const bench_scene_def *def, const char *mesh, const options *o, FILE *csv)
{
    static const double tolerances[] = {1e-2, 1e-3};
    model *m = &s->model;
    vec3 *all = calloc(4 * (size_t)m->n, sizeof *all);
    vec3 *known = all, *b = all + m->n, *d = b + m->n, *work = d + m->n;
    if (!all)
        exit(say_wrong("out of memory"));
    for (int32_t i = 0; i < m->n; i++)
        known[i] = filter_apply(&m->filters[i], m->newton.direction[i]);
    energy_norm(&m->assembly.hessian, known, b);
    for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
        row r = {.scene = bench_scene_name(def->kind),
                 .mesh = mesh,
                 .n = def->n,
                 .nodes = m->n,
                 .stiffness = def->stiffness,
                 .tolerance = tolerances[k]};
        r.multigrid = solve(s, &m->newton.multigrid, b, known, r.tolerance, d, work);
        if (!o->no_jacobi)
            r.jacobi = solve_blocks(s, b, known, r.multigrid.error, d, work);
        print_row(&r, csv);
    }
    double product = product_rate(&m->assembly.hessian, known, work), triad = triad_rate(&m->assembly.hessian);
    printf("%-8s %-8s %4d² product %.1f GB/s, triad %.1f GB/s; %.0f bytes a node in use\n", bench_scene_name(def->kind),
           mesh, def->n, product, triad, (double)s->mem.in_use / m->n);
    free(all);
}

static void run(const bench_scene_def *def, const char *mesh, const options *o, FILE *csv)
{
    weft_error e = {0};
    bench_scene scene;
    stop_on(bench_scene_create(&scene, def, &e), &e);
    make_solve(scene.sim, o);
    if (scene.sim->model.newton.multigrid.n_levels > 0)
        compare(scene.sim, def, mesh, o, csv);
    else
        printf("%-8s %-8s %4d² left out: its %d nodes are too few for multigrid\n", bench_scene_name(def->kind), mesh,
               def->n, scene.sim->model.n);
    bench_scene_destroy(&scene);
}

/* Adaptive meshes have a number of nodes that the drape decides: about as many as asked for. */
static void run_mesh(const options *o, bench_scene_kind kind, bool adaptive, int n, double stiffness, FILE *csv)
{
    bench_scene_def def = {.kind = kind, .n = n, .stiffness = stiffness, .n_threads = o->threads};
    if (adaptive) {
        def.n = (n + 3) / 4 + 1;
        def.level = 3;
    }
    run(&def, adaptive ? "adaptive" : "uniform", o, csv);
}

enum { MOST_NUMBERS = 8 };

/* The numbers of a list, from `least` on, and how many; -1: it is none, which is said. */
static int read_numbers(const char *option, const char *list, double least, double out[MOST_NUMBERS])
{
    int n = 0;
    for (const char *p = list; p; n++) {
        char text[32];
        size_t length = strcspn(p, ",");
        snprintf(text, sizeof text, "%.*s", (int)length, p);
        if (n == MOST_NUMBERS || length >= sizeof text || !args_read_number(text, &out[n]) || out[n] < least) {
            say_wrong("'--%s %s': expected up to %d numbers from %g on, as in 72,146", option, list, MOST_NUMBERS,
                      least);
            return -1;
        }
        p = p[length] ? p + length + 1 : NULL;
    }
    return n;
}

static int run_all(const options *o, FILE *csv)
{
    double sizes[MOST_NUMBERS], stiffness[MOST_NUMBERS];
    int n_sizes = read_numbers("sizes", o->sizes, 2, sizes);
    int n_stiffness = n_sizes < 0 ? -1 : read_numbers("stiffness", o->stiffness, 0, stiffness);
    if (n_stiffness < 0)
        return EXIT_WRONG;
    printf(
        "one inner solve, cotton sheet, 0.72 m, BDF2, h = 1/60 s, after %g s, %d threads; block Jacobi goes on until\n"
        "its true error in the energy norm is that of multigrid, whose time includes making its matrices\n\n",
        o->seconds, o->threads);
    printf("%-8s %-8s %5s %7s %5s %6s %6s %9s %9s %6s %9s %9s %9s %6s\n", "scene", "mesh", "side", "nodes", "N/m",
           "tol", "Jacobi", "ms", "error", "multi", "ms", "error", "estimate", "ratio");
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < n_stiffness; j++)
                for (int i = 0; i < n_sizes; i++)
                    if (strstr(o->meshes, a ? "adaptive" : "uniform") && strstr(o->scenes, k ? "ball" : "hanging"))
                        run_mesh(o, k ? SCENE_BALL : SCENE_HANGING, a, (int)sizes[i], stiffness[j], csv);
    return EXIT_FINE;
}

static const char examples[] = "  weft-bench solve --sizes 72,146 --stiffness 500 --seconds 0.25\n"
                               "  weft-bench solve --sizes 584 --meshes uniform --no-jacobi\n";

int bench_solve(int argc, char **argv)
{
    options o = {0.5, 1, NULL, "hanging,ball", "uniform,adaptive", "72,146,292,584", "500,5000", false};
    const args_option list[] = {
        {"seconds", 0, ARGS_NUMBER, &o.seconds, "S", "of cloth before the solve; 0.5", 0, 1e4},
        {"threads", 0, ARGS_INT, &o.threads, "N", "0: one a core; 1", 0, 256},
        {"csv", 0, ARGS_TEXT, &o.csv, "FILE", "the table as CSV; none", 0, 0},
        {"sizes", 0, ARGS_TEXT, &o.sizes, "N,..", "nodes a side; 72,146,292,584", 0, 0},
        {"stiffness", 0, ARGS_TEXT, &o.stiffness, "K,..", "of stretch, N/m; 500,5000", 0, 0},
        {"scenes", 0, ARGS_TEXT, &o.scenes, "NAME,..", "of hanging,ball; both", 0, 0},
        {"meshes", 0, ARGS_TEXT, &o.meshes, "NAME,..", "of uniform,adaptive; both", 0, 0},
        {"no-jacobi", 0, ARGS_FLAG, &o.no_jacobi, NULL, "multigrid alone", 0, 0},
    };
    const args_spec spec = {.verb = "solve",
                            .usage = "[options]",
                            .about = "The inner solve: multigrid beside block Jacobi.",
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
    if (csv)
        fprintf(csv, "scene,mesh,n,nodes,stiffness,tolerance,jacobi_iterations,jacobi_ms,jacobi_error,"
                     "multigrid_iterations,multigrid_ms,multigrid_error,multigrid_estimate\n");
    code = run_all(&o, csv);
    return csv && fclose(csv) != 0 ? say_wrong("cannot write %s", o.csv) : code;
}
