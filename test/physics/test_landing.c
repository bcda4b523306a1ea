/* SPDX-License-Identifier: MIT */
/* A patch that lands on the floor at an angle, with the tolerances a user gets, on meshes of several sizes. By
 * Coulomb's law it loses k_f times its speed of approach, goes on, slower by k_f g a second, and stops. Friction that
 * goes by the forces of a solve which has not converged holds it where it lands, and the more so the finer the mesh. */
/* ctest: labels=slow timeout=300 */
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

/* 4 m wide, a plane or a mesh of squares of 0.2 m. */
static double add_floor(weft_sim *sim, bool is_mesh)
{
    enum { N = 21 };
    weft_vec3 vertices[N * N];
    int32_t triangles[6 * (N - 1) * (N - 1)], n = 0;
    for (int32_t i = 0; i < N * N; i++)
        vertices[i] = (weft_vec3){0.2 * (i / N) - 1, 0, 0.2 * (i % N) - 2};
    for (int32_t i = 0; i + N + 1 < N * N; i++) {
        const int32_t corners[6] = {i, i + 1, i + N + 1, i, i + N + 1, i + N};
        for (int k = 0; i % N < N - 1 && k < 6; k++)
            triangles[n++] = corners[k];
    }
    weft_error e;
    weft_collider_id id;
    weft_collider_def d = weft_collider_def_default();
    d.kind = is_mesh ? WEFT_COLLIDER_MESH : WEFT_COLLIDER_PLANE;
    d.vertices = is_mesh ? vertices : NULL;
    d.n_vertices = is_mesh ? N * N : 0;
    d.triangles = is_mesh ? triangles : NULL;
    d.n_triangles = is_mesh ? n / 3 : 0;
    lab_ok(weft_collider_create(sim, &d, &id, &e), &e);
    return d.friction;
}

/* Of n × n nodes, 0.1 m wide, 10 mm above the floor. */
static patch launch(int32_t n, weft_vec3 velocity, bool on_mesh)
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
    p.friction = cotton.friction * add_floor(p.sim, on_mesh);
    return p;
}

static weft_vec3 mean_velocity(const patch *p)
{
    weft_vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < p->n; i++) {
        weft_vec3 v = lab_velocity(p->sim, p->cloth, i);
        sum.x += v.x / p->n;
        sum.y += v.y / p->n;
    }
    return sum;
}

/* Along the floor it is right within what friction takes in the steps of the impact, and what a node may lack in each
 * when Newton's method ends; nor does it bounce. */
static void compare(int32_t side, weft_vec3 v, bool on_mesh, int n_impact)
{
    patch p = launch(side, v, on_mesh);
    double unresolved = weft_sim_def_default().newton_tolerance / (2 * STEP / 3), in_a_step = p.friction * LAB_G * STEP;
    printf("%s, %d² nodes, %g and %g m/s: ", on_mesh ? "mesh" : "plane", side, v.x, -v.y);
    for (int i = 1; i <= 36; i++) {
        lab_step(p.sim, STEP);
        weft_vec3 is = mean_velocity(&p);
        assert_true(is.y < 0.1 * -v.y);
        if (i != 6 && i != 12 && i != 18 && i != 36)
            continue;
        double known = fmax(0, v.x - p.friction * (-v.y + LAB_G * i * STEP));
        printf(" %.3f (%.3f)", is.x, known);
        assert_true(fabs(is.x - known) <= in_a_step * n_impact + unresolved * i);
    }
    printf("\n");
    weft_sim_destroy(p.sim);
}

static const weft_vec3 launched[] = {{2, -1, 0}, {2, -0.3, 0}, {1, -1, 0}};

static void landing_cloth_slides_on_by_coulombs_law(void **state)
{
    (void)state;
    static const int32_t sides[] = {11, 21, 41};
    printf("\nspeed along the floor after 6, 12, 18, 36 steps (by Coulomb's law), m/s\n");
    for (int k = 0; k < 9; k++)
        compare(sides[k / 3], launched[k % 3], false, 1);
}

/* Pairs with a mesh stop it in two steps or three. */
static void and_on_a_mesh(void **state)
{
    (void)state;
    printf("\n");
    for (int k = 0; k < 4; k++)
        compare(k < 2 ? 21 : 31, launched[k % 2], true, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(landing_cloth_slides_on_by_coulombs_law),
                                       cmocka_unit_test(and_on_a_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
