/* SPDX-License-Identifier: MIT */
/* Signs of orientation against GMP. Quick: 400,000 of each predicate; with WEFT_LONG=1 ten million. */
/* ctest: labels=determinism timeout=600 */
/* links: gmp */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "math/point_kit.h"
#include "math/predicate.h"
#include "math/rational.h"

static int64_t how_many(int64_t quick)
{
    return getenv("WEFT_LONG") ? 25 * quick : quick;
}

/* ---- integers by GMP: the coordinates in units of the smallest bit of any of them ------------------------------ */

static int lowest_exponent(const double *c, int n)
{
    int lowest = 2000;
    for (int i = 0; i < n; i++) {
        int e;
        frexp(c[i], &e);
        if (c[i] != 0.0 && e - 53 < lowest)
            lowest = e - 53;
    }
    return lowest;
}

static void to_integer(mpz_t out, double c, int lowest)
{
    int e;
    double m = frexp(c, &e);
    mpz_set_d(out, m * 0x1p53);
    if (c != 0.0)
        mpz_mul_2exp(out, out, (mp_bitcnt_t)(e - 53 - lowest));
}

typedef struct integers {
    mpz_t x[4][3];
    mpz_t t[3];
} integers;

static void integers_init(integers *z)
{
    for (int i = 0; i < 12; i++)
        mpz_init(z->x[i / 3][i % 3]);
    for (int i = 0; i < 3; i++)
        mpz_init(z->t[i]);
}

static void integers_clear(integers *z)
{
    for (int i = 0; i < 12; i++)
        mpz_clear(z->x[i / 3][i % 3]);
    for (int i = 0; i < 3; i++)
        mpz_clear(z->t[i]);
}

/* The first point off the others. */
static void integers_set(integers *z, const double *c, int n_points, int dim)
{
    int lowest = lowest_exponent(c, n_points * dim);
    for (int i = 0; i < n_points; i++)
        for (int k = 0; k < dim; k++) {
            to_integer(z->x[i][k], c[dim * i + k], lowest);
            if (i > 0)
                mpz_sub(z->x[i][k], z->x[i][k], z->x[0][k]);
        }
}

static void minor_of(integers *z, mpz_t out, int i, int k, int j, int l)
{
    mpz_mul(out, z->x[i][k], z->x[j][l]);
    mpz_submul(out, z->x[i][l], z->x[j][k]);
}

static int gmp_orient3d(integers *z, const vec3 x[4])
{
    double c[12];
    for (int i = 0; i < 4; i++)
        c[3 * i] = x[i].x, c[3 * i + 1] = x[i].y, c[3 * i + 2] = x[i].z;
    integers_set(z, c, 4, 3);
    mpz_set_ui(z->t[0], 0);
    for (int k = 0; k < 3; k++) {
        minor_of(z, z->t[1], 1, (k + 1) % 3, 2, (k + 2) % 3);
        mpz_addmul(z->t[0], z->t[1], z->x[3][k]);
    }
    return mpz_sgn(z->t[0]);
}

static int gmp_orient2d(integers *z, vec2 a, vec2 b, vec2 c)
{
    double all[6] = {a.u, a.v, b.u, b.v, c.u, c.v};
    integers_set(z, all, 3, 2);
    minor_of(z, z->t[0], 1, 0, 2, 1);
    return mpz_sgn(z->t[0]);
}

/* ---- the tests ------------------------------------------------------------------------------------------------- */

