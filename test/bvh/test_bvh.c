/* SPDX-License-Identifier: MIT */
/* ctest: labels=threads timeout=300 */
/* The walk by boxes: what comes out is what brute force finds, once each, in one order, within its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "bvh/bvh_kit.h"

static vec3 random_point(uint64_t *state)
{
    double x = bvh_random(state), y = bvh_random(state);
    return v3(x, y, bvh_random(state));
}

/* Triangles without neighbours. */
static bvh_mesh make_soup(int32_t n, double size, uint64_t seed)
{
    bvh_mesh m = {0};
    for (int32_t i = 0; i < n; i++) {
        vec3 at = random_point(&seed), move = v3_scale(size, random_point(&seed));
        int32_t v[3];
        for (int k = 0; k < 3; k++) {
            vec3 x = v3_madd(at, size, random_point(&seed));
            v[k] = bvh_mesh_node(&m, x, v3_add(x, move));
        }
        bvh_mesh_triangle(&m, v[0], v[1], v[2]);
    }
    return m;
}

/* A wavy sheet that moves. */
static void add_sheet(bvh_mesh *m, int32_t side, double height, uint64_t *seed)
{
    int32_t first = m->n_nodes;
    for (int32_t i = 0; i < side * side; i++) {
        double u = (double)(i % side) / (side - 1), v = (double)(i / side) / (side - 1);
        vec3 x = v3(u, height + 0.2 * u * (1 - u) + 0.02 * bvh_random(seed), v);
        bvh_mesh_node(m, x, v3_madd(x, 0.03, random_point(seed)));
    }
    for (int32_t j = 0; j < side - 1; j++)
        for (int32_t i = 0; i < side - 1; i++) {
            int32_t a = first + j * side + i;
            bvh_mesh_triangle(m, a, a + side, a + side + 1);
            bvh_mesh_triangle(m, a, a + side + 1, a + 1);
        }
}

static void expect_all_boxes(const bvh_mesh *m, const int32_t *same, double inflate)
{
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 2, NULL, NULL);
    bvh_input in = bvh_mesh_input(m);
    in.same = same;
    bvh *t;
    assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
    assert_int_equal(bvh_refit(t, p, m->x0, m->x1, inflate, NULL), WEFT_OK);
    bvh_pairs out;
    bvh_query q = {.mode = BVH_CLASSICAL};
    assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), WEFT_OK);
    bvh_found found = bvh_found_copy(&out), wanted = bvh_found_boxes(m, t, same, inflate);
    assert_true(wanted.n_vt > 0 && wanted.n_ee > 0);
    assert_true(bvh_found_same(&found, &wanted));
    bvh_found_free(&found);
    bvh_found_free(&wanted);
    bvh_destroy(t);
    pool_destroy(p);
    assert_int_equal(memory.in_use, 0);
}

static void classical_finds_the_boxes_that_overlap_in_soup(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        bvh_mesh m = make_soup(400, 0.1, seed);
        expect_all_boxes(&m, NULL, 0);
        expect_all_boxes(&m, NULL, 0.013);
        bvh_mesh_free(&m);
    }
}

static void classical_finds_the_boxes_that_overlap_on_sheets(void **state)
{
    (void)state;
    bvh_mesh m = {.n_objects = 1};
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
    bvh_mesh_free(&m);
}

