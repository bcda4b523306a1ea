/* SPDX-License-Identifier: MIT */
#include "args.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct values {
    bool flag;
    const char *text;
    int32_t whole, choice;
    double number;
    args_vector vector;
    args_range range;
    args_list list;
    const char *room[16];
    args_words words;
    char message[512];
} values;

/* Parses words that end with NULL. */
static args_result parse(values *v, char **given)
{
    const args_option options[] = {
        {"flag", 'f', ARGS_FLAG, &v->flag, NULL, "", 0, 0},     {"out", 'o', ARGS_TEXT, &v->text, "DIR", "", 0, 0},
        {"frames", 'n', ARGS_INT, &v->whole, "N", "", 0, 1000}, {"scale", 0, ARGS_NUMBER, &v->number, "S", "", 0.5, 2},
        {"eye", 0, ARGS_VECTOR, &v->vector, "X,Y,Z", "", 0, 0}, {"range", 0, ARGS_RANGE, &v->range, "A:B", "", 0, 0},
        {"axes", 0, ARGS_CHOICE, &v->choice, "y|z", "", 0, 0},  {"set", 0, ARGS_LIST, &v->list, "PATH=VALUE", "", 0, 0},
    };
    const args_spec spec = {.verb = "try",
                            .usage = "FILE [options]",
                            .options = options,
                            .n_options = sizeof options / sizeof *options,
                            .least_words = 0,
                            .most_words = 1,
                            .words_shown = "a file"};
    int n = 0;
    while (given[n])
        n++;
    *v = (values){.whole = -1, .choice = -1};
    v->list.items = v->room;
    return args_parse(&spec, n, given, &v->words, v->message, sizeof v->message);
}

#define PARSE(v, ...) parse(v, (char *[]){__VA_ARGS__, NULL})

static void values_come_behind_equals_or_space(void **state)
{
    (void)state;
    values v;
    assert_int_equal(PARSE(&v, "--frames=7", "--out", "a b", "x.yaml"), ARGS_GO);
    assert_int_equal(v.whole, 7);
    assert_string_equal(v.text, "a b");
    assert_int_equal(v.words.n, 1);
    assert_string_equal(v.words.items[0], "x.yaml");
    assert_int_equal(PARSE(&v, "-n", "8", "-odir", "-f"), ARGS_GO);
    assert_int_equal(v.whole, 8);
    assert_string_equal(v.text, "dir");
    assert_true(v.flag);
}

static void values_may_begin_with_a_minus(void **state)
{
    (void)state;
    values v;
    assert_int_equal(PARSE(&v, "--eye", "-1,0.5,-2e1"), ARGS_GO);
    assert_true(v.vector.given);
    assert_true(v.vector.v.x == -1 && v.vector.v.y == 0.5 && v.vector.v.z == -20);
}

static void lists_keep_all_values_and_their_equals_signs(void **state)
{
    (void)state;
    values v;
    assert_int_equal(PARSE(&v, "--set", "a.b=1", "--set=c=2"), ARGS_GO);
    assert_int_equal(v.list.n, 2);
    assert_string_equal(v.list.items[0], "a.b=1");
    assert_string_equal(v.list.items[1], "c=2");
}

static void ranges_may_be_open_at_either_end(void **state)
{
    (void)state;
    values v;
    assert_int_equal(PARSE(&v, "--range", "3:9"), ARGS_GO);
    assert_true(v.range.given && v.range.from == 3 && v.range.to == 9);
    assert_int_equal(PARSE(&v, "--range", "3:"), ARGS_GO);
    assert_true(v.range.from == 3 && v.range.to == -1);
    assert_int_equal(PARSE(&v, "--range", ":9"), ARGS_GO);
    assert_true(v.range.from == 0 && v.range.to == 9);
}

