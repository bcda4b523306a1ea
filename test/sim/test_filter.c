/* SPDX-License-Identifier: MIT */
/* What collides with what, by filters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "sim/kit.h"

#include <cmocka.h>

#define H (1.0 / 60)

enum { SIDE = 17, N_NODES = SIDE * SIDE, N_TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

static weft_sim *make_sim(int32_t n_threads)
{
    weft_sim_def def = weft_sim_def_default();
    weft_sim *sim = NULL;
    weft_error e = {0};
    def.n_threads = n_threads;
    kit_must(weft_sim_create(&def, &sim, &e), &e);
    return sim;
}

/* Level, its middle at (0, y, 0). */
static weft_cloth_id add_sheet(weft_sim *sim, double y)
{
    weft_grid_def grid = weft_grid_def_default();
    weft_cloth_id id;
    weft_error e = {0};
    grid.n_warp = grid.n_weft = SIDE;
    grid.size_warp = grid.size_weft = 0.4;
    grid.corner = v3(-0.2, y, 0.2);
    kit_must(weft_cloth_create_grid(sim, &grid, &id, &e), &e);
    return id;
}

static weft_collider_id add_solid(weft_sim *sim, weft_collider_kind kind, double y)
{
    weft_collider_def def = weft_collider_def_default();
    weft_collider_id id;
    weft_error e = {0};
    def.kind = kind;
    def.radius = 0.1;
    def.position.y = y;
    kit_must(weft_collider_create(sim, &def, &id, &e), &e);
    return id;
}

/* A square on four legs of nothing: two triangles. */
static weft_collider_id add_mesh_plate(weft_sim *sim, double y)
{
    static const weft_vec3 x[] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
    static const int32_t t[] = {0, 1, 2, 0, 2, 3};
    weft_collider_def def = weft_collider_def_default();
    weft_collider_id id;
    weft_error e = {0};
    def.kind = WEFT_COLLIDER_MESH;
    def.position.y = y;
    def.vertices = x;
    def.n_vertices = 4;
    def.triangles = t;
    def.n_triangles = 2;
    kit_must(weft_collider_create(sim, &def, &id, &e), &e);
    return id;
}

static void filter_cloth(weft_sim *sim, weft_cloth_id id, uint32_t category, uint32_t mask)
{
    weft_error e = {0};
    kit_must(weft_cloth_set_filter(sim, id, (weft_filter){category, mask, true}, &e), &e);
}

static void filter_collider(weft_sim *sim, weft_collider_id id, uint32_t category, uint32_t mask)
{
    weft_error e = {0};
    kit_must(weft_collider_set_filter(sim, id, (weft_filter){category, mask, true}, &e), &e);
}

static double lowest(const weft_sim *sim, weft_cloth_id id)
{
    weft_vec3 x[N_NODES];
    weft_error e = {0};
    double y = 1e9;
    kit_must(weft_cloth_get_positions(sim, id, x, N_NODES, 0, &e), &e);
    for (int i = 0; i < N_NODES; i++)
        y = min_of(y, x[i].y);
    return y;
}

static double highest(const weft_sim *sim, weft_cloth_id id)
{
    weft_vec3 x[N_NODES];
    weft_error e = {0};
    double y = -1e9;
    kit_must(weft_cloth_get_positions(sim, id, x, N_NODES, 0, &e), &e);
    for (int i = 0; i < N_NODES; i++)
        y = max_of(y, x[i].y);
    return y;
}

static weft_step_stats steps(weft_sim *sim, int n)
{
    weft_step_stats all = weft_step_stats_none(), one;
    weft_error e = {0};
    for (int i = 0; i < n; i++) {
        kit_must(weft_sim_step(sim, H, &one, &e), &e);
        weft_step_stats_add(&all, &one);
    }
    return all;
}

