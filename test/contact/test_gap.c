/* SPDX-License-Identifier: MIT */
/* Closest points against a search over both primitives, and the conditions that a closest pair must satisfy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "contact/gap.h"

static double noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

static void random_points(uint32_t *seed, vec3 x[4])
{
    /* Every third case on a coarse grid: parallel edges, points above corners and edges. */
    bool grid = *seed % 3 == 0;
    for (int i = 0; i < 4; i++) {
        vec3 p = v3(noise(seed), noise(seed), noise(seed));
        x[i] = grid ? v3(floor(6 * p.x), floor(6 * p.y), floor(6 * p.z)) : p;
    }
}

static double spread(const vec3 x[4])
{
    double most = 0;
    for (int i = 0; i < 4; i++)
        most = max_of(most, v3_max_abs(x[i]));
    return most;
}

/* Nothing nearer on a grid of points, and the weights are those of points of the primitives. */
static void no_point_of_a_triangle_is_nearer(void **state)
{
    (void)state;
    uint32_t seed = 5;
    enum { CASES = 3000, STEPS = 24 };
    for (int c = 0; c < CASES; c++) {
        vec3 x[4];
        random_points(&seed, x);
        gap g = gap_vertex_triangle(x);
        double sum = 0;
        for (int i = 1; i < 4; i++) {
            assert_true(g.w[i] <= 0);
            sum += g.w[i];
        }
        assert_true(fabs(sum + 1) <= 1e-15 * 8);
        for (int i = 0; i <= STEPS; i++)
            for (int j = 0; i + j <= STEPS; j++) {
                double u = (double)i / STEPS, v = (double)j / STEPS, w[4] = {1, -(1 - u - v), -u, -v};
                assert_true(v3_len(gap_weigh(w, x)) >= g.distance - 1e-14 * spread(x));
            }
    }
}

static void no_points_of_two_edges_are_nearer(void **state)
{
    (void)state;
    uint32_t seed = 9;
    enum { CASES = 3000, STEPS = 24 };
    for (int c = 0; c < CASES; c++) {
        vec3 x[4];
        random_points(&seed, x);
        gap g = gap_edge_edge(x);
        assert_true(g.w[0] >= 0 && g.w[1] >= 0 && g.w[2] <= 0 && g.w[3] <= 0);
        for (int i = 0; i <= STEPS; i++)
            for (int j = 0; j <= STEPS; j++) {
                double s = (double)i / STEPS, t = (double)j / STEPS, w[4] = {1 - s, s, -(1 - t), -t};
                assert_true(v3_len(gap_weigh(w, x)) >= g.distance - 1e-14 * spread(x));
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_point_of_a_triangle_is_nearer),
                                       cmocka_unit_test(no_points_of_two_edges_are_nearer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