static void orient3d_equals_gmp_on_all_kinds_of_points(void **state)
{
    (void)state;
    integers z;
    integers_init(&z);
    int64_t n = how_many(400000) / POINTS_CLASSES + 1, total = 0;
    for (int class = 0; class < POINTS_CLASSES; class ++) {
        uint64_t random = 11 + (uint64_t) class;
        int64_t decided = 0, zeros = 0, wrong = 0;
        for (int64_t i = 0; i < n; i++) {
            vec3 x[4];
            points_make(&random, class, x, 4);
            int expected = gmp_orient3d(&z, x), filter = predicate_filter3d(x[0], x[1], x[2], x[3]);
            wrong += predicate_orient3d(x[0], x[1], x[2], x[3]) != expected;
            wrong += predicate_exact3d(x[0], x[1], x[2], x[3]) != expected;
            wrong += filter != PREDICATE_UNSURE && filter != expected;
            decided += filter != PREDICATE_UNSURE;
            zeros += expected == 0;
        }
        printf("orient3d  %-16s %8lld: filter decides %8.4f %%, zero %7.3f %%, wrong %lld\n", points_name(class),
               (long long)n, 100.0 * (double)decided / (double)n, 100.0 * (double)zeros / (double)n, (long long)wrong);
        assert_int_equal(wrong, 0);
        if (class == POINTS_RANDOM)
            assert_true((double)decided >= 0.999 * (double)n);
        total += n;
    }
    printf("orient3d  %lld in all\n", (long long)total);
    integers_clear(&z);
}

static void orient2d_equals_gmp_on_all_kinds_of_points(void **state)
{
    (void)state;
    integers z;
    integers_init(&z);
    int64_t n = how_many(400000) / POINTS_CLASSES + 1;
    for (int class = 0; class < POINTS_CLASSES; class ++) {
        uint64_t random = 111 + (uint64_t) class;
        int64_t decided = 0, zeros = 0, wrong = 0;
        for (int64_t i = 0; i < n; i++) {
            vec3 x[4];
            points_make(&random, class, x, 4);
            vec2 a = predicate_drop(x[0], 0), b = predicate_drop(x[1], 0), c = predicate_drop(x[3], 0);
            if (class == POINTS_NEAR_PLANE || class == POINTS_STORED) /* the third near the line of the others */
                c = predicate_drop(point_near_plane(&random, x[0], x[1], x[1]), 0);
            int expected = gmp_orient2d(&z, a, b, c), filter = predicate_filter2d(a, b, c);
            wrong += predicate_orient2d(a, b, c) != expected;
            wrong += predicate_exact2d(a, b, c) != expected;
            wrong += filter != PREDICATE_UNSURE && filter != expected;
            decided += filter != PREDICATE_UNSURE;
            zeros += expected == 0;
        }
        printf("orient2d  %-16s %8lld: filter decides %8.4f %%, zero %7.3f %%, wrong %lld\n", points_name(class),
               (long long)n, 100.0 * (double)decided / (double)n, 100.0 * (double)zeros / (double)n, (long long)wrong);
        assert_int_equal(wrong, 0);
        if (class == POINTS_RANDOM)
            assert_true((double)decided >= 0.999 * (double)n);
    }
    integers_clear(&z);
}

static void orientation_means_what_the_header_says(void **state)
{
    (void)state;
    vec3 o = v3(0, 0, 0), x = v3(1, 0, 0), y = v3(0, 1, 0);
    assert_int_equal(predicate_orient3d(o, x, y, v3(0.2, 0.2, 1)), 1);
    assert_int_equal(predicate_orient3d(o, x, y, v3(9, 9, -0x1p-1074)), -1);
    assert_int_equal(predicate_orient3d(o, x, y, v3(0x1p1023, -0x1p1023, -0.0)), 0);
    assert_int_equal(predicate_orient2d((vec2){0, 0}, (vec2){1, 0}, (vec2){0.5, 0x1p-1074}), 1);
    for (int axis = 0; axis < 3; axis++) {
        int found = -1;
        vec3 unit = axis == 0 ? v3(1, 0, 0) : axis == 1 ? v3(0, 1, 0) : v3(0, 0, 1);
        vec3 a = v3_cross(unit, v3(0.3, 0.4, 0.5)), b = v3_cross(unit, a); /* in the plane across `axis` */
        assert_false(predicate_is_collinear(o, a, b, &found));
        assert_int_equal(found, axis);
        assert_true(predicate_is_collinear(o, a, v3_scale(-2, a), &found));
        assert_true(predicate_is_collinear(a, a, a, &found));
    }
}

/* The shift made real: with integer coordinates within ±2 every minor is an integer below 4³·6, there are fewer than
 * 64 terms, and each of them is at least 2²⁰ times smaller than the one before. */
