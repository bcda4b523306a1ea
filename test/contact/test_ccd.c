/* SPDX-License-Identifier: MIT */
/* ctest: labels=determinism */
/* Continuous collision detection: known motions, the handcrafted sets of the public benchmark (in the folder of data,
 * exact answers in the file), thickness against sampling. Misses against exact arithmetic are in test_ccd_exact.c. */
#include "contact/ccd/ccd.h"

#include "base/hash.h"
#include "contact/ccd/ccd_view.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data_file.h"
#include "dice.h"

static bool ask(bool edges, const vec3 x[8], double thickness, weft_ccd_hit *hit)
{
    return edges ? weft_ccd_edge_edge(x, x + 4, thickness, hit) : weft_ccd_vertex_triangle(x, x + 4, thickness, hit);
}

static vec3 at(const vec3 x[8], int i, double t)
{
    return v3_madd(v3_scale(1 - t, x[i]), t, x[4 + i]);
}

static vec3 gap_of(const vec3 x[8], const weft_ccd_hit *hit)
{
    vec3 gap = v3_zero();
    for (int i = 0; i < 4; i++)
        gap = v3_madd(gap, hit->weight[i], at(x, i, hit->time));
    return gap;
}

/* ---- known motions ----------------------------------------------------------------------------------------------- */

#define TRIANGLE                                                                                                       \
    {0, 0, 0}, {1, 0, 0},                                                                                              \
    {                                                                                                                  \
        0, 1, 0                                                                                                        \
    }

static void a_vertex_falls_through_a_triangle(void **state)
{
    (void)state;
    const vec3 x[8] = {{0.25, 0.25, 1}, TRIANGLE, {0.25, 0.25, -3}, TRIANGLE};
    weft_ccd_hit hit;
    assert_true(ask(false, x, 0, &hit));
    assert_true(hit.time_lower <= 0.25 && hit.time_lower >= 0.25 - 1e-13 && fabs(hit.time - 0.25) <= 1e-13);
    const double weight[4] = {1, -0.5, -0.25, -0.25};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(hit.weight[i] - weight[i]) <= 1e-12);
    assert_true(fabs(hit.normal.z - 1) <= 1e-15);
    assert_true(ask(false, x, 0, NULL));
    /* With a thickness of 1/2 it is at height 1/2, that is at 1/8. */
    assert_true(ask(false, x, 0.5, &hit));
    assert_true(hit.time_lower <= 0.125 && fabs(hit.time - 0.125) <= 1e-13);
    assert_true(fabs(gap_of(x, &hit).z - 0.5) <= 1e-12);
}

static void two_edges_cross(void **state)
{
    (void)state;
    const vec3 x[8] = {{-1, 0, -1}, {3, 0, -1}, {0, -1, 0}, {0, 3, 0}, {-1, 0, 1}, {3, 0, 1}, {0, -1, 0}, {0, 3, 0}};
    weft_ccd_hit hit;
    assert_true(ask(true, x, 0, &hit));
    assert_true(hit.time_lower <= 0.5 && fabs(hit.time - 0.5) <= 1e-13);
    const double weight[4] = {0.75, 0.25, -0.75, -0.25};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(hit.weight[i] - weight[i]) <= 1e-12);
    assert_true(fabs(hit.normal.z + 1) <= 1e-15);
    assert_true(v3_len(gap_of(x, &hit)) <= 1e-12);
}

static void a_miss_in_the_plane_is_no_hit(void **state)
{
    (void)state;
    const vec3 x[8] = {{0.6, 0.6, 1}, TRIANGLE, {0.6, 0.6, -1}, TRIANGLE};
    assert_false(ask(false, x, 0, NULL));
    /* The distance at ½ is 0.2/√2 = 0.1414. */
    assert_false(ask(false, x, 0.141, NULL));
    assert_true(ask(false, x, 0.142, NULL));
}

