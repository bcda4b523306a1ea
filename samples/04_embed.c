/* SPDX-License-Identifier: MIT */
/* Weft inside a game engine, which has its own memory, log, jobs and vertex buffers. Shows
 *   - the callbacks: allocator, log, parallel_for, forces of your own;
 *   - positions and normals written straight into an interleaved vertex buffer, and the indices to draw it;
 *   - cancelling a step that takes too long: the last good state stands;
 *   - snapshot and restore: the same future again, to the last bit, whoever runs the jobs.
 * Each promise is checked; the program fails if one is broken. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { SIDE = 21, N_NODES = SIDE * SIDE, N_TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };
static const double step = 1.0 / 60;

typedef struct engine {
    size_t memory_used, memory_peak;
    int64_t jobs;
    weft_sim *cancel_next; /* stop this simulation when its next job comes */
    double fan_radius;     /* m */
} engine;

typedef struct vertex { /* what the graphics card gets */
    weft_vec3 position, normal;
    uint32_t color;
} vertex;

typedef struct drape {
    weft_sim *sim;
    weft_cloth_id cloth;
} drape;

static void check(bool fine, const char *claim)
{
    printf("%s: %s\n", fine ? "yes" : "NO", claim);
    if (!fine)
        exit(EXIT_FAILURE);
}

static void must(weft_result result, const weft_error *error)
{
    if (result < 0) {
        fprintf(stderr, "%s: %s\n", weft_result_name(result), error->text);
        exit(EXIT_FAILURE);
    }
}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

/* The old size comes along, so an arena or a budget needs no headers of its own. */
static void *engine_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    engine *e = user;
    void *block = NULL;
    if (new_size == 0)
        free(ptr);
    else if (!(block = realloc(ptr, new_size)))
        return NULL; /* the library gives up what it was doing and says so */
    e->memory_used += new_size - (ptr ? old_size : 0);
    if (e->memory_used > e->memory_peak)
        e->memory_peak = e->memory_used;
    return block;
}

static void engine_log(void *user, weft_log_level level, const char *text)
{
    (void)user;
    if (level >= WEFT_LOG_INFO)
        printf("  weft says: %s\n", text);
}

/* An engine would put the jobs into its queue and wait. Here they run at once, the last first: any order will do. */
static void engine_parallel_for(void *user, int32_t n, void (*run)(void *context, int32_t i), void *context)
{
    engine *e = user;
    e->jobs += n;
    if (e->cancel_next)
        weft_sim_cancel(e->cancel_next);
    e->cancel_next = NULL;
    for (int32_t i = n - 1; i >= 0; i--)
        run(context, i);
}

/* A fan that turns above the middle of the table: pushes sideways, most at its radius, at most as strong as gravity. */
static void engine_force(void *user, weft_cloth_id cloth, double time, int32_t n_nodes, const weft_vec3 *positions,
                         const weft_vec3 *velocities, const double *masses, weft_vec3 *forces)
{
    const engine *e = user;
    (void)cloth, (void)time, (void)velocities;
    for (int32_t i = 0; i < n_nodes; i++) {
        double x = positions[i].x / e->fan_radius, z = positions[i].z / e->fan_radius;
        double push = 9.81 * masses[i] * 2 / (1 + x * x + z * z);
        forces[i].x += 0.5 * push * z;
        forces[i].z -= 0.5 * push * x;
    }
}

/* ---- a cloth on a round table, under a fan ---------------------------------------------------------------------- */

static drape make_drape(const weft_sim_def *def)
{
    drape d;
    weft_error error;
    must(weft_sim_create(def, &d.sim, &error), &error);
    weft_collider_id table;
    weft_collider_def top = weft_collider_def_default();
    top.kind = WEFT_COLLIDER_CYLINDER;
    top.radius = 0.15;
    top.height = 0.05;
    top.position.y = -0.025;
    must(weft_collider_create(d.sim, &top, &table, &error), &error);
    weft_grid_def grid = weft_grid_def_default();
    grid.n_warp = grid.n_weft = SIDE;
    grid.size_warp = grid.size_weft = 0.4;
    grid.corner = (weft_vec3){-0.2, 0.01, 0.2};
    must(weft_cloth_create_grid(d.sim, &grid, &d.cloth, &error), &error);
    return d;
}