static void boxes_that_touch_overlap_whatever_floats_say(void **state)
{
    (void)state;
    double third = 1.0 / 3;
    for (int i = -2; i <= 2; i++) {
        bvh_mesh m = {0};
        double gap = third + i * 0x1p-54;
        for (int k = 0; k < 2; k++) {
            double x = k == 0 ? 0 : gap;
            int32_t a = bvh_mesh_node(&m, v3(x, 0, 0), v3(x, 0, 0));
            bvh_mesh_node(&m, v3(x + third, 0, 0), v3(x + third, 0, 0));
            bvh_mesh_node(&m, v3(x, 1, 0), v3(x, 1, 0));
            bvh_mesh_triangle(&m, a, a + 1, a + 2);
        }
        mem memory;
        mem_init(&memory, NULL, NULL);
        pool *p = pool_create(&memory, 1, NULL, NULL);
        bvh_input in = bvh_mesh_input(&m);
        bvh *t;
        assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
        assert_int_equal(bvh_refit(t, p, m.x0, NULL, 0, NULL), WEFT_OK);
        bvh_pairs out;
        bvh_triangles pairs;
        bvh_query q = {.mode = BVH_CLASSICAL};
        assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), WEFT_OK);
        bvh_found found = bvh_found_copy(&out), wanted = bvh_found_boxes(&m, t, NULL, 0);
        assert_true(bvh_found_same(&found, &wanted));
        assert_int_equal(bvh_triangle_pairs(t, p, &q, &pairs, NULL), WEFT_OK);
        assert_int_equal(pairs.n, gap <= third);
        bvh_found_free(&found);
        bvh_found_free(&wanted);
        bvh_destroy(t);
        pool_destroy(p);
        bvh_mesh_free(&m);
    }
}

/* ---- order, memory, limits --------------------------------------------------------------------------------------- */

static uint64_t hash_of(const bvh_pairs *p)
{
    uint64_t h = hash_bytes(HASH_START, p->vertex_triangle, (size_t)p->n_vertex_triangle * sizeof *p->vertex_triangle);
    h = hash_bytes(h, p->edge_edge, (size_t)p->n_edge_edge * sizeof *p->edge_edge);
    return hash_bytes(h, &p->counters, sizeof p->counters);
}

static bvh_mesh make_sheets(int32_t side)
{
    bvh_mesh m = {.n_objects = 1};
    uint64_t seed = 9;
    for (int i = 0; i < 3; i++) {
        add_sheet(&m, side, 0.02 * i, &seed);
        m.n_objects++;
    }
    m.n_objects = 3;
    return m;
}

/* A sheet of six pleats that lie over each other, each a little wavy, and come down. */
static bvh_mesh make_pleats(int32_t side)
{
    bvh_mesh m = {.n_objects = 1};
    uint64_t seed = 4;
    add_sheet(&m, side, 0, &seed);
    for (int32_t i = 0; i < m.n_nodes; i++) {
        double u = 6.0 * (i % side) / (side - 1), v = (double)(i / side) / (side - 1), pleat = floor(u);
        double along = fmin((u - pleat) / 0.9, 1), up = pleat + fmax(0, (u - pleat - 0.9) / 0.1);
        m.x0[i] = v3(fmod(pleat, 2) < 1 ? along : 1 - along, 0.05 * up + 0.001 * sin(20 * v), v);
        m.x1[i] = v3(1.01 * m.x0[i].x, 0.9 * m.x0[i].y, m.x0[i].z);
    }
    return m;
}

static void expect_same_for_any_threads(bvh_mesh m)
{
    uint64_t wanted[4] = {0};
    for (int32_t n_threads = 1; n_threads <= 5; n_threads++) {
        mem memory;
        mem_init(&memory, NULL, NULL);
        pool *p = pool_create(&memory, n_threads, NULL, NULL);
        bvh_input in = bvh_mesh_input(&m);
        bvh *t;
        assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
        assert_int_equal(bvh_refit(t, p, m.x0, m.x1, 0, NULL), WEFT_OK);
        for (int mode = 0; mode < 4; mode++) {
            bvh_query q = {.mode = (bvh_mode)mode};
            bvh_pairs out;
            assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), WEFT_OK);
            assert_true(mode != BVH_CLASSICAL || out.n_edge_edge > 0);
            if (n_threads == 1)
                wanted[mode] = hash_of(&out);
            assert_true(hash_of(&out) == wanted[mode]);
        }
        bvh_destroy(t);
        pool_destroy(p);
    }
    bvh_mesh_free(&m);
}

static void pairs_and_counters_do_not_depend_on_threads(void **state)
{
    (void)state;
    expect_same_for_any_threads(make_sheets(40));
    expect_same_for_any_threads(make_pleats(61));
}

