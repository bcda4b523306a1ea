/* SPDX-License-Identifier: MIT */
/* The meshes by formula that bench_volino.c measures on: sphere, loop, sheet and ribbon. */
#include "volino.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

void volino_free(volino_mesh *m)
{
    free(m->x0);
    free(m->x1);
    free(m->triangles);
    free(m->object);
    *m = (volino_mesh){0};
}

bool volino_make(volino_mesh *m, int32_t n_nodes, int32_t n_triangles, bool moving)
{
    *m = (volino_mesh){.n_nodes = n_nodes, .n_triangles = n_triangles, .n_objects = 1};
    m->x0 = calloc((size_t)n_nodes + 1, sizeof *m->x0);
    m->x1 = moving ? calloc((size_t)n_nodes + 1, sizeof *m->x1) : NULL;
    m->triangles = calloc(3 * (size_t)n_triangles + 1, sizeof *m->triangles);
    m->object = calloc((size_t)n_triangles + 1, sizeof *m->object);
    bool ok = m->x0 && (m->x1 || !moving) && m->triangles && m->object;
    if (!ok)
        volino_free(m);
    return ok;
}

static void set_triangle(volino_mesh *m, int32_t ti, int32_t a, int32_t b, int32_t c)
{
    m->triangles[3 * ti] = a;
    m->triangles[3 * ti + 1] = b;
    m->triangles[3 * ti + 2] = c;
}

/* Two triangles for each square of a grid of nodes. */
static void fill_grid(volino_mesh *m, int32_t columns, int32_t rows)
{
    int32_t ti = 0;
    for (int32_t j = 0; j + 1 < rows; j++)
        for (int32_t i = 0; i + 1 < columns; i++) {
            int32_t a = j * columns + i, b = a + 1, c = b + columns, d = a + columns;
            bool turned = (i + j) % 2 != 0;
            set_triangle(m, ti++, a, b, turned ? d : c);
            set_triangle(m, ti++, turned ? b : a, c, d);
        }
}

/* ---- the sphere: an octahedron whose faces are divided s times along each side ----------------------------------- */

typedef struct octahedron {
    volino_mesh *m;
    int32_t s;
    int32_t *id; /* per (x, y, half): node, plus 1 */
    int32_t n_nodes, n_triangles;
} octahedron;

static int32_t sphere_node(octahedron *o, int32_t x, int32_t y, int half)
{
    int32_t s = o->s, z = s - abs(x) - abs(y);
    int32_t *id = &o->id[2 * ((x + s) * (2 * s + 1) + y + s) + (z > 0 ? half : 0)];
    if (*id == 0) {
        double length = sqrt((double)x * x + (double)y * y + (double)z * z);
        o->m->x0[o->n_nodes] = (weft_vec3){x / length, y / length, (half ? -z : z) / length};
        *id = ++o->n_nodes;
    }
    return *id - 1;
}

static void sphere_cell(octahedron *o, int32_t sx, int32_t sy, int half, int32_t i, int32_t j)
{
    bool turned = (sx * sy < 0) != (half == 1);
    int32_t a = sphere_node(o, sx * i, sy * j, half), b = sphere_node(o, sx * (i + 1), sy * j, half),
            c = sphere_node(o, sx * i, sy * (j + 1), half);
    set_triangle(o->m, o->n_triangles++, a, turned ? c : b, turned ? b : c);
    if (i + j + 1 < o->s) {
        int32_t d = sphere_node(o, sx * (i + 1), sy * (j + 1), half);
        set_triangle(o->m, o->n_triangles++, b, turned ? c : d, turned ? d : c);
    }
}

bool volino_sphere(volino_mesh *m, int32_t n)
{
    int32_t s = (int32_t)floor(sqrt(n / 8.0) + 0.5);
    octahedron o = {.m = m, .s = s};
    o.id = calloc(2 * (size_t)(2 * s + 1) * (size_t)(2 * s + 1), sizeof *o.id);
    bool ok = volino_make(m, 4 * s * s + 2, 8 * s * s, false) && o.id;
    for (int octant = 0; ok && octant < 8; octant++)
        for (int32_t i = 0; i < s; i++)
            for (int32_t j = 0; i + j < s; j++)
                sphere_cell(&o, octant & 1 ? 1 : -1, octant & 2 ? 1 : -1, octant >> 2, i, j);
    free(o.id);
    return ok;
}

/* ---- sheets ------------------------------------------------------------------------------------------------------ */

