/* SPDX-License-Identifier: MIT */
/* Steps of any allowed length, one after the other, on cloth that is clamped and lies on colliders; others are refused
 * by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/kit.h"

#define N 13

/* A sheet of 0.3 m, one side clamped, over a ball. */
static weft_sim *make_sheet(weft_cloth_id *sheet)
{
    weft_error e = {0};
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = kit_sim(&d);
    weft_fabric cotton;
    weft_grid_def g = weft_grid_def_default();
    weft_attachment_def a = weft_attachment_def_default();
    weft_attachment_id id;
    int32_t side[N];
    kit_must(weft_fabric_find("cotton", &cotton, &e), &e);
    g.n_warp = g.n_weft = N;
    g.size_warp = g.size_weft = 0.3;
    g.model.fabrics = &cotton;
    g.model.n_fabrics = 1;
    kit_must(weft_cloth_create_grid(sim, &g, sheet, &e), &e);
    kit_sphere(sim, 0.08, (weft_vec3){0.2, -0.085, -0.15});
    for (int i = 0; i < N; i++)
        side[i] = i * N;
    a.kind = WEFT_ATTACH_CLAMP;
    a.cloth = *sheet;
    a.nodes = side;
    a.n_nodes = N;
    kit_must(weft_attachment_create(sim, &a, &id, &e), &e);
    return sim;
}

static void steps_of_any_length_follow_each_other(void **state)
{
    (void)state;
    static const double lengths[] = {1.0 / 60, 1e-7,     0.5,  1e-5, 1.0 / 240, 0.1,
                                     1e-7,     1.0 / 30, 1e-3, 0.5,  0.5,       1.0 / 60};
    weft_cloth_id sheet;
    weft_fabric cotton;
    weft_error e = {0};
    weft_sim *sim = make_sheet(&sheet);
    kit_must(weft_fabric_find("cotton", &cotton, &e), &e);
    double time = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int k = 0; k < 4; k++) {
            weft_step_stats st;
            kit_must(weft_sim_step(sim, lengths[i], &st, &e), &e);
            time += lengths[i];
            assert_true(fabs(weft_sim_time(sim) - time) <= 1e-12);
            assert_true(st.stretch <= 1.25 * cotton.stretch_limit);
            assert_true(st.max_speed < 10);
        }
    weft_sim_destroy(sim);
}

static void other_lengths_are_refused_by_name(void **state)
{
    (void)state;
    static const double lengths[] = {0, -1, 0.99e-7, 0.51, 1e9, KIT_NAN, KIT_INFINITE};
    weft_cloth_id sheet;
    weft_sim *sim = make_sheet(&sheet);
    uint64_t before = weft_sim_hash(sim);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        weft_error e = {0};
        weft_result r = weft_sim_step(sim, lengths[i], NULL, &e);
        assert_true(r == WEFT_ERROR_RANGE || r == WEFT_ERROR_NOT_FINITE);
        assert_non_null(strstr(e.text, "h is "));
        assert_true(weft_sim_hash(sim) == before);
    }
    weft_sim_destroy(sim);
}

/* Three nodes in a line, or two at one place: by number, and nothing is made. */
static void faces_without_area_are_refused_by_number(void **state)
{
    (void)state;
    static const int32_t triangles[] = {0, 1, 2, 1, 3, 2};
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = kit_sim(&d);
    for (int k = 0; k < 2; k++) {
        weft_vec3 x[4] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0, 0.1}, {0.05, 0, 0.05}};
        weft_error e = {0};
        weft_cloth_id id;
        if (k == 1)
            x[3] = x[1];
        weft_mesh_def m = weft_mesh_def_default();
        m.n_nodes = 4;
        m.positions = x;
        m.triangles = triangles;
        m.n_triangles = 2;
        assert_int_equal(weft_cloth_create_mesh(sim, &m, &id, &e), WEFT_ERROR_DEGENERATE);
        assert_int_equal(e.element, 1);
        assert_non_null(strstr(e.text, "has no area at rest"));
    }
    weft_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_any_length_follow_each_other),
        cmocka_unit_test(other_lengths_are_refused_by_name),
        cmocka_unit_test(faces_without_area_are_refused_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
