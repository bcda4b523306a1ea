/* SPDX-License-Identifier: MIT */
/* A triangle's corners are projected into the picture and distances to its sides are taken there, in pixels: so lines
 * are as wide everywhere. Where triangles are so small that lines would run together, these fade: a dark blot and
 * beats between pixels and lines would tell nothing. */
#include "render/wire.h"

#include <stdlib.h>

typedef struct pixel_point {
    float x, y;
} pixel_point;

/* Twice the area of the triangle a, b, c, positive or negative. */
static float area(pixel_point a, pixel_point b, pixel_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static float clamped(float x)
{
    return least_of(most_of(x, 0), 1);
}

float wire_cover(const camera *c, const surface_point *p, float x, float y)
{
    const scenery_mesh *m = p->mesh;
    uint8_t lines = m && m->lines ? m->lines[p->triangle] : 0;
    if (!(lines & 7))
        return 0;
    pixel_point corner[3], here = {x, y};
    for (int k = 0; k < 3; k++)
        if (!camera_project(c, m->positions[m->triangles[3 * (size_t)p->triangle + k]], &corner[k].x, &corner[k].y))
            return 0;
    float whole = fabsf(area(corner[0], corner[1], corner[2])), cover = 0, w = m->line_width;
    for (int k = 0; k < 3; k++) {
        pixel_point a = corner[k], b = corner[(k + 1) % 3];
        float side = hypotf(b.x - a.x, b.y - a.y);
        if (!(lines >> k & 1) || !(side > 0))
            continue;
        float away = fabsf(area(a, b, here)) / side, spacing = whole / side;
        float apart = clamped((spacing - 1.5f * w) / (4 * w));
        cover = most_of(cover, apart * clamped(0.5f * w + 0.25f - away + 0.25f));
    }
    return cover;
}

/* ---- lines of grids ---------------------------------------------------------------------------------------------- */

typedef struct side {
    int32_t low, high;   /* nodes */
    int32_t triangle, k; /* from corner k to k + 1 */
} side;

static int by_nodes(const void *pa, const void *pb)
{
    const side *a = pa, *b = pb;
    int c = (a->low > b->low) - (a->low < b->low);
    c = c ? c : (a->high > b->high) - (a->high < b->high);
    return c ? c : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

/* Whether the angle at a corner is right, to a degree or so. */
static bool is_right(weft_vec3 at, weft_vec3 p, weft_vec3 q)
{
    weft_vec3 a = {p.x - at.x, p.y - at.y, p.z - at.z}, b = {q.x - at.x, q.y - at.y, q.z - at.z};
    double ab = a.x * b.x + a.y * b.y + a.z * b.z;
    return ab * ab <= 0.0004 * (a.x * a.x + a.y * a.y + a.z * a.z) * (b.x * b.x + b.y * b.y + b.z * b.z);
}

/* The sides across from right angles. */
static int64_t candidates(const weft_vec3 *x, const int32_t *triangles, int32_t n_triangles, side *out)
{
    int64_t n = 0;
    for (int32_t ti = 0; ti < n_triangles; ti++) {
        const int32_t *t = &triangles[3 * (int64_t)ti];
        for (int k = 0; k < 3; k++) {
            int32_t a = t[k], b = t[(k + 1) % 3], opposite = t[(k + 2) % 3];
            if (is_right(x[opposite], x[a], x[b]))
                out[n++] = (side){a < b ? a : b, a < b ? b : a, ti, k};
        }
    }
    return n;
}

const char *picture_grid_lines(const weft_vec3 *positions, int32_t n_nodes, const int32_t *triangles,
                               int32_t n_triangles, uint8_t *lines)
{
    for (int64_t i = 0; i < 3 * (int64_t)n_triangles; i++)
        if (triangles[i] < 0 || triangles[i] >= n_nodes)
            return "a triangle names a node that is not there";
    side *sides = malloc(3 * (size_t)n_triangles * sizeof *sides + 1);
    if (!sides)
        return "out of memory";
    int64_t n = candidates(positions, triangles, n_triangles, sides);
    qsort(sides, (size_t)n, sizeof *sides, by_nodes);
    for (int32_t ti = 0; ti < n_triangles; ti++)
        lines[ti] = 7;
    for (int64_t i = 0; i + 1 < n; i++) {
        const side *a = &sides[i], *b = &sides[i + 1];
        if (a->low == b->low && a->high == b->high) {
            lines[a->triangle] &= (uint8_t) ~(1u << a->k);
            lines[b->triangle] &= (uint8_t) ~(1u << b->k);
        }
    }
    free(sides);
    return NULL;
}
