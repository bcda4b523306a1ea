/* SPDX-License-Identifier: MIT */
/* How many Newton steps it takes to solve scenes to a micrometre. */
#include <math.h>
#include <stdlib.h>

#include "bench_table.h"
#include "contact_vec.h"
#include "motion_scenes.h"
#include "sim/torture.h"

const char *const motion_newton_names[MOTION_NEWTON_SCENES] = {"ball", "ribbon", "swing"};

static const double micrometre = 1e-6;
static const int32_t most_newton_steps = 300;

static weft_sim_def solved_def(int32_t n_threads)
{
    weft_sim_def d = weft_sim_def_default();
    d.newton_tolerance = micrometre;
    d.newton_limit = most_newton_steps;
    d.n_threads = n_threads;
    return d;
}

/* A square of cotton of 38² cells that falls on a ball. */
static weft_result add_ball_scene(weft_sim *sim, weft_error *e)
{
    weft_fabric cotton;
    weft_cloth_id cloth;
    weft_collider_id ball;
    weft_collider_def c = weft_collider_def_default();
    contact_mesh m;
    weft_result r = weft_fabric_find("cotton", &cotton, e);
    r = r < 0 ? r : contact_mesh_rectangle(&m, CONTACT_QUADS, 0.72, 0.72, 0.72 / 38);
    if (r < 0)
        return r;
    contact_mesh_place(&m, (weft_vec3){-0.36, 0.25, 0.36}, (weft_vec3){1, 0, 0}, (weft_vec3){0, 0, -1});
    r = contact_mesh_weave(sim, &m, &cotton, (weft_vec3){0, 0, 0}, &cloth, e);
    contact_mesh_free(&m);
    c.kind = WEFT_COLLIDER_SPHERE;
    c.radius = 0.2;
    return r < 0 ? r : weft_collider_create(sim, &c, &ball, e);
}

static int compare_counts(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void count_step(const weft_step_stats *s, motion_newton *out, int64_t *counts)
{
    counts[out->steps++] = s->newton_iterations;
    out->newton += s->newton_iterations;
    out->linear += s->linear_iterations;
    out->most = s->newton_iterations > out->most ? s->newton_iterations : out->most;
    out->unsolved += s->residual > micrometre;
}

static weft_result follow_torture(const char *name, weft_sim_def *d, motion_newton *out, int64_t *counts, weft_error *e)
{
    torture t;
    weft_step_stats s;
    const torture_options o = {.thickness = -1, .size = 0.5, .sim = d};
    weft_result r = torture_create(&t, name, &o, e);
    for (int k = 0; k < MOTION_NEWTON_STEPS && r >= 0; k++) {
        r = torture_step(&t, &s, e);
        count_step(&s, out, counts);
    }
    torture_destroy(&t);
    return r;
}

static weft_result follow_ball(weft_sim_def *d, motion_newton *out, int64_t *counts, weft_error *e)
{
    weft_sim *sim = NULL;
    weft_step_stats s;
    weft_result r = weft_sim_create(d, &sim, e);
    r = r < 0 ? r : add_ball_scene(sim, e);
    for (int k = 0; k < MOTION_NEWTON_STEPS && r >= 0; k++) {
        r = weft_sim_step(sim, 1.0 / 60, &s, e);
        count_step(&s, out, counts);
    }
    weft_sim_destroy(sim);
    return r;
}

static weft_result follow_swing(weft_sim_def *d, motion_newton *out, int64_t *counts, weft_error *e)
{
    weft_sim *sim = NULL;
    weft_step_stats s;
    weft_result r = motion_swing_create(&sim, d, CONTACT_QUADS, 38, "cotton", e);
    for (int k = 0; k < MOTION_NEWTON_STEPS && r >= 0; k++) {
        r = weft_sim_step(sim, 1.0 / 60, &s, e);
        count_step(&s, out, counts);
    }
    weft_sim_destroy(sim);
    return r;
}

weft_result motion_newton_run(int scene, int32_t n_threads, motion_newton *out, weft_error *e)
{
    weft_sim_def d = solved_def(n_threads);
    int64_t counts[MOTION_NEWTON_STEPS];
    *out = (motion_newton){0};
    *e = (weft_error){.text = "out of memory"};
    double cpu = bench_cpu();
    weft_result r = scene == 0   ? follow_ball(&d, out, counts, e)
                    : scene == 1 ? follow_torture("ribbon", &d, out, counts, e)
                                 : follow_swing(&d, out, counts, e);
    out->cpu = bench_cpu() - cpu;
    qsort(counts, (size_t)out->steps, sizeof *counts, compare_counts);
    out->median = out->steps > 0 ? counts[out->steps / 2] : 0;
    return r;
}
