/* SPDX-License-Identifier: MIT */
/* ctest: labels=threads timeout=300 */
/* The walk by boxes: what comes out is what brute force finds, once each, in one order, within its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tree/tree_kit.h"

static vec3 random_point(uint64_t *state)
{
    double x = tree_random(state), y = tree_random(state);
    return v3(x, y, tree_random(state));
}

/* Triangles without neighbours. */
static tree_mesh make_soup(int32_t n, double size, uint64_t seed)
{
    tree_mesh m = {0};
    for (int32_t i = 0; i < n; i++) {
        vec3 at = random_point(&seed), move = v3_scale(size, random_point(&seed));
        int32_t v[3];
        for (int k = 0; k < 3; k++) {
            vec3 x = v3_madd(at, size, random_point(&seed));
            v[k] = tree_mesh_node(&m, x, v3_add(x, move));
        }
        tree_mesh_triangle(&m, v[0], v[1], v[2]);
    }
    return m;
}

/* A wavy sheet that moves. */
static void add_sheet(tree_mesh *m, int32_t side, double height, uint64_t *seed)
{
    int32_t first = m->n_nodes;
    for (int32_t i = 0; i < side * side; i++) {
        double u = (double)(i % side) / (side - 1), v = (double)(i / side) / (side - 1);
        vec3 x = v3(u, height + 0.2 * u * (1 - u) + 0.02 * tree_random(seed), v);
        tree_mesh_node(m, x, v3_madd(x, 0.03, random_point(seed)));
    }
    for (int32_t j = 0; j < side - 1; j++)
        for (int32_t i = 0; i < side - 1; i++) {
            int32_t a = first + j * side + i;
            tree_mesh_triangle(m, a, a + side, a + side + 1);
            tree_mesh_triangle(m, a, a + side + 1, a + 1);
        }
}

static void expect_all_boxes(const tree_mesh *m, const int32_t *same, double inflate)
{
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 2, NULL, NULL);
    tree_input in = tree_mesh_input(m);
    in.same = same;
    tree *t;
    assert_int_equal(tree_create(&memory, &in, &t, NULL), WEFT_OK);
    assert_int_equal(tree_refit(t, p, m->x0, m->x1, inflate, NULL), WEFT_OK);
    tree_pairs out;
    tree_query q = {.mode = TREE_CLASSICAL};
    assert_int_equal(tree_candidates(t, p, &q, &out, NULL), WEFT_OK);
    tree_found found = tree_found_copy(&out), wanted = tree_found_boxes(m, t, same, inflate);
    assert_true(wanted.n_vt > 0 && wanted.n_ee > 0);
    assert_true(tree_found_same(&found, &wanted));
    tree_found_free(&found);
    tree_found_free(&wanted);
    tree_destroy(t);
    pool_destroy(p);
    assert_int_equal(memory.in_use, 0);
}

static void classical_finds_the_boxes_that_overlap_in_soup(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        tree_mesh m = make_soup(400, 0.1, seed);
        expect_all_boxes(&m, NULL, 0);
        expect_all_boxes(&m, NULL, 0.013);
        tree_mesh_free(&m);
    }
}

static void classical_finds_the_boxes_that_overlap_on_sheets(void **state)
{
    (void)state;
    tree_mesh m = {.n_objects = 1};
    uint64_t seed = 5;
    add_sheet(&m, 14, 0, &seed);
    m.n_objects++;
    add_sheet(&m, 11, 0.03, &seed);
    expect_all_boxes(&m, NULL, 0);
    expect_all_boxes(&m, NULL, 0.01);
    int32_t *same = malloc((size_t)m.n_nodes * sizeof *same);
    for (int32_t i = 0; i < m.n_nodes; i++)
        same[i] = i;
    for (int32_t i = 0; i < 11; i++)
        same[14 * 14 + i] = i;
    expect_all_boxes(&m, same, 0);
    free(same);
    tree_mesh_free(&m);
}

static void boxes_that_touch_overlap_whatever_floats_say(void **state)
{
    (void)state;
    double third = 1.0 / 3;
    for (int i = -2; i <= 2; i++) {
        tree_mesh m = {0};
        double gap = third + i * 0x1p-54;
        for (int k = 0; k < 2; k++) {
            double x = k == 0 ? 0 : gap;
            int32_t a = tree_mesh_node(&m, v3(x, 0, 0), v3(x, 0, 0));
            tree_mesh_node(&m, v3(x + third, 0, 0), v3(x + third, 0, 0));
            tree_mesh_node(&m, v3(x, 1, 0), v3(x, 1, 0));
            tree_mesh_triangle(&m, a, a + 1, a + 2);
        }
        mem memory;
        mem_init(&memory, NULL, NULL);
        pool *p = pool_create(&memory, 1, NULL, NULL);
        tree_input in = tree_mesh_input(&m);
        tree *t;
        assert_int_equal(tree_create(&memory, &in, &t, NULL), WEFT_OK);
        assert_int_equal(tree_refit(t, p, m.x0, NULL, 0, NULL), WEFT_OK);
        tree_pairs out;
        tree_triangles pairs;
        tree_query q = {.mode = TREE_CLASSICAL};
        assert_int_equal(tree_candidates(t, p, &q, &out, NULL), WEFT_OK);
        tree_found found = tree_found_copy(&out), wanted = tree_found_boxes(&m, t, NULL, 0);
        assert_true(tree_found_same(&found, &wanted));
        assert_int_equal(tree_triangle_pairs(t, p, &q, &pairs, NULL), WEFT_OK);
        assert_int_equal(pairs.n, gap <= third);
        tree_found_free(&found);
        tree_found_free(&wanted);
        tree_destroy(t);
        pool_destroy(p);
        tree_mesh_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classical_finds_the_boxes_that_overlap_in_soup),
        cmocka_unit_test(classical_finds_the_boxes_that_overlap_on_sheets),
        cmocka_unit_test(boxes_that_touch_overlap_whatever_floats_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
