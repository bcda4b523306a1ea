/* SPDX-License-Identifier: MIT */
/* What holds cloth: the forces on it, and how cloth follows it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include "math/vec.h"
#include "sim/kit.h"

#include <cmocka.h>

/* Not for NAN either. */
#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

#define GRID_STEP 0x1p-32

static const weft_quat upright = {0, 0, 0, 1};

/* ---- forces on what holds ---------------------------------------------------------------------------------------- */

static double weight_of(const weft_sim *sim, weft_cloth_id id)
{
    return 9.81 * kit_info(sim, id).mass;
}

/* Until nothing has moved faster than 1e-5 m/s for a fifth of a second, longer than any swing of what hangs here. */
static void settle(weft_sim *sim, double h, double most)
{
    weft_error e = {0};
    weft_step_stats stats = {0};
    double still_since = 0;
    while (weft_sim_time(sim) < most && weft_sim_time(sim) - still_since < 0.2) {
        kit_must(weft_sim_step(sim, h, &stats, &e), &e);
        if (stats.max_speed > 1e-5)
            still_since = weft_sim_time(sim);
    }
    if (weft_sim_time(sim) >= most)
        fail_msg("still moving at %g m/s after %g s", stats.max_speed, most);
}

/* Damping that explicit steps of 1/4000 s can bear: h · τ · (8 k / m) < 2, with 8 k / m about 1e7 s⁻² here. */
static weft_fabric little_damped(void)
{
    weft_fabric fabric = weft_fabric_default();
    fabric.damping_stretch = 1e-4;
    return fabric;
}

/* An upright sheet, so that it is at rest almost at once; viscous air damps what is left. */
static weft_cloth_id hang(weft_sim *sim, int32_t n, int32_t *top)
{
    weft_grid_def d = kit_grid_def(n, 0.3, 0, 0);
    weft_fabric fabric = little_damped();
    d.model.fabrics = &fabric;
    d.model.n_fabrics = 1;
    d.axis_weft = (vec3){0, -1, 0};
    weft_cloth_id id;
    kit_must(weft_cloth_create_grid(sim, &d, &id, NULL), NULL);
    for (int32_t i = 0; i < n; i++)
        top[i] = i;
    return id;
}

static weft_sim *sim_with_thick_air(int integrator, double tolerance)
{
    weft_sim_def d = weft_sim_def_default();
    d.integrator = (weft_integrator)integrator;
    d.air_viscosity = 3; /* 20 times the density: velocities decay in 1/20 s */
    d.newton_limit = 20;
    d.newton_tolerance = tolerance;
    d.linear_tolerance = 1e-4;
    return kit_sim(&d);
}

static void pins_carry_the_weight(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator++) {
        enum { N = 7 };
        weft_sim *sim = sim_with_thick_air(integrator, 1e-9);
        int32_t top[N];
        weft_cloth_id id = hang(sim, N, top);
        weft_attachment_id pin = kit_pin(sim, id, N, top);
        settle(sim, kit_step_of(integrator), 20);
        weft_vec3 force, each[N];
        kit_must(weft_attachment_get_force(sim, pin, &force, each, N, NULL), NULL);
        double weight = weight_of(sim, id);
        print_message("integrator %d: weight %.9g N, on the pins %.9g N\n", integrator, weight, -force.y);
        assert_close(force.y, -weight, 1e-3 * weight);
        assert_close(force.x, 0, 1e-3 * weight);
        vec3 sum = v3_zero();
        for (int i = 0; i < N; i++) {
            assert_true(each[i].y < 0);
            sum = v3_add(sum, each[i]);
        }
        assert_close(sum.y, force.y, 1e-14);
        weft_sim_destroy(sim);
    }
}

/* At rest each spring is longer by its load over its stiffness. */
static void soft_pins_carry_the_weight_by_giving_way(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator++) {
        enum { N = 5 };
        weft_sim *sim = sim_with_thick_air(integrator, 1e-9);
        int32_t top[N];
        weft_cloth_id id = hang(sim, N, top);
        weft_attachment_def d = weft_attachment_def_default();
        d.kind = WEFT_ATTACH_SOFT;
        d.cloth = id;
        d.nodes = top;
        d.n_nodes = N;
        d.stiffness = 20;
        d.weights = (double[N]){1, 1, 2, 1, 0.5};
        weft_attachment_id pin;
        kit_must(weft_attachment_create(sim, &d, &pin, NULL), NULL);
        vec3 start[25], now[25];
        kit_positions(sim, id, start, 25);
        settle(sim, kit_step_of(integrator), 20);
        kit_positions(sim, id, now, 25);
        weft_vec3 force, each[N];
        kit_must(weft_attachment_get_force(sim, pin, &force, each, N, NULL), NULL);
        double weight = weight_of(sim, id);
        print_message("integrator %d: weight %.9g N, on the soft pins %.9g N\n", integrator, weight, -force.y);
        assert_close(force.y, -weight, 1e-3 * weight);
        for (int i = 0; i < N; i++) {
            vec3 wanted = v3_scale(20 * d.weights[i], v3_sub(now[i], start[i]));
            /* now: after snapping, and explicit steps report the force at their start */
            assert_close(v3_len(v3_sub(each[i], wanted)), 0, 1e-4 * weight);
        }
        weft_sim_destroy(sim);
    }
}

