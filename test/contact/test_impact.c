/* SPDX-License-Identifier: MIT */
/* One pair's response. Masses are at most 10, ways and speeds at most 10, so that momenta are below 100 a node, and
 * rounding a few dozen ulp(100) = 1.4e-14 over the eight products and sums of each: below ROUND. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <weft/ccd.h>

#include "contact/prevent/impact.h"
#include "contact/prevent_kit.h"
#include "contact/collider/respond.h"

#include <cmocka.h>

#define ROUND 1e-11
static const obstacle no_obstacle[KIT_ROOM];

/* A vertex and a triangle, or two edges, that meet. */
typedef struct pair {
    prevent_kit *k;
    impact_world w;
    impact c;
    ledger_entry entry;
} pair;

static impact hit_of(const pair *p, bool edges, double thickness)
{
    impact c = {.edges = edges, .node = {0, 1, 2, 3}, .floor = thickness};
    weft_ccd_hit hit;
    bool met = edges ? weft_ccd_edge_edge(p->k->x0, p->k->x1, thickness, &hit)
                     : weft_ccd_vertex_triangle(p->k->x0, p->k->x1, thickness, &hit);
    c.time = -1;
    if (!met)
        return c;
    impact_place(&c, p->k->x0, p->k->x1, &hit);
    c.aim = c.aim_end = 2 * thickness;
    return c;
}

static pair random_pair(uint64_t seed, bool edges, double thickness)
{
    pair p = {.k = prevent_kit_new(seed)};
    for (int i = 0; i < 4; i++)
        prevent_kit_node(p.k, v3_zero(), pow(10, kit_random_unit(&p.k->random)), 0.1);
    p.k->w.n_dofs = 4;
    p.w = (impact_world){&p.k->w, no_obstacle, p.k->x0, p.k->x1, p.k->v1};
    do {
        for (int i = 0; i < 4; i++) {
            p.k->x0[i] = prevent_kit_random(p.k, 1);
            prevent_kit_move(p.k, i, i + 1, prevent_kit_random(p.k, 1));
            p.k->v1[i] = prevent_kit_random(p.k, 5);
        }
        p.c = hit_of(&p, edges, thickness);
    } while (p.c.time < 0.05);
    impact_bind(&p.w, &p.c);
    return p;
}

static void end_pair(pair *p)
{
    prevent_kit_free(p->k);
}

static void at_contact(const pair *p, vec3 x[4])
{
    for (int i = 0; i < 4; i++)
        x[i] = v3_madd(p->k->x0[i], p->c.time, v3_sub(p->k->x1[i], p->k->x0[i]));
}

static vec3 weighed(const impact *c, const vec3 x[4])
{
    vec3 sum = v3_zero();
    for (int i = 0; i < 4; i++)
        sum = v3_madd(sum, c->w[i], x[i]);
    return sum;
}

static void impulses_keep_momentum_and_spin(void **state)
{
    (void)state;
    int n_pushed = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        pair p = random_pair(seed, seed % 2, 0.02);
        vec3 x[4], v[4], x1[4];
        at_contact(&p, x);
        memcpy(v, p.k->v1, sizeof v);
        memcpy(x1, p.k->x1, sizeof x1);
        n_pushed += impact_respond(&p.w, &p.c, &p.entry);
        for (int i = 0; i < 4; i++) {
            v[i] = v3_sub(p.k->v1[i], v[i]);
            x1[i] = v3_sub(p.k->x1[i], x1[i]);
        }
        assert_true(v3_len(prevent_kit_momentum(p.k, v)) <= ROUND);
        assert_true(v3_len(prevent_kit_momentum(p.k, x1)) <= ROUND);
        /* The gap at contact is along the normal. */
        assert_true(v3_len(prevent_kit_spin(p.k, x, v)) <= ROUND);
        assert_true(v3_len(prevent_kit_spin(p.k, x, x1)) <= ROUND);
        end_pair(&p);
    }
    assert_true(n_pushed >= 390);
}

static void friction_keeps_momentum_and_turns_by_the_gap_only(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        pair p = random_pair(seed, seed % 2, 0.02);
        vec3 x[4], v[4];
        at_contact(&p, x);
        double gap = fabs(v3_dot(p.c.normal, weighed(&p.c, x)));
        memcpy(v, p.k->v1, sizeof v);
        for (int i = 0; i < 4; i++)
            p.k->friction[i] = 0.7;
        impact_respond(&p.w, &p.c, &p.entry);
        for (int i = 0; i < 4; i++)
            v[i] = v3_sub(p.k->v1[i], v[i]);
        assert_true(v3_len(prevent_kit_momentum(p.k, v)) <= ROUND);
        assert_true(v3_len(prevent_kit_spin(p.k, x, v)) <= 1.0001 * gap * p.entry.tangential_v + ROUND);
        assert_true(p.entry.tangential_v <= 0.7 * p.entry.normal_v * (1 + 1e-12));
        end_pair(&p);
    }
}

