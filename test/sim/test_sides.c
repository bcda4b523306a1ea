/* SPDX-License-Identifier: MIT */
/* ctest: labels=threads timeout=300 */
/* What the user says of sides and layers is where things go that intersect; and what nobody has said anything of comes
 * free of deep folds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/trig.h"
#include "sim/kit.h"
#include "sim/sim.h"

#include <cmocka.h>

static const double H = 1.0 / 60;
enum { SIDE = 21, LONG = 64, WIDE = 7 };

/* A sheet of 40 cm in the plane through `middle`, slanted about the z axis; its front is up. */
static weft_cloth_id add_sheet(weft_sim *sim, weft_vec3 middle, double slant)
{
    weft_error e = {0};
    weft_cloth_id id = {0};
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = SIDE;
    g.size_warp = g.size_weft = 0.4;
    g.axis_warp = (weft_vec3){1, slant, 0};
    g.axis_weft = (weft_vec3){0, 0, -1};
    double length = sqrt(1 + slant * slant);
    g.corner = (weft_vec3){middle.x - 0.2 / length, middle.y - 0.2 * slant / length, middle.z + 0.2};
    kit_must(weft_cloth_create_grid(sim, &g, &id, &e), &e);
    return id;
}

static double mean_height(weft_sim *sim, weft_cloth_id id)
{
    weft_vec3 x[SIDE * SIDE];
    weft_error e = {0};
    double sum = 0;
    kit_must(weft_cloth_get_positions(sim, id, x, SIDE * SIDE, 0, &e), &e);
    for (int i = 0; i < SIDE * SIDE; i++)
        sum += x[i].y;
    return sum / (SIDE * SIDE);
}

static void step_until_free(weft_sim *sim, int most)
{
    weft_step_stats st = {.tangled = 1};
    weft_error e = {0};
    int n = 0;
    for (; n < most && st.tangled > 0; n++) {
        kit_must(weft_sim_step(sim, H, &st, &e), &e);
        assert_true(n > 0 || st.tangled > 0);
    }
    assert_int_equal(st.tangled, 0);
}

/* Figure 6 of ye2012: two sheets that cross slightly part to either side, as it is said. */
static double gap_of_layers(bool second_is_outer)
{
    weft_sim_def d = weft_sim_def_default();
    weft_error e = {0};
    weft_sim *sim = kit_sim(&d);
    weft_cloth_id a = add_sheet(sim, (weft_vec3){0, 0, 0}, 0);
    weft_cloth_id b = add_sheet(sim, (weft_vec3){0.013, 0.001, 0.007}, 0.1);
    weft_layer layer = second_is_outer ? (weft_layer){a, b} : (weft_layer){b, a};
    kit_must(weft_sim_set_layers(sim, &layer, 1, &e), &e);
    step_until_free(sim, 30);
    double above = mean_height(sim, b) - mean_height(sim, a);
    weft_sim_destroy(sim);
    return above;
}

static void layers_say_which_cloth_comes_to_be_outside(void **test)
{
    (void)test;
    assert_true(gap_of_layers(true) > 0.005);
    assert_true(gap_of_layers(false) < -0.005);
}

static double gap_of_side(weft_untangle_side side)
{
    weft_sim_def d = weft_sim_def_default();
    weft_error e = {0};
    weft_sim *sim = kit_sim(&d);
    weft_cloth_id a = add_sheet(sim, (weft_vec3){0, 0, 0}, 0);
    weft_cloth_id b = add_sheet(sim, (weft_vec3){0.013, 0.001, 0.007}, 0.1);
    kit_must(weft_cloth_set_side(sim, a, side, &e), &e);
    kit_must(weft_cloth_set_side(sim, b, WEFT_SIDE_PLAIN, &e), &e);
    step_until_free(sim, 30);
    double above = mean_height(sim, b) - mean_height(sim, a);
    weft_sim_destroy(sim);
    return above;
}

