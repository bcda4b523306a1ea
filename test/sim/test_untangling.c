/* SPDX-License-Identifier: MIT */
/* ctest: labels=threads timeout=300 */
/* Simulations that start tangled, or whose colliders leave cloth no room: it comes free, stays free, and is not thrown
 * about. Every state after it came free is judged by the exact audit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/kit.h"
#include "sim/sim.h"

#include <cmocka.h>

static const double H = 1.0 / 60;
static const weft_vec3 RIGHT = {1, 0, 0}, FRONT = {0, 0, 1}, DOWN = {0, -1, 0};

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { FINE = 9 }; /* nodes of a side */
#else
enum { FINE = 17 };
#endif

static weft_cloth_id add_grid(weft_sim *sim, int32_t n_warp, int32_t n_weft, double warp, double weft, weft_vec3 corner,
                              weft_vec3 along, weft_vec3 across)
{
    weft_error e = {0};
    weft_cloth_id id = {0};
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = n_warp;
    g.n_weft = n_weft;
    g.size_warp = warp;
    g.size_weft = weft;
    g.corner = corner;
    g.axis_warp = along;
    g.axis_weft = across;
    kit_must(weft_cloth_create_grid(sim, &g, &id, &e), &e);
    return id;
}

static void pin_row(weft_sim *sim, weft_cloth_id id, int32_t n)
{
    int32_t nodes[64];
    for (int32_t i = 0; i < n; i++)
        nodes[i] = i;
    kit_pin(sim, id, n, nodes);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* Three ribbons hang side by side; the outer ones begin slanted, each through the one in the middle. */
static void build_ribbons(weft_sim *sim)
{
    int32_t n = FINE / 4 + 1, m = 3 * FINE / 2;
    pin_row(sim, add_grid(sim, n, m, 0.1, 0.6, (weft_vec3){0, 0, 0}, FRONT, DOWN), n);
    pin_row(sim, add_grid(sim, n, m, 0.1, 0.6, (weft_vec3){0.2, 0, -0.03}, FRONT, (weft_vec3){-0.7, -1, 0.1}), n);
    pin_row(sim, add_grid(sim, n, m, 0.1, 0.6, (weft_vec3){-0.2, 0, 0.02}, FRONT, (weft_vec3){0.6, -1, -0.03}), n);
}

/* Two hanging sheets, one slanted through the other. */
static void build_sheets(weft_sim *sim)
{
    pin_row(sim, add_grid(sim, FINE, FINE, 0.5, 0.5, (weft_vec3){0, 0, 0}, RIGHT, (weft_vec3){0, -1, 0.02}), FINE);
    pin_row(sim, add_grid(sim, FINE, FINE, 0.5, 0.5, (weft_vec3){0.1, 0.01, 0.1}, RIGHT, (weft_vec3){0.1, -1, -0.5}),
            FINE);
}

/* Two sheets that cross from border to border fall on the ground. */
static void build_fall(weft_sim *sim)
{
    weft_error e = {0};
    weft_collider_id id;
    weft_collider_def d = weft_collider_def_default();
    d.position.y = -0.3;
    kit_must(weft_collider_create(sim, &d, &id, &e), &e);
    add_grid(sim, FINE, FINE, 0.5, 0.5, (weft_vec3){0, 0, 0}, RIGHT, (weft_vec3){0, 0.05, 1});
    add_grid(sim, FINE, FINE, 0.5, 0.5, (weft_vec3){0.1, -0.06, 0.07}, (weft_vec3){1, 0.22, 0.1},
             (weft_vec3){-0.1, 0.1, 1});
}

static void add_ball(weft_sim *sim, double radius, weft_vec3 centre, const weft_key *path, int32_t n_keys, bool mesh)
{
    weft_error e = {0};
    weft_collider_id id;
    weft_collider_def d = weft_collider_def_default();
    kit_mesh ball = kit_icosphere(2, radius);
    d.kind = mesh ? WEFT_COLLIDER_MESH : WEFT_COLLIDER_SPHERE;
    d.radius = radius;
    d.position = centre;
    d.keys = path;
    d.n_keys = n_keys;
    if (mesh) {
        d.vertices = ball.x;
        d.n_vertices = ball.n_nodes;
        d.triangles = ball.triangles;
        d.n_triangles = ball.n_triangles;
    }
    kit_must(weft_collider_create(sim, &d, &id, &e), &e);
    kit_mesh_free(&ball);
}

/* A level sheet with a ball through it. */
static void build_pierced(weft_sim *sim)
{
    add_grid(sim, FINE, FINE, 0.5, 0.5, (weft_vec3){-0.25, 0.07, -0.25}, RIGHT, FRONT);
    add_ball(sim, 0.12, (weft_vec3){0.01, 0, 0.02}, NULL, 0, true);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct course {
    int32_t tangled; /* at the first step */
    int32_t free_at; /* the first step from which on nothing intersects; -1: something does at the end */
    double speed;    /* greatest */
    uint64_t hash;
} course;

/* All triangles, those of mesh colliders too, by the exact audit. */
static int64_t audit(weft_sim *sim)
{
    weft_error e = {0};
    weft_audit *a;
    cloth_contact *m = &sim->model.cloth_contact;
    int32_t at = m->n_cloth;
    memcpy(m->x, sim->state.q, (size_t)m->n_cloth * sizeof *m->x);
    for (int32_t i = sim->model.n_analytic; i < sim->model.n_colliders; i++) {
        const collider_mesh *c = sim->model.collider_owner[i]->mesh;
        memcpy(m->x + at, c->x, (size_t)c->n_vertices * sizeof *m->x);
        at += c->n_vertices;
    }
    weft_audit_def d = weft_audit_def_default();
    d.n_nodes = m->n_nodes;
    d.positions = m->x;
    d.n_triangles = m->n_triangles;
    d.triangles = &m->triangles[0][0];
    d.objects = m->object;
    d.n_objects = m->n_objects;
    d.object_is_collider = m->fixed;
    kit_must(weft_audit_create(&d, &a, &e), &e);
    kit_must(weft_audit_run(a, NULL, 0, &e), &e);
    int64_t n = weft_audit_get(a).n_pairs;
    weft_audit_destroy(a);
    return n;
}

static course run(void (*build)(weft_sim *), int32_t n_steps, int32_t n_threads)
{
    weft_sim_def d = weft_sim_def_default();
    d.n_threads = n_threads;
    weft_sim *sim = kit_sim(&d);
    course c = {.free_at = -1};
    build(sim);
    for (int32_t i = 0; i < n_steps; i++) {
        weft_step_stats st;
        weft_error e = {0};
        kit_must(weft_sim_step(sim, H, &st, &e), &e);
        c.tangled = i == 0 ? st.tangled : c.tangled;
        c.speed = fmax(c.speed, st.max_speed);
        if (st.tangled == 0 && c.free_at < 0)
            c.free_at = i;
        assert_true(st.tangled == 0 || c.free_at < 0); /* it stays free */
        if (c.free_at >= 0)
            assert_int_equal(audit(sim), 0);
    }
    c.hash = weft_sim_hash(sim);
    weft_sim_destroy(sim);
    return c;
}

static void expect_free(const char *name, void (*build)(weft_sim *), int32_t n_steps, double most_speed)
{
    course c = run(build, n_steps, 1);
    print_message("%s: %d pairs, free after %d steps, at most %.2f m/s\n", name, c.tangled, c.free_at, c.speed);
    assert_true(c.tangled > FINE);
    assert_true(c.free_at > 0);
    assert_true(c.speed < most_speed);
}

/* Free fall of the longest way that anything goes (0.6 m) ends at 3.4 m/s, and corrections go at 1 m/s at most. */
static void tangled_cloth_comes_free(void **test)
{
    (void)test;
    expect_free("ribbons", build_ribbons, 25, 4.4);
    expect_free("sheets", build_sheets, 25, 4.4);
    expect_free("fall", build_fall, 25, 4.4);
    expect_free("pierced", build_pierced, 25, 4.4);
}

static void threads_do_not_matter(void **test)
{
    (void)test;
    uint64_t alone = run(build_ribbons, 12, 1).hash;
    assert_true(run(build_ribbons, 12, 2).hash == alone);
    assert_true(run(build_ribbons, 12, 4).hash == alone);
    assert_true(run(build_pierced, 6, 3).hash == run(build_pierced, 6, 1).hash);
}

/* Where a run that is restored in the midst of it goes on, it ends with the same bits. */
static void restored_runs_go_on_bit_for_bit(void **test)
{
    (void)test;
    weft_sim_def d = weft_sim_def_default();
    weft_error e = {0};
    weft_sim *a = kit_sim(&d), *b = kit_sim(&d);
    size_t size = 0;
    build_sheets(a);
    build_sheets(b);
    kit_steps(a, 5, H);
    kit_must(weft_sim_snapshot(a, NULL, &size, &e), &e);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    kit_must(weft_sim_snapshot(a, bytes, &size, &e), &e);
    kit_steps(b, 30, H); /* it is free by then */
    kit_must(weft_sim_restore(b, bytes, size, &e), &e);
    kit_steps(a, 10, H);
    kit_steps(b, 10, H);
    assert_true(weft_sim_hash(a) == weft_sim_hash(b));
    free(bytes);
    weft_sim_destroy(a);
    weft_sim_destroy(b);
}

/* ---- no room ----------------------------------------------------------------------------------------------------- */

/* Two balls close on a hanging sheet until they overlap by 14 cm, stay for 0.2 s, and part. */
static const double PART = 0.9; /* when they do not overlap any more, s */
static const weft_key left[] = {{0, {-0.2, 0, 0}, {0, 0, 0, 1}},
                                {0.6, {-0.05, 0, 0}, {0, 0, 0, 1}},
                                {0.7, {-0.05, 0, 0}, {0, 0, 0, 1}},
                                {0.9, {-0.12, 0, 0}, {0, 0, 0, 1}},
                                {1.1, {-0.3, 0, 0}, {0, 0, 0, 1}}};
static const weft_key right[] = {{0, {0.2, 0, 0}, {0, 0, 0, 1}},
                                 {0.6, {0.05, 0, 0}, {0, 0, 0, 1}},
                                 {0.7, {0.05, 0, 0}, {0, 0, 0, 1}},
                                 {0.9, {0.12, 0, 0}, {0, 0, 0, 1}},
                                 {1.1, {0.3, 0, 0}, {0, 0, 0, 1}}};

static void pinch(bool mesh)
{
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = kit_sim(&d);
    weft_cloth_id sheet = add_grid(sim, FINE, FINE, 0.5, 0.5, (weft_vec3){0, 0.25, -0.25}, FRONT, DOWN);
    pin_row(sim, sheet, FINE);
    add_ball(sim, 0.12, (weft_vec3){0}, left, 5, mesh);
    add_ball(sim, 0.12, (weft_vec3){0}, right, 5, mesh);
    int32_t worst = 0;
    double time = 0, clean = 0, speed = 0, stretch = 0;
    while (time < PART + 1) {
        weft_step_stats st;
        weft_error e = {0};
        kit_must(weft_sim_step(sim, H, &st, &e), &e);
        int32_t bad = st.tangled + st.squeezed + st.squeezed_pairs;
        worst = bad > worst ? bad : worst;
        time = st.time;
        clean = bad > 0 ? time : clean;
        speed = fmax(speed, st.max_speed);
        stretch = st.stretch;
    }
    print_message("%s: at most %d without room, none from %.2f s on (parted at %.2f s), at most %.2f m/s, stretched by "
                  "%.3f at the end\n",
                  mesh ? "meshes" : "spheres", worst, clean, PART, speed, stretch);
    assert_true(worst > 0);
    assert_true(clean < PART + 0.5);
    assert_int_equal(audit(sim), 0);
    assert_true(speed < 10);
    assert_true(stretch < 1.05);
    weft_sim_destroy(sim);
}

static void pinched_cloth_is_released(void **test)
{
    (void)test;
    pinch(false);
    pinch(true);
}

/* A sheet with a sphere in it from the start is lifted out, not thrown. */
static void cloth_leaves_solids_it_starts_in(void **test)
{
    (void)test;
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = kit_sim(&d);
    weft_step_stats st;
    weft_error e = {0};
    double speed = 0;
    int32_t free_at = -1;
    add_grid(sim, FINE, FINE, 0.5, 0.5, (weft_vec3){-0.25, 0.07, -0.25}, RIGHT, FRONT);
    add_ball(sim, 0.12, (weft_vec3){0.01, 0, 0.02}, NULL, 0, false);
    for (int i = 0; i < 40; i++) {
        kit_must(weft_sim_step(sim, H, &st, &e), &e);
        assert_true(i > 0 || st.caught > 0);
        speed = fmax(speed, st.max_speed);
        free_at = st.squeezed > 0 ? -1 : free_at < 0 ? i : free_at;
    }
    print_message("free after %d steps, at most %.2f m/s\n", free_at, speed);
    assert_true(free_at > 0);
    assert_true(speed < 3); /* thrown out at once it would go at 0.05 m / H */
    weft_sim_destroy(sim);
}

static void count_lines(void *user, weft_log_level level, const char *text)
{
    int *n = user;
    *n += level == WEFT_LOG_WARNING && strstr(text, "wholly inside") != NULL;
}

/* Cloth in a drum is left there, but not without a word. */
static void enclosed_cloth_is_told_once(void **test)
{
    (void)test;
    int n = 0;
    weft_sim_def d = weft_sim_def_default();
    d.log = count_lines;
    d.log_user = &n;
    weft_sim *sim = kit_sim(&d);
    add_ball(sim, 0.3, (weft_vec3){0}, NULL, 0, true);
    add_grid(sim, 5, 5, 0.5, 0.5, (weft_vec3){1, 0, 0}, RIGHT, FRONT);
    kit_steps(sim, 2, H);
    assert_int_equal(n, 0);
    add_grid(sim, 5, 5, 0.1, 0.1, (weft_vec3){-0.05, 0, -0.05}, RIGHT, FRONT);
    kit_steps(sim, 3, H);
    assert_int_equal(n, 1);
    weft_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangled_cloth_comes_free),         cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(restored_runs_go_on_bit_for_bit),  cmocka_unit_test(pinched_cloth_is_released),
        cmocka_unit_test(cloth_leaves_solids_it_starts_in), cmocka_unit_test(enclosed_cloth_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
