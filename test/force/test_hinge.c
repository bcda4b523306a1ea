/* SPDX-License-Identifier: MIT */
#include "force/hinge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "force/check_energy.h"
#include "force/dihedral.h"

#include <cmocka.h>

#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void fold(double angle, vec3 x[4])
{
    x[0] = v3(0.01, 0.0, 0.02);
    x[1] = v3(0.06, 0.0, 0.02);
    x[2] = v3_add(x[0], v3(0.02, 0.04, 0.0));
    x[3] = v3_add(x[0], v3(0.035, -0.03 * weft_cos(angle), -0.03 * weft_sin(angle)));
}

static double hinge_fn(const vec3 *x, const void *par, bool psd, vec3 *g, mat3 *h)
{
    return hinge_eval(x, par, psd, g, h);
}

static void derivatives_match_differences(void **state)
{
    (void)state;
    const hinge_par flat = {.k = 2e-5}, crease = {.k = 2e-5, .rest = 1.2};
    const hinge_par damped = {.k = 2e-5, .rest = 0.2, .drag = 3.0, .past = -0.4};
    const double angles[] = {0.0, 0.5, -1.4, 2.8};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        vec3 x[4];
        fold(angles[i], x);
        energy_report r[] = {energy_check(hinge_fn, &flat, x, 4, 0.03), energy_check(hinge_fn, &crease, x, 4, 0.03),
                             energy_check(hinge_fn, &damped, x, 4, 0.03)};
        energy_assert("hinge", &r[0], true);
        energy_assert("hinge, rest angle", &r[1], true);
        energy_assert("hinge, damped", &r[2], true);
    }
}

/* At rest the exact Hessian has only the psd term: the same operations but for adding 0 · ∇²θ. The angle is rest to a
 * few eps, and ∇²θ is of the size of ∇θ∇θᵀ. */
static void psd_hessian_is_exact_at_rest(void **state)
{
    (void)state;
    vec3 x[4];
    mat3 exact[BLOCKS(4)], psd[BLOCKS(4)];
    fold(0.8, x);
    const hinge_par p = {.k = 1.0, .rest = 0.8, .drag = 0.5, .past = 0.8};
    hinge_eval(x, &p, false, NULL, exact);
    hinge_eval(x, &p, true, NULL, psd);
    double size = 1.5 / (0.03 * 0.03);
    for (int i = 0; i < BLOCKS(4) * 9; i++)
        assert_close(exact[i / 9].m[i % 9], psd[i / 9].m[i % 9], 1e-14 * size);
}

/* From θ = π − d to −π + d: the angle changes by 2d, the energy by slope · 2d ≤ k (1 + drag) π · 2d. */
static void energy_has_no_jump_where_a_fold_passes_through_pi(void **state)
{
    (void)state;
    const hinge_par p = {.k = 1.0, .rest = 2.5, .drag = 2.0, .past = 3.0};
    const double d = 1e-7;
    vec3 x[4];
    fold(WEFT_PI - d, x);
    double before = hinge_eval(x, &p, true, NULL, NULL);
    fold(WEFT_PI + d, x);
    assert_true(dihedral_angle(x) < 0.0);
    assert_close(hinge_eval(x, &p, true, NULL, NULL), before, 3.0 * WEFT_PI * 2.0 * d);
}

/* The three edges of an equilateral triangle, z = ½ κ (distance along a direction)². Slopes are ≤ 1e-5, so angles
 * differ from linear theory by 1e-10 at most; each edge belongs to two triangles. */
static void equilateral_mesh_has_the_energy_of_a_cylinder(void **state)
{
    (void)state;
    const double b = 3e-5, kappa = 1e-4, len = 0.05, area = 0.25 * sqrt(3.0) * len * len;
    for (int a = 0; a < 12; a++) {
        double along = 0.3 * a, energy = 0.0;
        for (int e = 0; e < 3; e++) {
            double turn = 2.0 * WEFT_PI / 3.0 * e;
            const double r[4] = {0.5 * len, 0.5 * len, sqrt(0.75) * len, sqrt(0.75) * len};
            const double at[4] = {turn + WEFT_PI, turn, turn + 0.5 * WEFT_PI, turn - 0.5 * WEFT_PI};
            vec2 uv[4];
            vec3 x[4];
            for (int i = 0; i < 4; i++) {
                uv[i] = (vec2){r[i] * weft_cos(at[i]), r[i] * weft_sin(at[i])};
                double s = uv[i].u * weft_cos(along) + uv[i].v * weft_sin(along);
                x[i] = v3(uv[i].u, uv[i].v, 0.5 * kappa * s * s);
            }
            const hinge_par p = {.k = hinge_stiffness(uv, b, b)};
            energy += 0.5 * hinge_eval(x, &p, true, NULL, NULL);
        }
        double exact = 0.5 * b * kappa * kappa * area;
        assert_close(energy, exact, 1e-9 * exact);
    }
}

static void rigidity_is_that_across_the_edge(void **state)
{
    (void)state;
    const vec2 along_weft[4] = {{0, 0}, {0, 0.1}, {-0.1, 0.05}, {0.1, 0.05}};
    const vec2 along_warp[4] = {{0, 0}, {0.1, 0}, {0.05, 0.1}, {0.05, -0.1}};
    assert_close(hinge_stiffness(along_weft, 7.0, 2.0), 7.0, 1e-14);
    assert_close(hinge_stiffness(along_warp, 7.0, 2.0), 2.0, 1e-14);
    const vec2 none[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    assert_true(hinge_stiffness(none, 7.0, 2.0) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_match_differences),
        cmocka_unit_test(psd_hessian_is_exact_at_rest),
        cmocka_unit_test(energy_has_no_jump_where_a_fold_passes_through_pi),
        cmocka_unit_test(equilateral_mesh_has_the_energy_of_a_cylinder),
        cmocka_unit_test(rigidity_is_that_across_the_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