static void the_side_of_a_cloth_says_where_others_go(void **test)
{
    (void)test;
    assert_true(gap_of_side(WEFT_SIDE_OUT) > 0.005);
    assert_true(gap_of_side(WEFT_SIDE_IN) < -0.005);
}

/* An open mesh, of which nobody could find out where cloth belongs. */
static double height_beside_mesh(weft_untangle_side side)
{
    const weft_vec3 vertices[] = {{-1, 0, 1}, {1, 0, 1}, {1, 0, -1}, {-1, 0, -1}};
    const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    weft_sim_def d = weft_sim_def_default();
    weft_collider_def c = weft_collider_def_default();
    weft_collider_id id;
    weft_untangle_side got;
    weft_error e = {0};
    d.gravity = (weft_vec3){0};
    weft_sim *sim = kit_sim(&d);
    c.kind = WEFT_COLLIDER_MESH;
    c.vertices = vertices;
    c.n_vertices = 4;
    c.triangles = triangles;
    c.n_triangles = 2;
    kit_must(weft_collider_create(sim, &c, &id, &e), &e);
    kit_must(weft_collider_set_side(sim, id, side, &e), &e);
    kit_must(weft_collider_get_side(sim, id, &got, &e), &e);
    assert_int_equal(got, side);
    weft_cloth_id sheet = add_sheet(sim, (weft_vec3){0.013, 0.001, 0.007}, 0.1);
    step_until_free(sim, 30);
    double height = mean_height(sim, sheet);
    weft_sim_destroy(sim);
    return height;
}

static void the_side_of_an_open_mesh_says_where_cloth_goes(void **test)
{
    (void)test;
    assert_true(height_beside_mesh(WEFT_SIDE_OUT) > 0.005);
    assert_true(height_beside_mesh(WEFT_SIDE_IN) < -0.005);
}

