/* SPDX-License-Identifier: MIT */
/* The kernels of explicit steps against those of the others: with the strain of a time h ago as the velocities give it,
 * s − h ∇s·v, both are the same function, written in two ways. */
#include "force/pull.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "force/bend.h"

#include <cmocka.h>

enum { CASES = 10000 };

/* In [−1, 1], the same on every machine. */
static double random_unit(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

static vec3 random_vector(uint64_t *state, double size)
{
    double x = random_unit(state), y = random_unit(state);
    return v3_scale(size, v3(x, y, random_unit(state)));
}

/* Some ten operations on numbers of that size, and angles to 2 ulp. */
static void assert_near(vec3 a, vec3 b, double size)
{
    assert_true(v3_max_abs(v3_sub(a, b)) <= 64 * DBL_EPSILON * size);
}

static void springs_pull_as_their_energy_falls(void **state)
{
    (void)state;
    uint64_t seed = 1;
    const double h = 1e-4;
    for (int k = 0; k < CASES; k++) {
        vec3 x[2] = {random_vector(&seed, 0.1), random_vector(&seed, 0.1)}, g[2];
        vec3 d = v3_sub(x[1], x[0]), w = random_vector(&seed, 5);
        double l = v3_len(d), rate = v3_dot(d, w) / l, time = 1e-3 * fabs(random_unit(&seed));
        spring_par p = {.k = 30, .length = k % 7 ? 0.1 : 0, .limit = k % 3 ? 0 : 1.05};
        p.drag = time / h;
        p.past = l - h * rate;
        spring_eval(x, &p, true, g, NULL);
        double steep = p.limit > 0 && p.length > 0 ? limit_eval(l / p.length, p.limit).curvature : 0;
        /* past has lost drag · ulp(l) */
        double size = p.k * (l + p.length * (1 + steep) + time * v3_len(w) + p.drag * l);
        assert_near(spring_pull(d, w, &p, time), g[1], size);
        p.drag = 0;
        double e = spring_eval(x, &p, true, NULL, NULL);
        assert_true(fabs(spring_stored(d, &p) - e) <= 16 * DBL_EPSILON * e);
    }
}

static void springs_without_length_pull_at_nothing(void **state)
{
    (void)state;
    const spring_par p = {.k = 30, .length = 0.1};
    vec3 f = spring_pull(v3_zero(), v3(1, 2, 3), &p, 1e-3);
    assert_true(f.x == 0 && f.y == 0 && f.z == 0);
}

static void beams_pull_as_their_energy_falls(void **state)
{
    (void)state;
    uint64_t seed = 2;
    const double h = 1e-4;
    for (int k = 0; k < CASES; k++) {
        double bent = k % 2 ? 0.1 : 1e-4;
        vec3 a = v3(0.02, 0, 0), b = v3_add(v3(0.03, 0, 0), random_vector(&seed, k % 5 ? 0.03 * bent : 0.2));
        vec3 x[3] = {v3_neg(a), v3_zero(), b}, v[3], g[3], f[2];
        for (int i = 0; i < 3; i++)
            v[i] = random_vector(&seed, 2);
        double time = 1e-3 * fabs(random_unit(&seed));
        beam_par p = {.k = 1};
        beam_eval(x, &p, true, g, NULL);
        /* k θ ∇θ, from which the rate */
        double theta = beam_angle(x), rate = 0;
        for (int i = 0; i < 3; i++)
            rate += v3_dot(g[i], v[i]) / theta;
        p.past = theta - h * rate;
        if (!(p.past > 0)) /* it would pass through straight: not the same function */
            continue;
        p.drag = time / h;
        beam_eval(x, &p, true, g, NULL);
        beam_pull(a, b, v3_sub(v[1], v[0]), v3_sub(v[2], v[1]), &p, time, h, f);
        /* ∇θ ≤ 1/ℓ; the angle's own error is eps, and that of its direction eps/θ. */
        double steep = 1 / 0.02 + 1 / v3_len(b), size = (theta + time * 4 * steep + p.drag * theta) * steep / theta;
        assert_near(f[0], g[0], size);
        assert_near(f[1], g[2], size);
        p.drag = 0;
        double e = beam_eval(x, &p, true, NULL, NULL);
        assert_true(fabs(beam_stored(a, b, &p) - e) <= 64 * DBL_EPSILON * theta);
    }
}

static void straight_and_folded_beams_pull_at_nothing(void **state)
{
    (void)state;
    const beam_par p = {.k = 1};
    const vec3 a = {0.02, 0, 0}, v = {0, 1, 0};
    for (int k = -1; k <= 1; k++) {
        vec3 f[2];
        beam_pull(a, v3_scale(k, a), v, v3_neg(v), &p, 1e-3, 1e-4, f);
        assert_true(v3_max_abs(f[0]) == 0 && v3_max_abs(f[1]) == 0);
    }
}

static void air_pulls_as_it_dissipates(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < CASES; k++) {
        air_par p = {.area = random_vector(&seed, 1e-4), .wind = random_vector(&seed, 3), .viscosity = 0.3};
        if (k % 3) {
            p.drag = 0.6;
            p.skin = k % 3 == 1 ? 0 : 0.02;
        }
        vec3 v[3], g[3];
        for (int i = 0; i < 3; i++)
            v[i] = random_vector(&seed, 4);
        air_eval(v, &p, g, NULL);
        vec3 mean = v3_scale(1.0 / 3.0, v3_add(v3_add(v[0], v[1]), v[2]));
        assert_near(air_pull(p.area, mean, &p), g[0], 1e-4 * 200);
    }
}

static void tensors_pull_as_their_energy_falls(void **state)
{
    (void)state;
    uint64_t seed = 4;
    const double h = 1e-4, side = 0.02;
    const vec2 uv[6] = {{0, 0}, {side, 0}, {0, side}, {side, side}, {-side, side}, {side, -side}};
    for (int k = 0; k < CASES; k++) {
        bend_par p, q;
        vec3 x[6], v[6], g[6], f[6], past[6];
        double theta[3], ago[3];
        assert_true(bend_stiffness(uv, k % 4 ? 7 : 5, 1e-5, 2e-5, 1, &p));
        for (int i = 0; i < 3; i++)
            p.rest[i] = 0.2 * random_unit(&seed);
        for (int i = 0; i < 6; i++) {
            x[i] = v3_add(v3(uv[i].u, uv[i].v, 0), random_vector(&seed, 0.2 * side));
            v[i] = random_vector(&seed, 1e-3);
            past[i] = v3_madd(x[i], -h, v[i]);
        }
        p.drag = 7;
        q = p;
        bend_pull(x, v, &p, h, theta, f);
        bend_angles(past, p.present, ago);
        /* To first order in the way h |v| ≤ 2e-7 m: angles have second derivatives of 1/height², here ≤ (3/side)². */
        for (int i = 0; i < 3; i++)
            assert_true(!(p.present >> i & 1) || fabs(p.past[i] - ago[i]) <= 4e-14 * 9 / (side * side) * 40);
        for (int i = 0; i < 3; i++)
            q.past[i] = p.past[i];
        bend_eval(x, &q, true, g, NULL);
        for (int i = 0; i < 6; i++)
            assert_true(v3_max_abs(v3_sub(f[i], g[i])) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_pull_as_their_energy_falls),
        cmocka_unit_test(springs_without_length_pull_at_nothing),
        cmocka_unit_test(beams_pull_as_their_energy_falls),
        cmocka_unit_test(straight_and_folded_beams_pull_at_nothing),
        cmocka_unit_test(air_pulls_as_it_dissipates),
        cmocka_unit_test(tensors_pull_as_their_energy_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
