/* SPDX-License-Identifier: MIT */
#include "coloring.h"
#include "pictures.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* A unit square of two triangles, its diagonal from 0 to 2 drawn only, and a node of no triangle. */
static const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
static const double rest[] = {1, 1, 0, 0, 1, 1};
static const weft_topology square = {.n_nodes = 5, .n_triangles = 2, .triangles = triangles, .rest_lengths = rest};

static void nodes_take_the_largest_stretch_of_their_sides(void **state)
{
    (void)state;
    /* 0–1 is 1.2 long, 1–2 as at rest, 2–3 is 0.5, and 3–0 is slanted */
    const weft_vec3 x[] = {{0, 0, 0}, {1.2, 0, 0}, {1.2, 1, 0}, {0.7, 1, 0}, {9, 9, 9}};
    double stretch[5], side = sqrt(0.7 * 0.7 + 1) - 1;
    coloring_stretch(&square, x, stretch);
    const double expected[] = {fmax(0.2, side), fmax(0.2, 0), 0, fmax(-0.5, side)};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(stretch[i] - expected[i]) < 4e-16);
    assert_true(isnan(stretch[4]));
}

static void squeezed_cloth_has_negative_stretch(void **state)
{
    (void)state;
    const weft_vec3 x[] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0}};
    double stretch[5];
    coloring_stretch(&square, x, stretch);
    for (int i = 0; i < 4; i++)
        assert_true(stretch[i] == -0.5);
}

static void without_rest_lengths_nothing_is_known(void **state)
{
    (void)state;
    weft_topology unknown = square;
    unknown.rest_lengths = NULL;
    const weft_vec3 x[5] = {{0, 0, 0}};
    double stretch[5];
    coloring_stretch(&unknown, x, stretch);
    for (int i = 0; i < 5; i++)
        assert_true(isnan(stretch[i]));
}

static void a_look_without_a_scene_has_defaults(void **state)
{
    (void)state;
    pictures_look look = pictures_look_of(NULL);
    assert_int_equal(look.picture.width, 960);
    assert_true(look.stretch_limit == 1.05 && look.picture.view_angle == 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_take_the_largest_stretch_of_their_sides),
        cmocka_unit_test(squeezed_cloth_has_negative_stretch),
        cmocka_unit_test(without_rest_lengths_nothing_is_known),
        cmocka_unit_test(a_look_without_a_scene_has_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
