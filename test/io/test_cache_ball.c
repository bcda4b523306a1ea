/* SPDX-License-Identifier: MIT */
/* A real run in the cache: a sheet falls on a ball. It takes at most 0.6 of the doubles' size, comes back bit for bit,
 * and its restart points continue the run to the same hash. With WEFT_LONG the whole sheet, else a coarse one. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <weft/io/cache.h>
#include <weft/weft.h>

enum { STEPS_PER_FRAME = 2, RESTART_EVERY = 20 };

typedef struct run {
    weft_sim *sim;
    weft_cloth_id cloth;
    weft_cloth_info info;
    int32_t *triangles;
    weft_vec3 *positions;
} run;

static void must(weft_result r, const weft_error *e)
{
    if (r < 0)
        fail_msg("%s: %s", weft_result_name(r), e->text);
}

static void make_colliders(weft_sim *sim)
{
    weft_error e;
    weft_collider_id id;
    weft_collider_def ball = weft_collider_def_default(), ground = ball;
    ball.kind = WEFT_COLLIDER_SPHERE;
    ball.radius = 0.2;
    ball.position.y = 0.2;
    must(weft_collider_create(sim, &ball, &id, &e), &e);
    ground.kind = WEFT_COLLIDER_PLANE;
    must(weft_collider_create(sim, &ground, &id, &e), &e);
}

static run make_run(int32_t nodes)
{
    weft_error e;
    run r = {0};
    weft_sim_def def = weft_sim_def_default();
    must(weft_sim_create(&def, &r.sim, &e), &e);
    make_colliders(r.sim);
    weft_fabric cotton;
    must(weft_fabric_find("cotton", &cotton, &e), &e);
    weft_grid_def grid = weft_grid_def_default();
    grid.n_warp = grid.n_weft = nodes;
    grid.size_warp = grid.size_weft = 0.72;
    grid.corner = (weft_vec3){-0.36, 0.45, 0.36};
    grid.model.fabrics = &cotton;
    grid.model.n_fabrics = 1;
    must(weft_cloth_create_grid(r.sim, &grid, &r.cloth, &e), &e);
    must(weft_cloth_get_info(r.sim, r.cloth, &r.info, &e), &e);
    r.positions = malloc((size_t)r.info.n_nodes * sizeof *r.positions);
    r.triangles = malloc((size_t)r.info.n_triangles * 3 * sizeof *r.triangles);
    assert_true(r.positions && r.triangles);
    must(weft_cloth_get_triangles(r.sim, r.cloth, r.triangles, r.info.n_triangles, &e), &e);
    return r;
}

static void free_run(run *r)
{
    weft_sim_destroy(r->sim);
    free(r->positions);
    free(r->triangles);
}

static void step_frame(run *r)
{
    weft_error e;
    for (int i = 0; i < STEPS_PER_FRAME; i++)
        must(weft_sim_step(r->sim, 1.0 / 60, NULL, &e), &e);
    must(weft_cloth_get_positions(r->sim, r->cloth, r->positions, r->info.n_nodes, 0, &e), &e);
}

static weft_cache_writer *create(const char *path, const run *r)
{
    static const char *const names[] = {"sheet"};
    weft_error e;
    weft_cache_writer *w = NULL;
    weft_cache_def def = weft_cache_def_default();
    def.fps = 30;
    def.n_cloths = 1;
    def.cloth_names = names;
    must(weft_cache_create(path, &def, &w, &e), &e);
    weft_topology t = {.n_nodes = r->info.n_nodes, .n_triangles = r->info.n_triangles, .triangles = r->triangles};
    must(weft_cache_add_topology(w, &t, &e), &e);
    return w;
}

static void add(weft_cache_writer *w, const run *r, int32_t frame)
{
    weft_error e;
    const weft_vec3 *const positions[] = {r->positions};
    weft_cache_frame f = {.time = weft_sim_time(r->sim), .hash = weft_sim_hash(r->sim), .positions = positions};
    must(weft_cache_add_frame(w, &f, &e), &e);
    if (frame % RESTART_EVERY != 0)
        return;
    size_t size = 0;
    must(weft_sim_snapshot(r->sim, NULL, &size, &e), &e);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    must(weft_sim_snapshot(r->sim, bytes, &size, &e), &e);
    must(weft_cache_add_restart(w, bytes, size, &e), &e);
    free(bytes);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Continues from the last restart point in a fresh simulation, with the frames of the cache to compare. */
static void continue_from_restart(weft_cache *c, int32_t nodes, int32_t n_frames)
{
    weft_error e;
    int32_t at;
    size_t size;
    must(weft_cache_read_restart(c, n_frames - 2, &at, NULL, &size, &e), &e);
    assert_int_equal(at, (n_frames - 2) / RESTART_EVERY * RESTART_EVERY);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    must(weft_cache_read_restart(c, at, &at, bytes, &size, &e), &e);
    run r = make_run(nodes);
    must(weft_sim_restore(r.sim, bytes, size, &e), &e);
    free(bytes);
    weft_vec3 *stored = malloc((size_t)r.info.n_nodes * sizeof *stored);
    assert_non_null(stored);
    for (int32_t i = at + 1; i < n_frames; i++) {
        uint64_t hash;
        step_frame(&r);
        must(weft_cache_read_head(c, i, NULL, &hash, NULL, &e), &e);
        must(weft_cache_read_positions(c, i, 0, stored, r.info.n_nodes, &e), &e);
        assert_true(hash == weft_sim_hash(r.sim));
        assert_memory_equal(stored, r.positions, (size_t)r.info.n_nodes * sizeof *stored);
    }
    free(stored);
    free_run(&r);
}

static void ball_takes_little_and_continues_bit_for_bit(void **state)
{
    (void)state;
    bool is_long = getenv("WEFT_LONG") != NULL;
    int32_t nodes = is_long ? 76 : 24, n_frames = is_long ? 61 : 26;
    const char *tmp = getenv("TMPDIR");
    char folder[64], path[128];
    snprintf(folder, sizeof folder, "%.40s/weft_ball_XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/cache.weft", folder);
    run r = make_run(nodes);
    weft_cache_writer *w = create(path, &r);
    double start = seconds(), writing = 0;
    weft_error e;
    must(weft_cloth_get_positions(r.sim, r.cloth, r.positions, r.info.n_nodes, 0, &e), &e);
    for (int32_t i = 0; i < n_frames; i++) {
        if (i > 0)
            step_frame(&r);
        double before = seconds();
        add(w, &r, i);
        writing += seconds() - before;
    }
    must(weft_cache_close(w, &e), &e);
    double part = writing / (seconds() - start), raw = 24.0 * r.info.n_nodes * n_frames;
    free_run(&r);
    weft_cache *c = NULL;
    must(weft_cache_open(path, &c, &e), &e);
    weft_cache_info info = weft_cache_get_info(c);
    printf("frames %.3f, whole file %.3f of the doubles' size; writing %.2f %% of the run\n",
           (double)info.frame_bytes / raw, (double)info.size / raw, 100 * part);
    assert_int_equal(info.n_frames, n_frames);
    assert_true((double)info.frame_bytes <= 0.6 * raw && (double)info.size <= 0.6 * raw);
    assert_true(part <= 0.05);
    continue_from_restart(c, nodes, n_frames);
    weft_cache_free(c);
    remove(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ball_takes_little_and_continues_bit_for_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
