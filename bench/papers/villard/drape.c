/* SPDX-License-Identifier: MIT */
/* Folds of a drape, and how far two drapes are apart: what bench_villard.c compares adaptive and uniform meshes by.
 *
 * Distances are found with a grid of cells over the triangles: nodes look in their own cell, then in shells around it,
 * until nothing nearer can come. */
#include "drape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- taking ------------------------------------------------------------------------------------------------------ */

void drape_free(drape *d)
{
    free(d->mesh.positions);
    free(d->mesh.uv);
    free(d->mesh.triangles);
    *d = (drape){0};
}

static void measure(drape *d)
{
    double low_u = HUGE_VAL, low_v = HUGE_VAL, high_u = -HUGE_VAL, high_v = -HUGE_VAL;
    for (int32_t i = 0; i < d->mesh.n_nodes; i++) {
        low_u = fmin(low_u, d->mesh.uv[i].u);
        high_u = fmax(high_u, d->mesh.uv[i].u);
        low_v = fmin(low_v, d->mesh.uv[i].v);
        high_v = fmax(high_v, d->mesh.uv[i].v);
    }
    d->centre = (weft_vec2){(low_u + high_u) / 2, (low_v + high_v) / 2};
    d->side = fmax(high_u - low_u, high_v - low_v);
}

weft_result drape_take(const weft_sim *sim, weft_cloth_id cloth, int32_t level, drape *out, weft_error *error)
{
    *out = (drape){0};
    weft_uniform *m = &out->mesh;
    weft_result r = weft_cloth_get_uniform(sim, cloth, level, m, error);
    if (r < 0)
        return r;
    m->positions = calloc((size_t)m->n_nodes + 1, sizeof *m->positions);
    m->uv = calloc((size_t)m->n_nodes + 1, sizeof *m->uv);
    m->triangles = calloc(3 * (size_t)m->n_triangles + 1, sizeof *m->triangles);
    if (m->positions && m->uv && m->triangles) {
        r = weft_cloth_get_uniform(sim, cloth, level, m, error);
        if (r >= 0)
            measure(out);
    } else {
        *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
        r = WEFT_ERROR_MEMORY;
    }
    if (r < 0)
        drape_free(out);
    return r;
}

bool drape_write(const drape *d, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    for (int32_t i = 0; i < d->mesh.n_nodes; i++)
        fprintf(f, "v %.9g %.9g %.9g\n", d->mesh.positions[i].x, d->mesh.positions[i].y, d->mesh.positions[i].z);
    for (int32_t i = 0; i < d->mesh.n_nodes; i++)
        fprintf(f, "vt %.9g %.9g\n", d->mesh.uv[i].u, d->mesh.uv[i].v);
    for (int32_t i = 0; i < d->mesh.n_triangles; i++) {
        const int32_t *t = d->mesh.triangles + 3 * (int64_t)i;
        fprintf(f, "f %d/%d %d/%d %d/%d\n", t[0] + 1, t[0] + 1, t[1] + 1, t[1] + 1, t[2] + 1, t[2] + 1);
    }
    bool fine = !ferror(f);
    return fclose(f) == 0 && fine;
}

/* ---- folds ------------------------------------------------------------------------------------------------------- */

typedef struct hem_point {
    double angle, radius;
} hem_point;

static int by_angle(const void *a, const void *b)
{
    double x = ((const hem_point *)a)->angle, y = ((const hem_point *)b)->angle;
    return (x > y) - (x < y);
}

typedef struct hem_side {
    int32_t low, high;
} hem_side;

static int by_nodes(const void *a, const void *b)
{
    const hem_side *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->high > y->high) - (x->high < y->high);
}

/* Nodes of sides that only one triangle has. */
static bool mark_border(const drape *d, bool *border)
{
    size_t n = 3 * (size_t)d->mesh.n_triangles;
    hem_side *sides = calloc(n + 1, sizeof *sides);
    if (!sides)
        return false;
    for (size_t i = 0; i < n; i++) {
        int32_t a = d->mesh.triangles[i], b = d->mesh.triangles[i % 3 == 2 ? i - 2 : i + 1];
        sides[i] = (hem_side){a < b ? a : b, a < b ? b : a};
    }
    qsort(sides, n, sizeof *sides, by_nodes);
    for (size_t i = 0; i < n;) {
        size_t j = i + 1;
        while (j < n && by_nodes(&sides[i], &sides[j]) == 0)
            j++;
        if (j == i + 1)
            border[sides[i].low] = border[sides[i].high] = true;
        i = j;
    }
    free(sides);
    return true;
}