static void wrong_layers_and_sides_are_refused(void **test)
{
    (void)test;
    weft_sim_def d = weft_sim_def_default();
    weft_error e = {0};
    weft_sim *sim = kit_sim(&d);
    weft_cloth_id a = add_sheet(sim, (weft_vec3){0, 0, 0}, 0), b = add_sheet(sim, (weft_vec3){0, 1, 0}, 0);
    const weft_layer itself = {a, a}, turned[] = {{a, b}, {b, a}}, good = {a, b};
    weft_layer got[2];
    weft_untangle_side side;
    int32_t n = -1;
    assert_int_equal(weft_sim_set_layers(sim, &good, 1, &e), WEFT_OK);
    assert_int_equal(weft_sim_set_layers(sim, &itself, 1, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_sim_set_layers(sim, turned, 2, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(e.element, 1);
    assert_int_equal(weft_sim_set_layers(sim, NULL, 2, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_sim_set_layers(sim, &good, -1, &e), WEFT_ERROR_RANGE);
    assert_int_equal(weft_sim_set_layers(NULL, &good, 1, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_cloth_set_side(sim, a, (weft_untangle_side)3, &e), WEFT_ERROR_RANGE);
    assert_int_equal(weft_cloth_get_side(sim, a, &side, &e), WEFT_OK);
    assert_int_equal(side, WEFT_SIDE_DYNAMIC);
    assert_int_equal(weft_sim_get_layers(sim, got, 2, &n, &e), WEFT_OK);
    assert_int_equal(n, 1); /* those before are still there */
    kit_must(weft_cloth_remove(sim, b, &e), &e);
    assert_int_equal(weft_sim_get_layers(sim, got, 2, &n, &e), WEFT_OK);
    assert_int_equal(n, 0);
    assert_int_equal(weft_sim_set_layers(sim, &good, 1, &e), WEFT_ERROR_STALE_ID);
    assert_int_equal(weft_cloth_set_side(sim, b, WEFT_SIDE_OUT, &e), WEFT_ERROR_STALE_ID);
    weft_sim_destroy(sim);
}

/* ---- folds ------------------------------------------------------------------------------------------------------- */

/* A strip whose cross-section is a loop that crosses itself, a quarter of it beyond the crossing at either end. */
static void add_loop(weft_sim *sim)
{
    static weft_vec3 x[LONG * WIDE];
    static int32_t quads[4 * (LONG - 1) * (WIDE - 1)];
    weft_mesh_def d = weft_mesh_def_default();
    weft_cloth_id id;
    weft_error e = {0};
    double px = 0, py = 0;
    for (int i = 0; i < LONG; i++) {
        double s = (double)i / (LONG - 1), turn = s < 0.25 ? 0 : s > 0.75 ? 1 : 2 * (s - 0.25);
        for (int j = 0; j < WIDE; j++)
            x[i * WIDE + j] = (weft_vec3){px, py, 0.01 * j};
        px += 0.01 * weft_cos(4.2 * turn);
        py += 0.01 * weft_sin(4.2 * turn);
    }
    for (int i = 0, n = 0; i + 1 < LONG; i++)
        for (int j = 0; j + 1 < WIDE; j++, n += 4) {
            int32_t k = i * WIDE + j, q[] = {k, k + 1, k + WIDE + 1, k + WIDE};
            memcpy(quads + n, q, sizeof q);
        }
    d.positions = x;
    d.n_nodes = LONG * WIDE;
    d.quads = quads;
    d.n_quads = (LONG - 1) * (WIDE - 1);
    kit_must(weft_cloth_create_mesh(sim, &d, &id, &e), &e);
}

static weft_sim *loop_sim(int32_t n_threads)
{
    weft_sim_def d = weft_sim_def_default();
    d.n_threads = n_threads;
    weft_sim *sim = kit_sim(&d);
    add_loop(sim);
    return sim;
}

static void a_strip_through_itself_comes_free_and_is_itself_again(void **test)
{
    (void)test;
    weft_sim *sim = loop_sim(1);
    weft_step_stats st;
    weft_error e = {0};
    double free_at = -1, speed = 0;
    for (int i = 0; i < 60; i++) {
        kit_must(weft_sim_step(sim, H, &st, &e), &e);
        assert_true(i > 0 || st.tangled > WIDE);
        free_at = st.tangled > 0 ? -1 : free_at < 0 ? st.time : free_at;
        speed = fmax(speed, st.max_speed);
    }
    print_message("free at %.2f s, at most %.2f m/s, stretched by %.3f at the end\n", free_at, speed, st.stretch);
    assert_true(free_at > 0 && free_at < 0.5);
    assert_true(st.stretch < 1.1);
    assert_true(speed < 12); /* it falls for a second */
    weft_sim_destroy(sim);
}

static void what_groups_remember_is_in_a_snapshot(void **test)
{
    (void)test;
    weft_sim *a = loop_sim(1), *b = loop_sim(3);
    weft_error e = {0};
    for (int from = 1; from < 16; from += 3) {
        size_t size = 0;
        kit_steps(a, 3, H);
        kit_must(weft_sim_snapshot(a, NULL, &size, &e), &e);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        kit_must(weft_sim_snapshot(a, bytes, &size, &e), &e);
        kit_must(weft_sim_restore(b, bytes, size, &e), &e);
        free(bytes);
        kit_steps(a, 3, H);
        kit_steps(b, 3, H);
        assert_true(weft_sim_hash(a) == weft_sim_hash(b));
    }
    weft_sim_destroy(a);
    weft_sim_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_say_which_cloth_comes_to_be_outside),
        cmocka_unit_test(the_side_of_a_cloth_says_where_others_go),
        cmocka_unit_test(the_side_of_an_open_mesh_says_where_cloth_goes),
        cmocka_unit_test(wrong_layers_and_sides_are_refused),
        cmocka_unit_test(a_strip_through_itself_comes_free_and_is_itself_again),
        cmocka_unit_test(what_groups_remember_is_in_a_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
