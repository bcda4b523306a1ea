/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow timeout=300 */
/* Sheets that wander under prevention by random fields of displacement until they are crumpled, a step after the other;
 * after each one all pairs of triangles are looked at by exact predicates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "contact/prevent_kit.h"
#include "math/grid.h"

#include <cmocka.h>

/* A smooth field: a few waves of random direction, length and phase. */
typedef struct field {
    vec3 wave[4], by[4];
    double phase[4];
    double squeeze; /* towards the middle, of the distance from it */
    double noise;   /* of every node by itself, m */
} field;

static field random_field(prevent_kit *k, double size)
{
    field f = {.squeeze = 0.08 * kit_random_unit(&k->random) + 0.05, .noise = 0};
    for (int i = 0; i < 4; i++) {
        f.wave[i] = prevent_kit_random(k, 60);
        f.by[i] = prevent_kit_random(k, size);
        f.phase[i] = 3 * kit_random_unit(&k->random);
    }
    if (kit_random_below(&k->random, 3) == 0)
        f.noise = 0.5 * size;
    return f;
}

/* sin without the library's: any smooth wave does. */
static double wave(double a)
{
    a = a / 6 - floor(a / 6);
    return a < 0.5 ? 1 - 16 * (a - 0.25) * (a - 0.25) : 16 * (a - 0.75) * (a - 0.75) - 1;
}

static void propose(prevent_kit *k, const field *f)
{
    for (int32_t i = 0; i < k->w.n_dofs; i++) {
        if (k->rows[i].dof[0] != i || k->filters[i].kind != FREEDOM_ALL)
            continue;
        vec3 d = v3_scale(-f->squeeze, v3_sub(k->x0[i], v3(0.1, 0.1, 0.03)));
        for (int w = 0; w < 4; w++)
            d = v3_madd(d, wave(v3_dot(f->wave[w], k->x0[i]) + f->phase[w]), f->by[w]);
        d = v3_add(d, prevent_kit_random(k, f->noise));
        prevent_kit_move(k, i, i + 1, d);
    }
}

typedef struct tally {
    int32_t steps, ends[8], rigid, failsafes, with_zones, bad;
    int64_t hits;
    double least;
} tally;

static void count(tally *t, const prevent_kit *k, prevent_end end)
{
    t->steps++;
    t->ends[end]++;
    t->rigid += k->stats.rigid > 0;
    t->failsafes += k->stats.failsafes > 0;
    t->with_zones += k->stats.zones > 0;
    t->hits += k->stats.hits;
    t->least = min_of(t->least, k->stats.smallest_gap);
}

