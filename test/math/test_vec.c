/* SPDX-License-Identifier: MIT */
/* Most claims are checked on small whole numbers, where double arithmetic is exact and so is the comparison. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/vec.h"

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static double whole(uint64_t *state)
{
    return (double)(next(state) % 19) - 9.0;
}

static double uniform(uint64_t *state)
{
    return (double)next(state) * 0x1p-30 - 1.0;
}

static vec3 whole_vec(uint64_t *state)
{
    return v3(whole(state), whole(state), whole(state));
}

static mat3 whole_mat(uint64_t *state)
{
    mat3 a;
    for (int i = 0; i < 9; i++)
        a.m[i] = whole(state);
    return a;
}

static bool v3_equal(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool m3_equal(mat3 a, mat3 b)
{
    for (int i = 0; i < 9; i++)
        if (a.m[i] != b.m[i])
            return false;
    return true;
}

static void sums_and_multiples_are_by_component(void **state)
{
    (void)state;
    vec3 a = v3(1, 2, 3), b = v3(-4, 0, 8);
    assert_true(v3_equal(v3_add(a, b), v3(-3, 2, 11)));
    assert_true(v3_equal(v3_sub(a, b), v3(5, 2, -5)));
    assert_true(v3_equal(v3_scale(-2, a), v3(-2, -4, -6)));
    assert_true(v3_equal(v3_neg(b), v3(4, 0, -8)));
    assert_true(v3_equal(v3_madd(a, 0.5, b), v3(-1, 2, 7)));
    assert_true(v3_equal(v3_zero(), v3(0, 0, 0)));
}

static void lengths_are_right(void **state)
{
    (void)state;
    assert_true(v3_dot(v3(1, 2, 3), v3(4, -5, 6)) == 12.0);
    assert_true(v3_len_sq(v3(2, 3, 6)) == 49.0);
    assert_true(v3_len(v3(2, 3, 6)) == 7.0);
    assert_true(v3_max_abs(v3(2, -7, 6)) == 7.0);
    assert_true(v3_max_abs(v3(-8, -7, 6)) == 8.0);
    assert_true(v3_max_abs(v3(0, -7, 9)) == 9.0);
}

static void cross_products_are_right_handed_and_orthogonal(void **state)
{
    (void)state;
    assert_true(v3_equal(v3_cross(v3(1, 0, 0), v3(0, 1, 0)), v3(0, 0, 1)));
    assert_true(v3_equal(v3_cross(v3(0, 1, 0), v3(0, 0, 1)), v3(1, 0, 0)));
    uint64_t random = 1;
    for (int i = 0; i < 1000; i++) {
        vec3 a = whole_vec(&random), b = whole_vec(&random), c = v3_cross(a, b);
        assert_true(v3_dot(a, c) == 0.0 && v3_dot(b, c) == 0.0);
        assert_true(v3_equal(c, v3_neg(v3_cross(b, a))));
        double d = v3_dot(a, b); /* Lagrange's identity */
        assert_true(v3_len_sq(c) == v3_len_sq(a) * v3_len_sq(b) - d * d);
        assert_true(v3_equal(m3_mul_v(m3_skew(a), b), c));
    }
}

static void units_have_length_one_or_are_replaced(void **state)
{
    (void)state;
    uint64_t random = 2;
    vec3 other = v3(7, 8, 9);
    for (int i = 0; i < 1000; i++) {
        vec3 a = v3_scale(i % 2 ? 1e-100 : 1e100, v3(1.5 + uniform(&random), uniform(&random), uniform(&random)));
        /* Length, reciprocal, product, length again: some 8 roundings of 2⁻⁵³. */
        assert_true(fabs(v3_len(v3_unit_or(a, other)) - 1.0) <= 0x1p-50);
    }
    assert_true(v3_equal(v3_unit_or(v3(0, 0, 0), other), other));
    assert_true(v3_equal(v3_unit_or(v3(1e-200, 0, 0), other), other));
    assert_true(v3_equal(v3_unit_or(v3((double)NAN, 0, 0), other), other));
    assert_true(v3_equal(v3_unit_or(v3(0, -4, 0), other), v3(0, -1, 0)));
}

static void finiteness_sees_every_component(void **state)
{
    (void)state;
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    assert_true(v3_is_finite(v3(1, -2, 1e308)));
    for (int i = 0; i < 3; i++) {
        assert_false(v3_is_finite(v3(bad[i], 0, 0)));
        assert_false(v3_is_finite(v3(0, bad[i], 0)));
        assert_false(v3_is_finite(v3(0, 0, bad[i])));
    }
}

static void outer_products_have_rows_and_columns_right(void **state)
{
    (void)state;
    mat3 expected = {{4, 5, 6, 8, 10, 12, 12, 15, 18}};
    assert_true(m3_equal(m3_outer(v3(1, 2, 3), v3(4, 5, 6)), expected));
    uint64_t random = 3;
    for (int i = 0; i < 1000; i++) {
        vec3 a = whole_vec(&random), b = whole_vec(&random), c = whole_vec(&random);
        assert_true(v3_equal(m3_mul_v(m3_outer(a, b), c), v3_scale(v3_dot(b, c), a)));
        assert_true(m3_equal(m3_outer(a, b), m3_transpose(m3_outer(b, a))));
    }
}

