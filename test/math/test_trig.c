/* SPDX-License-Identifier: MIT */
/* The reference is the C library's long double. Where that is no wider than double (or, on Windows, reduces angles
 * badly) the accuracy tests are skipped; the golden hash still ties those platforms to the ones where they ran. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "math/trig.h"

#if LDBL_MANT_DIG >= 64 && !defined(_WIN32)
#define HAVE_REFERENCE 1
#else
#define HAVE_REFERENCE 0
#endif

enum { N_RANDOM = 1000000 };

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(random_bits(state) >> 11) * 0x1p-53;
}

/* ± 2^u, u uniform, built from bits, so that no C library takes part. */
static double any_size(uint64_t *state, int low_exponent, int high_exponent)
{
    uint64_t r = random_bits(state);
    uint64_t span = (uint64_t)(high_exponent - low_exponent);
    uint64_t exponent = (uint64_t)(low_exponent + 1023) + random_bits(state) % span;
    uint64_t bits = (r & UINT64_C(0x800fffffffffffff)) | exponent << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A double within a few ulps of a multiple of π/2: where reduction has to be right. */
static double near_multiple(uint64_t *state)
{
    double k = (double)(random_bits(state) % 636619);
    double x = k * (WEFT_PI / 2);
    int n = (int)(random_bits(state) % 7) - 3;
    for (int i = 0; i < (n < 0 ? -n : n); i++)
        x = nextafter(x, n < 0 ? -2e6 : 2e6);
    return x;
}

static double angle_of_kind(uint64_t *state, int kind)
{
    switch (kind) {
    case 0: return uniform(state, -1e6, 1e6);
    case 1: return uniform(state, -10.0, 10.0);
    case 2: return near_multiple(state);
    default: return any_size(state, -1022, 19);
    }
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

#if HAVE_REFERENCE

static double error_in_ulps(double value, long double reference)
{
    double nearest = fabs((double)reference);
    double ulp = nextafter(nearest, HUGE_VAL) - nearest;
    return (double)(fabsl((long double)value - reference) / (long double)ulp);
}

static void note_worst(double *worst, double *where, double error, double x)
{
    if (!(error <= *worst)) {
        *worst = error;
        *where = x;
    }
}

static void check_function(const char *name, double (*f)(double), long double (*reference)(long double),
                           double (*argument)(uint64_t *, int), int n_kinds)
{
    uint64_t state = 1;
    double worst = 0.0, where = 0.0;
    for (int kind = 0; kind < n_kinds; kind++)
        for (int i = 0; i < N_RANDOM; i++) {
            double x = argument(&state, kind);
            note_worst(&worst, &where, error_in_ulps(f(x), reference((long double)x)), x);
        }
    printf("%s: largest error %.3f ulp, at %a\n", name, worst, where);
    assert_true(worst <= 2.0);
}

static void sin_is_within_two_ulps(void **state)
{
    (void)state;
    check_function("sin", weft_sin, sinl, angle_of_kind, 4);
}

static void cos_is_within_two_ulps(void **state)
{
    (void)state;
    check_function("cos", weft_cos, cosl, angle_of_kind, 4);
}

static double exponent_of_kind(uint64_t *state, int kind)
{
    switch (kind) {
    case 0: return uniform(state, -708.0, 709.78);
    case 1: return uniform(state, -2.0, 2.0);
    case 2: return uniform(state, -745.0, -708.0); /* subnormal results */
    default: return any_size(state, -1022, 9);
    }
}

static void exp_is_within_two_ulps(void **state)
{
    (void)state;
    check_function("exp", weft_exp, expl, exponent_of_kind, 4);
}

static void point_of_kind(uint64_t *state, int kind, double *y, double *x)
{
    *x = kind == 0 ? uniform(state, -1.0, 1.0) : any_size(state, kind == 1 ? -8 : -1000, kind == 1 ? 8 : 1000);
    *y = kind == 0 ? uniform(state, -1.0, 1.0) : any_size(state, kind == 1 ? -8 : -1000, kind == 1 ? 8 : 1000);
    if (kind == 3) /* on and next to the diagonals and the borders between table entries, (2i + 1)/16 */
        *y = nextafter(*x * (double)(random_bits(state) % 17) / 16.0, uniform(state, -1.0, 1.0));
}

static void atan2_is_within_two_ulps(void **state)
{
    (void)state;
    uint64_t random = 2;
    double worst = 0.0, worst_y = 0.0, worst_x = 0.0;
    for (int i = 0; i < 4 * N_RANDOM; i++) {
        double x, y;
        point_of_kind(&random, i % 4, &y, &x);
        double error = error_in_ulps(weft_atan2(y, x), atan2l((long double)y, (long double)x));
        note_worst(&worst, &worst_y, error, y);
        if (same_bits(worst_y, y))
            worst_x = x;
    }
    printf("atan2: largest error %.3f ulp, at %a, %a\n", worst, worst_y, worst_x);
    assert_true(worst <= 2.0);
}

#endif

static void sin_is_odd_and_cos_is_even_to_the_bit(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 100000; i++) {
        double x = angle_of_kind(&random, i % 4);
        assert_true(same_bits(weft_sin(-x), -weft_sin(x)));
        assert_true(same_bits(weft_cos(-x), weft_cos(x)));
    }
}

static void atan2_is_symmetric_to_the_bit(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int i = 0; i < 100000; i++) {
        double x = any_size(&random, -20, 20), y = any_size(&random, -20, 20);
        assert_true(same_bits(weft_atan2(-y, x), -weft_atan2(y, x)));
        assert_true(same_bits(weft_atan2(y, 4.0 * x), weft_atan2(0.25 * y, x)));
    }
}

