/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void check_time(double seconds, const char *expected)
{
    char text[32];
    progress_format_time(seconds, text, sizeof text);
    assert_string_equal(text, expected);
}

static void times_read_as_people_say_them(void **state)
{
    (void)state;
    check_time(0, "0 s");
    check_time(59.4, "59 s");
    check_time(59.6, "1:00");
    check_time(185, "3:05");
    check_time(3599.4, "59:59");
    check_time(3723, "1:02:03");
    check_time(86399, "23:59:59");
    check_time(2 * 86400 + 3 * 3600 + 59, "2 d 3 h");
}

static void times_that_are_not_known_are_a_question_mark(void **state)
{
    (void)state;
    check_time(-1, "?");
    check_time((double)NAN, "?");
    check_time((double)INFINITY, "?");
    check_time(1e12, "?");
}

static void short_times_have_three_digits(void **state)
{
    (void)state;
    const double seconds[] = {0.00123, 0.0456, 0.4567, 0.9996, 12.345};
    const char *const expected[] = {"1.2 ms", "45.6 ms", "457 ms", "1.00 s", "12.35 s"};
    for (int i = 0; i < 5; i++) {
        char text[32];
        progress_format_short(seconds[i], text, sizeof text);
        assert_string_equal(text, expected[i]);
    }
}

static void short_rooms_cut_the_text(void **state)
{
    (void)state;
    char text[4];
    progress_format_time(3723, text, sizeof text);
    assert_string_equal(text, "1:0");
}

/* The time left follows frames that become slower, within the mean's ten frames or so. */
static void the_mean_follows_what_frames_take(void **state)
{
    (void)state;
    progress p = progress_begin(PROGRESS_QUIET, 100);
    weft_step_stats stats = {0};
    progress_frame f = {.stats = &stats, .seconds = 1};
    progress_show_frame(&p, &f);
    assert_true(p.frame_seconds == 1);
    f.seconds = 2;
    for (int i = 0; i < 30; i++)
        progress_show_frame(&p, &f);
    assert_true(fabs(p.frame_seconds - (2 - pow(0.9, 30))) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_read_as_people_say_them),
        cmocka_unit_test(times_that_are_not_known_are_a_question_mark),
        cmocka_unit_test(short_times_have_three_digits),
        cmocka_unit_test(short_rooms_cut_the_text),
        cmocka_unit_test(the_mean_follows_what_frames_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
