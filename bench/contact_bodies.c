/* SPDX-License-Identifier: MIT */
/* A sheet that has come to rest on a sphere, on a cylinder that lies along z, or on shoulders: how far its triangles
 * are from the body. */
#include "contact_distance.h"
#include "contact_scenes.h"
#include "contact_vec.h"

#include <stdlib.h>
#include <string.h>

static const double round_radius = 0.1, sheet_side = 0.3, cylinder_length = 0.5, drop_height = 5e-3; /* m */
static const double cape_side = 0.6, head_half = 0.13, head_tall = 0.2;                              /* m */
static const double near_gap = 2e-3, hover_most = 8e-3; /* m: triangles that are counted; what is looked at */

/* ---- the scene --------------------------------------------------------------------------------------------------- */

typedef struct draped {
    const contact_body_def *def;
    weft_sim *sim;
    weft_cloth_id cloth;
    double thickness;
    contact_mesh own;         /* of a sphere or cylinder of triangles */
    const contact_mesh *mesh; /* the collider's, NULL: analytic */
} draped;

static weft_result add_round(draped *s, weft_error *e)
{
    weft_collider_id id;
    weft_collider_def d = weft_collider_def_default();
    bool is_sphere = s->def->body == CONTACT_SPHERE;
    d.kind = is_sphere ? WEFT_COLLIDER_SPHERE : WEFT_COLLIDER_CYLINDER;
    d.radius = round_radius;
    d.height = cylinder_length;
    if (!is_sphere)
        d.rotation = (weft_quat){sqrt(0.5), 0, 0, sqrt(0.5)};
    return weft_collider_create(s->sim, &d, &id, e);
}

static weft_result add_draped_body(draped *s, weft_error *e)
{
    weft_collider_id id;
    weft_result r = WEFT_OK;
    s->mesh = &s->own;
    if (s->def->body == CONTACT_MESH_SPHERE)
        r = contact_mesh_ball(&s->own, round_radius, 36, 34);
    else if (s->def->body == CONTACT_MESH_CYLINDER)
        r = contact_mesh_tube(&s->own, round_radius, cylinder_length, 64, 0.02);
    else if (s->def->body == CONTACT_BODY)
        s->mesh = s->def->mesh;
    else
        s->mesh = NULL;
    if (r < 0 || !s->mesh)
        return r < 0 ? r : add_round(s, e);
    return contact_mesh_collide(s->sim, s->mesh, &id, e);
}

/* Where the head is, and how high the body is round it, as far as the cape goes. */
static weft_vec3 shoulders_of(const contact_mesh *m)
{
    double top = -HUGE_VAL, high = -HUGE_VAL;
    weft_vec3 sum = {0, 0, 0};
    int32_t n = 0;
    for (int32_t k = 0; k < m->n_nodes; k++)
        top = fmax(top, m->x[k].y);
    for (int32_t k = 0; k < m->n_nodes; k++)
        if (m->x[k].y > top - head_tall) {
            sum = cv_add(sum, m->x[k]);
            n++;
        }
    sum = cv_scale(1.0 / n, sum);
    for (int32_t k = 0; k < m->n_nodes; k++) {
        double far = fmax(fabs(m->x[k].x - sum.x), fabs(m->x[k].z - sum.z));
        if (far > head_half - 0.02 && far < 0.5 * cape_side + 0.02)
            high = fmax(high, m->x[k].y);
    }
    return (weft_vec3){sum.x, high, sum.z};
}

