/* SPDX-License-Identifier: MIT */
#include "force/membrane.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "force/check_energy.h"

#include <cmocka.h>

/* Not for NAN either. */
#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static const vec2 corners[3] = {{0.10, 0.20}, {0.16, 0.21}, {0.12, 0.25}};
#define SIZE 0.05

#define E_WARP 800.0
#define E_WEFT 300.0
#define SHEAR 40.0
#define POISSON 0.3

static double membrane_fn(const vec3 *x, const void *par, bool psd, vec3 *g, mat3 *h)
{
    return membrane_eval(x, par, psd, g, h);
}

static membrane_par cotton(void)
{
    membrane_par p = {.limit = 0.0};
    membrane_moduli(E_WARP, E_WEFT, SHEAR, POISSON, &p);
    assert_true(membrane_rest(corners, &p));
    return p;
}

/* Corner 0 at the origin, so that a tiny F keeps its digits. */
static void place(vec3 fu, vec3 fv, vec3 x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = v3_madd(v3_scale(corners[i].u - corners[0].u, fu), corners[i].v - corners[0].v, fv);
}

static void check_at(const char *name, const membrane_par *p, vec3 fu, vec3 fv)
{
    vec3 x[3];
    place(fu, fv, x);
    energy_report r = energy_check(membrane_fn, p, x, 3, SIZE);
    energy_assert(name, &r, true);
}

static const vec3 along_x = {1, 0, 0}, along_y = {0, 1, 0};

static void membrane_derivatives_match_differences(void **state)
{
    (void)state;
    membrane_par p = cotton();
    check_at("at rest", &p, along_x, along_y);
    check_at("pulled both ways", &p, v3(1.1, 0.1, 0.0), v3(-0.1, 1.2, 0.1));
    check_at("pulled and sheared", &p, v3(0.9, 0.3, 0.5), v3(0.6, 0.7, 0.6));
    check_at("sheared the other way", &p, v3(0.9, 0.3, 0.5), v3(-0.6, 0.9, -0.2));
    check_at("compressed both ways", &p, v3(0.6, 0.1, 0.2), v3(0.0, 0.7, 0.1));
    check_at("warp crushed", &p, v3(0.05, 0.02, 0.01), v3(0.0, 1.3, 0.1));
}

static void damped_membrane_derivatives_match_differences(void **state)
{
    (void)state;
    membrane_par p = cotton();
    p.drag = 2.5;
    p.past[0] = 0.1;
    p.past[1] = -0.05;
    p.past[2] = 0.2;
    check_at("damped, pulled", &p, v3(1.2, 0.1, 0.0), v3(-0.1, 1.1, 0.1));
    check_at("damped, sheared", &p, v3(0.9, 0.3, 0.5), v3(-0.6, 0.9, -0.2));
}

static void limited_membrane_derivatives_match_differences(void **state)
{
    (void)state;
    membrane_par p = cotton();
    p.limit = 1.2;
    p.drag = 0.5;
    check_at("limit 1.2, warp at 1.15, weft at 1.05", &p, v3(1.15, 0.0, 0.0), v3(0.1, 1.04, 0.1));
    check_at("limit 1.2, both at 1.17", &p, v3(1.17, 0.1, 0.0), v3(0.0, 1.17, 0.05));
    check_at("limit 1.2, warp at 1.3", &p, v3(1.3, 0.0, 0.0), v3(0.1, 0.9, 0.2));
}

static void strains_are_stretch_and_shear(void **state)
{
    (void)state;
    membrane_par p = cotton();
    vec3 x[3];
    double s[3];
    place(v3(0.0, 1.5, 0.0), v3(0.0, 0.3, -0.4), x);
    membrane_strain(x, &p, s);
    /* rounding of F: eps · |b| |x| ≤ 1e-15 */
    assert_close(s[0], 0.5, 1e-14);
    assert_close(s[1], -0.5, 1e-14);
    assert_close(s[2], 0.45, 1e-14);
}

/* Stresses in N/m: P[F_u or F_v][x or y], derivatives of the energy per area. */
static void stress(const membrane_par *p, vec3 fu, vec3 fv, double by[2][2])
{
    vec3 x[3], g[3];
    place(fu, fv, x);
    membrane_eval(x, p, false, g, NULL);
    by[0][0] = by[0][1] = by[1][0] = by[1][1] = 0.0;
    for (int i = 0; i < 3; i++) {
        double u = corners[i].u / p->area, v = corners[i].v / p->area;
        by[0][0] += g[i].x * u;
        by[0][1] += g[i].y * u;
        by[1][0] += g[i].x * v;
        by[1][1] += g[i].y * v;
    }
}