static void smooth_parts_of_many_zones_take_few_contours(void **state)
{
    (void)state;
    bvh_mesh m = make_pleats(61);
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 1, NULL, NULL);
    bvh_input in = bvh_mesh_input(&m);
    bvh *t;
    bvh_pairs fast, proven;
    bvh_query q = {.mode = BVH_FAST};
    assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
    assert_int_equal(bvh_refit(t, p, m.x0, m.x1, 0, NULL), WEFT_OK);
    assert_int_equal(bvh_candidates(t, p, &q, &fast, NULL), WEFT_OK);
    q.mode = BVH_PROVEN;
    assert_int_equal(bvh_candidates(t, p, &q, &proven, NULL), WEFT_OK);
    printf("%lld zones and pairs skipped, by %lld contours\n", (long long)proven.counters.zones_skipped,
           (long long)proven.counters.contour_tests);
    assert_true(2 * proven.counters.contour_tests < proven.counters.zones_skipped);
    assert_int_equal(proven.n_vertex_triangle, fast.n_vertex_triangle);
    assert_int_equal(proven.n_edge_edge, fast.n_edge_edge);
    bvh_destroy(t);
    pool_destroy(p);
    bvh_mesh_free(&m);
    assert_int_equal(memory.in_use, 0);
}

static void a_steady_step_asks_for_no_memory(void **state)
{
    (void)state;
    bvh_mesh m = make_sheets(20);
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 2, NULL, NULL);
    bvh_input in = bvh_mesh_input(&m);
    bvh *t;
    bvh_pairs out;
    bvh_query q = {.mode = BVH_PROVEN};
    assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
    int64_t n_calls = 0;
    for (int step = 0; step < 4; step++) {
        assert_int_equal(bvh_refit(t, p, m.x0, m.x1, 0.001 * (4 - step), NULL), WEFT_OK);
        assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), WEFT_OK);
        if (step > 0)
            assert_int_equal(memory.n_calls, n_calls);
        n_calls = memory.n_calls;
    }
    bvh_destroy(t);
    pool_destroy(p);
    bvh_mesh_free(&m);
    assert_int_equal(memory.in_use, 0);
}

/* What is found does not depend on whose arena it lies in, nor on what else is taken of that. */
static void an_arena_of_others_changes_nothing(void **state)
{
    (void)state;
    bvh_mesh m = make_sheets(12);
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 1, NULL, NULL);
    bvh_input in = bvh_mesh_input(&m);
    bvh *own = NULL, *t = NULL;
    bvh_pairs a, b;
    bvh_query q = {.mode = BVH_CLASSICAL};
    assert_int_equal(bvh_create(&memory, &in, &own, NULL), WEFT_OK);
    assert_int_equal(bvh_refit(own, p, m.x0, m.x1, 0, NULL), WEFT_OK);
    assert_int_equal(bvh_candidates(own, p, &q, &a, NULL), WEFT_OK);
    assert_true(a.n_edge_edge > 0);
    arena scratch;
    arena_init(&scratch, &memory);
    in.scratch = &scratch;
    assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
    for (int64_t n = 0; n <= 1 << 22; n = 2 * n + 1000) {
        char *others = arena_take(&scratch, n);
        if (others)
            memset(others, 0x55, (size_t)n);
        arena_mark before = arena_mark_of(&scratch);
        assert_int_equal(bvh_refit(t, p, m.x0, m.x1, 0, NULL), WEFT_OK);
        for (int round = 0; round < 2; round++) {
            assert_int_equal(bvh_candidates(t, p, &q, &b, NULL), WEFT_OK);
            assert_true(a.n_edge_edge == b.n_edge_edge && a.n_vertex_triangle == b.n_vertex_triangle);
            assert_memory_equal(a.edge_edge, b.edge_edge, (size_t)a.n_edge_edge * sizeof *a.edge_edge);
        }
        assert_true(scratch.in_use > before.in_use);
        arena_release(&scratch, before);
        for (int64_t i = 0; i < n; i++)
            assert_true(others[i] == 0x55);
        arena_release(&scratch, (arena_mark){0});
    }
    bvh_destroy(t);
    arena_destroy(&scratch);
    bvh_destroy(own);
    pool_destroy(p);
    bvh_mesh_free(&m);
    assert_int_equal(memory.in_use, 0);
}

