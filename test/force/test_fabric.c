/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <weft/fabric.h>

/* What fabric.h promises, written down a second time. */
typedef struct promise {
    const char *name;
    size_t offset;
    double min, max, standard;
    bool min_allowed, zero_allowed;
} promise;

#define PROMISE(name, min, max, standard, min_allowed, zero_allowed)                                                   \
    {                                                                                                                  \
#name, offsetof(weft_fabric, name), min, max, standard, min_allowed, zero_allowed                              \
    }

static const promise promises[] = {
    PROMISE(density, 0, 100, 0.15, false, false),
    PROMISE(stretch_warp, 1e-3, 1e7, 500, true, false),
    PROMISE(stretch_weft, 1e-3, 1e7, 500, true, false),
    PROMISE(shear, 0, 1e7, 60, true, true),
    PROMISE(poisson, 0, 0.95, 0, true, true),
    PROMISE(bending_warp, 0, 1e3, 5e-6, true, true),
    PROMISE(bending_weft, 0, 1e3, 5e-6, true, true),
    PROMISE(damping_stretch, 0, 10, 0.002, true, true),
    PROMISE(damping_bending, 0, 10, 0.005, true, true),
    PROMISE(thickness, 0, 0.1, 3e-4, true, true),
    PROMISE(friction, 0, 10, 0.4, true, true),
    PROMISE(dissipation, 0, 1, 0, true, true),
    PROMISE(stretch_limit, 1.001, 10, 1.10, true, true),
};

enum { N_PROMISES = sizeof promises / sizeof *promises };

static weft_fabric with(const promise *p, double value)
{
    weft_fabric f = weft_fabric_default();
    memcpy((char *)&f + p->offset, &value, sizeof value);
    return f;
}

static void expect_refused(const promise *p, double value, weft_result code)
{
    weft_fabric f = with(p, value);
    weft_error e = {0};
    assert_int_equal(weft_fabric_check(&f, &e), code);
    assert_int_equal(e.code, code);
    char text[64];
    snprintf(text, sizeof text, "%s is %g", p->name, value);
    assert_non_null(strstr(e.text, text));
    snprintf(text, sizeof text, "%g, %g]", p->min, p->max);
    assert_non_null(strstr(e.text, text));
    assert_int_equal(weft_fabric_check(&f, NULL), code);
}

static void expect_accepted(const promise *p, double value)
{
    weft_fabric f = with(p, value);
    assert_int_equal(weft_fabric_check(&f, NULL), WEFT_OK);
}

static void the_default_has_the_promised_values(void **state)
{
    (void)state;
    weft_fabric f = weft_fabric_default();
    assert_int_equal(f.struct_size, sizeof f);
    for (int i = 0; i < N_PROMISES; i++) {
        double value;
        memcpy(&value, (char *)&f + promises[i].offset, sizeof value);
        assert_true(value == promises[i].standard);
    }
    assert_int_equal(weft_fabric_check(&f, NULL), WEFT_OK);
}

static void range_ends_are_accepted(void **state)
{
    (void)state;
    for (int i = 0; i < N_PROMISES; i++) {
        const promise *p = &promises[i];
        expect_accepted(p, p->max);
        if (p->min_allowed)
            expect_accepted(p, p->min);
        if (p->zero_allowed)
            expect_accepted(p, 0.0);
        expect_accepted(p, 0.5 * (p->min + p->max));
    }
}

static void values_out_of_range_are_refused_by_name(void **state)
{
    (void)state;
    for (int i = 0; i < N_PROMISES; i++) {
        const promise *p = &promises[i];
        expect_refused(p, nextafter(p->max, HUGE_VAL), WEFT_ERROR_RANGE);
        expect_refused(p, nextafter(p->min, -HUGE_VAL), WEFT_ERROR_RANGE);
        expect_refused(p, -1.0, WEFT_ERROR_RANGE);
        if (!p->min_allowed)
            expect_refused(p, p->min, WEFT_ERROR_RANGE);
        if (!p->zero_allowed)
            expect_refused(p, 0.0, WEFT_ERROR_RANGE);
    }
}

