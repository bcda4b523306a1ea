/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/normal_cell.h"

enum { NODES = 64, MOST = 9 };

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

/* With bits by which each cell has its own mask, so that another cell is seen in the mask of all. */
static void fill_table(normal_table t)
{
    for (int i = 0; i < NORMAL_NONE; i++)
        t[i] = ~(UINT64_C(1) << i % 61 | UINT64_C(1) << (i / 64 * 7) % 63);
    t[NORMAL_NONE] = 0;
    t[NORMAL_ANY] = ~UINT64_C(0);
}

static double length_1(vec3 a)
{
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

static void add_cell(normal_leaf *out, const normal_table table, int32_t cell)
{
    out->mask &= cell < 0 ? 0 : table[cell];
}

static void extend(vec3 *lo, vec3 *hi, vec3 x)
{
    *lo = v3(min_of(x.x, lo->x), min_of(x.y, lo->y), min_of(x.z, lo->z));
    *hi = v3(max_of(x.x, hi->x), max_of(x.y, hi->y), max_of(x.z, hi->z));
}

static void fit_one_by_one(const vec3 *x0, const vec3 *x1, const int32_t *nodes, int n, const normal_table table,
                           double inflate, normal_leaf *out)
{
    vec3 lo = x0[nodes[0]], hi = lo, d = v3(inflate, inflate, inflate);
    out->mask = ~UINT64_C(0);
    out->n_unknown = 0;
    for (int i = 0; i < n; i++) {
        const int32_t *v = nodes + 3 * i;
        vec3 e1 = v3_sub(x0[v[1]], x0[v[0]]), e2 = v3_sub(x0[v[2]], x0[v[0]]);
        double e = length_1(e1), e_ = length_1(e2);
        int32_t cell = normal_cell(v3_cross(e1, e2), e * e_);
        out->n_unknown += cell < 0;
        add_cell(out, table, cell);
        for (int k = 0; k < 3; k++) {
            extend(&lo, &hi, x0[v[k]]);
            if (x1)
                extend(&lo, &hi, x1[v[k]]);
        }
        if (!x1)
            continue;
        vec3 f1 = v3_sub(x1[v[1]], x1[v[0]]), f2 = v3_sub(x1[v[2]], x1[v[0]]);
        double f = length_1(f1), f_ = length_1(f2);
        add_cell(out, table, normal_cell(v3_cross(f1, f2), f * f_));
        add_cell(out, table, normal_cell(v3_add(v3_cross(e1, f2), v3_cross(f1, e2)), e * f_ + f * e_));
    }
    out->bounds = box_of(v3_sub(lo, d), v3_add(hi, d));
}

static void assert_same_leaf(const normal_leaf *a, const normal_leaf *b)
{
    assert_true(a->mask == b->mask);
    assert_int_equal(a->n_unknown, b->n_unknown);
    assert_memory_equal(&a->bounds, &b->bounds, sizeof a->bounds);
}

static void fours_fit_leaves_as_one_by_one_does(void **unused)
{
    (void)unused;
    static normal_table table;
    vec3 x0[NODES], x1[NODES];
    int32_t nodes[3 * MOST];
    int64_t n_unknown = 0, n_known = 0;
    fill_table(table);
    for (int run = 0; run < 20000; run++) {
        int n = 1 + run % MOST;
        normal_leaf a, b, c;
        throw_nodes(x0, run);
        throw_nodes(x1, run);
        for (int i = 0; i < 3 * n; i++)
            nodes[i] = (int32_t)any(0, NODES);
        const vec3 *after = run % 2 ? x1 : NULL;
        double inflate = run % 7 ? 0.01 : 0;
        normal_leaf_fit(x0, after, nodes, n, table, inflate, &a);
        normal_leaf_fit_plain(x0, after, nodes, n, table, inflate, &b);
        fit_one_by_one(x0, after, nodes, n, table, inflate, &c);
        assert_same_leaf(&a, &b);
        assert_same_leaf(&a, &c);
        n_unknown += a.n_unknown;
        n_known += a.mask != 0;
    }
    assert_true(n_unknown > 1000 && n_known > 1000);
}

static void no_number_has_no_normal(void **unused)
{
    (void)unused;
    static normal_table table;
    const int32_t nodes[6] = {0, 1, 2, 0, 2, 3};
    fill_table(table);
    for (int i = 0; i < 12; i++) {
        vec3 x[4] = {v3(0, 0, 0), v3(1, 0, 0), v3(1, 1, 0), v3(0, 1, 0)};
        double *bad = i % 3 == 0 ? &x[i / 3].x : i % 3 == 1 ? &x[i / 3].y : &x[i / 3].z;
        for (int k = 0; k < 2; k++) {
            normal_leaf a;
            *bad = k == 0 ? (double)NAN : (double)INFINITY;
            normal_leaf_fit(x, NULL, nodes, 2, table, 0, &a);
            assert_true(a.n_unknown > 0 && a.mask == 0);
            normal_leaf_fit_plain(x, NULL, nodes, 2, table, 0, &a);
            assert_true(a.n_unknown > 0 && a.mask == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fours_fit_leaves_as_one_by_one_does),
        cmocka_unit_test(no_number_has_no_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
