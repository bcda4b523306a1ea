/* SPDX-License-Identifier: MIT */
/* What a worn garment is measured by: the exact audit, gaps of seams, stretch, ease, the order of layers. */
#include "wear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static weft_result no_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
    return WEFT_ERROR_MEMORY;
}

/* Panels that are meant to be stretched: ribs, and what has an elastic in it. */
static bool is_rib(const weft_pattern *p, int32_t panel)
{
    const weft_panel *q = weft_pattern_panel(p, panel);
    bool elastic = false;
    for (int32_t i = 0; i < q->n_edges; i++)
        elastic = elastic || q->edges[i].elastic != 1;
    return elastic || weft_pattern_is_rib(p, panel);
}

/* ---- the mesh of all --------------------------------------------------------------------------------------------- */

void wear_mesh_free(wear_mesh *m)
{
    free(m->positions);
    free(m->triangles);
    free(m->objects);
    free(m->same);
    *m = (wear_mesh){0};
}

static weft_result count_mesh(const wear *w, wear_mesh *m, weft_error *error)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; r >= 0 && i < w->n_garments; i++) {
        weft_cloth_info info;
        r = weft_cloth_get_info(w->sim, w->garments[i].cloth, &info, error);
        m->first_node[i] = m->n_nodes;
        m->first_triangle[i] = m->n_triangles;
        m->n_nodes += r < 0 ? 0 : info.n_nodes;
        m->n_triangles += r < 0 ? 0 : info.n_triangles;
    }
    m->first_node[w->n_garments] = m->n_nodes;
    m->first_triangle[w->n_garments] = m->n_triangles;
    m->n_nodes += w->skin.n_nodes;
    m->n_triangles += w->n_skin_triangles;
    m->first_triangle[w->n_garments + 1] = m->n_triangles;
    return r;
}

static weft_result fill_garment(const wear *w, wear_mesh *m, int32_t i, weft_error *error)
{
    const wear_garment *g = &w->garments[i];
    int32_t node = m->first_node[i], n = m->first_node[i + 1] - node, t = m->first_triangle[i];
    int32_t n_triangles = m->first_triangle[i + 1] - t;
    weft_result r = weft_cloth_get_positions(w->sim, g->cloth, m->positions + node, n, 0, error);
    r = r < 0 ? r : weft_cloth_get_triangles(w->sim, g->cloth, m->triangles + 3 * (size_t)t, n_triangles, error);
    r = r < 0 ? r : weft_sew_same(g->sew, m->same + node, n, error);
    for (int32_t k = 0; r >= 0 && k < 3 * n_triangles; k++)
        m->triangles[3 * (size_t)t + (size_t)k] += node;
    for (int32_t k = 0; r >= 0 && k < n_triangles; k++)
        m->objects[t + k] = i;
    for (int32_t k = 0; r >= 0 && k < n; k++)
        m->same[node + k] += node;
    return r;
}

weft_result wear_mesh_get(const wear *w, wear_mesh *m, weft_error *error)
{
    *m = (wear_mesh){0};
    weft_result r = count_mesh(w, m, error);
    if (r < 0)
        return r;
    m->positions = malloc((size_t)m->n_nodes * sizeof *m->positions);
    m->triangles = malloc(3 * (size_t)m->n_triangles * sizeof *m->triangles);
    m->objects = malloc((size_t)m->n_triangles * sizeof *m->objects);
    m->same = malloc((size_t)m->n_nodes * sizeof *m->same);
    r = m->positions && m->triangles && m->objects && m->same ? WEFT_OK : no_memory(error);
    for (int32_t i = 0; r >= 0 && i < w->n_garments; i++)
        r = fill_garment(w, m, i, error);
    int32_t node = m->first_node[w->n_garments], t = m->first_triangle[w->n_garments];
    r = r < 0 ? r : weft_collider_get_vertices(w->sim, w->collider, m->positions + node, w->skin.n_nodes, error);
    for (int32_t k = 0; r >= 0 && k < w->n_skin_triangles; k++) {
        for (int c = 0; c < 3; c++)
            m->triangles[3 * (size_t)(t + k) + (size_t)c] = node + w->skin_triangles[3 * (size_t)k + (size_t)c];
        m->objects[t + k] = w->n_garments;
    }
    for (int32_t k = node; r >= 0 && k < m->n_nodes; k++)
        m->same[k] = k;
    if (r < 0)
        wear_mesh_free(m);
    return r;
}