/* A triangle along y that moves by 1 in x while its slope goes from 1 to −1: its height at x = 0 is 2 (t − ½)². */
static void parabola(double height, vec3 x[8])
{
    const vec3 motion[8] = {{0, 0, height}, {-1.5, -3, -1}, {-1.5, 3, -1}, {0.5, 0, 1},
                            {0, 0, height}, {-0.5, -3, 1},  {-0.5, 3, 1},  {1.5, 0, -1}};
    memcpy(x, motion, sizeof motion);
}

static void two_crossings_in_one_step_are_seen(void **state)
{
    (void)state;
    vec3 x[8];
    weft_ccd_hit hit;
    parabola(0.02, x);
    assert_true(ask(false, x, 0, &hit));
    assert_true(hit.time_lower <= 0.4 && fabs(hit.time - 0.4) <= 1e-12);
    /* A graze, and just no graze: the distance of 1e-12 is some 500 times what rounding could hide. */
    parabola(0, x);
    assert_true(ask(false, x, 0, &hit));
    assert_true(hit.time_lower <= 0.5 && fabs(hit.time - 0.5) <= 1e-6);
    parabola(-1e-12, x);
    assert_false(ask(false, x, 0, NULL));
}

static void motion_within_a_plane_is_decided(void **state)
{
    (void)state;
    vec3 x[8] = {{2, 0.25, 0}, TRIANGLE, {-2, 0.25, 0}, TRIANGLE};
    weft_ccd_hit hit;
    assert_true(ask(false, x, 0, &hit));
    assert_true(hit.time_lower <= 0.3125 && fabs(hit.time - 0.3125) <= 1e-12); /* at x = 0.75 */
    assert_true(v3_len(v3_sub(hit.normal, v3_scale(sqrt(0.5), v3(1, 1, 0)))) <= 1e-12);
    x[0].y = x[4].y = 1.125;
    assert_false(ask(false, x, 0, NULL));
    assert_false(ask(false, x, 0.12, NULL));
    assert_true(ask(false, x, 0.126, NULL));
}

static void parallel_edges_are_decided(void **state)
{
    (void)state;
    vec3 x[8] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 1}, {1.5, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0.5, 0, -1}, {1.5, 0, -1}};
    weft_ccd_hit hit;
    assert_true(ask(true, x, 0, &hit));
    assert_true(fabs(hit.time - 0.5) <= 1e-13 && fabs(hit.normal.z + 1) <= 1e-15);
    x[2].x = x[6].x = 1.25;
    x[3].x = x[7].x = 2;
    assert_false(ask(true, x, 0, NULL));
    /* In one line: the second comes along and touches with its end. */
    const vec3 line[8] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {4, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    assert_true(ask(true, line, 0, &hit));
    assert_true(hit.time >= 1 - 1e-13 && fabs(hit.normal.x + 1) <= 1e-15);
}

static void contact_at_the_start_is_a_hit_at_0(void **state)
{
    (void)state;
    const vec3 leaving[8] = {{0.25, 0.25, 0}, TRIANGLE, {0.25, 0.25, 1}, TRIANGLE};
    const vec3 still[8] = {{0.25, 0.25, 0}, TRIANGLE, {0.25, 0.25, 0}, TRIANGLE};
    const vec3 thick[8] = {{0.25, 0.25, 0.1}, TRIANGLE, {0.25, 0.25, 1}, TRIANGLE};
    const vec3 *const all[] = {leaving, still, thick};
    for (int i = 0; i < 3; i++) {
        weft_ccd_hit hit;
        assert_true(ask(false, all[i], i == 2 ? 0.2 : 0, &hit));
        assert_true(hit.time == 0 && hit.time_lower == 0);
        assert_true(fabs(v3_len(hit.normal) - 1) <= 1e-15 && fabs(hit.normal.z) >= 1 - 1e-15);
    }
    /* Asked with what is left of the thickness, leaving is fine and coming nearer is not. */
    double left = weft_ccd_vertex_triangle_thickness(thick, 0.2, 0.9);
    assert_true(left <= 0.09 && left >= 0.09 - 1e-15);
    assert_false(ask(false, thick, left, NULL));
    assert_true(weft_ccd_vertex_triangle_thickness(thick, 0.01, 0.9) == 0.01);
    assert_true(weft_ccd_vertex_triangle_thickness(still, 0.01, 0.9) == 0);
    const vec3 edges[4] = {{0, 0, 0}, {1, 0, 0}, {0.5, -1, 0.1}, {0.5, 1, 0.1}};
    left = weft_ccd_edge_edge_thickness(edges, 0.2, 0.5);
    assert_true(left <= 0.05 && left >= 0.05 - 1e-15);
}

