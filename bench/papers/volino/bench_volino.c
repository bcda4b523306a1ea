/* SPDX-License-Identifier: MIT */
/* Measures collision detection beside what Volino and Magnenat-Thalmann (1994) report: tables 1 and 2 and section 3.3.
 * Then what the proof costs beside detection without it, refit and search beside a plain box tree, and fitting beside
 * a copy of the memory.
 *
 * Times are processor times of one thread, the least of several; ratios are of one run. What the proof costs is the
 * median of many rounds. The parts that need files are left out where there is no folder of data. */
#include "bench_data.h"
#include "say.h"
#include "volino.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bench {
    const bench_options *o;
    const char *folder; /* of data; NULL: none */
    bool missed;        /* a promise */
    bool failed;        /* to run */
} bench;

typedef struct timing {
    double fit, find; /* s */
    weft_detected found;
    weft_detector_info info;
} timing;

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static void promise(bench *b, bool kept, const char *what)
{
    printf("  %s: %s\n", kept ? "kept" : "MISSED", what);
    b->missed = b->missed || !kept;
}

static bool fails(bench *b, const weft_error *e)
{
    say_wrong("%s", e->text);
    b->failed = true;
    return false;
}

static weft_detector *make_detector(bench *b, const volino_mesh *m, uint32_t seed, const bool *fixed)
{
    weft_detector *d;
    weft_error e;
    weft_detector_def def = weft_detector_def_default();
    def.n_nodes = m->n_nodes;
    def.positions = m->x0;
    def.n_triangles = m->n_triangles;
    def.triangles = m->triangles;
    def.n_objects = m->n_objects;
    def.object = m->object;
    def.fixed = fixed;
    def.seed = seed;
    def.n_threads = 1;
    if (weft_detector_create(&def, &d, &e) < 0) {
        fails(b, &e);
        return NULL;
    }
    return d;
}

/* Fit and find, the quickest of some. What was found is valid until the detector's next call. */
static bool measure(bench *b, weft_detector *d, const volino_mesh *m, weft_detect_mode mode, bool triangles, int n_runs,
                    timing *out)
{
    weft_error e;
    weft_detect_query q = weft_detect_query_default();
    q.mode = mode;
    q.triangle_pairs = triangles;
    out->fit = out->find = 1e300;
    for (int i = 0; i < n_runs; i++) {
        double start = volino_seconds();
        if (weft_detector_fit(d, m->x0, m->x1, 0, &e) < 0)
            return fails(b, &e);
        double fitted = volino_seconds();
        if (weft_detector_find(d, &q, &out->found, &e) < 0)
            return fails(b, &e);
        out->fit = lesser(out->fit, fitted - start);
        out->find = lesser(out->find, volino_seconds() - fitted);
    }
    out->info = weft_detector_get_info(d);
    return true;
}

/* ---- table 1: the sphere ----------------------------------------------------------------------------------------- */

enum { SEEDS = 10 };

static int compare_counts(const void *p, const void *q)
{
    const int64_t *a = p, *b = q;
    return (*a > *b) - (*a < *b);
}

typedef struct sphere_row {
    int64_t calls, most_calls, elementary, contour_edges; /* median; most; most; median */
    timing classical;
} sphere_row;

static bool sphere_size(bench *b, int32_t n, sphere_row *row)
{
    volino_mesh m;
    int64_t calls[SEEDS], edges[SEEDS];
    timing t;
    *row = (sphere_row){0};
    if (!volino_sphere(&m, n))
        return fails(b, &(weft_error){.text = "out of memory"});
    for (uint32_t seed = 0; seed < SEEDS && !b->failed; seed++) {
        weft_detector *d = make_detector(b, &m, seed + 1, NULL);
        if (d && measure(b, d, &m, WEFT_DETECT_PROVEN, false, 1, &t)) {
            calls[seed] = t.found.counters.calls;
            edges[seed] = t.found.counters.contour_edges;
            if (t.found.counters.elementary > row->elementary)
                row->elementary = t.found.counters.elementary;
            if (seed == 0)
                measure(b, d, &m, WEFT_DETECT_CLASSICAL, false, 1, &row->classical);
        }
        weft_detector_destroy(d);
    }
    if (!b->failed) {
        qsort(calls, SEEDS, sizeof *calls, compare_counts);
        qsort(edges, SEEDS, sizeof *edges, compare_counts);
        row->calls = (calls[SEEDS / 2 - 1] + calls[SEEDS / 2]) / 2;
        row->most_calls = calls[SEEDS - 1];
        row->contour_edges = edges[SEEDS / 2];
    }
    volino_free(&m);
    return !b->failed;
}

