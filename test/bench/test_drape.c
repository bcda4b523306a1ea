/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "papers/villard/drape.h"

#include <cmocka.h>

enum { N = 41 };
static const double pi = 3.14159265358979323846;

/* A square of side 1 about the origin, at height y, N × N nodes; every node is moved outward so that the border has
 * `waves` of the given height, and by a noise of up to `noise`. */
static drape wavy(double y, int waves, double height, double noise)
{
    drape d = {.side = 1};
    d.mesh.n_nodes = N * N;
    d.mesh.n_triangles = 2 * (N - 1) * (N - 1);
    d.mesh.positions = calloc(N * N, sizeof *d.mesh.positions);
    d.mesh.uv = calloc(N * N, sizeof *d.mesh.uv);
    d.mesh.triangles = calloc(3 * (size_t)d.mesh.n_triangles, sizeof *d.mesh.triangles);
    assert_true(d.mesh.positions && d.mesh.uv && d.mesh.triangles);
    uint32_t random = 1;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double u = (double)i / (N - 1) - 0.5, v = (double)j / (N - 1) - 0.5, phi = atan2(v, u);
            double reach = 2 * fmax(fabs(u), fabs(v)); /* 1 on the border */
            random = random * 1664525u + 1013904223u;
            double r = 0.4 + 0.5 * height * cos(waves * phi) + noise * ((random >> 8) / 16777216.0 - 0.5);
            d.mesh.uv[i + N * j] = (weft_vec2){u, v};
            d.mesh.positions[i + N * j] = (weft_vec3){reach * r * cos(phi), y, reach * r * sin(phi)};
        }
    int32_t *t = d.mesh.triangles;
    for (int j = 0; j < N - 1; j++)
        for (int i = 0; i < N - 1; i++) {
            int32_t a = i + N * j;
            const int32_t two[6] = {a, a + 1, a + N + 1, a, a + N + 1, a + N};
            for (int k = 0; k < 6; k++)
                *t++ = two[k];
        }
    return d;
}

static void folds_are_the_waves_of_the_hem(void **test)
{
    (void)test;
    for (int waves = 2; waves <= 13; waves++) {
        drape d = wavy(0, waves, 0.1, 0);
        double from, to;
        assert_int_equal(drape_folds(&d, 0.03, &from, &to), waves);
        /* Down to nothing; up to what the nodes nearest to the crests and troughs leave of the height. */
        assert_true(from <= 0.0011 && to > 0.08 && to <= 0.1);
        drape_free(&d);
    }
}

static void noise_below_the_share_counts_for_nothing(void **test)
{
    (void)test;
    drape d = wavy(0, 5, 0.1, 0.02);
    double from, to;
    assert_int_equal(drape_folds(&d, 0.03, &from, &to), 5);
    assert_true(from > 0.005 && from <= 0.021); /* the noise would be counted there */
    drape_free(&d);
    d = wavy(0, 5, 0.02, 0);
    assert_int_equal(drape_folds(&d, 0.03, &from, &to), 0);
    drape_free(&d);
}

static void parallel_planes_are_as_far_apart_as_they_are(void **test)
{
    (void)test;
    drape a = wavy(0, 0, 0, 0), b = wavy(0.0125, 0, 0, 0);
    double mean, most;
    assert_true(drape_distance(&a, &b, 0, &mean, &most));
    assert_true(fabs(mean - 0.0125) < 1e-15 && fabs(most - 0.0125) < 1e-15);
    drape_free(&a);
    drape_free(&b);
}

static void the_right_turn_brings_a_drape_on_to_itself(void **test)
{
    (void)test;
    drape a = wavy(0, 4, 0.1, 0);
    double mean, most, off;
    assert_true(drape_distance(&a, &a, pi / 2, &mean, &most));
    assert_true(mean < 1e-15 && most < 1e-15);
    assert_true(drape_distance(&a, &a, pi / 4, &off, &most));
    assert_true(off > 1e-3);
    drape_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_are_the_waves_of_the_hem),
        cmocka_unit_test(noise_below_the_share_counts_for_nothing),
        cmocka_unit_test(parallel_planes_are_as_far_apart_as_they_are),
        cmocka_unit_test(the_right_turn_brings_a_drape_on_to_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
