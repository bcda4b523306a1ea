/* SPDX-License-Identifier: MIT */
/* The depth of an overlap along a direction.
 *
 * Idea: both patches are drawn, as seen along the direction, into a grid with cells of about an edge. A cell keeps
 * where A begins and where B ends along the direction; where both are, A has to go so far that it begins where B ends.
 * The greatest of all cells parts the patches. A triangle is drawn into all cells that its box overlaps, with its whole
 * range: nothing is missed, and what is found is too far by about an edge where triangles are steep.
 *
 * Invariants: the result depends on the patches alone, not on the order of their triangles. */
#include "untangle/overlap_depth.h"

/* Cells on a side at most: beyond, they get larger. */
enum { GRID_SIDE = 96, GRID_CELLS = GRID_SIDE * GRID_SIDE };

bool overlap_depth_make(overlap_depth *o, mem *m, int32_t n_vertices)
{
    *o = (overlap_depth){.m = m, .n_vertices = n_vertices};
    bool good = MEM_MAKE(m, o->low, GRID_CELLS);
    good = MEM_MAKE(m, o->high, GRID_CELLS) && good;
    return MEM_MAKE(m, o->number, n_vertices) && good;
}

static void free_places(overlap_depth *o)
{
    for (int k = 0; k < 2; k++)
        MEM_FREE(o->m, o->flat[k], o->room);
    MEM_FREE(o->m, o->deep, o->room);
    o->room = 0;
}

void overlap_depth_free(overlap_depth *o)
{
    if (!o->m)
        return;
    free_places(o);
    MEM_FREE(o->m, o->low, GRID_CELLS);
    MEM_FREE(o->m, o->high, GRID_CELLS);
    MEM_FREE(o->m, o->number, o->n_vertices);
}

bool overlap_depth_reserve(overlap_depth *o, int32_t n)
{
    if (n <= o->room)
        return true;
    free_places(o);
    o->room = 2 * (int64_t)n;
    bool good = MEM_MAKE(o->m, o->flat[0], o->room);
    good = MEM_MAKE(o->m, o->flat[1], o->room) && good;
    return MEM_MAKE(o->m, o->deep, o->room) && good;
}

typedef struct depth_grid {
    double from[2], cell;
    int n[2];
} depth_grid;

/* Places of the vertices; a grid over what the patches have in common across the direction. False: nothing. */
static bool lay_grid(overlap_depth *o, const patch_pair *p, const vec3 *x, vec3 way, depth_grid *g)
{
    vec3 some = fabs(way.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    vec3 axis[2] = {v3_unit_or(v3_cross(way, some), v3(0, 0, 1))};
    axis[1] = v3_cross(way, axis[0]);
    double low[2][2], high[2][2], size = 0;
    for (int side = 0, i = 0; side < 2; side++) {
        for (int k = 0; k < 2; k++)
            low[side][k] = 1e300, high[side][k] = -1e300;
        for (int32_t j = 0; j < p->n_vertices[side]; j++, i++) {
            vec3 at = x[p->vertices[i]];
            o->number[p->vertices[i]] = i;
            o->deep[i] = v3_dot(at, way);
            for (int k = 0; k < 2; k++) {
                double d = o->flat[k][i] = v3_dot(at, axis[k]);
                low[side][k] = min_of(low[side][k], d);
                high[side][k] = max_of(high[side][k], d);
            }
        }
    }
    for (int k = 0; k < 2; k++) {
        g->from[k] = max_of(low[0][k], low[1][k]);
        double length = min_of(high[0][k], high[1][k]) - g->from[k];
        if (!(length >= 0))
            return false;
        size = max_of(size, length);
        high[0][k] = length;
    }
    g->cell = max_of(p->edge, size / (GRID_SIDE - 2));
    for (int k = 0; k < 2; k++)
        g->n[k] = 1 + (int)(high[0][k] / g->cell);
    return true;
}

static int clamp_cell(const depth_grid *g, double d, int k)
{
    double cell = (d - g->from[k]) / g->cell;
    return cell < 0 ? -1 : cell >= g->n[k] ? g->n[k] : (int)cell;
}

static void draw_triangle(overlap_depth *o, const depth_grid *g, const int32_t t[3], int side)
{
    int from[2], to[2];
    const int32_t i[3] = {o->number[t[0]], o->number[t[1]], o->number[t[2]]};
    for (int k = 0; k < 2; k++) {
        const double *f = o->flat[k];
        from[k] = clamp_cell(g, min_of(f[i[0]], min_of(f[i[1]], f[i[2]])), k);
        to[k] = clamp_cell(g, max_of(f[i[0]], max_of(f[i[1]], f[i[2]])), k);
        if (from[k] == g->n[k] || to[k] < 0)
            return;
        from[k] = from[k] < 0 ? 0 : from[k];
        to[k] = to[k] == g->n[k] ? to[k] - 1 : to[k];
    }
    const double *d = o->deep;
    double low = min_of(d[i[0]], min_of(d[i[1]], d[i[2]])), high = max_of(d[i[0]], max_of(d[i[1]], d[i[2]]));
    for (int b = from[1]; b <= to[1]; b++)
        for (int a = from[0]; a <= to[0]; a++) {
            int cell = b * g->n[0] + a;
            if (side == 0)
                o->low[cell] = min_of(o->low[cell], low);
            else
                o->high[cell] = max_of(o->high[cell], high);
        }
}

double overlap_depth_along(overlap_depth *o, const patch_pair *p, const vec3 *x, vec3 way)
{
    depth_grid g;
    if (!lay_grid(o, p, x, way, &g))
        return 0;
    int n = g.n[0] * g.n[1];
    double most = 0;
    for (int i = 0; i < n; i++)
        o->low[i] = 1e300, o->high[i] = -1e300;
    for (int side = 0, i = 0; side < 2; side++)
        for (int32_t j = 0; j < p->n_triangles[side]; j++, i++)
            draw_triangle(o, &g, p->triangles[i], side);
    for (int i = 0; i < n; i++)
        if (o->low[i] < 1e300)
            most = max_of(most, o->high[i] - o->low[i]);
    return most;
}
