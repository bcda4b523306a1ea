/* SPDX-License-Identifier: MIT */
/* Masses: quarters of parallelograms, thirds of triangles, on uniform, mixed and adaptive meshes. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "sim/kit.h"
#include "mesh/corner_area.h"

#include <cmocka.h>

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g within %.1e", a, b, tolerance);
}

static void a_parallelogram_is_shared_in_quarters_by_either_diagonal(void **test)
{
    (void)test;
    const vec3 p[4] = {{0, 0, 0}, {0.3, 0.1, 0}, {0.4, 0.35, 0}, {0.1, 0.25, 0}};
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        double a[4], w[4];
        corner_areas(p, 4, diagonal, a);
        corner_centre_weights(p, diagonal, w);
        for (int i = 0; i < 4; i++) {
            assert_near(a[i], (0.3 * 0.25 - 0.1 * 0.1) / 4, 4 * DBL_EPSILON);
            assert_near(w[i], 0.25, 32 * DBL_EPSILON);
        }
    }
}

/* ∫x over a plane polygon with corners p, by triangles from p0. */
static vec3 moment(const vec3 *p, int n, double *area)
{
    vec3 m = v3_zero();
    *area = 0;
    for (int i = 1; i + 1 < n; i++) {
        double a = 0.5 * v3_cross(v3_sub(p[i], p[0]), v3_sub(p[i + 1], p[0])).z;
        *area += a;
        m = v3_madd(m, a / 3, v3_add(p[0], v3_add(p[i], p[i + 1])));
    }
    return m;
}

/* Numbers are below 1: sums of some ten of them, with an error of eps each. */
static void centres_of_mass_stay_and_weights_place_the_centre(void **test)
{
    (void)test;
    uint64_t random = 3;
    double least = 1;
    for (int round = 0; round < 1000; round++) {
        vec3 p[4] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}};
        for (int i = 0; i < 4; i++) {
            p[i].x += 0.15 * kit_random_unit(&random);
            p[i].y += 0.15 * kit_random_unit(&random);
        }
        double a[4], w[4], area, sum = 0, one = 0;
        int diagonal = round % 2;
        vec3 m = moment(p, 4, &area), lumped = v3_zero(), placed = v3_zero();
        corner_areas(p, 4, diagonal, a);
        corner_centre_weights(p, diagonal, w);
        for (int i = 0; i < 4; i++) {
            assert_true(a[i] > 0);
            sum += a[i];
            one += w[i];
            least = fmin(least, w[i]);
            lumped = v3_madd(lumped, a[i], p[i]);
            placed = v3_madd(placed, w[i], p[i]);
        }
        vec3 centre = v3_scale(0.5, v3_add(p[diagonal], p[diagonal + 2]));
        assert_near(sum, area, 16 * DBL_EPSILON);
        assert_near(one, 1, 256 * DBL_EPSILON);
        assert_near(v3_len(v3_sub(lumped, m)), 0, 16 * DBL_EPSILON);
        assert_near(v3_len(v3_sub(placed, centre)), 0, 256 * DBL_EPSILON);
    }
    print_message("least weight of a corner for the centre, corners moved by up to 0.3 of a side: %.3f\n", least);
    assert_true(least > 0);
}

static double *masses_of(const weft_sim *sim, weft_cloth_id id, int32_t *n)
{
    weft_cloth_info info = kit_info(sim, id);
    double *m = malloc((size_t)info.n_nodes * sizeof *m), sum = 0;
    assert_non_null(m);
    kit_must(weft_cloth_get_masses(sim, id, m, info.n_nodes, NULL), NULL);
    for (int32_t i = 0; i < info.n_nodes; i++)
        sum += m[i];
    assert_near(sum, info.mass, info.n_nodes * DBL_EPSILON * info.mass);
    *n = info.n_nodes;
    return m;
}

/* Every inner node of a grid has the mass of a cell, of borders half, of corners a quarter. */
static void nodes_of_a_grid_have_a_cell_each(void **test)
{
    (void)test;
    enum { N = 13 };
    weft_sim_def sd = weft_sim_def_default();
    weft_sim *sim = kit_sim(&sd);
    weft_cloth_id id = kit_grid(sim, N, 0.6, 0, 0);
    int32_t n;
    double *m = masses_of(sim, id, &n), cell = weft_fabric_default().density * 0.05 * 0.05;
    assert_int_equal(n, N * N);
    for (int32_t i = 0; i < n; i++) {
        int borders = (i % N == 0) + (i % N == N - 1) + (i / N == 0) + (i / N == N - 1);
        assert_near(m[i], cell / (1 << borders), 64 * DBL_EPSILON * cell);
    }
    free(m);
    weft_sim_destroy(sim);
}

