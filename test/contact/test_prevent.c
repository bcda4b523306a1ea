/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "contact/prevent/detect.h"
#include "contact/prevent/failsafe.h"
#include "contact/prevent_kit.h"
#include "contact/prevent/impact_zone.h"
#include "math/grid.h"

#include <cmocka.h>

enum { SIDE = 12, SHEET = SIDE * SIDE };

/* Two sheets, one 4 cm above the other. */
static prevent_kit *two_sheets(int32_t n_threads)
{
    prevent_kit *k = prevent_kit_new(1);
    prevent_kit_sheet(k, SIDE, SIDE, v3(0, 0, 0), v3(0.2, 0, 0), v3(0, 0.2, 0));
    prevent_kit_sheet(k, SIDE, SIDE, v3(0.013, 0.007, 0.04), v3(0.2, 0, 0), v3(0, 0.2, 0.01));
    prevent_kit_ready(k, n_threads);
    return k;
}

static void throw_together(prevent_kit *k, double way)
{
    prevent_kit_move(k, 0, SHEET, v3(0.02, 0.01, way));
    prevent_kit_move(k, SHEET, 2 * SHEET, v3(-0.03, 0, -way));
    for (int32_t i = 0; i < 2 * SHEET; i++) {
        vec3 d = prevent_kit_random(k, 0.002);
        k->x1[i] = v3_add(k->x1[i], d);
        k->v1[i] = v3_madd(k->v1[i], 1 / k->w.h, d);
    }
}

static void assert_free(prevent_kit *k, prevent_end end)
{
    assert_int_equal(end, PREVENT_FREE);
    assert_int_equal(prevent_kit_intersections(k, k->x1), 0);
}

/* ---- guarantee G ------------------------------------------------------------------------------------------------- */

static void a_free_motion_is_left_alone(void **state)
{
    (void)state;
    prevent_kit *k = two_sheets(1);
    prevent_kit_move(k, 0, SHEET, v3(0.1, 0.02, 0.01));
    prevent_kit_move(k, SHEET, 2 * SHEET, v3(0.1, 0.03, 0.02));
    vec3 before[2 * SHEET];
    memcpy(before, k->v1, sizeof before);
    assert_int_equal(prevent_kit_run(k), PREVENT_FREE);
    assert_int_equal(k->stats.checks, 1);
    assert_int_equal(k->stats.sweeps, 0);
    assert_memory_equal(before, k->v1, sizeof before);
    for (int32_t i = 0; i < 2 * SHEET; i++)
        assert_true(v3_max_abs(v3_sub(v3_sub(k->x1[i], k->x0[i]), v3_scale(k->w.h, before[i]))) <= 0x1p-33);
    prevent_kit_free(k);
}

/* Middles of the sheets, which overlap at first: the way from one to the other is positive against what it was,
 * unless one went through the other. (Zones that move as one turn it by less than a right angle.) */
static double height_between(const prevent_kit *k)
{
    int32_t middle = SIDE / 2 * SIDE + SIDE / 2;
    return v3_dot(v3_sub(k->x1[SHEET + middle], k->x1[middle]), v3_sub(k->x0[SHEET + middle], k->x0[middle]));
}

/* Each impulse keeps momentum up to a rounding of each of its eight changes of v, of m |v| ≤ 1e-4 · 800 · 2⁻⁵³; with
 * some 1e5 impulses at most: 1e5 · 8 · 9e-18 < 1e-11. */
#define ROUND 1e-11

static void sheets_thrown_through_each_other_end_apart_with_their_momentum(void **state)
{
    (void)state;
    for (int speed = 0; speed < 8; speed++) {
        prevent_kit *k = two_sheets(1);
        double way = 0.1 * (1 << 2 * (speed % 4));
        k->options.response = speed < 4 ? PREVENT_WEFT : PREVENT_PROVOT;
        throw_together(k, way);
        for (int32_t i = 0; i < 2 * SHEET; i++)
            k->friction[i] = speed < 4 ? 0.3 : 0; /* Provot's own friction does not keep it */
        vec3 before = prevent_kit_momentum(k, k->v1);
        prevent_end end = prevent_kit_run(k);
        print_message("%g m/s: hits %lld, sweeps %d, rounds %d, zones %d (largest %d), rigid %d, checks %d\n", way * 60,
                      (long long)k->stats.hits, k->stats.sweeps, k->stats.inelastic, k->stats.zones,
                      k->stats.largest_zone, k->stats.rigid, k->stats.checks);
        assert_free(k, end);
        assert_true(height_between(k) > 0);
        assert_int_equal(k->stats.failsafes, 0);
        assert_true(v3_len(v3_sub(prevent_kit_momentum(k, k->v1), before)) <= ROUND);
        prevent_kit_free(k);
    }
}

