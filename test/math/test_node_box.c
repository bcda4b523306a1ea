/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/node_box.h"

enum { NODES = 50 };

static uint64_t state = 3;

static double any(double lo, double hi)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

static void throw_nodes(vec3 *x, int run)
{
    double size = run % 4 == 0 ? 1e-310 : run % 4 == 1 ? 1e30 : 1;
    for (int i = 0; i < NODES; i++)
        x[i] = v3(any(-size, size), run % 3 ? any(-size, size) : -0.0, any(-size, size));
}

/* One after the other. */
static box box_of_way(vec3 from, vec3 to, double inflate)
{
    vec3 d = v3(inflate, inflate, inflate);
    vec3 lo = v3(min_of(from.x, to.x), min_of(from.y, to.y), min_of(from.z, to.z));
    vec3 hi = v3(max_of(from.x, to.x), max_of(from.y, to.y), max_of(from.z, to.z));
    return box_of(v3_sub(lo, d), v3_add(hi, d));
}

static void boxes_are_those_of_each_node_to_the_bit(void **unused)
{
    (void)unused;
    vec3 x0[NODES], x1[NODES];
    for (int run = 0; run < 2000; run++) {
        box a[NODES], b[NODES];
        int32_t n = run % NODES;
        const vec3 *to = run % 2 ? x1 : NULL;
        throw_nodes(x0, run);
        throw_nodes(x1, run / 2);
        assert_true(node_boxes(x0, to, n, 0.01 * (run % 5), a));
        assert_true(node_boxes_plain(x0, to, n, 0.01 * (run % 5), b));
        assert_memory_equal(a, b, (size_t)n * sizeof *a);
        for (int i = 0; i < n; i++) {
            box one = box_of_way(x0[i], to ? to[i] : x0[i], 0.01 * (run % 5));
            assert_memory_equal(&a[i], &one, sizeof one);
        }
    }
}

static void no_bad_coordinate_is_overlooked(void **unused)
{
    (void)unused;
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1.001e30, -1.001e30};
    vec3 x0[NODES], x1[NODES];
    box b[NODES];
    throw_nodes(x0, 2);
    throw_nodes(x1, 2);
    for (int i = 0; i < 6 * NODES; i++)
        for (int k = 0; k < 5; k++) {
            vec3 *at = i < 3 * NODES ? &x0[i / 3] : &x1[i / 3 - NODES], before = *at;
            *(i % 3 == 0 ? &at->x : i % 3 == 1 ? &at->y : &at->z) = bad[k];
            assert_false(node_boxes(x0, x1, NODES, 0.1, b));
            assert_false(node_boxes_plain(x0, x1, NODES, 0.1, b));
            assert_true(node_boxes(x0, NULL, NODES, 0.1, b) == (i >= 3 * NODES));
            *at = before;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_those_of_each_node_to_the_bit),
        cmocka_unit_test(no_bad_coordinate_is_overlooked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
