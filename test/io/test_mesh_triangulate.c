/* SPDX-License-Identifier: MIT */
/* Triangles of a flat polygon that does not cross itself are right if each has a positive area, seen from the polygon's
 * front, and the areas add up to that of the polygon. */
#define _XOPEN_SOURCE 700
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/mesh_kit.h"

typedef struct plane_point {
    double x, y;
} plane_point;

/* Two directions that are orthonormal up to rounding: the polygon lies across all axes. */
static const weft_vec3 along_u = {2.0 / 3, 1.0 / 3, 2.0 / 3}, along_v = {-2.0 / 3, 2.0 / 3, 1.0 / 3};

static double area_of(const plane_point *p, int32_t a, int32_t b, int32_t c)
{
    return 0.5 * ((p[b].x - p[a].x) * (p[c].y - p[a].y) - (p[b].y - p[a].y) * (p[c].x - p[a].x));
}

static weft_mesh make_mesh(const plane_point *p, int32_t n, double bend)
{
    weft_mesh m = {.n_nodes = n, .n_faces = 1};
    m.positions = malloc((size_t)n * sizeof *m.positions);
    m.corners = malloc((size_t)n * sizeof *m.corners);
    m.face_start = malloc(2 * sizeof *m.face_start);
    assert_true(m.positions && m.corners && m.face_start);
    m.face_start[0] = 0;
    m.face_start[1] = n;
    for (int32_t i = 0; i < n; i++) {
        double h = bend * (p[i].x * p[i].x - p[i].y * p[i].y); /* a saddle over the plane */
        m.positions[i] = (weft_vec3){5 + p[i].x * along_u.x + p[i].y * along_v.x - h / 3,
                                     p[i].x * along_u.y + p[i].y * along_v.y - 2 * h / 3,
                                     p[i].x * along_u.z + p[i].y * along_v.z + 2 * h / 3};
        m.corners[i] = i;
    }
    return m;
}