static void retry_is_answered_only_where_the_step_can_be_shortened(void **state)
{
    (void)state;
    int n_retry = 0;
    for (int last = 0; last < 2; last++) {
        prevent_kit *k = prevent_kit_new(4);
        prevent_kit_sheet(k, SIDE, SIDE, v3(0, 0, 0), v3(0.2, 0, 0), v3(0, 0.2, 0));
        prevent_kit_colliders(k);
        prevent_kit_box(k, v3(0.05, 0.05, 0.01), v3(0.1, 0.1, 0.1));
        prevent_kit_box(k, v3(0.05, 0.05, -0.11), v3(0.1, 0.1, 0.1));
        prevent_kit_ready(k, 1);
        k->options.last_chance = last;
        for (int32_t i = 0; i < 8; i++) { /* they meet in the middle */
            k->x1[SHEET + i].z -= 0.02;
            k->x1[SHEET + 8 + i].z += 0.02;
        }
        prevent_end end = prevent_kit_run(k);
        n_retry += end == PREVENT_RETRY;
        assert_true((end == PREVENT_RETRY) == (last == 0));
        prevent_kit_free(k);
    }
    assert_int_equal(n_retry, 1);
}

static void hits_are_told_with_the_number_of_their_nodes(void **state)
{
    (void)state;
    prevent_kit *k = two_sheets(1);
    bool hit[2 * SHEET] = {false};
    int32_t n = 0;
    k->options.ask = true;
    throw_together(k, 0.1);
    assert_int_equal(prevent_kit_run(k), PREVENT_HITS);
    assert_int_equal(k->stats.sweeps, 0);
    assert_int_equal(prevent_n_hits(&k->w), k->stats.hits);
    for (int32_t i = 0; i < prevent_n_hits(&k->w); i++)
        for (int c = 0; c < 4; c++)
            hit[prevent_get_hit(&k->w, i).node[c]] = true;
    for (int32_t i = 0; i < 2 * SHEET; i++)
        n += hit[i];
    assert_true(n > 0);
    assert_int_equal(prevent_n_hit_nodes(&k->w), n);
    prevent_kit_move(k, 0, 2 * SHEET, v3(0, 0, 0.01));
    assert_int_equal(prevent_kit_run(k), PREVENT_FREE);
    assert_int_equal(prevent_n_hits(&k->w) + prevent_n_hit_nodes(&k->w), 0);
    prevent_kit_free(k);
}

static void nodes_that_hang_end_in_the_middle(void **state)
{
    (void)state;
    prevent_kit *k = prevent_kit_new(5);
    prevent_kit_mixed_sheet(k, 13, 13, v3(0, 0, 0), v3(0.2, 0, 0), v3(0, 0.2, 0));
    prevent_kit_mixed_sheet(k, 13, 13, v3(0.005, 0.003, 0.01), v3(0.2, 0, 0), v3(0, 0.2, 0));
    prevent_kit_ready(k, 1);
    int32_t half = k->w.n_nodes / 2, n_hanging = 0;
    prevent_kit_move(k, 0, half, v3(0, 0, 0.05));
    for (int32_t i = 0; i < k->w.n_nodes; i++)
        k->x1[i] = v3_add(k->x1[i], prevent_kit_random(k, 0.003));
    assert_free(k, prevent_kit_run(k));
    assert_true(k->stats.hits > 100);
    for (int32_t i = 0; i < k->w.n_nodes; i++) {
        const node_row *r = &k->rows[i];
        vec3 wanted =
            r->dof[1] < 0 ? grid_snap(k->x1[i], 0) : v3_scale(0.5, v3_add(k->x1[r->dof[0]], k->x1[r->dof[1]]));
        assert_memory_equal(&wanted, &k->x1[i], sizeof wanted);
        n_hanging += r->dof[1] >= 0;
    }
    assert_true(n_hanging == 12);
    prevent_kit_free(k);
}

