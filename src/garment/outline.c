/* SPDX-License-Identifier: MIT */
/* Curves become chords within OUTLINE_TOLERANCE. Queries go over all chords: outlines have some hundred. */
#include "garment/outline.h"

#include "base/array.h"
#include "garment/params.h"

static bool outline_push_point(outline *o, int32_t edge, vec2 p)
{
    int32_t first = o->edge_start[edge];
    double along = 0;
    if (o->n_points > first) {
        double step = v2_distance(p, o->points[o->n_points - 1]);
        if (step == 0)
            return true;
        along = o->along[o->n_points - 1] + step;
    }
    int32_t n = o->n_points;
    return ARRAY_PUSH(o->mem, o->along, n, o->room_along, along) &&
           ARRAY_PUSH(o->mem, o->points, o->n_points, o->room_points, p);
}

static bool outline_add_curve(outline *o, int32_t edge, const weft_curve *c, vec2 to)
{
    int32_t n = curve_chords(c, to, OUTLINE_TOLERANCE);
    bool good = true;
    for (int32_t i = 0; good && i <= n; i++)
        good = outline_push_point(o, edge, curve_at(c, to, (double)i / n));
    return good;
}

bool outline_create(outline *o, mem *m, const weft_panel *panel)
{
    *o = (outline){.mem = m, .n_edges = panel->n_edges, .n_loops = panel->n_loops};
    bool good =
        MEM_MAKE(m, o->edge_start, (int64_t)o->n_edges + 1) && MEM_MAKE(m, o->loop_start, (int64_t)o->n_loops + 1);
    int32_t edge = 0, first = 0;
    for (int32_t loop = 0; good && loop < panel->n_loops; loop++) {
        int32_t end = first + panel->loop_sizes[loop];
        o->loop_start[loop] = edge;
        for (; good && edge < o->n_edges && panel->edges[edge].first < end; edge++) {
            const weft_edge *e = &panel->edges[edge];
            o->edge_start[edge] = o->n_points;
            for (int32_t i = e->first; good && i < e->first + e->n; i++)
                good = outline_add_curve(o, edge, &panel->curves[i], panel->curves[i + 1 < end ? i + 1 : first].from);
        }
        first = end;
    }
    if (!good) {
        outline_destroy(o);
        return false;
    }
    o->edge_start[o->n_edges] = o->n_points;
    o->loop_start[o->n_loops] = o->n_edges;
    return true;
}

void outline_destroy(outline *o)
{
    MEM_FREE(o->mem, o->edge_start, (int64_t)o->n_edges + 1);
    MEM_FREE(o->mem, o->loop_start, (int64_t)o->n_loops + 1);
    MEM_FREE(o->mem, o->points, o->room_points);
    MEM_FREE(o->mem, o->along, o->room_along);
}

vec2 outline_at(const outline *o, int32_t edge, double s)
{
    int32_t low = o->edge_start[edge], high = o->edge_start[edge + 1] - 1;
    if (s <= 0)
        return o->points[low];
    if (s >= o->along[high])
        return o->points[high];
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (o->along[middle] <= s)
            low = middle;
        else
            high = middle;
    }
    double t = (s - o->along[low]) / (o->along[high] - o->along[low]);
    return v2_madd(o->points[low], t, v2_sub(o->points[high], o->points[low]));
}

double outline_area(const outline *o, int32_t loop)
{
    double sum = 0;
    vec2 origin = o->points[o->edge_start[o->loop_start[loop]]];
    for (int32_t e = o->loop_start[loop]; e < o->loop_start[loop + 1]; e++)
        for (int32_t i = o->edge_start[e]; i + 1 < o->edge_start[e + 1]; i++)
            sum += v2_cross(v2_sub(o->points[i], origin), v2_sub(o->points[i + 1], origin));
    return 0.5 * sum;
}

bool outline_contains(const outline *o, vec2 p)
{
    bool inside = false;
    for (int32_t e = 0; e < o->n_edges; e++)
        for (int32_t i = o->edge_start[e]; i + 1 < o->edge_start[e + 1]; i++) {
            vec2 a = o->points[i], b = o->points[i + 1];
            if ((a.v > p.v) != (b.v > p.v) && p.u < a.u + (p.v - a.v) / (b.v - a.v) * (b.u - a.u))
                inside = !inside;
        }
    return inside;
}

outline_place outline_nearest(const outline *o, vec2 p)
{
    outline_place best = {-1, 0, HUGE_VAL};
    for (int32_t e = 0; e < o->n_edges; e++)
        for (int32_t i = o->edge_start[e]; i + 1 < o->edge_start[e + 1]; i++) {
            vec2 a = o->points[i], d = v2_sub(o->points[i + 1], a);
            double t = v2_dot(v2_sub(p, a), d) / v2_dot(d, d);
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double distance = v2_distance(p, v2_madd(a, t, d));
            if (distance < best.distance)
                best = (outline_place){e, o->along[i] + t * v2_len(d), distance};
        }
    return best;
}
