/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/planar_loop.h"
#include "math/trig.h"

#include <string.h>

static uint64_t state = 7;

/* In [-1, 1). */
static double random_number(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static vec3 x0[PLANAR_LOOP], x1[PLANAR_LOOP];

/* A round loop with dents of a depth, that moves a little. The nodes' numbers go the other way. */
static void make_loop(planar_loop *l, int n, double dent)
{
    l->n = n;
    l->size = 2 + (n > 48);
    for (int i = 0; i < n; i++) {
        double a = 2 * WEFT_PI * i / n, r = 1 + dent * random_number();
        vec3 p = v3(r * weft_cos(a), r * weft_sin(a), random_number());
        l->node[i] = n - 1 - i;
        x0[n - 1 - i] = p;
        x1[n - 1 - i] = v3(p.x + dent * random_number(), p.y + dent * random_number(), p.z);
    }
}

static void plain_and_wide_give_the_same_bits(void **unused)
{
    (void)unused;
    static planar_loop p, q;
    for (int run = 0; run < 1500; run++) {
        memset(&p, 0, sizeof p);
        make_loop(&p, 3 + run % 400, 0.001 * (run % 37));
        q = p;
        const vec3 *after = run % 2 ? x1 : NULL, a = v3(0.8, 0.6, 0.1), b = v3(-0.6, 0.8, 0.2);
        planar_loop_project(&p, x0, after, a, b);
        planar_loop_project_plain(&q, x0, after, a, b);
        planar_loop_bound(&p, 1e-12);
        planar_loop_bound_plain(&q, 1e-12);
        assert_memory_equal(&p, &q, sizeof p);
        planar_near near[2][64];
        memset(near, 0, sizeof near);
        int n = planar_loop_near(&p, 1e-3f, near[0], 64);
        assert_int_equal(planar_loop_near_plain(&q, 1e-3f, near[1], 64), n);
        assert_memory_equal(near[0], near[1], sizeof near[0]);
    }
}

static box box_of_block(const planar_loop *l, int i)
{
    box b = {{0}, {0}};
    for (int k = 0; k < 4; k++) {
        int from = l->n_times == 1 ? k % 2 : k;
        b.lo[k] = l->rows[i / PLANAR_ROW].lo[from][i % PLANAR_ROW];
        b.top[k] = l->rows[i / PLANAR_ROW].top[from][i % PLANAR_ROW];
    }
    return b;
}

static void near_blocks_are_those_whose_boxes_are_not_apart(void **unused)
{
    (void)unused;
    static planar_loop l;
    for (int run = 0; run < 1000; run++) {
        planar_near near[4096];
        make_loop(&l, 8 + run % 300, 0.004 * (run % 29));
        planar_loop_project(&l, x0, run % 2 ? x1 : NULL, v3(1, 0, 0), v3(0, 1, 0));
        planar_loop_bound(&l, 0);
        int n = planar_loop_near(&l, 0, near, 4096), n_found = 0;
        assert_true(n <= 4096);
        for (int i = 0; i < l.n_blocks; i++)
            for (int j = i + 2; j < l.n_blocks; j++) {
                box p = box_of_block(&l, i), q = box_of_block(&l, j);
                n_found += !(i == 0 && j == l.n_blocks - 1) && !box_planar_apart(&p, &q, 0);
            }
        assert_int_equal(n, n_found);
        for (int i = 0; i < n; i++) {
            box p = box_of_block(&l, near[i].i), q = box_of_block(&l, near[i].j);
            assert_true(near[i].j > near[i].i + 1 && !box_planar_apart(&p, &q, 0));
        }
    }
}

/* The edges of a window, each turned by no more than a right angle from some line. */
static void windows_that_are_not_bent_go_forward(void **unused)
{
    (void)unused;
    static planar_loop l;
    int n_forward = 0, n_bent = 0;
    for (int run = 0; run < 500; run++) {
        make_loop(&l, 8 + run % 300, 0.01 * (run % 29));
        planar_loop_project(&l, x1, NULL, v3(1, 0, 0), v3(0, 1, 0));
        planar_loop_bound(&l, 0);
        for (int i = 0; i < l.n_blocks; i++) {
            bool bent = l.bent[i / 32] >> i % 32 & 1, forward = false;
            int first = i * l.size, end = i + 2 < l.n_blocks ? first + 2 * l.size : l.n;
            n_bent += bent;
            n_forward += !bent;
            if (i + 1 == l.n_blocks || end > l.n)
                continue;
            for (int turn = 0; turn < 180 && !forward; turn++) {
                double x = weft_cos(turn * WEFT_PI / 90), y = weft_sin(turn * WEFT_PI / 90);
                forward = true;
                for (int e = first; e < end; e++) {
                    vec3 d = v3_sub(x1[l.node[(e + 1) % l.n]], x1[l.node[e]]);
                    forward = forward && x * d.x + y * d.y > -0.04 * v3_len(v3(d.x, d.y, 0));
                }
            }
            assert_true(bent || forward);
        }
    }
    assert_true(n_forward > 1000 && n_bent > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_and_wide_give_the_same_bits),
        cmocka_unit_test(near_blocks_are_those_whose_boxes_are_not_apart),
        cmocka_unit_test(windows_that_are_not_bent_go_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
