/* SPDX-License-Identifier: MIT */
/* What programs change from step to step: poses of colliders, fabrics, which nodes are held and when; and floats
 * out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "sim/kit.h"

#include <cmocka.h>

#define H (1.0 / 60)

static const weft_quat none = {0, 0, 0, 1};

static weft_sim *make_sim(void)
{
    weft_sim_def def = weft_sim_def_default();
    weft_sim *sim = NULL;
    weft_error e = {0};
    kit_must(weft_sim_create(&def, &sim, &e), &e);
    return sim;
}

static weft_cloth_id add_sheet(weft_sim *sim)
{
    weft_grid_def grid = weft_grid_def_default();
    weft_cloth_id id;
    weft_error e = {0};
    grid.n_warp = grid.n_weft = 6;
    grid.size_warp = grid.size_weft = 0.5;
    kit_must(weft_cloth_create_grid(sim, &grid, &id, &e), &e);
    return id;
}

static weft_attachment_id add_pin(weft_sim *sim, weft_cloth_id cloth, const int32_t *nodes, int32_t n, double from,
                                  double until)
{
    weft_attachment_def def = weft_attachment_def_default();
    weft_attachment_id id;
    weft_error e = {0};
    def.cloth = cloth;
    def.nodes = nodes;
    def.n_nodes = n;
    def.from = from;
    def.until = until;
    kit_must(weft_attachment_create(sim, &def, &id, &e), &e);
    return id;
}

static vec3 node_at(const weft_sim *sim, weft_cloth_id id, int32_t node)
{
    vec3 x[36];
    weft_error e = {0};
    kit_must(weft_cloth_get_positions(sim, id, x, 36, 0, &e), &e);
    return x[node];
}

static void steps(weft_sim *sim, int n)
{
    weft_error e = {0};
    for (int i = 0; i < n; i++)
        kit_must(weft_sim_step(sim, H, NULL, &e), &e);
}

static void collider_sent_somewhere_is_there_after_a_step(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim();
    weft_collider_def def = weft_collider_def_default();
    weft_collider_id id;
    weft_error e = {0};
    vec3 at;
    double r[9];
    def.kind = WEFT_COLLIDER_BOX;
    def.rotation = (weft_quat){0.6, 0, 0, 0.8};
    kit_must(weft_collider_create(sim, &def, &id, &e), &e);
    add_sheet(sim);
    kit_must(weft_collider_set_pose(sim, id, v3(1, 2, 3), none, &e), &e);
    kit_must(weft_collider_get_pose(sim, id, &at, r, &e), &e);
    assert_true(at.x == 0 && fabs(r[4] - 0.28) < 1e-15); /* not before it: cos of the angle, 0.8² − 0.6² */
    steps(sim, 1);
    kit_must(weft_collider_get_pose(sim, id, &at, r, &e), &e);
    assert_true(at.x == 1 && at.y == 2 && at.z == 3 && r[4] == 1);
    steps(sim, 2);
    kit_must(weft_collider_get_pose(sim, id, &at, NULL, &e), &e);
    assert_true(at.x == 1);
    assert_int_equal(weft_collider_set_pose(sim, id, v3(KIT_NAN, 0, 0), none, &e), WEFT_ERROR_NOT_FINITE);
    assert_true(weft_collider_set_pose(sim, id, v3(0, 0, 0), (weft_quat){0, 0, 0, 0}, &e) < 0);
    weft_sim_destroy(sim);
}

/* A sheet that lies on a plate which is sent upward goes with it. */
static void collider_sent_upward_carries_cloth(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim();
    weft_collider_def def = weft_collider_def_default();
    weft_collider_id id;
    weft_error e = {0};
    def.position.y = -0.001;
    kit_must(weft_collider_create(sim, &def, &id, &e), &e);
    weft_cloth_id sheet = add_sheet(sim);
    for (int i = 1; i <= 30; i++) {
        kit_must(weft_collider_set_pose(sim, id, v3(0, 0.01 * i, 0), none, &e), &e);
        steps(sim, 1);
    }
    for (int32_t vi = 0; vi < 36; vi++)
        assert_true(node_at(sim, sheet, vi).y > 0.3 && node_at(sim, sheet, vi).y < 0.4);
    weft_sim_destroy(sim);
}

static void floats_are_the_doubles_rounded(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim();
    weft_cloth_id id = add_sheet(sim);
    weft_error e = {0};
    vec3 x[36], v[36];
    struct {
        float at[3], rest[2];
    } vertex[36];
    float packed[108];
    steps(sim, 5);
    kit_must(weft_cloth_get_positions(sim, id, x, 36, 0, &e), &e);
    kit_must(weft_cloth_get_velocities(sim, id, v, 36, 0, &e), &e);
    kit_must(weft_cloth_get_positions_float(sim, id, vertex[0].at, 36, sizeof vertex[0], &e), &e);
    kit_must(weft_cloth_get_velocities_float(sim, id, packed, 36, 0, &e), &e);
    for (int i = 0; i < 36; i++) {
        assert_true(vertex[i].at[0] == (float)x[i].x && vertex[i].at[1] == (float)x[i].y);
        assert_true(vertex[i].at[2] == (float)x[i].z && packed[3 * i + 1] == (float)v[i].y);
    }
    kit_must(weft_cloth_get_normals(sim, id, x, 36, 0, &e), &e);
    kit_must(weft_cloth_get_normals_float(sim, id, packed, 36, 0, &e), &e);
    for (int i = 0; i < 36; i++) /* sums of six rounded terms and a division, 2⁻²⁴ each */
        assert_true(fabs((double)packed[3 * i + 1] - x[i].y) < 10 * 0x1p-24);
    assert_int_equal(weft_cloth_get_positions_float(sim, id, packed, 35, 0, &e), WEFT_ERROR_ARGUMENT);
    assert_int_equal(weft_cloth_get_positions_float(sim, id, packed, 36, 8, &e), WEFT_ERROR_ARGUMENT);
    weft_sim_destroy(sim);
}

