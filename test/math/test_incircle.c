/* SPDX-License-Identifier: MIT */
/* The in-circle sign against rational arithmetic. Quick: 40,000 cases; with WEFT_LONG=1 a million. */
/* links: gmp */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gmp.h>

#include "math/incircle.h"
#include "math/point_kit.h"

/* det | au av au²+av²; bu bv …; cu cv … | with differences to d, as written. */
static int rational_incircle(const vec2 p[4])
{
    mpq_t x[3][3], t[4];
    for (int i = 0; i < 9; i++)
        mpq_init(x[i / 3][i % 3]);
    for (int i = 0; i < 4; i++)
        mpq_init(t[i]);
    for (int i = 0; i < 3; i++) {
        mpq_set_d(t[0], p[i].u);
        mpq_set_d(t[1], p[3].u);
        mpq_sub(x[i][0], t[0], t[1]);
        mpq_set_d(t[0], p[i].v);
        mpq_set_d(t[1], p[3].v);
        mpq_sub(x[i][1], t[0], t[1]);
        mpq_mul(t[0], x[i][0], x[i][0]);
        mpq_mul(t[1], x[i][1], x[i][1]);
        mpq_add(x[i][2], t[0], t[1]);
    }
    mpq_set_ui(t[3], 0, 1);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpq_mul(t[0], x[j][0], x[k][1]);
        mpq_mul(t[1], x[j][1], x[k][0]);
        mpq_sub(t[2], t[0], t[1]);
        mpq_mul(t[0], t[2], x[i][2]);
        mpq_add(t[3], t[3], t[0]);
    }
    int sign = mpq_sgn(t[3]);
    for (int i = 0; i < 9; i++)
        mpq_clear(x[i / 3][i % 3]);
    for (int i = 0; i < 4; i++)
        mpq_clear(t[i]);
    return sign;
}

/* Anywhere; on a small grid, where ties are common; on a circle but for the last bits; far from the origin. */
static void make_case(uint64_t *state, int kind, vec2 p[4])
{
    for (int i = 0; i < 4; i++) {
        vec3 q = kind == 1 ? point_grid(state, 3) : point_random(state);
        p[i] = (vec2){q.x, q.y};
        if (kind == 2 || kind == 3) {
            double l = sqrt(q.x * q.x + q.y * q.y);
            p[i] = (vec2){q.x / l, q.y / l};
        }
        if (kind == 3)
            p[i] = (vec2){p[i].u + 0x1p20, p[i].v - 0x1p30};
    }
}

static void signs_are_those_of_rational_numbers(void **unused)
{
    (void)unused;
    uint64_t state = 88172645463325252u;
    int n = getenv("WEFT_LONG") ? 1000000 : 40000, zeros = 0;
    for (int i = 0; i < n; i++) {
        vec2 p[4];
        make_case(&state, i % 4, p);
        int expected = rational_incircle(p);
        zeros += expected == 0;
        assert_int_equal(predicate_incircle(p[0], p[1], p[2], p[3]), expected);
        assert_int_equal(predicate_incircle_exact(p[0], p[1], p[2], p[3]), expected);
        assert_int_equal(predicate_incircle(p[1], p[0], p[2], p[3]), -expected);
    }
    assert_true(zeros > n / 40);
}

static void the_middle_of_a_circle_is_inside(void **unused)
{
    (void)unused;
    vec2 a = {1, 0}, b = {0, 1}, c = {-1, 0};
    assert_int_equal(predicate_incircle(a, b, c, (vec2){0, 0}), 1);
    assert_int_equal(predicate_incircle(a, b, c, (vec2){0, -1}), 0);
    assert_int_equal(predicate_incircle(a, b, c, (vec2){0, -1 - 0x1p-52}), -1);
    assert_int_equal(predicate_incircle(a, b, c, (vec2){0x1p-190, -1}), 0 - (0x1p-190 != 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_are_those_of_rational_numbers),
        cmocka_unit_test(the_middle_of_a_circle_is_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
