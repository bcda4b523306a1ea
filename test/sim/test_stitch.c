/* SPDX-License-Identifier: MIT */
/* Cloths that are sewn and adapt: both sides of a seam split and merge together, and stay at one place.
 *
 * Tolerances: masses and momenta are sums of less than a thousand terms, each with an error of some eps of its size. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/kit.h"
#include "sim/sim.h"

#include <cmocka.h>

#define COLUMNS 4
#define ROWS 5
#define N (COLUMNS * ROWS)

static const double side = 0.04; /* of a cell, m */

static weft_adapt fine(int32_t levels)
{
    weft_adapt a = weft_adapt_default();
    a.max_level = levels;
    return a;
}

/* `pieces` patches side by side, each of its own nodes, in the plane y = 0; half of the cells are quads. */
static weft_cloth_id patches(weft_sim *sim, int pieces, bool stacked)
{
    weft_vec3 x[3 * N];
    weft_vec2 uv[3 * N];
    int32_t quads[4 * 3 * N], triangles[3 * 2 * 3 * N], n_quads = 0, n_triangles = 0;
    for (int p = 0; p < pieces; p++)
        for (int i = 0; i < N; i++) {
            double u = side * (i % COLUMNS), v = side * (i / COLUMNS), from = side * (COLUMNS - 1) * p;
            x[N * p + i] =
                stacked && p == 2 ? (weft_vec3){side * (COLUMNS - 1), 0.02 + u, v} : (weft_vec3){from + u, 0, v};
            uv[N * p + i] = (weft_vec2){u + p, v};
        }
    for (int p = 0; p < pieces; p++)
        for (int i = 0; i < N; i++) {
            int32_t a = N * p + i, c = a + COLUMNS;
            if (i % COLUMNS == COLUMNS - 1 || i / COLUMNS == ROWS - 1)
                continue;
            if (i % 2 == 0) {
                const int32_t q[4] = {a, a + 1, c + 1, c};
                memcpy(quads + 4 * n_quads++, q, sizeof q);
            } else {
                const int32_t t[6] = {a, a + 1, c + 1, a, c + 1, c};
                memcpy(triangles + 3 * n_triangles, t, sizeof t);
                n_triangles += 2;
            }
        }
    weft_mesh_def d = weft_mesh_def_default();
    d.n_nodes = N * pieces;
    d.positions = x;
    d.uv = uv;
    d.quads = quads;
    d.n_quads = n_quads;
    d.triangles = triangles;
    d.n_triangles = n_triangles;
    return kit_cloth(sim, &d);
}

/* The right border of patch p to the left one of patch p + 1, or of `to`. */
static weft_tie_id seam(weft_sim *sim, weft_cloth_id a, weft_cloth_id b, int p, int to)
{
    int32_t right[ROWS], left[ROWS];
    for (int i = 0; i < ROWS; i++) {
        right[i] = N * p + COLUMNS * i + COLUMNS - 1;
        left[i] = N * to + COLUMNS * i;
    }
    weft_tie_def d = weft_tie_def_default();
    weft_tie_id id;
    weft_error e;
    d.cloth_a = a;
    d.cloth_b = b;
    d.nodes_a = right;
    d.nodes_b = left;
    d.n_pairs = ROWS;
    kit_must(weft_tie_create(sim, &d, &id, &e), &e);
    return id;
}

static weft_cloth_id sewn(weft_sim *sim, int pieces, int32_t levels)
{
    weft_error e;
    weft_cloth_id id = patches(sim, pieces, false);
    for (int p = 0; p + 1 < pieces; p++)
        kit_must(weft_tie_weld(sim, seam(sim, id, id, p, p + 1), 1e-6, &e), &e);
    weft_adapt a = fine(levels);
    kit_must(weft_cloth_set_adapt(sim, id, &a, &e), &e);
    return id;
}

