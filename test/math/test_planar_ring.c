/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/planar_ring.h"
#include "math/trig.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 600 };

static uint64_t state = 7;

/* In [-1, 1). */
static double random_number(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static vec3 x0[MOST], x1[MOST];

/* A round ring with dents of a depth, to the inside and to the side, that moves. The nodes' numbers go the other
 * way. */
static void make_ring(planar_ring *r, int n, double dent, double aside, double way)
{
    r->n = n;
    for (int i = 0; i < n; i++) {
        double a = 2 * WEFT_PI * (i + aside * random_number()) / n, radius = 1 + dent * random_number();
        vec3 p = v3(radius * weft_cos(a), radius * weft_sin(a), random_number());
        r->node[i] = n - 1 - i;
        x0[n - 1 - i] = p;
        x1[n - 1 - i] = v3(p.x + way * random_number(), p.y + way * random_number(), p.z);
    }
}

static void plain_and_wide_give_the_same_answer(void **unused)
{
    (void)unused;
    static planar_ring p, q;
    int n_simple = 0;
    for (int run = 0; run < 4000; run++) {
        int n = 3 + run % 400;
        make_ring(&p, n, 0.02 * (run % 17), 0.1 * (run % 23), run % 3 ? 0 : 0.3 / n);
        q.n = p.n;
        memcpy(q.node, p.node, sizeof p.node);
        const vec3 *after = run % 2 ? x1 : NULL, a = v3(0.8, 0.6, 0.1), b = v3(-0.6, 0.8, 0.2);
        bool is_simple = planar_ring_is_simple(&p, x0, after, a, b, 1e-9);
        assert_int_equal(is_simple, planar_ring_is_simple_plain(&q, x0, after, a, b, 1e-9));
        assert_int_equal(p.n, q.n);
        assert_int_equal(p.n_bent, q.n_bent);
        assert_memory_equal(p.middle, q.middle, sizeof p.middle);
        assert_memory_equal(p.at, q.at, (size_t)p.n * sizeof *p.at);
        n_simple += is_simple;
    }
    printf("%d of 4000 rings are told to be simple\n", n_simple);
    assert_true(n_simple > 200 && n_simple < 3800);
}

static vec3 place(const planar_ring *r, int i, int n, double time)
{
    int32_t vi = r->node[i < n ? i : 0];
    return v3_add(v3_scale(1 - time, x0[vi]), v3_scale(time, x1[vi]));
}

/* How often a ring goes round a point, to the left. */
static int n_round(const planar_ring *r, int n, double time, vec3 p)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        vec3 a = place(r, i, n, time), b = place(r, i + 1, n, time);
        double side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
        found += (a.y <= p.y && b.y > p.y && side > 0) - (b.y <= p.y && a.y > p.y && side < 0);
    }
    return found;
}

static int most_round(const planar_ring *r, int n)
{
    int most = 0;
    for (int k = 0; k < 200; k++) {
        int times = n_round(r, n, 0.125 * (k % 9), v3(1.5 * random_number(), 1.5 * random_number(), 0));
        most = times > most ? times : most;
    }
    return most;
}

static void rings_that_are_called_simple_go_round_nothing_twice(void **unused)
{
    (void)unused;
    static planar_ring r;
    int n_simple = 0, n_twice = 0, n_once = 0;
    for (int run = 0; run < 6000; run++) {
        int n = 3 + run % 61;
        make_ring(&r, n, 0.05 * (run % 19), 0.1 * (run % 23), 0.05 * (run % 7));
        bool is_simple = planar_ring_is_simple(&r, x0, x1, v3(1, 0, 0), v3(0, 1, 0), 1e-9);
        bool twice = most_round(&r, n) > 1;
        n_simple += is_simple;
        n_twice += twice;
        n_once += !twice;
        assert_false(is_simple && twice);
    }
    printf("%d rings go round something twice, %d are not seen to; %d of these are told\n", n_twice, n_once, n_simple);
    assert_true(n_twice > 500 && n_simple > 500);
}

static void a_circle_is_simple_but_not_clockwise_nor_twice_round(void **unused)
{
    (void)unused;
    static planar_ring r;
    for (int n = 3; n <= 100; n++) {
        make_ring(&r, n, 0, 0, 0);
        assert_true(planar_ring_is_simple(&r, x0, NULL, v3(1, 0, 0), v3(0, 1, 0), 1e-6));
        r.n = n;
        assert_false(planar_ring_is_simple(&r, x0, NULL, v3(0, 1, 0), v3(1, 0, 0), 1e-6));
        r.n = n;
        for (int i = 0; i < n; i++) {
            double a = 4 * WEFT_PI * i / n;
            x0[r.node[i]] = v3(weft_cos(a), weft_sin(a), 0);
        }
        assert_false(n > 4 && planar_ring_is_simple(&r, x0, NULL, v3(1, 0, 0), v3(0, 1, 0), 1e-6));
    }
}

/* A comb: every tooth is a dent beside another. */
static void teeth_are_filled(void **unused)
{
    (void)unused;
    static planar_ring r;
    r.n = 400;
    for (int i = 0; i < r.n; i++) {
        double a = 2 * WEFT_PI * i / r.n, radius = i % 2 ? 1 : 0.7;
        x0[i] = v3(radius * weft_cos(a), radius * weft_sin(a), 0);
        r.node[i] = i;
    }
    assert_true(planar_ring_is_simple(&r, x0, NULL, v3(1, 0, 0), v3(0, 1, 0), 1e-6));
    assert_true(r.n < 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_and_wide_give_the_same_answer),
        cmocka_unit_test(rings_that_are_called_simple_go_round_nothing_twice),
        cmocka_unit_test(a_circle_is_simple_but_not_clockwise_nor_twice_round),
        cmocka_unit_test(teeth_are_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
