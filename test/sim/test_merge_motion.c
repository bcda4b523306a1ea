/* SPDX-License-Identifier: MIT */
/* Merging is a motion: what lies under a bump is not passed through when the bump goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/kit.h"

#include <cmocka.h>

static const double side = 0.1, bump = 0.01; /* m */

static weft_sim *calm_sim(weft_response response)
{
    weft_sim_def d = weft_sim_def_default();
    d.gravity = (weft_vec3){0, 0, 0};
    d.integrator = WEFT_INTEGRATOR_EXPLICIT;
    d.response = response;
    return kit_sim(&d);
}

/* A flat square of roots × roots faces about the axis that have all split once, and may all merge. */
static weft_cloth_id split_sheet(weft_sim *sim, int32_t roots, double y)
{
    weft_grid_def d = weft_grid_def_default();
    d.n_warp = d.n_weft = roots + 1;
    d.size_warp = d.size_weft = side;
    d.corner = (weft_vec3){-0.5 * side, y, 0.5 * side};
    d.model.adapt = weft_adapt_default();
    d.model.adapt.max_level = 1;
    d.model.adapt.refine_angle = 3;
    d.model.adapt.coarsen_angle = 1.5;
    d.model.adapt.coarsen_way = 2 * bump;
    d.model.adapt.interval = 0;
    weft_cloth_id id;
    weft_error e;
    unsigned char shape[8] = {0};
    for (int32_t i = 0; i < roots * roots; i++) /* a root that has split, four children that have not */
        shape[5 * i / 8] = (unsigned char)(shape[5 * i / 8] | 1 << 5 * i % 8);
    kit_must(weft_cloth_create_grid(sim, &d, &id, &e), &e);
    kit_must(weft_cloth_set_shape(sim, id, shape, (size_t)(5 * roots * roots + 7) / 8, &e), &e);
    return id;
}

/* Lifts the node at (x, z), which must be there. */
static void lift(weft_sim *sim, weft_cloth_id id, double x, double z)
{
    int32_t n = kit_info(sim, id).n_nodes, found = 0;
    weft_vec3 *p = malloc((size_t)n * sizeof *p);
    assert_non_null(p);
    kit_must(weft_cloth_get_positions(sim, id, p, n, 0, NULL), NULL);
    for (int32_t i = 0; i < n; i++)
        if (fabs(p[i].x - x) + fabs(p[i].z - z) < 1e-6) {
            p[i].y += bump;
            found++;
        }
    assert_int_equal(found, 1);
    kit_must(weft_cloth_set_positions(sim, id, p, n, NULL), NULL);
    free(p);
}

/* A small patch about (x, y, z). */
static weft_cloth_id patch(weft_sim *sim, double x, double y, double z)
{
    weft_grid_def d = weft_grid_def_default();
    d.n_warp = d.n_weft = 2;
    d.size_warp = d.size_weft = 0.04 * side;
    d.corner = (weft_vec3){x - 0.02 * side, y, z + 0.02 * side};
    weft_cloth_id id;
    weft_error e;
    kit_must(weft_cloth_create_grid(sim, &d, &id, &e), &e);
    return id;
}

/* Of all triangles of these cloths. */
static int64_t intersections(const weft_sim *sim, const weft_cloth_id *ids, int32_t n)
{
    weft_vec3 x[64];
    int32_t triangles[3 * 64], n_nodes = 0, n_triangles = 0;
    for (int32_t i = 0; i < n; i++) {
        weft_cloth_info info = kit_info(sim, ids[i]);
        assert_true(n_nodes + info.n_nodes <= 64 && n_triangles + info.n_triangles <= 64);
        kit_must(weft_cloth_get_positions(sim, ids[i], x + n_nodes, info.n_nodes, 0, NULL), NULL);
        kit_must(weft_cloth_get_triangles(sim, ids[i], triangles + 3 * n_triangles, info.n_triangles, NULL), NULL);
        for (int32_t k = 3 * n_triangles; k < 3 * (n_triangles + info.n_triangles); k++)
            triangles[k] += n_nodes;
        n_nodes += info.n_nodes;
        n_triangles += info.n_triangles;
    }
    weft_audit *audit = NULL;
    weft_error e;
    weft_audit_def d = weft_audit_def_default();
    d.n_nodes = n_nodes;
    d.positions = x;
    d.n_triangles = n_triangles;
    d.triangles = triangles;
    kit_must(weft_audit_create(&d, &audit, &e), &e);
    kit_must(weft_audit_run(audit, NULL, 0, &e), &e);
    int64_t found = weft_audit_get(audit).n_pairs;
    weft_audit_destroy(audit);
    return found;
}

/* One look, and the audit of what came of it. */
static weft_step_stats look(weft_sim *sim, const weft_cloth_id *ids, int32_t n)
{
    weft_step_stats st;
    weft_error e;
    assert_int_equal(intersections(sim, ids, n), 0);
    kit_must(weft_sim_step(sim, 1e-6, &st, &e), &e);
    assert_int_equal(intersections(sim, ids, n), 0);
    return st;
}

static void a_bump_over_nothing_merges(void **test)
{
    (void)test;
    weft_sim *sim = calm_sim(WEFT_RESPONSE_WEFT);
    weft_cloth_id id = split_sheet(sim, 1, 0);
    lift(sim, id, 0, 0);
    weft_step_stats st = look(sim, &id, 1);
    assert_int_equal(st.merged, 1);
    assert_int_equal(st.refused, 0);
    assert_int_equal(kit_info(sim, id).n_nodes, 4);
    weft_sim_destroy(sim);
}