static void primitives_without_extent_are_decided(void **state)
{
    (void)state;
    /* Two points that meet, and that do not; a point and a needle. */
    const vec3 meet[8] = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}};
    const vec3 pass[8] = {{0, 0, 1e-9}, {0, 0, 1e-9}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}};
    const vec3 needle[8] = {{0.5, 0, 1},  {0, 0, 0}, {1, 0, 0}, {0.75, 0, 0},
                            {0.5, 0, -1}, {0, 0, 0}, {1, 0, 0}, {0.75, 0, 0}};
    const vec3 beside[8] = {{0.5, 1e-9, 1},  {0, 0, 0}, {1, 0, 0}, {0.75, 0, 0},
                            {0.5, 1e-9, -1}, {0, 0, 0}, {1, 0, 0}, {0.75, 0, 0}};
    weft_ccd_hit hit;
    assert_true(ask(true, meet, 0, &hit));
    assert_true(fabs(hit.time - 0.5) <= 1e-12 && fabs(v3_len(hit.normal) - 1) <= 1e-15);
    assert_false(ask(true, pass, 0, NULL));
    assert_true(ask(false, needle, 0, &hit));
    assert_true(fabs(hit.time - 0.5) <= 1e-12);
    assert_false(ask(false, beside, 0, NULL));
    assert_true(ask(false, beside, 2e-9, NULL));
}

static void numbers_out_of_the_ordinary_are_no_proof(void **state)
{
    (void)state;
    vec3 x[8] = {{0.25, 0.25, 1}, TRIANGLE, {0.25, 0.25, (double)NAN}, TRIANGLE};
    weft_ccd_hit hit;
    assert_true(ask(false, x, 0, &hit));
    assert_true(hit.time_lower == 0);
    /* Sizes from 1e-300 to 1e100: hit in the middle; a near miss by a tenth of the size. */
    for (double size = 1e-300; size <= 1e100; size *= 1e20) {
        vec3 y[8] = {{0.25, 0.25, 1}, TRIANGLE, {0.25, 0.25, -1}, TRIANGLE};
        for (int i = 0; i < 8; i++)
            y[i] = v3_scale(size, y[i]);
        assert_true(ask(false, y, 0, &hit));
        assert_true(fabs(hit.time - 0.5) <= 1e-12);
        y[0].x = y[4].x = y[0].y = y[4].y = 0.55 * size;
        assert_false(ask(false, y, 0, NULL));
    }
}

/* ---- the handcrafted sets ---------------------------------------------------------------------------------------- */

static void check_set(const char *name, bool edges, int n_wanted, int most_false)
{
    char path[PATH_ROOM];
    if (!data_file(name, path))
        skip();
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char record[200];
    int n = 0, hits = 0, misses = 0, alarms = 0;
    for (; fread(record, sizeof record, 1, file) == 1; n++) {
        vec3 x[8];
        memcpy(x, record, sizeof x);
        bool truth = record[192] == 1, answer = ask(edges, x, 0, NULL);
        hits += truth;
        misses += truth && !answer;
        alarms += answer && !truth;
    }
    fclose(file);
    printf("%s: %d queries, %d hits, %d misses, %d false alarms\n", name, n, hits, misses, alarms);
    assert_int_equal(n, n_wanted);
    assert_int_equal(misses, 0);
    assert_true(alarms <= most_false);
}

