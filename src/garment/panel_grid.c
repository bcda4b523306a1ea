/* SPDX-License-Identifier: MIT */
/* A grid point becomes a node if it is inside and farther than PANEL_RIM_DISTANCE from the rim and from lines: then
 * triangles between both are neither flat nor thin. A cell becomes a quad if its corners are nodes and nothing of the
 * rim or of a line comes within its circle, so that its sides are Delaunay whatever is around.
 *
 * The work goes with the length of the rim in sizes, and one pass over the grid for what is inside. */
#include "garment/panel_grid.h"

#include "garment/curve.h"
#include "garment/params.h"

static void rim_box(const panel_input *in, vec2 *low, vec2 *high)
{
    *low = (vec2){HUGE_VAL, HUGE_VAL};
    *high = (vec2){-HUGE_VAL, -HUGE_VAL};
    for (int32_t i = 0; i < in->n_rim; i++) {
        *low = (vec2){min_of(low->u, in->rim[i].u), min_of(low->v, in->rim[i].v)};
        *high = (vec2){max_of(high->u, in->rim[i].u), max_of(high->v, in->rim[i].v)};
    }
}

static int32_t clamp_index(double x, int32_t n)
{
    return x < 0 ? 0 : x > n ? n : (int32_t)x;
}

/* Takes away what a segment is too near to: points by `apart`, cells by the radius of their circle. */
static void strike_near(panel_grid *g, vec2 a, vec2 b, double apart)
{
    double h = g->size, circle = PANEL_QUAD_DISTANCE * h;
    int32_t i0 = clamp_index(floor((min_of(a.u, b.u) - g->low.u) / h) - 1, g->n_u);
    int32_t i1 = clamp_index(ceil((max_of(a.u, b.u) - g->low.u) / h) + 2, g->n_u);
    int32_t j0 = clamp_index(floor((min_of(a.v, b.v) - g->low.v) / h) - 1, g->n_v);
    int32_t j1 = clamp_index(ceil((max_of(a.v, b.v) - g->low.v) / h) + 2, g->n_v);
    for (int32_t j = j0; j < j1; j++)
        for (int32_t i = i0; i < i1; i++) {
            vec2 p = panel_grid_at(g, i, j), q = {p.u + 0.5 * h, p.v + 0.5 * h};
            int64_t k = (int64_t)j * g->n_u + i;
            if (v2_segment_distance_sq(p, a, b) < apart * apart)
                g->is_node[k] = GRID_OUT;
            if (v2_segment_distance_sq(q, a, b) < circle * circle)
                g->is_quad[k] = 0;
        }
}

/* Rows of the grid against the rim: inside is where an odd number of sides is to the left. */
static void mark_inside(panel_grid *g, const panel_input *in)
{
    for (int32_t loop = 0; loop < in->n_loops; loop++) {
        int32_t first = in->loop_start[loop], end = in->loop_start[loop + 1];
        for (int32_t k = first; k < end; k++) {
            vec2 a = in->rim[k], b = in->rim[k + 1 < end ? k + 1 : first];
            if (a.v > b.v) {
                vec2 swap = a;
                a = b;
                b = swap;
            }
            int32_t j0 = clamp_index(ceil((a.v - g->low.v) / g->size) - 1, g->n_v);
            int32_t j1 = clamp_index(floor((b.v - g->low.v) / g->size) + 2, g->n_v);
            for (int32_t j = j0; j < j1; j++) {
                double v = g->low.v + j * g->size;
                if (!(a.v <= v && v < b.v))
                    continue;
                double u = a.u + (v - a.v) / (b.v - a.v) * (b.u - a.u);
                for (int32_t i = clamp_index(ceil((u - g->low.u) / g->size), g->n_u); i < g->n_u; i++)
                    g->is_node[(int64_t)j * g->n_u + i] ^= GRID_NODE;
            }
        }
    }
}

static void keep_quads(panel_grid *g)
{
    for (int32_t j = 0; j < g->n_v; j++)
        for (int32_t i = 0; i < g->n_u; i++) {
            int64_t k = (int64_t)j * g->n_u + i;
            bool corners = i + 1 < g->n_u && j + 1 < g->n_v && g->is_node[k] && g->is_node[k + 1] &&
                           g->is_node[k + g->n_u] && g->is_node[k + g->n_u + 1];
            g->is_quad[k] = g->is_quad[k] && corners;
        }
}

bool panel_grid_create(panel_grid *g, mem *m, const panel_input *in)
{
    vec2 low, high;
    rim_box(in, &low, &high);
    double h = in->size;
    *g = (panel_grid){.mem = m, .size = h};
    /* A node in the middle, so that panels with a fold in the middle get a symmetric mesh. */
    double half_u = ceil((high.u - low.u) / (2 * h)), half_v = ceil((high.v - low.v) / (2 * h));
    if (!(half_u < 30000 && half_v < 30000))
        return false;
    g->n_u = 2 * (int32_t)half_u + 1;
    g->n_v = 2 * (int32_t)half_v + 1;
    g->low = cdt_snap((vec2){0.5 * (low.u + high.u) - half_u * h, 0.5 * (low.v + high.v) - half_v * h});
    int64_t n = (int64_t)g->n_u * g->n_v;
    if (!MEM_MAKE(m, g->is_node, n) || !MEM_MAKE(m, g->is_quad, n) || !MEM_MAKE(m, g->number, n)) {
        panel_grid_destroy(g);
        return false;
    }
    for (int64_t k = 0; k < n; k++)
        g->is_quad[k] = 1;
    mark_inside(g, in);
    for (int32_t loop = 0; loop < in->n_loops; loop++)
        for (int32_t k = in->loop_start[loop], end = in->loop_start[loop + 1]; k < end; k++)
            strike_near(g, in->rim[k], in->rim[k + 1 < end ? k + 1 : in->loop_start[loop]], PANEL_RIM_DISTANCE * h);
    for (int32_t line = 0; line < in->n_lines; line++)
        for (int32_t k = in->line_start[line]; k + 1 < in->line_start[line + 1]; k++)
            strike_near(g, in->line_points[k], in->line_points[k + 1], PANEL_RIM_DISTANCE * h);
    keep_quads(g);
    return true;
}

void panel_grid_destroy(panel_grid *g)
{
    int64_t n = (int64_t)g->n_u * g->n_v;
    MEM_FREE(g->mem, g->is_node, n);
    MEM_FREE(g->mem, g->is_quad, n);
    MEM_FREE(g->mem, g->number, n);
}
