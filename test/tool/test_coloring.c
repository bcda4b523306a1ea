/* SPDX-License-Identifier: MIT */
#include "coloring.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* Values are sums of a few products of numbers near 1. */
#define TINY 1e-12

static const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
static const weft_vec2 uv[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

static weft_topology square(void)
{
    return (weft_topology){.n_nodes = 4, .n_triangles = 2, .triangles = triangles};
}

static void strain_is_told_along_warp_and_weft(void **state)
{
    (void)state;
    weft_topology t = square();
    const weft_vec3 x[4] = {{5, 0, 0}, {5, 0, 1.1}, {5, 0.9, 1.1}, {5, 0.9, 0}};
    double warp[4], weft[4], shear[4];
    coloring_strain(0, &t, uv, x, warp);
    coloring_strain(1, &t, uv, x, weft);
    coloring_strain(2, &t, uv, x, shear);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(warp[i] - 0.1) < TINY);
        assert_true(fabs(weft[i] + 0.1) < TINY);
        assert_true(fabs(shear[i]) < TINY);
    }
}

static void shear_is_what_lacks_to_a_right_angle(void **state)
{
    (void)state;
    weft_topology t = square();
    double s = sin(0.1), c = cos(0.1), shear[4];
    const weft_vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {1 + s, c, 0}, {s, c, 0}};
    coloring_strain(2, &t, uv, x, shear);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(shear[i] - 0.1) < TINY);
}

static void nodes_of_no_triangle_are_unknown(void **state)
{
    (void)state;
    weft_topology t = square();
    t.n_triangles = 1;
    const weft_vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    double warp[4];
    coloring_strain(0, &t, uv, x, warp);
    assert_true(fabs(warp[0]) < TINY && isnan(warp[3]));
}

static void speed_is_way_over_time(void **state)
{
    (void)state;
    const weft_vec3 a = {1, 2, 3}, b = {1.3, 2, 3.4};
    double v;
    coloring_speed(&b, &a, 1, 0.25, &v);
    assert_true(fabs(v - 2) < TINY);
}

static double solid_alone(picture_solid s, weft_vec3 p)
{
    double out = 100;
    coloring_near_solid(&s, &p, 1, &out);
    return out;
}

static void distances_from_solids_are_those_of_their_shapes(void **state)
{
    (void)state;
    picture_solid s = {.radius = 0.5, .height = 2, .size = {2, 4, 6}, .position = {1, 1, 1}};
    const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++)
        s.rotation[i] = upright[i];
    const struct {
        weft_collider_kind kind;
        weft_vec3 p;
        double distance;
    } known[] = {{WEFT_COLLIDER_PLANE, {9, 1.25, 9}, 0.25},
                 {WEFT_COLLIDER_SPHERE, {1, 1, 3}, 1.5},
                 {WEFT_COLLIDER_SPHERE, {1, 1, 1.25}, -0.25},
                 {WEFT_COLLIDER_CAPSULE, {1, 4, 1}, 1.5},
                 {WEFT_COLLIDER_CAPSULE, {2, 1.7, 1}, 0.5},
                 {WEFT_COLLIDER_CYLINDER, {1, 4, 1}, 2},
                 {WEFT_COLLIDER_CYLINDER, {1, 1.75, 1}, -0.25},
                 {WEFT_COLLIDER_BOX, {2.5, 1, 1}, 0.5},
                 {WEFT_COLLIDER_BOX, {5, 7, 1}, 5},
                 {WEFT_COLLIDER_BOX, {1, 1, 1}, -1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        s.kind = known[i].kind;
        assert_true(fabs(solid_alone(s, known[i].p) - known[i].distance) < TINY);
    }
}

static void solids_that_are_turned_are_measured_turned(void **state)
{
    (void)state;
    /* By rows: what is up for the solid is along x. */
    picture_solid s = {
        .kind = WEFT_COLLIDER_CYLINDER, .radius = 0.1, .height = 2, .rotation = {0, 1, 0, -1, 0, 0, 0, 0, 1}};
    assert_true(fabs(solid_alone(s, (weft_vec3){1.5, 0, 0}) - 0.5) < TINY);
    assert_true(fabs(solid_alone(s, (weft_vec3){0, 0.3, 0}) - 0.2) < TINY);
}

/* Of the triangle and a large one far below, beside what is known: over its face, off a side, off a corner, too far. */
static void distances_from_meshes_end_at_the_reach(void **state)
{
    (void)state;
    const weft_vec3 mesh[6] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {-500, -1, -500}, {500, -1, -500}, {0, -1, 500}};
    const int32_t both[6] = {0, 1, 2, 3, 4, 5};
    const weft_vec3 x[5] = {{0.2, 0.03, 0.2}, {0.5, 0, -0.04}, {-0.03, 0, -0.04}, {0.2, 0.2, 0.2}, {77, -0.98, 9}};
    const double known[5] = {0.03, 0.04, 0.05, COLORING_REACH, 0.02};
    double out[5] = {1, 1, 1, 1, 1};
    assert_true(coloring_near_mesh(mesh, both, 2, x, 5, out));
    for (int i = 0; i < 5; i++)
        assert_true(fabs(out[i] - known[i]) < 1e-12); /* differences of lengths of up to 1000 m */
}

static void a_scale_ends_where_a_part_of_the_numbers_does(void **state)
{
    (void)state;
    double values[101];
    for (int i = 0; i <= 100; i++)
        values[i] = (37 * i) % 101; /* 0 … 100, in some order */
    assert_true(fabs(coloring_most(values, 101, 0.98) - 98) < 1e-12);
    assert_true(fabs(coloring_most(values, 101, 1) - 100) < 1e-12);
    assert_true(fabs(coloring_most(values, 1, 0.5)) < 1e-12 && fabs(coloring_most(NULL, 0, 0.5)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strain_is_told_along_warp_and_weft),
        cmocka_unit_test(shear_is_what_lacks_to_a_right_angle),
        cmocka_unit_test(nodes_of_no_triangle_are_unknown),
        cmocka_unit_test(speed_is_way_over_time),
        cmocka_unit_test(distances_from_solids_are_those_of_their_shapes),
        cmocka_unit_test(solids_that_are_turned_are_measured_turned),
        cmocka_unit_test(distances_from_meshes_end_at_the_reach),
        cmocka_unit_test(a_scale_ends_where_a_part_of_the_numbers_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
