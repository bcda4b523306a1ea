/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/planar_row.h"

static uint64_t state = 99;

/* In [0, 1), a multiple of 1/32 so that gaps are often exactly what is asked for. */
static float random_step(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (float)(state >> 59) / 32;
}

static box random_planar(int n_times)
{
    box b;
    for (int k = 0; k < 4; k++) {
        b.lo[k] = k >= 2 && n_times == 1 ? b.lo[k - 2] : random_step();
        b.top[k] = k >= 2 && n_times == 1 ? b.top[k - 2] : -b.lo[k] - random_step() / 2;
    }
    return b;
}

static void a_row_tells_what_each_box_tells(void **unused)
{
    (void)unused;
    for (int run = 0; run < 20000; run++) {
        int n_times = 1 + run % 2;
        float least = run % 3 ? 0 : 0.125f;
        planar_row row;
        box all[PLANAR_ROW], b = random_planar(n_times);
        uint32_t near = 0;
        for (int i = 0; i < PLANAR_ROW; i++) {
            all[i] = random_planar(n_times);
            planar_row_set(&row, i, &all[i]);
            near |= (uint32_t)!box_planar_apart(&b, &all[i], least) << i;
        }
        assert_int_equal(planar_row_near(&row, &b, least, n_times), near);
        assert_int_equal(planar_row_near_plain(&row, &b, least, n_times), near);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_row_tells_what_each_box_tells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
