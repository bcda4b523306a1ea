/* SPDX-License-Identifier: MIT */
/* How far one patch has to go to be past another, and groups of contours that are parted along one way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "untangle/group.h"
#include "untangle/tangle_kit.h"

enum { SIDE = 10, PER_SHEET = (SIDE + 1) * (SIDE + 1) };

/* A level sheet of 0.1 m, and one that stands on its edge through its middle, from 0.04 m below to 0.06 m above. */
static void make_cross(tangle *t)
{
    tangle_sheet(t, v3(0, 0, 0), v3(0.1, 0, 0), v3(0, 0.1, 0), SIDE, SIDE);
    tangle_sheet(t, v3(0.05, 0, -0.04), v3(0, 0.1, 0), v3(0, 0, 0.1), SIDE, SIDE);
}

static double depth_of(const tangle *t, vec3 way)
{
    mem m;
    overlap_depth o;
    int32_t vertices[2 * PER_SHEET];
    for (int32_t i = 0; i < 2 * PER_SHEET; i++)
        vertices[i] = i;
    patch_pair p = {.vertices = vertices,
                    .triangles = (const int32_t(*)[3])t->t,
                    .n_vertices = {PER_SHEET, PER_SHEET},
                    .n_triangles = {t->n_triangles / 2, t->n_triangles / 2},
                    .edge = 0.01};
    mem_init(&m, NULL, NULL);
    assert_true(overlap_depth_make(&o, &m, t->n_nodes));
    assert_true(overlap_depth_reserve(&o, 2 * PER_SHEET));
    double depth = overlap_depth_along(&o, &p, t->x, way);
    overlap_depth_free(&o);
    assert_int_equal(m.in_use, 0);
    return depth;
}

/* The bound is one edge: cells are as wide, and a triangle counts with its whole range. */
static void depth_is_what_parts_two_crossing_sheets(void **state)
{
    (void)state;
    tangle t = {0};
    make_cross(&t);
    double up = depth_of(&t, v3(0, 0, 1)), down = depth_of(&t, v3(0, 0, -1)), along = depth_of(&t, v3(0, 1, 0));
    assert_true(up >= 0.06 - 1e-12 && up <= 0.07);
    assert_true(down >= 0.04 - 1e-12 && down <= 0.05);
    assert_true(along >= 0.1 - 1e-12 && along <= 0.11);
    tangle_free(&t);
}

static void nothing_behind_is_no_depth(void **state)
{
    (void)state;
    tangle t = {0};
    make_cross(&t);
    for (int32_t i = 0; i < PER_SHEET; i++)
        t.x[i].z += 0.07;
    assert_true(depth_of(&t, v3(0, 0, 1)) == 0);
    for (int32_t i = 0; i < PER_SHEET; i++)
        t.x[i].x += 1;
    assert_true(depth_of(&t, v3(0, 0, -1)) == 0);
    tangle_free(&t);
}

/* Down is 0.04 m, up 0.06, along the line 0.1. */
static void crossing_sheets_are_a_group_that_parts_by_the_short_way(void **state)
{
    (void)state;
    tangle t = {0};
    tangle_rig rig;
    intruders s;
    groups g;
    make_cross(&t);
    tangle_rig_make(&rig, &t, 1);
    tangle_rig_find(&rig, t.x);
    assert_int_equal(rig.c.n_lines, 1);
    assert_true(intruders_make(&s, &rig.m, &rig.w));
    assert_true(intruders_find(&s, &rig.w, &rig.c, t.x));
    assert_true(groups_make(&g, &rig.m, t.n_nodes));
    for (int again = 0; again < 2; again++) { /* the second time it is remembered */
        assert_non_null(groups_begin(&g, &rig.c));
        assert_true(groups_find(&g, &rig.w, &rig.c, &s, t.x, 0.01));
        assert_int_equal(g.now.n, 1);
        const line_group *q = &g.now.items[0];
        bool level_first = g.now.vertices[q->first_vertex] < PER_SHEET;
        assert_true(q->way.z * (level_first ? 1 : -1) < -0.9);
        assert_true(q->depth < 0.055);
        assert_int_equal(q->waited, again);
    }
    groups_free(&g);
    intruders_free(&s);
    tangle_rig_free(&rig);
    tangle_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_is_what_parts_two_crossing_sheets),
        cmocka_unit_test(nothing_behind_is_no_depth),
        cmocka_unit_test(crossing_sheets_are_a_group_that_parts_by_the_short_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
