/* SPDX-License-Identifier: MIT */
/* Numbers as text, angles, and names that are near each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/scene/nearest.h"
#include "io/scene/scene_number.h"

#include <math.h>
#include <string.h>

static uint64_t random_bits(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s ^ *s >> 31;
}

static void numbers_are_read_back_bit_for_bit(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_bits(&seed);
        double x, back = 0;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x))
            continue;
        assert_true(number_read(number_write(x, text), &back));
        assert_memory_equal(&back, &x, sizeof x);
    }
}

static void numbers_are_written_as_short_as_can_be(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *written, *shown;
    } cases[] = {{0.1, "0.1", "0.1"},        {60, "60", "60"},
                 {1e-5, "1.0e-05", "1e-5"},  {1e6, "1000000", "1e6"},
                 {-1e6, "-1000000", "-1e6"}, {1.0 / 3, "0.3333333333333333", "0.3333333333"},
                 {-0.0, "-0", "-0"},         {2.5e-7, "2.5e-07", "2.5e-7"}};
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(number_write(cases[i].x, text), cases[i].written);
        assert_string_equal(number_show(cases[i].x, text), cases[i].shown);
    }
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", " ", "1 ", " 1", "1x", "0x10", "nan", ".inf", "1e", "e5", ".", "-", "1,5"};
    double x;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(number_read(texts[i], &x));
}

/* Against libm in radians, whose own argument is off by half an ulp of 2π: 4.4e-16. */
static void sines_are_those_of_the_library(void **state)
{
    (void)state;
    for (int i = -7200; i <= 7200; i++) {
        double a = 0.1 * i, r = fmod(a, 360) * 3.14159265358979323846 / 180;
        assert_true(fabs(sine_degrees(a) - sin(r)) < 3e-16 + 8.9e-16);
        assert_true(fabs(cosine_degrees(a) - cos(r)) < 3e-16 + 8.9e-16);
        double one = sine_degrees(a) * sine_degrees(a) + cosine_degrees(a) * cosine_degrees(a);
        assert_true(fabs(one - 1) < 1e-15);
    }
    assert_true(sine_degrees(90) == 1 && sine_degrees(180) == 0 && cosine_degrees(90) == 0);
    assert_true(cosine_degrees(180) == -1 && sine_degrees(-90) == -1);
}

static void distances_count_letters(void **state)
{
    (void)state;
    assert_int_equal(nearest_distance("fabrik", "fabric"), 1);
    assert_int_equal(nearest_distance("coton", "cotton"), 1);
    assert_int_equal(nearest_distance("center", "centre"), 1);
    assert_int_equal(nearest_distance("Fabric", "fabric"), 0);
    assert_int_equal(nearest_distance("", "abc"), 3);
    assert_int_equal(nearest_distance("kitten", "sitting"), 3);
}

static void only_what_is_near_is_offered(void **state)
{
    (void)state;
    nearest n = nearest_to("bal");
    nearest_offer(&n, "box");
    assert_null(n.best);
    nearest_offer(&n, "ball");
    nearest_offer(&n, "bale");
    assert_string_equal(n.best, "ball");
    n = nearest_to("cyl");
    nearest_offer(&n, "cylinder");
    assert_string_equal(n.best, "cylinder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_back_bit_for_bit), cmocka_unit_test(numbers_are_written_as_short_as_can_be),
        cmocka_unit_test(what_is_no_number_is_refused),      cmocka_unit_test(sines_are_those_of_the_library),
        cmocka_unit_test(distances_count_letters),           cmocka_unit_test(only_what_is_near_is_offered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
