/* SPDX-License-Identifier: MIT */
#include "force/spring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "force/check_energy.h"

#include <cmocka.h>

/* Not for NAN either. */
#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static double spring_fn(const vec3 *x, const void *par, bool psd, vec3 *g, mat3 *h)
{
    return spring_eval(x, par, psd, g, h);
}

/* A spring of rest length 0.05 m in a slanted place, pulled to `stretch`. */
#define REST 0.05

static void place(double stretch, vec3 x[2])
{
    vec3 along = v3_unit_or(v3(0.3, -0.8, 0.5), v3_zero());
    x[0] = v3(0.11, 0.02, -0.07);
    x[1] = v3_madd(x[0], stretch * REST, along);
}

static void check_at(const char *name, const spring_par *p, double stretch)
{
    vec3 x[2];
    place(stretch, x);
    energy_report r = energy_check(spring_fn, p, x, 2, REST);
    energy_assert(name, &r, true);
}

static void spring_derivatives_match_differences(void **state)
{
    (void)state;
    const spring_par plain = {.k = 300.0, .length = REST};
    check_at("stretched 20 %", &plain, 1.2);
    check_at("at rest", &plain, 1.0);
    check_at("compressed 40 %", &plain, 0.6);
    check_at("stretched 5 times", &plain, 5.0);
}

static void damped_spring_derivatives_match_differences(void **state)
{
    (void)state;
    const spring_par damped = {.k = 300.0, .length = REST, .drag = 3.0, .past = 1.3 * REST};
    check_at("damped, stretched 20 %", &damped, 1.2);
    check_at("damped, stretched 40 %", &damped, 1.4);
    check_at("damped, compressed 30 %", &damped, 0.7);
}

static void limited_spring_derivatives_match_differences(void **state)
{
    (void)state;
    const spring_par limited = {.k = 300.0, .length = REST, .limit = 1.2, .drag = 0.5, .past = REST};
    check_at("limit 1.2, at 1.05", &limited, 1.05);
    check_at("limit 1.2, at 1.15", &limited, 1.15);
    check_at("limit 1.2, at 1.18", &limited, 1.18);
    check_at("limit 1.2, at 1.3", &limited, 1.3);
}

static void zero_length_spring_is_half_k_distance_squared(void **state)
{
    (void)state;
    const spring_par tie = {.k = 70.0};
    const spring_par damped = {.k = 70.0, .drag = 2.0};
    check_at("rest length 0", &tie, 1.0);
    check_at("rest length 0, damped", &damped, 1.0);
    for (double distance = 1.0; distance > 1e-12; distance *= 0.1) {
        vec3 x[2], g[2];
        mat3 h[3];
        place(distance, x);
        vec3 d = v3_sub(x[1], x[0]);
        double e = spring_eval(x, &tie, false, g, h);
        assert_close(e / (35.0 * v3_len_sq(d)), 1.0, 1e-15);
        assert_true(v3_len(v3_madd(g[1], -70.0, d)) == 0.0);
        for (int k = 0; k < 9; k++)
            assert_true(h[0].m[k] == (k % 4 == 0 ? 70.0 : 0.0) && h[1].m[k] == -h[0].m[k]);
    }
}

/* Node 0 is the cloth's, node 1 a target that does not move: blocks (0, 0) and g[0] are what the solver takes. */
static void zero_length_spring_serves_as_soft_pin(void **state)
{
    (void)state;
    const spring_par pin = {.k = 1000.0, .drag = 0.25, .past = 0.0};
    const vec3 x[2] = {{1.0, 2.0, 3.0}, {1.5, 2.0, 2.75}};
    vec3 g[2];
    mat3 h[3];
    spring_eval(x, &pin, true, g, h);
    vec3 to_target = v3_sub(x[1], x[0]), step = v3_scale(-1.0, m3_mul_v(m3_inverse(h[0]), g[0]));
    assert_true(v3_len(v3_sub(step, to_target)) <= 1e-15); /* one Newton step lands on the target */
    const vec3 met[2] = {x[1], x[1]};
    assert_true(spring_eval(met, &pin, true, g, h) == 0.0);
    assert_true(v3_len(g[0]) == 0.0 && v3_is_finite(g[0]));
    assert_close(h[0].m[0], 1250.0, 0.0);
    assert_close(h[0].m[1], 0.0, 0.0);
}