bool volino_loop(volino_mesh *m, int32_t n)
{
    /* The curve is 6.8 long over a width of 2. */
    int32_t rows = (int32_t)sqrt(n / 6.8) + 1, columns = (int32_t)(3.4 * (rows - 1)) + 1;
    if (!volino_make(m, columns * rows, 2 * (columns - 1) * (rows - 1), false))
        return false;
    for (int32_t j = 0; j < rows; j++)
        for (int32_t i = 0; i < columns; i++) {
            double t = 3.2 * i / (columns - 1) - 1.6, z = 2.0 * j / (rows - 1);
            /* A node at t = ±1, where the branches run along the axes, but for 0.1 rad; the slant keeps edges of one
             * branch from lying on those of the other. */
            double x = t * t - 1, y = t * x, c = cos(pi / 4 + 0.1), s = sin(pi / 4 + 0.1);
            m->x0[j * columns + i] = (weft_vec3){c * x - s * y, s * x + c * y, z + 0.037 * t};
        }
    fill_grid(m, columns, rows);
    return true;
}

bool volino_sheet(volino_mesh *m, int32_t n, bool moving)
{
    int32_t side = (int32_t)floor(sqrt(n / 2.0) + 0.5) + 1;
    if (!volino_make(m, side * side, 2 * (side - 1) * (side - 1), moving))
        return false;
    for (int32_t i = 0; i < side * side; i++) {
        int32_t row = i / side, column = i % side;
        double u = (double)column / (side - 1), v = (double)row / (side - 1);
        m->x0[i] = (weft_vec3){u, 0.05 * sin(7 * u) * cos(5 * v), v};
        if (moving)
            m->x1[i] = (weft_vec3){u, 0.05 * sin(7 * u + 0.1) * cos(5 * v) - 0.02, v};
    }
    fill_grid(m, side, side);
    return true;
}

/* Folds of radius r, h apart, along a ribbon ten times as long as wide: a meander whose straight parts lie over each
 * other. */
static weft_vec3 fold(double s, double v, double gap)
{
    double straight = 0.3, bend = pi * gap / 2, period = straight + bend;
    double k = floor(s / period), at = s - k * period, side = fmod(k, 2) < 1 ? 1 : -1;
    weft_vec3 p = {0, k * gap, v};
    if (at < straight)
        p.x = side * (at - straight / 2);
    else {
        double a = (at - straight) / (gap / 2);
        p.x = side * (straight / 2 + gap / 2 * sin(a));
        p.y += gap / 2 * (1 - cos(a));
    }
    p.y += 0.002 * sin(40 * p.x + 25 * v);
    return p;
}

bool volino_ribbon(volino_mesh *m, int32_t n)
{
    int32_t rows = (int32_t)sqrt(n / 20.0) + 1, columns = 10 * (rows - 1) + 1;
    if (!volino_make(m, columns * rows, 2 * (columns - 1) * (rows - 1), true))
        return false;
    for (int32_t j = 0; j < rows; j++)
        for (int32_t i = 0; i < columns; i++) {
            double s = 4.0 * i / (columns - 1), v = 0.4 * j / (rows - 1);
            m->x0[j * columns + i] = fold(s, v, 0.012);
            m->x1[j * columns + i] = fold(s, v, 0.011);
        }
    fill_grid(m, columns, rows);
    return true;
}

/* ---- who collides ------------------------------------------------------------------------------------------------ */

static double volume(const weft_vec3 *a, const weft_vec3 *b, const weft_vec3 *c, const weft_vec3 *d)
{
    double r[3][3] = {{b->x - a->x, b->y - a->y, b->z - a->z},
                      {c->x - a->x, c->y - a->y, c->z - a->z},
                      {d->x - a->x, d->y - a->y, d->z - a->z}};
    return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
           r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

static bool edge_crosses(const weft_vec3 *p, const weft_vec3 *q, const weft_vec3 *const t[3])
{
    if (volume(t[0], t[1], t[2], p) * volume(t[0], t[1], t[2], q) >= 0)
        return false;
    double a = volume(p, q, t[0], t[1]), b = volume(p, q, t[1], t[2]), c = volume(p, q, t[2], t[0]);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

static bool triangles_cross(const volino_mesh *m, int32_t ti, int32_t tj)
{
    const int32_t *a = m->triangles + 3 * ti, *b = m->triangles + 3 * tj;
    const weft_vec3 *p[3], *q[3];
    for (int k = 0; k < 3; k++) {
        p[k] = &m->x0[a[k]];
        q[k] = &m->x0[b[k]];
    }
    for (int k = 0; k < 3; k++)
        if (edge_crosses(p[k], p[(k + 1) % 3], q) || edge_crosses(q[k], q[(k + 1) % 3], p))
            return true;
    return false;
}

int32_t volino_colliding(const volino_mesh *m, const weft_triangle_pair *pairs, int64_t n)
{
    bool *hit = calloc((size_t)m->n_triangles + 1, sizeof *hit);
    int32_t n_hit = 0;
    for (int64_t i = 0; hit && i < n; i++)
        if (triangles_cross(m, pairs[i].ti, pairs[i].tj))
            hit[pairs[i].ti] = hit[pairs[i].tj] = true;
    for (int32_t ti = 0; hit && ti < m->n_triangles; ti++)
        n_hit += hit[ti];
    free(hit);
    return n_hit;
}