static void another_fabric_counts_from_the_next_step_on(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim();
    weft_cloth_id id = add_sheet(sim);
    weft_error e = {0};
    weft_fabric heavy = weft_fabric_default(), back;
    double mass = kit_info(sim, id).mass;
    vec3 before = node_at(sim, id, 7);
    steps(sim, 2);
    heavy.density *= 3;
    kit_must(weft_cloth_set_fabric(sim, id, 0, &heavy, &e), &e);
    kit_must(weft_cloth_get_fabric(sim, id, 0, &back, &e), &e);
    assert_true(back.density == heavy.density);
    assert_true(fabs(kit_info(sim, id).mass - 3 * mass) < 1e-12);
    steps(sim, 2);
    assert_true(node_at(sim, id, 7).y < before.y);
    heavy.density = -1;
    assert_int_equal(weft_cloth_set_fabric(sim, id, 0, &heavy, &e), WEFT_ERROR_RANGE);
    assert_int_equal(weft_cloth_set_fabric(sim, id, 1, &back, &e), WEFT_ERROR_INDEX);
    assert_int_equal(weft_cloth_set_fabric(sim, id, 0, NULL, &e), WEFT_ERROR_ARGUMENT);
    weft_sim_destroy(sim);
}

static void nodes_are_held_while_they_are_in_an_attachment(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim();
    weft_cloth_id id = add_sheet(sim);
    weft_error e = {0};
    const int32_t first[2] = {0, 5}, more[2] = {30, 35}, wrong[1] = {7};
    int32_t n = 0, now[4];
    weft_attachment_id pin = add_pin(sim, id, first, 2, 0, KIT_INFINITE);
    steps(sim, 5);
    vec3 caught = node_at(sim, id, 35);
    kit_must(weft_attachment_add_nodes(sim, pin, more, NULL, 2, &e), &e);
    assert_int_equal(weft_attachment_add_nodes(sim, pin, more, NULL, 2, &e), WEFT_ERROR_DUPLICATE);
    steps(sim, 5);
    assert_true(v3_len_sq(v3_sub(node_at(sim, id, 35), caught)) == 0);
    kit_must(weft_attachment_drop_nodes(sim, pin, first, 2, &e), &e);
    assert_int_equal(weft_attachment_drop_nodes(sim, pin, wrong, 1, &e), WEFT_ERROR_INDEX);
    kit_must(weft_attachment_get_nodes(sim, pin, NULL, &n, &e), &e);
    assert_int_equal(n, 2);
    kit_must(weft_attachment_get_nodes(sim, pin, now, &n, &e), &e);
    assert_true(now[0] == 30 && now[1] == 35);
    steps(sim, 5);
    assert_true(node_at(sim, id, 0).y < -0.01 && node_at(sim, id, 35).y == caught.y);
    kit_must(weft_attachment_drop_nodes(sim, pin, more, 2, &e), &e);
    steps(sim, 5);
    assert_true(node_at(sim, id, 35).y < caught.y);
    kit_must(weft_attachment_add_nodes(sim, pin, more, NULL, 2, &e), &e);
    steps(sim, 1);
    weft_sim_destroy(sim);
}

static void pin_holds_from_and_until_its_times(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim();
    weft_cloth_id id = add_sheet(sim);
    const int32_t all[4] = {0, 5, 30, 35};
    vec3 force;
    weft_error e = {0};
    weft_attachment_id pin = add_pin(sim, id, all, 4, 10 * H, 20 * H);
    steps(sim, 10);
    vec3 caught = node_at(sim, id, 0);
    assert_true(caught.y < -0.05); /* free fall through 1/6 s: 0.136 m, less what BDF2's first step and air take */
    steps(sim, 10);
    assert_true(v3_len_sq(v3_sub(node_at(sim, id, 0), caught)) == 0);
    kit_must(weft_attachment_get_force(sim, pin, &force, NULL, 0, &e), &e);
    assert_true(force.y < 0);
    steps(sim, 5);
    assert_true(node_at(sim, id, 0).y < caught.y);
    kit_must(weft_attachment_get_force(sim, pin, &force, NULL, 0, &e), &e);
    assert_true(v3_len_sq(force) == 0);
    weft_attachment_def def = weft_attachment_def_default();
    weft_attachment_id other;
    def.cloth = id;
    def.nodes = all;
    def.n_nodes = 1;
    def.from = def.until = 1;
    assert_int_equal(weft_attachment_create(sim, &def, &other, &e), WEFT_ERROR_RANGE);
    def.from = KIT_NAN;
    assert_int_equal(weft_attachment_create(sim, &def, &other, &e), WEFT_ERROR_NOT_FINITE);
    weft_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collider_sent_somewhere_is_there_after_a_step),
        cmocka_unit_test(collider_sent_upward_carries_cloth),
        cmocka_unit_test(floats_are_the_doubles_rounded),
        cmocka_unit_test(another_fabric_counts_from_the_next_step_on),
        cmocka_unit_test(nodes_are_held_while_they_are_in_an_attachment),
        cmocka_unit_test(pin_holds_from_and_until_its_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
