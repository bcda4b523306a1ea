/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow timeout=300 */
/* Motions and shapes whose answers are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "physics/elastica.h"
#include "physics/strip.h"

#include <cmocka.h>

#define PI 3.14159265358979323846
#define GRID 2.3283064365386963e-10 /* of positions, m: 2⁻³² */

typedef struct named_integrator {
    const char *name;
    weft_integrator id;
} named_integrator;

static const named_integrator integrators[] = {
    {"implicit", WEFT_INTEGRATOR_IMPLICIT}, {"BDF2", WEFT_INTEGRATOR_BDF2}, {"explicit", WEFT_INTEGRATOR_EXPLICIT}};
enum { IMPLICIT, BDF2, EXPLICIT, INTEGRATORS };

/* ---- shapes at rest ---------------------------------------------------------------------------------------------- */

/* a of y = a cosh(x/a) over a span, for a length: 2a sinh(span/2a) = length. */
static double catenary(double span, double length)
{
    double low = 1e-3 * span, high = 1e3 * span;
    for (int i = 0; i < 200; i++) {
        double a = 0.5 * (low + high);
        if (2 * a * sinh(span / (2 * a)) > length)
            low = a;
        else
            high = a;
    }
    return 0.5 * (low + high);
}

/* A strip 1 m long without bending rigidity, hardly extensible: its weight stretches it by less than ρgL/E = 1.5e-4,
 * and 80 straight segments sag by a part of about 1/80² less than the curve. Laid at first in a V, then let go. */
static void chain_hangs_in_a_catenary(void **state)
{
    (void)state;
    const double length = 1, span = 0.6, depth = sqrt(0.25 * (length * length - span * span));
    weft_sim_def sd = lab_def(WEFT_INTEGRATOR_IMPLICIT);
    sd.newton_tolerance = 1e-8;
    sd.linear_tolerance = 1e-3;
    weft_sim *sim = lab_create(&sd);
    strip_def d = {.length = length, .width = 0.025, .n_length = 80, .n_width = 2, .x = {1, 0, 0}, .y = {0, 0, -1}};
    d.fabric = weft_fabric_default();
    d.fabric.stretch_warp = d.fabric.stretch_weft = 1e4;
    d.fabric.shear = 1e3;
    d.fabric.bending_warp = d.fabric.bending_weft = 0;
    strip p;
    weft_error e;
    strip_create(&p, sim, &d);
    for (int k = 0; k < p.n; k++) {
        double s = p.s[k] / length;
        p.at[k].x = span * s;
        p.at[k].y = -2 * depth * fmin(s, 1 - s);
    }
    lab_ok(weft_cloth_set_positions(sim, p.cloth, p.at, p.n, &e), &e);
    strip_pin_row(&p, sim, 0);
    strip_pin_row(&p, sim, d.n_length);
    lab_settle(sim, 0.1, 1e-6, 3, 500);
    strip_look(&p, sim);
    double a = catenary(span, length), sag = a * (cosh(span / (2 * a)) - 1), found = -strip_row(&p, d.n_length / 2).y;
    double off = 0;
    for (int k = 0; k < p.n; k++)
        off = fmax(off, fabs(p.at[k].y + sag - a * (cosh((p.at[k].x - 0.5 * span) / a) - 1)));
    printf("\ncatenary: sag %.5f m, known %.5f m (%+.3f %%); farthest node off the curve %.2e m\n", found, sag,
           100 * (found / sag - 1), off);
    assert_true(fabs(found / sag - 1) <= 0.01);
    assert_true(off <= 0.01 * sag);
    strip_destroy(&p);
    weft_sim_destroy(sim);
}

