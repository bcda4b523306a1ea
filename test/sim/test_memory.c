/* SPDX-License-Identifier: MIT */
/* ctest: timeout=200 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/kit_scenes.h"

#include <cmocka.h>

/* ---- steady steps ------------------------------------------------------------------------------------------------ */

static int check_steady(const kit_scene *scene, int integrator, int32_t n_threads)
{
    kit_memory memory = {0};
    weft_sim_def d = weft_sim_def_default();
    d.integrator = (weft_integrator)integrator;
    d.newton_limit = 2; /* with one, steps that are far from solved would be taken */
    d.n_threads = n_threads;
    d.alloc = kit_alloc;
    d.alloc_user = &memory;
    weft_sim *sim = kit_scene_sim(scene, &d);
    int n_bad = 0;
    bool settled = true;
    int32_t most_pairs = 0;
    int64_t most = 0; /* candidates in any step so far: lists of as many, or more, may grow */
    for (int k = 0; k < 12; k++) {
        int64_t before = memory.n_calls, bytes = memory.n_bytes;
        weft_error e = {0};
        weft_step_stats stats = {0};
        kit_must(weft_sim_step(sim, kit_scene_step(d.integrator), &stats, &e), &e);
        int64_t calls = memory.n_calls - before;
        assert_int_equal(stats.allocations, calls);
        if (k == 0)
            assert_true(calls > 0); /* the model is made */
        else if (stats.split + stats.merged == 0 && settled && stats.recouplings == 0 && stats.hits == 0 &&
                 stats.pairs <= most_pairs && 2 * (stats.candidates + stats.neighbours) <= most)
            n_bad += calls != 0 || memory.n_bytes != bytes;
        settled = stats.split + stats.merged == 0; /* a look at a changed mesh takes its space first */
        most_pairs = stats.pairs > most_pairs ? stats.pairs : most_pairs;
        if (stats.candidates + stats.neighbours > most)
            most = stats.candidates + stats.neighbours;
    }
    weft_sim_destroy(sim);
    assert_int_equal(memory.n_blocks, 0);
    assert_int_equal(memory.n_bytes, 0);
    assert_int_equal(memory.n_mistakes, 0);
    if (n_bad > 0)
        print_message("%s, integrator %d: %d of 11 steps called the allocator\n", scene->name, integrator, n_bad);
    return n_bad;
}

static void a_steady_step_calls_no_allocator(void **state)
{
    (void)state;
    int n_bad = 0;
    for (int k = 0; k < KIT_SCENES; k++)
        for (int integrator = 0; integrator < 3; integrator++)
            n_bad += check_steady(&kit_scenes[k], integrator, 1 + integrator);
    assert_int_equal(n_bad, 0);
}

/* ---- the n-th allocation fails ----------------------------------------------------------------------------------- */

/* A small whole run, as a list of calls. Each returns what the library said; those that make something keep its id. */
typedef struct run {
    kit_memory memory;
    weft_integrator integrator;
    weft_sim *sim;
    weft_cloth_id grid, mesh, extra, adaptive;
    double wanted; /* size of its faces */
    weft_collider_id ball, plane, stone;
    weft_attachment_id pin, rod, soft, carried;
    weft_tie_id tie;
    uint64_t hash_at_end;
} run;

static const weft_key path[2] = {{0, {0.1, 0.05, -0.1}, {0, 0, 0, 1}}, {1, {0.1, 0.06, -0.1}, {0, 0.1, 0, 1}}};

static weft_result create_sim(run *r, weft_error *e)
{
    weft_sim_def d = weft_sim_def_default();
    d.integrator = r->integrator;
    d.newton_limit = 1; /* what matters is that steps are taken, not how well */
    d.n_threads = r->integrator == WEFT_INTEGRATOR_EXPLICIT ? 2 : 1;
    d.alloc = kit_alloc;
    d.alloc_user = &r->memory;
    return weft_sim_create(&d, &r->sim, e);
}

static weft_result create_grid(run *r, weft_error *e)
{
    weft_grid_def d = kit_grid_def(5, 0.2, 0, 0.12);
    weft_fabric f[2] = {weft_fabric_default(), weft_fabric_default()};
    static const int32_t panels[16] = {1, 0, 1}, fabrics[2] = {1, 0};
    d.model.fabrics = f;
    d.model.n_fabrics = 2;
    d.model.face_panel = panels;
    d.model.panel_fabric = fabrics;
    d.model.n_panels = 2;
    return weft_cloth_create_grid(r->sim, &d, &r->grid, e);
}