static void bench_sphere(bench *b)
{
    static const int32_t sizes[] = {1000, 4000, 16000, 64000, 256000, 1000000};
    int n_sizes = b->o->quick ? 3 : 6;
    int64_t first = 0, most = 0, elementary = 0;
    printf(
        "\nSphere (table 1). The paper: about 300 calls and no elementary test at any size; classical 20 calls and 6\n"
        "elementary tests per polygon. Calls and contour edges are medians over %d seeds of the tree.\n\n",
        SEEDS);
    printf("%10s | %7s %7s %10s %13s | %15s %15s\n", "triangles", "calls", "(most)", "elementary", "contour edges",
           "classical calls", "elementary");
    for (int i = 0; i < n_sizes; i++) {
        sphere_row row;
        if (!sphere_size(b, sizes[i], &row))
            return;
        const weft_detect_counters *c = &row.classical.found.counters;
        printf("%10d | %7lld %7lld %10lld %13lld | %6.1f per polygon %4.1f per polygon\n", sizes[i],
               (long long)row.calls, (long long)row.most_calls, (long long)row.elementary, (long long)row.contour_edges,
               (double)c->calls / sizes[i], (double)c->elementary / sizes[i]);
        fflush(stdout);
        first = i == 0 ? row.calls : first;
        most = row.calls > most ? row.calls : most;
        elementary = row.elementary > elementary ? row.elementary : elementary;
    }
    promise(b, most <= 300, "at most 300 calls");
    promise(b, 2 * most <= 3 * first, "calls grow by at most 1.5 over the whole range");
    promise(b, elementary == 0, "no elementary test");
}

/* ---- table 2: the loop ------------------------------------------------------------------------------------------- */

static bool loop_size(bench *b, int32_t n, double *calls, double *elementary)
{
    volino_mesh m;
    timing proven, classical;
    if (!volino_loop(&m, n))
        return fails(b, &(weft_error){.text = "out of memory"});
    weft_detector *d = make_detector(b, &m, 1, NULL);
    if (d && measure(b, d, &m, WEFT_DETECT_CLASSICAL, true, 1, &classical) &&
        measure(b, d, &m, WEFT_DETECT_PROVEN, true, 1, &proven)) {
        int32_t n_hit = volino_colliding(&m, proven.found.triangle_pairs, proven.found.n_triangle_pairs);
        const weft_detect_counters *p = &proven.found.counters, *c = &classical.found.counters;
        *calls = (double)p->calls / n_hit;
        *elementary = (double)p->elementary / n_hit;
        printf("%10d %10d | %12.1f %12.1f %13lld | %15.1f %12.1f\n", m.n_triangles, n_hit, *calls, *elementary,
               (long long)p->contour_edges, (double)c->calls / n_hit, (double)c->elementary / n_hit);
        fflush(stdout);
    }
    weft_detector_destroy(d);
    volino_free(&m);
    return !b->failed;
}

static void bench_loop(bench *b)
{
    static const int32_t sizes[] = {1000, 4000, 16000, 64000, 256000, 1000000};
    double most_calls = 0, most_elementary = 0;
    printf("\nLoop that crosses itself (table 2), per colliding polygon. The paper: 20 calls, 3 elementary tests.\n\n");
    printf("%10s %10s | %12s %12s %13s | %15s %12s\n", "triangles", "colliding", "calls", "elementary", "contour edges",
           "classical calls", "elementary");
    for (int i = 0; i < (b->o->quick ? 3 : 6); i++) {
        double calls = 0, elementary = 0;
        if (!loop_size(b, sizes[i], &calls, &elementary))
            return;
        most_calls = calls > most_calls ? calls : most_calls;
        most_elementary = elementary > most_elementary ? elementary : most_elementary;
    }
    promise(b, most_calls <= 20, "at most 20 calls per colliding polygon");
    promise(b, most_elementary <= 3, "at most 3 elementary tests per colliding polygon");
}

/* ---- section 3.3: body and cloth --------------------------------------------------------------------------------- */