/* Partners that differ in a bit, or of which one alone hangs; how many there are that splitting made. */
static int32_t check_partners(weft_sim *sim, weft_cloth_id id, int32_t *n_new)
{
    const cloth *c = sim_get_cloth(sim, id, NULL);
    const surface *f = c->surface;
    int32_t wrong = 0;
    *n_new = 0;
    assert_true(surface_is_valid(f) && forest_is_valid(&c->forest));
    for (int32_t vi = 0; f->partner && vi < f->n_nodes; vi++) {
        int32_t p = f->partner[vi];
        wrong += memcmp(&sim->state.q[c->offset + vi], &sim->state.q[c->offset + p], sizeof(vec3)) != 0;
        wrong += memcmp(&sim->state.v[c->offset + vi], &sim->state.v[c->offset + p], sizeof(vec3)) != 0;
        *n_new += p != vi && vi >= c->roots->n_nodes;
    }
    return wrong;
}

static void both_sides_of_a_seam_split_and_stay_at_one_place(void **unused)
{
    (void)unused;
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = kit_sim(&d);
    weft_cloth_id id = sewn(sim, 3, 2);
    int32_t n_new = 0, most = 0;
    weft_error e;
    kit_sphere(sim, 0.06, (weft_vec3){0.18, -0.07, 0.08});
    for (int step = 0; step < 60; step++) {
        weft_step_stats stats;
        kit_must(weft_sim_step(sim, 1.0 / 60, &stats, &e), &e);
        assert_int_equal(check_partners(sim, id, &n_new), 0);
        assert_int_equal(stats.tangled, 0);
        most = n_new > most ? n_new : most;
    }
    assert_true(most >= 8);
    weft_sim_destroy(sim);
}

static vec3 momentum(weft_sim *sim)
{
    weft_error e;
    vec3 sum = v3_zero();
    kit_must(model_build(&sim->model, &sim->state, &e), &e);
    for (int32_t i = 0; i < sim->model.n; i++)
        if (sim->model.rows[i].dof[0] == i && sim->model.rows[i].dof[1] < 0)
            sum = v3_madd(sum, sim->model.mass[i], sim->state.v[i]);
    return sum;
}

static void splitting_and_merging_at_a_seam_keeps_the_momentum(void **unused)
{
    (void)unused;
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = kit_sim(&d);
    weft_cloth_id id = sewn(sim, 2, 2);
    weft_error e;
    kit_sphere(sim, 0.06, (weft_vec3){0.12, -0.07, 0.08});
    int32_t n_new = 0;
    for (int step = 0; step < 40; step++)
        kit_must(weft_sim_step(sim, 1.0 / 60, NULL, &e), &e);
    check_partners(sim, id, &n_new);
    assert_true(n_new > 0);
    unsigned char saved[512], none[64] = {0};
    size_t size = sizeof saved;
    kit_must(weft_cloth_get_shape(sim, id, saved, &size, &e), &e);
    vec3 before = momentum(sim);
    const cloth *c = sim_get_cloth(sim, id, NULL);
    double scale = 0;
    for (int32_t i = 0; i < sim->model.n; i++)
        scale += sim->model.mass[i] * v3_len(sim->state.v[i]);
    kit_must(weft_cloth_set_shape(sim, id, none, (size_t)(c->roots->n_elements + 7) / 8, &e), &e);
    assert_int_equal(kit_info(sim, id).n_nodes, 2 * N);
    assert_int_equal(check_partners(sim, id, &n_new), 0);
    assert_true(v3_len(v3_sub(momentum(sim), before)) <= 1000 * DBL_EPSILON * scale);
    before = momentum(sim);
    kit_must(weft_cloth_set_shape(sim, id, saved, size, &e), &e);
    assert_int_equal(check_partners(sim, id, &n_new), 0);
    assert_true(n_new > 0 && v3_len(v3_sub(momentum(sim), before)) <= 1000 * DBL_EPSILON * scale);
    weft_sim_destroy(sim);
}

