/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow timeout=300 */
/* Sheets that wander under prevention by random fields of displacement until they are crumpled, a step after the other;
 * after each one all pairs of triangles are looked at by exact predicates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "contact/prevent_kit.h"

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
    int32_t steps, ends[5], rigid, failsafes, with_zones, bad;
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
    print_message(
        "%s: %d steps, %lld hits; zones in %d, rigid in %d, fail-safe in %d, cut %d, squeezed %d; least gap %.2g m\n",
        name, t->steps, (long long)t->hits, t->with_zones, t->rigid, t->failsafes, t->ends[PREVENT_CUT],
        t->ends[PREVENT_SQUEEZED], t->least);
}

static void wander(prevent_kit *k, int steps, double size, tally *t)
{
    for (int s = 0; s < steps; s++) {
        field f = random_field(k, size);
        propose(k, &f);
        prevent_end end = prevent_kit_run(k);
        count(t, k, end);
        assert_int_equal(end, PREVENT_FREE);
        int32_t n = prevent_kit_intersections(k, k->x1);
        assert_int_equal(n, 0);
        prevent_kit_commit(k);
    }
}

static prevent_kit *stack(int32_t n, uint64_t seed)
{
    prevent_kit *k = prevent_kit_new(seed);
    for (int32_t i = 0; i < 3; i++)
        prevent_kit_sheet(k, n, n, v3(0.01 * i, 0, 0.02 * i), v3(0.2, 0.01 * i, 0), v3(0, 0.2, 0));
    return k;
}

static void crumpled_sheets_never_intersect(void **state)
{
    (void)state;
    tally t = {.least = 1};
    int runs = getenv("WEFT_LONG") ? 60 : 6;
    for (int run = 0; run < runs; run++) {
        prevent_kit *k = stack(10, 100 + (uint64_t)run);
        prevent_kit_ready(k, 1);
        wander(k, 20, 0.002 * (1 << run % 5), &t);
        prevent_kit_free(k);
    }
    report("crumpled", &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crumpled_sheets_never_intersect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
