/* SPDX-License-Identifier: MIT */
/* Terms of four pairs at a time have the bits of one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/dice.h"
#include "contact/pair/pair_simd4.h"
#include "contact/pair/pair_term.h"

enum { NODES = 16, ROUNDS = 20000 };

typedef struct setting {
    pair_set set;
    pair_node nodes[NODES];
    pair_par pars[NODES];
    vec3 x0[NODES], x[NODES];
    pair_state states[4];
    contact_term terms[4];
    gap g[4];
} setting;

static double sometimes(double a)
{
    return uniform(0, 1) < 0.2 ? 0 : a;
}

/* Nodes on a coarse grid now and then, so that closest points lie on borders; many other numbers are zero. */
static void throw_setting(setting *t, bool edges)
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < NODES; i++) {
        t->x0[i] = uniform(0, 1) < 0.4 ? v3(floor(uniform(0, 3)), floor(uniform(0, 3)), 0) : in_cube(1);
        t->x[i] = v3_madd(t->x0[i], sometimes(0.1), in_cube(1));
        t->nodes[i] = (pair_node){.common = i};
        t->pars[i] = (pair_par){.friction = sometimes(uniform(0, 1)), .lightness = uniform(1e2, 1e4)};
    }
    t->set = (pair_set){.nodes = t->nodes, .pars = t->pars, .n_cloth = NODES, .x0 = t->x0, .h = 1 / 60.0};
    for (int k = 0; k < 4; k++) {
        pair_state *st = &t->states[k];
        *st = (pair_state){.thickness = uniform(0, 1),
                           .radius = uniform(0.1, 1),
                           .friction_ratio = v3_scale(sometimes(1), in_cube(0.5)),
                           .friction = {.force = uniform(0, 1), .slides = uniform(0, 1) < 0.5}};
        st->pair.edges = edges;
        for (int i = 0; i < 4; i++)
            st->pair.node[i] = (int32_t)uniform(0, NODES);
        t->terms[k] = (contact_term){.owner = -1, .radius = st->radius, .k = uniform(1, 100)};
        t->g[k] = contact_pair_gap(t->x, &st->pair);
        if (!(t->g[k].distance > 0))
            t->g[k] = (gap){.w = {1, -1, 0, 0}, .vector = v3(0, 0.5, 0), .distance = 0.5};
    }
}

static void assert_same_term(const contact_term *a, const contact_term *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->node, b->node, sizeof a->node);
    assert_memory_equal(a->w, b->w, offsetof(contact_term, slides) - offsetof(contact_term, w));
    assert_int_equal(a->slides, b->slides);
}

static void compare(const pair_term_kernel *kernel)
{
    static setting t;
    for (int round = 0; round < ROUNDS; round++) {
        contact_term one[4];
        friction_state f[4];
        double force[4];
        throw_setting(&t, round % 2);
        memcpy(one, t.terms, sizeof one);
        kernel->set(&t.set, t.states, t.g, t.terms);
        for (int k = 0; k < 4; k++)
            force[k] = contact_force(&t.terms[k], t.x);
        kernel->renew(t.terms, t.x, force, f);
        for (int k = 0; k < 4; k++) {
            friction_state g = t.states[k].friction;
            pair_term_set(&t.set, &t.states[k], &one[k], t.g[k].w, v3_scale(1.0 / t.g[k].distance, t.g[k].vector), t.x);
            assert_same_term(&one[k], &t.terms[k]);
            friction_renew(&one[k], t.x, force[k], &g, NULL);
            assert_memory_equal(&g.force, &f[k].force, sizeof g.force);
            assert_int_equal(g.slides, f[k].slides);
        }
    }
}

static void terms_of_four_pairs_have_the_bits_of_one(void **state)
{
    (void)state;
    compare(&pair_term_plain);
    compare(pair_term_best());
}

/* ---- on the way -------------------------------------------------------------------------------------------------- */

static double along(vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* Whether the first is beyond `far` below the second, or above it, along an axis at both ends of the way. */
static bool stays_beyond(const pair_motion *m, const contact_pair *p, int axis, double far)
{
    bool below = true, above = true;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < (p->edges ? 2 : 1); i++)
            for (int j = p->edges ? 2 : 1; j < 4; j++) {
                const vec3 *x = end ? m->x1 : m->x0;
                double d = along(x[p->node[j]], axis) - along(x[p->node[i]], axis);
                below = below && d > far;
                above = above && -d > far;
            }
    return below || above;
}

static void pairs_that_come_near_are_those_of_the_definition(void **state)
{
    (void)state;
    static setting t;
    int n_may = 0;
    for (int round = 0; round < ROUNDS; round++) {
        throw_setting(&t, round % 2);
        pair_motion m = {t.x0, t.x, uniform(0, 0.5)};
        contact_pair p[4];
        double nearer[4];
        for (int k = 0; k < 4; k++) {
            p[k] = t.states[k].pair;
            t.g[k] = contact_pair_gap(t.x0, &p[k]);
        }
        unsigned may = pair_kernel_best()->come_near(&m, p, t.g, nearer),
                 plain = pair_kernel_plain.come_near(&m, p, t.g, nearer);
        assert_int_equal(may, plain);
        for (int k = 0; k < 4; k++) {
            double way = 0, over = t.g[k].distance - m.most;
            bool meets = true;
            for (int i = 0; i < 4; i++)
                way = max_of(way, v3_len_sq(v3_sub(t.x[p[k].node[i]], t.x0[p[k].node[i]])));
            for (int axis = 0; axis < 3; axis++)
                meets = meets && !stays_beyond(&m, &p[k], axis, m.most * (1 - 1e-9));
            assert_int_equal(may >> k & 1, meets && (over <= 0 || over * over <= 4 * way));
            n_may += may >> k & 1;
        }
    }
    assert_true(n_may > ROUNDS / 4 && n_may < 4 * ROUNDS - ROUNDS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(terms_of_four_pairs_have_the_bits_of_one, start_dice),
        cmocka_unit_test_setup(pairs_that_come_near_are_those_of_the_definition, start_dice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
