/* SPDX-License-Identifier: MIT */
/* ctest: timeout=240 */
/* Lists of pairs that are kept from step to step (contact/near_list.h) must change nothing but the time a step takes:
 * not the run, nor how it goes on after a restore, nor on how many threads. */
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
    t->sim->model.meet.list.kept = false;
}

static void runs_do_not_depend_on_how_long_pairs_are_kept(void **unused)
{
    (void)unused;
    torture a = make("ribbon", 1), b = make("ribbon", 2);
    int32_t n_kept = 0;
    for (int32_t i = 0; i < DOWN + WATCHED; i++) {
        const near_list *list = &a.sim->model.meet.list;
        bool kept = list->kept;
        near_way before = kept ? list->ways[0] : (near_way){{0}, {0}};
        step(&a);
        forget(&b);
        step(&b);
        near_way after = list->kept ? list->ways[0] : (near_way){{0}, {0}};
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
    while (a.sim->stats.n_steps == 0 || !a.sim->model.meet.list.kept)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_do_not_depend_on_how_long_pairs_are_kept),
        cmocka_unit_test(a_state_restored_while_a_list_is_kept_goes_on_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
