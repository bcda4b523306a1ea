/* SPDX-License-Identifier: MIT */
/* Cotton on a ball: 0.72 m square, falling 5 cm on a ball of radius 0.2 m, at h = 1/60 for 2 s, with the library's
 * defaults; free, and with two corners pinned. 146 × 146 nodes with WEFT_LONG in the environment, else 38 × 38. */
/* ctest: labels=slow timeout=1800 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "physics/lab.h"

#include <cmocka.h>

#define SIDE 0.72
#define RADIUS 0.2
#define FALL 0.05
#define STEPS 120

typedef struct drape {
    weft_sim *sim;
    weft_cloth_id cloth;
    weft_collider_id ball;
    weft_fabric fabric;
    int n;
} drape;

static drape make(int n, bool pinned, double gravity)
{
    drape d = {.n = n};
    weft_error e;
    weft_sim_def sd = weft_sim_def_default();
    sd.gravity = (weft_vec3){0, -gravity, 0};
    sd.n_threads = 0; /* the results do not depend on it */
    d.sim = lab_create(&sd);
    lab_ok(weft_fabric_find("cotton", &d.fabric, &e), &e);
    weft_collider_def cd = weft_collider_def_default();
    cd.kind = WEFT_COLLIDER_SPHERE;
    cd.radius = RADIUS;
    lab_ok(weft_collider_create(d.sim, &cd, &d.ball, &e), &e);
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = n;
    g.size_warp = g.size_weft = SIDE;
    g.corner = (weft_vec3){-0.5 * SIDE, RADIUS + FALL, 0.5 * SIDE};
    g.model.fabrics = &d.fabric;
    g.model.n_fabrics = 1;
    lab_ok(weft_cloth_create_grid(d.sim, &g, &d.cloth, &e), &e);
    if (pinned)
        lab_pin(d.sim, d.cloth, (const int32_t[]){0, n - 1}, 2);
    return d;
}

static weft_vec3 minus(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double length(weft_vec3 a)
{
    return hypot(hypot(a.x, a.y), a.z);
}

/* Largest stretch of an edge along warp or weft: of the faces at a pinned corner (*at_pins), and of all others. *far:
 * how far from the nearest pin, in the material, an edge longer than 1.05 ends at most. */
static double stretch(const drape *d, bool pinned, double *at_pins, double *far)
{
    int n = d->n;
    double rest = SIDE / (n - 1), most = 0;
    weft_vec3 *x = malloc((size_t)n * (size_t)n * sizeof *x);
    weft_error e;
    assert_non_null(x);
    lab_ok(weft_cloth_get_positions(d->sim, d->cloth, x, n * n, 0, &e), &e);
    *at_pins = *far = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            for (int way = 0; way < 2; way++) {
                int i1 = i + 1 - way, j1 = j + way;
                if (i1 >= n || j1 >= n)
                    continue;
                double s = length(minus(x[i1 + n * j1], x[i + n * j])) / rest;
                bool corner = pinned && j1 <= 1 && (i1 <= 1 || i >= n - 2);
                if (s > 1.05)
                    *far = fmax(*far, rest * hypot(j1, i1 < n - 1 - i ? i1 : n - 1 - i));
                if (corner)
                    *at_pins = fmax(*at_pins, s);
                else
                    most = fmax(most, s);
            }
    free(x);
    return most;
}

static void run(int n, bool pinned)
{
    drape d = make(n, pinned, LAB_G);
    weft_error e;
    double clearance = HUGE_VAL, seconds = 0;
    int newton = 0, cg = 0, halvings = 0, not_converged = 0;
    weft_step_stats st;
    for (int k = 0; k < STEPS; k++) {
        double now;
        weft_result r = weft_sim_step(d.sim, 1.0 / 60, &st, &e);
        lab_ok(r, &e);
        lab_ok(weft_collider_get_clearance(d.sim, d.ball, d.cloth, &now, &e), &e);
        clearance = fmin(clearance, now);
        seconds += st.seconds_total;
        newton += st.newton_iterations;
        cg += st.linear_iterations;
        halvings += st.halvings;
        not_converged += r == WEFT_WARNING_NOT_CONVERGED;
        assert_int_equal(st.squeezed, 0);
        assert_true(now >= d.fabric.thickness - 1e-9);
    }
    double at_pins, far, most = stretch(&d, pinned, &at_pins, &far);
    weft_vec3 f;
    weft_cloth_info info;
    lab_ok(weft_collider_get_force(d.sim, d.ball, &f, NULL, &e), &e);
    lab_ok(weft_cloth_get_info(d.sim, d.cloth, &info, &e), &e);
    printf("\n%d × %d %s: %.1f s, %d Newton steps, %d CG iterations, %d halvings, %d steps not converged\n"
           "  stretch %.4f (at the pins %.4f), clearance %.9f m (thickness %.6f), last speed %.3f m/s,\n"
           "  force on the ball over weight (%.3f, %.3f, %.3f)\n",
           n, n, pinned ? "pinned" : "free", seconds, newton, cg, halvings, not_converged, most, at_pins, clearance,
           d.fabric.thickness, st.max_speed, f.x / (info.mass * LAB_G), f.y / (info.mass * LAB_G),
           f.z / (info.mass * LAB_G));
    if (pinned)
        printf("  edges longer than 1.05 end within %.1f mm of a pin\n", 1e3 * far);
    fflush(stdout);
    assert_true(most <= 1.05);
    assert_true(at_pins <= d.fabric.stretch_limit);
    weft_sim_destroy(d.sim);
}

static int nodes(void)
{
    return getenv("WEFT_LONG") ? 146 : 38;
}

static void cotton_drapes_over_the_ball(void **state)
{
    (void)state;
    run(nodes(), false);
}

static void pinned_cotton_drapes_over_the_ball(void **state)
{
    (void)state;
    run(nodes(), true);
}

/* Fifteen times the weight brings the edges that hold it to their limit, as finer meshes do. */
static void edges_beside_a_pin_stay_below_the_limit_in_every_step(void **state)
{
    (void)state;
    drape d = make(40, true, 15 * LAB_G);
    double most = 0;
    lab_ok(weft_collider_remove(d.sim, d.ball, NULL), NULL);
    for (int k = 0; k < 36; k++) {
        weft_step_stats st;
        weft_error e;
        lab_ok(weft_sim_step(d.sim, 1.0 / 60, &st, &e), &e);
        most = fmax(most, st.stretch);
    }
    printf("  stretch %.4f, limit %.4f\n", most, d.fabric.stretch_limit);
    assert_true(most <= d.fabric.stretch_limit);
    weft_sim_destroy(d.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cotton_drapes_over_the_ball),
        cmocka_unit_test(pinned_cotton_drapes_over_the_ball),
        cmocka_unit_test(edges_beside_a_pin_stay_below_the_limit_in_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
