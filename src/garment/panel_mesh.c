/* SPDX-License-Identifier: MIT */
/* Idea: the nodes of the rim are given (seams have chosen them); inside stands a square grid along warp and weft, as
 * far as it stays away from the rim (panel_grid.h). One constrained Delaunay triangulation of all of it has the rim,
 * the lines and the quads' sides as constraints; the two triangles in each quad are left out. What is then poor gets
 * more points at the centres of its circles (Ruppert 1995, Chew 1993), but the rim is never cut: it belongs to the
 * seams.
 *
 * Where the rim itself is poor (a sharp corner, a short piece between two breaks) no inner point can help; the
 * quality is reported.
 *
 * Invariants:
 * 1. nodes of the rim keep their numbers and places, to 2⁻⁴⁰ m; their sides and those of lines are sides of elements;
 * 2. every element turns left, and the elements cover the inside of the rim exactly;
 * 3. quads are squares along warp and weft. */
#include "garment/panel_mesh.h"

#include "base/array.h"
#include "garment/curve.h"
#include "garment/panel_grid.h"
#include "garment/params.h"
#include "math/trig.h"

typedef struct work {
    panel_mesh *mesh;
    const panel_input *in;
    cdt cdt;
    panel_grid grid;
    int32_t *rim;              /* number of each rim point in the triangulation */
    bool *inside, *is_in_quad; /* per triangle */
    int32_t n_flags;
    int64_t room_inside, room_in_quad;
    weft_error *error;
} work;

static weft_result cdt_fault(const work *w, cdt_result r)
{
    if (r == CDT_OK)
        return WEFT_OK;
    if (r == CDT_MEMORY)
        return error_memory(w->error);
    return error_set(w->error, WEFT_ERROR_DEGENERATE, -1,
                     "panel '%.100s': its outline or a line in it crosses another at a size of %g m", w->in->name,
                     w->in->size);
}

static weft_result insert_points(work *w)
{
    const panel_input *in = w->in;
    cdt_result r = CDT_OK;
    for (int32_t i = 0; r == CDT_OK && i < in->n_rim; i++) {
        int32_t expected = w->cdt.n_points;
        r = cdt_insert(&w->cdt, cdt_snap(in->rim[i]), &w->rim[i]);
        if (r == CDT_OK && w->rim[i] != expected)
            return error_set(w->error, WEFT_ERROR_DEGENERATE, -1, "panel '%.100s': its outline touches itself",
                             in->name);
    }
    for (int32_t i = 0; r == CDT_OK && i < in->n_line_points; i++)
        r = cdt_insert(&w->cdt, cdt_snap(in->line_points[i]), &w->mesh->line_nodes[i]);
    panel_grid *g = &w->grid;
    for (int32_t j = 0; r == CDT_OK && j < g->n_v; j++)
        for (int32_t k = 0; r == CDT_OK && k < g->n_u; k++) {
            int32_t i = j % 2 ? g->n_u - 1 - k : k; /* to and fro: the next point is near */
            int64_t at = (int64_t)j * g->n_u + i;
            if (g->is_node[at])
                r = cdt_insert(&w->cdt, cdt_snap(panel_grid_at(g, i, j)), &g->number[at]);
        }
    return cdt_fault(w, r);
}

