/* SPDX-License-Identifier: MIT */
/* ctest: labels=slow timeout=300 */
/* test: out 24 */
/* A cotton sheet falls on a ball that lies on the ground: a whole run, with a line and a file per frame, and the
 * clearance checked at the end. The command does the same with pictures: weft run scenes/ball.yaml
 *
 * usage: 02_ball [FOLDER [NODES]]     out/02_ball, and 76 nodes along each side */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <weft/weft.h>

static const double side = 0.72, radius = 0.2, fall = 0.05, step = 1.0 / 60;
enum { N_STEPS = 120, STEPS_PER_FILE = 4 };

typedef struct scene {
    weft_sim *sim;
    weft_cloth_id cloth;
    weft_collider_def ball_def;
    weft_collider_id ball;
    weft_cloth_info info;
    weft_vec3 *positions;
    int32_t *triangles; /* 3 each */
} scene;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void must(weft_result result, const weft_error *error)
{
    if (result < 0)
        fail(weft_result_name(result), error->text);
}

static void make_colliders(scene *s)
{
    weft_error error;
    s->ball_def = weft_collider_def_default();
    s->ball_def.kind = WEFT_COLLIDER_SPHERE;
    s->ball_def.radius = radius;
    s->ball_def.position.y = radius;
    must(weft_collider_create(s->sim, &s->ball_def, &s->ball, &error), &error);
    weft_collider_id ground;
    weft_collider_def plane = weft_collider_def_default();
    plane.kind = WEFT_COLLIDER_PLANE;
    must(weft_collider_create(s->sim, &plane, &ground, &error), &error);
}

static void make_cloth(scene *s, int32_t n)
{
    weft_error error;
    weft_fabric cotton;
    must(weft_fabric_find("cotton", &cotton, &error), &error);
    weft_grid_def grid = weft_grid_def_default();
    grid.n_warp = grid.n_weft = n;
    grid.size_warp = grid.size_weft = side;
    grid.corner = (weft_vec3){-0.5 * side, 2 * radius + fall, 0.5 * side};
    grid.model.fabrics = &cotton;
    grid.model.n_fabrics = 1;
    must(weft_cloth_create_grid(s->sim, &grid, &s->cloth, &error), &error);

    must(weft_cloth_get_info(s->sim, s->cloth, &s->info, &error), &error);
    s->positions = malloc((size_t)s->info.n_nodes * sizeof *s->positions);
    s->triangles = malloc((size_t)s->info.n_triangles * 3 * sizeof *s->triangles);
    if (!s->positions || !s->triangles)
        fail("frames", "out of memory");
    must(weft_cloth_get_triangles(s->sim, s->cloth, s->triangles, s->info.n_triangles, &error), &error);
}

static void write_obj(const scene *s, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        fail(path, strerror(errno));
    for (int32_t i = 0; i < s->info.n_nodes; i++)
        fprintf(f, "v %.17g %.17g %.17g\n", s->positions[i].x, s->positions[i].y, s->positions[i].z);
    for (int32_t i = 0; i < s->info.n_triangles; i++) {
        const int32_t *t = &s->triangles[3 * i];
        fprintf(f, "f %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    bool written = !ferror(f);
    if (fclose(f) != 0 || !written)
        fail(path, "cannot be written");
}

static void run(scene *s, const char *folder)
{
    weft_error error;
    weft_step_stats stats;
    char path[4096];
    printf("  time   nodes  Newton  linear  contacts  stretch      ms\n");
    for (int i = 1; i <= N_STEPS; i++) {
        weft_result result = weft_sim_step(s->sim, step, &stats, &error);
        must(result, &error);
        printf("%6.3f %7d %7d %7d %9d %8.4f %7.1f%s%s\n", stats.time, stats.n_nodes, stats.newton_iterations,
               stats.linear_iterations, stats.contacts, stats.stretch, 1e3 * stats.seconds_total, result ? "  " : "",
               result ? weft_result_name(result) : "");
        fflush(stdout);
        if (i % STEPS_PER_FILE != 0)
            continue;
        must(weft_cloth_get_positions(s->sim, s->cloth, s->positions, s->info.n_nodes, 0, &error), &error);
        snprintf(path, sizeof path, "%s/ball_%03d.obj", folder, i);
        write_obj(s, path);
    }
}

static void report(const scene *s)
{
    weft_error error;
    double clearance;
    weft_vec3 force;
    must(weft_collider_get_clearance(s->sim, s->ball, s->cloth, &clearance, &error), &error);
    must(weft_collider_get_force(s->sim, s->ball, &force, NULL, &error), &error);
    printf("clearance of the ball %.2f mm, force on it %.3f N, weight of the cloth %.3f N\n", 1e3 * clearance, -force.y,
           9.81 * s->info.mass);
    if (clearance < 0)
        fail("the ball", "shows through the cloth");
}

/* Makes a folder and those it is in. */
static void make_folder(const char *folder)
{
    char path[4096];
    size_t n = strlen(folder);
    if (n == 0 || n + 32 > sizeof path)
        fail("folder", "its name is empty or too long");
    memcpy(path, folder, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != 0)
            continue;
        path[i] = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            fail(path, strerror(errno));
        path[i] = i < n ? '/' : 0;
    }
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "out/02_ball";
    long n = argc > 2 ? strtol(argv[2], NULL, 10) : 76;
    if (argc > 3 || n < 2 || n > 1000)
        fail("usage", "02_ball [FOLDER [NODES]], NODES in [2, 1000]");
    make_folder(folder);
    weft_error error;
    scene s = {.sim = NULL};
    weft_sim_def def = weft_sim_def_default();
    def.n_threads = 0; /* all cores: the result is the same to the last bit */
    must(weft_sim_create(&def, &s.sim, &error), &error);
    make_colliders(&s);
    make_cloth(&s, (int32_t)n);
    run(&s, folder);
    report(&s);
    weft_sim_destroy(s.sim);
    free(s.positions);
    free(s.triangles);
    return EXIT_SUCCESS;
}
