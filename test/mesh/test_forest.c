/* SPDX-License-Identifier: MIT */
/* ctest: timeout=300 */
/* What splits, what may merge, what hangs, and what it costs. WEFT_LONG: 100,000 operations on every shape. */
#include "mesh/forest_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static bool is_long(void)
{
    return getenv("WEFT_LONG") != NULL;
}

/* ---- the paper's figure 1 ---------------------------------------------------------------------------------------- */

/* The paper's active nodes share four elements: on its four elements alone, middles of the border count as virtual. */
static bool paper_active(const forest *f, int32_t vi)
{
    int n = 0;
    for (int32_t c = f->nodes[vi].corner; c >= 0; c = f->elements[c / 4].corner_next[c % 4])
        n++;
    return n == 4 && !forest_hangs(f, vi);
}

typedef struct census {
    int32_t active, hidden, promoted;
} census;

/* Refines at a node and counts new active and new virtual nodes, and virtual ones that became active. */
static census refine_and_count(forest *f, int32_t vi)
{
    census c = {0};
    int32_t n_before = f->n_nodes;
    bool *was_active = calloc((size_t)n_before, sizeof *was_active);
    assert_non_null(was_active);
    for (int32_t i = 0; i < n_before; i++)
        was_active[i] = paper_active(f, i);
    assert_true(forest_refine_at(f, vi));
    assert_true(forest_is_valid(f));
    for (int32_t i = f->n_root_nodes; i < f->n_nodes; i++) {
        bool active = paper_active(f, i);
        if (i >= n_before)
            *(active ? &c.active : &c.hidden) += 1;
        else
            c.promoted += active && !was_active[i];
    }
    free(was_active);
    return c;
}

static void assert_census(census c, int32_t active, int32_t hidden, int32_t promoted)
{
    assert_int_equal(c.active, active);
    assert_int_equal(c.hidden, hidden);
    assert_int_equal(c.promoted, promoted);
}

static void refining_at_nodes_makes_the_nodes_of_villards_figure_1(void **state)
{
    (void)state;
    kit_mesh m = kit_patch(3, 3, 2, 2, 1.5, 0, 1);
    forest_kit k;
    forest_kit_start_mesh(&k, &m, 2, 1);
    int32_t p = 4;
    assert_census(refine_and_count(&k.f, p), 8, 8, 0);
    int32_t q = k.f.elements[k.f.elements[0].child].node[2]; /* the centre of a quad at P */
    assert_census(refine_and_count(&k.f, q), 8, 8, 0);
    assert_census(refine_and_count(&k.f, p), 5, 6, 2);
    forest_kit_end(&k);
    kit_mesh_free(&m);
}

static void middles_beside_coarser_elements_hang(void **state)
{
    (void)state;
    kit_mesh m = kit_patch(5, 5, 4, 4, 1.5, 0, 1);
    forest_kit k;
    forest_kit_start_mesh(&k, &m, 4, 1);
    assert_true(forest_refine_at(&k.f, 12)); /* the node in the middle: four elements, coarser ones all round */
    int32_t n_hanging = 0;
    for (int32_t vi = 0; vi < k.f.n_nodes; vi++)
        n_hanging += forest_hangs(&k.f, vi);
    assert_int_equal(k.f.n_live_nodes, 25 + 16);
    assert_int_equal(n_hanging, 8);
    forest_kit_end(&k);
    kit_mesh_free(&m);
}

/* ---- random sequences -------------------------------------------------------------------------------------------- */

static void any_sequence_of_operations_keeps_the_forest_valid(void **state)
{
    (void)state;
    int32_t n = is_long() ? 100000 : 420; /* 5,000 in all */
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        clock_t start = clock();
        forest_kit k;
        forest_kit_start(&k, (forest_shape)shape, 7 + (uint64_t)shape);
        uint64_t random = 100 + (uint64_t)shape;
        assert_true(forest_is_valid(&k.f));
        for (int32_t i = 0; i < n; i++) {
            forest_kit_operate(&k, 120, i % 100 < 90 ? 5 : FOREST_MAX_LEVEL, &random);
            if (!forest_is_valid(&k.f))
                fail_msg("%s is not valid after %d operations", forest_kit_name((forest_shape)shape), i + 1);
            forest_kit_forget(&k);
        }
        assert_true(forest_kit_same_leaves(&k));
        if (is_long())
            print_message("  %-10s %d operations, each checked: %.1f s\n", forest_kit_name((forest_shape)shape), n,
                          (double)(clock() - start) / CLOCKS_PER_SEC);
        forest_kit_end(&k);
    }
}

