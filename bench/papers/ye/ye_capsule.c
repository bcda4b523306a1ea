/* SPDX-License-Identifier: MIT */
/* Measures the untangling of a sheet on a capsule (ye2012 §4, figure 7): ours, beside the paper's chords alone, and
 * beside sending every vertex that is inside to the nearest place of the surface. Then single triangles that the
 * surface cuts at 2, 4 and 6 points of their edges, and one that it cuts at none. */
#include "say.h"
#include "ye.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 41, MOST = 600 };
#define THICKNESS 1e-3

/* Lies along x. */
static weft_collider_def capsule_at(weft_vec3 at, double radius, double height)
{
    weft_collider_def c = weft_collider_def_default();
    c.kind = WEFT_COLLIDER_CAPSULE;
    c.radius = radius;
    c.height = height;
    c.position = at;
    c.rotation = (weft_quat){0, 0, sqrt(0.5), sqrt(0.5)};
    return c;
}

/* ---- projection ------------------------------------------------------------------------------------------------- */

/* To the surface and a little beyond; false: it is not inside. */
static bool project(weft_vec3 *x, const weft_collider_def *c)
{
    double along = fmax(-0.5 * c->height, fmin(0.5 * c->height, x->x - c->position.x)), reach = c->radius + THICKNESS;
    weft_vec3 foot = {c->position.x + along, c->position.y, c->position.z};
    weft_vec3 d = {x->x - foot.x, x->y - foot.y, x->z - foot.z};
    double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    if (length >= reach)
        return false;
    if (!(length > 0))
        d = (weft_vec3){0, 1, 0}, length = 1;
    double f = 1.001 * reach / length;
    *x = (weft_vec3){foot.x + f * d.x, foot.y + f * d.y, foot.z + f * d.z};
    return true;
}

/* Pinned vertices stay. One round does it: what is sent to the surface is not inside any more. */
static int project_all(heap *h, const weft_collider_def *c, const double *masses)
{
    int n = 0;
    for (bool any = true; any && n < MOST; n += any) {
        any = false;
        for (int32_t i = 0; i < h->n_nodes; i++)
            if (masses[i] > 0 && project(&h->x[i], c))
                any = true;
    }
    return n;
}

/* ---- figures of merit ------------------------------------------------------------------------------------------- */

