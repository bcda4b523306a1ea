/* SPDX-License-Identifier: MIT */
#include "force/air.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "force/check_energy.h"

#include <cmocka.h>

/* Not for NAN either. */
#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static double air_fn(const vec3 *v, const void *par, bool psd, vec3 *g, mat3 *h)
{
    (void)psd;
    return air_eval(v, par, g, h);
}

static const air_par breeze = {
    .area = {2e-4, -1e-4, 3e-4}, .wind = {0.5, -1.0, 0.2}, .drag = 0.7, .skin = 0.05, .viscosity = 0.1};

/* In [−1, 1], the same on every machine. */
static double random_unit(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

static vec3 random_vector(uint64_t *state)
{
    double x = random_unit(state), y = random_unit(state);
    return v3(x, y, random_unit(state));
}

static void check_at(const char *name, const air_par *p, vec3 mean)
{
    const vec3 v[3] = {v3_add(mean, v3(0.3, -0.1, 0.2)), v3_add(mean, v3(-0.2, 0.3, 0.2)),
                       v3_add(mean, v3(-0.1, -0.2, -0.4))};
    energy_report r = energy_check(air_fn, p, v, 3, 1.0);
    energy_assert(name, &r, false);
}

static void air_derivatives_match_differences(void **state)
{
    (void)state;
    air_par drag = breeze, skin = breeze, viscous = breeze;
    drag.skin = drag.viscosity = 0.0;
    skin.drag = skin.viscosity = 0.0;
    viscous.drag = viscous.skin = 0.0;
    check_at("all", &breeze, v3(1.0, 2.0, -3.0));
    check_at("all, from the other side", &breeze, v3(-1.0, -2.0, 3.0));
    check_at("drag", &drag, v3(1.0, 2.0, -3.0));
    check_at("skin", &skin, v3(1.0, 2.0, -3.0));
    check_at("viscosity", &viscous, v3(1.0, 2.0, -3.0));
}

/* The power of the air's force is −∂D/∂w · w = −a (drag |w_n|³ + skin |w_t|³ + viscosity |w|²) in still air. */
static void still_air_only_takes_energy(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < 1000; k++) {
        air_par p = breeze;
        p.wind = v3_zero();
        p.area = v3_scale(1e-3, random_vector(&seed));
        vec3 v[3], g[3];
        double power = 0.0;
        for (int i = 0; i < 3; i++)
            v[i] = v3_scale(5.0, random_vector(&seed));
        double d = air_eval(v, &p, g, NULL);
        for (int i = 0; i < 3; i++)
            power -= v3_dot(g[i], v[i]);
        vec3 w = v3_scale(1.0 / 3.0, v3_add(v3_add(v[0], v[1]), v[2]));
        double a = v3_len(p.area), wn = fabs(v3_dot(w, p.area)) / a, wt = v3_len(v3_cross(w, p.area)) / a;
        double loss = a * (p.drag * wn * wn * wn + p.skin * wt * wt * wt + p.viscosity * v3_len_sq(w));
        /* g·v cancels where the v are not alike: |v| ≤ 8.7 against |w|. */
        assert_close(power, -loss, 1e-14 * (loss + v3_len(g[0]) * 8.7 * 3.0));
        assert_true(power <= 0.0 && d >= 0.0);
    }
}

static void cloth_carried_by_the_wind_feels_none(void **state)
{
    (void)state;
    const vec3 v[3] = {breeze.wind, breeze.wind, breeze.wind};
    vec3 g[3];
    mat3 h[6];
    double d = air_eval(v, &breeze, g, h);
    /* w is the rounding of a mean, so everything is viscosity alone */
    assert_true(fabs(d) <= 1e-30 && v3_len(g[0]) <= 1e-19);
    double a = v3_len(breeze.area);
    for (int b = 0; b < 6; b++)
        for (int i = 0; i < 9; i++)
            assert_close(h[b].m[i], i % 4 == 0 ? a * breeze.viscosity / 9.0 : 0.0, 1e-18);
}