typedef struct scarce {
    int64_t left; /* calls until there is no memory */
} scarce;

static void *scarce_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    scarce *s = user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return s->left-- > 0 ? realloc(ptr, new_size) : NULL;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    bvh_mesh m = make_sheets(6);
    bool done = false;
    for (int64_t n = 0; !done; n++) {
        scarce s = {n};
        mem memory;
        mem_init(&memory, scarce_alloc, &s);
        pool *p = pool_create(&memory, 1, NULL, NULL);
        bvh_input in = bvh_mesh_input(&m);
        in.updates = true;
        bvh *t = NULL;
        bvh_pairs out;
        bvh_query q = {.mode = BVH_CONES};
        if (p && bvh_create(&memory, &in, &t, NULL) == WEFT_OK) {
            weft_result r = bvh_refit(t, p, m.x0, m.x1, 0, NULL);
            if (r == WEFT_OK)
                r = bvh_candidates(t, p, &q, &out, NULL);
            if (r == WEFT_OK)
                r = bvh_update(t, &in, NULL);
            assert_true(r == WEFT_OK || r == WEFT_ERROR_MEMORY);
            assert_true(bvh_is_valid(t) || s.left < 0);
            done = r == WEFT_OK;
        }
        bvh_destroy(t);
        pool_destroy(p);
        assert_int_equal(memory.in_use, 0);
    }
    bvh_mesh_free(&m);
}

static void millions_of_coincident_triangles_hit_the_limit(void **state)
{
    (void)state;
    bvh_mesh m = {0};
    for (int32_t i = 0; i < 20000; i++) {
        int32_t a = bvh_mesh_node(&m, v3(0, 0, 0), v3(0, 0, 0));
        bvh_mesh_node(&m, v3(1, 0, 0), v3(1, 0, 0));
        bvh_mesh_node(&m, v3(0, 1, 0), v3(0, 1, 0));
        bvh_mesh_triangle(&m, a, a + 1, a + 2);
    }
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 2, NULL, NULL);
    bvh_input in = bvh_mesh_input(&m);
    bvh *t;
    bvh_pairs out;
    weft_error e;
    bvh_query q = {.mode = BVH_PROVEN, .limit = 1000000};
    assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
    assert_int_equal(bvh_refit(t, p, m.x0, NULL, 0, NULL), WEFT_OK);
    assert_int_equal(bvh_candidates(t, p, &q, &out, &e), WEFT_ERROR_LIMIT);
    assert_non_null(strstr(e.text, "1000000"));
    assert_int_equal(out.n_vertex_triangle, 0);
    /* It goes on working. */
    q.mode = BVH_FAST;
    assert_int_equal(bvh_candidates(t, p, &q, &out, &e), WEFT_ERROR_LIMIT);
    assert_true(memory.peak < 400 << 20);
    bvh_destroy(t);
    pool_destroy(p);
    bvh_mesh_free(&m);
    assert_int_equal(memory.in_use, 0);
}

static void bad_input_is_refused_by_name(void **state)
{
    (void)state;
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 1, NULL, NULL);
    bvh_mesh m = make_sheets(4);
    bvh_input in = bvh_mesh_input(&m);
    bvh *t;
    weft_error e;
    m.triangles[7][1] = 1000;
    assert_int_equal(bvh_create(&memory, &in, &t, &e), WEFT_ERROR_INDEX);
    assert_int_equal(e.element, 7);
    m.triangles[7][1] = 3;
    in.object = NULL;
    assert_int_equal(bvh_create(&memory, &in, &t, &e), WEFT_OK);
    bvh_pairs out;
    bvh_query q = {.mode = BVH_PROVEN};
    assert_int_equal(bvh_candidates(t, p, &q, &out, &e), WEFT_ERROR_ARGUMENT);
    m.x1[5].y = (double)NAN;
    assert_int_equal(bvh_refit(t, p, m.x0, m.x1, 0, &e), WEFT_ERROR_NOT_FINITE);
    assert_int_equal(e.element, 5);
    assert_int_equal(bvh_refit(t, p, m.x0, NULL, -1, &e), WEFT_ERROR_RANGE);
    assert_int_equal(bvh_refit(t, p, m.x0, NULL, 0, &e), WEFT_OK);
    q.thickness = 0.1;
    assert_int_equal(bvh_candidates(t, p, &q, &out, &e), WEFT_ERROR_ARGUMENT);
    bvh_destroy(t);
    bvh_mesh_free(&m);
    bvh_input nothing = {0};
    assert_int_equal(bvh_create(&memory, &nothing, &t, &e), WEFT_OK);
    q.thickness = 0;
    assert_int_equal(bvh_refit(t, p, m.x0, NULL, 0, &e), WEFT_OK);
    assert_int_equal(bvh_candidates(t, p, &q, &out, &e), WEFT_OK);
    assert_int_equal(out.n_edge_edge, 0);
    bvh_destroy(t);
    pool_destroy(p);
    assert_int_equal(memory.in_use, 0);
}