static double fine_to_the_left(void *user, weft_vec3 position, weft_vec2 uv)
{
    (void)user;
    (void)position;
    return uv.u < 0.26 ? 0.03 : 1;
}

/* Cells of 0.1 m, those to the left of u = 0.2 or so split twice. A node's mass is a quarter of each leaf that has it
 * as a corner; where levels meet the node that hangs has its quarters, too. */
static void nodes_of_a_grid_that_has_split_have_quarters_of_their_leaves(void **test)
{
    (void)test;
    weft_sim_def sd = weft_sim_def_default();
    weft_sim *sim = kit_sim(&sd);
    weft_grid_def d = kit_grid_def(7, 0.6, 0, 0);
    d.model.adapt = (weft_adapt){.max_level = 2, .refine_angle = 3, .coarsen_angle = 1.5, .coarsen_way = 1};
    d.model.adapt.size = fine_to_the_left;
    weft_cloth_id id;
    kit_must(weft_cloth_create_grid(sim, &d, &id, NULL), NULL);
    kit_steps(sim, 4, 1e-4);
    weft_cloth_info info = kit_info(sim, id);
    assert_int_equal(info.level, 2);
    int32_t n;
    double *m = masses_of(sim, id, &n), density = weft_fabric_default().density;
    double *expected = calloc((size_t)n, sizeof *expected);
    weft_vec2 *uv = malloc((size_t)n * sizeof *uv);
    int32_t *t = malloc((size_t)info.n_triangles * 3 * sizeof *t);
    uint8_t *level = malloc((size_t)info.n_triangles);
    assert_true(expected && uv && t && level);
    kit_must(weft_cloth_get_uv(sim, id, uv, n, NULL), NULL);
    kit_must(weft_cloth_get_triangles(sim, id, t, info.n_triangles, NULL), NULL);
    kit_must(weft_cloth_get_levels(sim, id, level, info.n_triangles, NULL), NULL);
    for (int32_t k = 0; k < info.n_triangles; k++) { /* leaves are told by where their triangles lie */
        double side = 0.1 / (1 << level[k]), u = 0, v = 0, area = 0;
        const weft_vec2 *a = &uv[t[3 * k]], *b = &uv[t[3 * k + 1]], *c = &uv[t[3 * k + 2]];
        area = 0.5 * fabs((b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u));
        u = side * floor((a->u + b->u + c->u) / 3 / side);
        v = side * floor((a->v + b->v + c->v) / 3 / side);
        for (int32_t i = 0; i < n; i++)
            if ((fabs(uv[i].u - u) < 1e-9 || fabs(uv[i].u - u - side) < 1e-9) &&
                (fabs(uv[i].v - v) < 1e-9 || fabs(uv[i].v - v - side) < 1e-9))
                expected[i] += 0.25 * density * area;
    }
    for (int32_t i = 0; i < n; i++)
        assert_near(m[i], expected[i], 64 * DBL_EPSILON * density * 0.01);
    assert_true(kit_hanging(sim, id) > 0);
    free(m);
    free(expected);
    free(uv);
    free(t);
    free(level);
    weft_sim_destroy(sim);
}

/* Quads that are moved about, triangles between them: what there is in all, and its centre. */
static void a_mixed_mesh_has_its_mass_and_centre(void **test)
{
    (void)test;
    weft_sim_def sd = weft_sim_def_default();
    weft_sim *sim = kit_sim(&sd);
    kit_mesh mesh = kit_patch(9, 7, 0.8, 0.6, 0.5, 0.3, 11);
    weft_mesh_def d = kit_mesh_def(&mesh);
    weft_cloth_id id = kit_cloth(sim, &d);
    int32_t n;
    double *m = masses_of(sim, id, &n), whole = 0.48 * weft_fabric_default().density, u = 0, v = 0;
    for (int32_t i = 0; i < n; i++) {
        u += m[i] * mesh.uv[i].u;
        v += m[i] * mesh.uv[i].v;
    }
    assert_near(u, 0.4 * whole, n * DBL_EPSILON * whole);
    assert_near(v, 0.3 * whole, n * DBL_EPSILON * whole);
    free(m);
    kit_mesh_free(&mesh);
    weft_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parallelogram_is_shared_in_quarters_by_either_diagonal),
        cmocka_unit_test(centres_of_mass_stay_and_weights_place_the_centre),
        cmocka_unit_test(nodes_of_a_grid_have_a_cell_each),
        cmocka_unit_test(nodes_of_a_grid_that_has_split_have_quarters_of_their_leaves),
        cmocka_unit_test(a_mixed_mesh_has_its_mass_and_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