static void nan_and_infinity_are_refused_by_name(void **state)
{
    (void)state;
    for (int i = 0; i < N_PROMISES; i++) {
        expect_refused(&promises[i], (double)NAN, WEFT_ERROR_NOT_FINITE);
        expect_refused(&promises[i], HUGE_VAL, WEFT_ERROR_NOT_FINITE);
        expect_refused(&promises[i], -HUGE_VAL, WEFT_ERROR_NOT_FINITE);
    }
}

static void another_struct_size_is_refused(void **state)
{
    (void)state;
    weft_fabric f = weft_fabric_default();
    weft_error e;
    f.struct_size = 0;
    assert_int_equal(weft_fabric_check(&f, &e), WEFT_ERROR_STRUCT_SIZE);
    f.struct_size = sizeof f + 8;
    assert_int_equal(weft_fabric_check(&f, &e), WEFT_ERROR_STRUCT_SIZE);
    assert_non_null(strstr(e.text, "struct_size"));
    assert_int_equal(weft_fabric_check(NULL, &e), WEFT_ERROR_ARGUMENT);
}

static weft_fabric library_fabric(int32_t i)
{
    weft_fabric f;
    weft_error e;
    assert_int_equal(weft_fabric_find(weft_fabric_name(i), &f, &e), WEFT_OK);
    return f;
}

static void library_fabrics_are_valid_and_say_their_source(void **state)
{
    (void)state;
    assert_true(weft_fabric_count() >= 12);
    for (int32_t i = 0; i < weft_fabric_count(); i++) {
        weft_fabric f = library_fabric(i);
        weft_error e = {0};
        if (weft_fabric_check(&f, &e) != WEFT_OK)
            fail_msg("%s: %s", weft_fabric_name(i), e.text);
        assert_true(strlen(weft_fabric_source(i)) > 40);
        /* Cloth that weighs nothing on its scale of stiffness, or bends like a board, would be a slip of a unit. */
        assert_in_range((int)(1000 * f.density), 30, 2000);
        assert_in_range((int)(1e6 * f.thickness), 100, 3000);
        assert_true(f.bending_warp > 1e-7 && f.bending_warp < 1e-2 && f.bending_weft > 1e-7);
        /* No fabric bends more stiffly than the solid plate of its stretch stiffness, times the 100 that the spread of
         * constructions allows. */
        assert_true(f.bending_warp < 100 * f.stretch_warp * f.thickness * f.thickness / 12);
    }
}

static void library_names_are_unique(void **state)
{
    (void)state;
    for (int32_t i = 0; i < weft_fabric_count(); i++)
        for (int32_t k = 0; k < i; k++)
            assert_string_not_equal(weft_fabric_name(i), weft_fabric_name(k));
}

static void indices_outside_the_library_give_null(void **state)
{
    (void)state;
    static const int32_t outside[] = {-1, INT32_MIN, INT32_MAX};
    for (int i = 0; i < 3; i++) {
        assert_null(weft_fabric_name(outside[i]));
        assert_null(weft_fabric_source(outside[i]));
    }
    assert_null(weft_fabric_name(weft_fabric_count()));
    assert_null(weft_fabric_source(weft_fabric_count()));
}

static void an_unknown_name_is_not_found_and_changes_nothing(void **state)
{
    (void)state;
    weft_fabric f, before;
    memset(&f, 0x5A, sizeof f);
    before = f;
    weft_error e;
    assert_int_equal(weft_fabric_find("chain mail", &f, &e), WEFT_ERROR_NOT_FOUND);
    assert_non_null(strstr(e.text, "chain mail"));
    assert_int_equal(weft_fabric_find("Cotton", &f, NULL), WEFT_ERROR_NOT_FOUND);
    assert_int_equal(weft_fabric_find("", &f, NULL), WEFT_ERROR_NOT_FOUND);
    assert_int_equal(weft_fabric_find(NULL, &f, NULL), WEFT_ERROR_ARGUMENT);
    assert_memory_equal(&f, &before, sizeof f);
    assert_int_equal(weft_fabric_find("cotton", NULL, NULL), WEFT_ERROR_ARGUMENT);
}

