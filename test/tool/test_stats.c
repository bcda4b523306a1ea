/* SPDX-License-Identifier: MIT */
#include "stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int count(const char *text, char c)
{
    int n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

static void every_column_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < STATS_COUNT; i++) {
        assert_non_null(stats_names[i]);
        assert_null(strpbrk(stats_names[i], ",\"\n "));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(stats_names[i], stats_names[j]);
    }
}

static void rows_have_as_many_fields_as_the_head(void **state)
{
    (void)state;
    page head = {0}, row = {0};
    weft_step_stats stats = {.time = 0.1, .n_nodes = 64};
    double values[STATS_COUNT];
    stats_fill(&stats, WEFT_WARNING_HALVED, 2, 0.5, values);
    stats_add_head(&head, stats_names, STATS_COUNT);
    stats_add_row(&row, 3, 0.1, 0xabcdefu, values, STATS_COUNT);
    assert_int_equal(count(page_text(&head), ','), count(page_text(&row), ','));
    assert_int_equal(count(page_text(&head), ','), STATS_COUNT + 2);
    assert_memory_equal(page_text(&head), "frame,time_s,hash,nodes,", 24);
    assert_memory_equal(page_text(&row), "3,0.1,0000000000abcdef,64,", 26);
    assert_true(values[STATS_RESULT] == 1 && values[STATS_THREADS] == 2 && values[STATS_STORE] == 0.5);
    page_free(&head);
    page_free(&row);
}

static void unknown_numbers_are_empty_fields(void **state)
{
    (void)state;
    page row = {0};
    const double values[] = {(double)NAN, 1.5, (double)INFINITY};
    stats_add_row(&row, 0, 0, 1, values, 3);
    assert_string_equal(page_text(&row), "0,0,0000000000000001,,1.5,\n");
    page_free(&row);
}

static void numbers_read_back_as_the_same_doubles(void **state)
{
    (void)state;
    const double values[] = {0.1, 1.0 / 3, 1e-300, 123456789.123456789, -0.0, 5e-324, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        page p = {0};
        page_add_number(&p, values[i]);
        assert_true(strtod(page_text(&p), NULL) == values[i]);
        page_free(&p);
    }
    page p = {0};
    page_add_number(&p, (double)NAN);
    assert_string_equal(page_text(&p), "null");
    page_free(&p);
}

static void sums_leave_out_the_start_and_what_is_unknown(void **state)
{
    (void)state;
    const char *names[] = {"contacts", "nodes"};
    double times[] = {0, 1, 2, 3}, values[] = {100, 1, 2, 1, (double)NAN, 1, 5, 1};
    uint64_t hashes[] = {0, 1, 2, 3};
    stats_table t = {.n_frames = 4, .n_columns = 2, .names = names, .times = times, .hashes = hashes, .values = values};
    assert_true(stats_sum(&t, STATS_CONTACTS) == 7);
    assert_true(stats_max(&t, STATS_CONTACTS) == 5);
    assert_int_equal(stats_find(&t, STATS_NODES), 1);
    assert_int_equal(stats_find(&t, STATS_STRETCH), -1);
    assert_true(isnan(stats_at(&t, 1, STATS_STRETCH)));
    page csv = {0};
    stats_add_table(&csv, &t, 2);
    assert_string_equal(page_text(&csv), "frame,time_s,hash,contacts,nodes\n0,0,0000000000000000,100,1\n"
                                         "1,1,0000000000000001,2,1\n");
    page_free(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_has_a_name_of_its_own),
        cmocka_unit_test(rows_have_as_many_fields_as_the_head),
        cmocka_unit_test(unknown_numbers_are_empty_fields),
        cmocka_unit_test(numbers_read_back_as_the_same_doubles),
        cmocka_unit_test(sums_leave_out_the_start_and_what_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
