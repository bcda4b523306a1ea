/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/dice.h"
#include "solve/contact_simd4.h"

enum { NODES = 12, ROUNDS = 20000 };

/* Any number, or none. */
static double throw_number(double most)
{
    return uniform(0, 1) < 0.2 ? 0 : uniform(0, most);
}

static contact_term throw_term(void)
{
    contact_term c = {.n = 4, .radius = uniform(0.1, 1), .k = uniform(1, 100), .slack = uniform(1e-3, 1), .owner = -1};
    double t = uniform(0, 1);
    for (int i = 0; i < 4; i++)
        c.node[i] = (int32_t)uniform(0, NODES);
    c.w[0] = 1;
    c.w[1] = -t;
    c.w[2] = t - 1;
    c.normal = v3_unit_or(in_cube(1), v3(1, 0, 0));
    c.reach = uniform(-1, 1);
    c.drag = throw_number(50);
    c.past = throw_number(1);
    c.friction = throw_number(1);
    c.anchor = in_cube(1);
    c.force = throw_number(10);
    contact_ready(&c);
    return c;
}

static void compare(contact_simd4_fn four, bool gradient, bool hessian)
{
    for (int round = 0; round < ROUNDS; round++) {
        vec3 x[NODES];
        contact_term c[4];
        contact_share all[4] = {0}, one = {0};
        double energy[4];
        for (int i = 0; i < NODES; i++)
            x[i] = in_cube(1);
        for (int k = 0; k < 4; k++)
            c[k] = throw_term();
        four(c, x, energy, gradient ? all : NULL, hessian);
        for (int k = 0; k < 4; k++) {
            double e = contact_eval(&c[k], x, gradient ? &one.g : NULL, hessian ? &one.h : NULL);
            assert_memory_equal(&e, &energy[k], sizeof e);
            if (gradient) {
                assert_memory_equal(&one.g, &all[k].g, sizeof one.g);
                assert_int_equal(all[k].acts, e != 0 || c[k].friction * c[k].force > 0);
            }
            if (hessian)
                assert_memory_equal(&one.h, &all[k].h, sizeof one.h);
        }
    }
}

static void compare_all(contact_simd4_fn four)
{
    compare(four, false, false);
    compare(four, true, false);
    compare(four, true, true);
}

static void four_contacts_have_the_bits_of_one(void **state)
{
    (void)state;
    compare_all(contact_simd4_plain);
    compare_all(contact_simd4_best());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(four_contacts_have_the_bits_of_one, start_dice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
