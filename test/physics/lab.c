/* SPDX-License-Identifier: MIT */
#include "physics/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

void lab_ok(weft_result r, const weft_error *e)
{
    if (r < 0)
        fail_msg("%s: %s", weft_result_name(r), e->text);
}

weft_sim_def lab_def(weft_integrator integrator)
{
    weft_sim_def d = weft_sim_def_default();
    d.integrator = integrator;
    d.air_density = 0;
    d.newton_tolerance = 1e-10;
    d.newton_limit = 50;
    d.linear_tolerance = 1e-6;
    d.linear_limit = 100000;
    return d;
}

weft_sim *lab_create(const weft_sim_def *def)
{
    weft_sim *s = NULL;
    weft_error e;
    lab_ok(weft_sim_create(def, &s, &e), &e);
    return s;
}

weft_step_stats lab_step(weft_sim *s, double h)
{
    weft_step_stats st;
    weft_error e;
    lab_ok(weft_sim_step(s, h, &st, &e), &e);
    return st;
}

weft_step_stats lab_settle(weft_sim *s, double h, double speed, int calm, int limit)
{
    weft_step_stats st = {0};
    int still = 0;
    for (int k = 0; k < limit && still < calm; k++) {
        st = lab_step(s, h);
        still = st.max_speed <= speed ? still + 1 : 0;
    }
    if (still < calm)
        fail_msg("not at rest after %d steps of %g s: %g m/s", limit, h, st.max_speed);
    return st;
}

weft_cloth_id lab_beads(weft_sim *s, const weft_fabric *f, int n, const weft_vec3 *x, const weft_vec3 *v, double mass)
{
    weft_mesh_def d = weft_mesh_def_default();
    weft_cloth_id id;
    weft_error e;
    double *masses = malloc((size_t)n * sizeof *masses);
    assert_non_null(masses);
    for (int i = 0; i < n; i++)
        masses[i] = mass;
    d.n_nodes = n;
    d.positions = x;
    d.velocities = v;
    d.node_mass = masses;
    d.model.fabrics = f;
    d.model.n_fabrics = f ? 1 : 0;
    weft_result r = weft_cloth_create_mesh(s, &d, &id, &e);
    free(masses);
    lab_ok(r, &e);
    return id;
}

static int32_t count(const weft_sim *s, weft_cloth_id c)
{
    weft_cloth_info info;
    weft_error e;
    lab_ok(weft_cloth_get_info(s, c, &info, &e), &e);
    return info.n_nodes;
}

typedef weft_result (*getter)(const weft_sim *, weft_cloth_id, weft_vec3 *, int32_t, size_t, weft_error *);

static weft_vec3 one_of(const weft_sim *s, weft_cloth_id c, int node, getter get)
{
    int32_t n = count(s, c);
    weft_vec3 *x = malloc((size_t)n * sizeof *x);
    weft_error e;
    assert_non_null(x);
    assert_true(node >= 0 && node < n);
    weft_result r = get(s, c, x, n, 0, &e);
    weft_vec3 found = x[node];
    free(x);
    lab_ok(r, &e);
    return found;
}

weft_vec3 lab_position(const weft_sim *s, weft_cloth_id c, int node)
{
    return one_of(s, c, node, weft_cloth_get_positions);
}

weft_vec3 lab_velocity(const weft_sim *s, weft_cloth_id c, int node)
{
    return one_of(s, c, node, weft_cloth_get_velocities);
}

weft_attachment_id lab_pin(weft_sim *s, weft_cloth_id c, const int32_t *nodes, int n)
{
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    weft_error e;
    d.cloth = c;
    d.nodes = nodes;
    d.n_nodes = n;
    lab_ok(weft_attachment_create(s, &d, &id, &e), &e);
    return id;
}

double lab_order(int n, const double *h, const double *error)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < n; i++) {
        double x = log(h[i]), y = log(error[i]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}
