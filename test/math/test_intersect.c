/* SPDX-License-Identifier: MIT */
/* Segments and triangles against rational arithmetic by another algorithm (rational.h): the corners of what both
 * have in common. Small grids make every degenerate case often; a count shows that. Quick: some 5000 pairs;
 * WEFT_LONG=1: 25 times as many. */
/* ctest: timeout=900 */
/* links: gmp */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "math/intersect.h"
#include "math/point_kit.h"
#include "math/rational.h"

static int64_t how_many(int64_t quick)
{
    return getenv("WEFT_LONG") ? 25 * quick : quick;
}

static bool same(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static int n_common(const vec3 a[3], const vec3 b[3])
{
    int n = 0;
    for (int i = 0; i < 3; i++)
        n += same(a[i], b[0]) || same(a[i], b[1]) || same(a[i], b[2]);
    return n;
}

/* Six points of a class, then vertices of the second made common with the first. */
static void make_pair(uint64_t *random, int class, vec3 x[6])
{
    points_make(random, class, x, 6);
    if (class == POINTS_SMALL_GRID && point_below(random, 2) == 0) /* all in one plane, or on one line */
        for (int i = 0; i < 6; i++) {
            x[i].z = 0;
            if (point_below(random, 16) == 0)
                x[i].y = 0;
        }
    for (int i = point_below(random, 4); i > 0; i--)
        x[3 + point_below(random, 3)] = x[point_below(random, 3)];
}

static void triangles_meet_as_rational_corners_say(void **state)
{
    (void)state;
    int64_t seen[4][4] = {{0}}, n = how_many(6000) / POINTS_CLASSES;
    for (int class = 0; class < POINTS_CLASSES; class ++) {
        uint64_t random = 21 + (uint64_t) class;
        /* Rationals of thousands of digits take their time. */
        int64_t n_here = class == POINTS_EXTREME ? n / 400 : class == POINTS_SMALL_GRID ? 6 * n : n / 8;
        for (int64_t i = 0; i < n_here; i++) {
            vec3 x[6];
            make_pair(&random, class, x);
            triangle_intersection m = intersect_triangles(x, x + 3);
            if ((m != INTERSECT_NONE) != rational_triangles_meet(x, x + 3)) {
                for (int k = 0; k < 6; k++)
                    printf("  %a %a %a\n", x[k].x, x[k].y, x[k].z);
                fail_msg("class %s, pair %lld: %d", points_name(class), (long long)i, (int)m);
            }
            assert_int_equal(m, intersect_triangles(x + 3, x));
            const vec3 turned[3] = {x[2], x[0], x[1]}, flipped[3] = {x[4], x[3], x[5]};
            assert_int_equal(m, intersect_triangles(turned, flipped));
            seen[n_common(x, x + 3)][m]++;
        }
    }
    printf("common vertices:   none    cross coplanar degenerate\n");
    for (int i = 0; i < 4; i++) {
        printf("%15d", i);
        for (int k = 0; k < 4; k++)
            printf(" %8lld", (long long)seen[i][k]);
        printf("\n");
        for (int k = 0; k < 4; k++)
            assert_true(seen[i][k] > 0 || (i >= 2 && k == INTERSECT_CROSS) || (i == 3 && k == INTERSECT_DEGENERATE));
    }
}

/* Whether p is in the segment's plane section of t: by rational corners of the "triangle" p q q and t. */
static int rational_hit(vec3 p, vec3 q, const vec3 t[3], rational3 corners[RATIONAL_CORNERS])
{
    rational3 a[3], b[3];
    const vec3 segment[3] = {p, q, q};
    for (int i = 0; i < 3; i++) {
        r3_init(&a[i]), r3_init(&b[i]);
        r3_set(&a[i], segment[i]), r3_set(&b[i], t[i]);
    }
    int n = r3_corners(a, b, corners);
    for (int i = 0; i < 3; i++)
        r3_clear(&a[i]), r3_clear(&b[i]);
    return n;
}

/* The one point c of a hit that is not coplanar: on which vertex, edge, end it is. */
static segment_hit place_of(const rational3 *c, vec3 p, vec3 q, const vec3 t[3])
{
    rational3 r[5];
    const vec3 x[5] = {t[0], t[1], t[2], p, q};
    segment_hit hit = {HIT_INSIDE, -1, -1};
    for (int i = 0; i < 5; i++) {
        r3_init(&r[i]);
        r3_set(&r[i], x[i]);
    }
    for (int i = 0; i < 3; i++)
        if (r3_on_segment(c, &r[i], &r[(i + 1) % 3]))
            hit.kind = HIT_EDGE, hit.feature = i;
    for (int i = 0; i < 3; i++)
        if (r3_equal(c, &r[i]))
            hit.kind = HIT_VERTEX, hit.feature = i;
    hit.end = r3_equal(c, &r[3]) ? 0 : r3_equal(c, &r[4]) ? 1 : -1;
    for (int i = 0; i < 5; i++)
        r3_clear(&r[i]);
    return hit;
}

static segment_hit expected_hit(vec3 p, vec3 q, const vec3 t[3])
{
    rational3 corners[RATIONAL_CORNERS];
    for (int i = 0; i < RATIONAL_CORNERS; i++)
        r3_init(&corners[i]);
    segment_hit hit = {HIT_NONE, -1, -1};
    int n = rational_hit(p, q, t, corners);
    bool flat = predicate_orient3d(t[0], t[1], t[2], p) == 0 && predicate_orient3d(t[0], t[1], t[2], q) == 0;
    if (n > 0)
        hit = flat ? (segment_hit){HIT_COPLANAR, -1, -1} : place_of(&corners[0], p, q, t);
    for (int i = 0; i < RATIONAL_CORNERS; i++)
        r3_clear(&corners[i]);
    return hit;
}

static void segments_hit_where_rational_corners_say(void **state)
{
    (void)state;
    int64_t seen[5][3] = {{0}};
    for (int class = 0; class < POINTS_EXTREME; class ++) {
        uint64_t random = 41 + (uint64_t) class;
        int64_t n = how_many(class == POINTS_SMALL_GRID ? 6000 : 200);
        for (int64_t i = 0; i < n; i++) {
            vec3 x[5];
            points_make(&random, class, x, 5);
            segment_hit got = intersect_segment_triangle(x[3], x[4], x), want = expected_hit(x[3], x[4], x);
            assert_int_equal(got.kind, want.kind);
            assert_int_equal(got.feature, want.feature);
            assert_int_equal(got.end, want.end);
            seen[got.kind][got.end + 1]++;
        }
    }
    static const char *const names[5] = {"none", "inside", "edge", "vertex", "coplanar"};
    for (int k = 0; k < 5; k++) {
        printf("%-9s within the segment %7lld, first end %6lld, second end %6lld\n", names[k], (long long)seen[k][0],
               (long long)seen[k][1], (long long)seen[k][2]);
        assert_true(seen[k][0] > 0);
        assert_true(k == HIT_NONE || k == HIT_COPLANAR || (seen[k][1] > 0 && seen[k][2] > 0));
    }
}

static void segments_meet_as_rational_corners_say(void **state)
{
    (void)state;
    rational3 corners[RATIONAL_CORNERS];
    int64_t meet = 0;
    uint64_t random = 61;
    for (int i = 0; i < RATIONAL_CORNERS; i++)
        r3_init(&corners[i]);
    for (int64_t i = 0; i < how_many(5000); i++) {
        vec3 x[4];
        for (int k = 0; k < 4; k++)
            x[k] = point_grid(&random, 2);
        const vec3 line[3] = {x[2], x[3], x[3]};
        bool expected = rational_hit(x[0], x[1], line, corners) > 0;
        assert_int_equal(intersect_segments(x[0], x[1], x[2], x[3]), expected);
        meet += expected;
    }
    assert_true(meet > 100);
    for (int i = 0; i < RATIONAL_CORNERS; i++)
        r3_clear(&corners[i]);
}

/* What people would draw. */
static void known_pairs_are_judged_by_the_definition(void **state)
{
    (void)state;
    const vec3 t[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const vec3 apart[3] = {{0, 0, 0x1p-1074}, {1, 0, 0x1p-1074}, {0, 1, 0x1p-1074}};
    const vec3 through[3] = {{0.25, 0.25, -1}, {0.25, 0.25, 1}, {2, 2, 0}};
    const vec3 on_it[3] = {{0.25, 0.25, 0}, {0, 0, 1}, {1, 1, 1}};
    const vec3 beside[3] = {{1, 0, 0}, {0, 0, 0}, {0.5, -1, 0}}; /* over the common edge */
    const vec3 folded[3] = {{1, 0, 0}, {0, 0, 0}, {0.5, 1, 0}};  /* back over it */
    const vec3 bent[3] = {{1, 0, 0}, {0, 0, 0}, {0.5, 1, 0x1p-60}};
    const vec3 fan[3] = {{0, 0, 0}, {-1, 0, 0}, {0, -1, 1}}; /* meets at the vertex alone */
    const vec3 pierces[3] = {{0, 0, 0}, {1, 1, -1}, {1, 1, 1}};
    const vec3 needle[3] = {{0.25, 0.25, -1}, {0.25, 0.25, 0}, {0.25, 0.25, 1}};
    const vec3 dot[3] = {{0.5, 0.5, 0}, {0.5, 0.5, 0}, {0.5, 0.5, 0}};
    const vec3 corner[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    assert_int_equal(intersect_triangles(t, apart), INTERSECT_NONE);
    assert_int_equal(intersect_triangles(t, through), INTERSECT_CROSS);
    assert_int_equal(intersect_triangles(t, on_it), INTERSECT_CROSS);
    assert_int_equal(intersect_triangles(t, beside), INTERSECT_NONE);
    assert_int_equal(intersect_triangles(t, folded), INTERSECT_COPLANAR);
    assert_int_equal(intersect_triangles(t, bent), INTERSECT_NONE);
    assert_int_equal(intersect_triangles(t, fan), INTERSECT_NONE);
    assert_int_equal(intersect_triangles(t, pierces), INTERSECT_CROSS);
    assert_int_equal(intersect_triangles(t, t), INTERSECT_COPLANAR);
    assert_int_equal(intersect_triangles(t, needle), INTERSECT_DEGENERATE);
    assert_int_equal(intersect_triangles(needle, needle), INTERSECT_NONE);
    assert_int_equal(intersect_triangles(t, dot), INTERSECT_DEGENERATE);
    assert_int_equal(intersect_triangles(t, corner), INTERSECT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_meet_as_rational_corners_say),
        cmocka_unit_test(segments_hit_where_rational_corners_say),
        cmocka_unit_test(segments_meet_as_rational_corners_say),
        cmocka_unit_test(known_pairs_are_judged_by_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
