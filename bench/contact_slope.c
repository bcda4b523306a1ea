/* SPDX-License-Identifier: MIT */
/* A sheet on a slope that goes down along x: it slides by Coulomb's law, g (sin a − k_f cos a), or stays. */
#include "contact_scenes.h"
#include "contact_vec.h"

#include <stdlib.h>

static const double sheet_size = 0.12, mesh_edge = 0.025, cloth_edge = 0.02; /* m */
static const double fit_from = 0.1, fit_to = 0.4;                            /* s */

/* The slope's axes. */
typedef struct slope_frame {
    weft_vec3 down, up, across; /* across: z */
    double above;               /* of the sheet, m */
    double begin, end;          /* of the surface, along down, m */
} slope_frame;

static slope_frame slope_frame_of(const contact_slope_def *def)
{
    double c = 1 / sqrt(1 + def->tangent * def->tangent), s = def->tangent * c;
    return (slope_frame){.down = {c, -s, 0},
                         .up = {s, c, 0},
                         .across = {0, 0, 1},
                         .begin = -2 * sheet_size,
                         .end = def->way + 2 * sheet_size};
}

static weft_result slope_fabric(const contact_slope_def *def, weft_fabric *out, weft_error *e)
{
    weft_result r = weft_fabric_find(def->fabric, out, e);
    out->friction = def->friction;
    if (def->undamped)
        out->damping_stretch = out->damping_bending = 0;
    return r;
}

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */

static weft_result add_solid_slope(contact_slope *s, const contact_slope_def *def, weft_collider_kind kind,
                                   const slope_frame *f, weft_error *e)
{
    weft_collider_id id;
    weft_collider_def d = weft_collider_def_default();
    double half = 0.5 * atan(def->tangent);
    d.kind = kind;
    d.rotation = (weft_quat){0, 0, -sin(half), cos(half)};
    if (kind == WEFT_COLLIDER_BOX) {
        d.size = (weft_vec3){f->end - f->begin, 0.1, 6 * sheet_size};
        d.position = cv_madd(cv_scale(0.5 * (f->begin + f->end), f->down), -0.05, f->up);
    }
    return weft_collider_create(s->sim, &d, &id, e);
}

/* A rectangle on the slope, `above` it; v goes down. */
static weft_result slope_rectangle(contact_mesh *m, contact_weave weave, double edge, double above,
                                   const slope_frame *f)
{
    double width = 3 * sheet_size;
    weft_result r = contact_mesh_rectangle(m, weave, width, f->end - f->begin, edge);
    weft_vec3 origin = cv_madd(cv_madd(cv_scale(f->begin, f->down), -0.5 * width, f->across), above, f->up);
    if (r >= 0)
        contact_mesh_place(m, origin, f->across, f->down);
    return r;
}

static weft_result add_mesh_slope(contact_slope *s, contact_weave weave, const slope_frame *f, weft_error *e)
{
    contact_mesh m;
    weft_collider_id id;
    weft_result r = slope_rectangle(&m, weave, mesh_edge, 0, f);
    r = r < 0 ? r : contact_mesh_collide(s->sim, &m, &id, e);
    contact_mesh_free(&m);
    return r;
}

/* Its first n nodes. */
static weft_result pin_first(weft_sim *sim, weft_cloth_id cloth, int32_t n, weft_error *e)
{
    weft_attachment_id id;
    weft_attachment_def a = weft_attachment_def_default();
    int32_t *nodes = malloc((size_t)n * sizeof *nodes);
    if (!nodes)
        return WEFT_ERROR_MEMORY;
    for (int32_t k = 0; k < n; k++)
        nodes[k] = k;
    a.cloth = cloth;
    a.nodes = nodes;
    a.n_nodes = n;
    weft_result r = weft_attachment_create(sim, &a, &id, e);
    free(nodes);
    return r;
}

static weft_result add_cloth_slope(contact_slope *s, const weft_fabric *fabric, bool all, double above,
                                   const slope_frame *f, weft_error *e)
{
    contact_mesh m;
    weft_cloth_id id;
    weft_result r = slope_rectangle(&m, CONTACT_QUADS, cloth_edge, above, f);
    r = r < 0 ? r : contact_mesh_weave(s->sim, &m, fabric, (weft_vec3){0, 0, 0}, &id, e);
    r = r < 0 ? r : pin_first(s->sim, id, all ? m.n_nodes : m.n_u, e);
    contact_mesh_free(&m);
    return r;
}

