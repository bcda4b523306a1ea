/* SPDX-License-Identifier: MIT */
/* Makes the meshes, gives them to a simulation, and reads cloths back. */
#include "contact_meshes.h"
#include "contact_vec.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

void contact_mesh_free(contact_mesh *m)
{
    free(m->x);
    free(m->uv);
    free(m->triangles);
    free(m->quads);
    *m = (contact_mesh){0};
}

/* Room for so many of each. */
static weft_result contact_mesh_begin(contact_mesh *m, int32_t n_nodes, int32_t n_triangles, int32_t n_quads)
{
    *m = (contact_mesh){.n_nodes = n_nodes, .n_triangles = n_triangles, .n_quads = n_quads};
    m->x = calloc((size_t)n_nodes, sizeof *m->x);
    m->uv = calloc((size_t)n_nodes, sizeof *m->uv);
    m->triangles = calloc(3 * (size_t)n_triangles + 1, sizeof *m->triangles);
    m->quads = calloc(4 * (size_t)n_quads + 1, sizeof *m->quads);
    if (m->x && m->uv && m->triangles && m->quads)
        return WEFT_OK;
    contact_mesh_free(m);
    return WEFT_ERROR_MEMORY;
}

/* ---- rectangles -------------------------------------------------------------------------------------------------- */

/* In [-1, 1]. */
static double next_jitter(uint64_t *s)
{
    *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*s >> 40) / (double)(1 << 24) * 2 - 1;
}

static void place_rectangle(contact_mesh *m, double size_u, double size_v, double jitter)
{
    uint64_t seed = 1;
    for (int32_t k = 0; k < m->n_nodes; k++) {
        int32_t i = k % m->n_u, j = k / m->n_u;
        bool inner_u = i > 0 && i<m->n_u - 1, inner_v = j> 0 && j < m->n_v - 1;
        double a = next_jitter(&seed), b = next_jitter(&seed);
        m->uv[k].u = size_u * (i + (inner_u ? jitter * a : 0)) / (m->n_u - 1);
        m->uv[k].v = size_v * (j + (inner_v ? jitter * b : 0)) / (m->n_v - 1);
    }
}

static double uv_distance(const contact_mesh *m, int32_t a, int32_t b)
{
    return hypot(m->uv[a].u - m->uv[b].u, m->uv[a].v - m->uv[b].v);
}

static void join_rectangle(contact_mesh *m, contact_weave weave)
{
    int32_t *t = m->triangles, *q = m->quads;
    for (int32_t a = 0; a + m->n_u + 1 < m->n_nodes; a++) {
        int32_t b = a + 1, c = b + m->n_u, d = a + m->n_u;
        if (a % m->n_u == m->n_u - 1)
            continue;
        bool other = weave == CONTACT_IRREGULAR && uv_distance(m, b, d) < uv_distance(m, a, c);
        const int32_t two[6] = {a, b, other ? d : c, other ? b : a, c, d}, four[4] = {a, b, c, d};
        if (weave == CONTACT_QUADS)
            memcpy(q, four, sizeof four), q += 4;
        else
            memcpy(t, two, sizeof two), t += 6;
    }
}

weft_result contact_mesh_rectangle(contact_mesh *out, contact_weave weave, double size_u, double size_v, double edge)
{
    int32_t n_u = (int32_t)fmax(1, round(size_u / edge)), n_v = (int32_t)fmax(1, round(size_v / edge));
    int32_t cells = n_u * n_v;
    weft_result r = contact_mesh_begin(out, (n_u + 1) * (n_v + 1), weave == CONTACT_QUADS ? 0 : 2 * cells,
                                       weave == CONTACT_QUADS ? cells : 0);
    if (r < 0)
        return r;
    out->n_u = n_u + 1;
    out->n_v = n_v + 1;
    place_rectangle(out, size_u, size_v, weave == CONTACT_IRREGULAR ? 0.25 : 0);
    join_rectangle(out, weave);
    contact_mesh_place(out, (weft_vec3){0, 0, 0}, (weft_vec3){1, 0, 0}, (weft_vec3){0, 1, 0});
    return r;
}