static void the_gap_is_what_was_aimed_at(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        pair p = random_pair(seed, seed % 2, 0.02);
        impact_respond(&p.w, &p.c, &p.entry);
        double t = p.c.time, g1 = v3_dot(p.c.normal, impact_position(&p.w, &p.c)), g0 = 0;
        for (int i = 0; i < 4; i++)
            g0 += p.c.w[i] * v3_dot(p.c.normal, p.k->x0[i]);
        assert_true(g1 >= p.c.bound - ROUND);
        /* Where the bound is not cut off: at the contact's time and at the end. */
        assert_true(g1 >= p.c.aim_end - ROUND);
        if (p.c.bound > p.c.aim_end)
            assert_true((1 - t) * g0 + t * g1 <= p.c.aim + ROUND);
        end_pair(&p);
    }
}

/* ---- eq. 4 ------------------------------------------------------------------------------------------------------- */

/* A vertex that falls on a triangle of a collider in y = 0, with the velocity v. */
static pair drop(vec3 v, double k_f, double k_d)
{
    pair p = {.k = prevent_kit_new(1)};
    prevent_kit *k = p.k;
    prevent_kit_node(k, v3(0.01, 0.002, 0.02), 0.3, 0.1);
    k->w.n_dofs = 1;
    prevent_kit_node(k, v3(-1, 0, -1), 0, 0.1);
    prevent_kit_node(k, v3(0, 0, 2), 0, 0.1);
    prevent_kit_node(k, v3(1, 0, -1), 0, 0.1);
    k->friction[0] = k_f;
    k->dissipation[0] = k_d;
    memcpy(k->x1, k->x0, 4 * sizeof *k->x1);
    prevent_kit_move(k, 0, 1, v3_scale(k->w.h, v));
    p.w = (impact_world){&k->w, no_obstacle, k->x0, k->x1, k->v1};
    p.c = hit_of(&p, false, 0.0004);
    assert_true(p.c.time >= 0);
    impact_bind(&p.w, &p.c);
    return p;
}

static void velocities_after_an_impact_are_those_of_equation_4(void **state)
{
    (void)state;
    for (int i = 0; i <= 20; i++)
        for (int j = 0; j <= 4; j++) {
            vec3 v = v3(1.5, -2, 2);
            double k_f = 0.1 * i, k_d = 0.25 * j;
            pair p = drop(v, k_f, k_d);
            assert_true(impact_respond(&p.w, &p.c, &p.entry));
            vec3 wanted = respond_velocity(v, v3_zero(), v3(0, 1, 0), k_f, k_d);
            assert_true(v3_len(v3_sub(p.k->v1[0], wanted)) <= ROUND);
            /* |v_T| = 2.5, |v_N| = 2: it sticks from k_f = 1.25 on, and not before. */
            bool stuck = fabs(p.k->v1[0].x) <= ROUND && fabs(p.k->v1[0].z) <= ROUND;
            assert_int_equal(stuck, i >= 13);
            end_pair(&p);
        }
}

static void two_free_bodies_follow_equation_4_by_their_relative_velocity(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        pair p = random_pair(seed, seed % 2, 0.01);
        double k_f = 0.3, k_d = 0.5;
        for (int i = 0; i < 4; i++) {
            p.k->friction[i] = k_f;
            p.k->dissipation[i] = k_d;
        }
        vec3 before = impact_velocity(&p.w, &p.c);
        if (impact_respond(&p.w, &p.c, &p.entry)) {
            vec3 wanted = respond_velocity(before, v3_zero(), p.c.normal, k_f, k_d);
            assert_true(v3_len(v3_sub(impact_velocity(&p.w, &p.c), wanted)) <= ROUND);
        }
        end_pair(&p);
    }
}

static void a_second_impact_of_the_pair_does_not_bounce_again(void **state)
{
    (void)state;
    pair p = drop(v3(1, -2, 0), 0.1, 0.5);
    assert_true(impact_respond(&p.w, &p.c, &p.entry));
    p.k->v1[0].y = -1;
    p.k->x1[0].y -= 0.01;
    assert_true(impact_respond(&p.w, &p.c, &p.entry));
    assert_true(fabs(p.k->v1[0].y) <= ROUND);
    assert_true(p.entry.tangential <= 0.1 * p.entry.normal * (1 + 1e-12));
    end_pair(&p);
}

/* ---- what does not give way -------------------------------------------------------------------------------------- */