static void body_size(bench *b, bool large, double *ratio)
{
    volino_mesh both, cloth = {0};
    weft_error e;
    timing t, proven, classical;
    static const bool body_fixed[2] = {false, true};
    int n_runs = b->o->quick ? 2 : 5;
    if (!volino_body(&both, b->folder, large, &e)) {
        fails(b, &e);
        return;
    }
    volino_only(&both, 0, &cloth);
    weft_detector *d = make_detector(b, &both, 0, body_fixed), *c = make_detector(b, &cloth, 0, NULL);
    if (d && c && measure(b, d, &both, WEFT_DETECT_PROVEN, true, n_runs, &t) &&
        measure(b, c, &cloth, WEFT_DETECT_PROVEN, true, n_runs, &proven) &&
        measure(b, c, &cloth, WEFT_DETECT_CLASSICAL, true, n_runs, &classical)) {
        *ratio = classical.find / proven.find;
        printf("%8d + %-8d | %8.2f %14.2f | %10.3f %10.3f %9.1f×\n", cloth.n_triangles,
               both.n_triangles - cloth.n_triangles, 1e3 * t.fit, 1e3 * (t.find - proven.find), 1e3 * classical.find,
               1e3 * proven.find, *ratio);
        fflush(stdout);
    }
    weft_detector_destroy(d);
    weft_detector_destroy(c);
    volino_free(&both);
    volino_free(&cloth);
}

static void bench_body(bench *b)
{
    double ratio = 0;
    printf("\nBody and cloth (section 3.3), ms. The paper: 3800 + 17,200 triangles: cloth with itself 0.7 s classical, "
           "0.1 s;\n56,400 + 111,000: 10.0 s classical, 0.5 s: 20 times.\n\n");
    printf("%19s | %8s %14s | %10s %10s %10s\n", "cloth + body", "fit", "body and cloth", "classical", "proven",
           "ratio");
    body_size(b, false, &ratio);
    if (!b->o->quick && !b->failed) {
        body_size(b, true, &ratio);
        promise(b, ratio >= 20, "the large cloth with itself 20 times faster than classical");
    }
}

/* ---- what the proof costs ---------------------------------------------------------------------------------------- */

enum { MOST_ROUNDS = 1000 };

static int compare_times(const void *p, const void *q)
{
    const double *a = p, *b = q;
    return (*a > *b) - (*a < *b);
}

static double median(double *list, int n)
{
    qsort(list, (size_t)n, sizeof *list, compare_times);
    return n % 2 ? list[n / 2] : 0.5 * (list[n / 2 - 1] + list[n / 2]);
}

/* Rounds of both modes, one right after the other, in either order by turns, so that both see the same weather: the
 * median of what each takes, and of what the proof adds in a round. */
typedef struct cost {
    double fast[MOST_ROUNDS], proven[MOST_ROUNDS], more[MOST_ROUNDS];
    weft_detect_counters counters;
    int n;
} cost;

static bool measure_cost(bench *b, weft_detector *d, const volino_mesh *m, cost *c)
{
    int n_least = b->o->quick ? 5 : 15;
    double start = volino_seconds(), enough = b->o->quick ? 0.2 : 2;
    for (c->n = 0; c->n < MOST_ROUNDS && (c->n < n_least || volino_seconds() - start < enough); c->n++) {
        timing t[2];
        for (int k = 0; k < 2; k++) {
            int mode = (c->n + k) % 2;
            if (!measure(b, d, m, mode == 0 ? WEFT_DETECT_FAST : WEFT_DETECT_PROVEN, false, 1, &t[mode]))
                return false;
        }
        c->fast[c->n] = t[0].fit + t[0].find;
        c->proven[c->n] = t[1].fit + t[1].find;
        c->more[c->n] = c->proven[c->n] / c->fast[c->n] - 1;
        c->counters = t[1].found.counters;
    }
    return true;
}

static bool cost_of(bench *b, const char *name, const volino_mesh *m)
{
    static const bool body_fixed[2] = {false, true};
    static cost c;
    weft_detector *d = make_detector(b, m, 0, m->n_objects == 2 ? body_fixed : NULL);
    bool ok = d && measure_cost(b, d, m, &c);
    weft_detector_destroy(d);
    if (!ok)
        return false;
    double more = median(c.more, c.n);
    printf("%-15s %9d | %9.2f %9.2f %+8.1f %% | %10lld %10lld %10lld\n", name, m->n_triangles,
           1e3 * median(c.fast, c.n), 1e3 * median(c.proven, c.n), 100 * more, (long long)c.counters.contour_tests,
           (long long)c.counters.contour_refused, (long long)c.counters.contour_edges);
    fflush(stdout);
    char text[128];
    snprintf(text, sizeof text, "%s: proven costs at most 15 %% more than fast", name);
    promise(b, more <= 0.15, text);
    return true;
}

