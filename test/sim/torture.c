/* SPDX-License-Identifier: MIT */
#include "sim/torture_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/trig.h"

static const weft_quat upright = {0, 0, 0, 1};

const char *const torture_names[TORTURE_SCENES] = {"ribbon", "sheets", "mat", "funnel", "pinch", "bullet", "stack"};

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* Nodes along a side, for a full number of them; odd, so that there is a middle. */
static int32_t nodes_of(const torture_options *o, int32_t full)
{
    double size = (o->size > 0 ? o->size : 1) * (o->adaptive ? 0.5 : 1);
    int32_t half = (int32_t)(0.5 * size * (full - 1) + 0.5);
    return 2 * (half > 1 ? half : 1) + 1;
}

static weft_result cotton_of(const torture_options *o, weft_fabric *out, weft_error *e)
{
    weft_result r = weft_fabric_find("cotton", out, e);
    if (o->thickness >= 0)
        out->thickness = o->thickness;
    return r;
}

/* n_warp, n_weft: nodes of the full size. */
weft_result torture_add_cloth(torture *t, const torture_options *o, weft_grid_def g, weft_error *e)
{
    weft_fabric cotton;
    weft_result r = cotton_of(o, &cotton, e);
    t->thickness = cotton.thickness;
    g.n_warp = t->n_warp = nodes_of(o, g.n_warp);
    g.n_weft = t->n_weft = nodes_of(o, g.n_weft);
    t->width = g.size_warp;
    t->length = g.size_weft;
    g.model.fabrics = &cotton;
    g.model.n_fabrics = 1;
    if (o->adaptive) {
        g.model.adapt = weft_adapt_default();
        g.model.adapt.max_level = 1;
    }
    return r < 0 ? r : weft_cloth_create_grid(t->sim, &g, &t->cloths[t->n_cloths++], e);
}

/* A square sheet that lies level, its middle at `centre`, turned about the vertical by an angle. */
weft_result torture_add_level(torture *t, const torture_options *o, int32_t n, double side, weft_vec3 centre,
                              double angle, weft_error *e)
{
    double c = weft_cos(angle), s = weft_sin(angle), half = 0.5 * side;
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = n;
    g.size_warp = g.size_weft = side;
    g.axis_warp = (weft_vec3){c, 0, s};
    g.axis_weft = (weft_vec3){s, 0, -c};
    g.corner = (weft_vec3){centre.x - half * (c + s), centre.y, centre.z - half * (s - c)};
    return torture_add_cloth(t, o, g, e);
}

/* A square sheet that stands in the plane x = 0, its lower side at y. */
static weft_result add_standing(torture *t, const torture_options *o, int32_t n, double side, double y, weft_error *e)
{
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = n;
    g.size_warp = g.size_weft = side;
    g.corner = (weft_vec3){0, y, -0.5 * side};
    g.axis_warp = (weft_vec3){0, 0, 1};
    g.axis_weft = (weft_vec3){0, 1, 0};
    return torture_add_cloth(t, o, g, e);
}

weft_result torture_add_collider(torture *t, const weft_collider_def *d, weft_error *e)
{
    weft_collider_def *kept = &t->solids[t->n_colliders];
    *kept = *d;
    kept->keys = NULL;
    kept->n_keys = 0;
    kept->vertices = NULL;
    kept->triangles = NULL;
    return weft_collider_create(t->sim, d, &t->colliders[t->n_colliders++], e);
}

