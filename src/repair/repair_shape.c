/* SPDX-License-Identifier: MIT */
/* What has become of the cloth: area, lengths and angles beside those of the input. */
#include "repair/repair.h"

#include <math.h>

#include "base/sort.h"
#include "repair/params.h"

double repair_triangle_area(const mesh_adjacency *w, const vec3 *x, int32_t ti)
{
    const int32_t *t = w->tri[ti];
    return 0.5 * v3_len(v3_cross(v3_sub(x[t[1]], x[t[0]]), v3_sub(x[t[2]], x[t[0]])));
}

static int order_ratios(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static int32_t opposite(const mesh_adjacency *w, const mesh_adjacency_edge *e, int side)
{
    const int32_t *t = w->tri[e->tri[side]];
    return t[0] + t[1] + t[2] - e->v[0] - e->v[1];
}

/* Cosine and sine of the angle between the two triangles at an edge, 0 where they are flat. False: one has no area. */
static bool hinge_angle(const mesh_adjacency *w, const mesh_adjacency_edge *e, const vec3 *x, double out[2])
{
    vec3 along = v3_sub(x[e->v[1]], x[e->v[0]]);
    vec3 a = v3_cross(along, v3_sub(x[opposite(w, e, 0)], x[e->v[0]]));
    vec3 b = v3_cross(v3_sub(x[opposite(w, e, 1)], x[e->v[0]]), along);
    double cosine = v3_dot(a, b), sine = v3_dot(v3_cross(a, b), v3_unit_or(along, v3_zero()));
    double length = sqrt(cosine * cosine + sine * sine);
    if (!(length > 0))
        return false;
    out[0] = cosine / length;
    out[1] = sine / length;
    return true;
}

/* Of angles, the fraction that differs from the input's by less than REPAIR_ANGLE. */
static double measure_angles(const repair *k, const vec3 *x)
{
    int64_t n = 0, n_near = 0;
    for (int32_t ei = 0; ei < k->w.n_edges; ei++) {
        const mesh_adjacency_edge *e = &k->w.edges[ei];
        double before[2], after[2];
        if (e->n_tris != 2 || !k->wanted[e->tri[0]] || !k->wanted[e->tri[1]] ||
            !hinge_angle(&k->w, e, k->def->positions, before))
            continue;
        n++;
        n_near += hinge_angle(&k->w, e, x, after) && before[0] * after[0] + before[1] * after[1] >= REPAIR_ANGLE_COSINE;
    }
    return n > 0 ? (double)n_near / (double)n : 1;
}

void repair_measure_cloth(repair *k, const vec3 *x, double *scratch)
{
    weft_untangle_report *p = k->report;
    const vec3 *before = k->def->positions;
    int64_t n = 0;
    double area[2] = {0, 0};
    for (int32_t ei = 0; ei < k->w.n_edges; ei++) {
        const mesh_adjacency_edge *e = &k->w.edges[ei];
        double length = v3_len(v3_sub(before[e->v[0]], before[e->v[1]]));
        if (k->wanted[e->tri[0]] && length > 0)
            k->ratio[n++] = v3_len(v3_sub(x[e->v[0]], x[e->v[1]])) / length;
    }
    for (int32_t ti = 0; ti < k->w.n_triangles; ti++)
        if (k->wanted[ti]) {
            area[0] += repair_triangle_area(&k->w, before, ti);
            area[1] += repair_triangle_area(&k->w, x, ti);
        }
    if (n > 0)
        sort_items(k->ratio, scratch, n, sizeof *k->ratio, order_ratios);
    int64_t at[] = {0, n / 20, n - 1 - n / 20, n - 1};
    for (int i = 0; i < 4; i++)
        p->edge[i] = n > 0 ? k->ratio[at[i]] : 1;
    p->area = area[0] > 0 ? area[1] / area[0] : 1;
    p->angles = measure_angles(k, x);
}

bool repair_is_relaxed(const weft_untangle_report *p)
{
    return p->edge[1] > 1 - REPAIR_RELAXED && p->edge[2] < 1 + REPAIR_RELAXED && p->edge[0] > 1 - REPAIR_RELAXED_ONE &&
           p->edge[3] < 1 + REPAIR_RELAXED_ONE;
}

bool repair_is_same(const weft_untangle_report *p)
{
    return fabs(p->area - 1) <= REPAIR_AREA && p->edge[0] >= REPAIR_SHORTEST && p->edge[3] <= REPAIR_LONGEST &&
           p->edge[1] >= 1 - REPAIR_LENGTHS && p->edge[2] <= 1 + REPAIR_LENGTHS && p->angles >= REPAIR_ANGLES;
}