/* ---- audit ------------------------------------------------------------------------------------------------------- */

weft_result wear_check(const wear *w, wear_audit *out, weft_error *error)
{
    return wear_look(w, out, NULL, NULL, error);
}

weft_result wear_look(const wear *w, wear_audit *out, void (*tell)(void *user, const weft_audit_found *found),
                      void *user, weft_error *error)
{
    wear_mesh m;
    weft_result r = wear_mesh_get(w, &m, error);
    if (r < 0)
        return r;
    bool is_collider[WEAR_MOST + 1] = {0};
    is_collider[w->n_garments] = true;
    weft_audit_def def = weft_audit_def_default();
    def.n_nodes = m.n_nodes;
    def.positions = m.positions;
    def.n_triangles = m.n_triangles;
    def.triangles = m.triangles;
    def.objects = m.objects;
    def.n_objects = w->n_garments + 1;
    def.object_is_collider = is_collider;
    def.n_threads = w->def.n_threads;
    weft_audit *audit = NULL;
    r = weft_audit_create(&def, &audit, error);
    r = r < 0 ? r : weft_audit_run(audit, NULL, 0, error);
    if (r >= 0) {
        weft_audit_found found = weft_audit_get(audit);
        *out = (wear_audit){found.n_cloth_pairs, found.n_collider_pairs};
        if (tell)
            tell(user, &found);
    }
    weft_audit_destroy(audit);
    wear_mesh_free(&m);
    return r;
}

/* ---- stretch, ease ----------------------------------------------------------------------------------------------- */