static void handcrafted_vertices_and_triangles_are_not_missed(void **state)
{
    (void)state;
    check_set("ccd/handcrafted_vf.bin", false, 3085, 85);
}

static void handcrafted_edges_are_not_missed(void **state)
{
    (void)state;
    check_set("ccd/handcrafted_ee.bin", true, 4194, 137);
}

/* ---- thickness --------------------------------------------------------------------------------------------------- */

/* Distance of the nearest points by a method of its own: least over the faces of the polygon of differences, each by
 * projection in the plane and along edges. */
static double distance_at(bool edges, const vec3 x[8], double t)
{
    vec3 p[4], w[4];
    for (int i = 0; i < 4; i++)
        p[i] = at(x, i, t);
    int n = edges ? 4 : 3;
    for (int i = 0; i < n; i++)
        w[i] = edges ? v3_sub(p[i == 1 || i == 2], p[2 + (i >= 2)]) : v3_sub(p[0], p[1 + i]);
    double least = DBL_MAX;
    vec3 normal = v3_cross(v3_sub(w[1], w[0]), v3_sub(w[n - 1], w[0]));
    bool inside = v3_len(normal) > 0;
    for (int i = 0; i < n; i++) {
        vec3 a = w[i], e = v3_sub(w[(i + 1) % n], a);
        double s = v3_len_sq(e) > 0 ? -v3_dot(a, e) / v3_len_sq(e) : 0;
        s = s < 0 ? 0 : s > 1 ? 1 : s;
        least = min_of(least, v3_len(v3_madd(a, s, e)));
        inside = inside && v3_dot(normal, v3_cross(a, v3_add(a, e))) >= 0;
    }
    return inside ? min_of(least, fabs(v3_dot(w[0], normal)) / v3_len(normal)) : least;
}

/* Coordinates are below 1, differences below 2 and their dot products below 4: distances by either method are within
 * 1e-12 of the true ones unless triangles are slivers, and those are left out. */
static void check_thick(bool edges, const vec3 x[8], double thickness, int *hits)
{
    enum { SAMPLES = 64 };
    weft_ccd_hit hit = {.time_lower = 1};
    bool answer = ask(edges, x, thickness, &hit);
    *hits += answer;
    for (int i = 0; i <= SAMPLES && hit.time_lower > 0; i++) {
        double t = hit.time_lower * i / SAMPLES;
        assert_true(distance_at(edges, x, t) >= thickness - 1e-12);
    }
    if (!answer)
        return;
    assert_true(hit.time >= hit.time_lower && hit.time <= 1);
    double distance = distance_at(edges, x, hit.time);
    assert_true(distance <= thickness + 1e-12 || hit.time == 0);
    assert_true(fabs(v3_len(gap_of(x, &hit)) - distance) <= 1e-10);
    assert_true(fabs(v3_len(hit.normal) - 1) <= 1e-15);
    assert_true(hit.time == 0 || v3_dot(hit.normal, gap_of(x, &hit)) >= 0.999 * thickness - 1e-12);
}

static bool is_sliver(bool edges, const vec3 x[8])
{
    for (int i = 0; i <= 16; i++) {
        double t = i / 16.0;
        vec3 a = at(x, edges ? 0 : 1, t), b = at(x, edges ? 1 : 2, t), c = at(x, edges ? 2 : 1, t), d = at(x, 3, t);
        if (v3_len(v3_cross(v3_sub(b, a), v3_sub(d, c))) < 1e-2)
            return true;
    }
    return false;
}