static void a_snapshot_of_a_sewn_cloth_that_has_split_goes_on_bit_for_bit(void **unused)
{
    (void)unused;
    weft_sim_def d = weft_sim_def_default();
    uint64_t hash[2];
    void *bytes = NULL;
    size_t size = 0;
    weft_error e;
    for (int run = 0; run < 2; run++) {
        weft_sim *sim = kit_sim(&d);
        weft_cloth_id id = sewn(sim, 2, 2);
        kit_sphere(sim, 0.06, (weft_vec3){0.12, -0.07, 0.08});
        if (run == 0) {
            kit_steps(sim, 25, 1.0 / 60);
            assert_true(kit_info(sim, id).n_nodes > 2 * N);
            kit_must(weft_sim_snapshot(sim, NULL, &size, &e), &e);
            bytes = malloc(size);
            assert_non_null(bytes);
            kit_must(weft_sim_snapshot(sim, bytes, &size, &e), &e);
        } else
            kit_must(weft_sim_restore(sim, bytes, size, &e), &e);
        kit_steps(sim, 15, 1.0 / 60);
        hash[run] = weft_sim_hash(sim);
        weft_sim_destroy(sim);
    }
    assert_true(hash[0] == hash[1]);
    free(bytes);
}

static void what_cannot_split_together_does_not_adapt(void **unused)
{
    (void)unused;
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = kit_sim(&d);
    weft_error e = {0};
    weft_adapt a = fine(1), wrong = fine(-1);
    weft_cloth_id three = patches(sim, 3, true), one = patches(sim, 1, false), two = patches(sim, 2, false);
    assert_int_equal(weft_cloth_set_adapt(sim, one, &wrong, &e), WEFT_ERROR_RANGE);
    assert_int_equal(weft_cloth_set_adapt(sim, one, NULL, &e), WEFT_ERROR_ARGUMENT);
    kit_must(weft_tie_weld(sim, seam(sim, three, three, 0, 1), 1e-6, &e), &e);
    kit_must(weft_tie_weld(sim, seam(sim, three, three, 0, 2), 0.1, &e), &e);
    assert_int_equal(weft_cloth_set_adapt(sim, three, &a, &e), WEFT_ERROR_NON_MANIFOLD);
    assert_non_null(strstr(e.text, "3 borders"));
    kit_must(weft_tie_weld(sim, seam(sim, one, two, 0, 0), 1, &e), &e);
    assert_int_equal(weft_cloth_set_adapt(sim, two, &a, &e), WEFT_ERROR_ARGUMENT);
    weft_sim_destroy(sim);
}

static void seams_of_a_cloth_that_has_split_stay_as_they_are(void **unused)
{
    (void)unused;
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = kit_sim(&d);
    weft_error e = {0};
    weft_cloth_id id = patches(sim, 2, false);
    weft_tie_id sewn_by = seam(sim, id, id, 0, 1);
    weft_adapt a = fine(1);
    kit_must(weft_cloth_set_adapt(sim, id, &a, &e), &e);
    kit_must(weft_tie_weld(sim, sewn_by, 1e-6, &e), &e); /* nothing has split yet: the forest is stitched */
    assert_true(sim_get_cloth(sim, id, NULL)->forest.closed);
    unsigned char all[64];
    memset(all, 0, sizeof all);
    all[0] = 1; /* the first root splits, and with it the middles of its sides come */
    size_t n_roots = (size_t)sim_get_cloth(sim, id, NULL)->roots->n_elements;
    kit_must(weft_cloth_set_shape(sim, id, all, (n_roots + 4 + 7) / 8, &e), &e);
    assert_int_equal(weft_tie_remove(sim, sewn_by, &e), WEFT_ERROR_ARGUMENT);
    kit_must(weft_cloth_set_shape(sim, id, (unsigned char[64]){0}, (n_roots + 7) / 8, &e), &e);
    weft_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_of_a_seam_split_and_stay_at_one_place),
        cmocka_unit_test(splitting_and_merging_at_a_seam_keeps_the_momentum),
        cmocka_unit_test(a_snapshot_of_a_sewn_cloth_that_has_split_goes_on_bit_for_bit),
        cmocka_unit_test(what_cannot_split_together_does_not_adapt),
        cmocka_unit_test(seams_of_a_cloth_that_has_split_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
