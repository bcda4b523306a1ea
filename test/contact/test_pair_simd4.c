/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/dice.h"
#include "contact/pair/pair_simd4.h"

enum { NODES = 16, ROUNDS = 20000 };

/* Nodes in a cube, some of them on a coarse grid, so that primitives are flat, parallel, without length or at one
 * place. */
static void throw_nodes(vec3 *x)
{
    for (int i = 0; i < NODES; i++) {
        x[i] = in_cube(1);
        if (uniform(0, 1) < 0.4)
            x[i] = v3(floor(2 * x[i].x), floor(2 * x[i].y), floor(2 * x[i].z));
    }
}

static void throw_pairs(contact_pair p[4], bool edges)
{
    for (int k = 0; k < 4; k++) {
        p[k].edges = edges;
        for (int i = 0; i < 4; i++)
            p[k].node[i] = (int32_t)uniform(0, NODES);
    }
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void compare(const pair_kernel *kernel)
{
    vec3 x[NODES];
    contact_pair p[4];
    gap g[4];
    for (int round = 0; round < ROUNDS; round++) {
        throw_nodes(x);
        throw_pairs(p, round % 2);
        contact_pair_gaps(kernel, x, p, g);
        for (int k = 0; k < 4; k++) {
            gap one = contact_pair_gap(x, &p[k]);
            for (int i = 0; i < 4; i++)
                assert_true(same_bits(one.w[i], g[k].w[i]));
            assert_true(same_bits(one.vector.x, g[k].vector.x) && same_bits(one.vector.y, g[k].vector.y) &&
                        same_bits(one.vector.z, g[k].vector.z) && same_bits(one.distance, g[k].distance));
            assert_int_equal(one.inside, g[k].inside);
        }
    }
}

static void closest_points_of_four_pairs_have_the_bits_of_one(void **state)
{
    (void)state;
    compare(&pair_kernel_plain);
    compare(pair_kernel_best());
}

/* The distance found is never less than the true one, so what is within `far` by it is within it. */
static void no_pair_that_is_near_is_told_to_be_far(void **state)
{
    (void)state;
    int n_far = 0;
    const pair_kernel *kernel = pair_kernel_best();
    for (int round = 0; round < ROUNDS; round++) {
        vec3 x[NODES];
        contact_pair p[4];
        double far = uniform(0, 1);
        throw_nodes(x);
        throw_pairs(p, round % 2);
        unsigned may = round % 2 ? kernel->lines(x, p, far) : kernel->planes(x, p, far);
        for (int k = 0; k < 4; k++) {
            n_far += !(may >> k & 1);
            if (!(may >> k & 1))
                assert_true(contact_pair_gap(x, &p[k]).distance > far * (1 - 1e-8));
        }
    }
    assert_true(n_far > ROUNDS); /* a quarter of them, or the kernel tells nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(closest_points_of_four_pairs_have_the_bits_of_one, start_dice),
        cmocka_unit_test_setup(no_pair_that_is_near_is_told_to_be_far, start_dice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