/* What an audit of the two sheets together finds; filters: of the two, and of a ball around the middle; NULL: none. */
static weft_audit_found judge(const weft_sim *sim, weft_cloth_id a, weft_cloth_id b, const weft_filter filters[3])
{
    static weft_vec3 x[2 * N_NODES];
    static int32_t t[6 * N_TRIANGLES], of[2 * N_TRIANGLES];
    weft_audit_def def = weft_audit_def_default();
    weft_collider_def ball = weft_collider_def_default();
    weft_audit *audit = NULL;
    weft_error e = {0};
    ball.kind = WEFT_COLLIDER_SPHERE;
    ball.radius = 0.05;
    for (int i = 0; i < 2 * N_TRIANGLES; i++)
        of[i] = i >= N_TRIANGLES;
    kit_must(weft_cloth_get_positions(sim, a, x, N_NODES, 0, &e), &e);
    kit_must(weft_cloth_get_positions(sim, b, x + N_NODES, N_NODES, 0, &e), &e);
    kit_must(weft_cloth_get_triangles(sim, a, t, N_TRIANGLES, &e), &e);
    kit_must(weft_cloth_get_triangles(sim, b, t + 3 * N_TRIANGLES, N_TRIANGLES, &e), &e);
    for (int i = 3 * N_TRIANGLES; i < 6 * N_TRIANGLES; i++)
        t[i] += N_NODES;
    def.n_nodes = 2 * N_NODES;
    def.positions = x;
    def.n_triangles = 2 * N_TRIANGLES;
    def.triangles = t;
    def.objects = of;
    def.n_objects = 2;
    def.colliders = &ball;
    def.n_colliders = 1;
    def.object_filters = filters;
    def.collider_filters = filters ? filters + 2 : NULL;
    kit_must(weft_audit_create(&def, &audit, &e), &e);
    kit_must(weft_audit_run(audit, NULL, 0, &e), &e);
    weft_audit_found found = weft_audit_get(audit);
    weft_audit_destroy(audit); /* its arrays are gone, its counts are not */
    return found;
}

static int64_t crossings(const weft_sim *sim, weft_cloth_id a, weft_cloth_id b)
{
    return judge(sim, a, b, NULL).n_pairs;
}

/* One sheet feels the ball and hangs on it, the other falls through it on to the floor, from inside of it, too. */
static void cloth_falls_through_a_ball_that_it_does_not_meet(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim(1);
    weft_collider_id ball = add_solid(sim, WEFT_COLLIDER_SPHERE, 0.2);
    add_solid(sim, WEFT_COLLIDER_PLANE, 0);
    filter_collider(sim, ball, 2, UINT32_MAX);
    weft_cloth_id on = add_sheet(sim, 0.31), through = add_sheet(sim, 0.2);
    filter_cloth(sim, through, 4, 1 | 4); /* not the ball's; nor, so that it is let alone, the other sheet's */
    filter_cloth(sim, on, 8, UINT32_MAX & ~4u);
    weft_step_stats all = steps(sim, 60);
    assert_true(highest(sim, on) > 0.3 && lowest(sim, on) > 0);
    assert_true(highest(sim, through) < 0.02 && lowest(sim, through) > 0); /* flat on the floor, but for its folds */
    assert_int_equal(all.caught, 0);
    assert_int_equal(all.squeezed, 0);
    weft_sim_destroy(sim);
}

static void cloth_falls_through_a_mesh_that_it_does_not_meet(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim(1);
    weft_collider_id plate = add_mesh_plate(sim, 0.1);
    weft_cloth_id on = add_sheet(sim, 0.16), through = add_sheet(sim, 0.12);
    filter_cloth(sim, through, 2, UINT32_MAX);
    filter_collider(sim, plate, 1, 1); /* it is enough that one of the two does not want */
    weft_step_stats all = steps(sim, 30);
    assert_true(lowest(sim, on) > 0.1 && highest(sim, through) < 0.05);
    assert_int_equal(all.tangled, 0);
    weft_sim_destroy(sim);
}

/* Upright, its lower edge at height y over the middle; it goes down. */
static weft_cloth_id add_curtain(weft_sim *sim, double y)
{
    weft_grid_def grid = weft_grid_def_default();
    weft_cloth_id id;
    weft_error e = {0};
    grid.n_warp = grid.n_weft = SIDE;
    grid.size_warp = grid.size_weft = 0.2;
    grid.corner = v3(-0.1, y, 0.003);
    grid.axis_weft = v3(0, 1, 0);
    grid.velocity = v3(0, -1, 0);
    kit_must(weft_cloth_create_grid(sim, &grid, &id, &e), &e);
    return id;
}

/* Without weight a curtain goes down through a level sheet, and neither feels it. When they are to collide while they
 * cross, they are pulled apart. */
