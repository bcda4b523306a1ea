/* SPDX-License-Identifier: MIT */
/* villard2002 §6.1: a sheet of 20 × 20 nodes hangs by two nodes of one edge from a rod, on which they slide with
 * friction; it begins level and gravity does the rest. */
/* ctest: labels=slow timeout=300 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "physics/lab.h"

#include <cmocka.h>

#define SIDE 0.72
#define N 20
#define NODES (N * N)

/* Two nodes of the edge along x, symmetric. */
static const int32_t held[2] = {3, N - 4};

/* Light and easily bent, but not so stiff that the explicit step gets short: the fastest motion of a node, mass m and
 * 4 E + 4 G around it, has ω² ≤ 2 (4 E + 4 G)/m; leapfrog needs ω h < 2, and the damping's ω² τ h < 2 too. */
static weft_fabric fabric(void)
{
    weft_fabric f = weft_fabric_default();
    f.stretch_warp = f.stretch_weft = 60;
    f.shear = 10;
    f.bending_warp = f.bending_weft = 2e-5;
    f.damping_stretch = 2e-4;
    f.damping_bending = 2e-3;
    f.stretch_limit = 0;
    return f;
}

static double stable_step(void)
{
    weft_fabric f = fabric();
    double spacing = SIDE / (N - 1), mass = f.density * spacing * spacing;
    double least = mass / 4; /* at a corner, of the springs' quarter */
    double omega_sq = 2 * (2 * f.stretch_warp + 2 * f.shear) / least;
    return 0.5 * fmin(2 / sqrt(omega_sq), 2 / (omega_sq * f.damping_stretch));
}

static weft_sim *sheet(weft_integrator integrator, weft_cloth_id *c)
{
    weft_sim_def sd = lab_def(integrator);
    sd.newton_tolerance = 1e-7;
    sd.linear_tolerance = 1e-2;
    sd.air_viscosity = 1.2; /* twice density · √(g/side): it swings to rest once */
    weft_sim *sim = lab_create(&sd);
    weft_grid_def d = weft_grid_def_default();
    weft_fabric f = fabric();
    weft_error e;
    d.n_warp = d.n_weft = N;
    d.size_warp = d.size_weft = SIDE;
    d.axis_weft = (weft_vec3){0, 0, 1};
    d.model.fabrics = &f;
    d.model.n_fabrics = 1;
    lab_ok(weft_cloth_create_grid(sim, &d, c, &e), &e);
    return sim;
}

static weft_attachment_id slide_on_rod(weft_sim *sim, weft_cloth_id c, double k_f)
{
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    weft_error e;
    d.kind = WEFT_ATTACH_ROD;
    d.cloth = c;
    d.nodes = held;
    d.n_nodes = 2;
    d.rod_friction = k_f;
    lab_ok(weft_attachment_create(sim, &d, &id, &e), &e);
    return id;
}

/* How much of the friction cone a node on the rod uses: axial over k_f times normal force. */
static double cone_share(weft_vec3 f, double k_f)
{
    return fabs(f.x) / (k_f * hypot(f.y, f.z));
}

static void check_on_rod(const weft_sim *sim, weft_cloth_id c)
{
    for (int i = 0; i < 2; i++) {
        weft_vec3 x = lab_position(sim, c, held[i]);
        assert_true(x.y == 0 && x.z == 0);
    }
}

/* Pins where the rod has let the nodes come to rest feel the same, along it too: friction is read from the rod. */
static void compare_with_pins(weft_sim *sim, weft_cloth_id c, weft_attachment_id rod, double h)
{
    weft_vec3 sum, on_rod[2], on_pins[2];
    weft_error e;
    lab_ok(weft_attachment_get_force(sim, rod, &sum, on_rod, 2, &e), &e);
    lab_ok(weft_attachment_remove(sim, rod, &e), &e);
    weft_attachment_id pins = lab_pin(sim, c, held, 2);
    lab_step(sim, h);
    lab_ok(weft_attachment_get_force(sim, pins, &sum, on_pins, 2, &e), &e);
    for (int i = 0; i < 2; i++) {
        double size = hypot(hypot(on_pins[i].x, on_pins[i].y), on_pins[i].z);
        printf("    node %d: along the rod %.6f N, along pins in its place %.6f N, of %.6f N\n", i, on_rod[i].x,
               on_pins[i].x, size);
        assert_true(fabs(on_rod[i].x - on_pins[i].x) <= 0.01 * size);
    }
}

/* All of the weight hangs from the rod, and the axial forces balance, up to what still moves. */
static void report_forces(const char *name, weft_sim *sim, weft_cloth_id c, weft_attachment_id rod, double k_f,
                          const weft_step_stats *st)
{
    weft_vec3 sum, f[2];
    weft_cloth_info info;
    weft_error e;
    lab_ok(weft_attachment_get_force(sim, rod, &sum, f, 2, &e), &e);
    lab_ok(weft_cloth_get_info(sim, c, &info, &e), &e);
    double weight = info.mass * LAB_G;
    printf("  %-9s %4.2f   %8.5f %8.5f   %7.4f %7.4f   %8.5f   %.4f %.4f   %.1e\n", name, k_f,
           lab_position(sim, c, held[0]).x, lab_position(sim, c, held[1]).x, cone_share(f[0], k_f),
           cone_share(f[1], k_f), -sum.y / weight, f[0].x / weight, f[1].x / weight, st->max_speed);
    fflush(stdout);
    check_on_rod(sim, c);
    for (int i = 0; i < 2; i++)
        assert_true(cone_share(f[i], k_f) <= 1 + 1e-9);
    assert_true(fabs(-sum.y / weight - 1) <= 0.01);
}