static void sin_and_cos_of_special_values(void **state)
{
    (void)state;
    assert_true(same_bits(weft_sin(0.0), 0.0));
    assert_true(same_bits(weft_sin(-0.0), -0.0));
    assert_true(weft_cos(0.0) == 1.0);
    assert_true(weft_sin(0x1p-1074) == 0x1p-1074);
    assert_true(weft_sin(1e-300) == 1e-300);
    assert_true(weft_cos(1e-300) == 1.0);
    assert_true(weft_sin(WEFT_PI / 2) == 1.0);
    assert_true(weft_cos(WEFT_PI) == -1.0);
    assert_true(weft_sin(WEFT_PI) == 0x1.1a62633145c07p-53); /* what the double lacks of π */
}

static void angles_out_of_range_give_nan(void **state)
{
    (void)state;
    double bad[] = {1.1e6, -1.1e6, 1e300, HUGE_VAL, -HUGE_VAL, (double)NAN};
    for (int i = 0; i < 6; i++) {
        assert_true(isnan(weft_sin(bad[i])));
        assert_true(isnan(weft_cos(bad[i])));
    }
    assert_true(isfinite(weft_sin(1e6)) && isfinite(weft_cos(-1e6)));
}

static void atan2_of_axes_and_diagonals_is_exact(void **state)
{
    (void)state;
    static const double cases[][3] = {
        {0.0, 1.0, 0.0},
        {-0.0, 1.0, -0.0},
        {0.0, -1.0, WEFT_PI},
        {-0.0, -1.0, -WEFT_PI},
        {1.0, 0.0, WEFT_PI / 2},
        {1.0, -0.0, WEFT_PI / 2},
        {-1.0, 0.0, -WEFT_PI / 2},
        {3.0, 3.0, WEFT_PI / 4},
        {3.0, -3.0, 3 * WEFT_PI / 4},
        {-3.0, -3.0, -3 * WEFT_PI / 4},
        {1e-300, -1.0, WEFT_PI},
        {1.0, 1e-300, WEFT_PI / 2},
        {HUGE_VAL, 1.0, WEFT_PI / 2},
        {1.0, HUGE_VAL, 0.0},
        {1.0, -HUGE_VAL, WEFT_PI},
        {HUGE_VAL, HUGE_VAL, WEFT_PI / 4},
        {-HUGE_VAL, -HUGE_VAL, -3 * WEFT_PI / 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(same_bits(weft_atan2(cases[i][0], cases[i][1]), cases[i][2]));
}

static void atan2_of_the_origin_is_zero(void **state)
{
    (void)state;
    assert_true(same_bits(weft_atan2(0.0, 0.0), 0.0));
    assert_true(same_bits(weft_atan2(0.0, -0.0), 0.0)); /* not π: a vector without direction turns nothing */
    assert_true(same_bits(weft_atan2(-0.0, -0.0), -0.0));
}

static void nan_goes_through(void **state)
{
    (void)state;
    assert_true(isnan(weft_atan2((double)NAN, 1.0)));
    assert_true(isnan(weft_atan2(1.0, (double)NAN)));
    assert_true(isnan(weft_exp((double)NAN)));
}

static void exp_saturates(void **state)
{
    (void)state;
    assert_true(weft_exp(0.0) == 1.0);
    assert_true(weft_exp(HUGE_VAL) == HUGE_VAL);
    assert_true(weft_exp(-HUGE_VAL) == 0.0);
    assert_true(weft_exp(709.79) == HUGE_VAL); /* ln of the largest double is 709.7827… */
    assert_true(isfinite(weft_exp(709.78)));
    assert_true(weft_exp(-745.2) == 0.0); /* ln of half the smallest double is −745.13… */
    assert_true(weft_exp(-745.0) == 0x1p-1074);
    assert_true(weft_exp(1e300) == HUGE_VAL && weft_exp(-1e300) == 0.0);
}

/* The same number with every compiler, optimisation, C library and target; a change here changes every scene. */
static void results_have_the_golden_hash(void **state)
{
    (void)state;
    const uint64_t golden = UINT64_C(0x2b34fe10b6bb2868);
    uint64_t random = 5, h = HASH_START;
    for (int i = 0; i < 100000; i++) {
        double a = any_size(&random, -30, 19), b = any_size(&random, -30, 9);
        double r[4] = {weft_sin(a), weft_cos(a), weft_atan2(a, b), weft_exp(b)};
        uint64_t bits[4];
        memcpy(bits, r, sizeof bits);
        unsigned char bytes[32];
        for (int j = 0; j < 32; j++)
            bytes[j] = (unsigned char)(bits[j / 8] >> 8 * (j % 8));
        h = hash_bytes(h, bytes, sizeof bytes);
    }
    if (h != golden)
        print_error("hash is 0x%016llx\n", (unsigned long long)h);
    assert_true(h == golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#if HAVE_REFERENCE
        cmocka_unit_test(sin_is_within_two_ulps),
        cmocka_unit_test(cos_is_within_two_ulps),
        cmocka_unit_test(exp_is_within_two_ulps),
        cmocka_unit_test(atan2_is_within_two_ulps),
#endif
        cmocka_unit_test(sin_is_odd_and_cos_is_even_to_the_bit),
        cmocka_unit_test(atan2_is_symmetric_to_the_bit),
        cmocka_unit_test(sin_and_cos_of_special_values),
        cmocka_unit_test(angles_out_of_range_give_nan),
        cmocka_unit_test(atan2_of_axes_and_diagonals_is_exact),
        cmocka_unit_test(atan2_of_the_origin_is_zero),
        cmocka_unit_test(nan_goes_through),
        cmocka_unit_test(exp_saturates),
        cmocka_unit_test(results_have_the_golden_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