static weft_step_stats advance(weft_sim *sim, int n)
{
    weft_error error;
    weft_step_stats stats = {0};
    for (int i = 0; i < n; i++)
        must(weft_sim_step(sim, step, &stats, &error), &error);
    return stats;
}

/* ---- what an engine asks for ------------------------------------------------------------------------------------- */

static void fill_buffers(const drape *d, vertex *vertices, int32_t *indices)
{
    weft_error error;
    size_t stride = sizeof *vertices;
    must(weft_cloth_get_positions(d->sim, d->cloth, &vertices->position, N_NODES, stride, &error), &error);
    must(weft_cloth_get_normals(d->sim, d->cloth, &vertices->normal, N_NODES, stride, &error), &error);
    must(weft_cloth_get_triangles(d->sim, d->cloth, indices, N_TRIANGLES, &error), &error);
}

static void check_buffers(const drape *d)
{
    static vertex vertices[N_NODES];
    static int32_t indices[3 * N_TRIANGLES];
    double worst = 0;
    bool inside = true, kept = true;
    for (int i = 0; i < N_NODES; i++)
        vertices[i].color = 0xffcc8844;
    fill_buffers(d, vertices, indices);
    for (int i = 0; i < N_NODES; i++) {
        weft_vec3 n = vertices[i].normal;
        worst = fmax(worst, fabs(n.x * n.x + n.y * n.y + n.z * n.z - 1));
        kept = kept && vertices[i].color == 0xffcc8844;
    }
    for (int i = 0; i < 3 * N_TRIANGLES; i++)
        inside = inside && indices[i] >= 0 && indices[i] < N_NODES;
    check(worst < 1e-12 && inside && kept, "normals are unit, indices in range, colours between them untouched");
}

static void check_cancel(engine *e, weft_sim *sim)
{
    weft_error error;
    uint64_t before = weft_sim_hash(sim);
    e->cancel_next = sim;
    weft_result result = weft_sim_step(sim, step, NULL, &error);
    check(result == WEFT_ERROR_CANCELLED && weft_sim_hash(sim) == before, "a cancelled step changes nothing");
}

static void check_snapshot(weft_sim *sim)
{
    weft_error error;
    size_t size;
    must(weft_sim_snapshot(sim, NULL, &size, &error), &error); /* how much room? */
    void *saved = malloc(size);
    if (!saved)
        exit(EXIT_FAILURE);
    must(weft_sim_snapshot(sim, saved, &size, &error), &error);
    advance(sim, 10);
    uint64_t first = weft_sim_hash(sim);
    must(weft_sim_restore(sim, saved, size, &error), &error);
    advance(sim, 10);
    free(saved);
    check(weft_sim_hash(sim) == first, "after restore it goes the same way again");
}

int main(void)
{
    engine e = {.fan_radius = 0.2};
    weft_sim_def def = weft_sim_def_default();
    def.force = engine_force;
    def.force_user = &e;
    def.n_threads = 2;
    drape plain = make_drape(&def); /* the library's own memory and threads */

    def.alloc = engine_alloc;
    def.alloc_user = &e;
    def.log = engine_log;
    def.log_user = &e;
    def.parallel_for = engine_parallel_for;
    def.parallel_for_user = &e;
    drape embedded = make_drape(&def);

    advance(plain.sim, 50);
    advance(embedded.sim, 30);
    check_cancel(&e, embedded.sim);
    weft_step_stats stats = advance(embedded.sim, 10);
    check(stats.allocations == 0, "a steady step allocates nothing");
    check_snapshot(embedded.sim);
    check(weft_sim_hash(plain.sim) == weft_sim_hash(embedded.sim),
          "own threads and the engine's jobs agree to the bit");
    check_buffers(&embedded);
    printf("%.2f s simulated, %" PRId64 " jobs, %zu kB at most\n", weft_sim_time(embedded.sim), e.jobs,
           e.memory_peak / 1024);

    weft_sim_destroy(embedded.sim);
    weft_sim_destroy(plain.sim);
    check(e.memory_used == 0, "all memory came back");
    return EXIT_SUCCESS;
}
