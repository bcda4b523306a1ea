/* SPDX-License-Identifier: MIT */
/* Contours against ones that are known, degenerate positions included. */
/* ctest: labels=threads,determinism */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/intersect.h"
#include "untangle/tangle_kit.h"

/* A contour of some 100 points with coordinates about 1: each has an error of a few units in the last place. */
#define LENGTH_ERROR 1e-13

static void find(tangle_rig *r, tangle *t)
{
    tangle_rig_make(r, t, 1);
    tangle_rig_find(r, t->x);
}

/* Every segment has its two ends, every line the segments it says. */
static void check_lines(const tangle_rig *r)
{
    const contours *c = &r->c;
    int64_t n = 0;
    for (int32_t li = 0; li < c->n_lines; li++)
        for (int32_t i = 0; i < c->lines[li].n_segments; i++, n++)
            assert_int_equal(c->segments[c->order[c->lines[li].first + i]].line, li);
    assert_int_equal(n, c->n_segments);
    for (int64_t i = 0; i < c->n_crossings; i++) {
        const crossing *k = &c->crossings[i];
        if (k->tri >= 0)
            assert_int_equal(k->n_segments, r->w.edges[k->edge].n_tris);
    }
}

static void two_sheets_cross_from_border_to_border(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_rig r;
    tangle_sheet(&t, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 7, 9);
    tangle_sheet(&t, v3(0.3, 0.21, -0.4), v3(0.4, 0, 0), v3(0, 0, 1), 5, 6);
    find(&r, &t);
    check_lines(&r);
    assert_int_equal(r.c.n_lines, 1);
    assert_int_equal(r.c.lines[0].kind, CONTOUR_BORDER);
    assert_true(fabs(r.c.length - 0.4) < LENGTH_ERROR);
    tangle_rig_free(&r);
    tangle_free(&t);
}

/* Vertices on edges, edges on edges, but no common vertices: still one line, of the right length. */
static void aligned_sheets_have_one_contour(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_rig r;
    tangle_sheet(&t, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 8, 8);
    tangle_sheet(&t, v3(0.0625, 0.5, -0.5), v3(1, 0, 0), v3(0, 0, 1), 8, 8);
    find(&r, &t);
    check_lines(&r);
    assert_int_equal(r.c.n_lines, 1);
    assert_int_equal(r.c.lines[0].kind, CONTOUR_BORDER);
    assert_true(fabs(r.c.length - 0.9375) < LENGTH_ERROR);
    tangle_rig_free(&r);
    tangle_free(&t);
}

/* |x| + |y| = 3/4 at z = 1/4: a square of side ¾ √2. */
static void octahedron_cuts_a_square(void **state)
{
    (void)state;
    for (int level = 0; level < 4; level++) {
        tangle t = {0};
        tangle_rig r;
        tangle_sheet(&t, v3(-2, -2, 0.25), v3(4, 0, 0), v3(0, 4, 0), 10, 10);
        tangle_octahedron(&t, v3(0, 0, 0), 1, level);
        find(&r, &t);
        check_lines(&r);
        assert_int_equal(r.c.n_lines, 1);
        assert_int_equal(r.c.lines[0].kind, CONTOUR_CLOSED);
        assert_true(fabs(r.c.length - 3 * sqrt(2)) < 100 * LENGTH_ERROR);
        tangle_rig_free(&r);
        tangle_free(&t);
    }
}

static void common_vertex_begins_a_loop_contour(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_rig r;
    int32_t v = tangle_node(&t, v3(0, 0, 0));
    int32_t a = tangle_node(&t, v3(2, -1, 0)), b = tangle_node(&t, v3(2, 1, 0));
    int32_t c = tangle_node(&t, v3(1, 0, -1)), d = tangle_node(&t, v3(1, 0, 1));
    tangle_triangle(&t, v, a, b);
    tangle_triangle(&t, v, c, d);
    t.n_objects = 1;
    find(&r, &t);
    check_lines(&r);
    assert_int_equal(r.c.n_lines, 1);
    assert_int_equal(r.c.lines[0].kind, CONTOUR_LOOP);
    assert_true(fabs(r.c.length - 1.0) < LENGTH_ERROR);
    tangle_rig_free(&r);
    tangle_free(&t);
}