static weft_result create_mesh(run *r, weft_error *e)
{
    kit_mesh m = kit_patch(4, 4, 0.15, 0.15, 0.4, 0.1, 2);
    weft_mesh_def d = kit_mesh_def(&m);
    double mass[16] = {0.001};
    weft_vec3 v[16] = {{0, 0.1, 0}};
    d.node_mass = mass;
    d.velocities = v;
    weft_result found = weft_cloth_create_mesh(r->sim, &d, &r->mesh, e);
    kit_mesh_free(&m);
    return found;
}

/* Without uv, under pressure. */
static weft_result create_extra(run *r, weft_error *e)
{
    kit_mesh m = kit_icosphere(0, 0.05);
    weft_mesh_def d = kit_mesh_def(&m);
    d.model.pressure = 10;
    d.model.bending = WEFT_BENDING_HINGES;
    weft_result found = weft_cloth_create_mesh(r->sim, &d, &r->extra, e);
    kit_mesh_free(&m);
    return found;
}

static double wanted_size(void *user, weft_vec3 position, weft_vec2 uv)
{
    const run *r = user;
    (void)position;
    return uv.u < 0.06 ? r->wanted : 1;
}

static weft_result create_adaptive(run *r, weft_error *e)
{
    weft_grid_def d = kit_grid_def(3, 0.1, 0.3, 0.1);
    d.model.bending = WEFT_BENDING_TENSOR;
    d.model.adapt = weft_adapt_default();
    d.model.adapt.max_level = 2;
    d.model.adapt.interval = 0;
    d.model.adapt.size = wanted_size;
    d.model.adapt.size_user = r;
    r->wanted = 1;
    return weft_cloth_create_grid(r->sim, &d, &r->adaptive, e);
}

static weft_result want_fine(run *r, weft_error *e)
{
    (void)e;
    r->wanted = 0.02;
    return WEFT_OK;
}

static weft_result want_coarse(run *r, weft_error *e)
{
    (void)e;
    r->wanted = 1;
    return WEFT_OK;
}

/* Back to the first mesh. */
static weft_result set_shape(run *r, weft_error *e)
{
    static const unsigned char unsplit = 0;
    return weft_cloth_set_shape(r->sim, r->adaptive, &unsplit, 1, e);
}

static weft_result get_uniform(run *r, weft_error *e)
{
    weft_uniform u = {0};
    return weft_cloth_get_uniform(r->sim, r->adaptive, 3, &u, e);
}

static weft_result remove_adaptive(run *r, weft_error *e)
{
    return weft_cloth_remove(r->sim, r->adaptive, e);
}

static weft_result create_ball(run *r, weft_error *e)
{
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_SPHERE;
    d.radius = 0.065;
    d.keys = path;
    d.n_keys = 2;
    return weft_collider_create(r->sim, &d, &r->ball, e);
}

static weft_result create_plane(run *r, weft_error *e)
{
    weft_collider_def d = weft_collider_def_default();
    d.position.y = -0.3;
    return weft_collider_create(r->sim, &d, &r->plane, e);
}

static weft_result create_stone(run *r, weft_error *e)
{
    kit_mesh ball = kit_icosphere(0, 0.05);
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_MESH;
    d.vertices = ball.x;
    d.n_vertices = ball.n_nodes;
    d.triangles = ball.triangles;
    d.n_triangles = ball.n_triangles;
    d.position.y = -0.2;
    weft_result found = weft_collider_create(r->sim, &d, &r->stone, e);
    kit_mesh_free(&ball);
    return found;
}

static weft_result move_stone(run *r, weft_error *e)
{
    weft_vec3 x[12];
    weft_result found = weft_collider_get_vertices(r->sim, r->stone, x, 12, e);
    for (int i = 0; i < 12; i++)
        x[i].x += 0.01;
    return found >= 0 ? weft_collider_set_vertices(r->sim, r->stone, x, 12, e) : found;
}

