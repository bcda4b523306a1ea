/* SPDX-License-Identifier: MIT */
/* Colliders given as meshes: where their vertices are, through steps, failures and snapshots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/kit.h"
#include "sim/phases.h"
#include "sim/sim.h"

#include <cmocka.h>

static const double H = 1.0 / 60;
static const weft_quat upright = {0, 0, 0, 1};

enum { MAX_VERTICES = 200 };

static weft_sim *plain_sim(void)
{
    weft_sim_def d = weft_sim_def_default();
    return kit_sim(&d);
}

typedef struct body {
    weft_sim *sim;
    weft_collider_id id;
    int32_t n;
} body;

static weft_collider_id add(weft_sim *sim, const kit_mesh *m, const weft_key *k, int32_t n_keys)
{
    weft_error e = {0};
    weft_collider_id id = {0};
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_MESH;
    d.vertices = m->x;
    d.n_vertices = m->n_nodes;
    d.triangles = m->triangles;
    d.n_triangles = m->n_triangles;
    d.keys = k;
    d.n_keys = n_keys;
    kit_must(weft_collider_create(sim, &d, &id, &e), &e);
    return id;
}

/* Turns and goes up and on. */
static const weft_key path[] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {0.5, {0.4, 0.3, -0.2}, {0.3, 0.6, -0.1, 0.7}}};

static body make(weft_sim *sim, const weft_key *k, int32_t n_keys)
{
    kit_mesh ball = kit_icosphere(1, 0.1);
    body b = {sim, add(sim, &ball, k, n_keys), ball.n_nodes};
    assert_true(b.n <= MAX_VERTICES);
    kit_mesh_free(&ball);
    return b;
}

static void read(const body *b, weft_vec3 *x)
{
    kit_must(weft_collider_get_vertices(b->sim, b->id, x, b->n, NULL), NULL);
}

static void expect_on_grid(const weft_vec3 *x, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        double all[3] = {x[i].x, x[i].y, x[i].z};
        for (int k = 0; k < 3; k++)
            assert_true(all[k] * 0x1p32 == floor(all[k] * 0x1p32));
    }
}

static double farthest(const weft_vec3 *a, const weft_vec3 *b, int32_t n)
{
    double most = 0;
    for (int32_t i = 0; i < n; i++)
        most = fmax(most, v3_max_abs(v3_sub(a[i], b[i])));
    return most;
}

/* Half a cell of the grid, and the rounding of the pose. */
#define ROUNDED (0x1p-33 + 1e-15)