static weft_result constrain_edges(work *w)
{
    const panel_input *in = w->in;
    cdt_result r = CDT_OK;
    for (int32_t loop = 0; loop < in->n_loops; loop++)
        for (int32_t k = in->loop_start[loop], end = in->loop_start[loop + 1]; r == CDT_OK && k < end; k++)
            r = cdt_constrain(&w->cdt, w->rim[k], w->rim[k + 1 < end ? k + 1 : in->loop_start[loop]], true);
    for (int32_t line = 0; line < in->n_lines; line++)
        for (int32_t k = in->line_start[line]; r == CDT_OK && k + 1 < in->line_start[line + 1]; k++)
            r = cdt_constrain(&w->cdt, w->mesh->line_nodes[k], w->mesh->line_nodes[k + 1], false);
    const panel_grid *g = &w->grid;
    for (int32_t j = 0; j < g->n_v; j++)
        for (int32_t i = 0; r == CDT_OK && i < g->n_u; i++) {
            int64_t k = (int64_t)j * g->n_u + i;
            if (!g->is_quad[k])
                continue;
            const int32_t c[4] = {g->number[k], g->number[k + 1], g->number[k + g->n_u + 1], g->number[k + g->n_u]};
            for (int s = 0; r == CDT_OK && s < 4; s++)
                r = cdt_constrain(&w->cdt, c[s], c[(s + 1) % 4], false);
        }
    return cdt_fault(w, r);
}

/* Room for flags of all triangles. New ones come from cutting triangles inside, and turning sides never mixes those
 * with others, as constraints lie between: so old flags stay true. */
static bool renew_flags(work *w)
{
    mem *m = w->mesh->mem;
    int32_t n = w->cdt.n_triangles;
    if (!ARRAY_RESERVE(m, w->inside, w->room_inside, n) || !ARRAY_RESERVE(m, w->is_in_quad, w->room_in_quad, n))
        return false;
    for (; w->n_flags < n; w->n_flags++) {
        w->inside[w->n_flags] = true;
        w->is_in_quad[w->n_flags] = false;
    }
    return true;
}

/* Which triangles are inside, and which of them are halves of quads. */
static weft_result classify_triangles(work *w)
{
    if (!renew_flags(w))
        return error_memory(w->error);
    const panel_grid *g = &w->grid;
    for (int32_t j = 0; j < g->n_v; j++)
        for (int32_t i = 0; i < g->n_u; i++) {
            int64_t k = (int64_t)j * g->n_u + i;
            if (!g->is_quad[k])
                continue;
            int corner; /* of the two triangles one has the lower side, the other the upper */
            int32_t low = cdt_find_side(&w->cdt, g->number[k], g->number[k + 1], &corner);
            int32_t high = cdt_find_side(&w->cdt, g->number[k + g->n_u + 1], g->number[k + g->n_u], &corner);
            w->is_in_quad[low] = w->is_in_quad[high] = true;
        }
    return cdt_fault(w, cdt_inside(&w->cdt, w->inside));
}

/* ---- more points where triangles are poor ------------------------------------------------------------------------ */

/* The least angle of a triangle, as the square of its sine times four: (shortest side / radius of the circle)². */
static double triangle_shape(const vec2 *p, const int32_t *v, vec2 *centre, double *radius_sq)
{
    vec2 a = p[v[0]], b = v2_sub(p[v[1]], a), c = v2_sub(p[v[2]], a), d = v2_sub(c, b);
    double bb = v2_dot(b, b), cc = v2_dot(c, c), twice = 2 * v2_cross(b, c);
    vec2 to = {(c.v * bb - b.v * cc) / twice, (b.u * cc - c.u * bb) / twice};
    *centre = (vec2){a.u + to.u, a.v + to.v};
    *radius_sq = v2_dot(to, to);
    return min_of(bb, min_of(cc, v2_dot(d, d))) / *radius_sq;
}

/* Whether a point may be added: it is inside, seen from the triangle, and not near to any point or constraint. */
static bool may_add_point(const work *w, int32_t from, vec2 p, double apart)
{
    const cdt *c = &w->cdt;
    int32_t ti = from;
    for (int32_t steps = 0; steps < PANEL_WALK; steps++) {
        const cdt_triangle *t = &c->triangles[ti];
        int out = -1;
        for (int i = 0; i < 3; i++) {
            vec2 a = c->points[t->v[(i + 1) % 3]], b = c->points[t->v[(i + 2) % 3]];
            if (v2_cross(v2_sub(b, a), v2_sub(p, a)) < 0)
                out = i;
            if (t->is_fixed[i] && v2_segment_distance_sq(p, a, b) < apart * apart)
                return false;
        }
        for (int i = 0; i < 3; i++)
            if (v2_distance(c->points[t->v[i]], p) < apart)
                return false;
        if (out < 0)
            return w->inside[ti] && !w->is_in_quad[ti];
        if (t->is_fixed[out] || t->n[out] < 0)
            return false;
        ti = t->n[out];
    }
    return false;
}