/* Also sets how far above the slope the sheet begins. */
static weft_result add_slope(contact_slope *s, const contact_slope_def *def, const weft_fabric *fabric, slope_frame *f,
                             weft_error *e)
{
    double apart = fabric->thickness + 1e-6;
    f->above = apart;
    switch (def->surface) {
    case CONTACT_ON_BOX: return add_solid_slope(s, def, WEFT_COLLIDER_BOX, f, e);
    case CONTACT_ON_MESH: return add_mesh_slope(s, CONTACT_TRIANGLES, f, e);
    case CONTACT_ON_IRREGULAR_MESH: return add_mesh_slope(s, CONTACT_IRREGULAR, f, e);
    case CONTACT_ON_PINNED_CLOTH: return add_cloth_slope(s, fabric, true, 0, f, e);
    case CONTACT_ON_HUNG_CLOTH: {
        f->above = 2 * apart;
        weft_result r = add_solid_slope(s, def, WEFT_COLLIDER_PLANE, f, e);
        return r < 0 ? r : add_cloth_slope(s, fabric, false, apart, f, e);
    }
    default: return add_solid_slope(s, def, WEFT_COLLIDER_PLANE, f, e);
    }
}

/* ---- the sheet --------------------------------------------------------------------------------------------------- */

static weft_result add_sliding_sheet(contact_slope *s, const contact_slope_def *def, const weft_fabric *fabric,
                                     const slope_frame *f, weft_error *e)
{
    contact_mesh m;
    double c = cos(def->turn), t = sin(def->turn), half = 0.5 * sheet_size;
    weft_vec3 axis_u = cv_madd(cv_scale(c, f->down), -t, f->across);
    weft_vec3 axis_v = cv_madd(cv_scale(-t, f->down), -c, f->across);
    weft_vec3 corner = cv_madd(cv_scale(f->above, f->up), -half, cv_add(axis_u, axis_v));
    weft_result r = contact_mesh_rectangle(&m, def->weave, sheet_size, sheet_size, def->edge);
    if (r >= 0)
        contact_mesh_place(&m, corner, axis_u, axis_v);
    r = r < 0 ? r : contact_mesh_weave(s->sim, &m, fabric, cv_scale(def->speed, f->down), &s->sheet, e);
    contact_mesh_free(&m);
    return r;
}

static weft_result slope_steps(const contact_slope *s, double h, double seconds, int32_t *unsolved, weft_error *e)
{
    weft_result r = WEFT_OK;
    for (int k = 0; k < lround(seconds / h) && r >= 0; k++) {
        r = weft_sim_step(s->sim, h, NULL, e);
        *unsolved += r == WEFT_WARNING_NOT_CONVERGED;
    }
    return r;
}

static weft_result set_sheet_velocity(contact_slope *s, weft_vec3 velocity, weft_error *e)
{
    contact_nodes n;
    weft_result r = contact_nodes_read(&n, s->sim, s->sheet, e);
    for (int32_t k = 0; k < n.n; k++)
        n.v[k] = velocity;
    r = r < 0 ? r : weft_cloth_set_velocities(s->sim, s->sheet, n.v, n.n, e);
    contact_nodes_free(&n);
    return r;
}

/* Weight across the slope for some time, then as it is. */
static weft_result settle_sheet(contact_slope *s, const contact_slope_def *def, const slope_frame *f, weft_error *e)
{
    const weft_vec3 gravity = {0, -CONTACT_GRAVITY, 0};
    int32_t unsolved = 0;
    weft_result r = set_sheet_velocity(s, (weft_vec3){0, 0, 0}, e);
    r = r < 0 ? r : weft_sim_set_gravity(s->sim, cv_scale(cv_dot(gravity, f->up), f->up), e);
    r = r < 0 ? r : slope_steps(s, def->h, def->settle, &unsolved, e);
    r = r < 0 ? r : weft_sim_set_gravity(s->sim, gravity, e);
    return r < 0 ? r : set_sheet_velocity(s, cv_scale(def->speed, f->down), e);
}

weft_result contact_slope_create(contact_slope *out, const contact_slope_def *def, weft_error *e)
{
    weft_fabric fabric;
    weft_sim_def d = def->sim ? *def->sim : contact_sim_def();
    slope_frame f = slope_frame_of(def);
    *out = (contact_slope){.down = f.down};
    *e = (weft_error){.text = "out of memory"};
    if (def->undamped)
        d.air_density = 0;
    weft_result r = slope_fabric(def, &fabric, e);
    r = r < 0 ? r : weft_sim_create(&d, &out->sim, e);
    r = r < 0 ? r : add_slope(out, def, &fabric, &f, e);
    r = r < 0 ? r : add_sliding_sheet(out, def, &fabric, &f, e);
    r = r < 0 || !(def->settle > 0) ? r : settle_sheet(out, def, &f, e);
    if (r < 0)
        contact_slope_destroy(out);
    return r;
}

void contact_slope_destroy(contact_slope *s)
{
    weft_sim_destroy(s->sim);
    *s = (contact_slope){0};
}

/* ---- measured ---------------------------------------------------------------------------------------------------- */

double contact_slide_known(const contact_slope_def *def)
{
    return CONTACT_GRAVITY * (def->tangent - def->friction) / sqrt(1 + def->tangent * def->tangent);
}