static void sheets_pass_through_each_other_until_they_are_to_collide(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim(1);
    weft_error e = {0};
    weft_vec3 still[N_NODES] = {{0}};
    weft_cloth_id sheet = add_sheet(sim, 0), curtain = add_curtain(sim, 0.01);
    kit_must(weft_sim_set_gravity(sim, v3(0, 0, 0), &e), &e);
    filter_cloth(sim, curtain, 2, 1 | 4);
    filter_cloth(sim, sheet, 4, UINT32_MAX & ~2u);
    weft_step_stats all = steps(sim, 4);
    assert_true(crossings(sim, curtain, sheet) > 10);
    assert_true(lowest(sim, sheet) > -1e-6); /* nobody touched it */
    assert_int_equal(all.tangled, 0);
    assert_int_equal(all.hits, 0);
    filter_cloth(sim, sheet, 4, UINT32_MAX);
    filter_cloth(sim, curtain, 2, UINT32_MAX);
    kit_must(weft_cloth_set_velocities(sim, curtain, still, N_NODES, &e), &e);
    all = steps(sim, 90);
    assert_true(all.tangled > 10);
    assert_int_equal(crossings(sim, curtain, sheet), 0);
    weft_sim_destroy(sim);
}

/* A strip of three squares, folded so that the third goes through the first. */
static weft_cloth_id add_folded(weft_sim *sim)
{
    static const weft_vec3 flat[] = {{0, 0, 0},   {0, 0, 0.1},   {0.1, 0, 0}, {0.1, 0, 0.1},
                                     {0.2, 0, 0}, {0.2, 0, 0.1}, {0.3, 0, 0}, {0.3, 0, 0.1}};
    static const weft_vec3 folded[] = {{0, 0, 0},      {0, 0, 0.1},      {0.1, 0, 0},     {0.1, 0, 0.1},
                                       {0.08, 0.1, 0}, {0.08, 0.1, 0.1}, {0.05, -0.1, 0}, {0.05, -0.1, 0.1}};
    static const int32_t quads[] = {0, 1, 3, 2, 2, 3, 5, 4, 4, 5, 7, 6};
    weft_mesh_def def = weft_mesh_def_default();
    weft_cloth_id id;
    weft_error e = {0};
    def.n_nodes = 8;
    def.positions = folded;
    def.rest_positions = flat;
    def.n_quads = 3;
    def.quads = quads;
    kit_must(weft_cloth_create_mesh(sim, &def, &id, &e), &e);
    return id;
}

static void cloth_may_pass_through_itself(void **unused)
{
    (void)unused;
    weft_error e = {0};
    weft_sim *plain = make_sim(1), *passing = make_sim(1);
    weft_filter filter = weft_filter_default();
    filter.itself = false;
    add_folded(plain);
    kit_must(weft_cloth_set_filter(passing, add_folded(passing), filter, &e), &e);
    assert_true(steps(plain, 1).tangled > 0);
    assert_int_equal(steps(passing, 1).tangled, 0);
    weft_sim_destroy(plain);
    weft_sim_destroy(passing);
}

/* A sheet on a ball on a mesh, with another on it. */
static uint64_t hash_of_pile(int32_t n_threads, bool filtered, uint32_t mask)
{
    weft_sim *sim = make_sim(n_threads);
    weft_collider_id ball = add_solid(sim, WEFT_COLLIDER_SPHERE, 0.1), plate = add_mesh_plate(sim, 0);
    weft_cloth_id a = add_sheet(sim, 0.21), b = add_sheet(sim, 0.23);
    if (filtered) {
        filter_collider(sim, ball, 1, mask);
        filter_collider(sim, plate, 2, mask);
        filter_cloth(sim, a, 4, mask);
        filter_cloth(sim, b, 8, mask);
    }
    steps(sim, 40);
    uint64_t hash = weft_sim_hash(sim);
    weft_sim_destroy(sim);
    return hash;
}

static void filters_that_let_all_collide_change_no_bit(void **unused)
{
    (void)unused;
    uint64_t plain = hash_of_pile(1, false, 0);
    assert_true(hash_of_pile(1, true, UINT32_MAX) == plain);
    assert_true(hash_of_pile(1, true, 0xF) == plain);
    assert_true(hash_of_pile(1, true, 0xE) != plain); /* the ball, 1, is no longer met */
    assert_true(hash_of_pile(2, true, 0xE) == hash_of_pile(1, true, 0xE));
}

static void filters_are_read_back_and_need_a_thing(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim(1);
    weft_error e = {0};
    weft_filter f = {0};
    weft_cloth_id sheet = add_sheet(sim, 0);
    weft_collider_id ball = add_solid(sim, WEFT_COLLIDER_SPHERE, -1);
    kit_must(weft_cloth_get_filter(sim, sheet, &f, &e), &e);
    assert_true(f.category == 1 && f.mask == UINT32_MAX && f.itself);
    filter_cloth(sim, sheet, 6, 9);
    filter_collider(sim, ball, 7, 10);
    kit_must(weft_cloth_get_filter(sim, sheet, &f, &e), &e);
    assert_true(f.category == 6 && f.mask == 9);
    kit_must(weft_collider_get_filter(sim, ball, &f, &e), &e);
    assert_true(f.category == 7 && f.mask == 10);
    assert_int_equal(weft_cloth_get_filter(sim, sheet, NULL, &e), WEFT_ERROR_ARGUMENT);
    kit_must(weft_cloth_remove(sim, sheet, &e), &e);
    assert_int_equal(weft_cloth_set_filter(sim, sheet, f, &e), WEFT_ERROR_STALE_ID);
    assert_int_equal(weft_cloth_get_filter(sim, sheet, &f, &e), WEFT_ERROR_STALE_ID);
    assert_int_equal(weft_collider_set_filter(NULL, ball, f, &e), WEFT_ERROR_ARGUMENT);
    weft_sim_destroy(sim);
}