/* Half of a strip laid over a ridge: a cantilever (test_strips.c). */
static void cantilever_is_the_heavy_elastica(void **state)
{
    (void)state;
    static const double rigidity[] = {5e-3, 1e-3, 2e-4};
    const double length = 0.2;
    printf("\nheavy cantilever, 0.2 m, 24 cells: end below and beyond the clamp, mm\n"
           "  model                wL³/B     drop  elastica            reach  elastica\n");
    for (int k = 0; k < STRIP_MODELS; k++)
        for (size_t i = 0; i < sizeof rigidity / sizeof *rigidity; i++) {
            weft_sim_def sd = lab_def(WEFT_INTEGRATOR_IMPLICIT);
            sd.newton_tolerance = 1e-6;
            sd.linear_tolerance = 1e-2;
            weft_sim *sim = lab_create(&sd);
            strip_def d = {.mesh = strip_models[k].mesh, .stretch = strip_models[k].stretch, .x = {1, 0, 0}};
            d.length = 2 * length;
            d.width = 4 * length / 24;
            d.n_length = 48;
            d.n_width = 4;
            d.y = (weft_vec3){0, 0, -1};
            d.fabric = weft_fabric_default();
            d.fabric.bending_warp = d.fabric.bending_weft = rigidity[i];
            strip p;
            strip_create(&p, sim, &d);
            strip_pin_row(&p, sim, d.n_length / 2);
            lab_settle(sim, 0.1, 1e-5, 3, 500);
            strip_look(&p, sim);
            weft_vec3 left = strip_row(&p, 0), right = strip_row(&p, d.n_length);
            double weight = d.fabric.density * LAB_G, drop = -0.5 * (left.y + right.y);
            double reach = 0.5 * (right.x - left.x);
            elastica el = elastica_tip(length, weight, rigidity[i]);
            printf("  %-20s %5.1f  %7.3f  %8.3f (%+.2f %%)  %7.3f  %8.3f (%+.2f %%)\n", strip_models[k].name,
                   weight * length * length * length / rigidity[i], 1e3 * drop, 1e3 * el.drop,
                   100 * (drop / el.drop - 1), 1e3 * reach, 1e3 * el.reach, 100 * (reach / el.reach - 1));
            assert_true(fabs(drop / el.drop - 1) <= 0.03);
            assert_true(fabs(reach / el.reach - 1) <= 0.03);
            strip_destroy(&p);
            weft_sim_destroy(sim);
        }
}

/* ---- free fall --------------------------------------------------------------------------------------------------- */

/* What each integrator gives for a constant acceleration a, from rest: its own recurrence. */
static double fallen(int integrator, int n, double a, double h)
{
    if (integrator != BDF2)
        return a * h * h * 0.5 * n * (n + 1);
    double q = a * h * h, past = 0, v = a * h;
    for (int i = 1; i < n; i++) {
        v += a * h; /* exact: both formulas keep a linear velocity */
        double next = (4 * q - past) / 3 + 2 * h / 3 * v;
        past = q;
        q = next;
    }
    return q;
}

/* Positions are rounded to the grid at every step and the velocity is not taken from them; BDF2 sums roundings with
 * weights whose sum stays below 1.5 a step. Explicit and implicit Euler have the error a t h/2 of first order; BDF2
 * only that of its first step, a h²/2 · 1.5 in the end. */
static void free_fall_is_exact_to_the_order(void **state)
{
    (void)state;
    const double t = 0.5;
    static const int steps[] = {25, 50, 100, 200};
    printf(
        "\nfree fall for 0.5 s: error of the way, m\n  integrator     h=1/50     1/100     1/200     1/400   order\n");
    for (int k = 0; k < INTEGRATORS; k++) {
        double h[4], error[4];
        for (int i = 0; i < 4; i++) {
            weft_sim_def sd = lab_def(integrators[k].id);
            sd.velocity_bound = 10;
            weft_sim *sim = lab_create(&sd);
            weft_vec3 from = {0, 0, 0};
            h[i] = t / steps[i];
            weft_cloth_id c = lab_beads(sim, NULL, 1, &from, NULL, 0.01);
            for (int n = 0; n < steps[i]; n++)
                lab_step(sim, h[i]);
            double way = -lab_position(sim, c, 0).y;
            double rounding = (1.5 * GRID + sd.newton_tolerance) * steps[i];
            assert_true(fabs(way - fallen(k, steps[i], LAB_G, h[i])) <= rounding);
            assert_true(fabs(lab_velocity(sim, c, 0).y + LAB_G * t) <= (GRID + sd.newton_tolerance) / h[i] * steps[i]);
            error[i] = fabs(way - 0.5 * LAB_G * t * t);
            weft_sim_destroy(sim);
        }
        double order = lab_order(4, h, error);
        printf("  %-10s  %9.2e %9.2e %9.2e %9.2e   %.3f\n", integrators[k].name, error[0], error[1], error[2], error[3],
               order);
        assert_true(fabs(order - (k == BDF2 ? 2 : 1)) <= 0.01);
    }
}

/* ---- pendulums --------------------------------------------------------------------------------------------------- */

/* Arithmetic-geometric mean: the period of a pendulum is 2π √(l/g) / agm(1, cos ½α). */
static double agm(double a, double b)
{
    for (int i = 0; i < 30; i++) {
        double m = 0.5 * (a + b);
        b = sqrt(a * b);
        a = m;
    }
    return a;
}