static void pinned_nodes_stay_where_they_are_told(void **state)
{
    (void)state;
    prevent_kit *k = two_sheets(1);
    for (int32_t i = 0; i < SHEET; i += 5)
        k->filters[i].kind = FREEDOM_NONE;
    throw_together(k, 0.3);
    prevent_kit_move(k, 0, SHEET, v3_zero());
    assert_free(k, prevent_kit_run(k));
    for (int32_t i = 0; i < SHEET; i += 5)
        assert_memory_equal(&k->x1[i], &k->x0[i], sizeof k->x1[i]);
    assert_true(height_between(k) > 0);
    prevent_kit_free(k);
}

/* A box of 5 cm, 200 m/s for 1/60 s: 3.3 m through the middle of a sheet of 20 cm. */
static void a_fast_collider_takes_the_sheet_with_it(void **state)
{
    (void)state;
    prevent_kit *k = prevent_kit_new(6);
    prevent_kit_sheet(k, SIDE, SIDE, v3(0, 0, 0), v3(0.2, 0, 0), v3(0, 0.2, 0));
    prevent_kit_colliders(k);
    prevent_kit_box(k, v3(0.07, 0.08, -0.06), v3(0.05, 0.05, 0.05));
    prevent_kit_ready(k, 1);
    for (int32_t i = SHEET; i < SHEET + 8; i++)
        k->x1[i] = grid_snap(v3_add(k->x0[i], v3(0.01, -0.02, 200.0 / 60)), 0);
    prevent_end end = prevent_kit_run(k);
    print_message("200 m/s: hits %lld, sweeps %d, rounds %d, rigid %d, fail-safe %d, end %d\n",
                  (long long)k->stats.hits, k->stats.sweeps, k->stats.inelastic, k->stats.rigid, k->stats.failsafes,
                  end);
    assert_free(k, end);
    assert_true(k->x1[SIDE / 2 * SIDE + SIDE / 2].z > 3.3);
    prevent_kit_free(k);
}

/* ---- zones that move as one -------------------------------------------------------------------------------------- */

static prevent_job job_of(prevent_kit *k)
{
    prevent_work *w = k->w.work;
    assert_true(ARENA_TAKE(&k->scratch, w->x_boxed, k->w.n_nodes) &&
                ARENA_TAKE(&k->scratch, w->x_tested, k->w.n_nodes));
    return (prevent_job){.world = &k->w,
                         .work = k->w.work,
                         .x0 = k->x0,
                         .x1 = k->x1,
                         .v1 = k->v1,
                         .options = &k->options,
                         .stats = &k->stats};
}

/* Spins are about the origin, at x0; a zone of some hundred nodes of 1e-4 kg at 10 m/s, with a moment arm below 1 m:
 * a few hundred roundings of 1e-3 kg m²/s. */
static void rigid_zones_keep_momentum_and_spin(void **state)
{
    (void)state;
    for (int run = 0; run < 8; run++) {
        prevent_kit *k = two_sheets(1);
        assert_int_equal(prevent_kit_run(k), PREVENT_FREE); /* makes its arrays */
        k->random = 10 + (uint64_t)run;
        throw_together(k, 0.022 + 0.001 * run);
        prevent_job j = job_of(k);
        k->stats = (prevent_stats){0};
        assert_true(prevent_settle(&j) && detect_all(&j) && prevent_ready(&j));
        assert_true(j.n_hits > 0);
        vec3 p = prevent_kit_momentum(k, k->v1), l = prevent_kit_spin(k, k->x0, k->v1);
        vec3 way[2 * SHEET];
        for (int32_t i = 0; i < 2 * SHEET; i++)
            way[i] = v3_sub(k->x1[i], k->x0[i]);
        vec3 p_way = prevent_kit_momentum(k, way), l_way = prevent_kit_spin(k, k->x0, way);
        assert_free(k, failsafe(&j));
        assert_true(k->stats.rigid > 0);
        assert_int_equal(k->stats.failsafes, 0);
        assert_true(v3_len(v3_sub(prevent_kit_momentum(k, k->v1), p)) <= 1e-14);
        assert_true(v3_len(v3_sub(prevent_kit_spin(k, k->x0, k->v1), l)) <= 1e-14);
        for (int32_t i = 0; i < 2 * SHEET; i++)
            way[i] = v3_sub(k->x1[i], k->x0[i]);
        /* Positions: but for the grid, half a cell a coordinate. */
        double grid = 2 * SHEET * 1e-4 * 0.87 * 0x1p-32;
        assert_true(v3_len(v3_sub(prevent_kit_momentum(k, way), p_way)) <= grid);
        assert_true(v3_len(v3_sub(prevent_kit_spin(k, k->x0, way), l_way)) <= grid * 0.4);
        prevent_kit_free(k);
    }
}

