/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/normal_cell.h"

enum { NODES = 64 };

static uint64_t state = 7;

static double any(double lo, double hi)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

/* Nodes of all sizes, some in one place, some in a row, so that triangles without a normal are among theirs. */
static void throw_nodes(vec3 *x, int run)
{
    double size = run % 5 == 0 ? 1e-160 : run % 5 == 1 ? 1e20 : 1;
    for (int i = 0; i < NODES; i++) {
        x[i] = v3(any(-size, size), any(-size, size), run % 3 ? any(-size, size) : 0);
        if (i > 0 && any(0, 1) < 0.1)
            x[i] = x[i - 1];
        if (any(0, 1) < 0.1)
            x[i] = v3(i * size, 0, 0);
    }
}

static void fours_find_the_cells_that_one_by_one_finds(void **unused)
{
    (void)unused;
    vec3 x0[NODES], x1[NODES];
    int32_t nodes[3 * NORMAL_TRIANGLES], a[3][NORMAL_TRIANGLES], b[3][NORMAL_TRIANGLES];
    int64_t n_unknown = 0;
    for (int run = 0; run < 20000; run++) {
        int n = 1 + run % NORMAL_TRIANGLES;
        throw_nodes(x0, run);
        throw_nodes(x1, run);
        for (int i = 0; i < 3 * n; i++)
            nodes[i] = (int32_t)any(0, NODES);
        const vec3 *after = run % 2 ? x1 : NULL;
        normal_cells(x0, after, nodes, n, a);
        normal_cells_plain(x0, after, nodes, n, b);
        for (int k = 0; k < (after ? 3 : 1); k++)
            for (int i = 0; i < n; i++) {
                assert_int_equal(a[k][i], b[k][i]);
                assert_in_range(a[k][i] + 1, 0, 2 * NORMAL_CELLS * NORMAL_CELLS);
                n_unknown += a[k][i] < 0;
            }
    }
    assert_true(n_unknown > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fours_find_the_cells_that_one_by_one_finds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