static void large_forests_stay_valid(void **state)
{
    (void)state;
    int32_t n = is_long() ? 100000 : 5000;
    kit_mesh meshes[2] = {kit_torus(30, 20, 1, 0.4), kit_icosphere(2, 1)};
    for (int i = 0; i < 2; i++) {
        forest_kit k;
        forest_kit_start_mesh(&k, &meshes[i], 0, 3);
        uint64_t random = 5;
        clock_t start = clock(), checks = 0;
        for (int32_t j = 0; j < n; j++) {
            forest_kit_operate(&k, 8000, 8, &random);
            forest_kit_forget(&k);
            if (j % (n / 50) == 0) {
                clock_t before = clock();
                assert_true(forest_is_valid(&k.f));
                assert_true(forest_kit_same_leaves(&k));
                checks += clock() - before;
            }
        }
        if (is_long())
            print_message("  %d operations on about %d leaves: %.3f s without the checks\n", n, k.n_leaves,
                          (double)(clock() - start - checks) / CLOCKS_PER_SEC);
        assert_true(forest_is_valid(&k.f));
        forest_kit_end(&k);
        kit_mesh_free(&meshes[i]);
    }
}

static void leaves_followed_by_the_callback_are_the_leaves(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        forest_kit k;
        forest_kit_start(&k, (forest_shape)shape, 70 + (uint64_t)shape);
        uint64_t random = 1000 + (uint64_t)shape;
        for (int i = 0; i < 300; i++) {
            forest_kit_operate(&k, 200, 6, &random);
            forest_kit_forget(&k);
            assert_true(forest_kit_same_leaves(&k));
        }
        forest_kit_end(&k);
    }
}

/* ---- balance ----------------------------------------------------------------------------------------------------- */

/* A leaf of a flat grid, in units of which a root has 2^12, from its path. */
typedef struct square {
    int32_t u, v, size, level;
} square;

static square square_of(const forest *f, int32_t ei, int32_t columns)
{
    const forest_element *el = &f->elements[ei];
    if (el->parent < 0)
        return (square){ei % columns << 12, ei / columns << 12, 1 << 12, 0};
    square s = square_of(f, el->parent, columns);
    int32_t k = ei - f->elements[el->parent].child;
    s.size /= 2;
    s.level++;
    s.u += k == 1 || k == 2 ? s.size : 0;
    s.v += k >= 2 ? s.size : 0;
    return s;
}

/* Whether two intervals touch, on a circle if round > 0. */
static bool collider_contact_along(int32_t a, int32_t a_size, int32_t b, int32_t b_size, int32_t round)
{
    for (int32_t shift = -round; shift <= round; shift += round > 0 ? round : 1)
        if (a <= b + shift + b_size && b + shift <= a + a_size)
            return true;
    return false;
}

static void assert_balanced(forest_kit *k, int32_t columns, int32_t round_u, int32_t round_v)
{
    square *s = calloc((size_t)k->n_leaves, sizeof *s);
    assert_non_null(s);
    for (int32_t i = 0; i < k->n_leaves; i++)
        s[i] = square_of(&k->f, k->leaves[i], columns);
    for (int32_t i = 0; i < k->n_leaves; i++)
        for (int32_t j = 0; j < i; j++)
            if (abs(s[i].level - s[j].level) > 1)
                assert_false(collider_contact_along(s[i].u, s[i].size, s[j].u, s[j].size, round_u) &&
                             collider_contact_along(s[i].v, s[i].size, s[j].v, s[j].size, round_v));
    free(s);
}

/* Checked by coordinates, not by the lists that the balance uses. */
static void leaves_that_touch_differ_by_one_level_at_most(void **state)
{
    (void)state;
    static const struct {
        forest_shape shape;
        int32_t columns, round_u, round_v;
    } flat[] = {{SHAPE_GRID, 3, 0, 0},
                {SHAPE_TUBE, 3, 3 << 12, 0},
                {SHAPE_THIN_TUBE, 1, 1 << 12, 0},
                {SHAPE_ONE_TORUS, 1, 1 << 12, 1 << 12}};
    for (int i = 0; i < 4; i++) {
        forest_kit k;
        forest_kit_start(&k, flat[i].shape, 3);
        uint64_t random = 40 + (uint64_t)i;
        for (int j = 0; j < 100; j++) {
            for (int n = 0; n < 10; n++)
                forest_kit_operate(&k, 300, 7, &random);
            forest_kit_forget(&k);
            assert_balanced(&k, flat[i].columns, flat[i].round_u, flat[i].round_v);
        }
        forest_kit_end(&k);
    }
}