static void a_thickness_is_kept_until_the_hit(void **state)
{
    (void)state;
    int hits = 0, n = 0, rounds = getenv("WEFT_LONG") ? 2000000 : 40000;
    for (int i = 0; i < rounds; i++) {
        vec3 x[8];
        double move = i % 3 == 0 ? 1 : 0.2;
        for (int k = 0; k < 4; k++) {
            x[k] = in_cube(0.5);
            x[4 + k] = v3_add(x[k], in_cube(0.5 * move));
        }
        bool edges = i & 1;
        if (is_sliver(edges, x))
            continue;
        n++;
        check_thick(edges, x, i % 5 == 0 ? 0 : uniform(1e-4, 0.1), &hits);
    }
    printf("%d queries, %d hits\n", n, hits);
    assert_true(n > rounds / 2 && hits > n / 20);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void order_of_corners_does_not_matter_to_the_answer(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        vec3 x[8], y[8];
        for (int k = 0; k < 8; k++)
            x[k] = in_cube(1);
        bool edges = i & 1;
        static const int turned[2][4] = {{0, 2, 3, 1}, {3, 2, 1, 0}};
        for (int k = 0; k < 8; k++)
            y[k] = x[(k & 4) + turned[edges][k & 3]];
        weft_ccd_hit a, b;
        bool answer = ask(edges, x, 0, &a);
        assert_int_equal(answer, ask(edges, y, 0, &b));
        assert_true(!answer || fabs(a.time - b.time) <= 1e-6);
    }
}

static void quick_rejection_agrees_with_the_kernel(void **state)
{
    (void)state;
    int apart = 0;
    for (int i = 0; i < 20000; i++) {
        vec3 x[8], y[8];
        for (int k = 0; k < 8; k++)
            x[k] = in_cube(1);
        bool edges = i & 1;
        double thickness = uniform(0, 0.1);
        bool quick = edges ? ccd_edge_edge_apart(x, x + 4, thickness) : ccd_vertex_triangle_apart(x, x + 4, thickness);
        apart += quick;
        /* Turned by 45° about z the boxes say little, and the kernel still has to find them apart. */
        for (int k = 0; k < 8; k++)
            y[k] = v3(x[k].x - x[k].y, x[k].x + x[k].y, sqrt(2) * x[k].z);
        assert_true(!quick || !ask(edges, y, (sqrt(2) - 1e-12) * thickness, NULL));
    }
    assert_true(apart > 1000);
}

static void answers_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (int i = 0; i < 20000; i++) {
        vec3 x[8];
        for (int k = 0; k < 8; k++)
            x[k] = in_cube(1);
        weft_ccd_hit hit = {0};
        if (ask(i & 1, x, i % 3 == 0 ? 0.01 : 0, &hit))
            hash = hash_bytes(hash, &hit, sizeof hit);
    }
    printf("hash %016llx\n", (unsigned long long)hash);
    assert_true(hash == UINT64_C(0x7924975220cd6f28));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_vertex_falls_through_a_triangle, start_dice),
        cmocka_unit_test_setup(two_edges_cross, start_dice),
        cmocka_unit_test_setup(a_miss_in_the_plane_is_no_hit, start_dice),
        cmocka_unit_test_setup(two_crossings_in_one_step_are_seen, start_dice),
        cmocka_unit_test_setup(motion_within_a_plane_is_decided, start_dice),
        cmocka_unit_test_setup(parallel_edges_are_decided, start_dice),
        cmocka_unit_test_setup(contact_at_the_start_is_a_hit_at_0, start_dice),
        cmocka_unit_test_setup(primitives_without_extent_are_decided, start_dice),
        cmocka_unit_test_setup(numbers_out_of_the_ordinary_are_no_proof, start_dice),
        cmocka_unit_test_setup(handcrafted_vertices_and_triangles_are_not_missed, start_dice),
        cmocka_unit_test_setup(handcrafted_edges_are_not_missed, start_dice),
        cmocka_unit_test_setup(a_thickness_is_kept_until_the_hit, start_dice),
        cmocka_unit_test_setup(order_of_corners_does_not_matter_to_the_answer, start_dice),
        cmocka_unit_test_setup(quick_rejection_agrees_with_the_kernel, start_dice),
        cmocka_unit_test_setup(answers_have_the_same_bits_everywhere, start_dice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
