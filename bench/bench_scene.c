/* SPDX-License-Identifier: MIT */
/* Makes the scenes, with an allocator that counts, and audits them. */
#include "bench_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 36, RINGS = 34 }; /* of the ball of triangles */

static const double pi = 3.14159265358979323846;
static const double mesh_radius = 0.152, mesh_floor = -0.16, above = 8e-3, mesh_friction = 0.4; /* m */

const char *bench_scene_name(bench_scene_kind kind)
{
    static const char *const names[] = {"hanging", "ball", "ribbon", "peers"};
    return names[kind];
}

static void *counting_alloc(void *user, void *p, size_t old_size, size_t new_size)
{
    size_t *bytes = user;
    if (new_size == 0) {
        free(p);
        *bytes -= p ? old_size : 0;
        return NULL;
    }
    void *q = realloc(p, new_size);
    if (q)
        *bytes += new_size - (p ? old_size : 0);
    return q;
}

/* ---- cloth ------------------------------------------------------------------------------------------------------- */

static weft_result cotton_of(const bench_scene_def *def, weft_fabric *out, weft_error *e)
{
    weft_result r = weft_fabric_find("cotton", out, e);
    if (def->stiffness > 0)
        out->stretch_warp = out->stretch_weft = def->stiffness;
    if (def->limit > 0)
        out->stretch_limit = def->limit;
    return r;
}

static weft_cloth_model model_of(const bench_scene_def *def, const weft_fabric *fabric)
{
    weft_cloth_model m = weft_grid_def_default().model;
    m.fabrics = fabric;
    m.n_fabrics = 1;
    if (def->level > 0) {
        m.adapt = weft_adapt_default();
        m.adapt.max_level = def->level;
    }
    return m;
}

static weft_result add_sheet(bench_scene *s, const bench_scene_def *def, const weft_fabric *fabric, weft_error *e)
{
    weft_grid_def g = weft_grid_def_default();
    g.n_warp = g.n_weft = def->n;
    g.size_warp = g.size_weft = 0.72;
    g.corner = (weft_vec3){-0.36, 0.25 + s->thickness, 0.36};
    if (def->kind == SCENE_RIBBON) {
        g.n_warp = 11;
        g.n_weft = 201;
        g.size_warp = 0.1;
        g.size_weft = 2;
        g.corner = (weft_vec3){-0.05, 0.02, 0};
        g.axis_weft = (weft_vec3){0, 1, 0.01}; /* one that stands perfectly upright does not know which way to fall */
    }
    g.model = model_of(def, fabric);
    return weft_cloth_create_grid(s->sim, &g, &s->cloth, e);
}

static weft_result hang(bench_scene *s, const bench_scene_def *def, weft_error *e)
{
    weft_attachment_id id;
    int32_t corners[2] = {0, def->n - 1};
    weft_attachment_def a = weft_attachment_def_default();
    a.cloth = s->cloth;
    a.nodes = corners;
    a.n_nodes = 2;
    return weft_attachment_create(s->sim, &a, &id, e);
}

static weft_result add_solid(bench_scene *s, weft_collider_kind kind, double radius, double y, weft_error *e)
{
    weft_collider_id id;
    weft_collider_def d = weft_collider_def_default();
    d.kind = kind;
    d.radius = radius;
    d.position.y = y;
    s->solid = d;
    s->n_solids = 1;
    return weft_collider_create(s->sim, &d, &id, e);
}

/* ---- irregular triangles ----------------------------------------------------------------------------------------- */

static double random_unit(uint64_t *s)
{
    *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*s >> 40) / (double)(1 << 24) * 2 - 1;
}

typedef struct mesh {
    weft_vec3 *x;
    weft_vec2 *uv;
    int32_t *triangles;
    int32_t n_nodes, n_triangles;
} mesh;

static double length_sq(const mesh *m, int32_t a, int32_t b)
{
    double u = m->uv[a].u - m->uv[b].u, v = m->uv[a].v - m->uv[b].v;
    return u * u + v * v;
}

/* Nodes within are moved by up to a quarter of a cell. */
static void place_nodes(mesh *m, int32_t n, double height)
{
    uint64_t seed = 1;
    double cell = 1.0 / (n - 1);
    for (int32_t j = 0, k = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++, k++) {
            bool inner_u = i > 0 && i<n - 1, inner_v = j> 0 && j < n - 1;
            double u = cell * (i + (inner_u ? random_unit(&seed) / 4 : 0));
            double v = cell * (j + (inner_v ? random_unit(&seed) / 4 : 0));
            m->uv[k] = (weft_vec2){u, v};
            m->x[k] = (weft_vec3){u - 0.5, height, 0.5 - v};
        }
}