static void inelastic_zones_keep_momentum(void **state)
{
    (void)state;
    for (int run = 0; run < 4; run++) {
        prevent_kit *k = two_sheets(1);
        assert_int_equal(prevent_kit_run(k), PREVENT_FREE);
        throw_together(k, 0.03 + 0.01 * run);
        prevent_job j = job_of(k);
        assert_true(prevent_settle(&j) && detect_all(&j) && prevent_ready(&j));
        vec3 p = prevent_kit_momentum(k, k->v1), p_x = prevent_kit_momentum(k, k->x1);
        impact_zone_reset(&j);
        assert_true(ledger_reset(&k->w.work->ledger, &k->mem, 0));
        assert_true(impact_zone_gather(&j));
        for (int i = 0; i < 5; i++)
            assert_true(impact_zone_solve(&j));
        assert_true(v3_len(v3_sub(prevent_kit_momentum(k, k->v1), p)) <= 1e-13);
        assert_true(v3_len(v3_sub(prevent_kit_momentum(k, k->x1), p_x)) <= 1e-15);
        for (int64_t i = 0; i < k->w.work->n_constraints; i++) {
            const impact *c = &k->w.work->constraints[i];
            impact_world w = {&k->w, k->w.work->obstacle, k->x0, k->x1, k->v1};
            assert_true(c->push >= 0 && c->push_v >= 0);
            assert_true(impact_missing(&w, c) <= 0.2 * (c->aim_end - c->floor));
        }
        prevent_kit_free(k);
    }
}

/* ---- no room ----------------------------------------------------------------------------------------------------- */

/* Two plates close on a sheet, by 1 mm a step, until nothing is left; then go through each other. */
static void plates_that_close_squeeze_and_say_so(void **state)
{
    (void)state;
    prevent_kit *k = prevent_kit_new(7);
    prevent_kit_sheet(k, SIDE, SIDE, v3(0, 0, 0), v3(0.2, 0, 0), v3(0, 0.2, 0));
    prevent_kit_colliders(k);
    prevent_kit_sheet(k, 5, 5, v3(-0.1, -0.1, 0.0052), v3(0.4, 0, 0), v3(0, 0.4, 0));
    prevent_kit_sheet(k, 5, 5, v3(-0.1, -0.1, -0.0052), v3(0.4, 0, 0), v3(0, 0.4, 0));
    prevent_kit_ready(k, 1);
    int32_t squeezed_at = -1, n_squeezed = 0;
    for (int32_t step = 0; step < 20 && squeezed_at < 0; step++) {
        for (int32_t i = SHEET; i < SHEET + 50; i++)
            k->x1[i] = grid_snap(v3_add(k->x0[i], v3(0, 0, i < SHEET + 25 ? -0.001 : 0.001)), 0);
        for (int32_t i = 0; i < SHEET; i++)
            prevent_kit_move(k, i, i + 1, prevent_kit_random(k, 0.001));
        prevent_end end = prevent_kit_run(k);
        for (int32_t i = 0; i < SHEET; i++)
            assert_true(v3_len(v3_sub(k->x1[i], k->x0[i])) <= 0.05);
        if (end == PREVENT_SQUEEZED)
            squeezed_at = step;
        else
            assert_int_equal(prevent_kit_intersections(k, k->x1), 0);
        prevent_kit_commit(k);
    }
    const prevent_pair *pairs = prevent_squeezed(&k->w, &n_squeezed);
    print_message("squeezed in step %d, %d pairs\n", squeezed_at, n_squeezed);
    assert_in_range(squeezed_at, 5, 19); /* at 5.2 mm they meet; some steps are cut before that */
    assert_true(n_squeezed > 0 && k->stats.squeezed_pairs == n_squeezed);
    for (int32_t i = 0; i < n_squeezed; i++)
        assert_true((pairs[i].node[0] < SHEET) != (pairs[i].node[3] < SHEET));
    prevent_kit_free(k);
}

