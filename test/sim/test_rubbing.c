/* SPDX-License-Identifier: MIT */
/* Cloth that rubs on cloth: a small sheet lies on a larger one that is held, on a slope. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "math/trig.h"
#include "sim/kit.h"

#include <cmocka.h>

#define STEP (1.0 / 60)
#define SLACK 1e-4 /* m, that friction gives before it slides (contact/near.c) */

enum { HELD_SIDE = 17, FREE_SIDE = 8, HELD = HELD_SIDE * HELD_SIDE, FREE = FREE_SIDE * FREE_SIDE };

typedef struct slope {
    weft_sim *sim;
    weft_cloth_id sheet;
    weft_adapt adapt; /* of the sheet */
    weft_vec3 down;   /* along it */
    double friction, tangent;
} slope;

/* A sheet of `side` m whose middle is `above` m off the slope through the origin. */
static weft_cloth_id add_sheet(slope *s, int32_t n, double side, double above)
{
    weft_error e = {0};
    weft_cloth_id id;
    weft_fabric cotton;
    kit_must(weft_fabric_find("cotton", &cotton, &e), &e);
    weft_vec3 d = s->down, up = {-d.y, d.x, 0}; /* the slope goes down along x */
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = n;
    g.size_warp = g.size_weft = side;
    g.axis_warp = d;
    g.axis_weft = (weft_vec3){0, 0, -1};
    g.corner = (weft_vec3){above * up.x - 0.5 * side * d.x, above * up.y - 0.5 * side * d.y, 0.5 * side};
    g.model.fabrics = &cotton;
    g.model.n_fabrics = 1;
    if (n == FREE_SIDE)
        g.model.adapt = s->adapt;
    s->friction = cotton.friction;
    kit_must(weft_cloth_create_grid(s->sim, &g, &id, &e), &e);
    return id;
}

/* Its tangent is `share` of the coefficient of friction. */
static slope make_adaptive_slope(double share, weft_adapt adapt)
{
    weft_sim_def d = weft_sim_def_default();
    weft_error e = {0};
    weft_fabric cotton;
    int32_t all[HELD];
    kit_must(weft_fabric_find("cotton", &cotton, &e), &e);
    slope s = {.sim = kit_sim(&d), .adapt = adapt, .tangent = share * cotton.friction};
    double over = 1 / sqrt(1 + s.tangent * s.tangent);
    s.down = (weft_vec3){over, -s.tangent * over, 0};
    weft_cloth_id held = add_sheet(&s, HELD_SIDE, 0.2, 0);
    s.sheet = add_sheet(&s, FREE_SIDE, 0.09, 2e-3);
    for (int32_t i = 0; i < HELD; i++)
        all[i] = i;
    kit_pin(s.sim, held, HELD, all);
    return s;
}

static slope make_slope(double share)
{
    return make_adaptive_slope(share, (weft_adapt){0});
}

/* How far down the sheet's middle is, m. */
static double way_down(const slope *s)
{
    weft_vec3 x[4 * FREE]; /* the mesh of the start comes first */
    weft_error e = {0};
    double sum = 0;
    kit_must(weft_cloth_get_positions(s->sim, s->sheet, x, 4 * FREE, 0, &e), &e);
    for (int32_t i = 0; i < FREE; i++)
        sum += x[i].x * s->down.x + x[i].y * s->down.y;
    return sum / FREE;
}

static void sheet_on_a_gentle_slope_does_not_creep(void **state)
{
    (void)state;
    slope s = make_slope(0.6);
    kit_steps(s.sim, 30, STEP);
    double before = way_down(&s);
    kit_steps(s.sim, 60, STEP);
    double crept = way_down(&s) - before;
    if (!(fabs(crept) < SLACK))
        fail_msg("crept by %g m in a second", crept);
    weft_sim_destroy(s.sim);
}

/* Wants detail in a corner, every second time. */
static double size_in_turns(void *user, weft_vec3 position, weft_vec2 uv)
{
    const int32_t *turn = user;
    (void)position;
    return *turn % 2 && uv.u < 0.02 && uv.v < 0.02 ? 0.008 : 1;
}

/* A corner of it splits and merges all the time; the rest of it must not feel that. */
static void changes_of_the_mesh_do_not_set_it_off(void **state)
{
    (void)state;
    int32_t turn = 0, n_split = 0, n_merged = 0;
    weft_adapt a = weft_adapt_default();
    a.max_level = 1;
    a.size = size_in_turns;
    a.size_user = &turn;
    slope s = make_adaptive_slope(0.6, a);
    double before = 0;
    for (int k = 0; k < 60; k++, turn = k / 2) {
        weft_step_stats st;
        weft_error e = {0};
        if (k == 30)
            before = way_down(&s);
        kit_must(weft_sim_step(s.sim, STEP, &st, &e), &e);
        n_split += st.split;
        n_merged += st.merged;
    }
    double crept = way_down(&s) - before;
    assert_true(n_split >= 10 && n_merged >= 10);
    if (!(fabs(crept) < SLACK))
        fail_msg("crept by %g m in half a second", crept);
    weft_sim_destroy(s.sim);
}

/* g (sin − μ cos) t²/2, from when it has landed; within what the air takes and the landing leaves: a tenth. */
static void sheet_on_a_steep_slope_slides(void **state)
{
    (void)state;
    slope s = make_slope(1.5);
    double g = 9.81, over = 1 / sqrt(1 + s.tangent * s.tangent), a = g * over * (s.tangent - s.friction), at[3];
    kit_steps(s.sim, 6, STEP);
    for (int k = 0; k < 3; k++, kit_steps(s.sim, 3, STEP))
        at[k] = way_down(&s);
    double t = 3 * STEP, measured = (at[2] - 2 * at[1] + at[0]) / (t * t);
    if (!(fabs(measured - a) < 0.1 * a))
        fail_msg("slides at %g m/s², not %g", measured, a);
    weft_sim_destroy(s.sim);
}

static void restored_sheet_goes_on_to_the_bit(void **state)
{
    (void)state;
    slope a = make_slope(0.6), b = make_slope(0.6);
    weft_error e = {0};
    size_t size = 0;
    kit_steps(a.sim, 20, STEP);
    kit_must(weft_sim_snapshot(a.sim, NULL, &size, &e), &e);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    kit_must(weft_sim_snapshot(a.sim, bytes, &size, &e), &e);
    kit_must(weft_sim_restore(b.sim, bytes, size, &e), &e);
    for (int k = 0; k < 5; k++) {
        kit_steps(a.sim, 1, STEP);
        kit_steps(b.sim, 1, STEP);
        assert_true(weft_sim_hash(a.sim) == weft_sim_hash(b.sim));
    }
    free(bytes);
    weft_sim_destroy(a.sim);
    weft_sim_destroy(b.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheet_on_a_gentle_slope_does_not_creep),
        cmocka_unit_test(changes_of_the_mesh_do_not_set_it_off),
        cmocka_unit_test(sheet_on_a_steep_slope_slides),
        cmocka_unit_test(restored_sheet_goes_on_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