static void air_is_finite_without_flow_or_area(void **state)
{
    (void)state;
    const double speeds[] = {0.0, 1e-320, 1e-170, 1e-155, 1e-140};
    const vec3 directions[] = {{1, 0, 0}, {0, 0, 1}, {1, 1, 1}};
    for (int k = 0; k < 15; k++) {
        vec3 g[3], one = v3_scale(speeds[k / 3], directions[k % 3]);
        const vec3 v[3] = {one, one, one};
        mat3 h[6];
        air_par p = breeze;
        p.wind = v3_zero();
        p.area = v3(0, 0, k % 2 ? 1e-3 : 0.0);
        assert_true(isfinite(air_eval(v, &p, g, h)) && v3_is_finite(g[0]));
        for (int i = 0; i < 9; i++)
            assert_true(isfinite(h[0].m[i]) && fabs(h[0].m[i]) <= 1e-3 * p.viscosity);
    }
}

static void both_sides_feel_the_same(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int k = 0; k < 100; k++) {
        air_par p = breeze, turned = breeze;
        p.area = random_vector(&seed);
        turned.area = v3_neg(p.area);
        vec3 v[3], g[3], g_turned[3];
        for (int i = 0; i < 3; i++)
            v[i] = random_vector(&seed);
        assert_true(air_eval(v, &p, g, NULL) == air_eval(v, &turned, g_turned, NULL));
        assert_memory_equal(g, g_turned, sizeof g);
    }
}

/* A flat sheet of density m falls with m g = drag v² (level) or skin v² (upright); implicit steps
 * m (v' − v)/h = m g − ∂D/∂v per area end there. Convergence: factor ≈ 1/(1 + 2gh/v) ≤ 0.7 a step. */
static void sheet_falls_at_terminal_velocity(void **state)
{
    (void)state;
    const double density = 0.15, gravity = 9.81, h = 0.05;
    for (int upright = 0; upright < 2; upright++) {
        air_par p = {.area = upright ? v3(0.01, 0, 0) : v3(0, 0, 0.01), .drag = 0.6, .skin = 0.3};
        double v = 0.0, terminal = sqrt(density * gravity / (upright ? p.skin : p.drag));
        for (int step = 0; step < 200; step++) {
            double next = v;
            for (int k = 0; k < 20; k++) { /* Newton; the function is monotone */
                const vec3 all[3] = {{0, 0, -next}, {0, 0, -next}, {0, 0, -next}};
                vec3 g[3];
                mat3 b[6];
                air_eval(all, &p, g, b);
                double f = density * ((next - v) / h - gravity) - 3.0 * g[0].z / 0.01;
                next -= f / (density / h + 9.0 * b[0].m[8] / 0.01);
            }
            v = next;
        }
        assert_close(v / terminal, 1.0, 1e-12);
    }
}

typedef struct pressure_par {
    double pressure;
} pressure_par;

static double pressure_fn(const vec3 *x, const void *par, bool psd, vec3 *g, mat3 *h)
{
    const pressure_par *p = par;
    return pressure_eval(x, p->pressure, psd, g, h);
}

static void pressure_derivatives_match_differences(void **state)
{
    (void)state;
    const pressure_par p = {250.0};
    const vec3 x[3] = {{0.1, 0.02, 0.3}, {-0.1, 0.15, 0.2}, {0.05, -0.1, 0.25}};
    energy_report r = energy_check(pressure_fn, &p, x, 3, 0.2);
    energy_assert("pressure", &r, false);
}

#define MAX_CORNERS 12

