/* SPDX-License-Identifier: MIT */
/* Objects that go as a whole (ye2012 figures 3 and 4, in small). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <weft/untangle.h>

#include "untangle/tangle_kit.h"

enum { AROUND = 16, ALONG = 24 };

/* A rod of 20 cm, 4 cm thick, a tenth thinner at its closed end, which is 4 cm below a level sheet; slanted by 35°. */
static void make_rod(tangle *t)
{
    vec3 end = v3(0.0013, -0.035, 0.0021), axis = v3(-0.5735764363510462, 0.8191520442889918, 0);
    vec3 tip = v3_madd(end, -0.01, axis);
    int32_t first = tangle_tube(t, end, v3_madd(end, 0.2, axis), 0.02, AROUND, ALONG);
    for (int32_t i = 0; i < t->n_nodes; i++) {
        double along = v3_dot(axis, v3_sub(t->x[i], end)) / 0.2;
        vec3 c = v3_madd(end, 0.2 * along, axis);
        t->x[i] = v3_madd(c, 0.9 + 0.1 * along, v3_sub(t->x[i], c));
    }
    t->n_objects--;
    int32_t top = tangle_node(t, tip);
    for (int32_t i = 0; i < AROUND; i++)
        tangle_triangle(t, first + (i + 1) % AROUND, first + i, top);
    t->n_objects++;
}

static weft_untangle_def def_of(const tangle *t, const bool *is_rigid, const bool *is_collider)
{
    weft_untangle_def d = tangle_def(t);
    d.object_is_rigid = is_rigid;
    d.object_is_collider = is_collider;
    return d;
}

static weft_untangle_report part(const tangle *t, weft_untangle_side rod, weft_untangle_side wall, int most, vec3 *out)
{
    const bool is_rigid[2] = {true, false}, is_collider[2] = {false, true};
    const weft_untangle_side sides[2] = {rod, wall};
    weft_untangle_report r;
    weft_error e;
    weft_untangle_def d = def_of(t, is_rigid, is_collider);
    d.object_side = sides;
    d.rigid_step = 4e-3;
    d.fixed_strategy = true;
    d.max_iterations = most;
    assert_int_equal(weft_untangle(&d, out, &r, &e), WEFT_OK);
    print_message("sides %2d and %2d: %3d pairs -> %d in %d steps, contour %.4f -> %.4f m\n", rod, wall,
                  (int)r.pairs_before, (int)r.pairs_after, r.n_iterations, r.length_before, r.length_last);
    return r;
}

/* The wall looks up. */
static void make_rod_in_wall(tangle *t)
{
    make_rod(t);
    tangle_sheet(t, v3(-0.2, 0, -0.2), v3(0, 0, 0.4), v3(0.4, 0, 0), 30, 30);
}

static void repulsive_normals_take_eight_steps_where_plain_takes_forty(void **state)
{
    (void)state;
    tangle t = {0};
    make_rod_in_wall(&t);
    vec3 *x = malloc((size_t)t.n_nodes * sizeof *x);
    assert_non_null(x);
    weft_untangle_report plain = part(&t, WEFT_SIDE_PLAIN, WEFT_SIDE_PLAIN, 60, x);
    weft_untangle_report sided = part(&t, WEFT_SIDE_OUT, WEFT_SIDE_OUT, 60, x);
    assert_true(plain.n_iterations >= 40);
    assert_int_equal(sided.pairs_after, 0);
    assert_true(sided.n_iterations <= 8);
    /* All of it went the same way: what is left are three roundings of numbers below 0.25. */
    vec3 way = v3_sub(x[0], t.x[0]);
    for (int32_t i = 0; i < t.n_nodes; i++) {
        vec3 off = v3_sub(v3_sub(x[i], t.x[i]), way);
        bool wall = i > AROUND * (ALONG + 1);
        assert_true(wall ? memcmp(&x[i], &t.x[i], sizeof x[i]) == 0 : v3_max_abs(off) < 10 * 0x1p-54);
    }
    free(x);
    tangle_free(&t);
}

/* Figure 4 (d). */
static void attracting_sides_make_it_worse(void **state)
{
    (void)state;
    tangle t = {0};
    make_rod_in_wall(&t);
    vec3 *x = malloc((size_t)t.n_nodes * sizeof *x);
    assert_non_null(x);
    weft_untangle_report r = part(&t, WEFT_SIDE_IN, WEFT_SIDE_IN, 8, x);
    assert_true(r.pairs_after > 0);
    assert_true(r.length_last > r.length_before);
    free(x);
    tangle_free(&t);
}

/* Of two that move each goes half the way; one that touches nothing, but is inside, is lifted out. */
static void bodies_share_the_way_and_leave_solids(void **state)
{
    (void)state;
    const bool both[2] = {true, true}, first[2] = {true, false}, second[2] = {false, true};
    for (int deep = 0; deep < 2; deep++) {
        tangle t = {0};
        weft_untangle_report r;
        weft_error e;
        int32_t n = tangle_octahedron(&t, v3(0.1, deep ? 0.3 : 1.2, 0.15), deep ? 0.2 : 0.5, 3);
        int32_t other = tangle_octahedron(&t, v3(0, 0, 0), 1, 3);
        vec3 *x = malloc((size_t)t.n_nodes * sizeof *x);
        assert_non_null(x);
        weft_untangle_def d = def_of(&t, deep ? first : both, deep ? second : NULL);
        assert_int_equal(weft_untangle(&d, x, &r, &e), WEFT_OK);
        print_message("%d pairs, %d inside -> %d, %d in %d steps\n", (int)r.pairs_before, (int)r.inside_before,
                      (int)r.pairs_after, (int)r.inside_after, r.n_iterations);
        assert_int_equal(r.pairs_before > 0, !deep);
        assert_int_equal(r.inside_before > 0, deep);
        assert_int_equal(r.pairs_after + r.inside_after, 0);
        vec3 a = v3_sub(x[n], t.x[n]), b = v3_sub(x[other], t.x[other]);
        assert_true(v3_len(a) > 0 && v3_len(v3_add(a, b)) < (deep ? HUGE_VAL : 1e-12));
        free(x);
        tangle_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repulsive_normals_take_eight_steps_where_plain_takes_forty),
        cmocka_unit_test(attracting_sides_make_it_worse),
        cmocka_unit_test(bodies_share_the_way_and_leave_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
