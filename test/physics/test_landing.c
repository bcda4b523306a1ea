/* SPDX-License-Identifier: MIT */
/* A patch that lands on the floor at an angle, with the tolerances a user gets, on meshes of three sizes. By Coulomb's
 * law it loses k_f times its speed of approach, goes on, slower by k_f g a second, and stops. Friction that goes by the
 * forces of a solve which has not converged holds it where it lands, and the more so the finer the mesh. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "physics/lab.h"

#include <cmocka.h>

#define STEP (1.0 / 60)

typedef struct patch {
    weft_sim *sim;
    weft_cloth_id cloth;
    int32_t n; /* nodes */
    double friction;
} patch;

/* Of n × n nodes, 0.1 m wide, 10 mm above the floor. */
static patch launch(int32_t n, weft_vec3 velocity)
{
    weft_sim_def sd = weft_sim_def_default();
    sd.air_density = 0;
    patch p = {.sim = lab_create(&sd), .n = n * n};
    weft_error e;
    weft_fabric cotton;
    lab_ok(weft_fabric_find("cotton", &cotton, &e), &e);
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = n;
    g.size_warp = g.size_weft = 0.1;
    g.corner.y = 0.01;
    g.model.fabrics = &cotton;
    g.model.n_fabrics = 1;
    lab_ok(weft_cloth_create_grid(p.sim, &g, &p.cloth, &e), &e);
    weft_vec3 *v = malloc((size_t)p.n * sizeof *v);
    assert_non_null(v);
    for (int32_t i = 0; i < p.n; i++)
        v[i] = velocity;
    lab_ok(weft_cloth_set_velocities(p.sim, p.cloth, v, p.n, &e), &e);
    free(v);
    weft_collider_def cd = weft_collider_def_default();
    weft_collider_id floor;
    cd.kind = WEFT_COLLIDER_PLANE;
    cd.friction = 1;
    lab_ok(weft_collider_create(p.sim, &cd, &floor, &e), &e);
    p.friction = cotton.friction * cd.friction;
    return p;
}

static double mean_speed(const patch *p)
{
    double sum = 0;
    for (int32_t i = 0; i < p->n; i++)
        sum += lab_velocity(p->sim, p->cloth, i).x;
    return sum / p->n;
}

/* It lands in the first or second step: within what friction takes in one, and what a node may lack in each when
 * Newton's method ends. */
static void landing_cloth_slides_on_by_coulombs_law(void **state)
{
    (void)state;
    static const int32_t sides[] = {11, 21, 41};
    static const weft_vec3 launched[] = {{2, -1, 0}, {2, -0.3, 0}, {1, -1, 0}};
    printf("\nspeed along the floor after 6, 12, 18, 36 steps (by Coulomb's law), m/s\n");
    for (int k = 0; k < 9; k++) {
        weft_vec3 v = launched[k % 3];
        patch p = launch(sides[k / 3], v);
        double unresolved = weft_sim_def_default().newton_tolerance / (2 * STEP / 3),
               in_a_step = p.friction * LAB_G * STEP;
        printf("%d² nodes, %g and %g m/s: ", sides[k / 3], v.x, -v.y);
        for (int i = 1; i <= 36; i++) {
            lab_step(p.sim, STEP);
            if (i != 6 && i != 12 && i != 18 && i != 36)
                continue;
            double known = fmax(0, v.x - p.friction * (-v.y + LAB_G * i * STEP)), is = mean_speed(&p);
            printf(" %.3f (%.3f)", is, known);
            assert_true(fabs(is - known) <= in_a_step + unresolved * i);
        }
        printf("\n");
        weft_sim_destroy(p.sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(landing_cloth_slides_on_by_coulombs_law)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
