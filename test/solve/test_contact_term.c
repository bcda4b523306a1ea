/* SPDX-License-Identifier: MIT */
/* Contact inside the solve: derivatives against central differences, Coulomb's cone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "math/trig.h"
#include "mechanics/check_energy.h"
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
                      .slack = 8e-5,
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
    vec3 far = v3_add(c.anchor, v3(0.002, -0.0015, 0.004));
    c.slack = 1e-12; /* what the Hessian has beyond the exact one goes with it */
    r = energy_check(eval_as_energy, &c, &far, 1, 1e-3);
    energy_assert("contact, sliding", &r, false);
}

/* Just beyond the slack there is half of the secant along the way, farther on that times the slack over the way. */
static void stiffness_along_the_way_fades_beyond_the_slack(void **state)
{
    (void)state;
    contact_term c = example();
    const vec3 along = {0, 0, 1};
    double cone = c.friction * c.force;
    for (int i = 1; i < 40; i++) {
        double l = c.slack * (1 + 0.25 * i);
        vec3 x = v3_madd(c.anchor, l, along), g;
        mat3 h;
        contact_eval(&c, &x, &g, &h);
        assert_true(fabs(v3_dot(g, along) - cone) < 1e-14);
        assert_true(fabs(v3_dot(along, m3_mul_v(h, along)) - 0.5 * cone / l * c.slack / l) < 1e-9 * cone / l);
    }
}

/* The law is one function of the way: no jump of energy or force at the slack. */
static void friction_is_continuous_at_the_slack(void **state)
{
    (void)state;
    contact_term c = example();
    double e[2];
    vec3 g[2];
    for (int side = 0; side < 2; side++) {
        vec3 x = v3_madd(c.anchor, c.slack * (side ? 1 + 1e-9 : 1 - 1e-9), v3(0, 0, 1));
        e[side] = contact_eval(&c, &x, &g[side], NULL);
    }
    assert_true(fabs(e[1] - e[0]) < 1e-8 * e[0] && v3_len(v3_sub(g[1], g[0])) < 1e-8 * c.friction * c.force);
}

static void sliding_friction_is_the_cone_in_every_direction(void **state)
{
    (void)state;
    contact_term c = example();
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

static void hold_is_the_friction_over_the_cone(void **state)
{
    (void)state;
    contact_term c = example();
    vec3 deep = {0.003, 0.004, 0}, far = v3_add(deep, v3(0, 0, 0.5));
    assert_true(fabs(v3_len(contact_hold(&c, &far)) - 1) < 1e-12);
    c.anchor = v3_add(deep, v3(0, 0, -1e-6));
    assert_true(fabs(v3_len(contact_hold(&c, &deep)) - 1e-6 / c.slack) < 1e-9);
    vec3 g;
    c.force = contact_force(&c, &deep);
    contact_eval(&c, &deep, &g, NULL);
    vec3 along = v3_madd(g, -v3_dot(g, c.normal), c.normal);
    assert_true(v3_len(v3_sub(along, v3_scale(c.friction * c.force, contact_hold(&c, &deep)))) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_gradient_and_hessian_match_differences),
        cmocka_unit_test(stiffness_along_the_way_fades_beyond_the_slack),
        cmocka_unit_test(friction_is_continuous_at_the_slack),
        cmocka_unit_test(sliding_friction_is_the_cone_in_every_direction),
        cmocka_unit_test(contact_never_pulls),
        cmocka_unit_test(hold_is_the_friction_over_the_cone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