/* Penava 2014 as tabulated: 0.1503 kg/m², 821 kPa · 0.318 mm, ν 0.243, limit 1.0608. Products of two decimals. */
static void cotton_is_the_measured_one(void **state)
{
    (void)state;
    weft_fabric f;
    assert_int_equal(weft_fabric_find("cotton", &f, NULL), WEFT_OK);
    assert_true(f.density == 0.1503 && f.poisson == 0.243 && f.thickness == 3.18e-4 && f.stretch_limit == 1.0608);
    assert_true(fabs(f.stretch_warp - 261.078) < 1e-9 && f.stretch_weft == f.stretch_warp);
    assert_true(fabs(f.bending_warp - 4.903325e-6) < 1e-18); /* 0.05 gf·cm²/cm */
    assert_true(fabs(f.shear - 56.18796) < 1e-4);            /* 1 gf/(cm·degree) */
}

/* ν is written in the table to three digits; the rest follows from a11, a12, a22 (here of denim, MPa, 0.66 mm). */
static void clyde_moduli_are_converted_consistently(void **state)
{
    (void)state;
    weft_fabric f;
    assert_int_equal(weft_fabric_find("denim", &f, NULL), WEFT_OK);
    const double h = 6.6e-4, a11 = 4.793e6, a12 = 4.515e6, a22 = 9.029e6;
    double nu = a12 / sqrt(a11 * a22);
    assert_true(fabs(f.poisson - nu) < 5e-4);
    /* the membrane's c11 = E₁/(1 − ν²) and c12 = ν √(E₁E₂)/(1 − ν²) must be a11 h and a12 h again */
    assert_true(fabs(f.stretch_warp / (1 - nu * nu) / (a11 * h) - 1) < 1e-14);
    assert_true(fabs(f.stretch_weft / (1 - nu * nu) / (a22 * h) - 1) < 1e-14);
    assert_true(fabs(nu * sqrt(f.stretch_warp * f.stretch_weft) / (1 - nu * nu) / (a12 * h) - 1) < 1e-14);
}

/* Square cells: e₁ + G e₂/(e₂ + G) = E₁ and the same with 1 and 2 swapped have a solution without negative springs if
 * and only if E₂ ≥ G E₁/(E₁ + G) and the same swapped. */
static void springs_can_represent_every_fabric(void **state)
{
    (void)state;
    for (int32_t i = 0; i < weft_fabric_count(); i++) {
        weft_fabric f = library_fabric(i);
        double e1 = f.stretch_warp, e2 = f.stretch_weft, g = f.shear;
        assert_true(e2 >= g * e1 / (e1 + g));
        assert_true(e1 >= g * e2 / (e2 + g));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_has_the_promised_values),
        cmocka_unit_test(range_ends_are_accepted),
        cmocka_unit_test(values_out_of_range_are_refused_by_name),
        cmocka_unit_test(nan_and_infinity_are_refused_by_name),
        cmocka_unit_test(another_struct_size_is_refused),
        cmocka_unit_test(library_fabrics_are_valid_and_say_their_source),
        cmocka_unit_test(library_names_are_unique),
        cmocka_unit_test(indices_outside_the_library_give_null),
        cmocka_unit_test(an_unknown_name_is_not_found_and_changes_nothing),
        cmocka_unit_test(cotton_is_the_measured_one),
        cmocka_unit_test(clyde_moduli_are_converted_consistently),
        cmocka_unit_test(springs_can_represent_every_fabric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
