/* SPDX-License-Identifier: MIT */
/* Poses between keys. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "sim/kit.h"

#include <cmocka.h>

enum { MOMENTS = 1000 };
#define PI 3.14159265358979323846

static weft_quat turn(weft_vec3 axis, double angle)
{
    double l = sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z), s = sin(0.5 * angle) / l;
    return (weft_quat){s * axis.x, s * axis.y, s * axis.z, cos(0.5 * angle)};
}

static void rotation_at(const weft_key *keys, int32_t n, double time, double out[9])
{
    weft_error e = {0};
    kit_must(weft_keys_at(keys, n, time, NULL, out, &e), &e);
    for (int i = 0; i < 9; i++)
        assert_true(isfinite(out[i]));
}

/* By which aᵀ b turns: of its antisymmetric part, which is exact for small angles, and its trace. */
static double angle_between(const double a[9], const double b[9])
{
    double d[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            d[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
    double x = d[7] - d[5], y = d[2] - d[6], z = d[3] - d[1];
    return atan2(sqrt(x * x + y * y + z * z), d[0] + d[4] + d[8] - 1);
}

/* Entries of matrices are off by a few 1e-16, so angles of steps are too: 1e-12 leaves room for that alone. Returns the
 * whole angle. */
static double expect_constant_speed(weft_quat from, weft_quat to)
{
    const weft_key keys[2] = {{2, {0, 0, 0}, from}, {5, {1, 0, 0}, to}};
    double first[9], last[9], before[9], now[9];
    rotation_at(keys, 2, 2, first);
    rotation_at(keys, 2, 5, last);
    double whole = angle_between(first, last);
    memcpy(before, first, sizeof before);
    for (int k = 1; k <= MOMENTS; k++) {
        rotation_at(keys, 2, 2 + 3.0 * k / MOMENTS, now);
        assert_true(fabs(angle_between(before, now) - whole / MOMENTS) <= 1e-12);
        assert_true(fabs(angle_between(first, now) - whole * k / MOMENTS) <= 1e-12);
        memcpy(before, now, sizeof before);
    }
    return whole;
}

static void turning_has_a_constant_speed(void **state)
{
    (void)state;
    const weft_vec3 axis = {1, 2, -0.5}, other = {0, 1, 0.3};
    const double angles[] = {1e-9, 1e-6, 0.01, 1, 2, 3, 3.14};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        double whole = expect_constant_speed(turn(axis, 0), turn(axis, angles[i]));
        assert_true(fabs(whole - angles[i]) <= 1e-12);
        expect_constant_speed(turn(axis, 0.7), turn(other, angles[i]));
    }
}

static void half_a_turn_has_a_constant_speed(void **state)
{
    (void)state;
    const weft_quat none = {0, 0, 0, 1}, half = {0, 1, 0, 0};
    assert_true(fabs(expect_constant_speed(none, half) - PI) <= 1e-12);
    assert_true(fabs(expect_constant_speed(half, none) - PI) <= 1e-12);
}

/* 200° one way are 160° the other; the angle that is measured is the smaller one, so the whole must be gone through. */
static void the_shorter_way_is_taken(void **state)
{
    (void)state;
    const weft_vec3 axis = {0, 0, 1};
    double whole = expect_constant_speed(turn(axis, 0), turn(axis, 200 * PI / 180));
    assert_true(fabs(whole - 160 * PI / 180) <= 1e-12);
}

/* Neither length nor sign of a quaternion matters, and nothing moves between rotations that are equal. */
static void equal_rotations_stand_still(void **state)
{
    (void)state;
    const weft_vec3 axis = {3, -1, 2};
    weft_quat q = turn(axis, 1.1), minus = {-q.x, -q.y, -q.z, -q.w}, twice = {2 * q.x, 2 * q.y, 2 * q.z, 2 * q.w};
    const weft_quat others[] = {q, minus, twice};
    for (int i = 0; i < 3; i++) {
        const weft_key keys[2] = {{0, {0, 0, 0}, q}, {1, {1, 0, 0}, others[i]}};
        double first[9], now[9];
        rotation_at(keys, 2, 0, first);
        for (int k = 1; k <= MOMENTS; k++) {
            rotation_at(keys, 2, (double)k / MOMENTS, now);
            assert_true(angle_between(first, now) <= 1e-15);
        }
    }
}

static void quaternions_of_either_sign_give_the_same_way(void **state)
{
    (void)state;
    weft_quat a = turn((weft_vec3){1, 0, 2}, 0.4), b = turn((weft_vec3){0, 1, 1}, 2.1);
    weft_quat minus = {-b.x, -b.y, -b.z, -b.w};
    const weft_key plain[2] = {{0, {0, 0, 0}, a}, {1, {0, 0, 0}, b}}, turned[2] = {plain[0], {1, {0, 0, 0}, minus}};
    for (int k = 0; k <= MOMENTS; k++) {
        double x[9], y[9];
        rotation_at(plain, 2, (double)k / MOMENTS, x);
        rotation_at(turned, 2, (double)k / MOMENTS, y);
        assert_memory_equal(x, y, sizeof x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turning_has_a_constant_speed),
        cmocka_unit_test(half_a_turn_has_a_constant_speed),
        cmocka_unit_test(the_shorter_way_is_taken),
        cmocka_unit_test(equal_rotations_stand_still),
        cmocka_unit_test(quaternions_of_either_sign_give_the_same_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
