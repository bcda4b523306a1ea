/* SPDX-License-Identifier: MIT */
/* Sheets that meet in empty space: what a collision leaves of momentum and of angular momentum. */
#include <stdlib.h>

#include "contact_scenes.h"
#include "contact_vec.h"
#include "motion_scenes.h"

enum { MEETING_SHEETS = 2 };

static const double meeting_size = 0.2;

typedef struct meeting_sums {
    weft_vec3 momentum, angular; /* the latter about the origin */
    double sizes;                /* Σ |p| of the sheets */
    double kinetic;
} meeting_sums;

static weft_result sums_of(const weft_sim *sim, const weft_cloth_id *cloths, meeting_sums *out, weft_error *e)
{
    weft_result r = WEFT_OK;
    *out = (meeting_sums){0};
    for (int i = 0; i < MEETING_SHEETS && r >= 0; i++) {
        contact_nodes n;
        weft_vec3 sheet = {0, 0, 0};
        r = contact_nodes_read(&n, sim, cloths[i], e);
        for (int32_t k = 0; k < n.n; k++) {
            sheet = cv_madd(sheet, n.mass[k], n.v[k]);
            out->kinetic += 0.5 * n.mass[k] * cv_dot(n.v[k], n.v[k]);
            out->angular = cv_madd(out->angular, n.mass[k], cv_cross(n.x[k], n.v[k]));
        }
        out->momentum = cv_add(out->momentum, sheet);
        out->sizes += cv_length(sheet);
        contact_nodes_free(&n);
    }
    return r;
}

/* About `middle`, with its own velocity and spin. */
static weft_result add_meeting_sheet(weft_sim *sim, const motion_meeting_def *def, weft_vec3 middle, weft_vec3 axis_u,
                                     weft_vec3 velocity, weft_vec3 spin, weft_cloth_id *out, weft_error *e)
{
    contact_mesh m;
    weft_fabric fabric;
    weft_vec3 axis_v = {0, 1, 0};
    weft_result r = weft_fabric_find(def->fabric, &fabric, e);
    r = r < 0 ? r : contact_mesh_rectangle(&m, def->weave, meeting_size, meeting_size, meeting_size / def->cells);
    if (r < 0)
        return r;
    contact_mesh_place(&m, cv_madd(middle, -0.5 * meeting_size, cv_add(axis_u, axis_v)), axis_u, axis_v);
    weft_vec3 *v = malloc((size_t)m.n_nodes * sizeof *v);
    for (int32_t k = 0; v && k < m.n_nodes; k++)
        v[k] = cv_add(velocity, cv_cross(spin, cv_sub(m.x[k], middle)));
    r = contact_mesh_weave(sim, &m, &fabric, velocity, out, e);
    r = r < 0 ? r : v ? weft_cloth_set_velocities(sim, *out, v, m.n_nodes, e) : WEFT_ERROR_MEMORY;
    free(v);
    contact_mesh_free(&m);
    return r;
}

/* One lies level, the other comes down on it, slanting and off its middle. */
static weft_result add_meeting(weft_sim *sim, const motion_meeting_def *def, weft_cloth_id *out, weft_error *e)
{
    const weft_vec3 level = {1, 0, 0}, slant = {0.9394, 0, 0.3428}, up = {0.2, 0, 1}, down = {0, 0.1, -1};
    const weft_vec3 above = {0.04, 0.03, 0.045}, still = {0, 0, 0}, spin = {0, 6, 3};
    weft_result r = add_meeting_sheet(sim, def, still, level, up, def->spins ? spin : still, &out[0], e);
    return r < 0 ? r : add_meeting_sheet(sim, def, above, slant, down, def->spins ? spin : still, &out[1], e);
}

static weft_result follow_meeting(weft_sim *sim, const motion_meeting_def *def, const weft_cloth_id *cloths,
                                  motion_meeting *out, weft_error *e)
{
    meeting_sums start, now = {0};
    weft_result r = sums_of(sim, cloths, &start, e);
    for (int k = 0; k < lround(def->seconds / def->h) && r >= 0; k++) {
        weft_step_stats s = {0};
        r = weft_sim_step(sim, def->h, &s, e);
        r = r < 0 ? r : sums_of(sim, cloths, &now, e);
        double momentum = cv_length(cv_sub(now.momentum, start.momentum)) / start.sizes;
        double angular = cv_length(cv_sub(now.angular, start.angular)) / cv_length(start.angular);
        out->kept = (s.energy_kinetic + s.energy_stretch + s.energy_bending) / start.kinetic;
        out->momentum = fmax(out->momentum, momentum);
        out->angular = fmax(out->angular, angular);
        out->touched += s.pairs > 0;
        out->newton += (int32_t)s.newton_iterations;
        out->steps += 1;
    }
    return r;
}

weft_result motion_meeting_run(const motion_meeting_def *def, motion_meeting *out, weft_error *e)
{
    weft_sim_def d = def->converged ? contact_converged_def() : contact_sim_def();
    weft_cloth_id cloths[MEETING_SHEETS];
    weft_sim *sim = NULL;
    *out = (motion_meeting){0};
    *e = (weft_error){.text = "out of memory"};
    d.gravity = (weft_vec3){0, 0, 0};
    d.air_density = 0;
    d.n_threads = def->n_threads;
    weft_result r = weft_sim_create(&d, &sim, e);
    r = r < 0 ? r : add_meeting(sim, def, cloths, e);
    r = r < 0 ? r : follow_meeting(sim, def, cloths, out, e);
    weft_sim_destroy(sim);
    return r;
}
