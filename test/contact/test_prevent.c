/* SPDX-License-Identifier: MIT */
/* ctest: timeout=120 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "contact/prevent_kit.h"

#include <cmocka.h>

/* Two sheets of n × n nodes, one 4 cm above the other. */
static prevent_kit *two_sheets(int32_t n, uint64_t seed, int32_t n_threads)
{
    prevent_kit *k = prevent_kit_new(seed);
    prevent_kit_sheet(k, n, n, v3(0, 0, 0), v3(0.2, 0, 0), v3(0, 0.2, 0));
    prevent_kit_sheet(k, n, n, v3(0.013, 0.007, 0.04), v3(0.2, 0, 0), v3(0, 0.2, 0.01));
    prevent_kit_ready(k, n_threads);
    return k;
}

static void a_free_motion_is_left_alone(void **state)
{
    (void)state;
    prevent_kit *k = two_sheets(12, 1, 1);
    prevent_kit_move(k, 0, 144, v3(0.1, 0.02, 0.01));
    prevent_kit_move(k, 144, 288, v3(0.1, 0.03, 0.02));
    vec3 before[288];
    memcpy(before, k->v1, sizeof before);
    assert_int_equal(prevent_kit_run(k), PREVENT_FREE);
    assert_int_equal(k->stats.checks, 1);
    assert_int_equal(k->stats.sweeps, 0);
    assert_memory_equal(before, k->v1, sizeof before);
    for (int32_t i = 0; i < 288; i++)
        assert_true(v3_max_abs(v3_sub(v3_sub(k->x1[i], k->x0[i]), v3_scale(k->w.h, before[i]))) <= 0x1p-33);
    prevent_kit_free(k);
}

static void sheets_thrown_through_each_other_end_apart(void **state)
{
    (void)state;
    for (int speed = 0; speed < 4; speed++) {
        prevent_kit *k = two_sheets(12, 2, 1);
        double way = 0.1 * pow(4, speed);
        prevent_kit_move(k, 0, 144, v3(0.02, 0.01, way));
        prevent_kit_move(k, 144, 288, v3(-0.03, 0, -way));
        prevent_end end = prevent_kit_run(k);
        print_message("%g m: end %d, hits %lld, sweeps %d, rounds %d, zones %d, rigid %d, failsafe %d, checks %d\n",
                      way, end, (long long)k->stats.hits, k->stats.sweeps, k->stats.inelastic_rounds, k->stats.zones,
                      k->stats.rigid, k->stats.failsafes, k->stats.checks);
        assert_int_equal(end, PREVENT_FREE);
        assert_int_equal(prevent_kit_intersections(k, k->x1), 0);
        prevent_kit_free(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_motion_is_left_alone),
        cmocka_unit_test(sheets_thrown_through_each_other_end_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
