/* SPDX-License-Identifier: MIT */
#include "force/limit.h"
#include "force/params.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Not for NAN either. */
#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static const double limits[] = {1.02, 1.1, 1.5};
#define N_LIMITS (int)(sizeof limits / sizeof *limits)

/* The stretch at t: 0 where the term starts, 1 at the limit. */
static double stretch_at(double t, double limit)
{
    return 1.0 + (limit - 1.0) * (LIMIT_ONSET + (1.0 - LIMIT_ONSET) * t);
}

static void assert_none(limit_term a)
{
    assert_true(a.value == 0.0 && a.slope == 0.0 && a.curvature == 0.0);
}

static void limit_does_nothing_before_its_onset(void **state)
{
    (void)state;
    for (int i = 0; i < N_LIMITS; i++) {
        assert_none(limit_eval(0.0, limits[i]));
        assert_none(limit_eval(1.0, limits[i]));
        assert_none(limit_eval(stretch_at(-1e-9, limits[i]), limits[i]));
        assert_true(limit_eval(stretch_at(1e-3, limits[i]), limits[i]).value > 0.0);
    }
}

static void no_limit_does_nothing_at_any_stretch(void **state)
{
    (void)state;
    assert_none(limit_eval(0.5, 0.0));
    assert_none(limit_eval(1.0, 0.0));
    assert_none(limit_eval(1e6, 0.0));
}

static void limit_matches_its_formula(void **state)
{
    (void)state;
    for (int i = 0; i < N_LIMITS; i++) {
        for (double t = 0.05; t < LIMIT_KNEE; t += 0.1) {
            double delta = (1.0 - LIMIT_ONSET) * (limits[i] - 1.0);
            double formula = delta * delta * t * t * t / (3.0 * (1.0 - t));
            /* t is recovered from s with an error eps/Δ ≤ 2.3e-14, and g changes by t g'/g ≤ 3 + t/(1−t) ≤ 20 of that,
             * divided by t ≥ 0.05. */
            assert_close(limit_eval(stretch_at(t, limits[i]), limits[i]).value / formula, 1.0, 1e-11);
        }
    }
}

/* Central differences over δ = 1e-5 in t, relative. Truncation: for g', ⅙ δ² g'''/g' ≤ δ²/(3t²) = 1.3e-8 at small t;
 * for g'', ⅙ δ² · 8 (1−t)⁻⁵/g'' ≤ 2 δ² (1−t)⁻² ≤ 6e-8 before the knee. Rounding: s by eps/(2δΔ) ≤ 1.2e-9 of the step,
 * values by eps (g/g')/(2δ) ≤ 1e-11. */
static void limit_derivatives_match_differences(void **state)
{
    (void)state;
    const double at[] = {0.05, 0.3, 0.6, 0.9, 0.94, 0.96, 1.0, 1.5, 10.0};
    for (int i = 0; i < N_LIMITS; i++) {
        for (int k = 0; k < (int)(sizeof at / sizeof *at); k++) {
            double lo = stretch_at(at[k] - 1e-5, limits[i]), hi = stretch_at(at[k] + 1e-5, limits[i]);
            limit_term a = limit_eval(lo, limits[i]), b = limit_eval(hi, limits[i]);
            limit_term m = limit_eval(stretch_at(at[k], limits[i]), limits[i]);
            assert_close((b.value - a.value) / (hi - lo) / m.slope, 1.0, 1e-7);
            assert_close((b.slope - a.slope) / (hi - lo) / m.curvature, 1.0, 1e-7);
        }
    }
}

/* Over a gap of 2δ a function with a bounded derivative changes by 2δ of it: curvature by 2 g''' δ, at the knee
 * g''' = 2 (1−t)⁻⁴ = 3.2e5, so 6.4e5 δ, of 5.3e3: 120 δ relative. At the start g'' = 2t: 2 δ absolute. */
static void limit_is_twice_differentiable_at_start_and_knee(void **state)
{
    (void)state;
    const double d = 1e-7;
    for (int i = 0; i < N_LIMITS; i++) {
        limit_term start = limit_eval(stretch_at(d, limits[i]), limits[i]);
        assert_true(start.curvature <= 2.1 * d && start.slope <= d * d && start.value <= d * d * d);
        limit_term below = limit_eval(stretch_at(LIMIT_KNEE - d, limits[i]), limits[i]);
        limit_term above = limit_eval(stretch_at(LIMIT_KNEE + d, limits[i]), limits[i]);
        assert_close(below.value / above.value, 1.0, 121.0 * d);
        assert_close(below.slope / above.slope, 1.0, 121.0 * d);
        assert_close(below.curvature / above.curvature, 1.0, 121.0 * d);
    }
}

static void limit_only_pulls_back_and_ever_stronger(void **state)
{
    (void)state;
    for (int i = 0; i < N_LIMITS; i++) {
        limit_term last = {0.0, 0.0, 0.0};
        for (double t = 0.01; t < 5.0; t += 0.01) {
            limit_term a = limit_eval(stretch_at(t, limits[i]), limits[i]);
            assert_true(isfinite(a.value) && a.value > last.value && a.slope > last.slope);
            assert_true(a.curvature >= last.curvature);
            last = a;
        }
    }
}

static void knee_is_five_thousand_times_stiffer(void **state)
{
    (void)state;
    /* g''(0.95) = ⅔ (0.05⁻³ − 1) = 5332.67 */
    assert_close(limit_eval(1.2, 1.1).curvature, 5332.0 + 2.0 / 3.0, 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limit_does_nothing_before_its_onset),
        cmocka_unit_test(no_limit_does_nothing_at_any_stretch),
        cmocka_unit_test(limit_matches_its_formula),
        cmocka_unit_test(limit_derivatives_match_differences),
        cmocka_unit_test(limit_is_twice_differentiable_at_start_and_knee),
        cmocka_unit_test(limit_only_pulls_back_and_ever_stronger),
        cmocka_unit_test(knee_is_five_thousand_times_stiffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