static double apart(weft_vec3 a, weft_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* The most that an edge is longer than it was, as a factor. */
static double most_stretched(const heap *h, const weft_vec3 *before)
{
    double most = 0;
    for (int32_t i = 0; i < 3 * h->n_triangles; i++) {
        int32_t a = h->triangles[i], b = h->triangles[i % 3 == 2 ? i - 2 : i + 1];
        most = fmax(most, apart(h->x[a], h->x[b]) / apart(before[a], before[b]));
    }
    return most;
}

static void print_line(const char *name, const char *paper, const weft_untangle_report *r, int steps, const heap *h,
                       const weft_vec3 *before)
{
    double most = 0, sum = 0;
    for (int32_t i = 0; i < h->n_nodes; i++) {
        double way = apart(h->x[i], before[i]);
        most = fmax(most, way);
        sum += way / h->n_nodes;
    }
    printf("%-26s %-30s %6lld %6lld %6d %7.1f %7.1f %8.2f\n", name, paper, (long long)r->inside_before,
           (long long)r->inside_after + r->pairs_after, steps, 1e3 * sum, 1e3 * most, most_stretched(h, before));
}

/* ---- the sheet -------------------------------------------------------------------------------------------------- */

typedef struct way_out {
    const char *name, *paper;
    bool alone, projected, cloth;
} way_out;

static bool solve(const way_out *way, weft_vec3 corner, weft_vec3 along, const bench_options *o, weft_vec3 **out,
                  heap *h, weft_untangle_report *r)
{
    weft_collider_def c = capsule_at((weft_vec3){0.5, -0.06, 0.5}, 0.12, 0.3);
    weft_error e;
    double *masses = calloc((size_t)SIDE * SIDE, sizeof *masses);
    bool good = masses && heap_sheet(h, corner, along, (weft_vec3){1, 0, 0}, SIDE, SIDE);
    weft_vec3 *before = good ? malloc((size_t)h->n_nodes * sizeof *before) : NULL;
    good = good && before;
    for (int i = 0; good && i < SIDE * SIDE; i++)
        masses[i] = i == 0 || i == SIDE - 1 ? 0 : 1e-3;
    if (good) {
        memcpy(before, h->x, (size_t)h->n_nodes * sizeof *before);
        weft_untangle_def d = heap_def(h, o);
        d.masses = masses;
        d.colliders = &c;
        d.n_colliders = 1;
        d.thickness = THICKNESS;
        d.fixed_strategy = way->alone;
        d.method = way->cloth ? WEFT_UNTANGLE_CLOTH : WEFT_UNTANGLE_CONTOURS;
        d.max_iterations = MOST;
        weft_untangle_report judged;
        weft_vec3 *x = malloc((size_t)h->n_nodes * sizeof *x);
        int rounds = way->projected ? 0 : -1;
        good = x && weft_untangle(&d, way->projected ? x : h->x, r, &e) >= 0;
        if (good && way->projected) {
            rounds = project_all(h, &c, masses);
            d.max_iterations = 1;
            good = weft_untangle(&d, x, &judged, &e) >= 0; /* judges what is left */
            r->inside_after = judged.inside_before;
            r->pairs_after = judged.pairs_before;
        }
        if (good)
            print_line(way->name, way->paper, r, rounds < 0 ? r->n_iterations : rounds, h, before);
        free(x);
    }
    free(masses);
    *out = before;
    return good;
}

static bool bench_sheet(const char *name, weft_vec3 corner, weft_vec3 along, const char *picture,
                        const bench_options *o)
{
    static const way_out ways[] = {{"  ours", "fig. 7: solved", .alone = false},
                                   {"  chords alone", "-", .alone = true},
                                   {"  projection", "-", .projected = true},
                                   {"  ours, as cloth", "-", .cloth = true}};
    enum { N_WAYS = sizeof ways / sizeof *ways };
    heap h[N_WAYS] = {{0}};
    weft_vec3 *before[N_WAYS] = {NULL};
    weft_untangle_report r[N_WAYS];
    bool good = true;
    printf("%s\n", name);
    for (int i = 0; i < N_WAYS && good; i++)
        good = solve(&ways[i], corner, along, o, &before[i], &h[i], &r[i]);
    if (good && o->folder) {
        const weft_vec3 *states[] = {before[0], h[0].x, h[1].x, h[2].x, h[3].x};
        const char *captions[] = {"before", "ours", "chords alone", "projection", "ours, as cloth"};
        good = heap_picture(&h[0], states, captions, 5, (weft_vec3){0.5, 0.6, 1}, o, picture);
    }
    good = good && r[0].inside_after == 0 && r[0].pairs_after == 0 && r[3].inside_after == 0 && r[3].pairs_after == 0;
    for (int i = 0; i < N_WAYS; i++) {
        free(before[i]);
        heap_free(&h[i]);
    }
    return good;
}

/* ---- single triangles ------------------------------------------------------------------------------------------- */

/* The same triangle each time; the capsule is put where its surface cuts the edges as often as wanted: at a corner,
 * over two edges, over all three; and so that only the middle of the triangle dips into it. */
static bool bench_hits(const bench_options *o)
{
    static const struct {
        const char *name;
        weft_vec3 at;
        double radius;
        int64_t n_cut[3];
    } cases[] = {{"cut at 2 points", {0, -0.02, 0}, 0.2, {1, 0, 0}},
                 {"cut at 4 points", {0.26, -0.02, 0.15}, 0.2, {0, 1, 0}},
                 {"cut at 6 points", {0.5, -0.02, 0.29}, 0.32, {0, 0, 1}},
                 {"cut at none", {0.5, -0.2, 0.29}, 0.25, {0, 0, 0}}};
    bool good = true;
    for (int i = 0; i < 4; i++) {
        heap h = {0};
        weft_untangle_report r;
        weft_collider_def c = capsule_at(cases[i].at, cases[i].radius, 0.02);
        bool made = heap_grow(&h, 3, 1);
        if (made) {
            h.x[0] = (weft_vec3){0, 0, 0};
            h.x[1] = (weft_vec3){1, 0, 0};
            h.x[2] = (weft_vec3){0.5, 0, 0.8660254037844386};
            h.n_nodes = 3;
            heap_triangle(&h, 0, 1, 2);
            h.n_objects = 1;
            weft_untangle_def d = heap_def(&h, o);
            d.colliders = &c;
            d.n_colliders = 1;
            d.thickness = THICKNESS;
            made = heap_solve(&h, &d, cases[i].name, "-", &r);
        }
        good = good && made && memcmp(r.n_cut, cases[i].n_cut, sizeof r.n_cut) == 0 && r.inside_before == 1 &&
               r.inside_after == 0;
        if (made)
            printf("  at 2, 4, 6 points: %d, %d, %d\n", (int)r.n_cut[0], (int)r.n_cut[1], (int)r.n_cut[2]);
        heap_free(&h);
    }
    return good;
}

bool ye_capsule(const bench_options *o)
{
    bool good = bench_hits(o);
    printf("%-26s %-30s %6s %6s %6s %7s %7s %8s\n", "41 x 41 on a capsule", "the paper", "inside", "after", "steps",
           "mean mm", "most mm", "stretch");
    good = bench_sheet("6 cm over its axis", (weft_vec3){0, 0, 0}, (weft_vec3){0, 0, 1}, "capsule_over.png", o) && good;
    return bench_sheet("slanted, through its axis", (weft_vec3){0, -0.14, 0.01}, (weft_vec3){0, 0.16, 1},
                       "capsule_through.png", o) &&
           good;
}
