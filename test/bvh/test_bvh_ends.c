/* SPDX-License-Identifier: MIT */
/* ctest: labels=threads timeout=300 */
/* The walk by boxes at the two ends of a way: what comes out is what brute force finds, it lacks nothing that comes
 * near at any moment, and a motion in common, however fast, adds nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bvh/bvh_kit.h"

/* Multiples of 2⁻²⁴, so that what moves as one keeps its gaps to the bit. */
static double dyadic(double x)
{
    return floor(x * 0x1p24) * 0x1p-24;
}

static vec3 dyadic_point(vec3 x)
{
    return v3(dyadic(x.x), dyadic(x.y), dyadic(x.z));
}

/* A sheet in folds that lie over each other. */
static void add_folds(bvh_mesh *m, int32_t side, vec3 at, uint64_t *seed)
{
    int32_t first = m->n_nodes;
    for (int32_t i = 0; i < side * side; i++) {
        double u = (double)(i % side) / (side - 1), v = (double)(i / side) / (side - 1);
        vec3 x = v3(0.3 * u + 0.08 * sin(25 * u), 0.06 * cos(25 * u) + 0.004 * bvh_random(seed), v);
        x = dyadic_point(v3_add(at, x));
        bvh_mesh_node(m, x, x);
    }
    for (int32_t j = 0; j < side - 1; j++)
        for (int32_t i = 0; i < side - 1; i++) {
            int32_t a = first + j * side + i;
            bvh_mesh_triangle(m, a, a + side, a + side + 1);
            bvh_mesh_triangle(m, a, a + side + 1, a + 1);
        }
}

enum { SIDE = 11 };

static bvh_mesh make_folds(void)
{
    bvh_mesh m = {.n_objects = 1};
    uint64_t seed = 3;
    add_folds(&m, SIDE, v3(0, 0, 0), &seed);
    m.n_objects++;
    add_folds(&m, SIDE, v3(0.1, 0.14, 0.05), &seed);
    return m;
}

static double coordinate(vec3 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

/* How far b lies beyond a along an axis, at a moment of the way. */
static double beyond(const bvh_mesh *m, double t, int axis, const int32_t *a, int n_a, const int32_t *b, int n_b)
{
    double hi = -1e300, lo = 1e300;
    for (int i = 0; i < n_a + n_b; i++) {
        int32_t vi = i < n_a ? a[i] : b[i - n_a];
        double c = (1 - t) * coordinate(m->x0[vi], axis) + t * coordinate(m->x1[vi], axis);
        if (i < n_a)
            hi = c > hi ? c : hi;
        else
            lo = c < lo ? c : lo;
    }
    return lo - hi;
}

static bool ends_meet(const bvh_mesh *m, const int32_t *a, int n_a, const int32_t *b, int n_b, double r)
{
    for (int axis = 0; axis < 3; axis++)
        if ((beyond(m, 0, axis, a, n_a, b, n_b) > 2 * r && beyond(m, 1, axis, a, n_a, b, n_b) > 2 * r) ||
            (beyond(m, 0, axis, b, n_b, a, n_a) > 2 * r && beyond(m, 1, axis, b, n_b, a, n_a) > 2 * r))
            return false;
    return true;
}

static bool boxes_meet_at(const bvh_mesh *m, double t, const int32_t *a, int n_a, const int32_t *b, int n_b, double r)
{
    for (int axis = 0; axis < 3; axis++)
        if (beyond(m, t, axis, a, n_a, b, n_b) > 2 * r - 1e-9 || beyond(m, t, axis, b, n_b, a, n_a) > 2 * r - 1e-9)
            return false;
    return true;
}

static bool meet_at_some_moment(const bvh_mesh *m, const int32_t *a, int n_a, const int32_t *b, int n_b, double r)
{
    for (int k = 0; k <= 16; k++)
        if (boxes_meet_at(m, k / 16.0, a, n_a, b, n_b, r))
            return true;
    return false;
}

static bool has_pair(const void *list, int64_t n, const void *pair)
{
    const int32_t *all = list, *p = pair;
    int64_t lo = 0, hi = n;
    while (lo < hi) {
        int64_t i = lo + (hi - lo) / 2;
        if (all[2 * i] < p[0] || (all[2 * i] == p[0] && all[2 * i + 1] < p[1]))
            lo = i + 1;
        else
            hi = i;
    }
    return lo < n && all[2 * lo] == p[0] && all[2 * lo + 1] == p[1];
}

static void expect_all_of(const bvh_found *some, const bvh_found *all)
{
    for (int64_t i = 0; i < some->n_vt; i++)
        assert_true(has_pair(all->vt, all->n_vt, &some->vt[i]));
    for (int64_t i = 0; i < some->n_ee; i++)
        assert_true(has_pair(all->ee, all->n_ee, &some->ee[i]));
}

static bvh_found find(bvh *t, pool *p)
{
    bvh_pairs out;
    bvh_query q = {.mode = BVH_CLASSICAL};
    assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), WEFT_OK);
    return bvh_found_copy(&out);
}