static int gmp_shifted(const vec3 x[4], const int32_t rank[4])
{
    rational3 r[4];
    mpq_t shift;
    mpq_init(shift);
    for (int i = 0; i < 4; i++) {
        r3_init(&r[i]);
        r3_set(&r[i], x[i]);
        for (int k = 0; k < 3; k++) {
            mpq_set_ui(shift, 1, 1);
            mpq_div_2exp(shift, shift, (mp_bitcnt_t)20 << (3 * rank[i] + k));
            mpq_add(r[i].c[k], r[i].c[k], shift);
        }
    }
    int sign = r3_orient(&r[0], &r[1], &r[2], &r[3]);
    for (int i = 0; i < 4; i++)
        r3_clear(&r[i]);
    mpq_clear(shift);
    return sign;
}

static void the_simulated_shift_equals_a_real_one(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int64_t i = 0; i < how_many(2000); i++) {
        vec3 x[4];
        int32_t rank[4] = {0, 1, 2, 3}, index[4];
        for (int k = 0; k < 4; k++)
            x[k] = point_grid(&random, i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : 2);
        for (int k = 3; k > 0; k--) {
            int j = point_below(&random, k + 1);
            int32_t t = rank[k];
            rank[k] = rank[j], rank[j] = t;
        }
        for (int k = 0; k < 4; k++)
            index[k] = 1000 * rank[k] + 7;
        assert_int_equal(predicate_orient3d_sos(x, index), gmp_shifted(x, rank));
    }
}

static void swapping_two_points_flips_the_simulated_sign(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (int64_t n = 0; n < how_many(20000); n++) {
        vec3 x[4], y[4];
        int32_t index[4] = {4, 9, 2, 7}, swapped[4];
        for (int k = 0; k < 4; k++)
            x[k] = point_grid(&random, 1);
        int i = point_below(&random, 4), j = (i + 1 + point_below(&random, 3)) % 4;
        for (int k = 0; k < 4; k++) {
            int from = k == i ? j : k == j ? i : k;
            y[k] = x[from], swapped[k] = index[from];
        }
        int sign = predicate_orient3d_sos(x, index);
        assert_true(sign == 1 || sign == -1);
        assert_int_equal(predicate_orient3d_sos(y, swapped), -sign);
    }
}

/* In general position a closed loop goes out of a closed surface as often as in. Points on a grid of 27 places:
 * nearly all cases are degenerate, many all over. */
static void closed_loops_cross_closed_surfaces_evenly(void **state)
{
    (void)state;
    static const int faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    uint64_t random = 7;
    int64_t crossings = 0;
    for (int64_t n = 0; n < how_many(5000); n++) {
        vec3 surface[6], loop[4];
        for (int i = 0; i < 6; i++)
            surface[i] = point_grid(&random, 1);
        for (int i = 0; i < 4; i++)
            loop[i] = point_grid(&random, 1);
        int sum = 0;
        for (int e = 0; e < 4; e++)
            for (int f = 0; f < 8; f++) {
                const int *t = faces[f];
                int e1 = (e + 1) % 4;
                const vec3 x[5] = {loop[e], loop[e1], surface[t[0]], surface[t[1]], surface[t[2]]};
                const int32_t index[5] = {3 * e, 3 * e1, 3 * t[0] + 1, 3 * t[1] + 1, 3 * t[2] + 1};
                int c = predicate_crosses_sos(x, index);
                sum += c;
                crossings += c != 0;
            }
        assert_int_equal(sum, 0);
    }
    assert_true(crossings > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orient3d_equals_gmp_on_all_kinds_of_points),
        cmocka_unit_test(orient2d_equals_gmp_on_all_kinds_of_points),
        cmocka_unit_test(orientation_means_what_the_header_says),
        cmocka_unit_test(the_simulated_shift_equals_a_real_one),
        cmocka_unit_test(swapping_two_points_flips_the_simulated_sign),
        cmocka_unit_test(closed_loops_cross_closed_surfaces_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