/* A sheet through the middle and a curtain across it, with a ball around both: audits tell of what collides. */
static void audits_look_at_what_collides(void **unused)
{
    (void)unused;
    weft_sim *sim = make_sim(1);
    weft_cloth_id sheet = add_sheet(sim, 0), curtain = add_curtain(sim, -0.1);
    const weft_filter all = weft_filter_default(), other = {2, UINT32_MAX, true}, none = {1, 1, true};
    weft_audit_found plain = judge(sim, sheet, curtain, NULL);
    assert_true(plain.n_pairs > 10 && plain.n_near_triangles > 10);
    weft_audit_found same = judge(sim, sheet, curtain, (weft_filter[]){all, all, all});
    assert_true(same.n_pairs == plain.n_pairs && same.n_near_triangles == plain.n_near_triangles);
    /* the two do not meet each other */
    weft_audit_found apart = judge(sim, sheet, curtain, (weft_filter[]){none, other, {3, 3, true}});
    assert_true(apart.n_pairs == 0 && apart.n_near_triangles == plain.n_near_triangles);
    /* the ball meets the curtain alone */
    weft_audit_found one = judge(sim, sheet, curtain, (weft_filter[]){all, other, {1, 2, true}});
    assert_true(one.n_pairs == plain.n_pairs);
    assert_true(one.n_near_triangles > 0 && one.n_near_triangles < plain.n_near_triangles);
    weft_sim_destroy(sim);
}

/* Whichever call to the allocator fails, nothing leaks, and where none fails all is done. */
static void lack_of_memory_with_filters_is_told_and_leaks_nothing(void **unused)
{
    (void)unused;
    for (int64_t fail_at = 1, failed = 1; failed; fail_at++) {
        kit_memory memory = {.fail_at = fail_at};
        weft_sim_def def = weft_sim_def_default();
        weft_sim *sim = NULL;
        weft_error e = {0};
        weft_cloth_id id;
        weft_collider_id ball, plate;
        weft_grid_def grid = weft_grid_def_default();
        weft_collider_def solid = weft_collider_def_default();
        def.alloc = kit_alloc;
        def.alloc_user = &memory;
        grid.n_warp = grid.n_weft = 4;
        solid.kind = WEFT_COLLIDER_SPHERE;
        weft_result r = weft_sim_create(&def, &sim, &e);
        r = r < 0 ? r : weft_collider_create(sim, &solid, &ball, &e);
        solid.kind = WEFT_COLLIDER_BOX;
        r = r < 0 ? r : weft_collider_create(sim, &solid, &plate, &e);
        r = r < 0 ? r : weft_cloth_create_grid(sim, &grid, &id, &e);
        r = r < 0 ? r : weft_cloth_set_filter(sim, id, (weft_filter){2, 1, false}, &e);
        r = r < 0 ? r : weft_collider_set_filter(sim, ball, (weft_filter){4, 4, true}, &e);
        r = r < 0 ? r : weft_sim_step(sim, H, NULL, &e);
        assert_true(r == WEFT_ERROR_MEMORY || (r >= 0 && memory.n_failed == 0));
        failed = r < 0;
        weft_sim_destroy(sim);
        assert_int_equal(memory.n_blocks, 0);
        assert_int_equal(memory.n_mistakes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_falls_through_a_ball_that_it_does_not_meet),
        cmocka_unit_test(cloth_falls_through_a_mesh_that_it_does_not_meet),
        cmocka_unit_test(sheets_pass_through_each_other_until_they_are_to_collide),
        cmocka_unit_test(cloth_may_pass_through_itself),
        cmocka_unit_test(filters_that_let_all_collide_change_no_bit),
        cmocka_unit_test(filters_are_read_back_and_need_a_thing),
        cmocka_unit_test(audits_look_at_what_collides),
        cmocka_unit_test(lack_of_memory_with_filters_is_told_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