static void expect_same_triangles(bvh *t, pool *p, const bvh_mesh *m, double inflate)
{
    bvh_triangles out;
    bvh_query q = {.mode = BVH_CLASSICAL};
    int64_t n = 0;
    assert_int_equal(bvh_triangle_pairs(t, p, &q, &out, NULL), WEFT_OK);
    for (int32_t i = 0; i < m->n_triangles; i++)
        for (int32_t j = i + 1; j < m->n_triangles; j++)
            n += ends_meet(m, m->triangles[i], 3, m->triangles[j], 3, inflate);
    assert_int_equal(out.n, n);
    for (int64_t i = 0; i < out.n; i++)
        assert_true(ends_meet(m, m->triangles[out.pairs[i].ti], 3, m->triangles[out.pairs[i].tj], 3, inflate));
}

/* Pairs by ends, and by boxes about all of the way: how many there are of each. */
static void expect_ends(const bvh_mesh *m, double inflate, int64_t *n_ends, int64_t *n_swept)
{
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 2, NULL, NULL);
    bvh_input in = bvh_mesh_input(m);
    bvh *t;
    assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
    assert_int_equal(bvh_refit(t, p, m->x0, m->x1, inflate, NULL), WEFT_OK);
    bvh_found swept = find(t, p);
    assert_int_equal(bvh_refit_ends(t, p, m->x0, m->x1, inflate, NULL), WEFT_OK);
    bvh_found found = find(t, p), wanted = bvh_found_where(m, t, NULL, ends_meet, inflate);
    bvh_found moments = bvh_found_where(m, t, NULL, meet_at_some_moment, inflate);
    assert_true(moments.n_vt > 0 && moments.n_ee > 0);
    assert_true(bvh_found_same(&found, &wanted));
    expect_all_of(&moments, &found);
    expect_all_of(&found, &swept);
    expect_same_triangles(t, p, m, inflate);
    *n_ends = found.n_vt + found.n_ee;
    *n_swept = swept.n_vt + swept.n_ee;
    bvh_found_free(&swept);
    bvh_found_free(&found);
    bvh_found_free(&wanted);
    bvh_found_free(&moments);
    bvh_destroy(t);
    pool_destroy(p);
    assert_int_equal(memory.in_use, 0);
}

static void a_motion_in_common_adds_no_pairs(void **state)
{
    (void)state;
    bvh_mesh m = make_folds();
    int64_t n_rest, n_ends, n_swept;
    expect_ends(&m, 0.01, &n_rest, &n_swept);
    assert_int_equal(n_rest, n_swept);
    for (int k = 0; k < 3; k++) {
        for (int32_t i = 0; i < m.n_nodes; i++)
            m.x1[i] = v3_add(m.x0[i], k == 0 ? v3(0, -8, 0) : k == 1 ? v3(-0.5, 0.25, 4) : v3(0.0625, -0.125, 0));
        expect_ends(&m, 0.01, &n_ends, &n_swept);
        assert_int_equal(n_ends, n_rest);
        assert_true(n_swept > 2 * n_ends);
    }
    bvh_mesh_free(&m);
}

