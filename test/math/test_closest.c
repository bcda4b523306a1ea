/* SPDX-License-Identifier: MIT */
/* Closest points. A point c of a triangle is the nearest to p if and only if (p − c)·(q − c) ≤ 0 for its corners q:
 * that is checked. Coordinates are in [-1, 1]; each product of differences has an error of some 20 u times 12, u =
 * 2⁻⁵³; feet on thin triangles are off by more, up to u over their height, but then c is off along p's level: 1e-13 for
 * triangles that are not thin, 1e-9 for any. Distances of two triangles are compared with samples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/closest.h"

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)(*state >> 11) * 0x1p-52 - 1.0;
}

static vec3 random_point(uint64_t *state)
{
    double x = uniform(state), y = uniform(state);
    return v3(x, y, uniform(state));
}

static double excess(vec3 p, const vec3 x[3])
{
    closest_on_triangle c = closest_point_triangle(p, x);
    double sum = c.b[0] + c.b[1] + c.b[2], most = fabs(sum - 1);
    for (int i = 0; i < 3; i++) {
        assert_true(c.b[i] >= 0 && c.b[i] <= 1);
        most = fmax(most, v3_dot(v3_sub(p, c.point), v3_sub(x[i], c.point)));
    }
    assert_true(c.distance_sq == v3_len_sq(v3_sub(p, c.point)));
    return most;
}

static void a_triangle_has_no_point_nearer_than_the_closest(void **state)
{
    (void)state;
    uint64_t random = 1;
    double most = 0;
    for (int k = 0; k < 200000; k++) {
        vec3 p = random_point(&random), x[3] = {random_point(&random), random_point(&random), random_point(&random)};
        if (v3_len(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]))) < 0.1)
            continue;
        most = fmax(most, excess(p, x));
    }
    print_message("largest excess: %g\n", most);
    assert_true(most < 1e-13);
}

static void thin_and_degenerate_triangles_are_segments_and_points(void **state)
{
    (void)state;
    uint64_t random = 2;
    double most = 0;
    for (int k = 0; k < 100000; k++) {
        vec3 p = random_point(&random), a = random_point(&random), b = random_point(&random);
        double t = uniform(&random), thin = k % 4 == 0 ? 0 : pow(10, -16 + 14 * fabs(uniform(&random)));
        vec3 x[3] = {a, b, v3_madd(v3_madd(a, t, v3_sub(b, a)), thin, random_point(&random))};
        most = fmax(most, excess(p, x));
        vec3 point[3] = {a, a, a};
        assert_true(closest_point_triangle(p, point).distance_sq == v3_len_sq(v3_sub(p, a)));
    }
    print_message("largest excess: %g\n", most);
    assert_true(most < 1e-9);
}

enum { CUTS = 24 };

static vec3 sample(const vec3 x[3], int i, int j)
{
    double u = (double)i / CUTS, v = (double)j / CUTS;
    return v3_madd(v3_madd(x[0], u, v3_sub(x[1], x[0])), v, v3_sub(x[2], x[0]));
}

/* Nearest of the samples of a to the triangle b: too large by no more than the samples lie apart. */
static double sampled(const vec3 a[3], const vec3 b[3])
{
    double least = HUGE_VAL;
    for (int i = 0; i <= CUTS; i++)
        for (int j = 0; i + j <= CUTS; j++)
            least = fmin(least, closest_point_triangle(sample(a, i, j), b).distance_sq);
    return sqrt(least);
}

static void distances_of_triangles_are_those_of_their_samples(void **state)
{
    (void)state;
    uint64_t random = 3;
    int n_crossing = 0;
    for (int k = 0; k < 3000; k++) {
        vec3 a[3], b[3], away = v3_scale(2.0 * (k % 3), random_point(&random));
        for (int i = 0; i < 3; i++) {
            a[i] = random_point(&random);
            b[i] = v3_add(random_point(&random), away);
        }
        double d = closest_triangles(a, b), other = sampled(a, b), spacing = 2 * sqrt(3.0) / CUTS;
        assert_true(d <= other + 1e-12 && d >= other - spacing);
        assert_true(fabs(closest_triangles(b, a) - d) <= 1e-12);
        n_crossing += d == 0;
    }
    print_message("%d of 3000 cross\n", n_crossing);
    assert_true(n_crossing > 100);
}

static void distances_of_segments_are_those_of_flat_triangles(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int k = 0; k < 20000; k++) {
        vec3 a = random_point(&random), b = random_point(&random), c = random_point(&random), d = random_point(&random);
        if (k % 3 == 0) /* parallel */
            d = v3_madd(c, uniform(&random), v3_sub(b, a));
        double least = HUGE_VAL, found = sqrt(closest_segments_sq(a, b, c, d));
        for (int i = 0; i <= 100; i++) {
            vec3 p = v3_madd(a, 0.01 * i, v3_sub(b, a)), flat[3] = {c, d, c};
            least = fmin(least, closest_point_triangle(p, flat).distance_sq);
        }
        least = sqrt(least);
        assert_true(found <= least + 1e-12 && found >= least - 0.02 * sqrt(3.0));
    }
    vec3 a = v3(0, 0, 0), b = v3(1, 0, 0);
    assert_true(closest_segments_sq(a, b, a, b) == 0);
    assert_true(closest_segments_sq(a, a, b, b) == 1);
    assert_true(closest_segments_sq(a, b, v3(0.5, 1, -1), v3(0.5, 1, 1)) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_has_no_point_nearer_than_the_closest),
        cmocka_unit_test(thin_and_degenerate_triangles_are_segments_and_points),
        cmocka_unit_test(distances_of_triangles_are_those_of_their_samples),
        cmocka_unit_test(distances_of_segments_are_those_of_flat_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