/* One pass over all triangles that are poor now: adds the centres that may be added. */
static weft_result improve_triangles_once(work *w, double least, double apart, int32_t *n_added)
{
    cdt *c = &w->cdt;
    int32_t n = c->n_triangles;
    weft_result r = WEFT_OK;
    *n_added = 0;
    for (int32_t ti = 0; r == WEFT_OK && ti < n; ti++) {
        if (!w->inside[ti] || w->is_in_quad[ti])
            continue;
        vec2 centre;
        double radius_sq;
        double shape = triangle_shape(c->points, c->triangles[ti].v, &centre, &radius_sq);
        bool poor = shape < least || radius_sq > w->in->size * w->in->size;
        if (!poor || !may_add_point(w, ti, centre, apart))
            continue;
        int32_t vi;
        c->last = ti;
        r = cdt_fault(w, cdt_insert(c, cdt_snap(centre), &vi));
        if (r == WEFT_OK && !renew_flags(w))
            r = error_memory(w->error);
        ++*n_added;
    }
    return r;
}

static weft_result improve_triangles(work *w)
{
    const double apart = PANEL_APART * w->in->size;
    int32_t n_added = 1;
    weft_result r = classify_triangles(w);
    for (int round = 0; r == WEFT_OK && n_added > 0 && round < PANEL_ROUNDS; round++)
        r = improve_triangles_once(w, PANEL_POOR, apart, &n_added);
    return r;
}

/* ---- corners ----------------------------------------------------------------------------------------------------- */

/* The side by which a triangle hangs on the rest, if both others are of the outline; -1: it is no such ear. */
static int ear_of(const work *w, int32_t ti)
{
    const cdt_triangle *t = &w->cdt.triangles[ti];
    for (int i = 0; i < 3; i++) {
        bool ear = t->is_rim[(i + 1) % 3] && t->is_rim[(i + 2) % 3] && !t->is_fixed[i] && t->n[i] >= 0;
        if (ear && !w->is_in_quad[t->n[i]] && w->inside[t->n[i]])
            return i;
    }
    return -1;
}

static bool triangle_is_fair(const vec2 *p, int32_t a, int32_t b, int32_t c)
{
    vec2 centre;
    double radius_sq;
    const int32_t v[3] = {a, b, c};
    return v2_cross(v2_sub(p[b], p[a]), v2_sub(p[c], p[a])) > 0 &&
           triangle_shape(p, v, &centre, &radius_sq) >= PANEL_FAIR;
}

/* A triangle with all its corners on the outline, at a corner where two panels are sewn together on both sides, would
 * come to lie on that of the other panel. Its inner side is turned, so that it has a corner within, where that leaves
 * fair triangles and no long side. */
static void open_ears(work *w)
{
    cdt *c = &w->cdt;
    for (int32_t ti = 0; ti < c->n_triangles; ti++) {
        int i = w->inside[ti] && !w->is_in_quad[ti] ? ear_of(w, ti) : -1, j = 0;
        if (i < 0)
            continue;
        const cdt_triangle *t = &c->triangles[ti], *u = &c->triangles[t->n[i]];
        while (u->n[j] != ti)
            j++;
        int32_t corner = t->v[i], a = t->v[(i + 1) % 3], b = t->v[(i + 2) % 3], far = u->v[j];
        if (v2_distance(c->points[corner], c->points[far]) < PANEL_LONGEST * w->in->size &&
            triangle_is_fair(c->points, corner, a, far) && triangle_is_fair(c->points, corner, far, b))
            cdt_flip(c, ti, i);
    }
}

