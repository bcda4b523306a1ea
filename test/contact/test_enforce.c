/* SPDX-License-Identifier: MIT */
/* The last word on thickness, by its counts: a sheet on four spheres that are smaller than two of its faces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/kit.h"

#include <cmocka.h>

enum { SIDE = 20, STEPS = 2400 };

static const double cell = 0.02, radius = 0.0266, h = 6e-5; /* m, m, s */

static void add_spheres(weft_sim *sim)
{
    weft_error e = {0};
    weft_collider_id id;
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_SPHERE;
    d.radius = radius;
    for (int i = 0; i < 4; i++) {
        d.position = (weft_vec3){i % 2 ? 0.095 : -0.095, 0.1786, i / 2 ? 0.095 : -0.095};
        kit_must(weft_collider_create(sim, &d, &id, &e), &e);
    }
}

static void add_sheet(weft_sim *sim)
{
    weft_error e = {0};
    weft_cloth_id id;
    weft_fabric cotton;
    kit_must(weft_fabric_find("cotton", &cotton, &e), &e);
    cotton.stretch_warp = cotton.stretch_weft = 12;
    cotton.shear = 2.5;
    cotton.bending_warp *= 3;
    cotton.bending_weft *= 3;
    cotton.damping_stretch = h / 12;
    cotton.stretch_limit = 1.01;
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = SIDE;
    g.size_warp = g.size_weft = (SIDE - 1) * cell;
    g.corner = (weft_vec3){-0.5 * g.size_warp, 0.228, 0.5 * g.size_warp};
    g.model.fabrics = &cotton;
    g.model.n_fabrics = 1;
    g.model.law = WEFT_LAW_VILLARD;
    g.model.limit = WEFT_LIMIT_PROVOT;
    kit_must(weft_cloth_create_grid(sim, &g, &id, &e), &e);
}

/* A node may be pushed by the faces about it, and again where these undo each other, in a few sweeps: here there are 30
 * pushes in a step at most. When those counted that rounding swallows, they went on for all 300 sweeps: 3612. */
static void pushes_too_short_for_rounding_end_the_sweeps(void **unused)
{
    (void)unused;
    weft_error e = {0};
    weft_sim_def d = weft_sim_def_default();
    d.integrator = WEFT_INTEGRATOR_EXPLICIT;
    d.response = WEFT_RESPONSE_NONE;
    d.air_viscosity = 1;
    weft_sim *sim = kit_sim(&d);
    add_spheres(sim);
    add_sheet(sim);
    int32_t most = 0, n_pushed = 0, n_squeezed = 0;
    for (int i = 0; i < STEPS; i++) {
        weft_step_stats stats = {0};
        kit_must(weft_sim_step(sim, h, &stats, &e), &e);
        most = stats.corrections > most ? stats.corrections : most;
        n_pushed += stats.corrections > 0;
        n_squeezed += stats.squeezed;
    }
    weft_sim_destroy(sim);
    printf("pushes in %d of %d steps, at most %d in one\n", n_pushed, STEPS, most);
    assert_true(n_pushed > STEPS / 3);
    assert_true(most < SIDE * SIDE);
    assert_int_equal(n_squeezed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_too_short_for_rounding_end_the_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