static void a_plane_carries_the_weight(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; integrator++) {
        /* Friction gives way by three tolerances (COLLIDER_CONTACT_SLACK): by 3e-9 m, contacts would change between
         * sticking and sliding for ever, 0.2 µm to and fro. */
        weft_sim *sim = sim_with_thick_air(integrator, 1e-7);
        weft_cloth_id id = kit_grid(sim, 8, 0.3, 0, 0.001);
        weft_collider_def d = weft_collider_def_default();
        weft_collider_id plane;
        kit_must(weft_collider_create(sim, &d, &plane, NULL), NULL);
        settle(sim, 1.0 / 60, 20);
        weft_vec3 force, torque;
        kit_must(weft_collider_get_force(sim, plane, &force, &torque, NULL), NULL);
        double weight = weight_of(sim, id), least;
        print_message("integrator %d: weight %.9g N, on the plane %.9g N\n", integrator, weight, -force.y);
        assert_close(force.y, -weight, 1e-3 * weight);
        assert_close(v3_len(v3(force.x, 0, force.z)), 0, 1e-3 * weight);
        /* The centre of mass is at (0.15, ., −0.15): torque = r × f = (0.15 f_y, 0, 0.15 f_y) */
        assert_close(torque.x, 0.15 * force.y, 1e-3 * weight * 0.3);
        assert_close(torque.z, 0.15 * force.y, 1e-3 * weight * 0.3);
        kit_must(weft_collider_get_clearance(sim, plane, id, &least, NULL), NULL);
        assert_true(least >= weft_fabric_default().thickness - 1e-9);
        weft_sim_destroy(sim);
    }
}

/* Explicit steps bounce within the thickness of a step; over many of them the mean force is the weight. */
static void a_plane_carries_the_weight_in_explicit_steps(void **state)
{
    (void)state;
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_EXPLICIT);
    weft_cloth_id id = kit_grid(sim, 5, 0.3, 0, 0.0005);
    weft_collider_def d = weft_collider_def_default();
    weft_collider_id plane;
    kit_must(weft_collider_create(sim, &d, &plane, NULL), NULL);
    kit_steps(sim, 2000, 1.0 / 4000);
    double sum = 0, weight = weight_of(sim, id);
    for (int k = 0; k < 1000; k++) {
        weft_vec3 force;
        kit_steps(sim, 1, 1.0 / 4000);
        kit_must(weft_collider_get_force(sim, plane, &force, NULL, NULL), NULL);
        sum += force.y / 1000;
    }
    print_message("explicit: weight %.9g N, on the plane %.9g N\n", weight, -sum);
    assert_close(sum, -weight, 1e-3 * weight);
    weft_sim_destroy(sim);
}

/* ---- moving attachments ------------------------------------------------------------------------------------------ */

/* 90° about z. */
static const weft_quat quarter = {0, 0, 0.70710678118654752, 0.70710678118654752};

static vec3 turned(vec3 d, double cosine, double sine)
{
    return v3(cosine * d.x - sine * d.y, sine * d.x + cosine * d.y, d.z);
}

/* Half the grid's diagonal, and roundings of coordinates of size 1. */
#define GRID_PRECISION (0.5 * GRID_STEP * 1.7320508 + 1e-15)