static weft_tie_id tie(weft_sim *s, weft_cloth_id c, double stiffness, double length)
{
    static const int32_t a[] = {0}, b[] = {1};
    weft_tie_def d = weft_tie_def_default();
    weft_tie_id id;
    weft_error e;
    d.cloth_a = d.cloth_b = c;
    d.nodes_a = a;
    d.nodes_b = b;
    d.n_pairs = 1;
    d.stiffness = stiffness;
    d.length = length;
    d.damping = 0;
    lab_ok(weft_tie_create(s, &d, &id, &e), &e);
    return id;
}

/* Time of the n-th passage of x through 0, interpolated; coming from x > 0 there are n/2 − ¼ periods before it. */
static double passage(weft_sim *sim, weft_cloth_id c, int node, double h, int n)
{
    double past = lab_position(sim, c, node).x;
    for (int k = 1; k < 1000000; k++) {
        lab_step(sim, h);
        double x = lab_position(sim, c, node).x;
        if ((x > 0) != (past > 0) && --n == 0)
            return (k - 1 + past / (past - x)) * h;
        past = x;
    }
    fail_msg("does not swing");
    return 0;
}

/* A bead of 0.1 kg on a tie of 1 m that stretches by mg/k = 1e-4 m: half of that in the period. Phase errors of the
 * integrators, with ωh = 3.1e-3: about (ωh)² = 1e-5 for BDF2 and the implicit one, (ωh)²/24 explicit. The implicit one
 * also loses half of its swing in ln 2 · 2/(ω² h) = 140 s, and the period of a wide one shrinks with it; so only the
 * first passages are timed. */
static void pendulum_keeps_its_period(void **state)
{
    (void)state;
    static const double angle[] = {0.05, 1.0};
    const double h = 1e-3, length = 1, mass = 0.1, stiffness = 1e4;
    printf("\npendulum, 1 m: period, s\n  integrator  amplitude   period    known\n");
    for (int k = 0; k < INTEGRATORS; k++)
        for (int i = 0; i < 2; i++) {
            weft_sim_def sd = lab_def(integrators[k].id);
            sd.velocity_bound = 10;
            weft_sim *sim = lab_create(&sd);
            weft_vec3 x[2] = {{0, 0, 0}, {length * sin(angle[i]), -length * cos(angle[i]), 0}};
            weft_cloth_id c = lab_beads(sim, NULL, 2, x, NULL, mass);
            lab_pin(sim, c, (const int32_t[]){0}, 1);
            tie(sim, c, stiffness, length);
            double period = passage(sim, c, 1, h, 3) / 1.25;
            double known = 2 * PI * sqrt(length / LAB_G) / agm(1, cos(0.5 * angle[i]));
            printf("  %-10s  %5.2f rad  %.5f  %.5f (%+.3f %%)\n", integrators[k].name, angle[i], period, known,
                   100 * (period / known - 1));
            assert_true(fabs(period / known - 1) <= 0.01);
            weft_sim_destroy(sim);
        }
}

/* Bessel's function, by its series. */
static double bessel_j0(double z)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 40; k++) {
        term *= -0.25 * z * z / ((double)k * k);
        sum += term;
    }
    return sum;
}

/* A strip that hangs from its edge, without bending rigidity, swings in its lowest mode J0(2ω √(s/g)), s from the free
 * end, with ω = ½ j01 √(g/L), j01 = 2.404825557695773. A chain of n = 20 segments has a higher ω by a part of about
 * 1/(8 n²)..1/n²; the amplitude of 0.02 rad adds 1e-4. */
static void hanging_strip_swings_as_a_chain(void **state)
{
    (void)state;
    const double length = 0.5, h = 1e-3;
    static const struct {
        const char *name;
        strip_mesh mesh;
    } meshes[] = {{"quads, springs", STRIP_QUADS}, {"triangles", STRIP_TRIANGLES}};
    for (int m = 0; m < 2; m++) {
        weft_sim_def sd = lab_def(WEFT_INTEGRATOR_BDF2);
        sd.newton_tolerance = 1e-8;
        sd.linear_tolerance = 1e-3;
        weft_sim *sim = lab_create(&sd);
        strip_def d = {.mesh = meshes[m].mesh, .length = length, .width = 0.05, .n_length = 20, .n_width = 2};
        d.x = (weft_vec3){0, -1, 0};
        d.y = (weft_vec3){0, 0, 1};
        d.fabric = weft_fabric_default();
        d.fabric.bending_warp = d.fabric.bending_weft = 0;
        d.fabric.stretch_warp = d.fabric.stretch_weft = 5e3;
        d.fabric.damping_stretch = 0;
        strip p;
        weft_error e;
        strip_create(&p, sim, &d);
        for (int k = 0; k < p.n; k++) {
            double z = 2.404825557695773 * sqrt(1 - p.s[k] / length);
            double stretched = d.fabric.density * LAB_G * (length * p.s[k] - 0.5 * p.s[k] * p.s[k]) / 5e3;
            p.at[k].x = 0.02 * length * bessel_j0(z);
            p.at[k].y -= stretched;
        }
        lab_ok(weft_cloth_set_positions(sim, p.cloth, p.at, p.n, &e), &e);
        strip_pin_row(&p, sim, 0);
        double period = passage(sim, p.cloth, strip_node(&p, d.n_length, 1), h, 3) / 1.25;
        double known = 4 * PI / 2.404825557695773 * sqrt(length / LAB_G);
        printf("%shanging strip, %s: period %.5f s, known %.5f s (%+.3f %%)\n", m == 0 ? "\n" : "", meshes[m].name,
               period, known, 100 * (period / known - 1));
        assert_true(fabs(period / known - 1) <= 0.01);
        strip_destroy(&p);
        weft_sim_destroy(sim);
    }
}