static weft_result hold(run *r, weft_attachment_kind kind, int32_t node, weft_attachment_id *out, weft_error *e)
{
    weft_attachment_def d = weft_attachment_def_default();
    bool moves = kind == WEFT_ATTACH_PIN || kind == WEFT_ATTACH_SOFT;
    double weight = 2;
    d.kind = kind;
    d.cloth = r->grid;
    d.nodes = &node;
    d.n_nodes = 1;
    d.collider = r->ball;
    d.rod_point = (weft_vec3){0, 0.12, 0};
    d.weights = &weight;
    d.keys = moves ? path : NULL;
    d.n_keys = moves ? 2 : 0;
    return weft_attachment_create(r->sim, &d, out, e);
}

static weft_result create_pin(run *r, weft_error *e)
{
    return hold(r, WEFT_ATTACH_PIN, 0, &r->pin, e);
}

static weft_result create_rod(run *r, weft_error *e)
{
    return hold(r, WEFT_ATTACH_ROD, 4, &r->rod, e);
}

static weft_result create_soft(run *r, weft_error *e)
{
    return hold(r, WEFT_ATTACH_SOFT, 20, &r->soft, e);
}

static weft_result create_carried(run *r, weft_error *e)
{
    return hold(r, WEFT_ATTACH_COLLIDER, 12, &r->carried, e);
}

static weft_result create_tie(run *r, weft_error *e)
{
    static const int32_t a[2] = {1, 2}, b[2] = {3, 4};
    weft_tie_def d = weft_tie_def_default();
    d.cloth_a = r->grid;
    d.cloth_b = r->mesh;
    d.nodes_a = a;
    d.nodes_b = b;
    d.n_pairs = 2;
    d.stiffness = 1;
    return weft_tie_create(r->sim, &d, &r->tie, e);
}

static weft_result step(run *r, weft_error *e)
{
    return weft_sim_step(r->sim, kit_scene_step(r->integrator), NULL, e);
}

static weft_result set_keys(run *r, weft_error *e)
{
    return weft_collider_set_keys(r->sim, r->ball, path, 1, e);
}

static weft_result set_targets(run *r, weft_error *e)
{
    static const weft_vec3 target = {0, 0.125, 0};
    return weft_attachment_set_targets(r->sim, r->pin, &target, 1, e);
}

static weft_result snapshot_and_restore(run *r, weft_error *e)
{
    size_t size = 0;
    weft_result found = weft_sim_snapshot(r->sim, NULL, &size, e);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    if (found >= 0)
        found = weft_sim_snapshot(r->sim, bytes, &size, e);
    if (found >= 0)
        found = weft_sim_restore(r->sim, bytes, size, e);
    free(bytes);
    return found;
}

/* With another mesh than it has now: one of the adaptive cloth's levels is taken back. */
static weft_result restore_another_mesh(run *r, weft_error *e)
{
    size_t size = 0;
    kit_must(weft_sim_snapshot(r->sim, NULL, &size, e), e);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    kit_must(weft_sim_snapshot(r->sim, bytes, &size, e), e);
    int64_t fail_at = r->memory.fail_at;
    r->memory.fail_at = 0;
    r->wanted = 1;
    kit_must(step(r, e), e);
    r->wanted = 0.02;
    r->memory.fail_at = fail_at;
    kit_fingerprint before = kit_fingerprint_of(r->sim);
    weft_result found = weft_sim_restore(r->sim, bytes, size, e);
    if (found < 0) { /* nothing may have changed; then back, as operate() expects */
        kit_fingerprint after = kit_fingerprint_of(r->sim);
        assert_true(kit_same_fingerprint(&before, &after));
        kit_must(weft_sim_restore(r->sim, bytes, size, NULL), NULL);
    }
    free(bytes);
    return found;
}

static weft_result read_all(run *r, weft_error *e)
{
    weft_vec3 v[25];
    int32_t t[96];
    double m[25], least;
    weft_cloth_info info;
    weft_result found = weft_cloth_get_info(r->sim, r->grid, &info, e);
    if (found >= 0)
        found = weft_cloth_get_normals(r->sim, r->grid, v, 25, 0, e);
    if (found >= 0)
        found = weft_cloth_get_masses(r->sim, r->grid, m, 25, e);
    if (found >= 0)
        found = weft_cloth_get_triangles(r->sim, r->grid, t, 32, e);
    return found >= 0 ? weft_collider_get_clearance(r->sim, r->ball, r->grid, &least, e) : found;
}

static weft_result remove_mesh(run *r, weft_error *e)
{
    return weft_cloth_remove(r->sim, r->mesh, e);
}