static void collapsed_spring_is_finite(void **state)
{
    (void)state;
    const double lengths[] = {0.0, 1e-320, 1e-170, 1e-155, 1e-140, 1e-30};
    const spring_par p = {.k = 300.0, .length = REST, .limit = 1.1, .drag = 1.0, .past = REST};
    for (int i = 0; i < (int)(sizeof lengths / sizeof *lengths); i++) {
        const vec3 x[2] = {{0, 0, 0}, {0, lengths[i], 0}};
        vec3 g[2];
        mat3 h[3];
        assert_true(isfinite(spring_eval(x, &p, true, g, h)));
        assert_true(v3_is_finite(g[0]) && v3_len(g[0]) <= 300.0 * 2.0 * REST * (1.0 + 1e-15));
        for (int k = 0; k < 9; k++)
            assert_true(isfinite(h[0].m[k]) && fabs(h[0].m[k]) <= 600.0);
    }
}

static void psd_spring_hessian_is_exact_under_tension(void **state)
{
    (void)state;
    const spring_par p = {.k = 300.0, .length = REST, .limit = 1.2, .drag = 0.5, .past = REST};
    vec3 x[2];
    mat3 exact[3], psd[3];
    place(1.15, x);
    spring_eval(x, &p, false, NULL, exact);
    spring_eval(x, &p, true, NULL, psd);
    assert_memory_equal(exact, psd, sizeof exact);
}

static void damping_resists_change_of_length_only(void **state)
{
    (void)state;
    const spring_par p = {.k = 300.0, .length = REST, .drag = 5.0, .past = REST};
    vec3 x[2], g[2];
    place(1.0, x);
    spring_eval(x, &p, false, g, NULL);
    /* ℓ differs from the rest length by a few eps · |x|. */
    assert_true(v3_len(g[0]) <= 300.0 * 6.0 * 4.0 * 2.3e-16 * 0.2);
    const spring_par undamped = {.k = 300.0, .length = REST};
    vec3 plain[2];
    place(1.1, x);
    spring_eval(x, &p, false, g, NULL);
    spring_eval(x, &undamped, false, plain, NULL);
    assert_close(v3_len(g[0]) / v3_len(plain[0]), 6.0, 1e-12);
}

/* A patch of cells of springs, as elements make it: each cell has four half edges and two diagonals. */
#define ACROSS 3
#define UP 2
#define N_NODES ((ACROSS + 1) * (UP + 1))

typedef struct patch {
    double a, b;
    spring_law law;
    vec3 x[N_NODES];
    vec3 g[N_NODES];
} patch;

static int node(int i, int j)
{
    return j * (ACROSS + 1) + i;
}

static vec3 rest_place(const patch *p, int i, int j)
{
    return v3(i * p->a, j * p->b, 0.0);
}

/* x = (λ₁ X + γ Y, λ₂ Y) */
static void deform(patch *p, double warp, double weft, double shear)
{
    for (int j = 0; j <= UP; j++) {
        for (int i = 0; i <= ACROSS; i++) {
            vec3 r = rest_place(p, i, j);
            p->x[node(i, j)] = v3(warp * r.x + shear * r.y, weft * r.y, 0.0);
        }
    }
}

static void add_spring(patch *p, int n0, int n1, double k, double length)
{
    const spring_par par = {.k = k, .length = length};
    const vec3 x[2] = {p->x[n0], p->x[n1]};
    vec3 g[2];
    spring_eval(x, &par, false, g, NULL);
    p->g[n0] = v3_add(p->g[n0], g[0]);
    p->g[n1] = v3_add(p->g[n1], g[1]);
}

static void gradient(patch *p)
{
    double d = sqrt(p->a * p->a + p->b * p->b);
    memset(p->g, 0, sizeof p->g);
    for (int j = 0; j < UP; j++) {
        for (int i = 0; i < ACROSS; i++) {
            int n00 = node(i, j), n10 = node(i + 1, j), n01 = node(i, j + 1), n11 = node(i + 1, j + 1);
            add_spring(p, n00, n10, 0.5 * p->law.k_warp, p->a);
            add_spring(p, n01, n11, 0.5 * p->law.k_warp, p->a);
            add_spring(p, n00, n01, 0.5 * p->law.k_weft, p->b);
            add_spring(p, n10, n11, 0.5 * p->law.k_weft, p->b);
            add_spring(p, n00, n11, p->law.k_diagonal, d);
            add_spring(p, n10, n01, p->law.k_diagonal, d);
        }
    }
}