static void sheets_that_turn_lack_no_pair(void **state)
{
    (void)state;
    for (int k = 1; k <= 4; k++) {
        bvh_mesh m = make_folds();
        double angle = 0.6 * k, c = cos(angle), s = sin(angle);
        int64_t n_ends, n_swept;
        for (int32_t i = 0; i < m.n_nodes; i++) {
            vec3 x = v3_sub(m.x0[i], v3(0.2, 0.5, 0)); /* about an axis beside them */
            m.x1[i] = v3(c * x.x - s * x.y, s * x.x + c * x.y, x.z + 0.1 * k);
        }
        expect_ends(&m, 0.004, &n_ends, &n_swept);
        assert_true(n_swept > n_ends);
        bvh_mesh_free(&m);
    }
}

/* A frame of the wrong sheet, or of both, would lose them. */
static void sheets_that_pass_each_other_lack_no_pair(void **state)
{
    (void)state;
    const vec3 ways[] = {{0, 0.3, 0}, {0, 1.5, 0}, {0.4, 0.2, -0.3}, {-0.7, -0.1, 0.9}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        bvh_mesh m = make_folds();
        int64_t n_ends, n_swept;
        for (int32_t i = 0; i < m.n_nodes; i++)
            m.x1[i] = v3_madd(m.x0[i], i < SIDE * SIDE ? 1 : -1, ways[k]);
        expect_ends(&m, 0.003, &n_ends, &n_swept);
        assert_true(n_swept > n_ends);
        bvh_mesh_free(&m);
    }
}

static void nodes_that_go_anywhere_lack_no_pair(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int k = 0; k < 3; k++) {
        bvh_mesh m = make_folds();
        int64_t n_ends, n_swept;
        double far = k == 0 ? 0.01 : k == 1 ? 0.1 : 0.6;
        for (int32_t i = 0; i < m.n_nodes; i++) {
            vec3 d = v3(bvh_random(&seed), bvh_random(&seed), bvh_random(&seed));
            m.x1[i] = v3_madd(v3_add(m.x0[i], v3(0, -2, 0)), far, d);
        }
        expect_ends(&m, 0, &n_ends, &n_swept);
        assert_true(n_swept > n_ends);
        bvh_mesh_free(&m);
    }
}

static void boxes_of_ends_are_for_classical_walks_alone(void **state)
{
    (void)state;
    bvh_mesh m = make_folds();
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 1, NULL, NULL);
    bvh_input in = bvh_mesh_input(&m);
    bvh *t;
    bvh_pairs out;
    assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
    assert_int_equal(bvh_refit_ends(t, p, m.x0, m.x1, 0.01, NULL), WEFT_OK);
    for (int mode = 0; mode < 4; mode++) {
        bvh_query q = {.mode = (bvh_mode)mode};
        weft_result wanted = mode == BVH_CLASSICAL ? WEFT_OK : WEFT_ERROR_ARGUMENT;
        assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), wanted);
    }
    bvh_query thick = {.mode = BVH_CLASSICAL, .thickness = 0.01};
    assert_int_equal(bvh_candidates(t, p, &thick, &out, NULL), WEFT_ERROR_ARGUMENT);
    vec3 was = m.x1[7];
    weft_error e;
    m.x1[7].y = HUGE_VAL;
    assert_int_equal(bvh_refit_ends(t, p, m.x0, m.x1, 0.01, &e), WEFT_ERROR_NOT_FINITE);
    assert_non_null(strstr(e.text, "node 7 "));
    m.x1[7] = was;
    bvh_query q = {.mode = BVH_PROVEN};
    assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), WEFT_ERROR_ARGUMENT);
    assert_int_equal(bvh_refit(t, p, m.x0, m.x1, 0.01, NULL), WEFT_OK);
    assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), WEFT_OK);
    bvh_destroy(t);
    pool_destroy(p);
    bvh_mesh_free(&m);
    assert_int_equal(memory.in_use, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_in_common_adds_no_pairs),
        cmocka_unit_test(sheets_that_turn_lack_no_pair),
        cmocka_unit_test(sheets_that_pass_each_other_lack_no_pair),
        cmocka_unit_test(nodes_that_go_anywhere_lack_no_pair),
        cmocka_unit_test(boxes_of_ends_are_for_classical_walks_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
