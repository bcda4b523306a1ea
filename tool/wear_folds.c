/* SPDX-License-Identifier: MIT */
/* How fine a mesh is where the cloth folds.
 *
 * At a side of two triangles the cloth turns by an angle, over the way between the middles of the triangles: it folds
 * there if the radius of that turn is below FOLD_RADIUS. A triangle folds if one of its sides does. Folds are thus a
 * matter of the shape, not of the mesh, so that meshes can be compared. */
#include "wear.h"

#include <math.h>
#include <stdlib.h>

#define FOLD_RADIUS 0.05 /* m */

typedef struct fold_side {
    int32_t low, high, triangle;
} fold_side;

static int by_nodes(const void *a, const void *b)
{
    const fold_side *x = a, *y = b;
    int low = (x->low > y->low) - (x->low < y->low), high = (x->high > y->high) - (x->high < y->high);
    return low != 0 ? low : high != 0 ? high : (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static weft_vec3 minus(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double length(weft_vec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

/* Twice the area, along the normal. */
static weft_vec3 area_of(const wear_mesh *m, int32_t t)
{
    const int32_t *v = m->triangles + 3 * (size_t)t;
    weft_vec3 a = minus(m->positions[v[1]], m->positions[v[0]]), b = minus(m->positions[v[2]], m->positions[v[0]]);
    return (weft_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static bool is_fold(const wear_mesh *m, const fold_side *s)
{
    weft_vec3 a = area_of(m, s[0].triangle), b = area_of(m, s[1].triangle);
    double along = length(minus(m->positions[s->high], m->positions[s->low]));
    double cosine = (a.x * b.x + a.y * b.y + a.z * b.z) / (length(a) * length(b));
    double way = (length(a) + length(b)) / (3 * along); /* a third of both heights */
    return acos(fmax(-1, fmin(1, cosine))) * FOLD_RADIUS > way;
}

/* Sides of both triangles that have them; those across a seam have other nodes, and are not looked at. */
static void mark_folds(const wear_mesh *m, const fold_side *sides, int32_t n, int32_t first, bool *folds)
{
    for (int32_t k = 0; k + 1 < n; k++)
        if (sides[k].low == sides[k + 1].low && sides[k].high == sides[k + 1].high && is_fold(m, &sides[k]))
            folds[sides[k].triangle - first] = folds[sides[k + 1].triangle - first] = true;
}

weft_result wear_measure_folds(wear_figures *f, const wear_mesh *m, int32_t i, weft_error *error)
{
    int32_t first = m->first_triangle[i], n = m->first_triangle[i + 1] - first, n_folded = 0;
    fold_side *sides = malloc(3 * (size_t)n * sizeof *sides + 1);
    bool *folds = calloc((size_t)n + 1, sizeof *folds);
    double area = 0, folded = 0;
    f->fold_size = f->folded = 0;
    if (!sides || !folds) {
        free(sides);
        free(folds);
        *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
        return WEFT_ERROR_MEMORY;
    }
    for (int32_t k = 0; k < 3 * n; k++) {
        const int32_t *v = m->triangles + 3 * ((size_t)first + (size_t)(k / 3));
        int32_t a = v[k % 3], b = v[(k + 1) % 3];
        sides[k] = (fold_side){a < b ? a : b, a < b ? b : a, first + k / 3};
    }
    qsort(sides, 3 * (size_t)n, sizeof *sides, by_nodes);
    mark_folds(m, sides, 3 * n, first, folds);
    for (int32_t k = 0; k < n; k++) {
        double here = 0.5 * length(area_of(m, first + k));
        area += here;
        folded += folds[k] ? here : 0;
        n_folded += folds[k];
    }
    f->fold_size = n_folded > 0 ? sqrt(folded / n_folded) : 0;
    f->folded = area > 0 ? folded / area : 0;
    free(sides);
    free(folds);
    return WEFT_OK;
}
