/* SPDX-License-Identifier: MIT */
/* What contacts press on cloth with: known pressures, and sums that are the forces on colliders. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "sim/kit.h"
#include "sim/sim.h"

#include <cmocka.h>

#define STEP (1.0 / 60)
enum { SIDE = 9, NODES = SIDE * SIDE, MOST = 4000 };
static const double G = 9.81, SIZE = 0.2;

static weft_sim *make_sim(int integrator)
{
    weft_sim_def d = weft_sim_def_default();
    d.integrator = (weft_integrator)integrator;
    d.air_viscosity = 3; /* so that it is at rest soon */
    d.newton_limit = 20;
    d.newton_tolerance = 1e-9;
    d.linear_tolerance = 1e-4;
    return kit_sim(&d);
}

/* At this height above the ground. */
static weft_cloth_id sheet(weft_sim *sim, double height)
{
    weft_fabric fabric = weft_fabric_default();
    fabric.damping_stretch = 1e-4; /* that explicit steps can bear */
    weft_grid_def d = kit_grid_def(SIDE, SIZE, -0.5 * SIZE, height);
    d.corner.z = 0.5 * SIZE;
    d.model.fabrics = &fabric;
    d.model.n_fabrics = 1;
    weft_cloth_id id;
    kit_must(weft_cloth_create_grid(sim, &d, &id, NULL), NULL);
    return id;
}

static weft_collider_id plane(weft_sim *sim)
{
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id id;
    kit_must(weft_collider_create(sim, &d, &id, NULL), NULL);
    return id;
}

/* A square of two triangles in y = 0. */
static weft_collider_id mesh_ground(weft_sim *sim)
{
    static const weft_vec3 corners[] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    static const int32_t triangles[] = {0, 2, 1, 0, 3, 2};
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_MESH;
    d.vertices = corners;
    d.n_vertices = 4;
    d.triangles = triangles;
    d.n_triangles = 2;
    weft_collider_id id;
    kit_must(weft_collider_create(sim, &d, &id, NULL), NULL);
    return id;
}

static double density(void)
{
    return weft_fabric_default().density;
}

/* Σ p A, with the area that each node has of its elements. */
static double pressed_in_all(const weft_sim *sim, weft_cloth_id id)
{
    static double p[MOST], mass[MOST];
    int32_t n = kit_info(sim, id).n_nodes;
    double sum = 0;
    assert_true(n <= MOST);
    kit_must(weft_cloth_get_pressures(sim, id, p, n, NULL), NULL);
    kit_must(weft_cloth_get_masses(sim, id, mass, n, NULL), NULL);
    for (int32_t i = 0; i < n; i++) {
        assert_true(p[i] >= 0);
        sum += p[i] * mass[i] / density();
    }
    return sum;
}

static double pushed_down(const weft_sim *sim, weft_collider_id id)
{
    weft_vec3 force;
    kit_must(weft_collider_get_force(sim, id, &force, NULL, NULL), NULL);
    return -force.y;
}

/* No node is off from `wanted`, Pa, by more than a part of it. */
static void assert_pressures(const weft_sim *sim, weft_cloth_id id, double wanted, double part)
{
    double p[NODES], most = 0;
    kit_must(weft_cloth_get_pressures(sim, id, p, NODES, NULL), NULL);
    for (int i = 0; i < NODES; i++)
        most = fmax(most, fabs(p[i] / wanted - 1));
    print_message("%g Pa wanted, off by %.2g of it at most\n", wanted, most);
    assert_true(most <= part);
}

