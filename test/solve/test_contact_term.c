/* SPDX-License-Identifier: MIT */
/* Contact inside the solve: derivatives against central differences, Coulomb's cone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "math/trig.h"
#include "force/check_energy.h"
#include "solve/contact_term.h"

static contact_term example(void)
{
    contact_term c = {.n = 1,
                      .node = {0},
                      .w = {1},
                      .normal = {0.6, 0.8, 0},
                      .reach = 0.01,
                      .radius = 1e-3,
                      .k = 250,
                      .drag = 30,
                      .past = 2e-4,
                      .friction = 0.4,
                      .anchor = {0.004, 0.006, 0.003},
                      .force = 0.05};
    contact_ready(&c);
    return c;
}

static double eval_as_energy(const vec3 *x, const void *par, bool psd, vec3 *g, mat3 *h)
{
    (void)psd;
    return contact_eval(par, x, g, h);
}

static void contact_gradient_and_hessian_match_differences(void **state)
{
    (void)state;
    contact_term c = example();
    c.friction = 0;
    vec3 deep = {0.003, 0.004, 0.001};
    energy_report r = energy_check(eval_as_energy, &c, &deep, 1, 1e-3);
    energy_assert("contact, normal", &r, false);
    c = example();
    vec3 stuck = v3_madd(c.anchor, 1e-5, v3(0, 0, 1));
    r = energy_check(eval_as_energy, &c, &stuck, 1, 1e-6);
    energy_assert("contact, sticking", &r, false);
    c.slides = true;
    vec3 far = v3_add(c.anchor, v3(0.002, -0.0015, 0.004));
    r = energy_check(eval_as_energy, &c, &far, 1, 1e-3);
    energy_assert("contact, sliding", &r, false);
}

static void sliding_friction_is_the_cone_in_every_direction(void **state)
{
    (void)state;
    contact_term c = example();
    c.slides = true;
    for (int i = 0; i < 12; i++) {
        double angle = 0.5 * i;
        vec3 a = {0.8, -0.6, 0}, b = {0, 0, 1}; /* along the plane */
        vec3 way = v3_add(v3_scale(3e-3 * weft_cos(angle), a), v3_scale(3e-3 * weft_sin(angle), b)), g;
        vec3 x = v3_add(c.anchor, way);
        contact_eval(&c, &x, &g, NULL);
        vec3 along = v3_madd(g, -v3_dot(g, c.normal), c.normal);
        assert_true(fabs(v3_len(along) / (c.friction * c.force) - 1) < 1e-12);
        assert_true(v3_dot(along, way) > 0);
    }
}

/* With a slack: just beyond it there is half of the secant along the way, of colliders farther on that times the slack
 * over the way. */
static void stiffness_along_the_way_fades_beyond_the_slack(void **state)
{
    (void)state;
    contact_term c = example();
    const vec3 along = {0, 0, 1};
    c.slack = 8e-5;
    double cone = c.friction * c.force;
    for (int i = 1; i < 80; i++) {
        double l = c.slack * (1 + 0.25 * (i / 2));
        vec3 x = v3_madd(c.anchor, l * (1 + 1e-12), along), g;
        mat3 h;
        c.owner = i % 2 ? -1 : 0;
        contact_eval(&c, &x, &g, &h);
        double known = 0.5 * cone / l * (c.owner < 0 ? 1 : c.slack / l);
        assert_true(fabs(v3_dot(g, along) - cone) < 1e-14);
        assert_true(fabs(v3_dot(along, m3_mul_v(h, along)) - known) < 1e-9 * cone / l);
    }
}

/* That law is one function of the way: no jump of energy or force at the slack. */
static void friction_is_continuous_at_the_slack(void **state)
{
    (void)state;
    contact_term c = example();
    c.slack = 8e-5;
    double e[2];
    vec3 g[2];
    for (int side = 0; side < 2; side++) {
        vec3 x = v3_madd(c.anchor, c.slack * (side ? 1 + 1e-9 : 1 - 1e-9), v3(0, 0, 1));
        e[side] = contact_eval(&c, &x, &g[side], NULL);
    }
    assert_true(fabs(e[1] - e[0]) < 1e-8 * e[0] && v3_len(v3_sub(g[1], g[0])) < 1e-8 * c.friction * c.force);
}

static void contact_never_pulls(void **state)
{
    (void)state;
    contact_term c = example();
    c.friction = 0;
    for (int i = -300; i < 300; i++) {
        vec3 x = v3_scale(c.reach + c.radius - 5e-6 * i, c.normal), g;
        double e = contact_eval(&c, &x, &g, NULL);
        assert_true(e >= 0 && v3_dot(g, c.normal) <= 0);
    }
}

/* Newton's own: where the tangent is zero at the end, however much force the contact still has there. */
static void reckoned_force_is_that_of_the_tangent(void **state)
{
    (void)state;
    contact_term c = example();
    c.past = c.drag = 0;
    contact_ready(&c);
    for (int i = 1; i < 20; i++) {
        double s = 0.05 * i * c.radius, force = c.k * s * s / c.radius;
        vec3 at = v3_scale(c.reach + c.radius - s, c.normal), half = v3_scale(c.reach + c.radius - 0.5 * s, c.normal);
        assert_true(fabs(contact_reckoned(&c, s, &at) / force - 1) < 1e-9);
        assert_true(contact_reckoned(&c, s, &half) < 1e-9 * force);
        assert_true(fabs(contact_force(&c, &half) / force - 0.25) < 1e-9);
        assert_true(contact_reckoned(&c, 0.5 * s, &at) < contact_force(&c, &at)); /* the spring is convex */
        assert_true(contact_reckoned(&c, 0, &at) == 0);
    }
}

static void hold_is_the_friction_over_the_cone(void **state)
{
    (void)state;
    contact_term c = example();
    vec3 deep = {0.003, 0.004, 0}, far = v3_add(deep, v3(0, 0, 0.5));
    assert_true(fabs(v3_len(contact_friction_ratio(&c, contact_force(&c, &far), &far)) - 1) < 1e-12);
    c.anchor = v3_add(deep, v3(0, 0, -1e-6));
    double part = c.k * 1e-6 / (c.friction * contact_force(&c, &deep));
    assert_true(part < 1 && fabs(v3_len(contact_friction_ratio(&c, contact_force(&c, &deep), &deep)) - part) < 1e-9);
    c.force = contact_force(&c, &deep);
    assert_true(v3_len(v3_sub(contact_slip(&c, contact_friction_ratio(&c, contact_force(&c, &deep), &deep)),
                              v3(0, 0, 1e-6))) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_gradient_and_hessian_match_differences),
        cmocka_unit_test(sliding_friction_is_the_cone_in_every_direction),
        cmocka_unit_test(stiffness_along_the_way_fades_beyond_the_slack),
        cmocka_unit_test(friction_is_continuous_at_the_slack),
        cmocka_unit_test(contact_never_pulls),
        cmocka_unit_test(reckoned_force_is_that_of_the_tangent),
        cmocka_unit_test(hold_is_the_friction_over_the_cone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
