/* SPDX-License-Identifier: MIT */
/* Measures what untangling does to cloth: random tangles (tangle_cases.h) are repaired, and judged by what is left of
 * the cloth as well as by whether it is clean (repair_measure.h). A row a case, then a row a kind: how many of all are
 * repaired, clean, in shape and moved little; quartiles of the processor's time and of area. With -o, pictures of what
 * failed and of the first of each kind. Of what has a known original: how far the input was from it, and how near cloth
 * of that shape can be (repair_reference.c; not with --quick). */
#include "bench_table.h"
#include "repair_measure.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEEDS = 1000 };

static const bench_column columns[] = {{"kind", "kind", -9},
                                       {"seed", "seed", 5},
                                       {"nodes", "nodes", 6},
                                       {"pairs", "pairs_before", 6},
                                       {"lines", "contours_before", 6},
                                       {"left", "pairs_after", 5},
                                       {"float", "pairs_float", 5},
                                       {"area", "area", 6},
                                       {"least", "edge_least", 6},
                                       {"5 %", "edge_5", 6},
                                       {"95 %", "edge_95", 6},
                                       {"most", "edge_most", 6},
                                       {"angles", "angles", 6},
                                       {"mm", "moved_mm", 6},
                                       {"of mm", "bound_mm", 6},
                                       {"was", "input_off_mm", 5},
                                       {"off mm", "original_mm", 6},
                                       {"best", "reference_mm", 5},
                                       {"far mm", "far_mm", 6},
                                       {"steps", "steps", 6},
                                       {"s", "cpu_s", 7},
                                       {"", "verdict", -8}};

typedef struct tally {
    int n, repaired, clean, shaped, near_by, original;
    double seconds[MOST_SEEDS], area[MOST_SEEDS];
} tally;

static const char *verdict_of(const repair_measure *m, const weft_untangle_report *r)
{
    return r->verdict == WEFT_UNTANGLE_NOT_REPAIRABLE ? "hopeless"
           : !m->clean                                ? "tangled"
           : !m->shaped                               ? "shape"
           : !m->near_by                              ? "far"
           : !m->round                                ? "limb"
           : !m->original_again                       ? "off"
                                                      : "repaired";
}

static void add_row(bool quick, bench_table *t, tangle_kind kind, int seed, const tangle_case *c, int64_t pairs,
                    int32_t contours, const repair_measure *m, const weft_untangle_report *r, double seconds)
{
    table_text(t, tangle_kind_names[kind]);
    table_count(t, seed);
    table_count(t, c->h.n_nodes);
    table_count(t, pairs);
    table_count(t, contours);
    table_count(t, m->pairs);
    table_count(t, m->pairs_single);
    table_number(t, 3, m->area);
    for (int i = 0; i < 4; i++)
        table_number(t, 3, m->edge[i]);
    table_number(t, 3, m->bent);
    table_number(t, 1, 1e3 * m->moved);
    table_number(t, 1, 1e3 * m->bound);
    table_number(t, 1, 1e3 * m->input);
    table_number(t, 1, 1e3 * m->original);
    table_number(t, 1, quick ? (double)NAN : 1e3 * repair_reference(c));
    table_number(t, 1, 1e3 * m->far_moved);
    table_count(t, r->n_iterations);
    table_number(t, 2, seconds);
    table_text(t, verdict_of(m, r));
}

/* Of what cannot be repaired, "not repairable" is right, if nothing has moved. */
static void add_to_tally(tally *a, tangle_kind kind, const repair_measure *m, const weft_untangle_report *r,
                         double seconds)
{
    a->seconds[a->n] = seconds;
    a->area[a->n++] = m->area;
    a->clean += m->clean;
    a->shaped += m->shaped;
    a->near_by += m->near_by;
    a->original += m->original_again;
    a->repaired += kind == TANGLE_HOPELESS ? r->verdict == WEFT_UNTANGLE_NOT_REPAIRABLE && m->moved == 0
                                           : m->clean && m->shaped && m->near_by && m->original_again;
}

static void take_picture(const bench_options *o, tangle_kind kind, int seed, const tangle_case *c, const weft_vec3 *x)
{
    const weft_vec3 *states[] = {c->h.x, x};
    const char *captions[] = {"before", "after"};
    char name[64];
    snprintf(name, sizeof name, "%s_%d.png", tangle_kind_names[kind], seed);
    heap_picture(&c->h, states, captions, 2, (weft_vec3){-0.5, -0.6, -0.8}, o, name);
}