static void keyed_pins_follow_their_keys(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator++) {
        weft_sim *sim = kit_sim_with(integrator);
        weft_cloth_id id = kit_grid(sim, 4, 0.3, 0, 1);
        vec3 start[16], now[16];
        kit_positions(sim, id, start, 16);
        int32_t nodes[2] = {0, 3};
        double h = kit_step_of(integrator), end = 16 * h;
        vec3 pivot = {0.1, 1, 0};
        weft_key keys[2] = {{0, pivot, upright}, {end, v3_add(pivot, v3(0.02, 0.01, 0)), quarter}};
        weft_attachment_def d = weft_attachment_def_default();
        d.cloth = id;
        d.nodes = nodes;
        d.n_nodes = 2;
        d.keys = keys;
        d.n_keys = 2;
        weft_attachment_id pin;
        kit_must(weft_attachment_create(sim, &d, &pin, NULL), NULL);
        for (int k = 1; k <= 20; k++) {
            kit_steps(sim, 1, h);
            kit_positions(sim, id, now, 16);
            double t = fmin(1.0, k / 16.0);
            vec3 at = v3_madd(pivot, t, v3(0.02, 0.01, 0));
            for (int i = 0; i < 2; i++) {
                vec3 arm = v3_sub(start[nodes[i]], pivot), found = v3_sub(now[nodes[i]], at);
                assert_close(v3_len(found), v3_len(arm), GRID_PRECISION);
                if (k >= 16)
                    assert_close(v3_len(v3_sub(found, turned(arm, 0, 1))), 0, GRID_PRECISION);
            }
        }
        weft_sim_destroy(sim);
    }
}

/* Half-way in time is half-way in angle, whether rotations are mixed along the arc or the chord. */
static void keyed_pins_are_half_way_at_half_time(void **state)
{
    (void)state;
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_cloth_id id = kit_grid(sim, 3, 0.3, 0, 1);
    vec3 start[9], now[9], pivot = {0, 1, 0};
    kit_positions(sim, id, start, 9);
    int32_t node = 2;
    weft_key keys[2] = {{0, pivot, upright}, {1, pivot, quarter}};
    weft_attachment_def d = weft_attachment_def_default();
    d.cloth = id;
    d.nodes = &node;
    d.n_nodes = 1;
    d.keys = keys;
    d.n_keys = 2;
    weft_attachment_id pin;
    kit_must(weft_attachment_create(sim, &d, &pin, NULL), NULL);
    kit_steps(sim, 32, 1.0 / 64);
    kit_positions(sim, id, now, 9);
    const double half = 0.70710678118654752; /* cos 45° */
    vec3 arm = v3_sub(start[node], pivot), found = v3_sub(now[node], pivot);
    assert_close(v3_len(v3_sub(found, turned(arm, half, half))), 0, GRID_PRECISION);
    weft_sim_destroy(sim);
}

/* Targets set by hand are reached at the end of the step, and replace keys. */
static void pins_reach_targets_set_by_hand(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator++) {
        weft_sim *sim = kit_sim_with(integrator);
        weft_cloth_id id = kit_grid(sim, 4, 0.3, 0, 1);
        int32_t nodes[2] = {3, 0};
        weft_attachment_id pin = kit_pin(sim, id, 2, nodes);
        vec3 now[16], target[2];
        kit_positions(sim, id, now, 16);
        target[0] = now[3];
        target[1] = now[0];
        for (int k = 0; k < 10; k++) {
            target[0] = v3_add(target[0], v3(1e-4, 2e-4, -3e-4));
            target[1] = v3_add(target[1], v3(1e-4, -1e-4, 0));
            kit_must(weft_attachment_set_targets(sim, pin, target, 2, NULL), NULL);
            kit_steps(sim, 1, kit_step_of(integrator));
            kit_positions(sim, id, now, 16);
            assert_close(v3_len(v3_sub(now[3], target[0])), 0, GRID_PRECISION);
            assert_close(v3_len(v3_sub(now[0], target[1])), 0, GRID_PRECISION);
        }
        weft_sim_destroy(sim);
    }
}

static void attached_nodes_ride_on_a_moving_collider(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator++) {
        weft_sim *sim = kit_sim_with(integrator);
        weft_cloth_id id = kit_grid(sim, 4, 0.3, 0, 1);
        double h = kit_step_of(integrator);
        weft_key keys[3] = {
            {0, {0, 1.5, 0}, upright}, {10 * h, {0.01, 1.5, 0.02}, quarter}, {20 * h, {0.01, 1.49, 0.02}, quarter}};
        weft_collider_def c = weft_collider_def_default();
        c.kind = WEFT_COLLIDER_SPHERE;
        c.radius = 0.01; /* far above the sheet: it carries, and touches nothing */
        c.keys = keys;
        c.n_keys = 3;
        weft_collider_id ball;
        kit_must(weft_collider_create(sim, &c, &ball, NULL), NULL);
        int32_t nodes[3] = {0, 1, 4};
        weft_attachment_def d = weft_attachment_def_default();
        d.kind = WEFT_ATTACH_COLLIDER;
        d.cloth = id;
        d.nodes = nodes;
        d.n_nodes = 3;
        d.collider = ball;
        weft_attachment_id hold;
        kit_must(weft_attachment_create(sim, &d, &hold, NULL), NULL);
        vec3 start[16], now[16], origin = {0, 1.5, 0}, at;
        kit_positions(sim, id, start, 16);
        for (int k = 0; k < 25; k++) {
            double r[9];
            kit_steps(sim, 1, h);
            kit_positions(sim, id, now, 16);
            kit_must(weft_collider_get_pose(sim, ball, &at, r, NULL), NULL);
            for (int i = 0; i < 3; i++) {
                vec3 arm = v3_sub(start[nodes[i]], origin), wanted = v3_add(at, m3_mul_v(*(mat3 *)r, arm));
                assert_close(v3_len(v3_sub(now[nodes[i]], wanted)), 0, GRID_PRECISION);
            }
        }
        assert_close(v3_len(v3_sub(at, v3(0.01, 1.49, 0.02))), 0, 1e-15);
        weft_sim_destroy(sim);
    }
}

