/* SPDX-License-Identifier: MIT */
/* The numbers in text files against those of the C library, which rounds correctly in the "C" locale. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/decimal.h"

static uint64_t random_bits(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void assert_as_strtod(const char *text)
{
    double got = 0;
    char *end;
    double expected = strtod(text, &end);
    const char *stop = decimal_read(text, text + strlen(text), &got);
    if (stop != end || memcmp(&got, &expected, sizeof got) != 0)
        fail_msg("%s: got %a, expected %a", text, got, expected);
}

static double random_finite(uint64_t *state)
{
    for (;;) {
        uint64_t bits = random_bits(state);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x))
            return x;
    }
}

static void doubles_of_all_sizes_are_read_exactly(void **unused)
{
    (void)unused;
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.*g", (int)(1 + random_bits(&state) % 20), random_finite(&state));
        assert_as_strtod(text);
    }
}

static void coordinates_of_any_number_of_digits_are_read_exactly(void **unused)
{
    (void)unused;
    uint64_t state = 362436069u;
    for (int i = 0; i < 200000; i++) {
        char text[64];
        double x = ((double)random_bits(&state) / 1.8446744073709552e19 - 0.5) * 100;
        snprintf(text, sizeof text, "%.*f", (int)(random_bits(&state) % 21), x);
        assert_as_strtod(text);
    }
}

static void subnormals_are_read_exactly(void **unused)
{
    (void)unused;
    uint64_t state = 521288629u;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_bits(&state) >> 11;
        double x;
        memcpy(&x, &bits, sizeof x);
        char text[64];
        snprintf(text, sizeof text, "%.*g", (int)(1 + random_bits(&state) % 20), x);
        assert_as_strtod(text);
    }
}

/* All digits of the middle of two doubles (x86 long doubles hold it): the even one wins, and one digit more breaks the
 * tie. */
static void ties_go_to_the_even_double(void **unused)
{
    (void)unused;
    if (LDBL_MANT_DIG < 54)
        skip();
    uint64_t state = 88675123u;
    for (int i = 0; i < 2000; i++) {
        double x = random_finite(&state), next = nextafter(x, HUGE_VAL);
        if (!isfinite(next))
            continue;
        char text[2048], more[2060];
        snprintf(text, sizeof text, "%.1100Le", ((long double)x + (long double)next) / 2);
        assert_as_strtod(text);
        char *e = strchr(text, 'e');
        *e = '\0';
        snprintf(more, sizeof more, "%s1e%s", text, e + 1);
        assert_as_strtod(more);
    }
}

static void strange_forms_end_where_strtod_ends(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+1",
                                        ".5",
                                        "5.",
                                        "-.5e1",
                                        "5e",
                                        "5e+",
                                        "5e-x",
                                        "1e5x",
                                        "007",
                                        "1e400",
                                        "-1e400",
                                        "1e-400",
                                        "0e999999",
                                        "1e99999999999999999999999",
                                        "1e-99999999999999999999999",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "4.9406564584124654e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "2.2250738585072011e-308",
                                        "9007199254740993",
                                        "9007199254740993.0000000000000000000000000000000001",
                                        "123456789012345678901234567890",
                                        "0.1000000000000000055511151231257827021181583404541015625"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_as_strtod(texts[i]);
}

static void what_is_no_number_is_refused(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"", "-", ".", "e5", "-.", "nan", "inf", "+-1", "x", " 1"};
    double x;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_null(decimal_read(texts[i], texts[i] + strlen(texts[i]), &x));
    const char *hex = "0x10";
    assert_ptr_equal(decimal_read(hex, hex + 4, &x), hex + 1);
}

static void a_million_digits_are_read(void **unused)
{
    (void)unused;
    enum { N = 1000000 };
    char *text = malloc(N + 32);
    assert_non_null(text);
    memset(text, '0', N);
    text[1] = '.';
    snprintf(text + N, 32, "1e%d", N);
    double x;
    assert_non_null(decimal_read(text, text + strlen(text), &x));
    assert_true(x == 10);
    memset(text, '3', N);
    snprintf(text + N, 32, "e-%d", N);
    assert_non_null(decimal_read(text, text + strlen(text), &x));
    assert_true(x == 1.0 / 3);
    free(text);
}

static void what_is_written_is_read_back_bit_for_bit(void **unused)
{
    (void)unused;
    uint64_t state = 5783321u;
    for (int i = 0; i < 50000; i++) {
        double x = i == 0 ? -0.0 : random_finite(&state), back;
        char text[DECIMAL_ROOM];
        size_t n = decimal_write(text, x);
        assert_int_equal(n, strlen(text));
        assert_ptr_equal(decimal_read(text, text + n, &back), text + n);
        assert_memory_equal(&x, &back, sizeof x);
    }
}

static void a_decimal_comma_changes_nothing(void **unused)
{
    (void)unused;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !set; i++)
        set = setlocale(LC_NUMERIC, names[i]);
    if (!set) {
        print_message("left out: no locale with a decimal comma\n");
        return;
    }
    char text[DECIMAL_ROOM];
    decimal_write(text, 1.5);
    double x = 0;
    const char *stop = decimal_read("2.25", &"2.25"[4], &x);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "1.5");
    assert_true(stop && x == 2.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_of_all_sizes_are_read_exactly),
        cmocka_unit_test(coordinates_of_any_number_of_digits_are_read_exactly),
        cmocka_unit_test(subnormals_are_read_exactly),
        cmocka_unit_test(ties_go_to_the_even_double),
        cmocka_unit_test(strange_forms_end_where_strtod_ends),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(a_million_digits_are_read),
        cmocka_unit_test(what_is_written_is_read_back_bit_for_bit),
        cmocka_unit_test(a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