/* The shorter diagonals. */
static void join_nodes(mesh *m, int32_t n)
{
    int32_t *t = m->triangles;
    for (int32_t j = 0; j + 1 < n; j++)
        for (int32_t i = 0; i + 1 < n; i++, t += 6) {
            int32_t a = j * n + i, b = a + 1, c = b + n, d = a + n;
            bool other = length_sq(m, b, d) < length_sq(m, a, c);
            const int32_t corners[6] = {a, b, other ? d : c, other ? b : a, c, d};
            memcpy(t, corners, sizeof corners);
        }
}

static weft_result add_irregular(bench_scene *s, const bench_scene_def *def, const weft_fabric *fabric, weft_error *e)
{
    int32_t n = def->n;
    mesh m = {.n_nodes = n * n, .n_triangles = 2 * (n - 1) * (n - 1)};
    m.x = malloc((size_t)m.n_nodes * sizeof *m.x);
    m.uv = malloc((size_t)m.n_nodes * sizeof *m.uv);
    m.triangles = malloc((size_t)m.n_triangles * 3 * sizeof *m.triangles);
    weft_result r = m.x && m.uv && m.triangles ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (r >= 0) {
        place_nodes(&m, n, mesh_radius + above + s->thickness);
        join_nodes(&m, n);
        weft_mesh_def d = weft_mesh_def_default();
        d.positions = m.x;
        d.uv = m.uv;
        d.n_nodes = m.n_nodes;
        d.triangles = m.triangles;
        d.n_triangles = m.n_triangles;
        d.model = model_of(def, fabric);
        r = weft_cloth_create_mesh(s->sim, &d, &s->cloth, e);
    }
    free(m.x);
    free(m.uv);
    free(m.triangles);
    return r;
}

static void add_triangle(bench_scene *s, int32_t a, int32_t b, int32_t c)
{
    int32_t *t = s->mesh_triangles + 3 * (size_t)s->n_mesh_triangles++;
    t[0] = a, t[1] = b, t[2] = c;
}

static void make_ball(bench_scene *s)
{
    int32_t top = AROUND * RINGS, bottom = top + 1;
    for (int32_t r = 0; r < RINGS; r++)
        for (int32_t k = 0; k < AROUND; k++) {
            double polar = pi * (r + 1) / (RINGS + 1), turn = 2 * pi * k / AROUND;
            s->mesh_x[r * AROUND + k] = (weft_vec3){mesh_radius * sin(polar) * cos(turn), mesh_radius * cos(polar),
                                                    -mesh_radius * sin(polar) * sin(turn)};
        }
    s->mesh_x[top] = (weft_vec3){0, mesh_radius, 0};
    s->mesh_x[bottom] = (weft_vec3){0, -mesh_radius, 0};
    s->n_mesh_nodes = bottom + 1;
    for (int32_t k = 0, last = (RINGS - 1) * AROUND; k < AROUND; k++) {
        int32_t next = (k + 1) % AROUND;
        add_triangle(s, top, k, next);
        for (int32_t r = 0; r + 1 < RINGS; r++) {
            int32_t a = r * AROUND + k, b = r * AROUND + next;
            add_triangle(s, a, a + AROUND, b + AROUND);
            add_triangle(s, a, b + AROUND, b);
        }
        add_triangle(s, last + k, bottom, last + next);
    }
}

