/* SPDX-License-Identifier: MIT */
/* Measures ye2012 figure 8, as meshes, beside the sides that the paper shows: three ribbons of which the outer two go
 * through the one in the middle, which so needs a repulsive normal to one side here and to the other there; and two
 * sheets whose bulges form a closed surface. No side is given. Nine of ten vertices that are on the wrong side are to
 * end on the other; a corner may stay beside a border. */
#include "ye.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lower ends of ribbons 0 and 2, a fifth of them, are through ribbon 1, at different heights. */
static bool make_ribbons(heap *h)
{
    return heap_sheet(h, (weft_vec3){-0.2, 0, 0.01}, (weft_vec3){0, 0, 0.1}, (weft_vec3){0.25, -0.5, -0.02}, 9, 49) &&
           heap_sheet(h, (weft_vec3){0, 0, 0}, (weft_vec3){0, 0, 0.1}, (weft_vec3){0, -0.6, 0}, 9, 49) &&
           heap_sheet(h, (weft_vec3){0.2, 0, -0.013}, (weft_vec3){0, 0, 0.1}, (weft_vec3){-0.24, -0.25, 0.03}, 9, 49);
}

/* A level sheet bulges down from 2 cm above, another up from below, each by 4 cm. */
static bool make_bulges(heap *h)
{
    for (int i = 0; i < 2; i++) {
        int32_t first = h->n_nodes;
        double up = i == 0 ? 1 : -1;
        if (!heap_sheet(h, (weft_vec3){-0.25 + 0.013 * i, 0, -0.25 + 0.007 * i}, (weft_vec3){0, 0, 0.5},
                        (weft_vec3){0.5, 0, 0}, 31, 31))
            return false;
        for (int32_t vi = first; vi < h->n_nodes; vi++) {
            weft_vec3 *x = &h->x[vi];
            x->y = up * (0.02 - 0.04 * exp(-(x->x * x->x + x->z * x->z) / 0.01));
        }
    }
    return true;
}

/* Vertices of the outer ribbons that are on the wrong side of the middle one, at their height. */
static int32_t count_wrong_ribbons(const heap *h)
{
    int32_t n = 9 * 49, wrong = 0;
    for (int32_t i = 0; i < 3 * n; i++) {
        double least = HUGE_VAL, x = 0;
        if (i / n == 1)
            continue;
        for (int32_t k = n; k < 2 * n; k++) {
            double dy = h->x[k].y - h->x[i].y, dz = h->x[k].z - h->x[i].z;
            if (dy * dy + dz * dz < least) {
                least = dy * dy + dz * dz;
                x = h->x[k].x;
            }
        }
        wrong += least < 1e-3 && (h->x[i].x > x) == (i < n);
    }
    return wrong;
}

/* Nodes of the two sheets stand nearly above each other. */
static int32_t count_wrong_bulges(const heap *h)
{
    int32_t wrong = 0;
    for (int32_t i = 0; i < 31 * 31; i++)
        wrong += h->x[i].y < h->x[31 * 31 + i].y;
    return wrong;
}

static bool solve(const char *name, const char *picture, weft_vec3 direction, bool (*make)(heap *),
                  int32_t (*count_wrong)(const heap *), const bench_options *o)
{
    heap h = {0};
    weft_untangle_report r;
    bool good = make(&h);
    weft_vec3 *before = good ? malloc((size_t)h.n_nodes * sizeof *before) : NULL;
    good = good && before;
    if (good) {
        memcpy(before, h.x, (size_t)h.n_nodes * sizeof *before);
        int32_t wrong = count_wrong(&h);
        weft_untangle_def d = heap_def(&h, o);
        good = heap_solve(&h, &d, name, "fig. 8: sides to be found", &r);
        int32_t left = count_wrong(&h);
        if (good)
            printf("  %d contours, %d of them closed, %d undecided; vertices on the wrong side: %d, then %d\n",
                   r.contours_before, r.n_closed, r.n_undecided, wrong, left);
        const weft_vec3 *states[2] = {before, h.x};
        const char *captions[2] = {"before", "after"};
        good = good && (!o->folder || heap_picture(&h, states, captions, 2, direction, o, picture)) &&
               r.pairs_after == 0 && r.n_undecided == 0 && 10 * left <= wrong;
    }
    free(before);
    heap_free(&h);
    return good;
}

/* ---- by the equations alone ------------------------------------------------------------------------------------- */

enum { MOST = 150, BY_CLOTH = YE_COLUMNS };

/* The sides that the paper's figure shows: ribbon 0 behind ribbon 1, that behind ribbon 2; the upper sheet above. Ours
 * finds them. */
static weft_untangle_def column_def(const heap *h, int column, bool ribbons, const bench_options *o)
{
    static const weft_untangle_side plain[3] = {WEFT_SIDE_PLAIN, WEFT_SIDE_PLAIN, WEFT_SIDE_PLAIN};
    static const weft_untangle_layer of_ribbons[2] = {{0, 1}, {1, 2}}, of_bulges[1] = {{1, 0}};
    weft_untangle_def d = heap_def(h, o);
    bool sided = column == YE_EQ3 || column == YE_EQ3_MEAN, ours = column >= YE_OURS;
    d.method = column == BY_CLOTH ? WEFT_UNTANGLE_CLOTH : WEFT_UNTANGLE_CONTOURS;
    d.object_side = ours ? NULL : plain;
    d.layers = ribbons ? of_ribbons : of_bulges;
    d.n_layers = sided ? ribbons ? 2 : 1 : 0;
    d.as_published = !ours;
    d.average = column == YE_EQ2_MEAN || column == YE_EQ3_MEAN;
    d.max_iterations = ours ? d.max_iterations : MOST;
    return d;
}

static bool print_columns(const char *name, bool ribbons, bool (*make)(heap *), int32_t (*count_wrong)(const heap *),
                          const bench_options *o)
{
    bool good = true;
    for (int column = 0; column <= BY_CLOTH && good; column++) {
        heap h = {0};
        weft_untangle_report r;
        weft_error e;
        good = make(&h);
        int32_t wrong = good ? count_wrong(&h) : 0;
        weft_untangle_def d = column_def(&h, column, ribbons, o);
        good = good && weft_untangle(&d, h.x, &r, &e) >= 0;
        if (good)
            printf("%-26s %-30s %6lld %6lld %6d %8d %8d\n", name,
                   column == BY_CLOTH ? "ours, as cloth" : ye_column_names[column], (long long)r.pairs_before,
                   (long long)r.pairs_after, r.n_iterations, wrong, count_wrong(&h));
        heap_free(&h);
    }
    return good;
}

static bool equations_alone(const bench_options *o)
{
    printf("%-26s %-30s %6s %6s %6s %8s %8s\n", "figure 8", "by", "pairs", "after", "steps", "wrong", "after");
    return print_columns("three ribbons", true, make_ribbons, count_wrong_ribbons, o) &&
           print_columns("bulges", false, make_bulges, count_wrong_bulges, o);
}

bool ye_ribbons(const bench_options *o)
{
    bool good = solve("three ribbons", "ribbons.png", (weft_vec3){0.3, 0.15, 1}, make_ribbons, count_wrong_ribbons, o);
    return solve("bulges, a closed contour", "bulges.png", (weft_vec3){0.4, 0.12, 1}, make_bulges, count_wrong_bulges,
                 o) &&
           equations_alone(o) && good;
}