static double distance(weft_vec3 a, weft_vec3 b)
{
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static weft_result measure_stretch(const wear *w, wear_garment *g, const wear_mesh *m, int32_t i, weft_error *error)
{
    int32_t t = m->first_triangle[i], n = m->first_triangle[i + 1] - t, n_sides = 0;
    double *rest = malloc(3 * (size_t)n * sizeof *rest), *sides = malloc(3 * (size_t)n * sizeof *sides);
    int32_t *panel = malloc((size_t)n * sizeof *panel + 1), n_panels = weft_pattern_panel_count(g->pattern);
    bool *ribs = calloc((size_t)n_panels + 1, sizeof *ribs);
    wear_figures *f = &g->figures;
    weft_result r =
        rest && sides && panel && ribs ? weft_cloth_get_panels(w->sim, g->cloth, panel, n, error) : no_memory(error);
    r = r < 0 ? r : weft_cloth_get_rest_lengths(w->sim, g->cloth, rest, n, error);
    f->stretch = f->rib = f->stretch_99 = -1;
    for (int32_t k = 0; r >= 0 && k < n_panels; k++)
        ribs[k] = is_rib(g->pattern, k);
    for (int32_t k = 0; r >= 0 && k < 3 * n; k++) {
        const int32_t *v = m->triangles + 3 * ((size_t)t + (size_t)(k / 3));
        int32_t a = v[k % 3], b = v[(k + 1) % 3];
        if (rest[k] <= 0)
            continue;
        double s = distance(m->positions[a], m->positions[b]) / rest[k] - 1;
        if (ribs[panel[k / 3]])
            f->rib = fmax(f->rib, s);
        else {
            f->stretch = fmax(f->stretch, s);
            sides[n_sides++] = s;
        }
    }
    if (r >= 0 && n_sides > 0) {
        qsort(sides, (size_t)n_sides, sizeof *sides, by_value);
        f->stretch_99 = sides[(size_t)(0.99 * (n_sides - 1))];
    }
    free(rest);
    free(sides);
    free(panel);
    free(ribs);
    return r;
}

/* From the body as it is now. */
static void measure_ease(const wear *w, wear_figures *f, const wear_mesh *m, int32_t i)
{
    int32_t from = m->first_node[i], to = m->first_node[i + 1];
    double sum = 0;
    f->ease_least = HUGE_VAL;
    f->ease_most = -HUGE_VAL;
    for (int32_t k = from; k < to; k++) {
        double d = weft_body_distance(w->body, m->positions[k]);
        sum += d;
        f->ease_least = fmin(f->ease_least, d);
        f->ease_most = fmax(f->ease_most, d);
    }
    f->ease = to > from ? sum / (to - from) : 0;
}

weft_result wear_measure(wear *w, int32_t i, weft_error *error)
{
    wear_garment *g = &w->garments[i];
    wear_figures *f = &g->figures;
    wear_mesh m;
    weft_result r = wear_mesh_get(w, &m, error);
    if (r < 0)
        return r;
    f->n_nodes = m.first_node[i + 1] - m.first_node[i];
    f->n_triangles = m.first_triangle[i + 1] - m.first_triangle[i];
    f->n_steps = g->state.n_steps;
    f->n_seams = g->state.n_seams;
    f->n_welded = g->state.n_welded;
    f->widest_gap = f->widest_pulled = 0;
    for (int32_t s = 0; r >= 0 && s < f->n_seams; s++) {
        weft_sew_seam seam;
        r = weft_sew_get_seam(g->sew, s, &seam, error);
        if (r >= 0) {
            f->widest_gap = fmax(f->widest_gap, seam.gap);
            f->widest_pulled = fmax(f->widest_pulled, seam.gap_pulled);
        }
    }
    r = r < 0 ? r : measure_stretch(w, g, &m, i, error);
    r = r < 0 ? r : wear_measure_folds(f, &m, i, error);
    if (r >= 0)
        measure_ease(w, f, &m, i);
    wear_mesh_free(&m);
    return r;
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

static weft_vec3 minus(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static weft_vec3 cross(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(weft_vec3 a, weft_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Way along a ray to a triangle (Möller and Trumbore 1997); infinite without one. */
static double hit(const wear_mesh *m, int32_t t, weft_vec3 from, weft_vec3 along)
{
    const int32_t *v = m->triangles + 3 * (size_t)t;
    weft_vec3 a = m->positions[v[0]], e = minus(m->positions[v[1]], a), f = minus(m->positions[v[2]], a);
    weft_vec3 p = cross(along, f), d = minus(from, a), q = cross(d, e);
    double det = dot(e, p);
    if (det == 0)
        return HUGE_VAL;
    double u = dot(d, p) / det, s = dot(along, q) / det, way = dot(f, q) / det;
    return u >= 0 && s >= 0 && u + s <= 1 && way > 0 ? way : HUGE_VAL;
}

static double first_hit(const wear_mesh *m, int32_t garment, weft_vec3 from, weft_vec3 along)
{
    double way = HUGE_VAL;
    for (int32_t t = m->first_triangle[garment]; t < m->first_triangle[garment + 1]; t++)
        way = fmin(way, hit(m, t, from, along));
    return way;
}

/* Whether what a ray meets belongs to the skin that it comes from: from an arm it may reach what the trunk wears, whose
 * layers it then meets from the outside. There the skin is nearer than the ray's way. */
static bool is_over(const wear *w, weft_vec3 from, weft_vec3 along, double way)
{
    weft_vec3 at = {from.x + way * along.x, from.y + way * along.y, from.z + way * along.z};
    return weft_body_distance(w->body, at) >= 0.5 * way;
}

weft_result wear_layers(const wear *w, int32_t inner, int32_t outer, double *share, int32_t *n, weft_error *error)
{
    const double farthest = 0.08; /* m: beyond may be another limb's */
    enum { RAYS = 2500 };
    wear_mesh m;
    weft_result r = wear_mesh_get(w, &m, error);
    if (r < 0)
        return r;
    int32_t right = 0, first = m.first_triangle[w->n_garments], every = w->n_skin_triangles / RAYS + 1;
    *n = 0;
    for (int32_t t = first; t < m.n_triangles; t += every) {
        const int32_t *v = m.triangles + 3 * (size_t)t;
        weft_vec3 a = m.positions[v[0]], b = m.positions[v[1]], c = m.positions[v[2]];
        weft_vec3 from = {(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3};
        weft_vec3 normal = cross(minus(b, a), minus(c, a));
        double length = sqrt(dot(normal, normal));
        normal = (weft_vec3){normal.x / length, normal.y / length, normal.z / length};
        double in = first_hit(&m, inner, from, normal), out = first_hit(&m, outer, from, normal);
        if (!(length > 0) || in > farthest || out > farthest || !is_over(w, from, normal, in) ||
            !is_over(w, from, normal, out))
            continue;
        (*n)++;
        right += in < out;
    }
    *share = *n > 0 ? (double)right / *n : 1;
    wear_mesh_free(&m);
    return WEFT_OK;
}