/* Level cloth presses on the ground by its weight, everywhere. */
static void a_sheet_on_a_plane_has_the_pressure_of_its_weight(void **cmocka)
{
    (void)cmocka;
    weft_sim *sim = make_sim(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id id = sheet(sim, 0.001);
    weft_collider_id ground = plane(sim);
    kit_steps(sim, 120, STEP);
    assert_pressures(sim, id, density() * G, 0.01);
    assert_true(fabs(pressed_in_all(sim, id) / pushed_down(sim, ground) - 1) <= 1e-9);
    weft_sim_destroy(sim);
}

static void pressure_on_a_mesh_adds_up_to_its_force(void **cmocka)
{
    (void)cmocka;
    weft_sim *sim = make_sim(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id id = sheet(sim, 0.001);
    weft_collider_id ground = mesh_ground(sim);
    kit_steps(sim, 120, STEP);
    double weight = kit_info(sim, id).mass * G;
    print_message("weight %g N, pressed %g N, on the ground %g N\n", weight, pressed_in_all(sim, id),
                  pushed_down(sim, ground));
    assert_true(fabs(pressed_in_all(sim, id) / pushed_down(sim, ground) - 1) <= 1e-9);
    assert_true(fabs(pressed_in_all(sim, id) / weight - 1) <= 0.02);
    weft_sim_destroy(sim);
}

/* The lower of two has the upper's weight above and that of both below. */
static void both_sides_of_a_layer_count(void **cmocka)
{
    (void)cmocka;
    weft_sim *sim = make_sim(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id lower = sheet(sim, 0.001), upper = sheet(sim, 0.003);
    plane(sim);
    kit_steps(sim, 240, STEP);
    double weight = kit_info(sim, upper).mass * G;
    print_message("in weights: %g above, %g below\n", pressed_in_all(sim, upper) / weight,
                  pressed_in_all(sim, lower) / weight);
    assert_true(fabs(pressed_in_all(sim, upper) / weight - 1) <= 0.03);
    assert_true(fabs(pressed_in_all(sim, lower) / weight - 3) <= 0.06);
    weft_sim_destroy(sim);
}

/* Where some nodes hang, what their contacts press with goes to those that they follow: nothing is lost. */
static void nothing_is_lost_where_nodes_hang(void **cmocka)
{
    (void)cmocka;
    weft_sim *sim = make_sim(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id id = sheet(sim, 0.052);
    weft_adapt adapt = weft_adapt_default();
    adapt.max_level = 1;
    kit_must(weft_cloth_set_adapt(sim, id, &adapt, NULL), NULL);
    kit_sphere(sim, 0.05, (weft_vec3){0, 0, 0});
    kit_steps(sim, 25, STEP);
    double all = 0;
    for (int32_t i = 0; i < sim->model.n; i++)
        all += sim->model.pressed[i];
    print_message("%d nodes hang, %g N\n", kit_hanging(sim, id), all);
    assert_true(kit_hanging(sim, id) > 0 && all > 0);
    assert_true(fabs(pressed_in_all(sim, id) / all - 1) <= 1e-9);
    weft_sim_destroy(sim);
}

/* Explicit steps bounce: the mean of many is the weight. */
static void explicit_steps_press_by_the_weight_in_the_mean(void **cmocka)
{
    (void)cmocka;
    weft_sim *sim = make_sim(WEFT_INTEGRATOR_EXPLICIT);
    weft_cloth_id id = sheet(sim, 0.001);
    double sum = 0, weight = kit_info(sim, id).mass * G;
    plane(sim);
    kit_steps(sim, 2000, kit_step_of(WEFT_INTEGRATOR_EXPLICIT));
    for (int i = 0; i < 2000; i++) {
        kit_steps(sim, 1, kit_step_of(WEFT_INTEGRATOR_EXPLICIT));
        sum += pressed_in_all(sim, id) / 2000;
    }
    print_message("weight %g N, pressed %g N\n", weight, sum);
    assert_true(fabs(sum / weight - 1) <= 0.02);
    weft_sim_destroy(sim);
}

static void nothing_presses_before_a_step_nor_after_a_change(void **cmocka)
{
    (void)cmocka;
    weft_sim *sim = make_sim(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id id = sheet(sim, 0.001);
    plane(sim);
    assert_true(pressed_in_all(sim, id) <= 0);
    kit_steps(sim, 10, STEP);
    assert_true(pressed_in_all(sim, id) > 0);
    plane(sim);
    assert_true(pressed_in_all(sim, id) <= 0);
    kit_steps(sim, 1, STEP);
    assert_true(pressed_in_all(sim, id) > 0);
    weft_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_on_a_plane_has_the_pressure_of_its_weight),
        cmocka_unit_test(pressure_on_a_mesh_adds_up_to_its_force),
        cmocka_unit_test(both_sides_of_a_layer_count),
        cmocka_unit_test(nothing_is_lost_where_nodes_hang),
        cmocka_unit_test(explicit_steps_press_by_the_weight_in_the_mean),
        cmocka_unit_test(nothing_presses_before_a_step_nor_after_a_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