static weft_result add_draped_sheet(draped *s, weft_error *e)
{
    contact_mesh m;
    weft_fabric cotton;
    bool is_cape = s->def->body == CONTACT_BODY;
    double side = is_cape ? cape_side : sheet_side;
    weft_vec3 top = is_cape ? shoulders_of(s->mesh) : (weft_vec3){0, round_radius, 0};
    weft_result r = weft_fabric_find("cotton", &cotton, e);
    r = r < 0 ? r : contact_mesh_rectangle(&m, CONTACT_TRIANGLES, side, side, s->def->edge);
    if (r < 0)
        return r;
    s->thickness = cotton.thickness;
    if (is_cape)
        contact_mesh_cut(&m, head_half);
    weft_vec3 corner = {top.x - 0.5 * side, top.y + cotton.thickness + drop_height, top.z + 0.5 * side};
    contact_mesh_place(&m, corner, (weft_vec3){1, 0, 0}, (weft_vec3){0, 0, -1});
    r = contact_mesh_weave(s->sim, &m, &cotton, (weft_vec3){0, 0, 0}, &s->cloth, e);
    contact_mesh_free(&m);
    return r;
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

static double mesh_distance(const contact_mesh *m, const weft_vec3 t[3], double within)
{
    double least = HUGE_VAL;
    for (int32_t k = 0; k < m->n_triangles; k++) {
        const int32_t *c = m->triangles + 3 * (size_t)k;
        const weft_vec3 o[3] = {m->x[c[0]], m->x[c[1]], m->x[c[2]]};
        least = fmin(least, contact_triangle_triangle(t, o, within));
    }
    return least;
}

/* Less the thickness. */
static double gap_of(const draped *s, const weft_vec3 t[3])
{
    double distance;
    if (s->mesh)
        distance = mesh_distance(s->mesh, t, s->thickness + hover_most);
    else if (s->def->body == CONTACT_SPHERE)
        distance = contact_point_triangle((weft_vec3){0, 0, 0}, t) - round_radius;
    else
        distance = contact_axis_triangle(t) - round_radius;
    return distance - s->thickness;
}

/* Triangles that have a node in common with one that is out are out, too; `out` is per triangle. */
static void erode_triangles(const contact_nodes *n, bool *out, bool *node_out)
{
    memset(node_out, 0, (size_t)n->n);
    for (int32_t k = 0; k < 3 * n->n_triangles; k++)
        node_out[n->triangles[k]] = node_out[n->triangles[k]] || out[k / 3];
    for (int32_t k = 0; k < 3 * n->n_triangles; k++)
        out[k / 3] = out[k / 3] || node_out[n->triangles[k]];
}

static int compare_gaps(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static contact_gaps gather_gaps(const double *gap, const bool *out, int32_t n, double *room)
{
    contact_gaps g = {0};
    for (int32_t k = 0; k < n; k++)
        if (!out[k])
            room[g.n++] = gap[k];
    if (g.n == 0)
        return g;
    qsort(room, (size_t)g.n, sizeof *room, compare_gaps);
    for (int32_t k = 0; k < g.n; k++)
        g.mean += room[k] / g.n;
    g.least = room[0];
    g.most_of_95 = room[(int32_t)(0.95 * (g.n - 1))];
    g.most = room[g.n - 1];
    return g;
}

static void judge_gaps(const draped *s, const contact_nodes *n, double *gap, double *room, bool *out, bool *node_out,
                       contact_draped *result)
{
    double hover = HUGE_VAL;
    for (int32_t k = 0; k < n->n_triangles; k++) {
        const int32_t *c = n->triangles + 3 * (size_t)k;
        const weft_vec3 t[3] = {n->x[c[0]], n->x[c[1]], n->x[c[2]]};
        gap[k] = gap_of(s, t);
        hover = fmin(hover, gap[k]);
    }
    for (int32_t k = 0; k < n->n_triangles; k++)
        out[k] = !(gap[k] < fmax(hover, 0) + near_gap);
    result->near = gather_gaps(gap, out, n->n_triangles, room);
    erode_triangles(n, out, node_out);
    erode_triangles(n, out, node_out);
    result->bearing = gather_gaps(gap, out, n->n_triangles, room);
    for (int32_t k = 0; k < n->n; k++)
        result->speed = fmax(result->speed, cv_length(n->v[k]));
}

static weft_result measure_draped(const draped *s, contact_draped *result, weft_error *e)
{
    contact_nodes n;
    weft_result r = contact_nodes_read(&n, s->sim, s->cloth, e);
    size_t size = (size_t)n.n_triangles;
    double *gap = calloc(size + 1, sizeof *gap), *room = calloc(size + 1, sizeof *room);
    bool *out = calloc(size + 1, sizeof *out), *node_out = calloc((size_t)n.n + 1, sizeof *node_out);
    r = r >= 0 && !(gap && room && out && node_out) ? WEFT_ERROR_MEMORY : r;
    result->thickness = s->thickness;
    if (r >= 0)
        judge_gaps(s, &n, gap, room, out, node_out, result);
    free(gap);
    free(room);
    free(out);
    free(node_out);
    contact_nodes_free(&n);
    return r;
}

weft_result contact_body_run(const contact_body_def *def, contact_draped *out, weft_error *e)
{
    weft_sim_def d = contact_sim_def();
    draped s = {.def = def};
    *out = (contact_draped){0};
    *e = (weft_error){.text = "out of memory"};
    d.n_threads = def->n_threads;
    weft_result r = weft_sim_create(&d, &s.sim, e);
    r = r < 0 ? r : add_draped_body(&s, e);
    r = r < 0 ? r : add_draped_sheet(&s, e);
    for (int k = 0; k < lround(def->seconds / def->h) && r >= 0; k++)
        r = weft_sim_step(s.sim, def->h, NULL, e);
    r = r < 0 ? r : measure_draped(&s, out, e);
    weft_sim_destroy(s.sim);
    contact_mesh_free(&s.own);
    return r;
}
