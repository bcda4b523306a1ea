/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow,threads timeout=300 */
/* What is held moves far in a step: cloth keeps its limit by shorter substeps, at a bounded cost, with the same bits
 * whatever the threads and after a restore; and what held nodes alone force is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/kit.h"
#include "sim/torture.h"

#define STRETCH_BAR 1.25
#define TOLD_ROOM 512

static double cotton_limit(void)
{
    weft_fabric cotton;
    assert_int_equal(weft_fabric_find("cotton", &cotton, NULL), WEFT_OK);
    return cotton.stretch_limit;
}

/* ---- whole scenes ------------------------------------------------------------------------------------------------ */

typedef struct violence {
    double stretch;
    int32_t newton, most_newton, most_substeps;
    uint64_t hash;
} violence;

static violence run_scene(const char *name, const torture_options *o)
{
    weft_error e = {0};
    torture t;
    violence v = {0};
    kit_must(torture_create(&t, name, o, &e), &e);
    for (int32_t i = 0, n = torture_n_steps(&t); i < n; i++) {
        weft_step_stats st;
        torture_found found;
        kit_must(torture_step(&t, &st, &e), &e);
        kit_must(torture_audit(&t, &found, &e), &e);
        assert_int_equal(found.n_pairs, 0);
        v.stretch = fmax(v.stretch, st.stretch);
        v.newton += st.newton_iterations;
        v.most_newton = st.newton_iterations > v.most_newton ? st.newton_iterations : v.most_newton;
        v.most_substeps = st.n_steps > v.most_substeps ? st.n_steps : v.most_substeps;
    }
    v.hash = weft_sim_hash(t.sim);
    torture_destroy(&t);
    return v;
}

/* Without it a sheet that is pulled through a ring at 8 m/s is 19 times as long, and one step takes minutes. */
static void cloth_keeps_its_limit_when_held_nodes_are_fast(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double speed;
    } runs[] = {{"ring", 3}, {"ring", 8}, {"propeller", 3}, {"propeller", 10}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++)
        for (int adaptive = 0; adaptive < 2; adaptive++) {
            torture_options o = {.thickness = -1, .size = 0.5, .speed = runs[k].speed, .adaptive = adaptive};
            violence v = run_scene(runs[k].name, &o);
            printf("%-9s %2g %-8s stretch %.3f of the limit, %d Newton steps, %d in one step, %d parts\n", runs[k].name,
                   runs[k].speed, adaptive ? "adaptive" : "uniform", v.stretch / cotton_limit(), v.newton,
                   v.most_newton, v.most_substeps);
            assert_true(v.stretch <= STRETCH_BAR * cotton_limit());
            assert_true(v.most_substeps <= 32);
        }
}

static void threads_change_no_bit_of_it(void **state)
{
    (void)state;
    violence v[2];
    for (int k = 0; k < 2; k++) {
        weft_sim_def d = weft_sim_def_default();
        d.n_threads = 1 + 2 * k;
        v[k] = run_scene("ring", &(torture_options){.thickness = -1, .size = 0.4, .speed = 8, .sim = &d});
    }
    assert_true(v[0].hash == v[1].hash);
}

/* Restored in the middle of it. */
static void a_snapshot_goes_on_alike(void **state)
{
    (void)state;
    weft_error e = {0};
    torture t;
    torture_options o = {.thickness = -1, .size = 0.4, .speed = 8};
    kit_must(torture_create(&t, "ring", &o, &e), &e);
    for (int i = 0; i < 8; i++)
        kit_must(torture_step(&t, NULL, &e), &e);
    size_t size = 0;
    kit_must(weft_sim_snapshot(t.sim, NULL, &size, &e), &e);
    void *data = malloc(size);
    kit_must(weft_sim_snapshot(t.sim, data, &size, &e), &e);
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 4; i++)
            kit_must(torture_step(&t, NULL, &e), &e);
        hash[k] = weft_sim_hash(t.sim);
        kit_must(weft_sim_restore(t.sim, data, size, &e), &e);
    }
    assert_true(hash[0] == hash[1]);
    free(data);
    torture_destroy(&t);
}

/* ---- a sheet between two rows ------------------------------------------------------------------------------------ */