static void refining_splits_no_more_than_it_must(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        forest_kit k;
        forest_kit_start(&k, (forest_shape)shape, 5);
        uint64_t random = 60 + (uint64_t)shape;
        for (int i = 0; i < 200; i++) {
            for (int n = 0; n < 3; n++)
                forest_kit_operate(&k, 150, 6, &random);
            int32_t ei = forest_kit_leaf(&k, 7, &random);
            forest_kit_forget(&k);
            assert_true(ei >= 0 && forest_refine(&k.f, ei));
            assert_int_equal(k.splits[k.n_splits - 1], ei);
            for (int32_t j = 0; j < k.n_splits - 1; j++)
                assert_false(forest_can_merge(&k.f, k.splits[j])); /* another leaf needs it */
        }
        forest_kit_end(&k);
    }
}

static void merging_undoes_refining(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        forest_kit k;
        forest_kit_start(&k, (forest_shape)shape, 9);
        uint64_t random = 80 + (uint64_t)shape;
        for (int i = 0; i < 100; i++) {
            for (int n = 0; n < 3; n++)
                forest_kit_operate(&k, 150, 6, &random);
            int64_t n_before, n_after;
            uint8_t *before = forest_kit_encode(&k.f, &n_before);
            int32_t n_nodes = k.f.n_live_nodes, ei = forest_kit_leaf(&k, FOREST_MAX_LEVEL, &random);
            forest_kit_forget(&k);
            assert_true(forest_refine(&k.f, ei));
            int32_t n_splits = k.n_splits;
            while (n_splits-- > 0) {
                assert_true(forest_can_merge(&k.f, k.splits[n_splits]));
                forest_merge(&k.f, k.splits[n_splits]);
            }
            uint8_t *after = forest_kit_encode(&k.f, &n_after);
            assert_int_equal(n_before, n_after);
            assert_memory_equal(before, after, (size_t)n_before);
            assert_int_equal(k.f.n_live_nodes, n_nodes);
            assert_true(forest_is_valid(&k.f));
            free(before);
            free(after);
        }
        forest_kit_end(&k);
    }
}

static void merging_all_leaves_the_roots(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        forest_kit k;
        forest_kit_start(&k, (forest_shape)shape, 11);
        uint64_t random = 90 + (uint64_t)shape;
        for (int i = 0; i < 100; i++)
            assert_true(forest_refine(&k.f, forest_kit_leaf(&k, 8, &random)));
        for (int level = FOREST_MAX_LEVEL; level > 0; level--)
            for (int32_t i = k.n_leaves - 1; i >= 0; i--) {
                const forest_element *el = i < k.n_leaves ? &k.f.elements[k.leaves[i]] : NULL;
                if (el && el->level == level) {
                    assert_true(forest_can_merge(&k.f, el->parent)); /* no leaf is finer */
                    forest_merge(&k.f, el->parent);
                    i = k.n_leaves;
                }
            }
        assert_int_equal(k.f.n_leaves, k.f.n_roots);
        assert_int_equal(k.f.n_live_nodes, k.f.n_root_nodes);
        assert_true(forest_is_valid(&k.f));
        int64_t n_calls = k.mem.n_calls;
        assert_true(forest_refine(&k.f, 0)); /* there are free slots */
        assert_int_equal(k.mem.n_calls, n_calls);
        forest_kit_end(&k);
    }
}

static void no_leaf_splits_below_the_last_level(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        forest_kit k;
        forest_kit_start(&k, (forest_shape)shape, 13);
        uint64_t random = 17;
        int32_t ei = 0;
        while (k.f.elements[ei].level < FOREST_MAX_LEVEL) {
            assert_true(forest_refine(&k.f, ei));
            assert_true(forest_refine(&k.f, ei)); /* it has split already */
            ei = k.f.elements[ei].child + kit_random_below(&random, 4);
        }
        uint32_t revision = k.f.revision;
        assert_false(forest_refine(&k.f, ei));
        assert_int_equal(k.f.revision, revision);
        assert_true(forest_is_valid(&k.f));
        forest_kit_end(&k);
    }
}