/* Stresses in N/m, the derivatives of the energy per area by λ₁, λ₂ and γ. */
static vec3 stress(patch *p)
{
    vec3 s = v3_zero();
    gradient(p);
    for (int j = 0; j <= UP; j++) {
        for (int i = 0; i <= ACROSS; i++) {
            vec3 g = p->g[node(i, j)], r = rest_place(p, i, j);
            s = v3_add(s, v3(g.x * r.x, g.y * r.y, g.x * r.y));
        }
    }
    return v3_scale(1.0 / (p->a * p->b * ACROSS * UP), s);
}

#define STRAIN 1e-6

/* A pull by STRAIN along one thread: the other stretch such that the sides are free, by secant steps on a function
 * that is linear up to STRAIN; the third step is beyond rounding. Returns the modulus, and the contraction per pull. */
static double pull(patch *p, bool along_warp, double *poisson)
{
    double side[2] = {0.0, -STRAIN}, force[2], tension = 0.0;
    for (int k = 0; k < 4; k++) {
        double now = k == 0 ? side[0] : side[1];
        deform(p, 1.0 + (along_warp ? STRAIN : now), 1.0 + (along_warp ? now : STRAIN), 0.0);
        vec3 s = stress(p);
        force[k > 0] = along_warp ? s.y : s.x;
        tension = along_warp ? s.x : s.y;
        if (k > 0 && k < 3 && force[1] != force[0]) {
            double next = side[1] - force[1] * (side[1] - side[0]) / (force[1] - force[0]);
            side[0] = side[1];
            force[0] = force[1];
            side[1] = next;
        }
    }
    *poisson = -side[1] / STRAIN;
    return tension / STRAIN;
}

typedef struct sheet {
    double e_warp, e_weft, shear, a, b;
} sheet;

static const sheet sheets[] = {
    {100.0, 100.0, 20.0, 0.01, 0.01},   {100.0, 100.0, 20.0, 0.02, 0.01},  {800.0, 300.0, 10.0, 0.01, 0.03},
    {50.0, 400.0, 30.0, 0.0025, 0.002}, {100.0, 100.0, 500.0, 0.05, 0.05}, {100.0, 200.0, 0.0, 0.01, 0.02},
};
#define N_SHEETS (int)(sizeof sheets / sizeof *sheets)

static patch patch_of(const sheet *s)
{
    patch p = {.a = s->a, .b = s->b};
    assert_true(spring_law_consistent(s->e_warp, s->e_weft, s->shear, s->a, s->b, &p.law));
    return p;
}

/* 1e-5: springs turn, which changes the stress by terms of the order of the strain, 1e-6 times a few; rounding is
 * eps/1e-6. With G = 5 E the contributions to E cancel to a tenth. */
static void consistent_lattice_has_the_moduli_asked_for(void **state)
{
    (void)state;
    for (int i = 0; i < N_SHEETS; i++) {
        const sheet *s = &sheets[i];
        patch p = patch_of(s);
        double poisson_warp, poisson_weft;
        double e_warp = pull(&p, true, &poisson_warp), e_weft = pull(&p, false, &poisson_weft);
        assert_close(e_warp / s->e_warp, 1.0, 1e-5);
        assert_close(e_weft / s->e_weft, 1.0, 1e-5);
        assert_close(poisson_warp, p.law.poisson_warp, 1e-5);
        assert_close(poisson_weft, p.law.poisson_weft, 1e-5);
        deform(&p, 1.0, 1.0, STRAIN);
        /* edges along weft lengthen by γ²/2 only */
        assert_close(stress(&p).z / STRAIN, s->shear, 1e-5 * (s->shear + s->e_weft * STRAIN));
    }
}