static bool repair_case(const bench_options *o, bench_table *t, tangle_kind kind, int seed, bool first, tally *sum)
{
    tangle_case c;
    weft_error error = {0};
    weft_untangle_report r = {0};
    repair_measure m = {0};
    int32_t contours = 0;
    bool good = tangle_case_make(&c, kind, (uint64_t)seed);
    weft_vec3 *x = good ? malloc((size_t)c.h.n_nodes * sizeof *x) : NULL;
    good = good && x;
    if (good) {
        int64_t pairs = repair_pairs(&c, c.h.x, &contours);
        weft_untangle_def d = tangle_case_def(&c, o);
        double start = bench_cpu();
        good = weft_untangle(&d, x, &r, &error) >= 0;
        double seconds = bench_cpu() - start;
        if (!good)
            say_wrong("%s %d: %s", tangle_kind_names[kind], seed, error.text);
        good = good && repair_measure_take(&m, &c, x);
        if (good) {
            add_row(o->quick, t, kind, seed, &c, pairs, contours, &m, &r, seconds);
            add_to_tally(sum, kind, &m, &r, seconds);
            if (o->folder && (first || !m.clean || !m.shaped || !m.near_by || !m.original_again))
                take_picture(o, kind, seed, &c, x);
        }
        fflush(stdout);
    }
    free(x);
    tangle_case_free(&c);
    return good;
}

static int by_size(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static void print_tally(tangle_kind kind, tally *a)
{
    qsort(a->seconds, (size_t)a->n, sizeof *a->seconds, by_size);
    qsort(a->area, (size_t)a->n, sizeof *a->area, by_size);
    printf("%-9s %3d of %3d as they should be; clean %3d, in shape %3d, moved little %3d, as before it %3d; s: median "
           "%.2f, 90 %% %.2f, "
           "most "
           "%.2f; area: least %.3f, median %.3f, most %.3f\n",
           tangle_kind_names[kind], a->repaired, a->n, a->clean, a->shaped, a->near_by, a->original,
           a->seconds[a->n / 2], a->seconds[a->n - 1 - a->n / 10], a->seconds[a->n - 1], a->area[0], a->area[a->n / 2],
           a->area[a->n - 1]);
}

bool repair_seeds(const bench_options *o, int *from, int *to)
{
    *from = 1;
    *to = o->quick ? 3 : 20;
    if (o->n_files == 0)
        return true;
    char *end;
    *from = *to = (int)strtol(o->files[0], &end, 10);
    if (strncmp(end, "..", 2) == 0)
        *to = (int)strtol(end + 2, &end, 10);
    if (*end == 0 && *from >= 0 && *to >= *from && *to - *from < MOST_SEEDS && o->n_files == 1)
        return true;
    say_wrong("seeds are 7 or 1..200, %d at most, not '%s'", MOST_SEEDS, o->files[0]);
    return false;
}

int bench_repair(const bench_options *options)
{
    bench_options o = *options;
    int from, to, repaired = 0, all = 0;
    o.n_threads = o.n_threads > 0 ? o.n_threads : 1;
    if (!repair_seeds(&o, &from, &to))
        return EXIT_WRONG;
    tally *sums = calloc(TANGLE_KINDS, sizeof *sums);
    bench_table t;
    bool good = sums != NULL, any = false;
    table_begin(&t, columns, sizeof columns / sizeof *columns);
    for (int kind = 0; kind < TANGLE_KINDS && good; kind++)
        for (int seed = from; seed <= to && good; seed++)
            if (!o.only || strcmp(o.only, tangle_kind_names[kind]) == 0) {
                good = repair_case(&o, &t, (tangle_kind)kind, seed, seed == from, &sums[kind]);
                any = true;
            }
    int code = table_end(&t, &o, "repair");
    puts("");
    for (int kind = 0; kind < TANGLE_KINDS && good; kind++)
        if (sums[kind].n > 0) {
            print_tally((tangle_kind)kind, &sums[kind]);
            repaired += sums[kind].repaired;
            all += sums[kind].n;
        }
    free(sums);
    if (good && !any)
        return say_wrong("there is no kind of tangle named '%s'", o.only);
    return !good ? EXIT_WRONG : code != EXIT_FINE ? code : repaired == all ? EXIT_FINE : EXIT_NO;
}
