/* SPDX-License-Identifier: MIT */
/* Sheets that meet in empty space, whose momentum and angular momentum must stay; and a sheet that is hung up, with
 * default settings beside converged ones. */
#include "contact_scenes.h"
#include "contact_vec.h"

static weft_contact used_law = WEFT_CONTACT_COARSE;

void contact_use(weft_contact law)
{
    used_law = law;
}

weft_sim_def contact_sim_def(void)
{
    weft_sim_def d = weft_sim_def_default();
    d.contact = used_law;
    return d;
}

weft_sim_def contact_converged_def(void)
{
    weft_sim_def d = contact_sim_def();
    d.newton_tolerance *= 0.01;
    d.linear_tolerance *= 0.01;
    d.newton_limit = 1000;
    return d;
}

/* ---- momentum ---------------------------------------------------------------------------------------------------- */

enum { SPACE_SHEETS = 2 };

static const double space_size = 0.1;

/* A square about a point. */
static weft_result add_space_sheet(weft_sim *sim, double edge, weft_vec3 middle, weft_vec3 axis_u, weft_vec3 axis_v,
                                   weft_vec3 velocity, weft_cloth_id *out, weft_error *e)
{
    contact_mesh m;
    weft_fabric cotton;
    weft_result r = weft_fabric_find("cotton", &cotton, e);
    r = r < 0 ? r : contact_mesh_rectangle(&m, CONTACT_TRIANGLES, space_size, space_size, edge);
    if (r < 0)
        return r;
    contact_mesh_place(&m, cv_madd(middle, -0.5 * space_size, cv_add(axis_u, axis_v)), axis_u, axis_v);
    r = contact_mesh_weave(sim, &m, &cotton, velocity, out, e);
    contact_mesh_free(&m);
    return r;
}

/* Turns about z, with a wave across it. */
static weft_result set_spin(weft_sim *sim, weft_cloth_id cloth, weft_error *e)
{
    contact_nodes n;
    weft_result r = contact_nodes_read(&n, sim, cloth, e);
    for (int32_t k = 0; k < n.n; k++) {
        n.v[k] = cv_cross((weft_vec3){0, 0, 5}, n.x[k]);
        n.v[k].y += 0.1 * sin(60 * n.x[k].z);
    }
    r = r < 0 ? r : weft_cloth_set_velocities(sim, cloth, n.v, n.n, e);
    contact_nodes_free(&n);
    return r;
}

/* One lies still in its own plane and flies up; the other comes down on it with a slanting edge, off the middle. */
static weft_result add_space_sheets(weft_sim *sim, const contact_sums_def *def, weft_cloth_id *out, weft_error *e)
{
    const weft_vec3 x = {1, 0, 0}, down = {0, 0, -1}, zero = {0, 0, 0};
    const weft_vec3 steep = {0.5, sqrt(0.75), 0}, along = {0, 0, 1};
    weft_vec3 above = {0.04, 5e-3 + 0.5 * space_size * steep.y, 0.013};
    weft_result r = add_space_sheet(sim, def->edge, zero, x, down, (weft_vec3){0, def->alone ? 0 : 1, 0}, &out[0], e);
    if (def->alone)
        return r < 0 ? r : set_spin(sim, out[0], e);
    return r < 0 ? r : add_space_sheet(sim, def->edge, above, steep, along, (weft_vec3){0, -1, 0}, &out[1], e);
}

typedef struct space_total {
    weft_vec3 momentum, angular;
    double momentum_size, angular_size, energy;
} space_total;

/* About the origin. */
static void add_to_total(space_total *t, const contact_nodes *n)
{
    for (int32_t k = 0; k < n->n; k++) {
        t->momentum = cv_madd(t->momentum, n->mass[k], n->v[k]);
        t->angular = cv_madd(t->angular, n->mass[k], cv_cross(n->x[k], n->v[k]));
        t->momentum_size += n->mass[k] * cv_length(n->v[k]);
        t->angular_size += n->mass[k] * cv_length(n->x[k]) * cv_length(n->v[k]);
        t->energy += 0.5 * n->mass[k] * cv_dot(n->v[k], n->v[k]);
    }
}

static weft_result total_of(const weft_sim *sim, const weft_cloth_id *cloths, int count, space_total *out,
                            weft_error *e)
{
    weft_result r = WEFT_OK;
    *out = (space_total){0};
    for (int i = 0; i < count && r >= 0; i++) {
        contact_nodes n;
        r = contact_nodes_read(&n, sim, cloths[i], e);
        add_to_total(out, &n);
        contact_nodes_free(&n);
    }
    return r;
}

static double momentum_change(const space_total *a, const space_total *b, const space_total *start)
{
    return cv_length(cv_sub(b->momentum, a->momentum)) / start->momentum_size;
}

static double angular_change(const space_total *a, const space_total *b, const space_total *start)
{
    return cv_length(cv_sub(b->angular, a->angular)) / start->angular_size;
}

