/* SPDX-License-Identifier: MIT */
/* A sheet that swings from one edge: what the integrator and its solve make of energy. */
#include "bench_table.h"
#include "contact_scenes.h"
#include "contact_vec.h"
#include "motion_scenes.h"

#include <stdlib.h>

static const double swing_size = 0.5;

static weft_result pin_first_row(weft_sim *sim, weft_cloth_id cloth, const contact_mesh *m, weft_error *e)
{
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    int32_t *nodes = malloc((size_t)m->n_v * sizeof *nodes);
    if (!nodes)
        return WEFT_ERROR_MEMORY;
    for (int32_t j = 0; j < m->n_v; j++)
        nodes[j] = m->n_u * j;
    d.cloth = cloth;
    d.nodes = nodes;
    d.n_nodes = m->n_v;
    weft_result r = weft_attachment_create(sim, &d, &id, e);
    free(nodes);
    return r;
}

static weft_result add_swinging(weft_sim *sim, contact_weave weave, int32_t cells, const char *name,
                                weft_cloth_id *cloth, weft_error *e)
{
    contact_mesh m;
    weft_fabric fabric;
    weft_result r = weft_fabric_find(name, &fabric, e);
    fabric.damping_stretch = fabric.damping_bending = 0;
    r = r < 0 ? r : contact_mesh_rectangle(&m, weave, swing_size, swing_size, swing_size / cells);
    if (r < 0)
        return r;
    contact_mesh_place(&m, (weft_vec3){0, 0, 0}, (weft_vec3){1, 0, 0}, (weft_vec3){0, 0, -1});
    r = contact_mesh_weave(sim, &m, &fabric, (weft_vec3){0, 0, 0}, cloth, e);
    r = r < 0 ? r : pin_first_row(sim, *cloth, &m, e);
    contact_mesh_free(&m);
    return r;
}

static weft_result create_swinging(weft_sim **out, weft_sim_def *d, contact_weave weave, int32_t cells,
                                   const char *fabric, weft_cloth_id *cloth, weft_error *e)
{
    *out = NULL;
    d->air_density = 0;
    weft_result r = weft_sim_create(d, out, e);
    r = r < 0 ? r : add_swinging(*out, weave, cells, fabric, cloth, e);
    if (r < 0) {
        weft_sim_destroy(*out);
        *out = NULL;
    }
    return r;
}

weft_result motion_swing_create(weft_sim **out, weft_sim_def *d, contact_weave weave, int32_t cells, const char *fabric,
                                weft_error *e)
{
    weft_cloth_id cloth;
    return create_swinging(out, d, weave, cells, fabric, &cloth, e);
}

static weft_result swing(weft_sim *sim, const motion_swing_def *def, double unit, motion_swing *out, weft_error *e)
{
    double before = 0;
    weft_result r = WEFT_OK;
    double cpu = bench_cpu();
    for (out->steps = 0; out->steps * def->h < def->seconds - 1e-9 && r >= 0; out->steps++) {
        weft_step_stats s;
        r = weft_sim_step(sim, def->h, &s, e);
        double energy = s.energy_kinetic + s.energy_gravity + s.energy_stretch + s.energy_bending;
        out->most_growth = fmax(out->most_growth, (energy - before) / unit);
        out->stretch = fmax(out->stretch, s.stretch);
        out->newton += (int32_t)s.newton_iterations;
        out->most_newton = s.newton_iterations > out->most_newton ? (int32_t)s.newton_iterations : out->most_newton;
        before = energy;
    }
    out->cpu = bench_cpu() - cpu;
    out->loss = -before / unit;
    return r;
}

weft_result motion_swing_run(const motion_swing_def *def, motion_swing *out, weft_error *e)
{
    weft_sim_def d = def->converged ? contact_converged_def() : weft_sim_def_default();
    weft_sim *sim = NULL;
    weft_cloth_id cloth = {0};
    weft_cloth_info info = {0};
    d.n_threads = def->n_threads;
    *out = (motion_swing){0};
    weft_result r = create_swinging(&sim, &d, def->weave, def->cells, def->fabric, &cloth, e);
    r = r < 0 ? r : weft_cloth_get_info(sim, cloth, &info, e);
    r = r < 0 ? r : swing(sim, def, info.mass * CONTACT_GRAVITY * swing_size / 2, out, e);
    weft_sim_destroy(sim);
    return r;
}