/* ---- order of convergence and energy ----------------------------------------------------------------------------- */

/* A bead on a soft tie, swinging and bouncing: the state after `t` by Runge's and Kutta's method. */
typedef struct bead {
    double x, y, vx, vy;
} bead;

static const double soft_k = 30, soft_length = 0.4, soft_mass = 0.1;
static const bead soft_start = {0.45, -0.15, 0, 0};

static bead bead_rate(const bead *b)
{
    double l = sqrt(b->x * b->x + b->y * b->y), f = -soft_k * (l - soft_length) / (l * soft_mass);
    return (bead){b->vx, b->vy, f * b->x, f * b->y - LAB_G};
}

static bead bead_ahead(const bead *b, double h, const bead *r)
{
    return (bead){b->x + h * r->x, b->y + h * r->y, b->vx + h * r->vx, b->vy + h * r->vy};
}

static bead bead_after(double t)
{
    const int n = 20000;
    bead b = soft_start;
    double h = t / n;
    for (int i = 0; i < n; i++) {
        bead k1 = bead_rate(&b), b2 = bead_ahead(&b, 0.5 * h, &k1), k2 = bead_rate(&b2);
        bead b3 = bead_ahead(&b, 0.5 * h, &k2), k3 = bead_rate(&b3), b4 = bead_ahead(&b, h, &k3), k4 = bead_rate(&b4);
        b = bead_ahead(&b, h / 6, &k1);
        b = bead_ahead(&b, h / 3, &k2);
        b = bead_ahead(&b, h / 3, &k3);
        b = bead_ahead(&b, h / 6, &k4);
    }
    return b;
}

static weft_sim *soft_pendulum(weft_integrator integrator, weft_cloth_id *c)
{
    weft_sim_def sd = lab_def(integrator);
    sd.velocity_bound = 10;
    weft_sim *sim = lab_create(&sd);
    weft_vec3 x[2] = {{0, 0, 0}, {soft_start.x, soft_start.y, 0}};
    *c = lab_beads(sim, NULL, 2, x, NULL, soft_mass);
    lab_pin(sim, *c, (const int32_t[]){0}, 1);
    tie(sim, *c, soft_k, soft_length);
    return sim;
}

static void order_is_one_for_euler_and_two_for_bdf2(void **state)
{
    (void)state;
    enum { N = 4 };
    const double t = 0.5;
    bead known = bead_after(t);
    printf("\nspring pendulum after 0.5 s: error of the place, m\n"
           "  integrator    h=1/400     1/800    1/1600    1/3200   order   order of the velocity\n");
    for (int k = 0; k < INTEGRATORS; k++) {
        double h[N], error[N], error_v[N];
        for (int i = 0; i < N; i++) {
            int n = 200 << i;
            weft_cloth_id c;
            weft_sim *sim = soft_pendulum(integrators[k].id, &c);
            h[i] = t / n;
            for (int j = 0; j < n; j++)
                lab_step(sim, h[i]);
            weft_vec3 x = lab_position(sim, c, 1), v = lab_velocity(sim, c, 1);
            error[i] = hypot(x.x - known.x, x.y - known.y);
            error_v[i] = hypot(v.x - known.vx, v.y - known.vy);
            weft_sim_destroy(sim);
        }
        double order = lab_order(N, h, error), order_v = lab_order(N, h, error_v);
        printf("  %-10s  %9.2e %9.2e %9.2e %9.2e   %.3f   %.3f\n", integrators[k].name, error[0], error[1], error[2],
               error[3], order, order_v);
        double expected = k == BDF2 ? 2 : 1;
        assert_true(fabs(order - expected) <= 0.15);
        /* Begun at rest, the explicit one has velocities of second order: it is the leapfrog method, shifted by half a
         * step of drift. */
        assert_true(fabs(order_v - (k == EXPLICIT ? 2 : expected)) <= 0.15);
    }
}