static weft_result remove_ball(run *r, weft_error *e)
{
    return weft_collider_remove(r->sim, r->ball, e);
}

static weft_result remove_pin(run *r, weft_error *e)
{
    return weft_attachment_remove(r->sim, r->pin, e);
}

typedef weft_result (*operation)(run *r, weft_error *e);

static const operation operations[] = {
    create_sim,   create_grid, create_mesh, create_ball, create_pin,  create_rod, create_soft,  create_carried,
    create_tie,   step,        step,        set_keys,    set_targets, step,       create_extra, create_plane,
    create_stone, step,        move_stone,  read_all,    remove_mesh, step,       move_stone,   snapshot_and_restore,
    step,         remove_pin,  create_mesh, create_tie,  remove_ball, step,       create_pin,   step,
};

/* Fewer things, whose mesh changes. */
static const operation adapting[] = {
    create_sim,   create_adaptive,
    create_plane, step,
    want_fine,    step,
    step,         step,
    get_uniform,  want_coarse,
    step,         want_fine,
    step,         restore_another_mesh,
    step,         set_shape,
    step,         create_grid,
    step,         remove_adaptive,
    step,
};

/* One call; if memory failed, nothing may have changed, and the second try must succeed. Returns whether it failed. */
static bool operate(run *r, operation op)
{
    weft_error e = {0};
    int64_t n_failed = r->memory.n_failed;
    kit_fingerprint before = {0}, after = {0};
    bool exists = r->sim != NULL;
    int64_t n_blocks = r->memory.n_blocks;
    if (exists)
        before = kit_fingerprint_of(r->sim);
    weft_result found = op(r, &e);
    if (r->memory.n_failed == n_failed) {
        kit_must(found, &e);
        return false;
    }
    assert_int_equal(found, WEFT_ERROR_MEMORY);
    assert_int_equal(e.code, WEFT_ERROR_MEMORY);
    if (exists) {
        after = kit_fingerprint_of(r->sim);
        before.bytes = after.bytes; /* tables may have grown, and a half-made model be dropped */
        before.dirty = after.dirty;
        assert_true(kit_same_fingerprint(&before, &after));
    } else {
        assert_null(r->sim);
        assert_int_equal(r->memory.n_blocks, n_blocks);
    }
    kit_must(op(r, &e), &e);
    return true;
}

/* Returns whether the allocation of that number was ever asked for. */
static bool run_all(run *r, const operation *list, size_t n, int64_t fail_at)
{
    bool failed = false;
    r->memory.fail_at = fail_at;
    for (size_t i = 0; i < n; i++)
        failed = operate(r, list[i]) || failed;
    r->hash_at_end = weft_sim_hash(r->sim);
    weft_sim_destroy(r->sim);
    assert_int_equal(r->memory.n_blocks, 0);
    assert_int_equal(r->memory.n_bytes, 0);
    assert_int_equal(r->memory.n_mistakes, 0);
    return failed;
}

/* A step asks for memory in several hundred places; the long form fails each. */
#define STRIDE 37

/* However it fails, after the second try all is as if it had not. */
static void fail_each(const operation *list, size_t n_operations, int integrator)
{
    run undisturbed = {.integrator = (weft_integrator)integrator};
    assert_false(run_all(&undisturbed, list, n_operations, 0));
    int64_t n_calls = undisturbed.memory.n_calls, n = 1;
    assert_true(n_calls > 100);
    int64_t stride = getenv("WEFT_LONG") ? 1 : STRIDE;
    for (;; n += stride) {
        run r = {.integrator = (weft_integrator)integrator};
        bool failed = run_all(&r, list, n_operations, n);
        assert_int_equal(r.hash_at_end, undisturbed.hash_at_end);
        if (!failed && n > n_calls)
            break;
    }
    print_message("integrator %d: %d allocations, every %d. failed once\n", integrator, (int)n - 1, (int)stride);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 3; integrator += 2)
        fail_each(operations, sizeof operations / sizeof *operations, integrator);
}

static void any_allocation_may_fail_while_the_mesh_changes(void **state)
{
    (void)state;
    fail_each(adapting, sizeof adapting / sizeof *adapting, WEFT_INTEGRATOR_BDF2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_step_calls_no_allocator),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(any_allocation_may_fail_while_the_mesh_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
