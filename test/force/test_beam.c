/* SPDX-License-Identifier: MIT */
#include "force/beam.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "math/trig.h"
#include "force/check_energy.h"

#include <cmocka.h>

#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* Segments of 3 and 5 cm in a slanted plane. */
static void bend_by(double angle, vec3 x[3])
{
    const vec3 u = {0.6, 0.0, 0.8}, w = {0.64, 0.6, -0.48}; /* of unit length, at right angles */
    x[1] = v3(0.02, -0.01, 0.03);
    x[0] = v3_madd(x[1], -0.03, u);
    x[2] = v3_madd(v3_madd(x[1], 0.05 * weft_cos(angle), u), 0.05 * weft_sin(angle), w);
}

static double beam_fn(const vec3 *x, const void *par, bool psd, vec3 *g, mat3 *h)
{
    return beam_eval(x, par, psd, g, h);
}

static void check_at(const char *name, const beam_par *p, double angle)
{
    vec3 x[3];
    bend_by(angle, x);
    energy_report r = energy_check(beam_fn, p, x, 3, 0.03);
    energy_assert(name, &r, true);
}

static void derivatives_match_differences(void **state)
{
    (void)state;
    const beam_par p = {.k = 3e-4};
    check_at("straight", &p, 0.0);
    check_at("0.3 rad", &p, 0.3);
    check_at("a right angle", &p, 1.5);
    check_at("2.7 rad", &p, 2.7);
}

static void damped_derivatives_match_differences(void **state)
{
    (void)state;
    const beam_par p = {.k = 3e-4, .drag = 2.0, .past = 0.8}, from_straight = {.k = 3e-4, .drag = 2.0};
    check_at("damped, less bent than before", &p, 0.5);
    check_at("damped, more bent than before", &p, 1.2);
    check_at("damped, straight before", &from_straight, 0.5);
    check_at("damped, straight before and now", &from_straight, 0.0);
}

static void energy_is_half_k_angle_squared(void **state)
{
    (void)state;
    const beam_par p = {.k = 2.0};
    const double angles[] = {1e-12, 1e-6, 0.01, 0.5, 2.0, 3.1};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        vec3 x[3];
        bend_by(angles[i], x);
        assert_close(beam_angle(x), angles[i], 16.0 * DBL_EPSILON); /* as for coordinates rounded by eps/2 */
        assert_close(beam_eval(x, &p, true, NULL, NULL), angles[i] * angles[i], angles[i] * 32.0 * DBL_EPSILON);
    }
}

/* At θ = 0 both are W'/θ (P, −P; −P, P) over the lengths; W' is linear there, so nothing but rounding differs. */
static void psd_hessian_is_exact_when_straight(void **state)
{
    (void)state;
    const vec3 x[3] = {{0, 0, 0}, {0.03, 0, 0}, {0.08, 0, 0}};
    const beam_par p[] = {{.k = 1.0}, {.k = 1.0, .drag = 2.0}, {.k = 1.0, .drag = 0.5, .past = 0.3}};
    for (int k = 0; k < 3; k++) {
        mat3 exact[BLOCKS(3)], psd[BLOCKS(3)];
        beam_eval(x, &p[k], false, NULL, exact);
        beam_eval(x, &p[k], true, NULL, psd);
        for (int i = 0; i < BLOCKS(3) * 9; i++)
            assert_close(exact[i / 9].m[i % 9], psd[i / 9].m[i % 9], 1e-14 * 3.0 / (0.03 * 0.03));
    }
}

/* Near θ = past both branches have the slope k θ + k drag (θ − past) to first order: to 2d² drag/past · k at distance
 * d. */
static void damping_slope_is_smooth_about_past(void **state)
{
    (void)state;
    const beam_par p = {.k = 1.0, .drag = 4.0, .past = 0.8};
    const double d = 1e-3;
    for (int side = -1; side <= 1; side += 2) {
        vec3 x[3], g[3];
        double angle = p.past + side * d;
        bend_by(angle, x);
        beam_eval(x, &p, true, g, NULL);
        double slope = v3_len(g[0]) * 0.03;
        assert_close(slope, p.k * angle + p.k * p.drag * side * d, 2.0 * d * d * p.drag / p.past);
    }
}

/* The force has the size W'/ℓ for every angle, also next to straight and next to folded; there is no NAN at either. */
static void forces_are_bounded_and_finite_everywhere(void **state)
{
    (void)state;
    const beam_par plain = {.k = 1.0}, damped = {.k = 1.0, .drag = 1.0, .past = 1.0};
    const double d[] = {0.0, 1e-300, 1e-18, 1e-13, 1e-9, 1e-5};
    for (int k = 0; k < 24; k++) {
        const beam_par *p = k & 1 ? &plain : &damped;
        double off = d[k / 4];
        vec3 x[3] = {{-0.03, 0, 0}, {0, 0, 0}, {k & 2 ? -0.05 : 0.05, 0.05 * off, 0}}, g[3];
        mat3 h[BLOCKS(3)];
        for (int psd = 0; psd < 2; psd++) {
            assert_true(isfinite(beam_eval(x, p, psd, g, h)));
            for (int i = 0; i < 3; i++)
                assert_true(v3_len(g[i]) <= 2.0 * WEFT_PI * (1.0 / 0.03 + 1.0 / 0.05));
            for (int i = 0; i < BLOCKS(3) * 9; i++)
                assert_true(isfinite(h[i / 9].m[i % 9]));
        }
    }
}