static void bench_cost(bench *b)
{
    volino_mesh m;
    weft_error e;
    printf("\nWhat the proof costs: fit and candidates, ms.\n\n%-15s %9s | %9s %9s %10s | %10s %10s %10s\n", "",
           "triangles", "fast", "proven", "more", "contours", "refused", "edges");
    if (volino_ribbon(&m, 4000)) {
        cost_of(b, "ribbon", &m);
        volino_free(&m);
    }
    if (!b->folder || b->failed)
        return;
    if (!volino_ball(&m, b->folder, &e)) {
        fails(b, &e);
        return;
    }
    cost_of(b, "ball", &m);
    volino_free(&m);
    if (!volino_body(&m, b->folder, !b->o->quick, &e)) {
        fails(b, &e);
        return;
    }
    cost_of(b, "body and cloth", &m);
    volino_free(&m);
}

/* ---- against a plain box tree ------------------------------------------------------------------------------------ */

/* Whole detection: the plain tree's pairs, tested one by one, and ours (proven), tested by lists. */
static void with_tests(bench *b, weft_detector *d, const volino_mesh *m, double plain_s, const median_pairs *vt,
                       const median_pairs *ee)
{
    timing t;
    volino_tested ours = {0, 0}, theirs = {0, 0};
    double best[2] = {1e300, 1e300};
    for (int i = 0; i < 2 && measure(b, d, m, WEFT_DETECT_PROVEN, false, 2, &t); i++) {
        const weft_detect_edge *edges = weft_detector_edges(d);
        ours = volino_test_lists(m, edges, &t.found);
        theirs = volino_test(m, edges, vt, ee);
        best[0] = lesser(best[0], t.fit + t.find + ours.time);
        best[1] = lesser(best[1], plain_s + theirs.time);
    }
    if (b->failed)
        return;
    printf("\nWith tests of all pairs, one by one for the plain tree; ours in mode proven, by lists, ms:\n"
           "  plain tree %.0f, of them tests %.0f, hits %lld; ours %.0f, of them tests %.0f, hits %lld: "
           "%.2f times faster\n",
           1e3 * best[1], 1e3 * theirs.time, (long long)theirs.hits, 1e3 * best[0], 1e3 * ours.time,
           (long long)ours.hits, best[1] / best[0]);
    promise(b, ours.hits == theirs.hits, "the same hits");
}

static void bench_boxes(bench *b)
{
    enum { VERTEX_TRIANGLE = 1655541, EDGE_EDGE = 5197332 };
    volino_mesh m;
    weft_error e;
    volino_plain p = {0};
    timing t;
    median_pairs vt = {0}, ee = {0};
    double ours = 1e300, theirs = 1e300, fit = 1e300, refit = 1e300;
    if (!volino_ball(&m, b->folder, &e)) {
        fails(b, &e);
        return;
    }
    weft_detector *d = make_detector(b, &m, 0, NULL);
    bool ok = d && volino_plain_make(&p, &m, weft_detector_edges(d), weft_detector_get_info(d).n_edges);
    for (int i = 0; ok && i < (b->o->quick ? 4 : 15); i++) {
        double r, s = volino_plain_run(&p, &vt, &ee, &r);
        theirs = lesser(theirs, s);
        refit = lesser(refit, r);
        ok = measure(b, d, &m, WEFT_DETECT_CLASSICAL, false, 1, &t);
        ours = lesser(ours, t.fit + t.find);
        fit = lesser(fit, t.fit);
    }
    if (ok) {
        printf(
            "\nCloth on a ball, two frames, classical, ms. The tree beside it is split at medians, one tree a kind of "
            "primitive.\n\n%12s | %9s %9s | %16s %16s\n",
            "", "refit", "all", "vertex-triangle", "edge-edge");
        printf("%12s | %9.2f %9.2f | %16lld %16lld\n%12s | %9.2f %9.2f | %16lld %16lld\n", "plain tree", 1e3 * refit,
               1e3 * theirs, (long long)vt.n, (long long)ee.n, "ours", 1e3 * fit, 1e3 * ours,
               (long long)t.found.n_vertex_triangle, (long long)t.found.n_edge_edge);
        promise(b, t.found.n_vertex_triangle == VERTEX_TRIANGLE && t.found.n_edge_edge == EDGE_EDGE,
                "exactly 1,655,541 and 5,197,332 pairs");
        printf("  %.1f times faster\n", theirs / ours);
        promise(b, theirs >= 2 * ours, "refit and candidates twice as fast as the plain tree");
        with_tests(b, d, &m, theirs, &vt, &ee);
    }
    free(vt.pairs);
    free(ee.pairs);
    volino_plain_free(&p);
    weft_detector_destroy(d);
    volino_free(&m);
}