/* Hooke's law at any strain, so all error is rounding: eps · c11 · (|b||x| ≈ 4) / (E · strain), 1e-12 at 1e-3. */
static void pull_along_a_thread_has_the_modulus_asked_for(void **state)
{
    (void)state;
    membrane_par p = cotton();
    const double strains[] = {-0.1, 1e-3, 0.01, 0.5};
    double by[2][2], nu_warp = POISSON * sqrt(E_WARP / E_WEFT), nu_weft = POISSON * sqrt(E_WEFT / E_WARP);
    for (int i = 0; i < 4; i++) {
        double e = strains[i];
        stress(&p, v3(1.0 + e, 0, 0), v3(0, 1.0 - nu_warp * e, 0), by);
        assert_close(by[0][0] / e, E_WARP, 4e-12 * E_WARP);
        assert_close(by[1][1] / e, 0.0, 4e-12 * E_WARP); /* free sides: nu_warp is the Poisson number */
        stress(&p, v3(1.0 - nu_weft * e, 0, 0), v3(0, 1.0 + e, 0), by);
        assert_close(by[1][1] / e, E_WEFT, 4e-12 * E_WARP);
        assert_close(by[0][0] / e, 0.0, 4e-12 * E_WARP);
    }
}

/* γ = 1e-4: threads also lengthen, by γ²/2 in simple shear and γ²/8 in pure shear, which turned by γ adds c22 γ³/2
 * to the shear stress: c22/G · γ²/2 ≤ 5e-8 of it. Rounding: eps · c11/(G γ) · 4 ≤ 1e-10. */
static void shear_has_the_modulus_asked_for(void **state)
{
    (void)state;
    membrane_par p = cotton();
    double by[2][2], gamma = 1e-4;
    stress(&p, along_x, v3(gamma, 1.0, 0.0), by);
    assert_close(by[1][0] / gamma, SHEAR, 5e-8 * SHEAR);
    stress(&p, v3(1.0, 0.5 * gamma, 0.0), v3(0.5 * gamma, 1.0, 0.0), by);
    assert_close(0.5 * (by[1][0] + by[0][1]) / gamma, SHEAR, 5e-8 * SHEAR);
}

static void membrane_energy_does_not_depend_on_the_mesh(void **state)
{
    (void)state;
    membrane_par p = cotton();
    const vec3 fu = {1.1, 0.2, 0.1}, fv = {-0.3, 0.9, 0.2};
    vec3 x[3];
    place(fu, fv, x);
    double whole = membrane_eval(x, &p, false, NULL, NULL), parts = 0.0;
    vec2 middle = {0.4 * corners[0].u + 0.6 * corners[1].u, 0.4 * corners[0].v + 0.6 * corners[1].v};
    for (int k = 0; k < 2; k++) {
        const vec2 part[3] = {k == 0 ? corners[0] : middle, k == 0 ? middle : corners[1], corners[2]};
        assert_true(membrane_rest(part, &p));
        for (int i = 0; i < 3; i++)
            x[i] = v3_madd(v3_scale(part[i].u, fu), part[i].v, fv);
        parts += membrane_eval(x, &p, false, NULL, NULL);
    }
    assert_close(parts / whole, 1.0, 1e-13);
}

static void psd_membrane_hessian_is_exact_at_rest_and_under_tension(void **state)
{
    (void)state;
    membrane_par p = cotton();
    const double stretches[] = {1.0, 1.2};
    for (int k = 0; k < 2; k++) {
        vec3 x[3];
        mat3 exact[6], psd[6];
        place(v3_scale(stretches[k], along_x), v3_scale(stretches[k], along_y), x);
        membrane_eval(x, &p, false, NULL, exact);
        membrane_eval(x, &p, true, NULL, psd);
        for (int b = 0; b < 6; b++)
            for (int i = 0; i < 9; i++) /* at rest the stresses are rounding: eps of the moduli */
                assert_close(psd[b].m[i], exact[b].m[i], 1e-14 * exact[0].m[0]);
    }
}

static void damping_leaves_rigid_motion_alone(void **state)
{
    (void)state;
    membrane_par p = cotton();
    vec3 x[3], g[3];
    place(v3(1.1, 0.2, 0.1), v3(-0.3, 0.9, 0.2), x);
    membrane_eval(x, &p, false, g, NULL);
    membrane_par damped = p;
    damped.drag = 10.0;
    membrane_strain(x, &p, damped.past);
    vec3 turned[3], g_turned[3]; /* a quarter turn: x → y → −x */
    for (int i = 0; i < 3; i++)
        turned[i] = v3(-x[i].y + 3.0, x[i].x - 1.0, x[i].z + 2.0);
    membrane_eval(turned, &damped, false, g_turned, NULL);
    for (int i = 0; i < 3; i++) {
        /* Positions round by eps · 3 m, strains by that over 0.05 m, forces by c11 (1 + drag) · width of it. */
        double rounding = 2.3e-16 * 3.0 / SIZE * E_WARP * 11.0 * SIZE;
        assert_true(v3_len(v3_sub(g_turned[i], v3(-g[i].y, g[i].x, g[i].z))) <= 4.0 * rounding);
    }
}