static void expect_at_pose(const body *b, double time)
{
    weft_vec3 x[MAX_VERTICES], wanted[MAX_VERTICES];
    kit_mesh ball = kit_icosphere(1, 0.1);
    pose p;
    kit_must(weft_keys_at(path, 2, time, &p.p, p.r.m, NULL), NULL);
    for (int32_t i = 0; i < b->n; i++)
        wanted[i] = pose_apply(&p, ball.x[i]);
    read(b, x);
    expect_on_grid(x, b->n);
    assert_true(farthest(x, wanted, b->n) <= ROUNDED);
    kit_mesh_free(&ball);
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

static void keys_carry_the_vertices_with_and_without_cloth(void **unused)
{
    (void)unused;
    for (int with = 0; with < 2; with++) {
        weft_sim *sim = plain_sim();
        if (with)
            kit_grid(sim, 4, 0.3, 5, 5);
        body b = make(sim, path, 2);
        expect_at_pose(&b, 0);
        for (int k = 0; k < 20; k++) {
            kit_steps(sim, 1, H);
            expect_at_pose(&b, weft_sim_time(sim));
        }
        weft_collider_info info;
        kit_must(weft_collider_get_info(sim, b.id, &info, NULL), NULL);
        assert_false(info.moved_by_vertices);
        weft_sim_destroy(sim);
    }
}

static void vertices_are_where_they_were_sent_when_the_step_ends(void **unused)
{
    (void)unused;
    uint64_t random = 7;
    weft_sim *sim = plain_sim();
    kit_grid(sim, 4, 0.3, 5, 5);
    body b = make(sim, path, 2);
    weft_vec3 x[MAX_VERTICES], y[MAX_VERTICES], start[MAX_VERTICES];
    for (int k = 0; k < 5; k++) {
        read(&b, start);
        for (int32_t i = 0; i < b.n; i++)
            x[i] = (weft_vec3){kit_random_unit(&random), kit_random_unit(&random), kit_random_unit(&random)};
        kit_must(weft_collider_set_vertices(sim, b.id, x, b.n, NULL), NULL);
        read(&b, y);
        assert_memory_equal(y, start, (size_t)b.n * sizeof *y);
        kit_steps(sim, 1, H);
        read(&b, y);
        expect_on_grid(y, b.n);
        assert_true(farthest(x, y, b.n) <= ROUNDED);
    }
    kit_steps(sim, 2, H);
    read(&b, x);
    assert_memory_equal(x, y, (size_t)b.n * sizeof *y);
    weft_collider_info info;
    kit_must(weft_collider_get_info(sim, b.id, &info, NULL), NULL);
    assert_true(info.moved_by_vertices);
    /* Keys take over again. */
    kit_must(weft_collider_set_keys(sim, b.id, path, 2, NULL), NULL);
    kit_steps(sim, 1, H);
    expect_at_pose(&b, weft_sim_time(sim));
    weft_sim_destroy(sim);
}

static void placed_vertices_are_there_at_once(void **unused)
{
    (void)unused;
    weft_sim *sim = plain_sim();
    body b = make(sim, NULL, 0);
    weft_vec3 x[MAX_VERTICES], y[MAX_VERTICES];
    read(&b, x);
    for (int32_t i = 0; i < b.n; i++)
        x[i].y += 3;
    kit_must(weft_collider_place_vertices(sim, b.id, x, b.n, NULL), NULL);
    read(&b, y);
    assert_true(farthest(x, y, b.n) <= ROUNDED);
    kit_steps(sim, 1, H);
    read(&b, x);
    assert_memory_equal(x, y, (size_t)b.n * sizeof *y);
    weft_sim_destroy(sim);
}

/* ---- within a step ----------------------------------------------------------------------------------------------- */

/* Parts of a step as `advance` makes them, unequal ones too. */
static void the_parts_of_a_step_join_without_a_gap(void **unused)
{
    (void)unused;
    static const double parts[] = {0.5, 0.125, 0.125, 0.25};
    weft_sim *sim = plain_sim();
    kit_grid(sim, 4, 0.3, 5, 5);
    body keyed = make(sim, path, 2), driven = make(sim, NULL, 0);
    weft_vec3 start[MAX_VERTICES], x[MAX_VERTICES], goal[MAX_VERTICES];
    read(&driven, start);
    for (int32_t i = 0; i < driven.n; i++)
        goal[i] = grid_snap(v3_add(v3_scale(1.5, start[i]), v3(0.1, -0.2, 0.3)), 0);
    kit_must(weft_collider_set_vertices(sim, driven.id, goal, driven.n, NULL), NULL);
    kit_must(model_build(&sim->model, &sim->state, NULL), NULL);
    const model_mesh *g = &sim->model.mesh;
    assert_int_equal(g->n_meshes, 2);
    assert_int_equal(g->n_nodes, keyed.n + driven.n);
    double done = 0;
    for (int k = 0; k < 4; k++) {
        substep sub = {.h = parts[k] * H, .whole = H, .done = done * H};
        move_meshes(&sim->model, &sim->state, &sub);
        read(&keyed, x);
        assert_memory_equal(g->x0, x, (size_t)keyed.n * sizeof *x);
        read(&driven, x);
        assert_memory_equal(g->x0 + keyed.n, x, (size_t)driven.n * sizeof *x);
        commit_meshes(&sim->model);
        sim->state.time += parts[k] * H;
        done += parts[k];
        read(&driven, x);
        expect_on_grid(x, driven.n);
        for (int32_t i = 0; i < driven.n; i++) { /* each part rounds once */
            vec3 wanted = v3_madd(start[i], done, v3_sub(goal[i], start[i]));
            assert_true(v3_max_abs(v3_sub(x[i], wanted)) <= 4 * ROUNDED);
        }
    }
    assert_memory_equal(x, goal, (size_t)driven.n * sizeof *x);
    expect_at_pose(&keyed, H);
    weft_sim_destroy(sim);
}

static void the_model_has_every_triangle_with_its_collider(void **unused)
{
    (void)unused;
    weft_sim *sim = plain_sim();
    kit_grid(sim, 4, 0.3, 5, 5);
    kit_mesh ball = kit_icosphere(0, 0.1), torus = kit_patch(3, 3, 1, 1, 0, 0, 1);
    weft_collider_id first = add(sim, &ball, NULL, 0);
    kit_sphere(sim, 0.1, (weft_vec3){1, 2, 3}); /* analytic ones come first in the model */
    weft_collider_id second = add(sim, &torus, NULL, 0);
    kit_must(model_build(&sim->model, &sim->state, NULL), NULL);
    const model *m = &sim->model;
    assert_int_equal(m->n_colliders, 3);
    assert_int_equal(m->n_analytic, 1);
    assert_int_equal(m->collider_contacts.n_colliders, 1);
    assert_int_equal(m->mesh.n_triangles, ball.n_triangles + torus.n_triangles);
    const sim_collider *owners[2] = {sim_get_collider(sim, first, NULL), sim_get_collider(sim, second, NULL)};
    for (int32_t ti = 0; ti < m->mesh.n_triangles; ti++) {
        bool of_ball = ti < ball.n_triangles;
        const kit_mesh *k = of_ball ? &ball : &torus;
        const int32_t *wanted = k->triangles + 3 * (of_ball ? ti : ti - ball.n_triangles);
        assert_ptr_equal(m->collider_owner[m->mesh.owner[ti]], owners[!of_ball]);
        for (int i = 0; i < 3; i++) {
            int32_t node = m->mesh.triangles[ti][i];
            assert_int_equal(node, wanted[i] + (of_ball ? 0 : ball.n_nodes));
            assert_int_equal(m->mesh.node_owner[node], m->mesh.owner[ti]);
        }
    }
    kit_mesh_free(&ball);
    kit_mesh_free(&torus);
    weft_sim_destroy(sim);
}

/* ---- failures and snapshots -------------------------------------------------------------------------------------- */

static void push_with_nonsense(void *user, weft_cloth_id which, double time, int32_t n, const weft_vec3 *x,
                               const weft_vec3 *v, const double *m, weft_vec3 *f)
{
    (void)which;
    (void)time;
    (void)n;
    (void)x;
    (void)v;
    (void)m;
    f[3].y = *(double *)user;
}

static void a_failed_step_leaves_the_vertices_and_where_they_go(void **unused)
{
    (void)unused;
    double force = KIT_NAN;
    weft_sim_def d = weft_sim_def_default();
    d.force = push_with_nonsense;
    d.force_user = &force;
    weft_sim *sim = kit_sim(&d);
    kit_grid(sim, 4, 0.3, 5, 5);
    body keyed = make(sim, path, 2), driven = make(sim, NULL, 0);
    weft_vec3 goal[MAX_VERTICES], x[MAX_VERTICES];
    read(&driven, goal);
    for (int32_t i = 0; i < driven.n; i++)
        goal[i].z += 0.25;
    kit_must(weft_collider_set_vertices(sim, driven.id, goal, driven.n, NULL), NULL);
    kit_fingerprint before = kit_fingerprint_of(sim), after;
    assert_int_equal(weft_sim_step(sim, H, NULL, NULL), WEFT_ERROR_DIVERGED);
    after = kit_fingerprint_of(sim);
    assert_true(before.vertices == after.vertices);
    expect_at_pose(&keyed, 0);
    force = 0;
    kit_steps(sim, 1, H);
    expect_at_pose(&keyed, H);
    read(&driven, x);
    assert_memory_equal(x, goal, (size_t)driven.n * sizeof *x);
    weft_sim_destroy(sim);
}

typedef struct pair {
    weft_sim *sim;
    body keyed, driven;
} pair;

static pair make_pair(void)
{
    weft_sim *sim = plain_sim();
    kit_grid(sim, 4, 0.3, 5, 5);
    body keyed = make(sim, path, 2);
    return (pair){sim, keyed, make(sim, NULL, 0)};
}

static void send(const pair *p, double by)
{
    weft_vec3 x[MAX_VERTICES];
    read(&p->driven, x);
    for (int32_t i = 0; i < p->driven.n; i++)
        x[i].x += by * (1 + 0.01 * i);
    kit_must(weft_collider_set_vertices(p->sim, p->driven.id, x, p->driven.n, NULL), NULL);
}

static void *take(weft_sim *sim, size_t *size)
{
    kit_must(weft_sim_snapshot(sim, NULL, size, NULL), NULL);
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    kit_must(weft_sim_snapshot(sim, bytes, size, NULL), NULL);
    return bytes;
}

static void a_snapshot_has_the_vertices_and_where_they_go(void **unused)
{
    (void)unused;
    pair a = make_pair(), b = make_pair();
    for (int k = 0; k < 4; k++) {
        send(&a, 0.01);
        kit_steps(a.sim, 1, H);
    }
    send(&a, 0.02); /* on their way */
    size_t size;
    void *bytes = take(a.sim, &size);
    kit_must(weft_sim_restore(b.sim, bytes, size, NULL), NULL);
    assert_true(kit_fingerprint_of(a.sim).vertices == kit_fingerprint_of(b.sim).vertices);
    kit_steps(a.sim, 3, H);
    kit_steps(b.sim, 3, H);
    assert_true(kit_fingerprint_of(a.sim).vertices == kit_fingerprint_of(b.sim).vertices);
    assert_true(weft_sim_hash(a.sim) == weft_sim_hash(b.sim));
    /* And back into the one that has gone on. */
    kit_must(weft_sim_restore(a.sim, bytes, size, NULL), NULL);
    kit_steps(a.sim, 3, H);
    assert_true(kit_fingerprint_of(a.sim).vertices == kit_fingerprint_of(b.sim).vertices);
    free(bytes);
    weft_sim_destroy(a.sim);
    weft_sim_destroy(b.sim);
}

/* Other keys, another mesh in the place of one, one more: what the snapshot does not know stands at its pose. */
static void a_snapshot_of_other_colliders_leaves_meshes_at_their_pose(void **unused)
{
    (void)unused;
    pair a = make_pair();
    send(&a, 0.01);
    kit_steps(a.sim, 6, H);
    size_t size;
    void *bytes = take(a.sim, &size);
    weft_sim *sim = plain_sim();
    kit_grid(sim, 4, 0.3, 5, 5);
    const weft_key still = {0, {1, 1, 1}, upright};
    weft_vec3 x[MAX_VERTICES], y[MAX_VERTICES];
    body moved = make(sim, &still, 1);
    read(&moved, x);
    kit_mesh other = kit_icosphere(0, 0.2);
    body changed = {sim, add(sim, &other, path, 2), other.n_nodes};
    body more = make(sim, path, 2);
    assert_int_equal(weft_sim_restore(sim, bytes, size, NULL), WEFT_ERROR_SNAPSHOT);
    kit_must(weft_sim_restore_cloths(sim, bytes, size, NULL), NULL);
    read(&moved, y);
    assert_memory_equal(x, y, (size_t)moved.n * sizeof *x);
    expect_at_pose(&more, weft_sim_time(sim));
    pose p;
    kit_must(weft_keys_at(path, 2, weft_sim_time(sim), &p.p, p.r.m, NULL), NULL);
    read(&changed, y);
    for (int32_t i = 0; i < changed.n; i++)
        assert_true(v3_max_abs(v3_sub(y[i], pose_apply(&p, other.x[i]))) <= ROUNDED);
    kit_mesh_free(&other);
    free(bytes);
    weft_sim_destroy(a.sim);
    weft_sim_destroy(sim);
}

static void a_snapshot_cut_in_its_meshes_is_refused(void **unused)
{
    (void)unused;
    pair a = make_pair();
    size_t size;
    unsigned char *bytes = take(a.sim, &size);
    kit_fingerprint before = kit_fingerprint_of(a.sim);
    for (size_t n = 0; n < size; n += 1 + size / 300) {
        assert_int_equal(weft_sim_restore(a.sim, bytes, n, NULL), WEFT_ERROR_SNAPSHOT);
        bytes[n] ^= 16;
        assert_int_equal(weft_sim_restore(a.sim, bytes, size, NULL), WEFT_ERROR_SNAPSHOT);
        bytes[n] ^= 16;
    }
    kit_fingerprint after = kit_fingerprint_of(a.sim);
    assert_true(kit_same_fingerprint(&before, &after));
    free(bytes);
    weft_sim_destroy(a.sim);
}

/* ---- what else there is to know ---------------------------------------------------------------------------------- */

static double clearance(weft_sim *sim, weft_collider_id id, weft_cloth_id sheet)
{
    double d;
    kit_must(weft_collider_get_clearance(sim, id, sheet, &d, NULL), NULL);
    return d;
}

static void clearance_is_the_distance_of_surfaces_or_the_depth(void **unused)
{
    (void)unused;
    weft_sim *sim = plain_sim();
    /* A level sheet of 4 × 4 nodes, 0.3 m, from (-0.15, y, 0) to z = -0.3 or 0.3; below it a ball. */
    weft_cloth_id sheet = kit_grid(sim, 4, 0.3, -0.15, 0.25);
    kit_mesh ball = kit_icosphere(2, 0.1), plate = kit_patch(2, 2, 0.1, 0.1, 0, 0, 1);
    weft_collider_id id = add(sim, &ball, NULL, 0);
    weft_vec3 x[16], low = {0, -1, 0};
    kit_must(weft_cloth_get_positions(sim, sheet, x, 16, 0, NULL), NULL);
    for (int i = 0; i < 16; i++)
        x[i].z += x[15].z > 0 ? -0.15 : 0.15;
    /* The ball's highest vertex is under the middle face of the sheet. */
    for (int32_t i = 0; i < ball.n_nodes; i++)
        low = ball.x[i].y > low.y ? ball.x[i] : low;
    kit_must(weft_cloth_set_positions(sim, sheet, x, 16, NULL), NULL);
    assert_true(fabs(clearance(sim, id, sheet) - (0.25 - low.y)) <= 2 * ROUNDED);
    /* Through the ball with no node inside it; then with one. */
    for (int i = 0; i < 16; i++)
        x[i] = (weft_vec3){2 * x[i].x, 0, 2 * x[i].z};
    kit_must(weft_cloth_set_positions(sim, sheet, x, 16, NULL), NULL);
    assert_true(clearance(sim, id, sheet) == 0);
    x[5] = (weft_vec3){0.0, 0.01, 0.0};
    kit_must(weft_cloth_set_positions(sim, sheet, x, 16, NULL), NULL);
    assert_true(clearance(sim, id, sheet) < -0.08 && clearance(sim, id, sheet) > -0.1);
    /* An open mesh has no inside. */
    weft_collider_id open = add(sim, &plate, NULL, 0);
    weft_collider_info info;
    kit_must(weft_collider_get_info(sim, open, &info, NULL), NULL);
    assert_false(info.closed);
    assert_true(info.volume == 0);
    assert_true(clearance(sim, open, sheet) >= 0);
    kit_mesh_free(&ball);
    kit_mesh_free(&plate);
    weft_sim_destroy(sim);
}

static void triangles_are_those_given_but_for_lines(void **unused)
{
    (void)unused;
    static const int32_t wanted[6] = {0, 1, 2, 2, 1, 3};
    static int32_t given[9] = {0, 1, 2, 2, 2, 1, 2, 1, 3};
    static weft_vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    kit_mesh m = {.n_nodes = 4, .n_triangles = 3, .x = x, .triangles = given};
    weft_sim *sim = plain_sim();
    weft_collider_id id = add(sim, &m, NULL, 0);
    weft_collider_info info;
    int32_t found[6];
    kit_must(weft_collider_get_info(sim, id, &info, NULL), NULL);
    assert_int_equal(info.n_triangles, 2);
    assert_int_equal(info.n_degenerate, 1);
    kit_must(weft_collider_get_triangles(sim, id, found, 2, NULL), NULL);
    assert_memory_equal(found, wanted, sizeof wanted);
    weft_sim_destroy(sim);
}

static void info_tells_the_kind_of_any_collider(void **unused)
{
    (void)unused;
    weft_sim *sim = plain_sim();
    weft_collider_info info;
    kit_must(weft_collider_get_info(sim, kit_sphere(sim, 0.1, (weft_vec3){0, 0, 0}), &info, NULL), NULL);
    assert_int_equal(info.kind, WEFT_COLLIDER_SPHERE);
    assert_int_equal(info.n_vertices, 0);
    body b = make(sim, NULL, 0);
    kit_must(weft_collider_get_info(sim, b.id, &info, NULL), NULL);
    assert_int_equal(info.kind, WEFT_COLLIDER_MESH);
    assert_int_equal(info.n_vertices, b.n);
    assert_true(info.closed && info.volume > 0);
    weft_sim_destroy(sim);
}

/* Keys may lead anywhere; vertices stay in the world. */
static void keys_out_of_the_world_leave_vertices_at_its_wall(void **unused)
{
    (void)unused;
    const weft_key far[] = {{0, {0, 0, 0}, upright}, {1, {1e9, 0, 0}, upright}};
    weft_sim *sim = plain_sim();
    kit_grid(sim, 4, 0.3, 5, 5);
    body b = make(sim, far, 2);
    kit_steps(sim, 3, H);
    weft_vec3 x[MAX_VERTICES];
    read(&b, x);
    for (int32_t i = 0; i < b.n; i++)
        assert_true(x[i].x == 256);
    weft_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_carry_the_vertices_with_and_without_cloth),
        cmocka_unit_test(vertices_are_where_they_were_sent_when_the_step_ends),
        cmocka_unit_test(placed_vertices_are_there_at_once),
        cmocka_unit_test(the_parts_of_a_step_join_without_a_gap),
        cmocka_unit_test(the_model_has_every_triangle_with_its_collider),
        cmocka_unit_test(a_failed_step_leaves_the_vertices_and_where_they_go),
        cmocka_unit_test(a_snapshot_has_the_vertices_and_where_they_go),
        cmocka_unit_test(a_snapshot_of_other_colliders_leaves_meshes_at_their_pose),
        cmocka_unit_test(a_snapshot_cut_in_its_meshes_is_refused),
        cmocka_unit_test(clearance_is_the_distance_of_surfaces_or_the_depth),
        cmocka_unit_test(triangles_are_those_given_but_for_lines),
        cmocka_unit_test(info_tells_the_kind_of_any_collider),
        cmocka_unit_test(keys_out_of_the_world_leave_vertices_at_its_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
