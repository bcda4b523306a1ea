/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "contact/prevent/rigid.h"
#include "math/eigen.h"
#include "sim/kit.h"

#include <cmocka.h>

enum { N = 40 };

typedef struct cloud {
    int n;
    double mass[N];
    vec3 x[N], v[N];
} cloud;

static vec3 random_vec(uint64_t *random, double half)
{
    double x = kit_random_unit(random), y = kit_random_unit(random), z = kit_random_unit(random);
    return v3(half * x, half * y, half * z);
}

/* In space, in a plane, on a line, at a point, by `dimensions`. */
static cloud random_cloud(uint64_t seed, int n, int dimensions)
{
    cloud c = {.n = n};
    uint64_t random = seed;
    vec3 axis[3] = {random_vec(&random, 1), random_vec(&random, 1), random_vec(&random, 1)},
         at = random_vec(&random, 3);
    for (int i = 0; i < n; i++) {
        c.mass[i] = 1.5 + kit_random_unit(&random);
        c.x[i] = at;
        for (int k = 0; k < dimensions; k++)
            c.x[i] = v3_madd(c.x[i], kit_random_unit(&random), axis[k]);
        c.v[i] = random_vec(&random, 2);
    }
    return c;
}

static rigid fit(const cloud *c)
{
    rigid r = {0};
    for (int i = 0; i < c->n; i++)
        rigid_add_mass(&r, c->mass[i], c->x[i], c->v[i]);
    for (int i = 0; i < c->n; i++)
        rigid_add_spin(&r, c->mass[i], c->x[i], c->v[i]);
    rigid_finish(&r);
    return r;
}

/* Sums of 40 products of at most 2.5 · 6 · 4: a few hundred ulp(60) would be 2e-12. Spins about a thin axis are large,
 * and what their rounding costs comes on top: the same number times |Ω|. */
static void momentum_and_spin_are_those_of_the_points(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        cloud c = random_cloud(seed, 2 + (int)(seed % (N - 1)), 1 + (int)(seed % 3));
        rigid r = fit(&c);
        vec3 p = v3_zero(), l = v3_zero();
        for (int i = 0; i < c.n; i++) {
            vec3 change = v3_scale(c.mass[i], v3_sub(rigid_velocity(&r, c.x[i]), c.v[i]));
            p = v3_add(p, change);
            l = v3_add(l, v3_cross(c.x[i], change));
        }
        double tolerance = 2e-12 * (1 + v3_len(r.spin));
        assert_true(v3_len(p) <= tolerance);
        assert_true(v3_len(l) <= 10 * tolerance);
    }
}

static void a_point_alone_keeps_its_velocity(void **state)
{
    (void)state;
    cloud c = random_cloud(5, 1, 3);
    rigid r = fit(&c);
    assert_true(v3_len(v3_sub(rigid_velocity(&r, c.x[0]), c.v[0])) <= 1e-15);
    c = random_cloud(6, 7, 0); /* seven at one place */
    r = fit(&c);
    assert_true(v3_len(r.spin) == 0);
}

/* |(I + t [Ω]) d|² = |d|² + t² |Ω × d|²: on straight lines nothing comes nearer. */
static void no_distance_shrinks_on_the_way(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        cloud c = random_cloud(seed, 10, 3);
        rigid r = fit(&c);
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < i; j++)
                for (double t = 0; t <= 1; t += 0.125) {
                    vec3 a = v3_madd(c.x[i], t, rigid_velocity(&r, c.x[i]));
                    vec3 b = v3_madd(c.x[j], t, rigid_velocity(&r, c.x[j]));
                    double d = v3_len(v3_sub(c.x[i], c.x[j]));
                    assert_true(v3_len(v3_sub(a, b)) >= d - 1e-13 * (1 + v3_len(r.spin)));
                }
    }
}

static void eigenvalues_put_the_matrix_together_again(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int k = 0; k < 1000; k++) {
        mat3 a = m3_zero();
        for (int i = 0; i < k % 4; i++) { /* ranks 0 to 3 */
            vec3 u = random_vec(&random, i == 1 ? 1e-5 : 1);
            a = m3_madd(a, i == 2 ? -1 : 1, m3_outer(u, u));
        }
        eigen3 e = eigen3_symmetric(a);
        mat3 b = m3_zero();
        for (int i = 0; i < 3; i++) {
            b = m3_madd(b, e.value[i], m3_outer(e.vector[i], e.vector[i]));
            for (int j = 0; j < 3; j++)
                assert_true(fabs(v3_dot(e.vector[i], e.vector[j]) - (i == j)) <= 1e-14);
        }
        for (int i = 0; i < 9; i++)
            assert_true(fabs(a.m[i] - b.m[i]) <= 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_and_spin_are_those_of_the_points),
        cmocka_unit_test(a_point_alone_keeps_its_velocity),
        cmocka_unit_test(no_distance_shrinks_on_the_way),
        cmocka_unit_test(eigenvalues_put_the_matrix_together_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