void contact_mesh_place(contact_mesh *m, weft_vec3 origin, weft_vec3 axis_u, weft_vec3 axis_v)
{
    for (int32_t k = 0; k < m->n_nodes; k++)
        m->x[k] = cv_madd(cv_madd(origin, m->uv[k].u, axis_u), m->uv[k].v, axis_v);
}

/* Nodes of no triangle go, the others are numbered anew. */
static void drop_unused(contact_mesh *m)
{
    int32_t n = 0, *name = calloc((size_t)m->n_nodes, sizeof *name);
    if (!name)
        return;
    for (int32_t k = 0; k < 3 * m->n_triangles; k++)
        name[m->triangles[k]] = 1;
    for (int32_t k = 0; k < m->n_nodes; k++)
        if (name[k]) {
            m->x[n] = m->x[k];
            m->uv[n] = m->uv[k];
            name[k] = n++;
        }
    for (int32_t k = 0; k < 3 * m->n_triangles; k++)
        m->triangles[k] = name[m->triangles[k]];
    m->n_nodes = n;
    m->n_u = m->n_v = 0;
    free(name);
}

void contact_mesh_cut(contact_mesh *m, double half)
{
    int32_t n = 0, last = m->n_nodes - 1;
    double mid_u = 0.5 * m->uv[last].u, mid_v = 0.5 * m->uv[last].v;
    for (int32_t t = 0; t < m->n_triangles; t++) {
        const int32_t *c = m->triangles + 3 * (size_t)t;
        double u = (m->uv[c[0]].u + m->uv[c[1]].u + m->uv[c[2]].u) / 3 - mid_u;
        double v = (m->uv[c[0]].v + m->uv[c[1]].v + m->uv[c[2]].v) / 3 - mid_v;
        if (fmax(fabs(u), fabs(v)) > half)
            memmove(m->triangles + 3 * (size_t)n++, c, 3 * sizeof *c);
    }
    m->n_triangles = n;
    drop_unused(m);
}

/* ---- colliders --------------------------------------------------------------------------------------------------- */

static void add_corner_triangle(int32_t **t, int32_t a, int32_t b, int32_t c)
{
    (*t)[0] = a, (*t)[1] = b, (*t)[2] = c;
    *t += 3;
}

weft_result contact_mesh_tube(contact_mesh *out, double radius, double length, int32_t sides, double edge)
{
    int32_t rows = (int32_t)fmax(1, round(length / edge));
    weft_result r = contact_mesh_begin(out, sides * (rows + 1), 2 * sides * rows, 0);
    if (r < 0)
        return r;
    int32_t *t = out->triangles;
    for (int32_t k = 0; k < out->n_nodes; k++) {
        int32_t row = k / sides;
        double turn = 2 * pi * (k % sides) / sides, along = (double)row / rows - 0.5;
        out->x[k] = (weft_vec3){radius * cos(turn), radius * sin(turn), length * along};
    }
    for (int32_t k = 0; k < sides * rows; k++) {
        int32_t next = k % sides == sides - 1 ? k - sides + 1 : k + 1;
        add_corner_triangle(&t, k, next, next + sides);
        add_corner_triangle(&t, k, next + sides, k + sides);
    }
    return r;
}

weft_result contact_mesh_ball(contact_mesh *out, double radius, int32_t around, int32_t rings)
{
    int32_t top = around * rings, bottom = top + 1, last = (rings - 1) * around;
    weft_result r = contact_mesh_begin(out, bottom + 1, 2 * around * rings, 0);
    if (r < 0)
        return r;
    for (int32_t k = 0; k < top; k++) {
        int32_t ring = k / around;
        double polar = pi * (ring + 1) / (rings + 1), turn = 2 * pi * (k % around) / around;
        out->x[k] = (weft_vec3){radius * sin(polar) * cos(turn), radius * cos(polar), -radius * sin(polar) * sin(turn)};
    }
    out->x[top] = (weft_vec3){0, radius, 0};
    out->x[bottom] = (weft_vec3){0, -radius, 0};
    int32_t *t = out->triangles;
    for (int32_t k = 0; k < around; k++) {
        int32_t next = (k + 1) % around;
        add_corner_triangle(&t, top, k, next);
        for (int32_t a = k, b = next; a < last; a += around, b += around) {
            add_corner_triangle(&t, a, a + around, b + around);
            add_corner_triangle(&t, a, b + around, b);
        }
        add_corner_triangle(&t, last + k, bottom, last + next);
    }
    return r;
}

