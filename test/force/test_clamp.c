/* SPDX-License-Identifier: MIT */
#include "force/clamp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "force/check_energy.h"
#include "force/dihedral.h"
#include "force/hinge.h"

#include <cmocka.h>

#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static double clamp_fn(const vec3 *x, const void *par, bool psd, vec3 *g, mat3 *h)
{
    return clamp_eval(x, par, psd, g, h);
}

/* The line along (0.6, 0, 0.8), the cloth's plane level, the face turned up by an angle. */
static clamp_par frame(double foot, double drag, double past)
{
    return (clamp_par){
        .k = 2e-5, .foot = foot, .along = {0.8, 0, -0.6}, .normal = {0, 1, 0}, .drag = drag, .past = past};
}

static void place(double angle, double foot, vec3 x[3])
{
    vec3 line = {0.03, 0, 0.04},
         out = v3(0.8 * 0.04 * weft_cos(angle), 0.04 * weft_sin(angle), -0.6 * 0.04 * weft_cos(angle));
    x[0] = v3(0.01, 0.2, 0.02);
    x[1] = v3_add(x[0], line);
    x[2] = v3_add(v3_madd(x[0], foot, line), out);
}

static void derivatives_match_differences(void **state)
{
    (void)state;
    const double angles[] = {0.0, 0.5, -1.4, 2.8}, feet[] = {0, 1, 0.3, 1.2};
    for (int i = 0; i < 4; i++)
        for (int damped = 0; damped < 2; damped++) {
            vec3 x[3];
            clamp_par p = damped ? frame(feet[i], 3, -0.4) : frame(feet[i], 0, 0);
            place(angles[i], feet[i], x);
            energy_report r = energy_check(clamp_fn, &p, x, 3, 0.03);
            energy_assert(damped ? "clamp, damped" : "clamp", &r, false);
        }
}

static void the_angle_is_that_out_of_the_plane(void **state)
{
    (void)state;
    for (double angle = -3; angle <= 3; angle += 0.5) {
        vec3 x[3];
        clamp_par p = frame(0.4, 0, 0);
        place(angle, 0.4, x);
        assert_close(clamp_angle(x, &p), angle, 1e-14);
    }
}

/* A hinge between the face and its mirror image has twice the angle, and half of its energy is the clamp's. */
static void it_is_half_of_a_hinge_with_the_mirror_image(void **state)
{
    (void)state;
    for (double angle = -1.2; angle <= 1.2; angle += 0.4) {
        vec3 x[3], y[4];
        clamp_par p = frame(0.4, 0, 0);
        place(angle, 0.4, x);
        vec3 foot = v3_madd(x[0], 0.4, v3_sub(x[1], x[0])), d = v3_sub(x[2], foot);
        y[0] = x[0], y[1] = x[1], y[2] = x[2];
        y[3] = v3_madd(x[2], -2 * v3_dot(d, p.along), p.along);
        hinge_par hinge = {.k = 0.5 * p.k};
        assert_close(dihedral_angle(y) * dihedral_angle(y), 4 * angle * angle, 1e-13);
        assert_close(clamp_eval(x, &p, true, NULL, NULL), 0.5 * hinge_eval(y, &hinge, true, NULL, NULL), 1e-18);
    }
}

static void a_face_without_an_arm_pulls_at_nothing(void **state)
{
    (void)state;
    vec3 x[3], g[3];
    mat3 h[BLOCKS(3)];
    clamp_par p = frame(0.4, 0, 0);
    place(0.5, 0.4, x);
    x[2] = v3_madd(x[0], 0.4, v3_sub(x[1], x[0]));
    x[2] = v3_add(x[2], v3(1e-200, 0, 0));
    assert_true(isfinite(clamp_eval(x, &p, true, g, h)));
    for (int i = 0; i < 3; i++)
        assert_true(v3_is_finite(g[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_match_differences),
        cmocka_unit_test(the_angle_is_that_out_of_the_plane),
        cmocka_unit_test(it_is_half_of_a_hinge_with_the_mirror_image),
        cmocka_unit_test(a_face_without_an_arm_pulls_at_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
