/* SPDX-License-Identifier: MIT */
/* Measures a garment pushed partly into the body that wears it, beside where it was: part of a body's own surface, 8 mm
 * outside of it, with a dent of 5, 15 or 40 mm in front. It is to come out clean, and what is more than three rings
 * from where it was inside or crossed is to stay where it was: by 0.1 mm in the mean. */
#include "ye.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ABOVE 0.008 /* of the garment over the skin, m */
#define DENT 0.09   /* radius, m */

static weft_vec3 minus(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double length(weft_vec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

/* Unit normals of all nodes. */
static void find_normals(const heap *h, weft_vec3 *out)
{
    memset(out, 0, (size_t)h->n_nodes * sizeof *out);
    for (int32_t ti = 0; ti < h->n_triangles; ti++) {
        const int32_t *t = h->triangles + 3 * (size_t)ti;
        weft_vec3 u = minus(h->x[t[1]], h->x[t[0]]), v = minus(h->x[t[2]], h->x[t[0]]);
        weft_vec3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
        for (int k = 0; k < 3; k++)
            out[t[k]] = (weft_vec3){out[t[k]].x + n.x, out[t[k]].y + n.y, out[t[k]].z + n.z};
    }
    for (int32_t i = 0; i < h->n_nodes; i++) {
        double l = length(out[i]);
        if (l > 0)
            out[i] = (weft_vec3){out[i].x / l, out[i].y / l, out[i].z / l};
    }
}

/* The trunk: between 52 and 78 % of the body's height, without arms. */
static bool is_trunk(weft_vec3 x, double low, double high)
{
    double y = (x.y - low) / (high - low);
    return y > 0.52 && y < 0.78 && fabs(x.x) < 0.16 * (high - low) / 1.7;
}

/* Appends the garment as object 1; *first is its first node, and ring[i] 0 where it is in the body, else 4. */
static bool add_garment(heap *h, double depth, int32_t *first, uint8_t *ring)
{
    int32_t n = h->n_nodes, n_triangles = h->n_triangles;
    weft_vec3 *normals = malloc((size_t)n * sizeof *normals), front = {0, 0, -1e9};
    int32_t *number = malloc((size_t)n * sizeof *number);
    double low = 1e9, high = -1e9;
    bool good = normals && number && heap_grow(h, n, n_triangles);
    for (int32_t i = 0; good && i < n; i++) {
        low = fmin(low, h->x[i].y);
        high = fmax(high, h->x[i].y);
        number[i] = -1;
    }
    if (good)
        find_normals(h, normals);
    for (int32_t i = 0; good && i < n; i++) /* the foremost point of the belly */
        if (fabs(h->x[i].y - (low + 0.62 * (high - low))) < 0.02 && fabs(h->x[i].x) < 0.05 && h->x[i].z > front.z)
            front = h->x[i];
    *first = n;
    for (int32_t ti = 0; good && ti < n_triangles; ti++) {
        int32_t t[3];
        bool in = true;
        memcpy(t, h->triangles + 3 * (size_t)ti, sizeof t);
        for (int k = 0; k < 3; k++)
            in = in && is_trunk(h->x[t[k]], low, high);
        for (int k = 0; k < 3 && in; k++) {
            if (number[t[k]] < 0) {
                weft_vec3 x = h->x[t[k]], m = normals[t[k]];
                double away = length(minus(x, front)) / DENT,
                       shape = away < 1 ? (1 - away * away) * (1 - away * away) : 0;
                double lift = ABOVE - shape * (ABOVE + depth);
                number[t[k]] = h->n_nodes;
                ring[h->n_nodes] = lift < 0 ? 0 : 4;
                h->x[h->n_nodes++] = (weft_vec3){x.x + lift * m.x, x.y + lift * m.y, x.z + lift * m.z};
            }
            t[k] = number[t[k]];
        }
        if (in)
            heap_triangle(h, t[0], t[1], t[2]);
    }
    h->n_objects++;
    free(normals);
    free(number);
    return good;
}

/* ring[i]: edges from what is in the body or crosses its skin, at most 4. */
static void find_rings(const heap *h, uint8_t *ring)
{
    for (uint8_t round = 0; round < 4; round++)
        for (int32_t ti = 0; ti < h->n_triangles; ti++) {
            const int32_t *t = h->triangles + 3 * (size_t)ti;
            for (int k = 0; k < 3 && h->objects[ti] == 1; k++)
                for (int j = 0; j < 3; j++)
                    if (ring[t[j]] == round && ring[t[k]] > round + 1)
                        ring[t[k]] = (uint8_t)(round + 1);
        }
}

/* What crosses the skin counts as well: offset surfaces do at creases. */
static bool mark_crossing(const heap *h, const bool *is_collider, uint8_t *ring)
{
    weft_audit_def d = weft_audit_def_default();
    weft_audit *a = NULL;
    weft_error e;
    d.n_nodes = h->n_nodes;
    d.positions = h->x;
    d.n_triangles = h->n_triangles;
    d.triangles = h->triangles;
    d.objects = h->objects;
    d.n_objects = h->n_objects;
    d.object_is_collider = is_collider;
    bool good = weft_audit_create(&d, &a, &e) >= 0 && weft_audit_run(a, NULL, 0, &e) >= 0;
    weft_audit_found f = good ? weft_audit_get(a) : (weft_audit_found){0};
    for (int64_t i = 0; i < f.n_pairs; i++)
        for (int k = 0; k < 6; k++)
            ring[h->triangles[3 * (size_t)f.pairs[i].triangle[k / 3] + (size_t)(k % 3)]] = 0;
    weft_audit_destroy(a);
    return good;
}

static bool dress(const bench_options *o, const char *body, double depth)
{
    heap h = {0};
    weft_untangle_report r;
    int32_t first = 0;
    char name[64];
    if (!heap_read(&h, o, body))
        return true;
    uint8_t *ring = calloc(2 * (size_t)h.n_nodes, 1);
    bool good = ring && add_garment(&h, depth, &first, ring);
    weft_vec3 *before = malloc((size_t)h.n_nodes * sizeof *before);
    good = good && before;
    if (good) {
        bool is_collider[2] = {true, false};
        double sum = 0;
        int32_t n = 0;
        memcpy(before, h.x, (size_t)h.n_nodes * sizeof *before);
        good = mark_crossing(&h, is_collider, ring);
        find_rings(&h, ring);
        weft_untangle_def d = heap_def(&h, o);
        d.object_is_collider = is_collider;
        d.keep_shape = true;
        snprintf(name, sizeof name, "%.*s, %.0f mm in", 12, strrchr(body, '/') + 1, 1e3 * depth);
        good = good && heap_solve(&h, &d, name, "-", &r);
        for (int32_t i = first; i < h.n_nodes; i++)
            if (ring[i] == 4) {
                sum += length(minus(h.x[i], before[i]));
                n++;
            }
        double mean = n > 0 ? 1e3 * sum / n : 0;
        printf("  %d of %d vertices are more than three rings away; they moved by %.4f mm in the mean\n", n,
               h.n_nodes - first, mean);
        good = good && r.pairs_after == 0 && r.inside_after == 0 && mean <= 0.1;
    }
    free(before);
    free(ring);
    heap_free(&h);
    return good;
}

bool ye_garment(const bench_options *o)
{
    static const double depths[] = {0.005, 0.015, 0.04};
    static const char *const bodies[] = {"bodies/mh_female_apose.obj", "bodies/mh_male_apose.obj"};
    bool good = true;
    for (int b = 0; b < (o->quick ? 1 : 2); b++)
        for (int i = 0; i < 3; i++)
            good = dress(o, bodies[b], depths[i]) && good;
    return good;
}
