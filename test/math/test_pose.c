/* SPDX-License-Identifier: MIT */
/* Tolerances: u = 2⁻⁵³. An entry of mat3_from_quat is at most 1 and comes from numbers at most 2 by some 10 roundings
 * (quotients by the largest entry, squares, sum, 2/sum, product, difference): 20 u covers it. Products of three such
 * entries add up three errors of each factor: 150 u, below 2e-14, is the bound used for RᵀR. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/pose.h"
#include "math/trig.h"

#define ENTRY_ERROR (20 * 0x1p-53)
#define PRODUCT_ERROR (150 * 0x1p-53)

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)(*state >> 11) * 0x1p-52 - 1.0;
}

static weft_quat random_quat(uint64_t *state)
{
    for (;;) {
        weft_quat q = {uniform(state), uniform(state), uniform(state), uniform(state)};
        if (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w > 0.01)
            return q;
    }
}

static double largest_difference(mat3 a, mat3 b)
{
    double d = 0.0;
    for (int i = 0; i < 9; i++)
        d = fmax(d, fabs(a.m[i] - b.m[i]));
    return d;
}

static void no_rotation_is_exactly_the_identity(void **state)
{
    (void)state;
    mat3 r = mat3_from_quat((weft_quat){0, 0, 0, 1});
    mat3 one = m3_scaled_identity(1.0);
    assert_true(largest_difference(r, one) == 0.0);
    r = mat3_from_quat((weft_quat){0, 0, 0, -3});
    assert_true(largest_difference(r, one) == 0.0);
}

static void quarter_and_half_turns_are_exact(void **state)
{
    (void)state;
    mat3 half = mat3_from_quat((weft_quat){0, 0, 5, 0});
    assert_true(largest_difference(half, (mat3){{-1, 0, 0, 0, -1, 0, 0, 0, 1}}) == 0.0);
    mat3 quarter = mat3_from_quat((weft_quat){0, 0, 1, 1});
    assert_true(largest_difference(quarter, (mat3){{0, -1, 0, 1, 0, 0, 0, 0, 1}}) == 0.0);
    mat3 cycle = mat3_from_quat((weft_quat){1, 1, 1, 1}); /* x → y → z → x */
    assert_true(largest_difference(cycle, (mat3){{0, 0, 1, 1, 0, 0, 0, 1, 0}}) == 0.0);
}

static void matrices_of_quaternions_are_rotations(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < 10000; i++) {
        mat3 r = mat3_from_quat(random_quat(&random));
        mat3 rtr = m3_mul(m3_transpose(r), r);
        assert_true(largest_difference(rtr, m3_scaled_identity(1.0)) <= PRODUCT_ERROR);
        assert_true(fabs(m3_det(r) - 1.0) <= PRODUCT_ERROR);
    }
}

static void length_and_sign_of_the_quaternion_do_not_matter(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < 1000; i++) {
        weft_quat q = random_quat(&random);
        mat3 r = mat3_from_quat(q);
        static const double scales[] = {-1.0, 0x1p-900, 0x1p900, 3.0, 1e-300, 1e300};
        for (int k = 0; k < 6; k++) {
            double s = scales[k];
            mat3 scaled = mat3_from_quat((weft_quat){s * q.x, s * q.y, s * q.z, s * q.w});
            assert_true(largest_difference(r, scaled) <= (k < 3 ? 0.0 : 2 * ENTRY_ERROR));
        }
    }
}

/* Rodrigues: R v = c v + s a × v + (1 − c)(a·v) a */
static void turns_about_an_axis_follow_rodrigues(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 1000; i++) {
        vec3 axis = v3_unit_or(v3(uniform(&random), uniform(&random), uniform(&random)), v3(1, 0, 0));
        vec3 v = v3(uniform(&random), uniform(&random), uniform(&random));
        double angle = 3.0 * uniform(&random);
        double s = weft_sin(angle), c = weft_cos(angle), sh = weft_sin(0.5 * angle);
        mat3 r = mat3_from_quat((weft_quat){sh * axis.x, sh * axis.y, sh * axis.z, weft_cos(0.5 * angle)});
        vec3 expected = v3_scale(c, v);
        expected = v3_madd(expected, s, v3_cross(axis, v));
        expected = v3_madd(expected, (1.0 - c) * v3_dot(axis, v), axis);
        assert_true(v3_max_abs(v3_sub(m3_mul_v(r, v), expected)) <= PRODUCT_ERROR);
    }
}

static void unapply_undoes_apply(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int i = 0; i < 1000; i++) {
        pose a = {mat3_from_quat(random_quat(&random)), {uniform(&random), uniform(&random), uniform(&random)}};
        vec3 x = v3(uniform(&random), uniform(&random), uniform(&random));
        /* numbers up to 3 here, where the entries were up to 1 */
        assert_true(v3_max_abs(v3_sub(pose_unapply(&a, pose_apply(&a, x)), x)) <= 3 * PRODUCT_ERROR);
        vec3 turned = v3_sub(pose_apply(&a, x), a.p);
        assert_true(v3_max_abs(v3_sub(pose_unrotate(&a, turned), x)) <= 3 * PRODUCT_ERROR);
    }
}

static void the_identity_pose_moves_nothing(void **state)
{
    (void)state;
    pose a = pose_identity();
    vec3 x = v3(0.1, -2.5, 1e6), y = pose_apply(&a, x), z = pose_unapply(&a, x);
    assert_memory_equal(&x, &y, sizeof x);
    assert_memory_equal(&x, &z, sizeof x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_rotation_is_exactly_the_identity),
        cmocka_unit_test(quarter_and_half_turns_are_exact),
        cmocka_unit_test(matrices_of_quaternions_are_rotations),
        cmocka_unit_test(length_and_sign_of_the_quaternion_do_not_matter),
        cmocka_unit_test(turns_about_an_axis_follow_rodrigues),
        cmocka_unit_test(unapply_undoes_apply),
        cmocka_unit_test(the_identity_pose_moves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