/* Half edges on each side of an element: under a uniform pull every node but those at the pulled ends is at rest. */
static void consistent_lattice_passes_the_patch_test(void **state)
{
    (void)state;
    for (int i = 0; i < N_SHEETS; i++) {
        double poisson;
        patch p = patch_of(&sheets[i]);
        pull(&p, true, &poisson);
        double load = sheets[i].e_warp * STRAIN * p.b;
        for (int u = 1; u < ACROSS; u++)
            for (int v = 0; v <= UP; v++)
                assert_true(v3_len(p.g[node(u, v)]) <= 1e-5 * load);
        double end = 0.0;
        for (int v = 0; v <= UP; v++)
            end += p.g[node(ACROSS, v)].x;
        assert_close(end / (load * UP), 1.0, 1e-5);
    }
}

static void consistent_law_solves_its_equations(void **state)
{
    (void)state;
    for (int i = 0; i < N_SHEETS; i++) {
        const sheet *s = &sheets[i];
        patch p = patch_of(s);
        double r = s->a * s->a / (s->b * s->b), g1 = r * s->shear, g2 = s->shear / r;
        double e1 = p.law.k_warp * s->a / s->b, e2 = p.law.k_weft * s->b / s->a;
        assert_close((e1 + g1 * e2 / (e2 + g2)) / s->e_warp, 1.0, 1e-13);
        assert_close((e2 + g2 * e1 / (e1 + g1)) / s->e_weft, 1.0, 1e-13);
    }
}

static void consistent_law_refuses_what_needs_negative_stiffness(void **state)
{
    (void)state;
    spring_law law;
    assert_false(spring_law_consistent(100.0, 100.0, 1000.0, 0.02, 0.01, &law));
    assert_false(spring_law_consistent(100.0, 100.0, 1000.0, 0.01, 0.02, &law));
    assert_true(spring_law_consistent(100.0, 100.0, 1000.0, 0.01, 0.01, &law));
    assert_false(spring_law_consistent(100.0, 10000.0, 1000.0, 0.01, 0.01, &law));
    assert_false(spring_law_consistent(0.0, 100.0, 10.0, 0.01, 0.01, &law));
    assert_false(spring_law_consistent(100.0, 100.0, (double)NAN, 0.01, 0.01, &law));
}

static void villard_stiffness_doubles_with_each_level(void **state)
{
    (void)state;
    for (int level = 0; level < 8; level++) {
        spring_law law = spring_law_villard(100.0, 50.0, 10.0, level);
        double times = (double)(1 << level);
        assert_true(law.k_warp == 100.0 * times && law.k_weft == 50.0 * times && law.k_diagonal == 10.0 * times);
    }
}

/* What the consistent law is for: two levels finer, villard's sheet is four times as stiff; Poisson numbers of a square
 * cell stay. */
static void villard_sheet_stiffens_when_refined(void **state)
{
    (void)state;
    double modulus[3];
    for (int level = 0; level < 3; level++) {
        double poisson, size = 0.04 / (double)(1 << level);
        patch p = {.a = size, .b = size, .law = spring_law_villard(100.0, 50.0, 10.0, level)};
        modulus[level] = pull(&p, true, &poisson);
        assert_close(poisson, p.law.poisson_warp, 1e-5);
    }
    assert_close(modulus[1] / modulus[0], 2.0, 1e-5);
    assert_close(modulus[2] / modulus[0], 4.0, 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_derivatives_match_differences),
        cmocka_unit_test(damped_spring_derivatives_match_differences),
        cmocka_unit_test(limited_spring_derivatives_match_differences),
        cmocka_unit_test(zero_length_spring_is_half_k_distance_squared),
        cmocka_unit_test(zero_length_spring_serves_as_soft_pin),
        cmocka_unit_test(collapsed_spring_is_finite),
        cmocka_unit_test(psd_spring_hessian_is_exact_under_tension),
        cmocka_unit_test(damping_resists_change_of_length_only),
        cmocka_unit_test(consistent_lattice_has_the_moduli_asked_for),
        cmocka_unit_test(consistent_lattice_passes_the_patch_test),
        cmocka_unit_test(consistent_law_solves_its_equations),
        cmocka_unit_test(consistent_law_refuses_what_needs_negative_stiffness),
        cmocka_unit_test(villard_stiffness_doubles_with_each_level),
        cmocka_unit_test(villard_sheet_stiffens_when_refined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