static weft_result add_ball_mesh(bench_scene *s, weft_error *e)
{
    weft_collider_id id;
    s->mesh_x = malloc((AROUND * RINGS + 2) * sizeof *s->mesh_x);
    s->mesh_triangles = malloc((size_t)3 * 2 * AROUND * RINGS * sizeof *s->mesh_triangles);
    if (!s->mesh_x || !s->mesh_triangles)
        return WEFT_ERROR_MEMORY;
    make_ball(s);
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_MESH;
    d.vertices = s->mesh_x;
    d.n_vertices = s->n_mesh_nodes;
    d.triangles = s->mesh_triangles;
    d.n_triangles = s->n_mesh_triangles;
    return weft_collider_create(s->sim, &d, &id, e);
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static weft_result fill(bench_scene *s, const bench_scene_def *def, weft_error *e)
{
    weft_fabric cotton;
    weft_result r = cotton_of(def, &cotton, e);
    s->thickness = cotton.thickness;
    if (def->kind == SCENE_PEERS) {
        cotton.friction = mesh_friction;
        r = r < 0 ? r : add_irregular(s, def, &cotton, e);
        r = r < 0 ? r : add_solid(s, WEFT_COLLIDER_PLANE, 1, mesh_floor, e);
        return r < 0 ? r : add_ball_mesh(s, e);
    }
    r = r < 0 ? r : add_sheet(s, def, &cotton, e);
    if (r < 0 || def->kind == SCENE_HANGING)
        return r < 0 ? r : hang(s, def, e);
    return def->kind == SCENE_BALL ? add_solid(s, WEFT_COLLIDER_SPHERE, 0.2, 0, e)
                                   : add_solid(s, WEFT_COLLIDER_PLANE, 1, 0, e);
}

weft_result bench_scene_create(bench_scene *out, const bench_scene_def *def, weft_error *e)
{
    weft_sim_def sd = weft_sim_def_default();
    *out = (bench_scene){0};
    sd.n_threads = def->n_threads;
    sd.alloc = counting_alloc;
    sd.alloc_user = &out->bytes;
    *e = (weft_error){.text = "out of memory"};
    weft_result r = weft_sim_create(&sd, &out->sim, e);
    r = r < 0 ? r : fill(out, def, e);
    if (r < 0)
        bench_scene_destroy(out);
    return r;
}

void bench_scene_destroy(bench_scene *s)
{
    weft_sim_destroy(s->sim);
    free(s->mesh_x);
    free(s->mesh_triangles);
    *s = (bench_scene){0};
}

/* ---- the audit --------------------------------------------------------------------------------------------------- */

typedef struct soup {
    weft_vec3 *x;
    int32_t *triangles, *objects;
} soup;

static weft_result run_audit(const bench_scene *s, const soup *a, int32_t n_nodes, int32_t n_triangles, int64_t *out,
                             weft_error *e)
{
    weft_audit *audit = NULL;
    weft_audit_def d = weft_audit_def_default();
    const bool is_collider[2] = {false, true};
    const double thickness[2] = {s->thickness, 0};
    d.positions = a->x;
    d.n_nodes = n_nodes;
    d.triangles = a->triangles;
    d.n_triangles = n_triangles;
    d.objects = a->objects;
    d.n_objects = 2;
    d.object_is_collider = is_collider;
    d.colliders = &s->solid;
    d.n_colliders = s->n_solids;
    d.thickness = thickness;
    weft_result r = weft_audit_create(&d, &audit, e);
    r = r < 0 ? r : weft_audit_run(audit, NULL, weft_sim_time(s->sim), e);
    if (r >= 0) {
        weft_audit_found f = weft_audit_get(audit);
        *out = f.n_pairs;
        for (int64_t i = 0; i < f.n_near_triangles; i++)
            *out += f.near_triangles[i].triangle < n_triangles - s->n_mesh_triangles;
    }
    weft_audit_destroy(audit);
    return r;
}

static weft_result fill_soup(const bench_scene *s, const soup *a, const weft_cloth_info *info, weft_error *e)
{
    weft_result r = weft_cloth_get_positions(s->sim, s->cloth, a->x, info->n_nodes, 0, e);
    r = r < 0 ? r : weft_cloth_get_triangles(s->sim, s->cloth, a->triangles, info->n_triangles, e);
    for (int32_t i = 0; i < s->n_mesh_nodes; i++)
        a->x[info->n_nodes + i] = s->mesh_x[i];
    for (int32_t i = 0; i < info->n_triangles; i++)
        a->objects[i] = 0;
    for (int32_t i = 0; i < s->n_mesh_triangles; i++) {
        a->objects[info->n_triangles + i] = 1;
        for (int k = 0; k < 3; k++)
            a->triangles[3 * (size_t)(info->n_triangles + i) + k] = info->n_nodes + s->mesh_triangles[3 * i + k];
    }
    return r;
}

weft_result bench_scene_audit(const bench_scene *s, int64_t *out, weft_error *e)
{
    weft_cloth_info info;
    weft_result r = weft_cloth_get_info(s->sim, s->cloth, &info, e);
    if (r < 0)
        return r;
    int32_t n_nodes = info.n_nodes + s->n_mesh_nodes, n_triangles = info.n_triangles + s->n_mesh_triangles;
    soup a = {.x = malloc((size_t)n_nodes * sizeof *a.x),
              .triangles = malloc((size_t)n_triangles * 3 * sizeof *a.triangles),
              .objects = malloc((size_t)n_triangles * sizeof *a.objects)};
    r = a.x && a.triangles && a.objects ? fill_soup(s, &a, &info, e) : WEFT_ERROR_MEMORY;
    r = r < 0 ? r : run_audit(s, &a, n_nodes, n_triangles, out, e);
    free(a.x);
    free(a.triangles);
    free(a.objects);
    return r;
}
