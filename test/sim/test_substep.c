/* SPDX-License-Identifier: MIT */
/* The policy of substeps: lengths that add up to the step, halving, step control, and going back to longer ones. */
#include "sim/substep.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/params.h"

#define H (1.0 / 60)

/* Accepts whole substeps until the step is over; returns how many. */
static int run_to_end(step_control *c, int32_t wish)
{
    int n = 0;
    while (step_control_goes_on(c)) {
        substep sub = step_control_next(c);
        step_control_accept(c, &sub, true, sub.done + sub.h, wish);
        n++;
        assert_true(n < 10000);
    }
    return n;
}

static void a_step_that_goes_well_is_one_substep(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(H, 0, 5, true);
    substep sub = step_control_next(&c);
    assert_true(sub.h == H && sub.whole == H && sub.done == 0 && sub.rest && !sub.last && sub.level == 0);
    assert_int_equal(run_to_end(&c, 0), 1);
    assert_true(c.done == H);
}

static void a_substep_that_fails_is_halved_up_to_the_limit(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(H, 0, 3, true);
    for (int k = 0; k < 3; k++) {
        substep sub = step_control_next(&c);
        assert_true(sub.h == ldexp(H, -k) && !sub.last);
        assert_true(step_control_halve(&c, &sub));
    }
    substep sub = step_control_next(&c);
    assert_true(sub.h == H / 8 && sub.last);
    assert_false(step_control_halve(&c, &sub));
}

static void two_slow_substeps_in_a_row_double_the_length_again(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(H, 0, 5, true);
    for (int k = 0; k < 3; k++) {
        substep sub = step_control_next(&c);
        step_control_halve(&c, &sub);
    }
    /* 1/8, 1/8, then 1/4, 1/4, then what is left of 1/2: a quarter. */
    assert_int_equal(run_to_end(&c, -1), 5);
}

static void fast_ones_stay_at_their_length(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(H, 0, 5, true);
    substep sub = step_control_next(&c);
    step_control_halve(&c, &sub);
    sub = step_control_next(&c);
    step_control_halve(&c, &sub);
    assert_int_equal(run_to_end(&c, 0), 4);
}

static void step_control_is_followed_up_to_its_own_limit_and_the_users(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(H, 0, 5, true);
    substep sub = step_control_next(&c);
    assert_true(step_control_resize(&c, &sub, 3));
    assert_int_equal(c.level, STEP_CONTROL_LEVELS);
    sub = step_control_next(&c);
    assert_false(step_control_resize(&c, &sub, 3));
    c = step_control_begin(H, 0, 0, true);
    sub = step_control_next(&c);
    assert_false(step_control_resize(&c, &sub, 1));
}

static void a_step_begins_with_the_last_ones_length_and_may_take_it_back(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(H, H / 4, 5, true);
    assert_int_equal(c.level, 2);
    substep sub = step_control_next(&c);
    assert_true(step_control_resize(&c, &sub, -1));
    sub = step_control_next(&c);
    assert_true(step_control_resize(&c, &sub, -1));
    sub = step_control_next(&c);
    assert_true(sub.h == H);
    assert_false(step_control_resize(&c, &sub, -1));
    /* But for an integrator that asks for no control, or a limit that allows no halving. */
    assert_int_equal(step_control_begin(H, H / 4, 5, false).level, 0);
    assert_int_equal(step_control_begin(H, H / 4, 0, true).level, 0);
    /* Nor deeper than step control goes: in a heap that is squeezed each step would begin as the worst. */
    assert_int_equal(step_control_begin(H, H / 1024, 5, true).level, STEP_CONTROL_LEVELS);
}

static void what_is_held_shortens_at_once_as_far_as_the_user_allows(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(H, 0, 5, true);
    substep sub = step_control_next(&c);
    assert_true(step_control_shorten(&c, &sub, 4));
    sub = step_control_next(&c);
    assert_true(sub.h == H / 16 && sub.violent && !sub.last);
    assert_true(step_control_shorten(&c, &sub, 3));
    sub = step_control_next(&c);
    assert_true(sub.h == H / 32 && sub.last);
    assert_false(step_control_shorten(&c, &sub, 1));
    c = step_control_begin(H, 0, 0, true);
    sub = step_control_next(&c);
    assert_false(step_control_shorten(&c, &sub, 4));
}

/* As short a substep for the same speed, whatever the step. */
static void violence_may_go_deeper_in_long_steps(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(2 * H, 0, 5, true);
    substep sub = step_control_next(&c);
    assert_true(step_control_shorten(&c, &sub, 9));
    assert_int_equal(c.level, 6);
    assert_true(step_control_next(&c).last);
    c = step_control_begin(2 * H, 0, 5, true);
    for (int k = 0; k < 5; k++) {
        sub = step_control_next(&c);
        assert_true(step_control_halve(&c, &sub));
    }
    assert_true(step_control_next(&c).last);
}

static void what_is_held_and_fast_keeps_substeps_short(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(H, 0, 5, true);
    substep sub = step_control_next(&c);
    step_control_shorten(&c, &sub, 3);
    for (int k = 0; k < 8; k++) {
        sub = step_control_next(&c);
        assert_int_equal(sub.level, 3);
        assert_false(step_control_shorten(&c, &sub, 0));
        step_control_accept(&c, &sub, true, sub.done + sub.h, -1);
    }
    assert_false(step_control_goes_on(&c));
}

static void cloth_that_is_stretched_too_far_halves_and_stays_so_for_longer(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(H, 0, 5, true);
    for (int k = 1; k <= 4; k++) {
        substep sub = step_control_next(&c);
        assert_true(step_control_overstretched(&c, &sub));
        sub = step_control_next(&c);
        assert_true(sub.h == ldexp(H, -k) && sub.violent == (k > STEP_CONTROL_LEVELS));
    }
    int n = 0;
    for (; c.level == 4; n++) {
        substep sub = step_control_next(&c);
        step_control_accept(&c, &sub, true, sub.done + sub.h, -1);
    }
    assert_int_equal(n, OVERSTRETCH_PATIENCE);
}

static void what_was_cut_short_is_gone_on_with(void **unused)
{
    (void)unused;
    step_control c = step_control_begin(H, 0, 5, true);
    substep sub = step_control_next(&c);
    step_control_accept(&c, &sub, false, 0.3 * H, -1);
    assert_true(step_control_goes_on(&c));
    sub = step_control_next(&c);
    assert_true(sub.rest && sub.done == 0.3 * H && fabs(sub.h - 0.7 * H) <= DBL_EPSILON * H);
    step_control_accept(&c, &sub, true, H, -1);
    assert_true(c.done == H);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_that_goes_well_is_one_substep),
        cmocka_unit_test(a_substep_that_fails_is_halved_up_to_the_limit),
        cmocka_unit_test(two_slow_substeps_in_a_row_double_the_length_again),
        cmocka_unit_test(fast_ones_stay_at_their_length),
        cmocka_unit_test(step_control_is_followed_up_to_its_own_limit_and_the_users),
        cmocka_unit_test(a_step_begins_with_the_last_ones_length_and_may_take_it_back),
        cmocka_unit_test(what_is_held_shortens_at_once_as_far_as_the_user_allows),
        cmocka_unit_test(violence_may_go_deeper_in_long_steps),
        cmocka_unit_test(what_is_held_and_fast_keeps_substeps_short),
        cmocka_unit_test(cloth_that_is_stretched_too_far_halves_and_stays_so_for_longer),
        cmocka_unit_test(what_was_cut_short_is_gone_on_with),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