static void held_nodes_stay_and_lines_are_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        pair p = random_pair(seed, seed % 2, 0.02);
        vec3 axis = v3(0.6, 0, -0.8), x = p.k->x1[1], y = p.k->x1[2];
        p.k->filters[1].kind = FREEDOM_NONE;
        p.k->filters[2] = (filter){FREEDOM_LINE, &axis};
        impact_respond(&p.w, &p.c, &p.entry);
        assert_memory_equal(&x, &p.k->x1[1], sizeof x);
        assert_true(v3_len(v3_cross(axis, v3_sub(p.k->x1[2], y))) <= ROUND);
        assert_true(impact_missing(&p.w, &p.c) <= ROUND);
        end_pair(&p);
    }
}

static void obstacles_are_not_entered(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        pair p = random_pair(seed, seed % 2, 0.02);
        obstacle all[4] = {{v3(0, 1, 0), 1}, {v3(0, 1, 0), 1}, {v3_zero(), 0}, {v3_zero(), 2}};
        vec3 x[4];
        p.w.obstacle = all;
        memcpy(x, p.k->x1, sizeof x);
        impact_respond(&p.w, &p.c, &p.entry);
        assert_true(p.k->x1[0].y >= x[0].y && p.k->x1[1].y >= x[1].y);
        assert_memory_equal(&x[3], &p.k->x1[3], sizeof x[3]);
        end_pair(&p);
    }
}

static void a_node_that_hangs_moves_its_parents(void **state)
{
    (void)state;
    prevent_kit *k = prevent_kit_new(3);
    for (int i = 0; i < 6; i++)
        prevent_kit_node(k, v3_zero(), 1 + i, 0.1);
    k->w.n_dofs = 6;
    static const vec3 at[5] = {{0.1, 0.2, 0}, {-1, 0, -1}, {0, 0, 2}, {1, 0, -1}, {0.3, 0.4, 0.2}};
    for (int i = 0; i < 5; i++)
        k->x0[i] = k->x1[i] = at[i];
    prevent_kit_hang(k, 5, 0, 4);
    k->x0[5] = k->x1[5] = v3_scale(0.5, v3_add(at[0], at[4]));
    prevent_kit_move(k, 0, 1, v3(0, -1, 0));
    prevent_kit_move(k, 4, 5, v3(0, -1, 0));
    impact_world w = {&k->w, no_obstacle, k->x0, k->x1, k->v1};
    impact c = {.node = {5, 1, 2, 3},
                .w = {1, -0.25, -0.5, -0.25},
                .normal = {0, 1, 0},
                .time = 0.3,
                .aim = 0.1,
                .aim_end = 0.1};
    ledger_entry entry = {0};
    vec3 before = prevent_kit_momentum(k, k->v1), hung = k->x1[5];
    impact_bind(&w, &c);
    assert_true(impact_respond(&w, &c, &entry));
    assert_true(v3_len(v3_sub(prevent_kit_momentum(k, k->v1), before)) <= ROUND * 100);
    assert_memory_equal(&hung, &k->x1[5], sizeof hung); /* it follows when all is settled */
    assert_true(fabs(v3_dot(c.normal, impact_position(&w, &c)) - c.bound) <= ROUND);
    /* shares go by weight over mass */
    double a = k->x1[0].y - (at[0].y - 1), b = k->x1[4].y - (at[4].y - 1);
    assert_true(a > 0 && fabs(a * 1 - b * 5) <= ROUND);
    prevent_kit_free(k);
}

static void the_ledger_finds_what_it_was_given(void **state)
{
    (void)state;
    kit_memory memory = {0};
    mem m;
    mem_init(&m, kit_alloc, &memory);
    ledger l = {0};
    for (int reset = 0; reset < 2; reset++) {
        assert_true(ledger_reset(&l, &m, 3));
        for (int pass = 0; pass < 2; pass++)
            for (int32_t i = 0; i < 1000; i++) {
                impact c = {.node = {i % 10, i / 10, i % 7, 3}, .edges = i % 2};
                ledger_entry *e = ledger_find(&l, &m, &c);
                assert_non_null(e);
                assert_true(e->normal == (pass ? i + 1 : 0));
                e->normal = i + 1;
            }
        assert_int_equal(l.n, 1000);
    }
    ledger_destroy(&l, &m);
    assert_int_equal(memory.n_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_keep_momentum_and_spin),
        cmocka_unit_test(friction_keeps_momentum_and_turns_by_the_gap_only),
        cmocka_unit_test(the_gap_is_what_was_aimed_at),
        cmocka_unit_test(velocities_after_an_impact_are_those_of_equation_4),
        cmocka_unit_test(two_free_bodies_follow_equation_4_by_their_relative_velocity),
        cmocka_unit_test(a_second_impact_of_the_pair_does_not_bounce_again),
        cmocka_unit_test(held_nodes_stay_and_lines_are_kept),
        cmocka_unit_test(obstacles_are_not_entered),
        cmocka_unit_test(a_node_that_hangs_moves_its_parents),
        cmocka_unit_test(the_ledger_finds_what_it_was_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
