/* SPDX-License-Identifier: MIT */
/* provot1997 eq. 4. Speeds are below 10 m/s: results carry a few ulp(10), below 1e-14 (ROUND). */
#include "contact/collider/respond.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dice.h"

#define ROUND 1e-14
#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static void assert_near(vec3 a, vec3 b)
{
    assert_true(v3_len(v3_sub(a, b)) <= ROUND);
}

/* Tangential part of v. */
static vec3 tangent(vec3 v, vec3 n)
{
    return v3_madd(v, -v3_dot(v, n), n);
}

static void both_cases_of_the_paper_come_out(void **state)
{
    (void)state;
    static const struct {
        vec3 v;
        double k_f, k_d;
        vec3 after;
    } cases[] = {
        /* sliding: |v_T| ≥ k_f |v_N| */
        {{3, -2, 0}, 0.5, 0, {2, 0, 0}},
        {{3, -2, 4}, 0.5, 0.25, {2.4, 0.5, 3.2}},
        {{3, -2, 0}, 0, 1, {3, 2, 0}},
        {{3, -2, 0}, 1.5, 0, {0, 0, 0}}, /* at the threshold both cases agree */
        /* sticking: |v_T| < k_f |v_N| */
        {{1, -2, 0}, 0.6, 0, {0, 0, 0}},
        {{1, -2, 0}, 0.6, 0.5, {0, 1, 0}},
        {{0, -2, 0}, 0, 0.5, {0, 1, 0}},
        /* not approaching */
        {{1, 2, 3}, 0.6, 0.5, {1, 2, 3}},
        {{1, 0, 3}, 0.6, 0.5, {1, 0, 3}},
    };
    for (int i = 0; i < COUNT(cases); i++)
        assert_near(respond_velocity(cases[i].v, v3_zero(), v3(0, 1, 0), cases[i].k_f, cases[i].k_d), cases[i].after);
}

static void sticking_turns_to_sliding_at_the_friction_angle(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++) {
        double k_f = uniform(0.05, 2), fall = uniform(0.1, 3);
        vec3 below = v3(k_f * fall * (1 - 1e-9), -fall, 0), above = v3(k_f * fall * (1 + 1e-9), -fall, 0);
        vec3 stuck = respond_velocity(below, v3_zero(), v3(0, 1, 0), k_f, 0);
        vec3 slid = respond_velocity(above, v3_zero(), v3(0, 1, 0), k_f, 0);
        assert_true(v3_len(stuck) == 0);
        assert_true(slid.x > 0 && fabs(slid.x - 1e-9 * k_f * fall) < ROUND);
    }
}

/* Relative to the surface: the normal speed is −k_d times what it was, the tangential one loses k_f |v_N| but keeps its
 * direction, so the impulse is inside the friction cone of an impact without bounce and energy does not grow. */
static void impulse_obeys_coulomb_and_loses_energy(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        vec3 n = v3_unit_or(in_cube(1), v3(0, 1, 0)), v = in_cube(2), c = in_cube(2), w = v3_sub(v, c);
        double k_f = uniform(0, 1.5), k_d = uniform(0, 1), approach = v3_dot(w, n);
        vec3 after = v3_sub(respond_velocity(v, c, n, k_f, k_d), c);
        if (approach >= 0) {
            assert_true(v3_len(v3_sub(after, w)) == 0);
            continue;
        }
        vec3 t0 = tangent(w, n), t1 = tangent(after, n);
        assert_true(fabs(v3_dot(after, n) + k_d * approach) < ROUND);
        assert_true(v3_len(v3_sub(t0, t1)) <= -k_f * approach + ROUND);
        assert_true(fabs(v3_len(t1) - fmax(v3_len(t0) + k_f * approach, 0)) < ROUND);
        assert_true(v3_len(v3_cross(t0, t1)) < 10 * ROUND && v3_dot(t0, t1) >= -ROUND);
        assert_true(v3_len_sq(after) <= v3_len_sq(w) + ROUND * 10);
    }
}

static void dissipation_scales_the_bounce_only(void **state)
{
    (void)state;
    vec3 v = v3(1, -2, 0.5), n = v3(0, 1, 0);
    for (int i = 0; i <= 10; i++) {
        vec3 after = respond_velocity(v, v3_zero(), n, 0.2, i / 10.0);
        vec3 still = respond_velocity(v, v3_zero(), n, 0.2, 0);
        assert_near(after, v3_add(still, v3(0, 0.2 * i, 0)));
    }
}

static void only_the_relative_velocity_counts(void **state)
{
    (void)state;
    for (int i = 0; i < 5000; i++) {
        vec3 n = v3_unit_or(in_cube(1), v3(0, 1, 0)), v = in_cube(2), c = in_cube(2);
        vec3 moving = respond_velocity(v3_add(v, c), c, n, 0.4, 0.3);
        vec3 still = respond_velocity(v, v3_zero(), n, 0.4, 0.3);
        if (fabs(v3_dot(v, n)) > ROUND) /* else rounding decides whether it approaches */
            assert_near(v3_sub(moving, c), still);
    }
}

static void surface_that_overtakes_pushes_along(void **state)
{
    (void)state;
    assert_near(respond_velocity(v3_zero(), v3(0, 2, 0), v3(0, 1, 0), 0.5, 0), v3(0, 2, 0));
    assert_near(respond_velocity(v3_zero(), v3(0.5, 2, 0), v3(0, 1, 0), 0.5, 0), v3(0.5, 2, 0)); /* and drags: sticks */
    assert_near(respond_velocity(v3_zero(), v3(3, 2, 0), v3(0, 1, 0), 0.5, 0), v3(1, 2, 0));     /* drags, slipping */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(both_cases_of_the_paper_come_out, start_dice),
        cmocka_unit_test_setup(sticking_turns_to_sliding_at_the_friction_angle, start_dice),
        cmocka_unit_test_setup(impulse_obeys_coulomb_and_loses_energy, start_dice),
        cmocka_unit_test_setup(dissipation_scales_the_bounce_only, start_dice),
        cmocka_unit_test_setup(only_the_relative_velocity_counts, start_dice),
        cmocka_unit_test_setup(surface_that_overtakes_pushes_along, start_dice),
    };
    return cmocka_run_group_tests_name("respond", tests, NULL, NULL);
}