static void report(const char *name, const tally *t)
{
    print_message("%-24s %4d steps, %7lld hits; zones in %3d, rigid in %3d, fail-safe in %3d; cut %d, squeezed %d, "
                  "intersect %d; least gap %.2g m\n",
                  name, t->steps, (long long)t->hits, t->with_zones, t->rigid, t->failsafes, t->ends[PREVENT_CUT],
                  t->ends[PREVENT_SQUEEZED], t->bad, t->least);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

typedef struct scene {
    const char *name;
    void (*build)(prevent_kit *k);
    void (*friction_ratio)(prevent_kit *k, int step); /* moves what is held; may be NULL */
    prevent_response response;
    double radius; /* times the usual one */
    bool may_squeeze;
} scene;

static void three_sheets(prevent_kit *k)
{
    for (int32_t i = 0; i < 3; i++)
        prevent_kit_sheet(k, 10, 10, v3(0.01 * i, 0, 0.02 * i), v3(0.2, 0.01 * i, 0), v3(0, 0.2, 0));
}

static void sheets_that_touch_almost(prevent_kit *k)
{
    for (int32_t i = 0; i < 3; i++)
        prevent_kit_sheet(k, 10, 10, v3(0.01 * i, 0, 1e-7 * i * i), v3(0.2, 0.01 * i, 0), v3(0, 0.2, 0));
}

/* By four cells of the grid of positions. */
static void sheets_on_the_grid(prevent_kit *k)
{
    for (int32_t i = 0; i < 3; i++)
        prevent_kit_sheet(k, 10, 10, v3(0.01 * i, 0, 0x1p-30 * i), v3(0.2, 0.01 * i, 0), v3(0, 0.2, 0));
}

static void mixed_sheets(prevent_kit *k)
{
    for (int32_t i = 0; i < 3; i++)
        prevent_kit_mixed_sheet(k, 13, 9, v3(0.01 * i, 0, 0.02 * i), v3(0.2, 0.01 * i, 0), v3(0, 0.2, 0));
}

static void pinned_sheets(prevent_kit *k)
{
    static const vec3 axis = {0.6, 0, 0.8};
    three_sheets(k);
    for (int32_t i = 0; i < k->w.n_nodes; i += 7)
        k->filters[i].kind = FREEDOM_NONE;
    for (int32_t i = 3; i < k->w.n_nodes; i += 50)
        k->filters[i] = (filter){FREEDOM_LINE, &axis};
}

static void sheets_held_by_two_ends(prevent_kit *k)
{
    three_sheets(k);
    for (int32_t i = 0; i < k->w.n_nodes; i++)
        if (i % 10 == 0 || i % 10 == 9)
            k->filters[i].kind = FREEDOM_NONE;
}

/* The ends shear past each other, slowly and as one. */
static void shift_ends(prevent_kit *k, int step)
{
    (void)step;
    for (int32_t i = 0; i < k->w.n_nodes; i++)
        if (k->filters[i].kind == FREEDOM_NONE)
            prevent_kit_move(k, i, i + 1, v3(i % 10 == 0 ? 0.002 : -0.002, 0, 0));
}

static void sheets_and_boxes(prevent_kit *k)
{
    three_sheets(k);
    prevent_kit_colliders(k);
    prevent_kit_box(k, v3(0.08, 0.08, -0.2), v3(0.05, 0.05, 0.18));
    prevent_kit_box(k, v3(0, 0.16, 0.07), v3(0.03, 0.03, 0.03));
}

static void boxes_stand(prevent_kit *k, int step)
{
    (void)step;
    prevent_kit_move(k, k->w.n_dofs, k->w.n_nodes, v3_zero());
}

/* One bores upward through all of them, turning a little; the other comes from above and goes back. */
static void boxes_move(prevent_kit *k, int step)
{
    int32_t first = k->w.n_dofs;
    prevent_kit_move(k, first + 8, first + 16, v3(0, 0, step < 10 ? -0.01 : 0.015));
    for (int32_t i = first; i < first + 8; i++) {
        vec3 r = v3_sub(k->x0[i], k->x0[first]);
        vec3 d = v3_add(v3(0, 0, 0.015), v3_cross(v3(0, 0.01, 0.02), r));
        k->x1[i] = grid_snap(v3_add(k->x0[i], d), 0);
    }
    for (int32_t i = first + 8; i < first + 16; i++)
        k->x1[i] = grid_snap(k->x1[i], 0);
}

static const scene scenes[] = {
    {"three sheets", three_sheets, NULL, PREVENT_WEFT, 1, false},
    {"three sheets, no radius", three_sheets, NULL, PREVENT_WEFT, 0, false},
    {"sheets 0.1 um apart", sheets_that_touch_almost, NULL, PREVENT_WEFT, 1, false},
    {"sheets 1 nm apart", sheets_on_the_grid, NULL, PREVENT_WEFT, 1, false},
    {"nodes that hang", mixed_sheets, NULL, PREVENT_WEFT, 1, false},
    {"pinned nodes", pinned_sheets, NULL, PREVENT_WEFT, 1, false},
    {"ends that move", sheets_held_by_two_ends, shift_ends, PREVENT_WEFT, 1, false},
    {"boxes at rest", sheets_and_boxes, boxes_stand, PREVENT_WEFT, 1, false},
    {"boxes that move", sheets_and_boxes, boxes_move, PREVENT_WEFT, 1, false},
    {"Provot's response", three_sheets, NULL, PREVENT_PROVOT, 1, false},
    {"Provot's, hang", mixed_sheets, NULL, PREVENT_PROVOT, 1, false},
    {"Provot's, pinned", pinned_sheets, NULL, PREVENT_PROVOT, 1, false},
    {"Provot's, boxes", sheets_and_boxes, boxes_move, PREVENT_PROVOT, 1, true},
};

static void wander(prevent_kit *k, const scene *sc, int steps, double size, tally *t)
{
    for (int s = 0; s < steps; s++) {
        field f = random_field(k, size);
        propose(k, &f);
        if (sc->friction_ratio)
            sc->friction_ratio(k, s);
        prevent_end end = prevent_kit_run(k);
        count(t, k, end);
        if (end == PREVENT_SQUEEZED)
            return; /* the rest is for untangling */
        assert_true(end == PREVENT_FREE || end == PREVENT_CUT);
        t->bad += prevent_kit_intersections(k, k->x1) > 0;
        prevent_kit_commit(k);
    }
}

static void crumpled_sheets_never_intersect(void **state)
{
    (void)state;
    int runs = getenv("WEFT_LONG") ? 20 : 2;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        tally t = {.least = 1};
        for (int run = 0; run < runs; run++) {
            prevent_kit *k = prevent_kit_new(100 + (uint64_t)run);
            scenes[i].build(k);
            k->options.response = scenes[i].response;
            k->w.mode = run % 2 ? BVH_CLASSICAL : BVH_PROVEN;
            for (int32_t vi = 0; vi < k->w.n_nodes; vi++)
                k->radius[vi] *= scenes[i].radius;
            prevent_kit_ready(k, 1);
            wander(k, &scenes[i], 20, 0.004 * (1 << run % 4), &t);
            prevent_kit_free(k);
        }
        report(scenes[i].name, &t);
        assert_int_equal(t.bad, 0);
        assert_true(scenes[i].may_squeeze || t.ends[PREVENT_SQUEEZED] == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crumpled_sheets_never_intersect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
