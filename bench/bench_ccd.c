/* SPDX-License-Identifier: MIT */
/* Measures the kernel of continuous collision detection: misses, false alarms and time, on files of queries with known
 * answers, and on the box candidates between two frames of a mesh. Beside it: plain bisection with inclusion functions
 * (inclusion.h), on the same queries in the same run.
 *
 * A file of queries has records of 200 bytes, little-endian: 24 doubles, then a 64-bit integer that is 1 if the
 * primitives meet. The doubles are the x, y, z of the four corners at the start, then at the end (weft/ccd.h has
 * their order). */
#include "bench.h"
#include "inclusion.h"
#include "ccd_pairs.h"
#include "disk.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    RECORD = 200,
    QUICK_STEP = 64,
    MANY = 10000 /* candidates, for their mean time to be a promise */
};
static const double tolerance = 1e-6;     /* m, of the inclusion boxes: as others publish it */
static const double promised_us = 0.5;    /* a candidate between frames, hits included */
static const double promised_faster = 10; /* than plain inclusion, there */

/* Queries one after another, wherever they come from. */
typedef struct queries {
    bool edges, known; /* known: whether they meet */
    int64_t n;
    const unsigned char *records;
    const ccd_frames *frames;
    const ccd_pair *pairs;
} queries;

/* What is printed, and the same for a file. */
typedef struct table {
    const bench_options *o;
    page csv;
} table;

typedef struct outcome {
    int64_t n, hits, truth, misses, alarms;
    double us; /* a query */
} outcome;

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static double read_double(const unsigned char *p)
{
    uint64_t bits = 0;
    double x;
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)p[i] << 8 * i;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns whether they are known to meet. */
static bool take_query(const queries *q, int64_t i, weft_vec3 x0[4], weft_vec3 x1[4])
{
    if (q->pairs) {
        ccd_pairs_corners(q->frames, q->edges, q->pairs[i], x0, x1);
        return false;
    }
    const unsigned char *p = q->records + RECORD * i;
    for (int k = 0; k < 8; k++, p += 24)
        *(k < 4 ? &x0[k] : &x1[k - 4]) = (weft_vec3){read_double(p), read_double(p + 8), read_double(p + 16)};
    return p[0] == 1;
}

/* Answers all queries, or each step-th, often enough to be timed. */
static outcome run_queries(const queries *q, bool plain, int64_t step)
{
    outcome o = {0};
    double start = cpu_seconds();
    int rounds = 0;
    do {
        o = (outcome){0};
        for (int64_t i = 0; i < q->n; i += step) {
            weft_vec3 x0[4], x1[4];
            weft_ccd_hit hit;
            double time;
            bool truth = take_query(q, i, x0, x1);
            bool answer = plain      ? inclusion_meet(q->edges, x0, x1, tolerance, &time)
                          : q->edges ? weft_ccd_edge_edge(x0, x1, 0, &hit)
                                     : weft_ccd_vertex_triangle(x0, x1, 0, &hit);
            o.n++;
            o.hits += answer;
            o.truth += truth;
            o.misses += truth && !answer;
            o.alarms += answer && !truth;
        }
        rounds++;
    } while (o.n > 0 && cpu_seconds() - start < 0.2);
    o.us = o.n > 0 ? 1e6 * (cpu_seconds() - start) / (double)(rounds * o.n) : 0;
    return o;
}

static void print_head(void)
{
    printf("%-34s %-10s %10s %10s %8s %8s %8s %10s\n", "queries", "method", "number", "hits", "meet", "misses", "false",
           "us/query");
}

static void print_row(table *t, const char *name, const char *method, const queries *q, const outcome *o)
{
    page_add(&t->csv, "%s,%s,%lld,%lld,", name, method, (long long)o->n, (long long)o->hits);
    if (q->known)
        page_add(&t->csv, "%lld,%lld,%lld,", (long long)o->truth, (long long)o->misses, (long long)o->alarms);
    page_add(&t->csv, "%s%.4f\n", q->known ? "" : ",,,", o->us);
    printf("%-34s %-10s %10lld %10lld ", name, method, (long long)o->n, (long long)o->hits);
    if (q->known)
        printf("%8lld %8lld %8lld ", (long long)o->truth, (long long)o->misses, (long long)o->alarms);
    else
        printf("%8s %8s %8s ", "", "", "");
    printf("%10.3f\n", o->us);
    fflush(stdout);
}

/* True if all that is promised is so. */
static bool compare(table *t, const char *name, const queries *q)
{
    outcome ours = run_queries(q, false, 1);
    print_row(t, name, "weft", q, &ours);
    outcome plain = run_queries(q, true, t->o->quick && !q->known ? QUICK_STEP : 1);
    print_row(t, name, "inclusion", q, &plain);
    if (q->known || ours.n == 0)
        return ours.misses == 0;
    bool fine = ours.n < MANY || (ours.us <= promised_us && plain.us >= promised_faster * ours.us);
    printf("%-34s %.1f times faster than inclusion%s\n", name, plain.us / ours.us,
           fine ? "" : "   <- at most 0.5 us and at least 10 times are promised");
    return fine;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* 1: vertex and triangle, 2: edges, 0: neither can be told. */
static int kind_of(const bench_options *o, const char *path)
{
    const char *name = last_part(path);
    bool vf = strstr(name, "vf") != NULL, ee = strstr(name, "ee") != NULL;
    return o->ccd_kind != 0 ? o->ccd_kind : vf == ee ? 0 : vf ? 1 : 2;
}

/* The first record that is none: a number that is not finite, an answer that is neither 0 nor 1; −1: all are fine. */
static int64_t wrong_record(const unsigned char *records, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const unsigned char *p = records + RECORD * i, *answer = p + 192;
        bool fine = answer[0] <= 1;
        for (int k = 1; k < 8; k++)
            fine = fine && answer[k] == 0;
        for (int k = 0; k < 24; k++)
            fine = fine && isfinite(read_double(p + 8 * k));
        if (!fine)
            return i;
    }
    return -1;
}