/* Nodes live on a grid of 2⁻³² m, so that their differences are exact anywhere within 256 m. */
static void strain_has_the_same_bits_far_from_the_origin(void **state)
{
    (void)state;
    membrane_par p = cotton();
    vec3 x[3], far[3];
    double s[3], s_far[3];
    place(v3(1.1, 0.2, 0.1), v3(-0.3, 0.9, 0.2), x);
    for (int i = 0; i < 3; i++) {
        x[i] = v3(floor(x[i].x * 0x1p32) * 0x1p-32, floor(x[i].y * 0x1p32) * 0x1p-32, floor(x[i].z * 0x1p32) * 0x1p-32);
        far[i] = v3_add(x[i], v3(-200.0, 250.0, 99.0));
    }
    membrane_strain(x, &p, s);
    membrane_strain(far, &p, s_far);
    assert_memory_equal(s, s_far, sizeof s);
}

static void assert_all_finite(const membrane_par *p, vec3 fu, vec3 fv)
{
    vec3 x[3], g[3];
    mat3 h[6];
    place(fu, fv, x);
    for (int psd = 0; psd < 2; psd++) {
        assert_true(isfinite(membrane_eval(x, p, psd, g, h)));
        for (int i = 0; i < 3; i++)
            assert_true(v3_is_finite(g[i]));
        for (int i = 0; i < 54; i++)
            assert_true(isfinite(h[i / 9].m[i % 9]));
    }
}

static void collapsed_membrane_is_finite(void **state)
{
    (void)state;
    membrane_par p = cotton();
    p.limit = 1.1;
    p.drag = 1.0;
    const double sizes[] = {0.0, 1e-320, 1e-170, 1e-155, 1e-140, 1e-30};
    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++) {
        assert_all_finite(&p, v3_scale(sizes[i], along_x), along_y);
        assert_all_finite(&p, along_x, v3_scale(sizes[i], along_x));
        assert_all_finite(&p, v3_scale(sizes[i], along_x), v3_scale(5.0, along_y)); /* c12 makes σ₁ pull */
        assert_all_finite(&p, v3_scale(sizes[i], along_x), v3_scale(sizes[i], along_y));
    }
}

static void rest_shape_is_recovered_for_either_winding(void **state)
{
    (void)state;
    const vec2 turned[3] = {corners[0], corners[2], corners[1]};
    membrane_par p = cotton(), q = cotton();
    assert_true(membrane_rest(turned, &q));
    assert_close(p.area, 0.5 * (0.06 * 0.05 - 0.02 * 0.01), 1e-16);
    assert_true(p.area == q.area);
    for (int i = 0; i < 3; i++) {
        assert_close(p.bu[i], q.bu[i == 0 ? 0 : 3 - i], 1e-13);
        assert_close(p.bv[i], q.bv[i == 0 ? 0 : 3 - i], 1e-13);
    }
}

static void triangle_without_area_is_refused(void **state)
{
    (void)state;
    membrane_par p;
    assert_false(membrane_rest((const vec2[3]){{0.1, 0.1}, {0.1, 0.1}, {0.3, 0.2}}, &p));
    assert_false(membrane_rest((const vec2[3]){{0.1, 0.1}, {0.2, 0.3}, {0.3, 0.5}}, &p));
    assert_false(membrane_rest((const vec2[3]){{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, &p));
    assert_false(membrane_rest((const vec2[3]){{0.0, 0.0}, {(double)NAN, 0.0}, {0.0, 1.0}}, &p));
}

static void moduli_without_coupling_are_the_plain_ones(void **state)
{
    (void)state;
    membrane_par p = cotton();
    membrane_moduli(E_WARP, E_WEFT, SHEAR, 0.0, &p);
    assert_true(p.c11 == E_WARP && p.c22 == E_WEFT && p.c12 == 0.0 && p.c33 == SHEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(membrane_derivatives_match_differences),
        cmocka_unit_test(damped_membrane_derivatives_match_differences),
        cmocka_unit_test(limited_membrane_derivatives_match_differences),
        cmocka_unit_test(strains_are_stretch_and_shear),
        cmocka_unit_test(pull_along_a_thread_has_the_modulus_asked_for),
        cmocka_unit_test(shear_has_the_modulus_asked_for),
        cmocka_unit_test(membrane_energy_does_not_depend_on_the_mesh),
        cmocka_unit_test(psd_membrane_hessian_is_exact_at_rest_and_under_tension),
        cmocka_unit_test(damping_leaves_rigid_motion_alone),
        cmocka_unit_test(strain_has_the_same_bits_far_from_the_origin),
        cmocka_unit_test(collapsed_membrane_is_finite),
        cmocka_unit_test(rest_shape_is_recovered_for_either_winding),
        cmocka_unit_test(triangle_without_area_is_refused),
        cmocka_unit_test(moduli_without_coupling_are_the_plain_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