static void a_pinned_node_in_a_colliders_way_is_named_as_held(void **state)
{
    (void)state;
    prevent_kit *k = prevent_kit_new(8);
    prevent_kit_sheet(k, 4, 4, v3(0, 0, 0), v3(0.1, 0, 0), v3(0, 0.1, 0));
    prevent_kit_colliders(k);
    prevent_kit_box(k, v3(0.02, 0.02, 0.01), v3(0.05, 0.05, 0.05));
    prevent_kit_ready(k, 1);
    for (int32_t i = 0; i < 16; i++)
        k->filters[i].kind = FREEDOM_NONE;
    for (int32_t i = 16; i < 24; i++)
        k->x1[i].z -= 0.03;
    prevent_end end = prevent_kit_run(k);
    assert_int_equal(end, PREVENT_CUT); /* up to where they meet */
    assert_true(k->stats.cut > 0.2 && k->stats.cut < 0.34);
    assert_int_equal(prevent_kit_intersections(k, k->x1), 0);
    for (int n = 0; n < 20 && end == PREVENT_CUT; n++) {
        prevent_kit_commit(k);
        for (int32_t i = 16; i < 24; i++)
            k->x1[i].z -= 0.03;
        end = prevent_kit_run(k);
    }
    int32_t n;
    const prevent_pair *pairs = prevent_squeezed(&k->w, &n);
    assert_int_equal(end, PREVENT_SQUEEZED);
    assert_true(n > 0);
    for (int32_t i = 0; i < n; i++)
        assert_true(pairs[i].held);
    prevent_kit_free(k);
}

/* ---- what else cloth must keep clear of -------------------------------------------------------------------------- */

typedef struct floor_plane {
    double height;
    int32_t n, n_calls;
} floor_plane;

static void keep_above(void *context, vec3 *x1)
{
    floor_plane *f = context;
    f->n_calls++;
    for (int32_t i = 0; i < f->n; i++)
        x1[i].z = max_of(x1[i].z, f->height);
}

/* One sheet lies on the floor, the other falls on it at 30 m/s: the lower one must not be pushed into the floor. */
static void sheets_stay_above_the_floor(void **state)
{
    (void)state;
    prevent_kit *k = two_sheets(1);
    floor_plane f = {0, 2 * SHEET, 0};
    k->w.keep = keep_above;
    k->w.context = &f;
    prevent_kit_move(k, SHEET, 2 * SHEET, v3(0.01, 0.01, -0.5));
    keep_above(&f, k->x1); /* as the solve has done */
    prevent_end end = prevent_kit_run(k);
    assert_free(k, end);
    assert_true(f.n_calls > 1);
    for (int32_t i = 0; i < 2 * SHEET; i++)
        assert_true(k->x1[i].z >= 0);
    assert_true(height_between(k) > 0);
    print_message("on the floor: sweeps %d, rounds %d, rigid %d, fail-safe %d\n", k->stats.sweeps, k->stats.inelastic,
                  k->stats.rigid, k->stats.failsafes);
    prevent_kit_free(k);
}

/* The floor rises by 4 cm into the lower sheet, and the upper one is held. */
static void a_floor_that_leaves_no_room_is_no_endless_fight(void **state)
{
    (void)state;
    for (int last = 0; last < 2; last++) {
        prevent_kit *k = two_sheets(1);
        floor_plane f = {0.045, SHEET, 0};
        k->w.keep = keep_above;
        k->w.context = &f;
        k->options.last_chance = last;
        for (int32_t i = SHEET; i < 2 * SHEET; i++)
            k->filters[i].kind = FREEDOM_NONE;
        keep_above(&f, k->x1);
        prevent_end end = prevent_kit_run(k);
        if (last == 0)
            assert_int_equal(end, PREVENT_RETRY);
        else
            assert_true(end == PREVENT_CUT || end == PREVENT_SQUEEZED);
        prevent_kit_free(k);
    }
}

static bool between_sheets(void *context, const int32_t node[4], bool edges)
{
    (void)context;
    (void)edges;
    return (node[0] < SHEET) != (node[3] < SHEET);
}

static void exempt_pairs_go_through(void **state)
{
    (void)state;
    prevent_kit *k = two_sheets(1);
    k->w.exempt = between_sheets;
    prevent_kit_move(k, 0, SHEET, v3(0, 0, 0.07));
    assert_int_equal(prevent_kit_run(k), PREVENT_FREE);
    assert_true(height_between(k) < 0);
    assert_int_equal(k->stats.sweeps, 0);
    prevent_kit_free(k);
}

/* ---- bad starts -------------------------------------------------------------------------------------------------- */