static int bench_file(table *t, const char *path)
{
    weft_error e;
    page bytes = {0};
    int kind = kind_of(t->o, path);
    if (kind == 0)
        return say_wrong("%s: neither 'vf' nor 'ee' in its name: say --kind vf or --kind ee", path);
    if (disk_read(path, &bytes, &e) < 0)
        return say_wrong("%s", e.text);
    queries q = {.edges = kind == 2,
                 .known = true,
                 .n = (int64_t)(bytes.n / RECORD),
                 .records = (const unsigned char *)bytes.bytes};
    int code;
    if (bytes.n % RECORD != 0 || bytes.n == 0)
        code = say_wrong("%s: %zu bytes are no whole number of records of %d bytes", path, bytes.n, RECORD);
    else if (wrong_record(q.records, q.n) >= 0)
        code = say_wrong("%s: record %lld, counted from 0, is not 24 finite numbers and a 0 or 1", path,
                         (long long)wrong_record(q.records, q.n));
    else
        code = compare(t, last_part(path), &q) ? EXIT_FINE : 1;
    page_free(&bytes);
    return code;
}

static int bench_frames(table *t, const char *before, const char *after)
{
    weft_error e;
    ccd_frames frames;
    if (ccd_frames_read(before, after, &frames, &e) < 0)
        return say_wrong("%s", e.text);
    int code = EXIT_FINE;
    for (int edges = 0; edges < 2 && code != EXIT_WRONG; edges++) {
        ccd_pairs pairs;
        if (t->o->ccd_kind != 0 && t->o->ccd_kind != 1 + edges)
            continue;
        if (!ccd_pairs_find(&frames, edges, &pairs)) {
            code = say_wrong("out of memory");
            break;
        }
        char name[64];
        queries q = {.edges = edges, .n = pairs.n, .frames = &frames, .pairs = pairs.items};
        snprintf(name, sizeof name, "%.24s %s", last_part(after), edges ? "ee" : "vf");
        code = compare(t, name, &q) ? code : 1;
        ccd_pairs_free(&pairs);
    }
    ccd_frames_free(&frames);
    return code;
}

static bool is_mesh(const char *path)
{
    return disk_ending_is(path, "ply") || disk_ending_is(path, "obj") || disk_ending_is(path, "stl");
}

static int write_table(const table *t)
{
    weft_error e;
    if (!t->o->folder)
        return EXIT_FINE;
    char *path = disk_join(t->o->folder, "ccd.csv");
    weft_result r = t->csv.failed ? WEFT_ERROR_MEMORY : disk_make_folder(t->o->folder, &e);
    r = r < 0 ? r : disk_write(path, t->csv.bytes, t->csv.n, true, &e);
    free(path);
    return r >= 0 ? EXIT_FINE : say_wrong("%s", r == WEFT_ERROR_MEMORY ? "out of memory" : e.text);
}

/* Queries file by file, frames two by two. */
static int bench_all(table *t)
{
    const char *before = t->o->ply;
    int worst = EXIT_FINE;
    for (int i = 0; i < t->o->n_files && worst != EXIT_WRONG; i++) {
        const char *path = t->o->files[i];
        if (is_mesh(path) && !before) {
            before = path;
            continue;
        }
        int code = is_mesh(path) ? bench_frames(t, before, path) : bench_file(t, path);
        before = is_mesh(path) ? NULL : before;
        worst = code > worst ? code : worst;
    }
    if (before && worst != EXIT_WRONG)
        return say_wrong("%s: a second mesh has to follow, the frame after it", before);
    return worst;
}

static int bench_with(const bench_options *o)
{
    table t = {.o = o};
    print_head();
    page_add(&t.csv, "queries,method,number,hits,meet,misses,false_alarms,us\n");
    int code = bench_all(&t);
    if (code != EXIT_WRONG && write_table(&t) != EXIT_FINE)
        code = EXIT_WRONG;
    page_free(&t.csv);
    return code;
}

/* On the files that the folder of data has for it. */
static int bench_usual(const bench_options *o)
{
    static const char *const names[] = {"ccd/handcrafted_vf.bin", "ccd/handcrafted_ee.bin", "ccd/cloth_ball92.ply",
                                        "ccd/cloth_ball93.ply"};
    enum { N_NAMES = sizeof names / sizeof *names };
    char *paths[N_NAMES];
    for (int i = 0; i < N_NAMES; i++)
        paths[i] = disk_join(o->data, names[i]);
    bench_options usual = *o;
    usual.files = (const char *const *)paths;
    usual.n_files = N_NAMES;
    int code = bench_with(&usual);
    for (int i = 0; i < N_NAMES; i++)
        free(paths[i]);
    return code;
}

int bench_ccd(const bench_options *o)
{
    if (o->n_files > 0)
        return bench_with(o);
    if (o->data && !o->ply)
        return bench_usual(o);
    return say_wrong("'weft-bench ccd' needs files of queries, or meshes, two by two, or a folder of data: see "
                     "'weft-bench ccd --help'");
}
