/* SPDX-License-Identifier: MIT */
/* ctest: timeout=240 */
/* Lists of pairs that are kept from step to step (contact/verlet_list.h) must change nothing but the time a step takes:
 * not the run, nor how it goes on after a restore, nor on how many threads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>

#include "sim/kit.h"
#include "sim/sim.h"
#include "sim/torture.h"

#include <cmocka.h>

/* A small ribbon: after so many steps it has come down, and lists begin to be kept. */
enum { DOWN = 120, WATCHED = 80 };

static torture make(const char *scene, int32_t n_threads)
{
    weft_error e = {0};
    torture t;
    weft_sim_def d = weft_sim_def_default();
    d.n_threads = n_threads;
    kit_must(torture_create(&t, scene, &(torture_options){.thickness = -1, .size = 0.4, .sim = &d}, &e), &e);
    return t;
}

static void step(torture *t)
{
    weft_error e = {0};
    kit_must(torture_step(t, NULL, &e), &e);
}

static void forget(torture *t)
{
    t->sim->model.cloth_contact.list.kept = false;
}

static void runs_do_not_depend_on_how_long_pairs_are_kept(void **unused)
{
    (void)unused;
    torture a = make("ribbon", 1), b = make("ribbon", 2);
    int32_t n_kept = 0;
    for (int32_t i = 0; i < DOWN + WATCHED; i++) {
        const verlet_list *list = &a.sim->model.cloth_contact.list;
        bool kept = list->kept;
        verlet_way before = kept ? list->ways[0] : (verlet_way){{0}, {0}};
        step(&a);
        forget(&b);
        step(&b);
        verlet_way after = list->kept ? list->ways[0] : (verlet_way){{0}, {0}};
        n_kept += kept && list->kept && memcmp(&before, &after, sizeof after) == 0;
        if (weft_sim_hash(a.sim) != weft_sim_hash(b.sim))
            fail_msg("step %d differs from one with a fresh list", i + 1);
    }
    print_message("a list was kept in %d of %d steps\n", n_kept, DOWN + WATCHED);
    assert_true(n_kept >= WATCHED / 2); /* or the test shows nothing */
    torture_destroy(&a);
    torture_destroy(&b);
}

static void a_state_restored_while_a_list_is_kept_goes_on_bit_for_bit(void **unused)
{
    (void)unused;
    weft_error e = {0};
    torture a = make("ribbon", 1), b = make("ribbon", 1);
    size_t size = 0;
    while (a.sim->stats.n_steps == 0 || !a.sim->model.cloth_contact.list.kept)
        step(&a);
    for (int32_t i = 0; i < 5; i++)
        step(&a);
    kit_must(weft_sim_snapshot(a.sim, NULL, &size, &e), &e);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    kit_must(weft_sim_snapshot(a.sim, bytes, &size, &e), &e);
    kit_must(weft_sim_restore(b.sim, bytes, size, &e), &e);
    for (int32_t i = 0; i < 20; i++) {
        step(&a);
        step(&b);
        assert_int_equal(weft_sim_hash(a.sim), weft_sim_hash(b.sim));
    }
    free(bytes);
    torture_destroy(&a);
    torture_destroy(&b);
}

/* Edges of 11 mm and a reach of 6.6: a node is 7.7 mm from the triangle across a diagonal, and with its slack a list
 * goes to 9.9 mm. */
static weft_sim *make_fine(double gravity)
{
    weft_error e = {0};
    weft_sim_def d = weft_sim_def_default();
    d.gravity = (weft_vec3){0, gravity, 0};
    weft_sim *sim = kit_sim(&d);
    weft_fabric fabric = weft_fabric_default();
    weft_grid_def grid = kit_grid_def(12, 0.121, 0, 0);
    weft_cloth_id id = {0};
    fabric.thickness = 3.9e-3;
    grid.model.fabrics = &fabric;
    grid.model.n_fabrics = 1;
    kit_must(weft_cloth_create_grid(sim, &grid, &id, &e), &e);
    kit_pin(sim, id, 2, (int32_t[]){0, 143});
    return sim;
}

static int64_t n_kept_pairs(const weft_sim *sim)
{
    const verlet_list *list = &sim->model.cloth_contact.list;
    return list->kept ? list->pairs.n_vertex_triangle + list->pairs.n_edge_edge : -1;
}

static void neighbours_in_fine_cloth_are_kept_only_where_it_folds(void **unused)
{
    (void)unused;
    weft_sim *at_rest = make_fine(0), *a = make_fine(-0.5), *b = make_fine(-0.5);
    kit_steps(at_rest, 2, 1.0 / 60);
    assert_true((1 + 2 * 0.25) * at_rest->model.cloth_contact.list.reach > sqrt(0.5) * 0.011); /* or it shows nothing */
    assert_int_equal(n_kept_pairs(at_rest), 0);
    int32_t n_kept = 0, n_some = 0;
    for (int32_t i = 0; i < 200; i++) {
        b->model.cloth_contact.list.kept = false;
        kit_steps(a, 1, 1.0 / 60);
        kit_steps(b, 1, 1.0 / 60);
        n_kept += n_kept_pairs(a) >= 0;
        n_some += n_kept_pairs(a) > 0;
        assert_int_equal(weft_sim_hash(a), weft_sim_hash(b));
    }
    print_message("there was a list after %d steps of 200, with pairs after %d\n", n_kept, n_some);
    assert_true(n_some > 0);
    weft_sim_destroy(at_rest);
    weft_sim_destroy(a);
    weft_sim_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_do_not_depend_on_how_long_pairs_are_kept),
        cmocka_unit_test(a_state_restored_while_a_list_is_kept_goes_on_bit_for_bit),
        cmocka_unit_test(neighbours_in_fine_cloth_are_kept_only_where_it_folds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