static weft_result follow_sums(weft_sim *sim, const weft_cloth_id *cloths, const contact_sums_def *def,
                               contact_sums *out, weft_error *e)
{
    int count = def->alone ? 1 : SPACE_SHEETS;
    space_total start, last, now;
    weft_result r = total_of(sim, cloths, count, &start, e);
    last = now = start;
    for (int k = 0; k < lround(def->seconds / def->h) && r >= 0; k++) {
        weft_step_stats st = {0};
        r = weft_sim_step(sim, def->h, &st, e);
        r = r < 0 ? r : total_of(sim, cloths, count, &now, e);
        out->momentum = fmax(out->momentum, momentum_change(&last, &now, &start));
        out->angular = fmax(out->angular, angular_change(&last, &now, &start));
        out->touched += st.pairs > 0 || st.hits > 0;
        last = now;
    }
    out->momentum_all = momentum_change(&start, &now, &start);
    out->angular_all = angular_change(&start, &now, &start);
    out->energy = now.energy / start.energy;
    return r;
}

weft_result contact_sums_run(const contact_sums_def *def, contact_sums *out, weft_error *e)
{
    weft_sim *sim = NULL;
    weft_cloth_id cloths[SPACE_SHEETS];
    weft_sim_def d = def->converged ? contact_converged_def() : contact_sim_def();
    *out = (contact_sums){0};
    *e = (weft_error){.text = "out of memory"};
    d.gravity = (weft_vec3){0, 0, 0};
    d.air_density = 0;
    d.n_threads = def->n_threads;
    weft_result r = weft_sim_create(&d, &sim, e);
    r = r < 0 ? r : add_space_sheets(sim, def, cloths, e);
    r = r < 0 ? r : follow_sums(sim, cloths, def, out, e);
    weft_sim_destroy(sim);
    return r;
}

/* ---- the swag ---------------------------------------------------------------------------------------------------- */

static weft_result hang_swag(weft_sim *sim, double edge, weft_cloth_id *out, weft_error *e)
{
    contact_mesh m;
    weft_fabric cotton;
    weft_attachment_id id;
    weft_attachment_def a = weft_attachment_def_default();
    weft_result r = weft_fabric_find("cotton", &cotton, e);
    r = r < 0 ? r : contact_mesh_rectangle(&m, CONTACT_QUADS, 0.5, 0.5, edge);
    if (r < 0)
        return r;
    contact_mesh_place(&m, (weft_vec3){0, 0, 0}, (weft_vec3){1, 0, 0}, (weft_vec3){0, 0, -1});
    r = contact_mesh_weave(sim, &m, &cotton, (weft_vec3){0, 0, 0}, out, e);
    const int32_t held[3] = {0, m.n_u / 2, m.n_u - 1};
    a.cloth = *out;
    a.nodes = held;
    a.n_nodes = 3;
    r = r < 0 ? r : weft_attachment_create(sim, &a, &id, e);
    contact_mesh_free(&m);
    return r;
}

static weft_result swag_end(const weft_sim_def *d, double edge, double h, double seconds, contact_nodes *start,
                            contact_nodes *end, int32_t *unsolved, weft_error *e)
{
    weft_sim *sim = NULL;
    weft_cloth_id cloth;
    weft_result r = weft_sim_create(d, &sim, e);
    r = r < 0 ? r : hang_swag(sim, edge, &cloth, e);
    r = r < 0 ? r : contact_nodes_read(start, sim, cloth, e);
    for (int k = 0; k < lround(seconds / h) && r >= 0; k++) {
        r = weft_sim_step(sim, h, NULL, e);
        *unsolved += r == WEFT_WARNING_NOT_CONVERGED;
    }
    r = r < 0 ? r : contact_nodes_read(end, sim, cloth, e);
    weft_sim_destroy(sim);
    return r;
}

weft_result contact_swag_compare(double edge, double h, double seconds, int32_t n_threads, contact_apart *out,
                                 weft_error *e)
{
    contact_nodes start[2] = {0}, end[2] = {0};
    weft_sim_def plain = contact_sim_def(), tight = contact_converged_def();
    int32_t unsolved = 0;
    plain.n_threads = tight.n_threads = n_threads;
    *out = (contact_apart){0};
    *e = (weft_error){.text = "out of memory"};
    weft_result r = swag_end(&plain, edge, h, seconds, &start[0], &end[0], &unsolved, e);
    r = r < 0 ? r : swag_end(&tight, edge, h, seconds, &start[1], &end[1], &out->unsolved, e);
    for (int32_t k = 0; r >= 0 && k < end[0].n; k++) {
        out->most = fmax(out->most, cv_length(cv_sub(end[0].x[k], end[1].x[k])));
        out->way = fmax(out->way, cv_length(cv_sub(end[1].x[k], start[1].x[k])));
    }
    for (int k = 0; k < 2; k++) {
        contact_nodes_free(&start[k]);
        contact_nodes_free(&end[k]);
    }
    return r;
}