/* Maxima of a closed curve that stand out by `least`: going round from its lowest point, up and down by that much. */
static int32_t count_maxima(const hem_point *hem, int32_t n, double least)
{
    int32_t start = 0, found = 0;
    for (int32_t i = 1; i < n; i++)
        start = hem[i].radius < hem[start].radius ? i : start;
    double low = hem[start].radius, high = low;
    bool rising = true;
    for (int32_t k = 1; k <= n; k++) {
        double r = hem[(start + k) % n].radius;
        if (rising) {
            high = fmax(high, r);
            if (r < high - least && high > low + least) {
                found++;
                rising = false;
                low = r;
            }
        } else {
            low = fmin(low, r);
            if (r > low + least) {
                rising = true;
                high = r;
            }
        }
    }
    return found;
}

/* How far the share of the side can go, in steps of a thousandth up to a half, before another number is counted. */
static double same_count(const hem_point *hem, int32_t n, double side, double least, double step)
{
    int32_t found = count_maxima(hem, n, least * side);
    double to = least;
    for (double t = least + step; t > 0 && t < 0.5 && count_maxima(hem, n, t * side) == found; t += step)
        to = t;
    return to;
}

int32_t drape_folds(const drape *d, double least, double *from, double *to)
{
    bool *border = calloc((size_t)d->mesh.n_nodes + 1, sizeof *border);
    hem_point *hem = calloc((size_t)d->mesh.n_nodes + 1, sizeof *hem);
    int32_t n = 0, found = -1;
    if (border && hem && mark_border(d, border)) {
        for (int32_t i = 0; i < d->mesh.n_nodes; i++) {
            const weft_vec3 *p = &d->mesh.positions[i];
            if (border[i])
                hem[n++] =
                    (hem_point){atan2(d->mesh.uv[i].v - d->centre.v, d->mesh.uv[i].u - d->centre.u), hypot(p->x, p->z)};
        }
        qsort(hem, (size_t)n, sizeof *hem, by_angle);
        found = n > 0 ? count_maxima(hem, n, least * d->side) : 0;
        *from = same_count(hem, n, d->side, least, -1e-3);
        *to = same_count(hem, n, d->side, least, 1e-3);
    }
    free(border);
    free(hem);
    return found;
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

typedef struct cells {
    const weft_vec3 *x;
    const int32_t *triangles;
    weft_vec3 low;
    double size;
    int32_t n[3];
    int32_t *start, *items; /* triangles by cell; one that spans several is in all of them */
} cells;

static weft_vec3 sub(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static weft_vec3 along(weft_vec3 a, double t, weft_vec3 d)
{
    return (weft_vec3){a.x + t * d.x, a.y + t * d.y, a.z + t * d.z};
}

static double dot(weft_vec3 a, weft_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double segment_distance_sq(weft_vec3 p, weft_vec3 a, weft_vec3 b)
{
    weft_vec3 d = sub(b, a);
    double l = dot(d, d), t = l > 0 ? fmax(0, fmin(1, dot(sub(p, a), d) / l)) : 0;
    weft_vec3 off = sub(p, along(a, t, d));
    return dot(off, off);
}

/* By the foot of the perpendicular if that is inside, else by the sides. */
static double triangle_distance_sq(weft_vec3 p, weft_vec3 a, weft_vec3 b, weft_vec3 c)
{
    weft_vec3 e = sub(b, a), f = sub(c, a), d = sub(p, a);
    double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), de = dot(d, e), df = dot(d, f);
    double det = ee * ff - ef * ef, s = ff * de - ef * df, t = ee * df - ef * de;
    if (det > 0 && s >= 0 && t >= 0 && s + t <= det) {
        weft_vec3 off = sub(d, along((weft_vec3){e.x * s / det, e.y * s / det, e.z * s / det}, t / det, f));
        return dot(off, off);
    }
    return fmin(segment_distance_sq(p, a, b), fmin(segment_distance_sq(p, b, c), segment_distance_sq(p, c, a)));
}

static int32_t cell_along(double x, double low, double size, int32_t n)
{
    double k = floor((x - low) / size);
    return k < 0 ? 0 : k >= n ? n - 1 : (int32_t)k;
}

static void cell_of(const cells *c, weft_vec3 p, int32_t out[3])
{
    out[0] = cell_along(p.x, c->low.x, c->size, c->n[0]);
    out[1] = cell_along(p.y, c->low.y, c->size, c->n[1]);
    out[2] = cell_along(p.z, c->low.z, c->size, c->n[2]);
}

static int64_t cell_index(const cells *c, int32_t i, int32_t j, int32_t k)
{
    return ((int64_t)k * c->n[1] + j) * c->n[0] + i;
}

/* Counts (items NULL) or enters a triangle in the cells of its box. */
static void enter(cells *c, int32_t ti, int32_t *count)
{
    int32_t from[3], to[3], at[3];
    cell_of(c, c->x[c->triangles[3 * (int64_t)ti]], from);
    memcpy(to, from, sizeof to);
    for (int k = 1; k < 3; k++) {
        cell_of(c, c->x[c->triangles[3 * (int64_t)ti + k]], at);
        for (int d = 0; d < 3; d++) {
            from[d] = at[d] < from[d] ? at[d] : from[d];
            to[d] = at[d] > to[d] ? at[d] : to[d];
        }
    }
    for (int32_t k = from[2]; k <= to[2]; k++)
        for (int32_t j = from[1]; j <= to[1]; j++)
            for (int32_t i = from[0]; i <= to[0]; i++) {
                int64_t cell = cell_index(c, i, j, k);
                if (c->items)
                    c->items[c->start[cell] + count[cell]] = ti;
                count[cell]++;
            }
}

static void cells_free(cells *c)
{
    free(c->start);
    free(c->items);
}

static void bound(cells *c, const drape *d)
{
    weft_vec3 low = d->mesh.positions[0], high = low;
    for (int32_t i = 1; i < d->mesh.n_nodes; i++) {
        weft_vec3 p = d->mesh.positions[i];
        low = (weft_vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (weft_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    c->low = low;
    c->size = d->side / 64;
    c->n[0] = 1 + (int32_t)((high.x - low.x) / c->size);
    c->n[1] = 1 + (int32_t)((high.y - low.y) / c->size);
    c->n[2] = 1 + (int32_t)((high.z - low.z) / c->size);
}

static bool cells_make(cells *c, const drape *d)
{
    *c = (cells){.x = d->mesh.positions, .triangles = d->mesh.triangles};
    bound(c, d);
    size_t n = (size_t)c->n[0] * (size_t)c->n[1] * (size_t)c->n[2];
    int32_t *count = calloc(n + 1, sizeof *count);
    c->start = calloc(n + 1, sizeof *c->start);
    if (count && c->start) {
        for (int32_t ti = 0; ti < d->mesh.n_triangles; ti++)
            enter(c, ti, count);
        for (size_t i = 0; i < n; i++)
            c->start[i + 1] = c->start[i] + count[i];
        c->items = calloc((size_t)c->start[n] + 1, sizeof *c->items);
        memset(count, 0, n * sizeof *count);
        for (int32_t ti = 0; c->items && ti < d->mesh.n_triangles; ti++)
            enter(c, ti, count);
    }
    free(count);
    return c->items != NULL;
}

static double nearest_in_cell(const cells *c, int64_t cell, weft_vec3 p, double best_sq)
{
    for (int32_t i = c->start[cell]; i < c->start[cell + 1]; i++) {
        const int32_t *t = c->triangles + 3 * (int64_t)c->items[i];
        best_sq = fmin(best_sq, triangle_distance_sq(p, c->x[t[0]], c->x[t[1]], c->x[t[2]]));
    }
    return best_sq;
}

/* Shells of cells around the one nearest to p. What lies beyond shell s is at least s cells away from that one. */
static double distance_from(const cells *c, weft_vec3 p)
{
    int32_t at[3], most = c->n[0] > c->n[1] ? c->n[0] : c->n[1];
    most = most > c->n[2] ? most : c->n[2];
    double best_sq = HUGE_VAL;
    cell_of(c, p, at);
    for (int32_t s = 0; s <= most; s++) {
        double reach = (s - 1) * c->size;
        if (reach > 0 && reach * reach > best_sq)
            break;
        for (int32_t k = at[2] - s; k <= at[2] + s; k++)
            for (int32_t j = at[1] - s; j <= at[1] + s; j++)
                for (int32_t i = at[0] - s; i <= at[0] + s; i++) {
                    bool shell = abs(i - at[0]) == s || abs(j - at[1]) == s || abs(k - at[2]) == s;
                    if (shell && i >= 0 && j >= 0 && k >= 0 && i < c->n[0] && j < c->n[1] && k < c->n[2])
                        best_sq = nearest_in_cell(c, cell_index(c, i, j, k), p, best_sq);
                }
    }
    return sqrt(best_sq);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static weft_vec3 turned(weft_vec3 p, double angle)
{
    double c = cos(angle), s = sin(angle);
    return (weft_vec3){c * p.x + s * p.z, p.y, c * p.z - s * p.x};
}

bool drape_distance(const drape *a, const drape *b, double turn, double *mean, double *most)
{
    cells of_a = {0}, of_b = {0};
    size_t n = (size_t)a->mesh.n_nodes + (size_t)b->mesh.n_nodes, k = 0;
    double *all = calloc(n + 1, sizeof *all), sum = 0;
    bool ok = all && cells_make(&of_a, a) && cells_make(&of_b, b);
    for (int32_t i = 0; ok && i < a->mesh.n_nodes; i++)
        all[k++] = distance_from(&of_b, turned(a->mesh.positions[i], turn));
    for (int32_t i = 0; ok && i < b->mesh.n_nodes; i++)
        all[k++] = distance_from(&of_a, turned(b->mesh.positions[i], -turn));
    if (ok) {
        for (size_t i = 0; i < n; i++)
            sum += all[i];
        qsort(all, n, sizeof *all, by_size);
        *mean = sum / (double)n;
        *most = all[(size_t)(0.95 * (double)(n - 1))];
    }
    cells_free(&of_a);
    cells_free(&of_b);
    free(all);
    return ok;
}
