/* SPDX-License-Identifier: MIT */
/* ctest: labels=determinism,threads timeout=300 */
/* The same bits for any number of threads, any order of tasks, any compiler and any optimisation.
 *
 * The golden hashes are those of every build. A change of the mechanics changes them: run with WEFT_PRINT_GOLDEN=1 and
 * put the printed table in place of `golden`, once it is clear why they changed. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/kit_scenes.h"

#include <cmocka.h>

/* ThreadSanitizer looks for races, for which a few steps do; it takes its time. */
#ifdef __SANITIZE_THREAD__
enum { STEPS = 4, HAS_GOLDEN = 0 };
#else
enum { STEPS = 15, HAS_GOLDEN = 1 };
#endif

/* By scene, then integrator. */
static const uint64_t golden[KIT_SCENES][3] = {
    {UINT64_C(0x2ae1917f738253d3), UINT64_C(0x584a355cd48051fe), UINT64_C(0xad03cbb049856fe3)}, /* ball */
    {UINT64_C(0xe98d4ab3e9fe96ca), UINT64_C(0x7d1672019f526743), UINT64_C(0x6e095c252d132207)}, /* flag */
    {UINT64_C(0x686af2e7763cdad5), UINT64_C(0xcbfd97f158266a89), UINT64_C(0x470b5ae67a30e82e)}, /* rod */
    {UINT64_C(0xab773147ce72a71b), UINT64_C(0x3f75b9a7b8dadb4c), UINT64_C(0x0a47cb09649b7b1f)}, /* balloon */
    {UINT64_C(0x90677897e4e55714), UINT64_C(0x75edf10e298f81fb), UINT64_C(0x79f3f72554c8021e)}, /* carried */
    {UINT64_C(0x43639b91de917cfe), UINT64_C(0x0d287a7f7777529d), UINT64_C(0x83d3371d06ae58d0)}, /* table */
    {UINT64_C(0x1fa1c07bc476c51e), UINT64_C(0xe746a92ad07a3b56), UINT64_C(0xe84e869cf8909211)}, /* adaptive */
};

/* Found once, with one thread. */
static uint64_t alone[KIT_SCENES][3];

/* Solved more coarsely than usual: what is compared is bits, not quality, and there is much to compare. */
static uint64_t run(int scene, int integrator, int32_t n_threads, weft_parallel_for_fn parallel_for)
{
    weft_sim_def d = weft_sim_def_default();
    d.integrator = (weft_integrator)integrator;
    d.newton_limit = 2;
    d.linear_tolerance = 0.1;
    d.n_threads = n_threads;
    d.parallel_for = parallel_for;
    weft_sim *sim = kit_scene_sim(&kit_scenes[scene], &d);
    kit_steps(sim, STEPS, kit_scene_step(d.integrator));
    uint64_t hash = weft_sim_hash(sim);
    weft_sim_destroy(sim);
    return hash;
}

static int find_alone(void **state)
{
    (void)state;
    for (int k = 0; k < KIT_SCENES; k++)
        for (int integrator = 0; integrator < 3; integrator++)
            alone[k][integrator] = run(k, integrator, 1, NULL);
    return 0;
}

static bool same(int scene, int integrator, int32_t n_threads, weft_parallel_for_fn parallel_for)
{
    bool ok = run(scene, integrator, n_threads, parallel_for) == alone[scene][integrator];
    if (!ok)
        print_message("%s, integrator %d: another hash with %d threads%s\n", kit_scenes[scene].name, integrator,
                      n_threads, parallel_for ? ", backwards" : "");
    return ok;
}

/* The default integrator with every number of threads; the others share its code. */
static void hashes_do_not_depend_on_threads(void **state)
{
    (void)state;
    int n_bad = 0;
    for (int k = 0; k < KIT_SCENES; k++) {
        for (int32_t n = 2; n <= 4; n++)
            n_bad += !same(k, WEFT_INTEGRATOR_BDF2, n, NULL);
        n_bad += !same(k, WEFT_INTEGRATOR_EXPLICIT, 3, NULL);
    }
    assert_int_equal(n_bad, 0);
}

static void hashes_do_not_depend_on_the_order_of_tasks(void **state)
{
    (void)state;
    int n_bad = 0;
    for (int k = 0; k < KIT_SCENES; k++)
        for (int integrator = 0; integrator < 3; integrator += 2)
            n_bad += !same(k, integrator, 1, kit_backwards);
    assert_int_equal(n_bad, 0);
}

static void print_golden(void)
{
    for (int k = 0; k < KIT_SCENES; k++)
        printf("    {UINT64_C(0x%016" PRIx64 "), UINT64_C(0x%016" PRIx64 "), UINT64_C(0x%016" PRIx64 ")}, /* %s */\n",
               alone[k][0], alone[k][1], alone[k][2], kit_scenes[k].name);
}

static void hashes_are_the_golden_ones(void **state)
{
    (void)state;
    int n_bad = 0;
    for (int k = 0; HAS_GOLDEN && k < KIT_SCENES; k++)
        for (int integrator = 0; integrator < 3; integrator++)
            n_bad += alone[k][integrator] != golden[k][integrator];
    if (n_bad > 0 || getenv("WEFT_PRINT_GOLDEN"))
        print_golden();
    assert_int_equal(n_bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_do_not_depend_on_threads),
        cmocka_unit_test(hashes_do_not_depend_on_the_order_of_tasks),
        cmocka_unit_test(hashes_are_the_golden_ones),
    };
    return cmocka_run_group_tests(tests, find_alone, NULL);
}