/* How far down the centre of mass is, m. */
static weft_result centre_down(const contact_slope *s, double *out, weft_error *e)
{
    contact_nodes n;
    double sum = 0, mass = 0;
    weft_result r = contact_nodes_read(&n, s->sim, s->sheet, e);
    for (int32_t k = 0; k < n.n; k++) {
        sum += n.mass[k] * cv_dot(n.x[k], s->down);
        mass += n.mass[k];
    }
    *out = sum / mass;
    contact_nodes_free(&n);
    return r;
}

/* The parabola nearest to n places, h apart: its acceleration, and its speed at the last. With time from the middle on,
 * 1, t and t² − mean of t² are orthogonal. */
static void fit_parabola(const double *x, int n, double h, contact_slide *out)
{
    double tt = 0, tx = 0, qq = 0, qx = 0;
    for (int k = 0; k < n; k++) {
        double t = h * (k - 0.5 * (n - 1));
        tt += t * t;
        tx += t * x[k];
    }
    for (int k = 0; k < n; k++) {
        double t = h * (k - 0.5 * (n - 1)), q = t * t - tt / n;
        qq += q * q;
        qx += q * x[k];
    }
    out->acceleration = 2 * qx / qq;
    out->speed = tx / tt + out->acceleration * 0.5 * h * (n - 1);
}

weft_result contact_slide_run(const contact_slope_def *def, contact_slide *out, weft_error *e)
{
    contact_slope s;
    int first = (int)lround(fit_from / def->h), last = (int)lround(fit_to / def->h);
    double *x = malloc((size_t)(last + 1) * sizeof *x);
    weft_result r = contact_slope_create(&s, def, e);
    r = r >= 0 && !x ? WEFT_ERROR_MEMORY : r;
    for (int k = 1; k <= last && r >= 0; k++) {
        r = weft_sim_step(s.sim, def->h, NULL, e);
        r = r < 0 ? r : centre_down(&s, &x[k], e);
    }
    *out = (contact_slide){.known = contact_slide_known(def)};
    out->known_speed = def->speed + out->known * last * def->h;
    if (r >= 0)
        fit_parabola(x + first, last - first + 1, def->h, out);
    contact_slope_destroy(&s);
    free(x);
    return r;
}

static contact_creep way_between(const contact_nodes *a, const contact_nodes *b, weft_vec3 down)
{
    contact_creep c = {0};
    for (int32_t k = 0; k < a->n; k++) {
        weft_vec3 way = cv_sub(b->x[k], a->x[k]);
        c.mean += cv_dot(way, down) / a->n;
        c.most = fmax(c.most, cv_length(way));
    }
    return c;
}

weft_result contact_creep_run(const contact_slope_def *def, double seconds, contact_creep *out, weft_error *e)
{
    contact_slope s;
    contact_nodes a = {0}, b = {0};
    int32_t unsolved = 0;
    weft_result r = contact_slope_create(&s, def, e);
    r = r < 0 ? r : slope_steps(&s, def->h, 1, &unsolved, e);
    r = r < 0 ? r : contact_nodes_read(&a, s.sim, s.sheet, e);
    r = r < 0 ? r : slope_steps(&s, def->h, seconds, &unsolved, e);
    r = r < 0 ? r : contact_nodes_read(&b, s.sim, s.sheet, e);
    if (r >= 0)
        *out = way_between(&a, &b, s.down);
    contact_nodes_free(&a);
    contact_nodes_free(&b);
    contact_slope_destroy(&s);
    return r;
}

/* Where the sheet is after some time; counts steps that did not converge. */
static weft_result slope_end(const contact_slope_def *def, double seconds, contact_nodes *start, contact_nodes *end,
                             int32_t *unsolved, weft_error *e)
{
    contact_slope s;
    weft_result r = contact_slope_create(&s, def, e);
    r = r < 0 ? r : contact_nodes_read(start, s.sim, s.sheet, e);
    r = r < 0 ? r : slope_steps(&s, def->h, seconds, unsolved, e);
    r = r < 0 ? r : contact_nodes_read(end, s.sim, s.sheet, e);
    contact_slope_destroy(&s);
    return r;
}

weft_result contact_slope_compare(const contact_slope_def *def, double seconds, contact_apart *out, weft_error *e)
{
    contact_nodes start[2] = {0}, end[2] = {0};
    contact_slope_def tight = *def;
    weft_sim_def d = contact_converged_def();
    d.n_threads = def->sim ? def->sim->n_threads : d.n_threads;
    tight.sim = &d;
    int32_t unsolved = 0;
    *out = (contact_apart){0};
    weft_result r = slope_end(def, seconds, &start[0], &end[0], &unsolved, e);
    r = r < 0 ? r : slope_end(&tight, seconds, &start[1], &end[1], &out->unsolved, e);
    if (r >= 0) {
        out->most = way_between(&end[0], &end[1], (weft_vec3){0, 0, 0}).most;
        out->way = way_between(&start[1], &end[1], (weft_vec3){0, 0, 0}).most;
    }
    for (int k = 0; k < 2; k++) {
        contact_nodes_free(&start[k]);
        contact_nodes_free(&end[k]);
    }
    return r;
}