/* The same for cloth, all its forces in play: a small sheet held by an edge, level at first, swings down. There is no
 * known answer: the differences between steps of h and h/2 shrink with the order. */
static void swing_cloth(weft_integrator integrator, strip_mesh mesh, double damping, int n, weft_vec3 *out, int n_nodes)
{
    weft_sim_def sd = lab_def(integrator);
    weft_sim *sim = lab_create(&sd);
    strip_def d = {.mesh = mesh, .length = 0.2, .width = 0.2, .n_length = 4, .n_width = 4};
    d.x = (weft_vec3){1, 0, 0};
    d.y = (weft_vec3){0, 0, -1};
    d.fabric = weft_fabric_default();
    d.fabric.stretch_warp = d.fabric.stretch_weft = 20;
    d.fabric.shear = 5;
    d.fabric.bending_warp = d.fabric.bending_weft = 1e-4;
    d.fabric.damping_stretch = d.fabric.damping_bending = damping;
    strip p;
    strip_create(&p, sim, &d);
    strip_pin_row(&p, sim, 0);
    for (int i = 0; i < n; i++)
        lab_step(sim, 0.2 / n);
    strip_look(&p, sim);
    assert_int_equal(p.n, n_nodes);
    memcpy(out, p.at, (size_t)n_nodes * sizeof *out);
    strip_destroy(&p);
    weft_sim_destroy(sim);
}

static void order_holds_for_cloth(void **state)
{
    (void)state;
    enum { LEVELS = 4, NODES = 25 };
    static const double damping[] = {0, 0.002};
    printf("\nswinging cloth after 0.2 s: largest difference between steps of h and h/2, m\n"
           "  integrator  mesh       damping      1/400     1/800    1/1600   order\n");
    for (int c = 0; c < 8; c++) {
        int k = c / 4, m = c % 2;
        strip_mesh mesh = c / 2 % 2 ? STRIP_IRREGULAR : STRIP_QUADS;
        weft_vec3 x[LEVELS][NODES];
        double h[LEVELS], error[LEVELS];
        for (int i = 0; i < LEVELS; i++) {
            h[i] = 0.2 / (80 << i);
            swing_cloth(integrators[k].id, mesh, damping[m], 80 << i, x[i], NODES);
        }
        for (int i = 0; i + 1 < LEVELS; i++) {
            error[i] = 0;
            for (int j = 0; j < NODES; j++)
                error[i] = fmax(error[i], hypot(hypot(x[i][j].x - x[i + 1][j].x, x[i][j].y - x[i + 1][j].y),
                                                x[i][j].z - x[i + 1][j].z));
        }
        double order = lab_order(LEVELS - 1, h, error);
        printf("  %-10s  %-9s  %.3f s   %9.2e %9.2e %9.2e   %.3f\n", integrators[k].name,
               mesh == STRIP_QUADS ? "quads" : "triangles", damping[m], error[0], error[1], error[2], order);
        fflush(stdout);
        assert_true(fabs(order - (k == BDF2 ? 2 : 1)) <= 0.15);
    }
}

static double soft_energy(const weft_sim *sim, weft_cloth_id c)
{
    weft_vec3 x = lab_position(sim, c, 1), v = lab_velocity(sim, c, 1);
    double stretch = hypot(x.x, x.y) - soft_length;
    return 0.5 * soft_mass * (v.x * v.x + v.y * v.y) + soft_mass * LAB_G * x.y + 0.5 * soft_k * stretch * stretch;
}

/* Above the lowest energy it can have: hanging at rest. */
static double soft_least(void)
{
    double sag = soft_mass * LAB_G / soft_k;
    return -soft_mass * LAB_G * (soft_length + sag) + 0.5 * soft_k * sag * sag;
}