/* New keys hold from now on. */
static void colliders_take_new_keys(void **state)
{
    (void)state;
    weft_sim *sim = kit_sim_with(WEFT_INTEGRATOR_BDF2);
    weft_collider_id ball = kit_sphere(sim, 0.1, (vec3){0, 0, 0});
    kit_steps(sim, 1, 0.25);
    weft_key keys[2] = {{0.25, {0, 0, 0}, upright}, {0.75, {1, 2, 4}, {0, 0, 0, -3}}};
    kit_must(weft_collider_set_keys(sim, ball, keys, 2, NULL), NULL);
    kit_steps(sim, 1, 0.25);
    weft_vec3 at;
    double r[9];
    kit_must(weft_collider_get_pose(sim, ball, &at, r, NULL), NULL);
    assert_true(at.x == 0.5 && at.y == 1 && at.z == 2);
    for (int i = 0; i < 9; i++)
        assert_close(r[i], i % 4 == 0 ? 1 : 0, 1e-15);
    weft_sim_destroy(sim);
}

/* Two sheets side by side, tied along their facing borders: the gap closes, and momentum stays zero. */
static void ties_pull_two_cloths_together(void **state)
{
    (void)state;
    enum { N = 5 };
    for (int integrator = 0; integrator < 3; integrator++) {
        weft_sim_def sd = weft_sim_def_default();
        sd.integrator = (weft_integrator)integrator;
        sd.gravity = (vec3){0, 0, 0};
        sd.air_viscosity = 3;
        weft_sim *sim = kit_sim(&sd);
        weft_fabric fabric = little_damped();
        weft_grid_def g = kit_grid_def(N, 0.2, 0, 0);
        g.model.fabrics = &fabric;
        g.model.n_fabrics = 1;
        weft_cloth_id a, b;
        kit_must(weft_cloth_create_grid(sim, &g, &a, NULL), NULL);
        g.corner.x = 0.25;
        kit_must(weft_cloth_create_grid(sim, &g, &b, NULL), NULL);
        int32_t right[N], left[N];
        for (int i = 0; i < N; i++) {
            right[i] = N * i + N - 1;
            left[i] = N * i;
        }
        weft_tie_def d = weft_tie_def_default();
        d.cloth_a = a;
        d.cloth_b = b;
        d.nodes_a = right;
        d.nodes_b = left;
        d.n_pairs = N;
        d.stiffness = 20;
        d.damping = 1e-3;
        weft_tie_id tie;
        kit_must(weft_tie_create(sim, &d, &tie, NULL), NULL);
        settle(sim, kit_step_of(integrator), 5);
        vec3 xa[N * N], xb[N * N], sum = v3_zero();
        kit_positions(sim, a, xa, N * N);
        kit_positions(sim, b, xb, N * N);
        for (int i = 0; i < N; i++)
            assert_true(v3_len(v3_sub(xa[right[i]], xb[left[i]])) < 0.01 * 0.05);
        for (int i = 0; i < N * N; i++)
            sum = v3_add(sum, v3_add(xa[i], xb[i]));
        assert_close(sum.x / (2 * N * N), 0.225, 1e-3); /* they met half-way */
        kit_must(weft_tie_remove(sim, tie, NULL), NULL);
        kit_steps(sim, 2, kit_step_of(integrator));
        weft_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pins_carry_the_weight),
        cmocka_unit_test(soft_pins_carry_the_weight_by_giving_way),
        cmocka_unit_test(a_plane_carries_the_weight),
        cmocka_unit_test(a_plane_carries_the_weight_in_explicit_steps),
        cmocka_unit_test(keyed_pins_follow_their_keys),
        cmocka_unit_test(keyed_pins_are_half_way_at_half_time),
        cmocka_unit_test(pins_reach_targets_set_by_hand),
        cmocka_unit_test(attached_nodes_ride_on_a_moving_collider),
        cmocka_unit_test(colliders_take_new_keys),
        cmocka_unit_test(ties_pull_two_cloths_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