static void edge_of_three_triangles_branches(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_rig r;
    tangle_sheet(&t, v3(-3, -3, 0.1), v3(6, 0, 0), v3(0, 6, 0), 1, 1);
    int32_t a = tangle_node(&t, v3(0.5, 0.2, -1)), b = tangle_node(&t, v3(0.5, 0.2, 1));
    for (int i = 0; i < 3; i++)
        tangle_triangle(&t, a, b, tangle_node(&t, v3(i - 1.0, i == 1 ? -1 : 1, 0.5)));
    t.n_objects = 2;
    find(&r, &t);
    check_lines(&r);
    int n_branches = 0;
    for (int32_t i = 0; i < r.c.n_lines; i++)
        n_branches += r.c.lines[i].kind == CONTOUR_BRANCH;
    assert_int_equal(n_branches, 3);
    tangle_rig_free(&r);
    tangle_free(&t);
}

/* Clean meshes have none: neighbours are no intersections, whatever the perturbation makes of a flat sheet. */
static void flat_sheet_has_none(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_rig r;
    tangle_sheet(&t, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 20, 20);
    tangle_tube(&t, v3(3, 0, 0), v3(3, 1, 0), 0.2, 12, 10);
    find(&r, &t);
    assert_int_equal(r.c.n_segments, 0);
    tangle_rig_free(&r);
    tangle_free(&t);
}

/* What each name says: closed, with loop vertices, from border to border. Splitting keeps the point set, so lengths
 * stay; audit and contours agree that there is something. */
static void unit_meshes_have_their_kinds(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        char name[64];
        double length = 0;
        for (int level = 0; level <= 3; level += 3) {
            tangle t = {0};
            tangle_rig r;
            snprintf(name, sizeof name, "untangle/unit_%s.obj", tangle_units[i]);
            if (!tangle_read(&t, name))
                skip();
            for (int k = 0; k < level; k++)
                tangle_split(&t);
            find(&r, &t);
            check_lines(&r);
            assert_true(r.c.n_segments > 0);
            int kinds[4] = {0};
            for (int32_t k = 0; k < r.c.n_lines; k++)
                kinds[r.c.lines[k].kind]++;
            printf("%-7s level %d: %3d pairs, length %.4f, closed %d, border %d, loop %d, branch %d\n", tangle_units[i],
                   level, (int)r.c.n_segments, r.c.length, kinds[0], kinds[1], kinds[2], kinds[3]);
            assert_int_equal(kinds[CONTOUR_CLOSED] > 0, strcmp(tangle_units[i], "Closed") == 0);
            if (level > 0)
                assert_true(fabs(r.c.length - length) < 100 * LENGTH_ERROR);
            length = r.c.length;
            tangle_rig_free(&r);
            tangle_free(&t);
        }
    }
}

static void threads_find_the_same_bits(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_rig r[3];
    tangle_sheet(&t, v3(-2, -2, 0.25), v3(4, 0, 0), v3(0, 4, 0), 30, 30);
    tangle_octahedron(&t, v3(0, 0, 0), 1, 4);
    tangle_octahedron(&t, v3(0.3, 0.4, 0.2), 1, 4);
    for (int i = 0; i < 3; i++) {
        tangle_rig_make(&r[i], &t, 1 + 2 * i);
        tangle_rig_find(&r[i], t.x);
        assert_int_equal(r[i].c.n_segments, r[0].c.n_segments);
        for (int64_t k = 0; k < r[i].c.n_crossings; k++)
            assert_memory_equal(&r[i].c.crossings[k].at, &r[0].c.crossings[k].at, sizeof(vec3));
        assert_true(r[i].c.length == r[0].c.length);
    }
    for (int i = 0; i < 3; i++)
        tangle_rig_free(&r[i]);
    tangle_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sheets_cross_from_border_to_border),
        cmocka_unit_test(aligned_sheets_have_one_contour),
        cmocka_unit_test(octahedron_cuts_a_square),
        cmocka_unit_test(common_vertex_begins_a_loop_contour),
        cmocka_unit_test(edge_of_three_triangles_branches),
        cmocka_unit_test(flat_sheet_has_none),
        cmocka_unit_test(unit_meshes_have_their_kinds),
        cmocka_unit_test(threads_find_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