/* ---- cost, memory ------------------------------------------------------------------------------------------------ */

typedef struct cost {
    int64_t work, n_calls;
    int32_t n_leaves;
} cost;

/* The same refining and merging about the middle of n × n roots. */
static cost cost_of(int32_t n)
{
    kit_mesh m = kit_patch(n + 1, n + 1, 1, 1, 1.5, 0, 1);
    forest_kit k;
    forest_kit_start_mesh(&k, &m, n, 1);
    kit_mesh_free(&m);
    uint64_t random = 1;
    int64_t n_calls = k.mem.n_calls;
    for (int i = 0; i < 500; i++) {
        int32_t ei = n / 2 + kit_random_below(&random, 7) - 3 + n * (n / 2 + kit_random_below(&random, 7) - 3);
        while (!forest_is_leaf(&k.f, ei))
            ei = k.f.elements[ei].child + kit_random_below(&random, 4);
        if (i % 3 < 2 && k.f.elements[ei].level < 6)
            assert_true(forest_refine(&k.f, ei));
        else if (k.f.elements[ei].parent >= 0 && forest_can_merge(&k.f, k.f.elements[ei].parent))
            forest_merge(&k.f, k.f.elements[ei].parent);
    }
    cost c = {k.f.work, k.mem.n_calls - n_calls, k.f.n_leaves - k.f.n_roots};
    forest_kit_end(&k);
    return c;
}

static void cost_does_not_grow_with_the_mesh(void **state)
{
    (void)state;
    cost small = cost_of(32), large = cost_of(316);
    assert_int_equal(small.n_leaves, large.n_leaves);
    assert_int_equal(small.work, large.work);
    assert_true(small.work > 0);
    assert_true(large.n_calls <= small.n_calls);
}

static void a_forest_without_memory_stays_valid(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        for (int64_t fail = 1;; fail++) {
            forest_kit k;
            forest_kit_start(&k, (forest_shape)shape, 19);
            uint64_t random = 51;
            k.kit.fail_at = k.kit.n_calls + fail;
            for (int i = 0; i < 20; i++) {
                int32_t ei = forest_kit_leaf(&k, 8, &random);
                int64_t n_failed = k.kit.n_failed;
                bool ok = forest_refine(&k.f, ei);
                assert_int_equal(ok, k.kit.n_failed == n_failed);
                assert_true(forest_is_valid(&k.f));
                assert_true(forest_kit_same_leaves(&k));
                assert_true(ok || forest_refine(&k.f, ei)); /* the next try has memory */
            }
            bool done = k.kit.n_failed == 0;
            forest_kit_end(&k);
            if (done)
                break;
        }
    }
}

static void making_a_forest_without_memory_leaves_nothing(void **state)
{
    (void)state;
    forest_kit k;
    forest_kit_start(&k, SHAPE_GRID, 1);
    for (int i = 1; i <= 3; i++) {
        forest f;
        int64_t n_bytes = k.kit.n_bytes;
        k.kit.fail_at = k.kit.n_calls + i;
        assert_false(forest_create(&f, &k.mem, k.roots));
        assert_int_equal(k.kit.n_bytes, n_bytes);
        forest_destroy(&f); /* does nothing */
    }
    forest_kit_end(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refining_at_nodes_makes_the_nodes_of_villards_figure_1),
        cmocka_unit_test(middles_beside_coarser_elements_hang),
        cmocka_unit_test(any_sequence_of_operations_keeps_the_forest_valid),
        cmocka_unit_test(large_forests_stay_valid),
        cmocka_unit_test(leaves_followed_by_the_callback_are_the_leaves),
        cmocka_unit_test(leaves_that_touch_differ_by_one_level_at_most),
        cmocka_unit_test(refining_splits_no_more_than_it_must),
        cmocka_unit_test(merging_undoes_refining),
        cmocka_unit_test(merging_all_leaves_the_roots),
        cmocka_unit_test(no_leaf_splits_below_the_last_level),
        cmocka_unit_test(cost_does_not_grow_with_the_mesh),
        cmocka_unit_test(a_forest_without_memory_stays_valid),
        cmocka_unit_test(making_a_forest_without_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