/* ---- against the memory ------------------------------------------------------------------------------------------ */

/* Bytes read and written in a second by copying a block that no cache holds. */
static double copy_speed(void)
{
    enum { SIZE = 128 << 20 };
    char *a = malloc(SIZE), *c = malloc(SIZE);
    double best = 1e300;
    if (a && c) {
        memset(a, 1, SIZE);
        memset(c, 2, SIZE);
        for (int i = 0; i < 7; i++) {
            double start = volino_seconds();
            memcpy(i % 2 ? a : c, i % 2 ? c : a, SIZE);
            best = lesser(best, volino_seconds() - start);
        }
    }
    free(a);
    free(c);
    return 2.0 * SIZE / best;
}

static void memory_row(bench *b, const char *name, const volino_mesh *m, bool counts)
{
    timing t;
    weft_detector *d = make_detector(b, m, 0, NULL);
    if (d && measure(b, d, m, WEFT_DETECT_PROVEN, false, b->o->quick ? 5 : 15, &t)) {
        double copy = copy_speed(), speed = (double)t.info.fit_bytes / t.fit;
        printf("%-14s %9d | %8.2f %8.1f | %8.1f %8.0f %% | %10.4f %8.2f %%\n", name, m->n_triangles, 1e3 * t.fit,
               1e-9 * speed, 1e-9 * copy, 100 * speed / copy, 1e3 * t.find, 100 * t.find / t.fit);
        fflush(stdout);
        if (counts) {
            promise(b, speed >= 0.5 * copy, "fit at half the speed of a copy");
            promise(b, t.find <= 0.01 * t.fit, "the walk within a hundredth of the fit");
        }
    }
    weft_detector_destroy(d);
}

static void bench_memory(bench *b)
{
    int32_t n = b->o->quick ? 100000 : 1000000;
    volino_mesh m;
    printf("\nSmooth surfaces against the memory.\n\n");
    printf("%-14s %9s | %8s %8s | %8s %10s | %10s %10s\n", "", "triangles", "fit, ms", "GB/s", "copy", "of copy",
           "walk, ms", "of fit");
    if (volino_sheet(&m, n, false)) {
        memory_row(b, "sheet, still", &m, !b->o->quick);
        volino_free(&m);
    }
    if (volino_sheet(&m, n, true)) {
        memory_row(b, "sheet, moving", &m, false);
        volino_free(&m);
    }
    if (volino_sphere(&m, n)) {
        memory_row(b, "sphere, still", &m, false);
        volino_free(&m);
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

typedef struct bench_part {
    const char *name;
    void (*run)(bench *b);
    bool needs_files;
} bench_part;

static const bench_part parts[] = {
    {"sphere", bench_sphere, false}, {"loop", bench_loop, false},  {"body", bench_body, true},
    {"cost", bench_cost, false},     {"boxes", bench_boxes, true}, {"memory", bench_memory, false},
};
enum { N_PARTS = sizeof parts / sizeof *parts };

static const char ball[] = "ccd/cloth_ball92.ply"; /* in the folder of data */

int bench_volino(const bench_options *o)
{
    bench b = {.o = o, .folder = bench_has_data(o, ball) ? o->data : NULL};
    bool any = false;
    for (int i = 0; i < N_PARTS && !b.failed; i++) {
        if (o->only && strcmp(o->only, parts[i].name) != 0)
            continue;
        any = true;
        if (parts[i].needs_files && !b.folder)
            bench_left_out(o, parts[i].name, ball);
        else
            parts[i].run(&b);
    }
    if (!any)
        return say_wrong("--only %s: there are sphere, loop, body, cost, boxes, memory", o->only);
    return b.failed ? EXIT_WRONG : b.missed ? 1 : EXIT_FINE;
}
