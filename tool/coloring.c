/* SPDX-License-Identifier: MIT */
#include "coloring.h"

#include <math.h>
#include <stdlib.h>

static weft_vec3 minus(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(weft_vec3 a, weft_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length(weft_vec3 a)
{
    return sqrt(dot(a, a));
}

/* ---- strain ------------------------------------------------------------------------------------------------------ */

void coloring_stretch(const weft_topology *t, const weft_vec3 *x, double *out)
{
    for (int32_t i = 0; i < t->n_nodes; i++)
        out[i] = (double)NAN;
    for (int32_t i = 0; t->rest_lengths && i < 3 * t->n_triangles; i++) {
        double rest = t->rest_lengths[i];
        if (!(rest > 0))
            continue;
        int32_t a = t->triangles[i], b = t->triangles[i % 3 == 2 ? i - 2 : i + 1];
        double strain = length(minus(x[b], x[a])) / rest - 1;
        out[a] = out[a] >= strain ? out[a] : strain;
        out[b] = out[b] >= strain ? out[b] : strain;
    }
}

/* Of a triangle whose sides are p and q in space and (u, v) in the cloth; det is twice its area there. */
static double triangle_strain(int which, weft_vec3 p, weft_vec3 q, const double u[2], const double v[2], double det)
{
    weft_vec3 warp = {(p.x * v[1] - q.x * v[0]) / det, (p.y * v[1] - q.y * v[0]) / det,
                      (p.z * v[1] - q.z * v[0]) / det};
    weft_vec3 weft = {(q.x * u[0] - p.x * u[1]) / det, (q.y * u[0] - p.y * u[1]) / det,
                      (q.z * u[0] - p.z * u[1]) / det};
    double a = length(warp), b = length(weft);
    if (which < 2)
        return (which == 0 ? a : b) - 1;
    return a * b > 0 ? asin(fmax(-1, fmin(1, dot(warp, weft) / (a * b)))) : 0;
}

void coloring_strain(int which, const weft_topology *t, const weft_vec2 *uv, const weft_vec3 *x, double *out)
{
    double *weight = calloc((size_t)t->n_nodes + 1, sizeof *weight);
    for (int32_t i = 0; i < t->n_nodes; i++)
        out[i] = 0;
    for (int32_t i = 0; weight && i < t->n_triangles; i++) {
        const int32_t *n = t->triangles + 3 * (size_t)i;
        double u[2], v[2];
        for (int k = 0; k < 2; k++) {
            u[k] = uv[n[k + 1]].u - uv[n[0]].u;
            v[k] = uv[n[k + 1]].v - uv[n[0]].v;
        }
        double det = u[0] * v[1] - u[1] * v[0];
        if (fabs(det) < 1e-12)
            continue;
        double value = triangle_strain(which, minus(x[n[1]], x[n[0]]), minus(x[n[2]], x[n[0]]), u, v, det);
        for (int k = 0; k < 3; k++) {
            out[n[k]] += fabs(det) * value;
            weight[n[k]] += fabs(det);
        }
    }
    for (int32_t i = 0; i < t->n_nodes; i++)
        out[i] = weight && weight[i] > 0 ? out[i] / weight[i] : (double)NAN;
    free(weight);
}

void coloring_speed(const weft_vec3 *x, const weft_vec3 *before, int32_t n, double seconds, double *out)
{
    for (int32_t i = 0; i < n; i++)
        out[i] = length(minus(x[i], before[i])) / seconds;
}

static int compare_numbers(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

double coloring_most(double *values, size_t n, double part)
{
    if (n == 0)
        return 0;
    qsort(values, n, sizeof *values, compare_numbers);
    return values[(size_t)(part * (double)(n - 1))];
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */

static double box_distance(const double e[3])
{
    double x = fmax(e[0], 0), y = fmax(e[1], 0), z = fmax(e[2], 0), outside = sqrt(x * x + y * y + z * z);
    return outside > 0 ? outside : fmax(e[0], fmax(e[1], e[2]));
}

static double solid_distance(const picture_solid *s, weft_vec3 p)
{
    weft_vec3 d = minus(p, s->position);
    const double *r = s->rotation;
    double q[3], half = s->height / 2;
    for (int k = 0; k < 3; k++)
        q[k] = r[k] * d.x + r[3 + k] * d.y + r[6 + k] * d.z;
    double round = sqrt(q[0] * q[0] + q[2] * q[2]), along = q[1] - fmax(-half, fmin(half, q[1]));
    switch (s->kind) {
    case WEFT_COLLIDER_PLANE: return q[1];
    case WEFT_COLLIDER_SPHERE: return sqrt(round * round + q[1] * q[1]) - s->radius;
    case WEFT_COLLIDER_CAPSULE: return sqrt(round * round + along * along) - s->radius;
    case WEFT_COLLIDER_CYLINDER: return box_distance((double[3]){round - s->radius, fabs(q[1]) - half, -HUGE_VAL});
    case WEFT_COLLIDER_BOX:
        return box_distance(
            (double[3]){fabs(q[0]) - s->size.x / 2, fabs(q[1]) - s->size.y / 2, fabs(q[2]) - s->size.z / 2});
    case WEFT_COLLIDER_MESH: break;
    }
    return HUGE_VAL;
}

void coloring_near_solid(const picture_solid *s, const weft_vec3 *x, int32_t n, double *out)
{
    for (int32_t i = 0; i < n; i++)
        out[i] = fmin(out[i], solid_distance(s, x[i]));
}

static double clamped(double t)
{
    return t >= 0 ? fmin(t, 1) : 0;
}

/* Squared. The plane's point if it is within, else the nearest of the three sides'. */
static double triangle_distance(weft_vec3 p, weft_vec3 a, weft_vec3 b, weft_vec3 c)
{
    weft_vec3 ab = minus(b, a), ac = minus(c, a), ap = minus(p, a);
    double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac), d1 = dot(ab, ap), d2 = dot(ac, ap);
    double det = bb * cc - bc * bc, middle = clamped((cc - bc - d2 + d1) / (bb - 2 * bc + cc));
    double places[4][2] = {{(cc * d1 - bc * d2) / det, (bb * d2 - bc * d1) / det},
                           {clamped(d1 / bb), 0},
                           {0, clamped(d2 / cc)},
                           {middle, 1 - middle}};
    bool within = places[0][0] >= 0 && places[0][1] >= 0 && places[0][0] + places[0][1] <= 1;
    double least = HUGE_VAL;
    for (int k = within ? 0 : 1; k < (within ? 1 : 4); k++) {
        double s = places[k][0], t = places[k][1];
        weft_vec3 off = {ap.x - s * ab.x - t * ac.x, ap.y - s * ab.y - t * ac.y, ap.z - s * ab.z - t * ac.z};
        least = fmin(least, dot(off, off));
    }
    return least;
}

/* Triangles by the cells of a grid, as wide as the reach, that their boxes meet. */
typedef struct cell_entry {
    int64_t key;
    int32_t triangle;
} cell_entry;

static int64_t cell_of(double v)
{
    return (int64_t)floor(fmax(-1e4, fmin(1e4, v / COLORING_REACH)));
}

static int64_t key_of(int64_t a, int64_t b, int64_t c)
{
    return ((a & 0xFFFFF) << 40) | ((b & 0xFFFFF) << 20) | (c & 0xFFFFF);
}

static int compare_entries(const void *a, const void *b)
{
    const cell_entry *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static double least_of(double a, double b, double c)
{
    return fmin(a, fmin(b, c));
}

static double most_of(double a, double b, double c)
{
    return fmax(a, fmax(b, c));
}

/* Of triangles that meet too many cells, which all nodes look at. */
static const int64_t EVERYWHERE = INT64_MIN;
enum { MOST_CELLS = 4096 };

/* Adds the entries of a triangle at *n, or counts them if there are none to be written. */
static void enter(weft_vec3 a, weft_vec3 b, weft_vec3 c, int32_t triangle, cell_entry *entries, size_t *n)
{
    int64_t low[3] = {cell_of(least_of(a.x, b.x, c.x)), cell_of(least_of(a.y, b.y, c.y)),
                      cell_of(least_of(a.z, b.z, c.z))};
    int64_t high[3] = {cell_of(most_of(a.x, b.x, c.x)), cell_of(most_of(a.y, b.y, c.y)),
                       cell_of(most_of(a.z, b.z, c.z))};
    if ((high[0] - low[0] + 1) * (high[1] - low[1] + 1) * (high[2] - low[2] + 1) > MOST_CELLS) {
        if (entries)
            entries[*n] = (cell_entry){EVERYWHERE, triangle};
        ++*n;
        return;
    }
    for (int64_t i = low[0]; i <= high[0]; i++)
        for (int64_t j = low[1]; j <= high[1]; j++)
            for (int64_t k = low[2]; k <= high[2]; k++) {
                if (entries)
                    entries[*n] = (cell_entry){key_of(i, j, k), triangle};
                ++*n;
            }
}

static size_t first_of(const cell_entry *entries, size_t n, int64_t key)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entries[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double nearest(const cell_entry *entries, size_t n, const weft_vec3 *mesh, const int32_t *triangles, weft_vec3 p)
{
    double least = COLORING_REACH * COLORING_REACH;
    for (int i = 0; i < 28; i++) {
        int64_t key = i == 27
                          ? EVERYWHERE
                          : key_of(cell_of(p.x) + i % 3 - 1, cell_of(p.y) + i / 3 % 3 - 1, cell_of(p.z) + i / 9 - 1);
        for (size_t k = first_of(entries, n, key); k < n && entries[k].key == key; k++) {
            const int32_t *t = triangles + 3 * (size_t)entries[k].triangle;
            least = fmin(least, triangle_distance(p, mesh[t[0]], mesh[t[1]], mesh[t[2]]));
        }
    }
    return sqrt(least);
}

bool coloring_near_mesh(const weft_vec3 *mesh, const int32_t *triangles, int32_t n_triangles, const weft_vec3 *x,
                        int32_t n, double *out)
{
    size_t n_entries = 0, n_room = 0;
    cell_entry *entries = NULL;
    for (int round = 0; round < 2; round++) {
        if (round == 1 && !(entries = malloc((n_room + 1) * sizeof *entries)))
            return false;
        n_entries = 0;
        for (int32_t i = 0; i < n_triangles; i++) {
            const int32_t *t = triangles + 3 * (size_t)i;
            enter(mesh[t[0]], mesh[t[1]], mesh[t[2]], i, entries, &n_entries);
        }
        n_room = n_entries;
    }
    qsort(entries, n_entries, sizeof *entries, compare_entries);
    for (int32_t i = 0; i < n; i++)
        out[i] = fmin(out[i], nearest(entries, n_entries, mesh, triangles, x[i]));
    free(entries);
    return true;
}