static weft_result add_ground(torture *t, double y, weft_error *e)
{
    weft_collider_def d = weft_collider_def_default();
    d.position.y = y;
    return torture_add_collider(t, &d, e);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

enum { RINGS = 40 };

/* A surface round the y axis: rings of given radius and height, upwards; with tips it is closed. */
typedef struct profile {
    int32_t n_rings, n_round;
    double radius[RINGS], y[RINGS];
    bool closed;
    double tip[2]; /* height of the lower and the upper one */
} profile;

static void add_ring(profile *p, double radius, double y)
{
    p->radius[p->n_rings] = radius;
    p->y[p->n_rings++] = y;
}

static void place_vertices(const profile *p, weft_vec3 *x)
{
    int32_t n = p->n_rings * p->n_round;
    for (int32_t k = 0; k < n; k++) {
        double a = 2 * WEFT_PI * (k % p->n_round) / p->n_round, r = p->radius[k / p->n_round];
        x[k] = (weft_vec3){r * weft_cos(a), p->y[k / p->n_round], r * weft_sin(a)};
    }
    x[n] = (weft_vec3){0, p->tip[0], 0};
    x[n + 1] = (weft_vec3){0, p->tip[1], 0};
}

static int32_t join_rings(const profile *p, int32_t (*t)[3])
{
    int32_t n = p->n_rings * p->n_round, top = n - p->n_round, made = 0;
    for (int32_t k = 0; k < n; k++) {
        int32_t next = k % p->n_round == p->n_round - 1 ? k + 1 - p->n_round : k + 1;
        if (k < top) {
            memcpy(t[made++], (int32_t[3]){k, k + p->n_round, next}, sizeof *t);
            memcpy(t[made++], (int32_t[3]){next, k + p->n_round, next + p->n_round}, sizeof *t);
        }
        if (p->closed && k < p->n_round)
            memcpy(t[made++], (int32_t[3]){k, next, n}, sizeof *t);
        if (p->closed && k >= top)
            memcpy(t[made++], (int32_t[3]){k, n + 1, next}, sizeof *t);
    }
    return made;
}

static weft_result add_revolved(torture *t, const profile *p, weft_collider_def d, weft_error *e)
{
    size_t n = (size_t)(p->n_rings * p->n_round);
    weft_vec3 *x = malloc(sizeof *x * (n + 2));
    int32_t(*triangles)[3] = malloc(sizeof *triangles * 2 * n);
    weft_result r = WEFT_ERROR_MEMORY;
    if (x && triangles) {
        place_vertices(p, x);
        d.kind = WEFT_COLLIDER_MESH;
        d.vertices = x;
        d.n_vertices = (int32_t)n + (p->closed ? 2 : 0);
        d.triangles = triangles[0];
        d.n_triangles = join_rings(p, triangles);
        r = torture_add_collider(t, &d, e);
    }
    free(x);
    free(triangles);
    return r;
}

/* At a place, or moved by keys. */
static weft_result add_sphere(torture *t, const torture_options *o, double radius, weft_vec3 centre,
                              const weft_key *keys, int32_t n_keys, weft_error *e)
{
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_SPHERE;
    d.radius = radius;
    d.position = centre;
    d.keys = keys;
    d.n_keys = n_keys;
    if (!o->meshes)
        return torture_add_collider(t, &d, e);
    profile p = {.n_round = 48, .closed = true, .tip = {-radius, radius}};
    for (int k = 1; k < 24; k++)
        add_ring(&p, radius * weft_sin(WEFT_PI * k / 24), -radius * weft_cos(WEFT_PI * k / 24));
    return add_revolved(t, &p, d, e);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* A hundredth askew: one that stands perfectly upright does not know which way to fall. */
static weft_result make_ribbon(torture *t, const torture_options *o, weft_error *e)
{
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = 11;
    g.n_weft = 201;
    g.size_warp = 0.1;
    g.size_weft = 2;
    g.corner = (weft_vec3){-0.05, 0.02, 0};
    g.axis_weft = (weft_vec3){0, 1, 0.01};
    weft_result r = add_ground(t, 0, e);
    t->pull = 6;
    t->seconds = 12;
    return r < 0 ? r : torture_add_cloth(t, o, g, e);
}

/* From where it lies by 2.3 m at 0.5 m/s, then it hangs. */
static weft_result pull_ribbon(torture *t, weft_error *e)
{
    double now = weft_sim_time(t->sim);
    weft_key keys[2] = {{now, {0, 0, 0}, upright}, {now + 4.6, {0, 2.3, 0}, upright}};
    int32_t nodes[64];
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    for (int32_t i = 0; i < t->n_warp && i < 64; i++)
        nodes[i] = i + t->n_warp * (t->n_weft - 1);
    d.cloth = t->cloths[0];
    d.nodes = nodes;
    d.n_nodes = t->n_warp < 64 ? t->n_warp : 64;
    d.keys = keys;
    d.n_keys = 2;
    t->pull = -1;
    return weft_attachment_create(t->sim, &d, &id, e);
}

static weft_result make_sheets(torture *t, const torture_options *o, weft_error *e)
{
    weft_result r = add_sphere(t, o, 0.2, (weft_vec3){0, 0.25, 0}, NULL, 0, e);
    r = r < 0 ? r : add_ground(t, 0, e);
    for (int k = 0; k < 10 && r >= 0; k++)
        r = torture_add_level(t, o, 31, 0.6, (weft_vec3){0.004 * k, 0.47 + 0.02 * k, 0}, 0.16 * k, e);
    t->seconds = 2;
    return r;
}

/* A row across the mat, turned about its middle by quarters of a turn; both rows move inward meanwhile. */
static weft_result twist_row(torture *t, const torture_options *o, int32_t row, double sense, weft_error *e)
{
    enum { QUARTERS = 64 };
    static const double half = 0.70710678118654752440;
    static const weft_quat quarters[4] = {{0, 0, 0, 1}, {half, 0, 0, half}, {1, 0, 0, 0}, {half, 0, 0, -half}};
    weft_key keys[QUARTERS + 1];
    int32_t nodes[256], n = 0;
    double turns = 0.5 * (o->turns > 0 ? o->turns : 2);
    int32_t n_quarters = (int32_t)(4 * turns + 0.5);
    n_quarters = n_quarters > QUARTERS ? QUARTERS : n_quarters;
    double x = sense * 0.5 * t->length;
    for (int32_t k = 0; k <= n_quarters; k++) {
        weft_quat q = quarters[k % 4];
        q.x *= sense;
        keys[k] = (weft_key){0.75 * k, {x - 0.03 * sense * k, 0, 0}, q};
    }
    for (; n < t->n_warp && n < 256; n++)
        nodes[n] = n + t->n_warp * row;
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    d.cloth = t->cloths[0];
    d.nodes = nodes;
    d.n_nodes = n;
    d.keys = keys;
    d.n_keys = n_quarters + 1;
    t->seconds = 0.75 * n_quarters + 1;
    return weft_attachment_create(t->sim, &d, &id, e);
}

/* Weft along x, from -0.5 to 0.5 m. */
static weft_result make_mat(torture *t, const torture_options *o, weft_error *e)
{
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = 19;
    g.n_weft = 61;
    g.size_warp = 0.3;
    g.size_weft = 1;
    g.corner = (weft_vec3){-0.5, 0, -0.15};
    g.axis_warp = (weft_vec3){0, 0, 1};
    g.axis_weft = (weft_vec3){1, 0, 0};
    weft_result r = torture_add_cloth(t, o, g, e);
    r = r < 0 ? r : twist_row(t, o, 0, -1, e);
    return r < 0 ? r : twist_row(t, o, t->n_weft - 1, 1, e);
}

/* A cone from a radius of 0.36 m to one of 0.06 m, and a tube below it. */
static weft_result add_funnel(torture *t, weft_error *e)
{
    profile p = {.n_round = 48};
    for (int k = 0; k < 5; k++)
        add_ring(&p, 0.06, -0.2 + 0.05 * k);
    for (int k = 1; k <= 10; k++)
        add_ring(&p, 0.06 + 0.03 * k, 0.02 * k);
    weft_collider_def d = weft_collider_def_default();
    d.friction = 0.5;
    return add_revolved(t, &p, d, e);
}

static weft_result make_funnel(torture *t, const torture_options *o, weft_error *e)
{
    static const weft_key keys[3] = {
        {0, {0, 0.22, 0}, {0, 0, 0, 1}}, {0.4, {0, 0.22, 0}, {0, 0, 0, 1}}, {3.2, {0, -0.9, 0}, {0, 0, 0, 1}}};
    weft_result r = add_funnel(t, e);
    r = r < 0 ? r : torture_add_level(t, o, 41, 0.6, (weft_vec3){0, 0.22, 0}, 0.2, e);
    int32_t i = t->n_warp / 2, j = t->n_weft / 2, middle = i + t->n_warp * j;
    const int32_t nodes[5] = {middle, middle - 1, middle + 1, middle - t->n_warp, middle + t->n_warp};
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    d.cloth = t->cloths[0];
    d.nodes = nodes;
    d.n_nodes = 5;
    d.keys = keys;
    d.n_keys = 3;
    t->seconds = 3.5;
    return r < 0 ? r : weft_attachment_create(t->sim, &d, &id, e);
}

/* Between the spheres stays twice the thickness, once for either side, and 2 tenths of a millimetre. */
static weft_result make_pinch(torture *t, const torture_options *o, weft_error *e)
{
    weft_fabric cotton;
    weft_result r = cotton_of(o, &cotton, e);
    if (r < 0)
        return r;
    double radius = 0.1, near = radius + cotton.thickness + 1e-4, y = 0.2;
    weft_key left[4] = {{0, {-0.25, y, 0}, upright},
                        {0.5, {0.03 - near, y, 0}, upright},
                        {1, {0.03 - near, y, 0}, upright},
                        {1.5, {0.13 - near, y + 0.05, 0}, upright}};
    weft_key right[4] = {{0, {0.25, y, 0}, upright},
                         {0.5, {0.03 + near, y, 0}, upright},
                         {1, {0.03 + near, y, 0}, upright},
                         {1.5, {0.13 + near, y + 0.05, 0}, upright}};
    r = add_sphere(t, o, radius, left[0].position, left, 4, e);
    r = r < 0 ? r : add_sphere(t, o, radius, right[0].position, right, 4, e);
    r = r < 0 ? r : add_standing(t, o, 33, 0.4, 0, e);
    int32_t corners[2] = {t->n_warp * (t->n_weft - 1), t->n_warp * t->n_weft - 1};
    weft_attachment_def d = weft_attachment_def_default();
    weft_attachment_id id;
    d.cloth = t->cloths[0];
    d.nodes = corners;
    d.n_nodes = 2;
    t->seconds = 2;
    return r < 0 ? r : weft_attachment_create(t->sim, &d, &id, e);
}

/* From 0.1 s on; it meets the sheet after 0.4 m. */
static weft_result make_bullet(torture *t, const torture_options *o, weft_error *e)
{
    static const weft_key keys[2] = {{0.1, {-0.45, 0.25, 0.02}, {0, 0, 0, 1}},
                                     {0.1 + 1.0 / 60, {200.0 / 60 - 0.45, 0.25, 0.02}, {0, 0, 0, 1}}};
    weft_result r = add_sphere(t, o, 0.05, keys[0].position, keys, 2, e);
    t->seconds = 1;
    return r < 0 ? r : add_standing(t, o, 41, 0.5, 0.05, e);
}

static weft_result make_stack(torture *t, const torture_options *o, weft_error *e)
{
    weft_fabric cotton;
    weft_result r = cotton_of(o, &cotton, e);
    if (r < 0)
        return r;
    static const weft_key keys[6] = {{0.4, {0, -0.05, 0}, {0, 0, 0, 1}},    {0.7, {0.3, -0.05, 0}, {0, 0, 0, 1}},
                                     {1.0, {0, -0.05, 0.1}, {0, 0, 0, 1}},  {1.2, {-0.2, -0.05, 0}, {0, 0, 0, 1}},
                                     {1.5, {0, -0.05, -0.2}, {0, 0, 0, 1}}, {1.6, {0.05, -0.05, 0}, {0, 0, 0, 1}}};
    double apart = 5 * cotton.thickness > 0.005 ? 5 * cotton.thickness : 0.005;
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_BOX;
    d.size = (weft_vec3){0.8, 0.1, 0.8};
    d.keys = keys;
    d.n_keys = 6;
    r = torture_add_collider(t, &d, e);
    for (int k = 0; k < 5 && r >= 0; k++)
        r = torture_add_level(t, o, 31, 0.4, (weft_vec3){0.01 * k, apart * (k + 1), 0}, 0.1 * k, e);
    t->seconds = 2;
    return r;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static const torture_make makers[TORTURE_SCENES] = {make_ribbon, make_sheets, make_mat,  make_funnel,
                                                    make_pinch,  make_bullet, make_stack};

static torture_make find_maker(const char *name, const char **out)
{
    torture_make make = NULL;
    for (int i = 0; i < TORTURE_SCENES && !make; i++)
        if (strcmp(name, *out = torture_names[i]) == 0)
            make = makers[i];
    for (int i = 0; i < TORTURE_VIOLENT && !make; i++)
        if (strcmp(name, *out = torture_violent[i]) == 0)
            make = torture_violent_makers[i];
    return make;
}

weft_result torture_create(torture *out, const char *name, const torture_options *o, weft_error *e)
{
    weft_sim_def plain = weft_sim_def_default();
    *out = (torture){.h = o->h > 0 ? o->h : 1.0 / 60, .pull = -1};
    torture_make make = find_maker(name, &out->name);
    if (!make)
        return WEFT_ERROR_NOT_FOUND;
    weft_result r = weft_sim_create(o->sim ? o->sim : &plain, &out->sim, e);
    r = r < 0 ? r : make(out, o, e);
    if (r < 0)
        torture_destroy(out);
    return r;
}

weft_result torture_step(torture *t, weft_step_stats *stats, weft_error *e)
{
    bool due = t->pull >= 0 && weft_sim_time(t->sim) >= t->pull - 1e-9;
    weft_result r = due ? pull_ribbon(t, e) : WEFT_OK;
    return r < 0 ? r : weft_sim_step(t->sim, t->h, stats, e);
}

int32_t torture_n_steps(const torture *t)
{
    return (int32_t)(t->seconds / t->h + 0.5);
}

void torture_destroy(torture *t)
{
    weft_sim_destroy(t->sim);
    *t = (torture){.sim = NULL};
}

/* ---- the audit --------------------------------------------------------------------------------------------------- */

/* All triangles, those of cloths first; an object each. */
typedef struct soup {
    int32_t n_nodes, n_triangles, n_objects;
    weft_vec3 *x;
    int32_t (*triangles)[3], *object;
    bool is_mesh[TORTURE_CLOTHS + TORTURE_COLLIDERS];
    double thickness[TORTURE_CLOTHS + TORTURE_COLLIDERS];
} soup;

static void count_soup(const torture *t, soup *s, int32_t *n_nodes, int32_t *n_triangles)
{
    for (int32_t k = 0; k < t->n_cloths; k++) {
        weft_cloth_info info = {0};
        weft_cloth_get_info(t->sim, t->cloths[k], &info, NULL);
        n_nodes[k] = info.n_nodes;
        n_triangles[k] = info.n_triangles;
        s->thickness[k] = t->thickness;
    }
    for (int32_t k = 0; k < t->n_colliders; k++) {
        weft_collider_info info = {0};
        weft_collider_get_info(t->sim, t->colliders[k], &info, NULL);
        n_nodes[t->n_cloths + k] = info.n_vertices; /* 0 for solids */
        n_triangles[t->n_cloths + k] = info.n_triangles;
        s->is_mesh[t->n_cloths + k] = true;
    }
    s->n_objects = t->n_cloths + t->n_colliders;
    for (int32_t k = 0; k < s->n_objects; k++) {
        s->n_nodes += n_nodes[k];
        s->n_triangles += n_triangles[k];
    }
}

static weft_result fill_soup(const torture *t, soup *s, const int32_t *n_nodes, const int32_t *n_triangles,
                             weft_error *e)
{
    weft_result r = WEFT_OK;
    int32_t node = 0, n = 0;
    for (int32_t k = 0; k < s->n_objects && r >= 0; k++) {
        weft_vec3 *x = s->x + node;
        int32_t *corners = s->triangles[n], mesh = k - t->n_cloths;
        if (mesh < 0) {
            r = weft_cloth_get_positions(t->sim, t->cloths[k], x, n_nodes[k], 0, e);
            r = r < 0 ? r : weft_cloth_get_triangles(t->sim, t->cloths[k], corners, n_triangles[k], e);
        } else if (n_nodes[k] > 0) {
            r = weft_collider_get_vertices(t->sim, t->colliders[mesh], x, n_nodes[k], e);
            r = r < 0 ? r : weft_collider_get_triangles(t->sim, t->colliders[mesh], corners, n_triangles[k], e);
        }
        for (int32_t i = 0; i < n_triangles[k]; i++, n++) {
            s->object[n] = k;
            for (int c = 0; c < 3; c++)
                s->triangles[n][c] += node;
        }
        node += n_nodes[k];
    }
    return r;
}

/* Solids of these scenes turn about the vertical, if at all. */
static int32_t place_solids(const torture *t, weft_collider_def *out)
{
    int32_t n = 0;
    for (int32_t k = 0; k < t->n_colliders; k++) {
        if (t->solids[k].kind == WEFT_COLLIDER_MESH)
            continue;
        double turn[9];
        out[n] = t->solids[k];
        weft_collider_get_pose(t->sim, t->colliders[k], &out[n].position, turn, NULL);
        double half = 0.5 * weft_atan2(turn[2], turn[0]);
        out[n].rotation = (weft_quat){0, weft_sin(half), 0, weft_cos(half)};
        n++;
    }
    return n;
}

static weft_result judge(const torture *t, const soup *s, torture_found *out, weft_error *e)
{
    weft_collider_def solids[TORTURE_COLLIDERS];
    weft_audit *audit = NULL;
    weft_audit_def d = weft_audit_def_default();
    d.n_nodes = s->n_nodes;
    d.positions = s->x;
    d.n_triangles = s->n_triangles;
    d.triangles = s->triangles[0];
    d.objects = s->object;
    d.n_objects = s->n_objects;
    d.object_is_collider = s->is_mesh;
    d.thickness = s->thickness;
    d.n_colliders = place_solids(t, solids);
    d.colliders = d.n_colliders > 0 ? solids : NULL;
    weft_result r = weft_audit_create(&d, &audit, e);
    r = r < 0 ? r : weft_audit_run(audit, NULL, weft_sim_time(t->sim), e);
    if (r >= 0) {
        weft_audit_found found = weft_audit_get(audit);
        *out = (torture_found){.n_pairs = found.n_pairs, .n_near = found.n_near_triangles};
        if (found.n_pairs > 0)
            out->first = found.pairs[0];
        for (int i = 0; i < 2 && found.n_pairs > 0; i++)
            out->object[i] = s->object[found.pairs[0].triangle[i]];
    }
    weft_audit_destroy(audit);
    return r;
}

weft_result torture_audit(const torture *t, torture_found *out, weft_error *e)
{
    int32_t n_nodes[TORTURE_CLOTHS + TORTURE_COLLIDERS], n_triangles[TORTURE_CLOTHS + TORTURE_COLLIDERS];
    soup s = {0};
    count_soup(t, &s, n_nodes, n_triangles);
    s.x = malloc(sizeof *s.x * (size_t)(s.n_nodes + 1));
    s.triangles = malloc(sizeof *s.triangles * (size_t)(s.n_triangles + 1));
    s.object = malloc(sizeof *s.object * (size_t)(s.n_triangles + 1));
    weft_result r = s.x && s.triangles && s.object ? WEFT_OK : WEFT_ERROR_MEMORY;
    r = r < 0 ? r : fill_soup(t, &s, n_nodes, n_triangles, e);
    r = r < 0 ? r : judge(t, &s, out, e);
    free(s.x);
    free(s.triangles);
    free(s.object);
    return r;
}