/* Cuts the polygon and checks the claim on top. Returns the smallest area. */
static double cut_well(const plane_point *p, int32_t n, double bend)
{
    weft_mesh m = make_mesh(p, n, bend);
    int32_t *triangles = malloc(3 * (size_t)(n - 2) * sizeof *triangles), *face = malloc((size_t)n * sizeof *face);
    assert_true(triangles && face);
    assert_int_equal(weft_mesh_triangulate(&m, triangles, face), n - 2);
    double whole = 0, sum = 0, size = 0, least = HUGE_VAL;
    for (int32_t i = 0; i < n; i++) {
        size = fmax(size, fmax(fabs(p[i].x), fabs(p[i].y)));
        whole += i > 1 ? area_of(p, 0, i - 1, i) : 0;
    }
    for (int32_t i = 0; i < n - 2; i++) {
        double area = area_of(p, triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
        assert_int_equal(face[i], 0);
        sum += area;
        least = fmin(least, area);
    }
    weft_mesh_free(&m);
    free(triangles);
    free(face);
    if (!(least > 0))
        fail_msg("%d corners: a triangle of area %g", n, least);
    /* n sums of products of coordinates up to `size`, each rounded a few times. */
    if (!(fabs(sum - whole) <= 16 * n * DBL_EPSILON * 4 * size * size))
        fail_msg("%d corners: triangles have %.17g, the polygon %.17g", n, sum, whole);
    return least;
}

static double cut_all_rotations(const plane_point *p, int32_t n, double bend)
{
    plane_point turned[64];
    double least = HUGE_VAL;
    for (int32_t first = 0; first < n; first++) {
        for (int32_t i = 0; i < n; i++)
            turned[i] = p[(first + i) % n];
        least = fmin(least, cut_well(turned, n, bend));
    }
    return least;
}

#define CUT(polygon, bend) cut_all_rotations(polygon, (int32_t)(sizeof(polygon) / sizeof *(polygon)), bend)

static void convex_polygons_become_fans(void **unused)
{
    (void)unused;
    weft_mesh m =
        kit_text(WEFT_MESH_OBJ, "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 1 2 3\nf 1 2 4 5\nf 2 3 4 5 1\n");
    int32_t triangles[18], face[6];
    assert_int_equal(weft_mesh_triangulate(&m, triangles, face), 6);
    kit_same_ints(triangles, (int32_t[]){0, 1, 2, 0, 1, 3, 0, 3, 4, 1, 2, 3, 1, 3, 4, 1, 4, 0}, 18);
    kit_same_ints(face, (int32_t[]){0, 1, 1, 2, 2, 2}, 6);
    assert_int_equal(weft_mesh_triangulate(&m, triangles, NULL), 6);
    weft_mesh_free(&m);
}

static void concave_polygons_are_cut_within(void **unused)
{
    (void)unused;
    static const plane_point arrow[] = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
    static const plane_point l_shape[] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    static const plane_point star[] = {{0, 3},    {-0.7, 1},   {-3, 1},     {-1.1, -0.4}, {-1.8, -2.4},
                                       {0, -1.2}, {1.8, -2.4}, {1.1, -0.4}, {3, 1},       {0.7, 1}};
    static const plane_point key[] = {{0, 0}, {5, 0}, {5, 5}, {2, 5}, {2, 2}, {3, 2},
                                      {3, 4}, {4, 4}, {4, 1}, {1, 1}, {1, 5}, {0, 5}};
    for (int i = 0; i < 2; i++) {
        double bend = i ? 0.02 : 0;
        CUT(arrow, bend);
        CUT(l_shape, bend);
        CUT(star, bend);
        CUT(key, bend);
    }
}

/* Corners in the middle of straight sides, exactly so and as files of 6 digits have them, make no flat triangles. */
static void straight_sides_give_no_flat_triangles(void **unused)
{
    (void)unused;
    static const plane_point triangle[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 3}};
    static const plane_point square[] = {{0, 0}, {0.5, 0}, {1, 0}, {1, 0.3}, {1, 0.6},
                                         {1, 1}, {0.2, 1}, {0, 1}, {0, 0.7}};
    assert_true(CUT(triangle, 0) > 0.1);
    assert_true(CUT(square, 0) > 0.01);
    uint64_t state = 1;
    for (int trial = 0; trial < 200; trial++) {
        plane_point shaken[9];
        for (int i = 0; i < 9; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            shaken[i] = (plane_point){square[i].x + 1e-6 * ((double)(state >> 40) / 16777216 - 0.5),
                                      square[i].y + 1e-6 * ((double)(state >> 16 & 0xFFFFFF) / 16777216 - 0.5)};
        }
        assert_true(CUT(shaken, 0) > 0.01);
    }
}

static void a_hole_on_a_bridge_stays_a_hole(void **unused)
{
    (void)unused;
    static const plane_point frame[] = {{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}};
    CUT(frame, 0);
}

/* Directions in order, distances at random: any such polygon is simple. */
static void random_polygons_are_cut_within(void **unused)
{
    (void)unused;
    uint64_t state = 7;
    for (int trial = 0; trial < 2000; trial++) {
        plane_point p[60];
        int32_t n = 4 + trial % 57;
        for (int32_t i = 0; i < n; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            double r = 0.2 + (double)(state >> 40) / 16777216, angle = 6.283185307179586 * i / n;
            p[i] = (plane_point){r * cos(angle), r * sin(angle)};
        }
        cut_well(p, n, trial % 2 ? 0 : 0.01);
    }
}

/* A band that winds inwards and comes back; n is even. */
static void make_spiral(plane_point *p, int32_t n)
{
    int32_t half = n / 2;
    for (int32_t i = 0; i < half; i++) {
        double t = 2 + 0.2 * i;
        p[half - 1 - i] = (plane_point){t * cos(t), t * sin(t)};
        p[half + i] = (plane_point){(t + 2) * cos(t), (t + 2) * sin(t)};
    }
}