static void sheets_that_touch_or_cross_at_the_start_end_in_time(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        prevent_kit *k = prevent_kit_new(9);
        prevent_kit_sheet(k, SIDE, SIDE, v3(0, 0, 0), v3(0.2, 0, 0), v3(0, 0.2, 0));
        /* the same place; touching along a line; crossing */
        vec3 corner = kind == 0 ? v3(0, 0, 0) : kind == 1 ? v3(0, 0.1, 0) : v3(0.01, 0.1, -0.05);
        prevent_kit_sheet(k, SIDE, SIDE, corner, v3(0.2, 0, 0), kind == 0 ? v3(0, 0.2, 0) : v3(0, 0, 0.15));
        prevent_kit_ready(k, 1);
        prevent_kit_move(k, 0, SHEET, v3(0.001, 0, 0.003));
        prevent_end end = prevent_kit_run(k);
        assert_true(end != PREVENT_RETRY && end != PREVENT_FAILED);
        for (int32_t i = 0; i < 2 * SHEET; i++)
            assert_true(v3_len(v3_sub(k->x1[i], k->x0[i])) <= 0.05);
        prevent_kit_free(k);
    }
}

static void a_node_out_of_the_world_fails(void **state)
{
    (void)state;
    double bad[] = {300, KIT_NAN, KIT_INFINITE};
    for (int i = 0; i < 3; i++) {
        prevent_kit *k = two_sheets(1);
        k->x1[7].y = bad[i];
        assert_int_equal(prevent_kit_run(k), PREVENT_FAILED);
        prevent_kit_free(k);
    }
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void a_steady_step_asks_for_no_memory(void **state)
{
    (void)state;
    prevent_kit *k = two_sheets(1);
    for (int run = 0; run < 3; run++) {
        int64_t before = k->memory.n_calls;
        k->random = 3;
        throw_together(k, 0.9);
        assert_int_equal(prevent_kit_run(k), PREVENT_FREE);
        assert_true(run == 0 || k->memory.n_calls == before);
    }
    prevent_kit_free(k);
}

static void running_out_of_memory_fails_cleanly(void **state)
{
    (void)state;
    int n_failed = 0;
    for (int64_t at = 1; at < 100; at++) {
        prevent_kit *k = prevent_kit_new(2);
        prevent_kit_sheet(k, 4, 4, v3(0, 0, 0), v3(0.2, 0, 0), v3(0, 0.2, 0));
        prevent_kit_sheet(k, 4, 4, v3(0.013, 0.007, 0.04), v3(0.2, 0, 0), v3(0, 0.2, 0.01));
        prevent_kit_ready(k, 1);
        prevent_kit_move(k, 0, 16, v3(0, 0, 0.05));
        k->options.response = at % 2 ? PREVENT_WEFT : PREVENT_PROVOT;
        k->memory.fail_at = k->memory.n_calls + (at + 1) / 2;
        prevent_end end = prevent_kit_run(k);
        bool failed = k->memory.n_failed > 0;
        n_failed += failed;
        assert_true((end == PREVENT_FAILED) == failed);
        prevent_kit_move(k, 0, 16, v3(0, 0, 0.05));
        assert_free(k, prevent_kit_run(k));
        prevent_kit_free(k);
    }
    assert_true(n_failed >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_motion_is_left_alone),
        cmocka_unit_test(sheets_thrown_through_each_other_end_apart_with_their_momentum),
        cmocka_unit_test(retry_is_answered_only_where_the_step_can_be_shortened),
        cmocka_unit_test(hits_are_told_with_the_number_of_their_nodes),
        cmocka_unit_test(nodes_that_hang_end_in_the_middle),
        cmocka_unit_test(pinned_nodes_stay_where_they_are_told),
        cmocka_unit_test(a_fast_collider_takes_the_sheet_with_it),
        cmocka_unit_test(rigid_zones_keep_momentum_and_spin),
        cmocka_unit_test(inelastic_zones_keep_momentum),
        cmocka_unit_test(plates_that_close_squeeze_and_say_so),
        cmocka_unit_test(a_pinned_node_in_a_colliders_way_is_named_as_held),
        cmocka_unit_test(sheets_stay_above_the_floor),
        cmocka_unit_test(a_floor_that_leaves_no_room_is_no_endless_fight),
        cmocka_unit_test(exempt_pairs_go_through),
        cmocka_unit_test(sheets_that_touch_or_cross_at_the_start_end_in_time),
        cmocka_unit_test(a_node_out_of_the_world_fails),
        cmocka_unit_test(a_steady_step_asks_for_no_memory),
        cmocka_unit_test(running_out_of_memory_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