/* ---- to a simulation, and back ----------------------------------------------------------------------------------- */

weft_result contact_mesh_weave(weft_sim *sim, const contact_mesh *m, const weft_fabric *fabric, weft_vec3 velocity,
                               weft_cloth_id *out, weft_error *e)
{
    weft_vec3 *v = malloc((size_t)m->n_nodes * sizeof *v);
    if (!v)
        return WEFT_ERROR_MEMORY;
    for (int32_t k = 0; k < m->n_nodes; k++)
        v[k] = velocity;
    weft_mesh_def d = weft_mesh_def_default();
    d.n_nodes = m->n_nodes;
    d.positions = m->x;
    d.velocities = v;
    d.uv = m->uv;
    d.n_triangles = m->n_triangles;
    d.triangles = m->n_triangles > 0 ? m->triangles : NULL;
    d.n_quads = m->n_quads;
    d.quads = m->n_quads > 0 ? m->quads : NULL;
    d.model.fabrics = fabric;
    d.model.n_fabrics = 1;
    weft_result r = weft_cloth_create_mesh(sim, &d, out, e);
    free(v);
    return r;
}

weft_result contact_mesh_collide(weft_sim *sim, const contact_mesh *m, weft_collider_id *out, weft_error *e)
{
    weft_collider_def d = weft_collider_def_default();
    d.kind = WEFT_COLLIDER_MESH;
    d.vertices = m->x;
    d.n_vertices = m->n_nodes;
    d.triangles = m->triangles;
    d.n_triangles = m->n_triangles;
    return weft_collider_create(sim, &d, out, e);
}

weft_result contact_nodes_read(contact_nodes *out, const weft_sim *sim, weft_cloth_id cloth, weft_error *e)
{
    weft_cloth_info info;
    *out = (contact_nodes){0};
    weft_result r = weft_cloth_get_info(sim, cloth, &info, e);
    if (r < 0)
        return r;
    size_t n = (size_t)info.n_nodes;
    *out = (contact_nodes){.n = info.n_nodes, .n_triangles = info.n_triangles};
    out->x = malloc(n * sizeof *out->x);
    out->v = malloc(n * sizeof *out->v);
    out->uv = malloc(n * sizeof *out->uv);
    out->mass = malloc(n * sizeof *out->mass);
    out->triangles = malloc(3 * (size_t)info.n_triangles * sizeof *out->triangles);
    r = out->x && out->v && out->uv && out->mass && out->triangles ? WEFT_OK : WEFT_ERROR_MEMORY;
    r = r < 0 ? r : weft_cloth_get_positions(sim, cloth, out->x, out->n, 0, e);
    r = r < 0 ? r : weft_cloth_get_velocities(sim, cloth, out->v, out->n, 0, e);
    r = r < 0 ? r : weft_cloth_get_uv(sim, cloth, out->uv, out->n, e);
    r = r < 0 ? r : weft_cloth_get_masses(sim, cloth, out->mass, out->n, e);
    r = r < 0 ? r : weft_cloth_get_triangles(sim, cloth, out->triangles, out->n_triangles, e);
    if (r < 0)
        contact_nodes_free(out);
    return r;
}

void contact_nodes_free(contact_nodes *n)
{
    free(n->x);
    free(n->v);
    free(n->uv);
    free(n->mass);
    free(n->triangles);
    *n = (contact_nodes){0};
}