/* ---- the result -------------------------------------------------------------------------------------------------- */

static weft_result write_nodes(work *w)
{
    panel_mesh *p = w->mesh;
    p->n_nodes = 0;
    for (int32_t i = CDT_FIRST; i < w->cdt.n_points; i++)
        if (!ARRAY_PUSH(p->mem, p->nodes, p->n_nodes, p->room_nodes, w->cdt.points[i]))
            return error_memory(w->error);
    for (int32_t i = 0; i < w->in->n_line_points; i++)
        p->line_nodes[i] -= CDT_FIRST;
    return WEFT_OK;
}

static weft_result write_elements(work *w)
{
    panel_mesh *p = w->mesh;
    int32_t n = 0;
    bool good = true;
    for (int32_t ti = 0; good && ti < w->cdt.n_triangles; ti++)
        for (int i = 0; good && w->inside[ti] && !w->is_in_quad[ti] && i < 3; i++)
            good = ARRAY_PUSH(p->mem, p->triangles, n, p->room_triangles, w->cdt.triangles[ti].v[i] - CDT_FIRST);
    p->n_triangles = n / 3;
    n = 0;
    const panel_grid *g = &w->grid;
    for (int32_t j = 0; j < g->n_v; j++)
        for (int32_t i = 0; good && i < g->n_u; i++) {
            int64_t k = (int64_t)j * g->n_u + i;
            const int64_t at[4] = {k, k + 1, k + g->n_u + 1, k + g->n_u};
            for (int s = 0; good && g->is_quad[k] && s < 4; s++)
                good = ARRAY_PUSH(p->mem, p->quads, n, p->room_quads, g->number[at[s]] - CDT_FIRST);
        }
    p->n_quads = n / 4;
    return good ? WEFT_OK : error_memory(w->error);
}

static weft_result panel_mesh_make(work *w)
{
    const panel_input *in = w->in;
    mem *m = w->mesh->mem;
    if (!MEM_MAKE(m, w->rim, in->n_rim) || !MEM_MAKE(m, w->mesh->line_nodes, in->n_line_points) ||
        !panel_grid_create(&w->grid, m, in))
        return error_memory(w->error);
    w->mesh->n_line_points = in->n_line_points;
    vec2 low = w->grid.low, high = panel_grid_at(&w->grid, w->grid.n_u, w->grid.n_v);
    weft_result r = cdt_fault(w, cdt_create(&w->cdt, m, low, high));
    r = r < 0 ? r : insert_points(w);
    r = r < 0 ? r : constrain_edges(w);
    r = r < 0 ? r : improve_triangles(w);
    if (r == WEFT_OK)
        open_ears(w);
    r = r < 0 ? r : write_elements(w);
    return r < 0 ? r : write_nodes(w);
}

weft_result panel_mesh_create(panel_mesh *p, mem *m, const panel_input *in, weft_error *error)
{
    *p = (panel_mesh){.mem = m};
    work w = {.mesh = p, .in = in, .error = error, .cdt.mem = m, .grid.mem = m};
    weft_result r = panel_mesh_make(&w);
    cdt_destroy(&w.cdt);
    panel_grid_destroy(&w.grid);
    MEM_FREE(m, w.rim, in->n_rim);
    MEM_FREE(m, w.inside, w.room_inside);
    MEM_FREE(m, w.is_in_quad, w.room_in_quad);
    p->n_line_points = in->n_line_points;
    if (r < 0)
        panel_mesh_destroy(p);
    return r;
}

void panel_mesh_destroy(panel_mesh *p)
{
    MEM_FREE(p->mem, p->nodes, p->room_nodes);
    MEM_FREE(p->mem, p->triangles, p->room_triangles);
    MEM_FREE(p->mem, p->quads, p->room_quads);
    MEM_FREE(p->mem, p->line_nodes, p->n_line_points);
}
