/* SPDX-License-Identifier: MIT */
/* A strip drawn over a cylinder that lies along z. Where it slides, the tension grows by exp(k_f · angle), whatever the
 * strip's stiffness; without weight and slowly, so that nothing else acts. A chain of segments that turn by θ has
 * (1 + k_f tan ½θ)/(1 − k_f tan ½θ) each: with 10 mm on 50 mm that is off by less than a thousandth. */
#include "contact_scenes.h"
#include "contact_vec.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double drum = 0.05, strip_width = 0.02, strip_leg = 0.06; /* m */
static const double strip_load = 0.1, pull_speed = 2e-3;               /* N, m/s */
static const double draw_seconds = 4, draw_from = 3;

/* What pulls at the free end. */
typedef struct strip_pull {
    int32_t first, n; /* nodes of the end */
} strip_pull;

static void pull_end(void *user, weft_cloth_id cloth, double time, int32_t n_nodes, const weft_vec3 *x,
                     const weft_vec3 *v, const double *masses, weft_vec3 *forces)
{
    const strip_pull *p = user;
    (void)cloth, (void)time, (void)n_nodes, (void)x, (void)v, (void)masses;
    for (int32_t k = 0; k < p->n; k++)
        forces[p->first + k].y -= strip_load / (p->n - 1) * (k == 0 || k == p->n - 1 ? 0.5 : 1);
}

/* Up, round and down: the place at length s, on a circle of radius r. */
static weft_vec3 strip_place(double s, double r)
{
    double turn = (s - strip_leg) / r;
    if (turn <= 0)
        return (weft_vec3){-r, s - strip_leg, 0};
    if (turn >= pi)
        return (weft_vec3){r, -(s - strip_leg - pi * r), 0};
    return (weft_vec3){-r * cos(turn), r * sin(turn), 0};
}

static weft_result add_drum(weft_sim *sim, bool is_mesh, weft_error *e)
{
    weft_collider_id id;
    weft_collider_def d = weft_collider_def_default();
    contact_mesh m = {0};
    d.kind = WEFT_COLLIDER_CYLINDER;
    d.radius = drum;
    d.height = 3 * strip_width;
    d.rotation = (weft_quat){sqrt(0.5), 0, 0, sqrt(0.5)};
    if (!is_mesh)
        return weft_collider_create(sim, &d, &id, e);
    weft_result r = contact_mesh_tube(&m, drum, d.height, 64, 0.01);
    r = r < 0 ? r : contact_mesh_collide(sim, &m, &id, e);
    contact_mesh_free(&m);
    return r;
}

/* Segments keep the thickness, too. */
static weft_result make_strip(contact_mesh *m, const contact_capstan_def *def, double thickness)
{
    double r = (drum + thickness) / cos(0.5 * def->edge / drum) + 1e-5;
    weft_result result = contact_mesh_rectangle(m, CONTACT_QUADS, strip_width, 2 * strip_leg + pi * r, def->edge);
    for (int32_t k = 0; k < m->n_nodes; k++) {
        m->x[k] = strip_place(m->uv[k].v, r);
        m->x[k].z = m->uv[k].u - 0.5 * strip_width;
    }
    return result;
}

static weft_result draw_by_pins(weft_sim *sim, weft_cloth_id strip, int32_t n, weft_attachment_id *out, weft_error *e)
{
    int32_t nodes[64];
    const weft_key keys[2] = {{.time = 0, .rotation = {0, 0, 0, 1}},
                              {.time = 100, .position = {0, -100 * pull_speed, 0}, .rotation = {0, 0, 0, 1}}};
    weft_attachment_def a = weft_attachment_def_default();
    for (int32_t k = 0; k < n; k++)
        nodes[k] = k;
    a.cloth = strip;
    a.nodes = nodes;
    a.n_nodes = n;
    a.keys = keys;
    a.n_keys = 2;
    return weft_attachment_create(sim, &a, out, e);
}

static weft_result draw_strip(weft_sim *sim, weft_attachment_id pins, double h, contact_capstan *out, weft_error *e)
{
    weft_result r = WEFT_OK;
    int n = 0, last = (int)lround(draw_seconds / h), first = (int)lround(draw_from / h);
    out->least = HUGE_VAL;
    for (int k = 1; k <= last && r >= 0; k++) {
        weft_vec3 f = {0, 0, 0};
        r = weft_sim_step(sim, h, NULL, e);
        r = r < 0 ? r : weft_attachment_get_force(sim, pins, &f, NULL, 0, e);
        if (k <= first || r < 0)
            continue;
        out->hold += f.y;
        out->least = fmin(out->least, f.y);
        out->most = fmax(out->most, f.y);
        n++;
    }
    out->hold /= fmax(1, n);
    return r;
}

weft_result contact_capstan_run(const contact_capstan_def *def, contact_capstan *out, weft_error *e)
{
    weft_sim *sim = NULL;
    weft_cloth_id strip;
    weft_attachment_id pins;
    weft_fabric cotton;
    contact_mesh m = {0};
    weft_sim_def d = contact_sim_def();
    strip_pull pull;
    *out = (contact_capstan){.load = strip_load, .known = exp(def->friction * pi)};
    *e = (weft_error){.text = "out of memory"};
    d.gravity = (weft_vec3){0, 0, 0};
    d.n_threads = def->n_threads;
    d.force = pull_end;
    d.force_user = &pull;
    weft_result r = weft_fabric_find("cotton", &cotton, e);
    cotton.friction = def->friction;
    r = r < 0 ? r : make_strip(&m, def, cotton.thickness);
    pull = (strip_pull){.first = m.n_nodes - m.n_u, .n = m.n_u};
    r = r < 0 ? r : weft_sim_create(&d, &sim, e);
    r = r < 0 ? r : add_drum(sim, def->is_mesh, e);
    r = r < 0 ? r : contact_mesh_weave(sim, &m, &cotton, (weft_vec3){0, 0, 0}, &strip, e);
    r = r < 0 ? r : draw_by_pins(sim, strip, m.n_u, &pins, e);
    r = r < 0 ? r : draw_strip(sim, pins, def->h, out, e);
    out->ratio = out->hold / out->load;
    weft_sim_destroy(sim);
    contact_mesh_free(&m);
    return r;
}
