/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow timeout=3600 */
/* Scenes that are hard on collisions: after every step nothing intersects, by exact audit. Small meshes and the first
 * part of each scene by default; WEFT_LONG: all of each, and also with adaptive meshes, without thickness, with long
 * and with short steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/kit.h"
#include "sim/torture.h"

typedef struct outcome {
    int32_t steps, alarms, squeezed, halvings;
    double stretch;
} outcome;

/* All of it, audited step by step. */
static outcome run_clean(const char *name, const torture_options *o, double seconds)
{
    weft_error e = {0};
    torture t;
    outcome out = {.stretch = 0};
    kit_must(torture_create(&t, name, o, &e), &e);
    int32_t n = torture_n_steps(&t);
    for (int32_t i = 0; i < n && i * t.h < seconds; i++) {
        weft_step_stats st;
        torture_found found;
        kit_must(torture_step(&t, &st, &e), &e);
        kit_must(torture_audit(&t, &found, &e), &e);
        if (found.n_pairs > 0)
            print_message("%s, step %d: %d pairs\n", name, i, (int)found.n_pairs);
        assert_int_equal(found.n_pairs, 0);
        out.steps++;
        out.alarms += st.rigid > 0 || st.failsafes > 0;
        out.squeezed += st.squeezed_pairs;
        out.halvings += st.halvings;
        out.stretch = st.stretch > out.stretch ? st.stretch : out.stretch;
    }
    torture_destroy(&t);
    print_message("%-7s %4d steps, alarms in %d, %d squeezed pairs, %d halvings, stretch %.3f\n", name, out.steps,
                  out.alarms, out.squeezed, out.halvings, out.stretch);
    assert_int_equal(out.squeezed, 0);
    return out;
}

static void nothing_passes_through_anything(void **state)
{
    (void)state;
    bool all = getenv("WEFT_LONG") != NULL;
    torture_options o = {.thickness = -1, .size = all ? 1 : 0.3};
    for (int i = 0; i < TORTURE_SCENES; i++) {
        outcome out = run_clean(torture_names[i], &o, all ? 1e9 : 0.75);
        assert_true(100 * out.alarms <= out.steps);
    }
}

static void nor_with_adaptive_meshes_no_thickness_other_steps(void **state)
{
    (void)state;
    static const torture_options variants[] = {{.adaptive = true, .thickness = -1, .size = 0.5},
                                               {.thickness = 0, .size = 0.5},
                                               {.thickness = -1, .size = 0.5, .h = 1.0 / 30},
                                               {.thickness = -1, .size = 0.5, .h = 1.0 / 240}};
    if (!getenv("WEFT_LONG"))
        skip();
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++)
        for (int i = 0; i < TORTURE_SCENES; i++)
            run_clean(torture_names[i], &variants[k], 1e9);
}

/* Newton steps over time steps from 4 s on of a ribbon that has fallen, with steps of 1/rate s. */
static double steps_at_rest(double rate)
{
    weft_error e = {0};
    torture t;
    torture_options o = {.thickness = -1, .size = 0.3, .h = 1 / rate};
    kit_must(torture_create(&t, "ribbon", &o, &e), &e);
    int32_t n_newton = 0, n_steps = 0;
    for (int32_t i = 0; i * t.h < 4.5; i++) {
        weft_step_stats st;
        kit_must(torture_step(&t, &st, &e), &e);
        n_newton += i * t.h > 4 ? st.newton_iterations : 0;
        n_steps += i * t.h > 4;
    }
    torture_destroy(&t);
    return (double)n_newton / n_steps;
}

/* Friction settles, of pairs and of contacts with the ground, and pairs that come and go take no force with them: a
 * heap at rest needs one Newton step. How a heap lies is chance, and of 24 starts 22 rest, before and after changes
 * that only give other heaps; where edges pushed each other with their ends, or along each other, as much as elsewhere,
 * one in three did not. Of twelve ten are asked for: with 22 in 24 that many are there nine times in ten, with two in
 * three not once in five. */
static void most_heaps_come_to_rest(void **state)
{
    (void)state;
    enum { HEAPS = 12, LEAST = 10 };
    int n_rest = 0;
    for (int k = 0; k < HEAPS; k++) {
        double rate = 60 + 0.003 * (k - HEAPS / 2), n = steps_at_rest(rate);
        print_message("%g steps a second: %.2f Newton steps a step after 4 s\n", rate, n);
        n_rest += n < 1.25;
    }
    assert_true(n_rest >= LEAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_through_anything),
        cmocka_unit_test(nor_with_adaptive_meshes_no_thickness_other_steps),
        cmocka_unit_test(most_heaps_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