static void header(void)
{
    printf("  motion    k_f    nodes at, m         share of the cone   weight    axial/weight    speed, m/s\n");
}

static void explicit_sheet_on_a_rod_never_diverges(void **state)
{
    (void)state;
    int iterations = getenv("WEFT_LONG") ? 40000 : 8000;
    double h = stable_step();
    printf("\nsheet on a rod, %d explicit iterations of %.3g s\n", iterations, h);
    header();
    static const double k_f[] = {0.1, 0.3};
    for (int i = 0; i < (getenv("WEFT_LONG") ? 2 : 1); i++) {
        weft_cloth_id c;
        weft_sim *sim = sheet(WEFT_INTEGRATOR_EXPLICIT, &c);
        weft_attachment_id rod = slide_on_rod(sim, c, k_f[i]);
        weft_step_stats st = {0};
        for (int k = 0; k < iterations; k++) {
            st = lab_step(sim, h);
            /* Falling from its own height it cannot be faster; nor longer than a multiple of the load on two nodes. */
            assert_true(st.max_speed <= 2 * sqrt(2 * LAB_G * SIDE));
            assert_true(st.stretch <= 1.5);
        }
        report_forces("explicit", sim, c, rod, k_f[i], &st);
        compare_with_pins(sim, c, rod, h);
        weft_sim_destroy(sim);
    }
}

static void implicit_sheet_rests_inside_the_cone(void **state)
{
    (void)state;
    static const double k_f[] = {0.1, 0.3};
    printf("\nsheet on a rod, 5 s by implicit Euler, h = 1/60\n");
    header();
    for (int i = 0; i < 2; i++) {
        weft_cloth_id c;
        weft_sim *sim = sheet(WEFT_INTEGRATOR_IMPLICIT, &c);
        weft_attachment_id rod = slide_on_rod(sim, c, k_f[i]);
        weft_step_stats st = {0};
        for (int k = 0; k < 300; k++)
            st = lab_step(sim, 1.0 / 60);
        report_forces("implicit", sim, c, rod, k_f[i], &st);
        assert_true(st.max_speed <= 1e-2);
        compare_with_pins(sim, c, rod, 1.0 / 60);
        weft_sim_destroy(sim);
    }
}

/* ---- held -------------------------------------------------------------------------------------------------------- */

static void rest_shape(const char *name, weft_integrator integrator, double h, double time, weft_vec3 *x)
{
    weft_cloth_id c;
    weft_sim *sim = sheet(integrator, &c);
    weft_error e;
    lab_pin(sim, c, held, 2);
    weft_step_stats st = {0};
    for (int k = 0; k < time / h; k++)
        st = lab_step(sim, h);
    printf("  %-8s h %.3g s, after %g s: %.1e m/s, stretch %.4f, bending %.4e J\n", name, h, time, st.max_speed,
           st.stretch, st.energy_bending);
    fflush(stdout);
    lab_ok(weft_cloth_get_positions(sim, c, x, NODES, 0, &e), &e);
    weft_sim_destroy(sim);
}

static double apart(const weft_vec3 *a, const weft_vec3 *b)
{
    double most = 0;
    for (int i = 0; i < NODES; i++)
        most = fmax(most, hypot(hypot(a[i].x - b[i].x, a[i].y - b[i].y), a[i].z - b[i].z));
    return most;
}

static void held_sheet_rests_alike_by_all_integrators(void **state)
{
    (void)state;
    static weft_vec3 ex[NODES], im[NODES], bdf[NODES];
    printf("\nsheet held by two nodes, rest shapes\n");
    rest_shape("implicit", WEFT_INTEGRATOR_IMPLICIT, 1.0 / 60, 4, im);
    rest_shape("BDF2", WEFT_INTEGRATOR_BDF2, 1.0 / 60, 4, bdf);
    rest_shape("explicit", WEFT_INTEGRATOR_EXPLICIT, stable_step(), 4, ex);
    printf(
        "  largest distance of a node over the side: explicit to implicit %.4f %%, implicit to BDF2 %.4f %%, BDF2 to "
        "explicit %.4f %%\n",
        100 * apart(ex, im) / SIDE, 100 * apart(im, bdf) / SIDE, 100 * apart(bdf, ex) / SIDE);
    assert_true(apart(ex, im) <= 0.005 * SIDE);
    assert_true(apart(im, bdf) <= 0.005 * SIDE);
    assert_true(apart(bdf, ex) <= 0.005 * SIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_sheet_on_a_rod_never_diverges),
        cmocka_unit_test(implicit_sheet_rests_inside_the_cone),
        cmocka_unit_test(held_sheet_rests_alike_by_all_integrators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