static void bdf2_loses_less_than_euler(void **state)
{
    (void)state;
    double kept[INTEGRATORS];
    printf("\nspring pendulum, h = 1/200: energy left after 2 s (statistics agree with the test's own sum)\n");
    for (int k = 0; k < INTEGRATORS; k++) {
        weft_cloth_id c;
        weft_sim *sim = soft_pendulum(integrators[k].id, &c);
        double start = soft_energy(sim, c) - soft_least();
        weft_step_stats st = {0};
        for (int i = 0; i < 400; i++)
            st = lab_step(sim, 1.0 / 200);
        double end = soft_energy(sim, c);
        kept[k] = (end - soft_least()) / start;
        printf("  %-10s  %7.3f %%\n", integrators[k].name, 100 * kept[k]);
        assert_true(fabs(st.energy_kinetic + st.energy_gravity + st.energy_stretch - end) <= 1e-12);
        weft_sim_destroy(sim);
    }
    /* Neither gains; the explicit one is symplectic: its energy wavers by O(h) but does not drift. */
    assert_true(kept[IMPLICIT] < kept[BDF2] && kept[BDF2] <= 1);
    assert_true(1 - kept[BDF2] < 0.1 * (1 - kept[IMPLICIT]));
    assert_true(fabs(kept[EXPLICIT] - 1) <= 0.1);
}

/* ---- contact ----------------------------------------------------------------------------------------------------- */

static weft_collider_id plane(weft_sim *sim)
{
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id id;
    weft_error e;
    d.kind = WEFT_COLLIDER_PLANE;
    lab_ok(weft_collider_create(sim, &d, &id, &e), &e);
    return id;
}

static weft_vec3 centre(strip *p, const weft_sim *sim)
{
    weft_vec3 m = {0, 0, 0};
    strip_look(p, sim);
    for (int k = 0; k < p->n; k++)
        m = (weft_vec3){m.x + p->at[k].x / p->n, m.y + p->at[k].y / p->n, m.z + p->at[k].z / p->n};
    return m;
}

/* How far a patch slides in a second (in the latter half: *late) once the level plane it rests on is tilted, which is
 * done by turning gravity. */
static double slide(const weft_sim_def *sd, double h, double k_f, double tan_slope, weft_vec3 *force, double *late)
{
    weft_sim *sim = lab_create(sd);
    strip_def d = {.length = 0.1, .width = 0.1, .n_length = 4, .n_width = 4, .x = {1, 0, 0}, .y = {0, 0, -1}};
    d.fabric = weft_fabric_default();
    d.fabric.friction = k_f;
    if (sd->integrator == WEFT_INTEGRATOR_EXPLICIT) /* 2 ms would need steps of 2e-5 s */
        d.fabric.damping_stretch = d.fabric.damping_bending = 0;
    d.start.y = d.fabric.thickness + 1e-4;
    strip p;
    weft_error e;
    strip_create(&p, sim, &d);
    weft_collider_id ground = plane(sim);
    for (int i = 0; i < 0.25 / h; i++)
        lab_step(sim, h);
    double cosine = 1 / sqrt(1 + tan_slope * tan_slope);
    lab_ok(weft_sim_set_gravity(sim, (weft_vec3){LAB_G * tan_slope * cosine, -LAB_G * cosine, 0}, &e), &e);
    double from = centre(&p, sim).x;
    int n = (int)(1 / h + 0.5);
    for (int i = 0; i < n; i++) {
        if (2 * i == n)
            *late = centre(&p, sim).x;
        lab_step(sim, h);
    }
    double way = centre(&p, sim).x - from;
    *late = centre(&p, sim).x - *late;
    lab_ok(weft_collider_get_force(sim, ground, force, NULL, &e), &e);
    strip_destroy(&p);
    weft_sim_destroy(sim);
    return way;
}

/* Beyond the threshold by a hundredth the patch slides by ½ g (sin − k_f cos) t² = ½ g cos · k_f/100 · t²; the
 * integrator of first order adds h/t of that. Below it, it stays but for the jolt: friction begins as a spring of
 * k = 500 N/m on each of the 25 nodes, which is at its limit after u = k_f m g/(25 k); a load of 0.99 of the limit that
 * comes at once has then done the work (0.99 − ½) of limit · u, which the 0.01 left over take back on a way of 49 u.
 * In the second half of the time it must not move but for what the solver and the grid leave at both ends of a step,
 * 1e-10 m and 2⁻³² m, and a tenth of u, by which nodes and faces still settle their shares of the load. The force on
 * the plane is the weight. */