static void unknown_options_get_the_nearest_name(void **state)
{
    (void)state;
    values v;
    assert_int_equal(PARSE(&v, "--framse", "3"), ARGS_WRONG);
    assert_non_null(strstr(v.message, "did you mean '--frames'?"));
    assert_int_equal(PARSE(&v, "--scal=1"), ARGS_WRONG);
    assert_non_null(strstr(v.message, "'--scale'"));
    assert_int_equal(PARSE(&v, "--xyzzyxyzzy"), ARGS_WRONG);
    assert_null(strstr(v.message, "did you mean"));
    assert_non_null(strstr(v.message, "weft help try"));
    assert_int_equal(PARSE(&v, "-z"), ARGS_WRONG);
}

static void wrong_values_say_what_was_expected(void **state)
{
    (void)state;
    values v;
    assert_int_equal(PARSE(&v, "--frames", "ten"), ARGS_WRONG);
    assert_non_null(strstr(v.message, "a whole number from 0 to 1000"));
    assert_int_equal(PARSE(&v, "--frames", "1001"), ARGS_WRONG);
    assert_int_equal(PARSE(&v, "--frames", "3.5"), ARGS_WRONG);
    assert_int_equal(PARSE(&v, "--frames", "99999999999999999999"), ARGS_WRONG);
    assert_int_equal(PARSE(&v, "--frames"), ARGS_WRONG);
    assert_non_null(strstr(v.message, "needs"));
    assert_int_equal(PARSE(&v, "--scale", "nan"), ARGS_WRONG);
    assert_int_equal(PARSE(&v, "--scale", "3"), ARGS_WRONG);
    assert_non_null(strstr(v.message, "from 0.5 to 2"));
    assert_int_equal(PARSE(&v, "--eye", "1,2"), ARGS_WRONG);
    assert_int_equal(PARSE(&v, "--eye", "1,2,3,4"), ARGS_WRONG);
    assert_int_equal(PARSE(&v, "--range", "9:3"), ARGS_WRONG);
    assert_int_equal(PARSE(&v, "--range", "7"), ARGS_WRONG);
    assert_int_equal(PARSE(&v, "--axes", "x"), ARGS_WRONG);
    assert_non_null(strstr(v.message, "one of y|z"));
    assert_int_equal(PARSE(&v, "--flag=yes"), ARGS_WRONG);
    assert_int_equal(PARSE(&v, "--out", ""), ARGS_WRONG);
}

static void too_many_words_are_refused(void **state)
{
    (void)state;
    values v;
    assert_int_equal(PARSE(&v, "a", "b"), ARGS_WRONG);
    assert_non_null(strstr(v.message, "does not take 'b'"));
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    values v;
    assert_int_equal(PARSE(&v, "--", "--flag"), ARGS_GO);
    assert_false(v.flag);
    assert_string_equal(v.words.items[0], "--flag");
}

static void help_goes_before_mistakes_behind_it(void **state)
{
    (void)state;
    values v;
    assert_int_equal(PARSE(&v, "--help", "--nonsense"), ARGS_HELP);
    assert_int_equal(PARSE(&v, "x", "-h"), ARGS_HELP);
}

static void nearest_names_are_found_by_few_changes_or_a_beginning(void **state)
{
    (void)state;
    const char *const names[] = {"run", "render", "export", "info"};
    assert_string_equal(args_nearest("rnu", names, 4), "run");
    assert_string_equal(args_nearest("exprot", names, 4), "export");
    assert_string_equal(args_nearest("rend", names, 4), "render");
    assert_null(args_nearest("simulate", names, 4));
    char longer[200];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_null(args_nearest(longer, names, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_behind_equals_or_space),
        cmocka_unit_test(values_may_begin_with_a_minus),
        cmocka_unit_test(lists_keep_all_values_and_their_equals_signs),
        cmocka_unit_test(ranges_may_be_open_at_either_end),
        cmocka_unit_test(unknown_options_get_the_nearest_name),
        cmocka_unit_test(wrong_values_say_what_was_expected),
        cmocka_unit_test(too_many_words_are_refused),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(help_goes_before_mistakes_behind_it),
        cmocka_unit_test(nearest_names_are_found_by_few_changes_or_a_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