static void segments_without_length_have_no_force(void **state)
{
    (void)state;
    const beam_par p = {.k = 1.0};
    const vec3 x[3] = {{0.1, 0, 0}, {0.1, 0, 0}, {0.2, 0.1, 0}};
    vec3 g[3];
    mat3 h[BLOCKS(3)];
    assert_true(beam_eval(x, &p, false, g, h) == 0.0);
    for (int i = 0; i < 3; i++)
        assert_true(v3_max_abs(g[i]) == 0.0);
}

/* A polygon of n sides in a circle: θ = ℓ/R at each node but for O(ℓ²/R²): k = B w/ℓ, so n nodes make ½ B w (1/R²) 2πR
 * with the relative error of (chord/arc)⁻¹, (π/n)²/6 to leading order. */
static void circle_has_the_energy_of_a_bent_strip(void **state)
{
    (void)state;
    const int n = 60;
    const double radius = 0.1, rigidity_width = 1e-5 * 0.02, step = 2.0 * WEFT_PI / n;
    const double len = 2.0 * radius * weft_sin(0.5 * step);
    const beam_par p = {.k = 2.0 * rigidity_width / (2.0 * len)};
    double energy = 0.0, exact = 0.5 * rigidity_width / radius * 2.0 * WEFT_PI, off = WEFT_PI / n;
    for (int i = 0; i < n; i++) {
        vec3 x[3];
        for (int j = 0; j < 3; j++)
            x[j] = v3(radius * weft_cos(step * (i + j)), radius * weft_sin(step * (i + j)), 0.0);
        energy += beam_eval(x, &p, true, NULL, NULL);
    }
    assert_close(energy / exact, 1.0 + off * off / 6.0, off * off * off * off);
}

/* Solves a y = b in place, 9 rows, a positive definite. */
static void solve9(double a[9][9], double b[9])
{
    for (int k = 0; k < 9; k++) {
        for (int i = k + 1; i < 9; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < 9; j++)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int i = 8; i >= 0; i--) {
        for (int j = i + 1; j < 9; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

/* Newton's method on beam + ½ hold |x − start|²; returns the steps to |gradient| ≤ 1e-12 of its first value. */
static int newton(const beam_par *p, bool psd, double hold, vec3 x[3])
{
    vec3 start[3], g[3];
    mat3 h[BLOCKS(3)];
    double first = 0.0;
    memcpy(start, x, sizeof start);
    for (int step = 0; step < 100; step++) {
        double a[9][9] = {{0}}, b[9], size = 0.0;
        beam_eval(x, p, psd, g, h);
        for (int i = 0; i < 9; i++) {
            for (int j = 0; j < 9; j++) {
                int r = i / 3, c = j / 3;
                a[i][j] =
                    (r <= c ? h[block_of(3, r, c)].m[i % 3 * 3 + j % 3] : h[block_of(3, c, r)].m[j % 3 * 3 + i % 3]) +
                    (i == j ? hold : 0.0);
            }
        }
        for (int i = 0; i < 3; i++) {
            vec3 total = v3_madd(g[i], hold, v3_sub(x[i], start[i]));
            memcpy(&b[3 * i], &total, sizeof total);
            size = fmax(size, v3_max_abs(total));
        }
        first = step == 0 ? size : first;
        if (size <= 1e-12 * first)
            return step;
        solve9(a, b);
        for (int i = 0; i < 3; i++)
            x[i] = v3_sub(x[i], v3(b[3 * i], b[3 * i + 1], b[3 * i + 2]));
    }
    return 100;
}

/* As in an implicit step with mass/h² = hold, four times k/ℓ², so that E is convex on the way. Both Hessians lead to
 * the same place; the stand-in converges linearly, and must gain a digit in three steps or better. */
static void newton_with_psd_hessian_finds_the_same_minimum(void **state)
{
    (void)state;
    const double angles[] = {0.2, 0.7, 1.2};
    for (int i = 0; i < 3; i++) {
        for (int damped = 0; damped < 2; damped++) {
            const beam_par p = {.k = 1e-3, .drag = damped ? 3.0 : 0.0, .past = angles[i]};
            vec3 exact[3], psd[3];
            bend_by(angles[i], exact);
            bend_by(angles[i], psd);
            double hold = 4.0 * p.k / (0.03 * 0.03);
            assert_true(newton(&p, false, hold, exact) <= 8);
            assert_true(newton(&p, true, hold, psd) <= 36);
            for (int k = 0; k < 3; k++)
                assert_true(v3_len(v3_sub(exact[k], psd[k])) <= 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_match_differences),
        cmocka_unit_test(damped_derivatives_match_differences),
        cmocka_unit_test(energy_is_half_k_angle_squared),
        cmocka_unit_test(psd_hessian_is_exact_when_straight),
        cmocka_unit_test(damping_slope_is_smooth_about_past),
        cmocka_unit_test(forces_are_bounded_and_finite_everywhere),
        cmocka_unit_test(segments_without_length_have_no_force),
        cmocka_unit_test(circle_has_the_energy_of_a_bent_strip),
        cmocka_unit_test(newton_with_psd_hessian_finds_the_same_minimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