static void patch_sticks_below_and_slides_above_the_threshold(void **state)
{
    (void)state;
    static const double k_f[] = {0.2, 0.8};
    static const double step[INTEGRATORS] = {1.0 / 100, 1.0 / 100, 1.0 / 4000};
    printf("\npatch on a slope for 1 s: way in mm at tan = 0.99 k_f (in the latter half, m) and 1.01 k_f\n"
           "  integrator   k_f      sticks              slides     known   force on the plane over weight: normal, "
           "along\n");
    for (int k = 0; k < INTEGRATORS; k++)
        for (int i = 0; i < 2; i++) {
            weft_vec3 low, high;
            weft_sim_def sd = lab_def(integrators[k].id);
            double creep, late, below = slide(&sd, step[k], k_f[i], 0.99 * k_f[i], &low, &creep);
            double above = slide(&sd, step[k], k_f[i], 1.01 * k_f[i], &high, &late);
            double cosine = 1 / sqrt(1 + 1.01 * 1.01 * k_f[i] * k_f[i]), weight = 0.15 * 0.01 * LAB_G;
            double known = 0.5 * LAB_G * cosine * 0.01 * k_f[i];
            printf("  %-10s  %4.1f   %9.5f (%7.0e)  %8.4f  %8.4f   %.5f %.5f sticking, %.5f %.5f sliding\n",
                   integrators[k].name, k_f[i], 1e3 * below, creep, 1e3 * above, 1e3 * known, -low.y / weight,
                   low.x / weight, -high.y / weight, high.x / weight);
            fflush(stdout);
            assert_true(fabs(below) <= 49 * k_f[i] * weight / (25 * 500));
            double u = k_f[i] * weight / (25 * 500);
            assert_true(fabs(creep) <= 2 * (sd.newton_tolerance + GRID) * 0.5 / step[k] + 0.1 * u);
            assert_true(fabs(above / known - 1) <= 2 * step[k]);
            assert_true(fabs(-low.y / (weight * cosine) - 1) <= 0.01);
        }
}

/* With the tolerances a user gets. A step is solved when no node would move more than 1e-5 m: at h = 1/60 that is an
 * acceleration of up to 1e-5/(⅔ h)² = 0.08 m/s². Below the threshold a patch may creep by 60 such moves; beyond it, at
 * tan = 1.5 k_f, 0.94 m/s² then come out within 9 %. */
static void default_tolerances_let_a_patch_slide(void **state)
{
    (void)state;
    const double h = 1.0 / 60, k_f = 0.2, cosine = 1 / sqrt(1 + 0.09);
    weft_sim_def sd = weft_sim_def_default();
    sd.air_density = 0;
    weft_vec3 low, high;
    double late, below = slide(&sd, h, k_f, 0.9 * k_f, &low, &late),
                 above = slide(&sd, h, k_f, 1.5 * k_f, &high, &late);
    double known = 0.5 * LAB_G * cosine * 0.5 * k_f;
    printf("\ndefault tolerances: a patch goes %.3f mm at tan = 0.9 k_f, %.2f mm at 1.5 k_f (known %.2f)\n",
           1e3 * below, 1e3 * above, 1e3 * known);
    assert_true(fabs(below) <= 60 * sd.newton_tolerance);
    assert_true(fabs(above / known - 1) <= 0.1);
}

/* The same for a stiff sheet in the air: by 0.08 of 9.81 m/s² at most it may fall too slowly. */
static void default_tolerances_let_paper_fall(void **state)
{
    (void)state;
    weft_sim_def sd = weft_sim_def_default();
    sd.air_density = 0;
    weft_sim *sim = lab_create(&sd);
    strip_def d = {.length = 0.1, .width = 0.1, .n_length = 20, .n_width = 20, .x = {1, 0, 0}, .y = {0, 0, -1}};
    weft_error e;
    lab_ok(weft_fabric_find("paper", &d.fabric, &e), &e);
    strip p;
    strip_create(&p, sim, &d);
    for (int i = 0; i < 30; i++)
        lab_step(sim, 1.0 / 60);
    double way = -centre(&p, sim).y, known = 0.5 * LAB_G * 0.25;
    printf("default tolerances: paper falls %.4f m in 0.5 s (known %.4f)\n", way, known);
    assert_true(fabs(way / known - 1) <= 0.01);
    strip_destroy(&p);
    weft_sim_destroy(sim);
}

/* One node without thickness dropped from 1 m: it rises to k_d² m. A step is 2.2 mm long at the impact, so the turn is
 * off by up to that: 0.5 % of the height for k_d = 0.7; and the Euler integrators fall and rise with an error of
 * g t h/2 = 1.1 mm. With k_d = 0 the node stops, at most a step above the plane. */