static void degenerate_triangles_are_counted_and_found(void **state)
{
    (void)state;
    bvh_mesh m = make_sheets(6);
    for (int32_t i = 0; i < 6; i++)
        m.x0[12 + i] = m.x1[12 + i] = v3(0.5, 0.01, 0.4);
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 1, NULL, NULL);
    bvh_input in = bvh_mesh_input(&m);
    bvh *t;
    assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
    assert_true(bvh_is_valid(t));
    assert_int_equal(bvh_refit(t, p, m.x0, m.x1, 0, NULL), WEFT_OK);
    bvh_pairs out;
    bvh_query q = {.mode = BVH_CLASSICAL};
    assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), WEFT_OK);
    assert_true(out.counters.degenerate >= 10);
    bvh_found found = bvh_found_copy(&out), wanted = bvh_found_boxes(&m, t, NULL, 0);
    assert_true(bvh_found_same(&found, &wanted));
    bvh_found_free(&found);
    bvh_found_free(&wanted);
    bvh_destroy(t);
    pool_destroy(p);
    bvh_mesh_free(&m);
}

static void pairs_of_fixed_objects_are_left_out(void **state)
{
    (void)state;
    bvh_mesh m = make_sheets(10);
    static const bool fixed[3] = {true, true, false};
    mem memory;
    mem_init(&memory, NULL, NULL);
    pool *p = pool_create(&memory, 1, NULL, NULL);
    bvh_input in = bvh_mesh_input(&m);
    in.fixed = fixed;
    bvh *t;
    assert_int_equal(bvh_create(&memory, &in, &t, NULL), WEFT_OK);
    assert_int_equal(bvh_refit(t, p, m.x0, m.x1, 0.02, NULL), WEFT_OK);
    bvh_pairs out;
    bvh_query q = {.mode = BVH_CLASSICAL};
    assert_int_equal(bvh_candidates(t, p, &q, &out, NULL), WEFT_OK);
    assert_true(out.n_vertex_triangle > 0);
    for (int64_t i = 0; i < out.n_vertex_triangle; i++)
        assert_true(out.vertex_triangle[i].vi >= 200 || m.object[out.vertex_triangle[i].ti] == 2);
    bvh_destroy(t);
    pool_destroy(p);
    bvh_mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_and_counters_do_not_depend_on_threads),
        cmocka_unit_test(smooth_parts_of_many_zones_take_few_contours),
        cmocka_unit_test(a_steady_step_asks_for_no_memory),
        cmocka_unit_test(an_arena_of_others_changes_nothing),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(millions_of_coincident_triangles_hit_the_limit),
        cmocka_unit_test(bad_input_is_refused_by_name),
        cmocka_unit_test(degenerate_triangles_are_counted_and_found),
        cmocka_unit_test(pairs_of_fixed_objects_are_left_out),
        cmocka_unit_test(classical_finds_the_boxes_that_overlap_in_soup),
        cmocka_unit_test(classical_finds_the_boxes_that_overlap_on_sheets),
        cmocka_unit_test(boxes_that_touch_overlap_whatever_floats_say),
    };
#ifdef __SANITIZE_THREAD__ /* slow, and the other cases have one thread */
    cmocka_set_test_filter("*thread*");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
