/* SPDX-License-Identifier: MIT */
#include "force/dihedral.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "force/check_energy.h"

#include <cmocka.h>

#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* Two triangles over an edge along x, normals up; both fold down by half the angle, about a slanted frame's z. */
static void fold(double angle, vec3 x[4])
{
    double c = weft_cos(0.5 * angle), s = weft_sin(0.5 * angle);
    x[0] = v3(0.01, 0.0, 0.02);
    x[1] = v3(0.06, 0.0, 0.02);
    x[2] = v3_add(x[0], v3(0.02, 0.04 * c, -0.04 * s));
    x[3] = v3_add(x[0], v3(0.035, -0.03 * c, -0.03 * s));
}

/* The angle as an energy, 1 J per rad, with a psd Hessian of some kind. */
static double angle_fn(const vec3 *x, const void *par, bool psd, vec3 *g, mat3 *h)
{
    (void)par;
    vec3 d[4];
    double theta = dihedral_eval(x, d, psd ? NULL : h);
    for (int i = 0; g && i < 4; i++)
        g[i] = d[i];
    for (int i = 0; h && psd && i < 4; i++)
        for (int j = i; j < 4; j++)
            h[block_of(4, i, j)] = m3_outer(d[i], d[j]);
    return theta;
}

static void convex_from_the_normals_side_is_positive(void **state)
{
    (void)state;
    vec3 x[4];
    fold(0.3, x); /* a roof, normals up */
    assert_true(dihedral_angle(x) > 0.0);
    fold(-0.3, x); /* a gutter */
    assert_true(dihedral_angle(x) < 0.0);
    fold(0.0, x);
    assert_true(dihedral_angle(x) == 0.0);
}

/* Coordinates are rounded to 0.06 · 2⁻⁵³ and the height is 0.03: an error of some eps in the angle; 16 is ample. */
static void angle_is_that_of_the_fold(void **state)
{
    (void)state;
    for (int k = -31; k <= 31; k++) {
        vec3 x[4];
        fold(0.1 * k, x);
        assert_close(dihedral_angle(x), 0.1 * k, 16.0 * DBL_EPSILON);
    }
    vec3 x[4];
    fold(1e-9, x);
    assert_close(dihedral_angle(x), 1e-9, 16.0 * DBL_EPSILON);
}

static void angle_is_the_same_from_either_triangle(void **state)
{
    (void)state;
    for (int k = -31; k <= 31; k++) {
        vec3 x[4];
        fold(0.1 * k, x);
        const vec3 other[4] = {x[1], x[0], x[3], x[2]};
        assert_close(dihedral_angle(x), dihedral_angle(other), 16.0 * DBL_EPSILON);
    }
}

static void derivatives_match_differences(void **state)
{
    (void)state;
    const double angles[] = {0.0, 1e-4, 0.3, -0.7, 1.6, -2.6, 3.0};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        vec3 x[4];
        fold(angles[k], x);
        energy_report r = energy_check(angle_fn, NULL, x, 4, 0.03);
        energy_assert("angle", &r, true);
    }
    const vec3 obtuse[4] = {{0.0, 0.0, 0.0}, {0.05, 0.01, 0.0}, {-0.02, 0.03, 0.01}, {0.08, -0.02, 0.02}};
    energy_report r = energy_check(angle_fn, NULL, obtuse, 4, 0.03);
    energy_assert("feet outside the edge", &r, true);
}

static void triangles_without_area_have_zero_derivatives(void **state)
{
    (void)state;
    vec3 x[3][4], g[4];
    mat3 h[BLOCKS(4)];
    for (int k = 0; k < 3; k++)
        fold(0.4, x[k]);
    x[0][2] = v3_madd(v3_scale(0.25, x[0][0]), 0.75, x[0][1]); /* an apex on the edge */
    x[1][3] = x[1][0];
    x[2][1] = x[2][0];
    for (int k = 0; k < 3; k++) {
        memset(g, 0xff, sizeof g);
        memset(h, 0xff, sizeof h);
        assert_true(isfinite(dihedral_eval(x[k], g, h)));
        for (int i = 0; i < 4; i++)
            assert_true(v3_max_abs(g[i]) == 0.0);
        for (int i = 0; i < BLOCKS(4) * 9; i++)
            assert_true(h[i / 9].m[i % 9] == 0.0);
    }
}

static void differences_of_angles_turn_the_short_way(void **state)
{
    (void)state;
    assert_close(angle_difference(3.0, -3.0), 6.0 - 2.0 * WEFT_PI, 4.0 * DBL_EPSILON);
    assert_close(angle_difference(-3.0, 3.0), 2.0 * WEFT_PI - 6.0, 4.0 * DBL_EPSILON);
    assert_true(angle_difference(1.0, -1.0) == 2.0);
    assert_true(angle_difference(0.0, WEFT_PI) == WEFT_PI);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_from_the_normals_side_is_positive),
        cmocka_unit_test(angle_is_that_of_the_fold),
        cmocka_unit_test(angle_is_the_same_from_either_triangle),
        cmocka_unit_test(derivatives_match_differences),
        cmocka_unit_test(triangles_without_area_have_zero_derivatives),
        cmocka_unit_test(differences_of_angles_turn_the_short_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