static void spirals_are_cut_within(void **unused)
{
    (void)unused;
    plane_point p[1000];
    for (int32_t n = 10; n <= 1000; n += 198) {
        make_spiral(p, n);
        double whole = 0;
        for (int32_t i = 2; i < n; i++)
            whole += area_of(p, 0, i - 1, i);
        assert_true(whole > 0);
        cut_well(p, n, 0);
    }
}

static void far_and_tiny_polygons_are_cut_as_others(void **unused)
{
    (void)unused;
    static const plane_point arrow[] = {{0, 0}, {1, 1}, {0, 4}, {-4, 0}}; /* not a fan from corner 0 */
    static const double scales[] = {1e-300, 1e-30, 1, 1e30, 1e300};
    int32_t expected[6], got[6];
    for (int i = 0; i < 5; i++) {
        weft_mesh m = make_mesh(arrow, 4, 0);
        for (int k = 0; k < 4; k++)
            m.positions[k] = (weft_vec3){arrow[k].x * scales[i], 0, -arrow[k].y * scales[i]};
        assert_int_equal(weft_mesh_triangulate(&m, i ? got : expected, NULL), 2);
        if (i)
            kit_same_ints(got, expected, 6);
        weft_mesh_free(&m);
    }
}

/* No plane, or no simple outline: still n - 2 triangles of the polygon's corners. */
static void any_polygon_gives_n_minus_2_triangles(void **unused)
{
    (void)unused;
    weft_mesh m = kit_text(WEFT_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 1 1 0\nv 0 1 0\n"
                                          "f 1 2 3 4\nf 1 1 1 1 1\nf 1 5 2 6\nf 1 5 2 6 3 3 4\nf 1 2 5 6 1 2 5 6\n");
    int32_t n = m.face_start[m.n_faces] - 2 * m.n_faces;
    int32_t triangles[64], face[32];
    assert_int_equal(weft_mesh_triangulate(&m, triangles, face), n);
    for (int32_t i = 0; i < n; i++) {
        assert_true(i == 0 || face[i] >= face[i - 1]);
        for (int k = 0; k < 3; k++)
            assert_true(triangles[3 * i + k] >= 0 && triangles[3 * i + k] < m.n_nodes);
    }
    weft_mesh_free(&m);
}

/* A circle of 10^5 corners is cut well; a spiral as long, and noise, which cost the most, end in time. */
static void huge_polygons_end_in_time(void **unused)
{
    (void)unused;
    enum { N = 100000 };
    plane_point *p = malloc(N * sizeof *p);
    int32_t *triangles = malloc(3 * (size_t)N * sizeof *triangles);
    assert_true(p && triangles);
    for (int32_t i = 0; i < N; i++)
        p[i] = (plane_point){cos(6.283185307179586 * i / N), sin(6.283185307179586 * i / N)};
    cut_well(p, N, 0);
    for (int kind = 0; kind < 2; kind++) {
        uint64_t state = 3;
        make_spiral(p, N);
        for (int32_t i = 0; kind == 1 && i < N; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            p[i] = (plane_point){(double)(state >> 40), (double)(state >> 16 & 0xFFFFFF)};
        }
        int32_t n = kind == 1 ? N / 5 : N;
        weft_mesh m = make_mesh(p, n, 0);
        assert_int_equal(weft_mesh_triangulate(&m, triangles, NULL), n - 2);
        weft_mesh_free(&m);
    }
    free(p);
    free(triangles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_polygons_become_fans),
        cmocka_unit_test(concave_polygons_are_cut_within),
        cmocka_unit_test(straight_sides_give_no_flat_triangles),
        cmocka_unit_test(a_hole_on_a_bridge_stays_a_hole),
        cmocka_unit_test(random_polygons_are_cut_within),
        cmocka_unit_test(spirals_are_cut_within),
        cmocka_unit_test(far_and_tiny_polygons_are_cut_as_others),
        cmocka_unit_test(any_polygon_gives_n_minus_2_triangles),
        cmocka_unit_test(huge_polygons_end_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
