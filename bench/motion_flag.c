/* SPDX-License-Identifier: MIT */
/* A flag in steady wind: how fast and how far its free corner swings. */
#include <stdlib.h>

#include "bench_table.h"
#include "contact_vec.h"
#include "motion_scenes.h"

static const double flag_length = 0.6, flag_height = 0.4, flag_cell = 0.025, flag_rate = 60;

/* Points downwind, a little out of the plane of the wind, by a wave of its own for each start. */
static weft_result add_flag(weft_sim *sim, const motion_flag_def *def, int32_t *corner, weft_cloth_id *out,
                            weft_error *e)
{
    contact_mesh m;
    weft_fabric fabric;
    weft_attachment_id id;
    weft_attachment_def a = weft_attachment_def_default();
    weft_result r = weft_fabric_find(def->fabric, &fabric, e);
    r = r < 0 ? r : contact_mesh_rectangle(&m, def->weave, flag_length, flag_height, flag_cell);
    if (r < 0)
        return r;
    contact_mesh_place(&m, (weft_vec3){0, 0, 0}, (weft_vec3){1, 0, 0}, (weft_vec3){0, 1, 0});
    weft_vec3 *v = calloc((size_t)m.n_nodes, sizeof *v);
    int32_t *held = malloc((size_t)m.n_v * sizeof *held);
    for (int32_t k = 0; v && k < m.n_nodes; k++)
        v[k].z = 0.05 * sin((4 + def->start) * m.x[k].x + 2 * m.x[k].y);
    for (int32_t j = 0; held && j < m.n_v; j++)
        held[j] = m.n_u * j;
    r = v && held ? contact_mesh_weave(sim, &m, &fabric, (weft_vec3){0, 0, 0}, out, e) : WEFT_ERROR_MEMORY;
    r = r < 0 ? r : weft_cloth_set_velocities(sim, *out, v, m.n_nodes, e);
    a.cloth = *out;
    a.nodes = held;
    a.n_nodes = m.n_v;
    r = r < 0 ? r : weft_attachment_create(sim, &a, &id, e);
    *corner = m.n_u - 1;
    free(v);
    free(held);
    contact_mesh_free(&m);
    return r;
}

/* Of z at a free corner, 60 times a second, whatever the steps. */
static weft_result record_corner(weft_sim *sim, weft_cloth_id cloth, int32_t corner, const motion_flag_def *def,
                                 double *z, int32_t n, motion_flag *out, weft_error *e)
{
    weft_result r = WEFT_OK;
    int32_t parts = (int32_t)lround(1 / (flag_rate * def->h));
    for (int32_t k = 0; k < n && r >= 0; k++) {
        contact_nodes nodes = {0};
        for (int32_t j = 0; j < parts && r >= 0; j++) {
            weft_step_stats s = {0};
            r = weft_sim_step(sim, def->h, &s, e);
            out->newton += (int32_t)s.newton_iterations;
            out->steps++;
        }
        r = r < 0 ? r : contact_nodes_read(&nodes, sim, cloth, e);
        if (r >= 0)
            z[k] = nodes.x[corner].z;
        contact_nodes_free(&nodes);
    }
    return r;
}

/* Power at a frequency: segments of 4 s, half over each other, under Hann's window, added up (Welch 1967). */
static double power_at(const double *z, int32_t n, double mean, double frequency)
{
    const double turn = 6.28318530717958648;
    const int32_t length = (int32_t)(4 * flag_rate);
    double power = 0;
    for (int32_t from = 0; from + length <= n; from += length / 2) {
        double re = 0, im = 0;
        for (int32_t k = 0; k < length; k++) {
            double window = 0.5 - 0.5 * cos(turn * k / length), at = turn * frequency * k / flag_rate;
            re += window * (z[from + k] - mean) * cos(at);
            im += window * (z[from + k] - mean) * sin(at);
        }
        power += re * re + im * im;
    }
    return power;
}

static void find_peak(const double *z, int32_t n, motion_flag *out)
{
    double mean = 0, sum = 0, most = 0;
    for (int32_t k = 0; k < n; k++)
        mean += z[k] / n;
    for (int32_t k = 0; k < n; k++)
        sum += (z[k] - mean) * (z[k] - mean) / n;
    out->amplitude = sqrt(2 * sum);
    for (double f = 0.3; f < 12; f += 0.02) {
        double power = power_at(z, n, mean, f);
        if (power > most) {
            most = power;
            out->frequency = f;
        }
    }
}

weft_result motion_flag_run(const motion_flag_def *def, motion_flag *out, weft_error *e)
{
    weft_sim_def d = weft_sim_def_default();
    weft_sim *sim = NULL;
    weft_cloth_id cloth;
    int32_t corner = 0, n = (int32_t)lround(def->seconds * flag_rate);
    int32_t skip = (int32_t)lround(def->settle * flag_rate);
    double *z = calloc((size_t)n, sizeof *z);
    d.wind = (weft_vec3){def->wind, 0, 0};
    d.n_threads = def->n_threads;
    if (def->weightless)
        d.gravity = (weft_vec3){0, 0, 0};
    *out = (motion_flag){0};
    *e = (weft_error){.text = "out of memory"};
    weft_result r = z ? weft_sim_create(&d, &sim, e) : WEFT_ERROR_MEMORY;
    r = r < 0 ? r : add_flag(sim, def, &corner, &cloth, e);
    double cpu = bench_cpu();
    r = r < 0 ? r : record_corner(sim, cloth, corner, def, z, n, out, e);
    out->cpu = bench_cpu() - cpu;
    if (r >= 0)
        find_peak(z + skip, n - skip, out);
    weft_sim_destroy(sim);
    free(z);
    return r;
}