typedef struct between {
    weft_sim *sim;
    weft_cloth_id cloth;
} between;

/* The last warning's text into user. */
static void listen(void *user, weft_log_level level, const char *text)
{
    if (level == WEFT_LOG_WARNING)
        snprintf(user, TOLD_ROOM, "%s", text);
}

/* Of 0.2 m, 11² nodes; its two sides are held and go by `left` and `right` along x in a second. */
static between make_between(double left, double right, char *told)
{
    weft_error e = {0};
    between b = {0};
    weft_sim_def d = weft_sim_def_default();
    weft_grid_def g = weft_grid_def_default();
    weft_fabric cotton;
    d.log = listen;
    d.log_user = told;
    d.gravity = (weft_vec3){0, 0, 0};
    d.air_density = 0;
    kit_must(weft_sim_create(&d, &b.sim, &e), &e);
    kit_must(weft_fabric_find("cotton", &cotton, &e), &e);
    g.n_warp = g.n_weft = 11;
    g.size_warp = g.size_weft = 0.2;
    g.model.fabrics = &cotton;
    g.model.n_fabrics = 1;
    kit_must(weft_cloth_create_grid(b.sim, &g, &b.cloth, &e), &e);
    for (int side = 0; side < 2; side++) {
        double way = side == 0 ? left : right;
        weft_key keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {1, {way, 0, 0}, {0, 0, 0, 1}}};
        int32_t nodes[11];
        weft_attachment_def a = weft_attachment_def_default();
        weft_attachment_id id;
        for (int k = 0; k < 11; k++)
            nodes[k] = 11 * k + 10 * side;
        a.cloth = b.cloth;
        a.nodes = nodes;
        a.n_nodes = 11;
        a.keys = keys;
        a.n_keys = 2;
        kit_must(weft_attachment_create(b.sim, &a, &id, &e), &e);
    }
    return b;
}

/* 0.3 m apart in the end: 1.5 times the length at rest. */
static void what_held_nodes_alone_force_is_told_and_not_paid_for(void **state)
{
    (void)state;
    char told_text[TOLD_ROOM] = "";
    between b = make_between(0, 0.1, told_text);
    weft_error e = {0};
    int32_t most = 0, told = 0;
    for (int i = 0; i < 60; i++) {
        weft_step_stats st;
        weft_result r = weft_sim_step(b.sim, 1.0 / 60, &st, &e);
        kit_must(r, &e);
        most = st.n_steps > most ? st.n_steps : most;
        told += r == WEFT_WARNING_STRETCHED;
        assert_true((r == WEFT_WARNING_STRETCHED) == (st.stretch > STRETCH_BAR * cotton_limit()));
    }
    assert_true(told > 10);
    const char *force = strstr(told_text, "held nodes alone force ");
    assert_non_null(force);
    assert_true(fabs(strtod(force + strlen("held nodes alone force "), NULL) - 1.5 / cotton_limit()) <= 0.01);
    assert_true(most <= 2);
    weft_sim_destroy(b.sim);
}

/* At 10 m/s, from the beginning: the sheet starts with that speed. */
static void what_is_carried_along_needs_no_shorter_steps(void **state)
{
    (void)state;
    char told_text[TOLD_ROOM] = "";
    between b = make_between(10, 10, told_text);
    weft_error e = {0};
    weft_vec3 v[121];
    for (int k = 0; k < 121; k++)
        v[k] = (weft_vec3){10, 0, 0};
    kit_must(weft_cloth_set_velocities(b.sim, b.cloth, v, 121, &e), &e);
    for (int i = 0; i < 20; i++) {
        weft_step_stats st;
        kit_must(weft_sim_step(b.sim, 1.0 / 60, &st, &e), &e);
        assert_int_equal(st.n_steps, 1);
    }
    weft_sim_destroy(b.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_keeps_its_limit_when_held_nodes_are_fast),
        cmocka_unit_test(threads_change_no_bit_of_it),
        cmocka_unit_test(a_snapshot_goes_on_alike),
        cmocka_unit_test(what_held_nodes_alone_force_is_told_and_not_paid_for),
        cmocka_unit_test(what_is_carried_along_needs_no_shorter_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
