/* SPDX-License-Identifier: MIT */
/* Measures a repair: exact audit, also after rounding to float; area, edge lengths, dihedral angles and displacement
 * beside the input. Bounds: area within 2 %, 5th and 95th percentile of edges within 8 %, none beyond 1.5 or below 0.6,
 * 90 % of angles within 20°; mean displacement at most half of the least translation that parts the pieces (of several
 * objects; by 80 directions, of their extents along each) or 0.2 of the bounding box (of one). Of what is worn:
 * within 5 mm of the original in the mean, rings round the same limb, and far vertices of garments in bodies within
 * 1 mm of where they were. */
#include "repair_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
    int32_t v[2], ti, corner;
} side;

static weft_vec3 minus(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double along(weft_vec3 a, weft_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double distance(weft_vec3 a, weft_vec3 b)
{
    weft_vec3 d = minus(a, b);
    return sqrt(along(d, d));
}

static weft_vec3 area_normal(const heap *h, const weft_vec3 *x, int32_t ti)
{
    const int32_t *t = h->triangles + 3 * (size_t)ti;
    weft_vec3 a = minus(x[t[1]], x[t[0]]), b = minus(x[t[2]], x[t[0]]);
    return (weft_vec3){(a.y * b.z - a.z * b.y) / 2, (a.z * b.x - a.x * b.z) / 2, (a.x * b.y - a.y * b.x) / 2};
}

static bool is_cloth(const tangle_case *c, int32_t ti)
{
    return !c->is_collider[c->h.objects[ti]];
}

static double area_of(const tangle_case *c, const weft_vec3 *x)
{
    double sum = 0;
    for (int32_t ti = 0; ti < c->h.n_triangles; ti++) {
        weft_vec3 n = area_normal(&c->h, x, ti);
        sum += is_cloth(c, ti) ? sqrt(along(n, n)) : 0;
    }
    return sum;
}

/* ---- audits ------------------------------------------------------------------------------------------------------ */

weft_audit_def repair_audit_def(const tangle_case *c)
{
    weft_audit_def d = weft_audit_def_default();
    d.n_nodes = c->h.n_nodes;
    d.positions = c->h.x;
    d.n_triangles = c->h.n_triangles;
    d.triangles = c->h.triangles;
    d.objects = c->h.objects;
    d.n_objects = c->h.n_objects;
    d.object_is_collider = c->is_collider;
    d.colliders = &c->solid;
    d.n_colliders = c->n_solids;
    return d;
}

int64_t repair_pairs(const tangle_case *c, const weft_vec3 *x, int32_t *contours)
{
    weft_audit_def d = repair_audit_def(c);
    weft_audit *audit = NULL;
    d.positions = x;
    int64_t n = -1;
    if (weft_audit_create(&d, &audit, NULL) >= 0 && weft_audit_run(audit, NULL, 0, NULL) >= 0) {
        weft_audit_found f = weft_audit_get(audit);
        n = f.n_pairs + f.n_near_triangles;
        *contours = f.n_contours;
    }
    weft_audit_destroy(audit);
    return n;
}

static bool measure_pairs(repair_measure *m, const tangle_case *c, const weft_vec3 *x)
{
    int32_t unused = 0;
    weft_vec3 *rounded = malloc((size_t)c->h.n_nodes * sizeof *rounded);
    if (!rounded)
        return false;
    for (int32_t i = 0; i < c->h.n_nodes; i++)
        rounded[i] = (weft_vec3){(double)(float)x[i].x, (double)(float)x[i].y, (double)(float)x[i].z};
    m->pairs = repair_pairs(c, x, &m->contours);
    m->pairs_single = c->n_solids > 0 ? m->pairs : repair_pairs(c, rounded, &unused);
    free(rounded);
    return true;
}

/* ---- edges and angles -------------------------------------------------------------------------------------------- */

static int by_vertices(const void *a, const void *b)
{
    const side *p = a, *q = b;
    int first = (p->v[0] > q->v[0]) - (p->v[0] < q->v[0]), second = (p->v[1] > q->v[1]) - (p->v[1] < q->v[1]);
    return first ? first : second ? second : (p->ti > q->ti) - (p->ti < q->ti);
}

static int by_value(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static int64_t list_sides(const tangle_case *c, side *out)
{
    int64_t n = 0;
    for (int32_t ti = 0; ti < c->h.n_triangles; ti++)
        for (int k = 0; k < 3 && is_cloth(c, ti); k++) {
            int32_t a = c->h.triangles[3 * (size_t)ti + (size_t)k];
            int32_t b = c->h.triangles[3 * (size_t)ti + (size_t)((k + 1) % 3)];
            out[n++] = (side){{a < b ? a : b, a < b ? b : a}, ti, a < b};
        }
    qsort(out, (size_t)n, sizeof *out, by_vertices);
    return n;
}

/* Between the triangles at an edge, in (-π, π]. */
static double dihedral(const heap *h, const weft_vec3 *x, const side *p, const side *q)
{
    weft_vec3 a = area_normal(h, x, p->ti), b = area_normal(h, x, q->ti), e = minus(x[p->v[1]], x[p->v[0]]);
    double way = p->corner ? 1 : -1, other = p->corner != q->corner ? 1 : -1;
    weft_vec3 n = {other * b.x, other * b.y, other * b.z};
    weft_vec3 cross = {a.y * n.z - a.z * n.y, a.z * n.x - a.x * n.z, a.x * n.y - a.y * n.x};
    return atan2(way * along(cross, e) / (sqrt(along(e, e)) + 1e-300), along(a, n));
}

static void measure_edges(repair_measure *m, const tangle_case *c, const weft_vec3 *x, side *sides, double *ratio)
{
    int64_t n = list_sides(c, sides), n_edges = 0, n_hinges = 0, n_near = 0;
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && memcmp(sides[i].v, sides[end].v, sizeof sides[i].v) == 0;)
            end++;
        const int32_t *v = sides[i].v;
        double before = distance(c->h.x[v[0]], c->h.x[v[1]]);
        if (before > 0)
            ratio[n_edges++] = distance(x[v[0]], x[v[1]]) / before;
        if (end - i != 2)
            continue;
        double turn = dihedral(&c->h, x, &sides[i], &sides[i + 1]) - dihedral(&c->h, c->h.x, &sides[i], &sides[i + 1]);
        n_hinges++;
        n_near += fabs(remainder(turn, 6.283185307179586)) <= 20 * 0.017453292519943295;
    }
    qsort(ratio, (size_t)n_edges, sizeof *ratio, by_value);
    int64_t at[] = {0, n_edges / 20, n_edges - 1 - n_edges / 20, n_edges - 1};
    for (int i = 0; i < 4; i++)
        m->edge[i] = n_edges > 0 ? ratio[at[i]] : 1;
    m->bent = n_hinges > 0 ? (double)n_near / (double)n_hinges : 1;
}

/* ---- displacement ------------------------------------------------------------------------------------------------ */

/* Extents of an object along a direction. */
static void extent(const heap *h, int32_t object, weft_vec3 d, double out[2])
{
    out[0] = 1e300;
    out[1] = -1e300;
    for (int32_t ti = 0; ti < h->n_triangles; ti++)
        for (int k = 0; k < 3 && h->objects[ti] == object; k++) {
            double s = along(d, h->x[h->triangles[3 * (size_t)ti + (size_t)k]]);
            out[0] = fmin(out[0], s);
            out[1] = fmax(out[1], s);
        }
}

/* The least translation that parts two objects, by 80 directions; the greatest of all pairs. */
static double parting(const heap *h)
{
    double most = 0;
    for (int32_t a = 0; a < h->n_objects; a++)
        for (int32_t b = a + 1; b < h->n_objects; b++) {
            double least = 1e300;
            for (int i = 0; i < 80; i++) {
                double z = 1 - (2 * i + 1) / 80.0, t = 2.399963229728653 * i, r = sqrt(1 - z * z), p[2], q[2];
                weft_vec3 d = {r * cos(t), r * sin(t), z};
                extent(h, a, d, p);
                extent(h, b, d, q);
                least = fmin(least, fmax(0, p[1] - q[0]));
            }
            most = fmax(most, least);
        }
    return most;
}

static double box_size(const heap *h)
{
    weft_vec3 low = h->x[0], high = h->x[0];
    for (int32_t i = 0; i < h->n_nodes; i++) {
        low = (weft_vec3){fmin(low.x, h->x[i].x), fmin(low.y, h->x[i].y), fmin(low.z, h->x[i].z)};
        high = (weft_vec3){fmax(high.x, h->x[i].x), fmax(high.y, h->x[i].y), fmax(high.z, h->x[i].z)};
    }
    return distance(low, high);
}

static void measure_ways(repair_measure *m, const tangle_case *c, const weft_vec3 *x, uint8_t *cloth)
{
    int32_t n = 0;
    for (int32_t ti = 0; ti < c->h.n_triangles; ti++)
        for (int k = 0; k < 3 && is_cloth(c, ti); k++)
            cloth[c->h.triangles[3 * (size_t)ti + (size_t)k]] = 1;
    m->moved = 0;
    m->original = m->input = c->original ? 0 : (double)NAN;
    for (int32_t i = 0; i < c->h.n_nodes; i++) {
        n += cloth[i];
        m->moved += cloth[i] ? distance(x[i], c->h.x[i]) : 0;
        if (!c->original || !cloth[i])
            continue;
        m->original += distance(x[i], c->original[i]);
        m->input += distance(c->h.x[i], c->original[i]);
    }
    m->moved /= n;
    m->original /= n;
    m->input /= n;
    m->bound = c->h.n_objects > 1 ? parting(&c->h) / 2 : 0.2 * box_size(&c->h);
}

/* Layers are made to bulge through each other wherever they do: only what is in bodies has a part that is far. */
static void measure_worn(repair_measure *m, const tangle_case *c, const weft_vec3 *x)
{
    m->round = repair_rings_are_round(c, x);
    m->far_moved = c->n_tubes == 1 ? repair_far_move(c, x) : (double)NAN;
    m->original_again = m->round && !(m->far_moved > 0.001) && !(m->original > 0.005);
}

double repair_area(const tangle_case *c, const weft_vec3 *x)
{
    return area_of(c, x) / area_of(c, c->h.x);
}

bool repair_measure_take(repair_measure *m, const tangle_case *c, const weft_vec3 *x)
{
    size_t n = 3 * (size_t)c->h.n_triangles;
    side *sides = malloc(n * sizeof *sides);
    double *ratio = malloc(n * sizeof *ratio);
    uint8_t *cloth = calloc((size_t)c->h.n_nodes, 1);
    bool good = sides && ratio && cloth;
    *m = (repair_measure){0};
    good = good && measure_pairs(m, c, x);
    if (good) {
        measure_edges(m, c, x, sides, ratio);
        measure_ways(m, c, x, cloth);
        m->area = area_of(c, x) / area_of(c, c->h.x);
        m->clean = m->pairs == 0 && m->pairs_single == 0;
        m->shaped = fabs(m->area - 1) <= 0.02 && m->edge[1] >= 0.92 && m->edge[2] <= 1.08 && m->edge[0] >= 0.6 &&
                    m->edge[3] <= 1.5 && m->bent >= 0.9;
        m->near_by = m->moved <= m->bound;
        measure_worn(m, c, x);
    }
    free(sides);
    free(ratio);
    free(cloth);
    return good;
}