/* A bump with a patch at a height about its axis. */
static weft_step_stats look_at_bump(weft_response response, double height, int32_t *n_nodes)
{
    weft_sim *sim = calm_sim(response);
    weft_cloth_id ids[2] = {split_sheet(sim, 1, 0)};
    lift(sim, ids[0], 0, 0);
    ids[1] = patch(sim, 0, height, 0);
    weft_step_stats st = look(sim, ids, 2);
    *n_nodes = kit_info(sim, ids[0]).n_nodes;
    weft_sim_destroy(sim);
    return st;
}

/* Before and after nothing intersects, on the way it would: the patch would be on the other side. */
static void a_bump_does_not_merge_through_what_lies_under_it(void **test)
{
    (void)test;
    int32_t n;
    weft_step_stats st = look_at_bump(WEFT_RESPONSE_WEFT, 0.4 * bump, &n);
    assert_int_equal(st.merged, 0);
    assert_int_equal(st.refused, 1);
    assert_int_equal(n, 9);
    /* Where cloth may pass through cloth it does, and the audits find nothing: the end alone does not tell. */
    st = look_at_bump(WEFT_RESPONSE_NONE, 0.4 * bump, &n);
    assert_int_equal(st.merged, 1);
    assert_int_equal(n, 4);
}

static void what_is_not_on_the_way_does_not_keep_a_bump(void **test)
{
    (void)test;
    int32_t n;
    assert_int_equal(look_at_bump(WEFT_RESPONSE_WEFT, 1.4 * bump, &n).merged, 1);
    assert_int_equal(look_at_bump(WEFT_RESPONSE_WEFT, -0.4 * bump, &n).merged, 1);
}

static void only_families_in_the_way_are_taken_out(void **test)
{
    (void)test;
    weft_sim *sim = calm_sim(WEFT_RESPONSE_WEFT);
    weft_cloth_id ids[2] = {split_sheet(sim, 2, 0)};
    lift(sim, ids[0], -0.25 * side, 0.25 * side);
    lift(sim, ids[0], 0.25 * side, 0.25 * side);
    ids[1] = patch(sim, 0.25 * side, 0.4 * bump, 0.25 * side);
    weft_step_stats st = look(sim, ids, 2);
    assert_int_equal(st.merged, 3);
    assert_int_equal(st.refused, 1);
    assert_int_equal(kit_info(sim, ids[0]).n_nodes, 9 + 5);
    weft_sim_destroy(sim);
}

/* One bump within another: each alone would meet the other, which stays; together they go down side by side. */
static void bumps_of_two_cloths_that_go_together_do_not_meet(void **test)
{
    (void)test;
    weft_sim *sim = calm_sim(WEFT_RESPONSE_WEFT);
    weft_cloth_id ids[2] = {split_sheet(sim, 1, 0), split_sheet(sim, 1, -0.2 * bump)};
    lift(sim, ids[0], 0, 0);
    lift(sim, ids[1], 0, 0);
    weft_step_stats st = look(sim, ids, 2);
    assert_int_equal(st.merged, 2);
    assert_int_equal(st.refused, 0);
    weft_sim_destroy(sim);
}

/* Corners of a small plate about the axis. */
static void place_plate(double y, weft_vec3 out[4])
{
    double r = 0.02 * side;
    for (int i = 0; i < 4; i++)
        out[i] = (weft_vec3){i == 0 || i == 3 ? -r : r, y, i < 2 ? r : -r};
}

static weft_collider_id plate(weft_sim *sim, double y)
{
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    weft_vec3 x[4];
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id id;
    weft_error e;
    place_plate(y, x);
    d.kind = WEFT_COLLIDER_MESH;
    d.vertices = x;
    d.n_vertices = 4;
    d.triangles = triangles;
    d.n_triangles = 2;
    kit_must(weft_collider_create(sim, &d, &id, &e), &e);
    return id;
}

/* Where the last step has brought it, not where that began. */
static void a_mesh_counts_where_it_is_now(void **test)
{
    (void)test;
    weft_sim *sim = calm_sim(WEFT_RESPONSE_WEFT);
    weft_cloth_id id = split_sheet(sim, 1, 0);
    weft_vec3 below[4];
    weft_error e;
    lift(sim, id, 0, 0);
    weft_collider_id under = plate(sim, 0.4 * bump);
    place_plate(-bump, below);
    kit_must(weft_collider_set_vertices(sim, under, below, 4, &e), &e);
    weft_step_stats st = look(sim, &id, 1);
    assert_int_equal(st.merged, 0);
    assert_int_equal(st.refused, 1);
    st = look(sim, &id, 1);
    assert_int_equal(st.merged, 1);
    assert_int_equal(st.refused, 0);
    weft_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bump_over_nothing_merges),
        cmocka_unit_test(a_bump_does_not_merge_through_what_lies_under_it),
        cmocka_unit_test(what_is_not_on_the_way_does_not_keep_a_bump),
        cmocka_unit_test(only_families_in_the_way_are_taken_out),
        cmocka_unit_test(bumps_of_two_cloths_that_go_together_do_not_meet),
        cmocka_unit_test(a_mesh_counts_where_it_is_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