static void bounce_height_goes_with_k_d_squared(void **state)
{
    (void)state;
    static const double k_d[] = {0, 0.5, 0.7, 0.9};
    const double h = 1.0 / 2000, height = 1;
    printf("\nbounce from 1 m: height, m\n  integrator   k_d    height   k_d²\n");
    for (int k = 0; k < INTEGRATORS; k++)
        for (int i = 0; i < 4; i++) {
            weft_sim_def sd = lab_def(integrators[k].id);
            sd.velocity_bound = 10;
            weft_sim *sim = lab_create(&sd);
            weft_fabric f = weft_fabric_default();
            f.thickness = 0;
            f.dissipation = k_d[i];
            weft_vec3 x = {0, height, 0};
            weft_cloth_id c = lab_beads(sim, &f, 1, &x, NULL, 1e-3);
            plane(sim);
            double top = 0;
            bool touched = false;
            for (int n = 0; n < 2200; n++) {
                lab_step(sim, h);
                weft_vec3 y = lab_position(sim, c, 0), v = lab_velocity(sim, c, 0);
                assert_true(y.y >= -1e-9);
                touched = touched || (y.y < 0.1 && v.y >= 0);
                if (touched && v.y < 0 && y.y > 1e-3)
                    break;
                top = touched ? fmax(top, y.y) : 0;
            }
            printf("  %-10s  %4.1f  %8.5f  %5.3f\n", integrators[k].name, k_d[i], top, k_d[i] * k_d[i]);
            fflush(stdout);
            assert_true(touched);
            assert_true(fabs(top - k_d[i] * k_d[i] * height) <= fmax(0.02 * k_d[i] * k_d[i], 2.3e-3));
            weft_sim_destroy(sim);
        }
}

/* provot1997 eq. 4 in the frame of a still plane, the normal along y. */
static weft_vec3 eq4(weft_vec3 v, double k_f, double k_d)
{
    double along = fabs(v.x), loss = k_f * fabs(v.y);
    return (weft_vec3){along >= loss ? v.x * (1 - loss / along) : 0, -k_d * v.y, 0};
}

/* A node flies at the plane without gravity. Exact up to the solver: 1e-10 m a step of h, and friction as a spring. */
static void oblique_impact_follows_equation_4(void **state)
{
    (void)state;
    static const weft_vec3 v[] = {{2, -1, 0}, {0.3, -1, 0}, {1, -0.1, 0}, {0.5, -2, 0}};
    static const double mass[] = {4e-6, 1e-3}, k_d[] = {0, 0.5};
    const double k_f = 0.5, h = 1.0 / 500;
    printf("\noblique impact, k_f = %.1f: velocity after it, m/s\n"
           "  integrator     mass   k_d       before            after            eq. 4\n",
           k_f);
    int wrong = 0;
    for (int k = 0; k < INTEGRATORS; k++)
        for (int m = 0; m < 2; m++)
            for (int j = 0; j < 2; j++)
                for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
                    weft_sim_def sd = lab_def(integrators[k].id);
                    sd.gravity = (weft_vec3){0, 0, 0};
                    sd.velocity_bound = 10;
                    weft_sim *sim = lab_create(&sd);
                    weft_fabric f = weft_fabric_default();
                    f.thickness = 0;
                    f.friction = k_f;
                    f.dissipation = k_d[j];
                    weft_vec3 x = {0, 0.0213, 0};
                    weft_cloth_id c = lab_beads(sim, &f, 1, &x, &v[i], mass[m]);
                    plane(sim);
                    for (int n = 0; n < 0.2 / -v[i].y / h; n++)
                        lab_step(sim, h);
                    weft_vec3 after = lab_velocity(sim, c, 0), known = eq4(v[i], k_f, k_d[j]);
                    double off = hypot(after.x - known.x, after.y - known.y) / hypot(v[i].x, v[i].y);
                    printf("  %-10s  %7.0e  %4.1f  (%4.1f, %4.1f)  (%7.4f, %7.4f)  (%7.4f, %7.4f)%s\n",
                           integrators[k].name, mass[m], k_d[j], v[i].x, v[i].y, after.x, after.y, known.x, known.y,
                           off > 0.01 ? "  <-- off" : "");
                    wrong += off > 0.01;
                    weft_sim_destroy(sim);
                }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_hangs_in_a_catenary),
        cmocka_unit_test(cantilever_is_the_heavy_elastica),
        cmocka_unit_test(free_fall_is_exact_to_the_order),
        cmocka_unit_test(pendulum_keeps_its_period),
        cmocka_unit_test(hanging_strip_swings_as_a_chain),
        cmocka_unit_test(order_is_one_for_euler_and_two_for_bdf2),
        cmocka_unit_test(order_holds_for_cloth),
        cmocka_unit_test(bdf2_loses_less_than_euler),
        cmocka_unit_test(patch_sticks_below_and_slides_above_the_threshold),
        cmocka_unit_test(default_tolerances_let_a_patch_slide),
        cmocka_unit_test(default_tolerances_let_paper_fall),
        cmocka_unit_test(bounce_height_goes_with_k_d_squared),
        cmocka_unit_test(oblique_impact_follows_equation_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