static void matrix_algebra_holds(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int i = 0; i < 1000; i++) {
        mat3 a = whole_mat(&random), b = whole_mat(&random);
        vec3 v = whole_vec(&random);
        assert_true(v3_equal(m3_mul_v(m3_mul(a, b), v), m3_mul_v(a, m3_mul_v(b, v))));
        assert_true(v3_equal(m3_mul_v(m3_add(a, b), v), v3_add(m3_mul_v(a, v), m3_mul_v(b, v))));
        assert_true(m3_equal(m3_madd(a, 3, b), m3_add(a, m3_scale(3, b))));
        assert_true(m3_equal(m3_transpose(m3_mul(a, b)), m3_mul(m3_transpose(b), m3_transpose(a))));
        assert_true(m3_det(m3_mul(a, b)) == m3_det(a) * m3_det(b));
        assert_true(m3_equal(m3_mul(a, m3_scaled_identity(1)), a));
        assert_true(m3_equal(m3_add(a, m3_zero()), a));
    }
}

static void determinant_is_the_triple_product_of_rows(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int i = 0; i < 1000; i++) {
        mat3 a = whole_mat(&random);
        vec3 r0 = v3(a.m[0], a.m[1], a.m[2]), r1 = v3(a.m[3], a.m[4], a.m[5]), r2 = v3(a.m[6], a.m[7], a.m[8]);
        assert_true(m3_det(a) == v3_dot(r0, v3_cross(r1, r2)));
    }
}

/* adj(A) = det(A) A⁻¹ has whole entries below 2 · 81; each entry of det · A · A⁻¹ is a sum of three products up to
 * 9 · 162 with two relative errors of 2⁻⁵³ in A⁻¹ (reciprocal and product) and at most four in the sum. */
static void inverse_times_matrix_is_the_identity(void **state)
{
    (void)state;
    uint64_t random = 6;
    int n_regular = 0;
    for (int i = 0; i < 1000; i++) {
        mat3 a = whole_mat(&random);
        double d = m3_det(a);
        if (d == 0.0)
            continue;
        n_regular++;
        mat3 left = m3_mul(m3_inverse(a), a), right = m3_mul(a, m3_inverse(a)), one = m3_scaled_identity(1.0);
        double bound = 3 * 9 * 162 * 6 * 0x1p-53 / fabs(d);
        for (int k = 0; k < 9; k++) {
            assert_true(fabs(left.m[k] - one.m[k]) <= bound);
            assert_true(fabs(right.m[k] - one.m[k]) <= bound);
        }
    }
    assert_true(n_regular > 900);
}

static void inverses_of_unimodular_matrices_are_exact(void **state)
{
    (void)state;
    mat3 a = {{2, 3, 1, 1, 2, 1, 1, 1, 1}};
    assert_true(m3_det(a) == 1.0);
    assert_true(m3_equal(m3_inverse(a), (mat3){{1, -2, 1, 0, 1, -1, -1, 1, 1}}));
    assert_true(m3_equal(m3_inverse(m3_scale(0.5, a)), m3_scale(2, m3_inverse(a))));
}

static void projection_removes_the_normal_and_keeps_the_rest(void **state)
{
    (void)state;
    mat3 p = m3_project_out(v3(0, 1, 0));
    assert_true(v3_equal(m3_mul_v(p, v3(3, 4, 5)), v3(3, 0, 5)));
    uint64_t random = 7;
    for (int i = 0; i < 1000; i++) {
        vec3 n = v3_unit_or(v3(1.5 + uniform(&random), uniform(&random), uniform(&random)), v3(1, 0, 0));
        p = m3_project_out(n);
        mat3 pp = m3_mul(p, p);
        /* Entries up to 1, n's length off by at most 2⁻⁵⁰ (above): P² − P = (|n|² − 1) n nᵀ and some 8 roundings. */
        assert_true(v3_max_abs(m3_mul_v(p, n)) <= 0x1p-48);
        for (int k = 0; k < 9; k++)
            assert_true(fabs(pp.m[k] - p.m[k]) <= 0x1p-48);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_multiples_are_by_component),
        cmocka_unit_test(lengths_are_right),
        cmocka_unit_test(cross_products_are_right_handed_and_orthogonal),
        cmocka_unit_test(units_have_length_one_or_are_replaced),
        cmocka_unit_test(finiteness_sees_every_component),
        cmocka_unit_test(outer_products_have_rows_and_columns_right),
        cmocka_unit_test(matrix_algebra_holds),
        cmocka_unit_test(determinant_is_the_triple_product_of_rows),
        cmocka_unit_test(inverse_times_matrix_is_the_identity),
        cmocka_unit_test(inverses_of_unimodular_matrices_are_exact),
        cmocka_unit_test(projection_removes_the_normal_and_keeps_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