/* Sums over a closed surface, moved by `shift`. Returns the energy; forces on the corners in g. */
static double inflate(const vec3 *corner, int n_corners, const int (*tri)[3], int n_tris, vec3 shift, double pressure,
                      vec3 g[MAX_CORNERS])
{
    double energy = 0.0;
    for (int i = 0; i < n_corners; i++)
        g[i] = v3_zero();
    for (int t = 0; t < n_tris; t++) {
        vec3 x[3], f[3];
        for (int i = 0; i < 3; i++)
            x[i] = v3_add(corner[tri[t][i]], shift);
        energy += pressure_eval(x, pressure, false, f, NULL);
        for (int i = 0; i < 3; i++)
            g[tri[t][i]] = v3_add(g[tri[t][i]], f[i]);
    }
    return energy;
}

/* Positions round by eps · |shift| ≈ 1e-15 m; volumes, of the size of |shift|³ before they cancel, by 5e-14 m³. */
static void check_closed(const vec3 *corner, int n_corners, const int (*tri)[3], int n_tris, double volume)
{
    const vec3 shifts[] = {{0, 0, 0}, {3.0, -2.0, 5.0}};
    const double pressure = 100.0;
    for (int k = 0; k < 2; k++) {
        vec3 g[MAX_CORNERS], force = v3_zero(), torque = v3_zero();
        double energy = inflate(corner, n_corners, tri, n_tris, shifts[k], pressure, g), virial = 0.0;
        for (int i = 0; i < n_corners; i++) {
            force = v3_add(force, g[i]);
            torque = v3_add(torque, v3_cross(corner[i], g[i]));
            virial += v3_dot(corner[i], g[i]);
        }
        assert_close(energy, -pressure * volume, 1e-12 * pressure);
        assert_close(virial, -3.0 * pressure * volume, 1e-12 * pressure); /* V is homogeneous of degree 3 */
        assert_true(v3_len(force) <= 1e-12 * pressure && v3_len(torque) <= 1e-12 * pressure);
    }
}

static void pressure_on_a_tetrahedron_has_no_net_force(void **state)
{
    (void)state;
    const vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int tri[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    check_closed(corner, 4, tri, 4, 1.0 / 6.0);
}

/* Corners (0, ±1, ±φ) and cyclic: edge 2, volume 5/12 (3 + √5) · 8. */
static void pressure_on_an_icosahedron_has_no_net_force(void **state)
{
    (void)state;
    const double f = 0.5 * (1.0 + sqrt(5.0));
    const vec3 corner[12] = {{-1, f, 0},  {1, f, 0},  {-1, -f, 0}, {1, -f, 0}, {0, -1, f},  {0, 1, f},
                             {0, -1, -f}, {0, 1, -f}, {f, 0, -1},  {f, 0, 1},  {-f, 0, -1}, {-f, 0, 1}};
    const int tri[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                            {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                            {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    check_closed(corner, 12, tri, 20, 5.0 / 12.0 * (3.0 + sqrt(5.0)) * 8.0);
}

static void pressure_pushes_outward(void **state)
{
    (void)state;
    /* Seen from +z the corners go round anticlockwise: the normal is +z, the force −g too. */
    const vec3 x[3] = {{1, 0, 1}, {0, 1, 1}, {-1, -1, 1}};
    vec3 g[3], force = v3_zero();
    pressure_eval(x, 10.0, false, g, NULL);
    for (int i = 0; i < 3; i++)
        force = v3_sub(force, g[i]);
    assert_true(force.z > 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(air_derivatives_match_differences),
        cmocka_unit_test(still_air_only_takes_energy),
        cmocka_unit_test(cloth_carried_by_the_wind_feels_none),
        cmocka_unit_test(air_is_finite_without_flow_or_area),
        cmocka_unit_test(both_sides_feel_the_same),
        cmocka_unit_test(sheet_falls_at_terminal_velocity),
        cmocka_unit_test(pressure_derivatives_match_differences),
        cmocka_unit_test(pressure_on_a_tetrahedron_has_no_net_force),
        cmocka_unit_test(pressure_on_an_icosahedron_has_no_net_force),
        cmocka_unit_test(pressure_pushes_outward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
