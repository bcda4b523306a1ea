/* SPDX-License-Identifier: MIT */
/* Contact inside the solve: derivatives against central differences, Coulomb's cone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mechanics/check_energy.h"
#include "solve/contact_term.h"

static contact_term example(void)
{
    return (contact_term){.n = 1,
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
}

/* The sliding branch has a secant for its Hessian, so only its gradient is a derivative. */
static void sliding_gradient_matches_differences(void **state)
{
    (void)state;
    contact_term c = example();
    vec3 x = v3_add(c.anchor, v3(0.002, -0.0015, 0.004)), g;
    contact_eval(&c, &x, &g, NULL);
    double eps = 1e-6, *at[3] = {&x.x, &x.y, &x.z}, found[3] = {g.x, g.y, g.z};
    for (int i = 0; i < 3; i++) {
        double keep = *at[i];
        *at[i] = keep + eps;
        double up = contact_eval(&c, &x, NULL, NULL);
        *at[i] = keep - eps;
        double down = contact_eval(&c, &x, NULL, NULL);
        *at[i] = keep;
        /* Truncation: third derivative of cone·|u| ≈ cone/|u|² ≈ 1e3, times eps²/6; rounding 1e-16 · 1e-4/eps. */
        assert_true(fabs((up - down) / (2 * eps) - found[i]) < 1e-9);
    }
}

static void friction_never_exceeds_the_cone(void **state)
{
    (void)state;
    contact_term c = example();
    for (int i = -8; i < 3; i++) {
        double way = 1;
        for (int k = 0; k < abs(i); k++)
            way *= i < 0 ? 0.1 : 10;
        vec3 x = v3_madd(c.anchor, way, v3(0, 0, 1)), g;
        contact_eval(&c, &x, &g, NULL);
        double tangential = v3_len(v3_madd(g, -v3_dot(g, c.normal), c.normal));
        assert_true(tangential <= c.friction * c.force * (1 + 1e-12));
        assert_true(tangential <= c.k * way * (1 + 1e-12));
    }
}

static void the_secant_lies_above_the_energy(void **state)
{
    (void)state;
    contact_term c = example();
    c.reach = -1; /* friction alone */
    vec3 x = v3_madd(c.anchor, 3e-3, v3(0, 0, 1)), g;
    mat3 h;
    double e0 = contact_eval(&c, &x, &g, &h);
    for (int i = -60; i <= 60; i++) {
        vec3 d = v3_scale(1e-4 * i, v3(0, 0, 1)), y = v3_add(x, d);
        double model = e0 + v3_dot(g, d) + 0.5 * v3_dot(d, m3_mul_v(h, d));
        assert_true(contact_eval(&c, &y, NULL, NULL) <= model + 1e-15);
    }
}

static void slip_is_cut_at_the_cone(void **state)
{
    (void)state;
    contact_term c = example();
    vec3 x = {0.003, 0.004, 0.5};
    double most = c.friction * contact_force(&c, &x) / c.k;
    assert_true(contact_depth(&c, &x) > 0);
    assert_true(fabs(v3_len(contact_slip(&c, &x)) - most) < 1e-12 * most);
    assert_true(fabs(v3_dot(contact_slip(&c, &x), c.normal)) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_gradient_and_hessian_match_differences),
        cmocka_unit_test(sliding_gradient_matches_differences),
        cmocka_unit_test(friction_never_exceeds_the_cone),
        cmocka_unit_test(the_secant_lies_above_the_energy),
        cmocka_unit_test(slip_is_cut_at_the_cone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
