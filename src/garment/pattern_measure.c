/* SPDX-License-Identifier: MIT */
/* Lengths and areas of a pattern. */
#include "garment/outline.h"
#include "garment/pattern.h"

#include <string.h>

static weft_result no_such_panel(weft_error *error, int32_t panel)
{
    return error_set(error, WEFT_ERROR_INDEX, panel, "there is no panel %d, or an argument is NULL", panel);
}

weft_result weft_pattern_panel_info(const weft_pattern *pattern, int32_t panel, weft_panel_info *out, weft_error *error)
{
    const weft_panel *p = weft_pattern_panel(pattern, panel);
    if (!p || !out)
        return no_such_panel(error, panel);
    mem m = pattern->mem;
    outline o;
    if (!outline_create(&o, &m, p))
        return error_memory(error);
    *out = (weft_panel_info){.low = {HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL}};
    for (int32_t loop = 0; loop < o.n_loops; loop++)
        out->area += outline_area(&o, loop);
    for (int32_t e = 0; e < o.n_edges; e++)
        out->perimeter += outline_length(&o, e);
    for (int32_t i = 0; i < o.n_points; i++) {
        out->low = (vec2){min_of(out->low.u, o.points[i].u), min_of(out->low.v, o.points[i].v)};
        out->high = (vec2){max_of(out->high.u, o.points[i].u), max_of(out->high.v, o.points[i].v)};
    }
    outline_destroy(&o);
    return WEFT_OK;
}

double weft_pattern_edge_length(const weft_pattern *pattern, int32_t panel, int32_t edge)
{
    const weft_panel *p = weft_pattern_panel(pattern, panel);
    outline o;
    if (!p || edge < 0 || edge >= p->n_edges)
        return 0;
    mem m = pattern->mem;
    if (!outline_create(&o, &m, p))
        return 0;
    double length = outline_length(&o, edge);
    outline_destroy(&o);
    return length;
}

static weft_result seam_side_length(const weft_pattern *p, const weft_seam_part *parts, int32_t n, double *sum,
                                    weft_error *error)
{
    *sum = 0;
    for (int32_t i = 0; i < n; i++) {
        mem m = p->mem;
        outline o;
        if (!outline_create(&o, &m, &p->panels[parts[i].panel]))
            return error_memory(error);
        *sum += (parts[i].to - parts[i].from) * outline_length(&o, parts[i].edge);
        outline_destroy(&o);
    }
    return WEFT_OK;
}

weft_result weft_pattern_seam_lengths(const weft_pattern *pattern, int32_t seam, double *a, double *b,
                                      weft_error *error)
{
    const weft_seam *s = weft_pattern_seam(pattern, seam);
    if (!s || !a || !b)
        return error_set(error, WEFT_ERROR_INDEX, -1, "there is no seam %d, or an argument is NULL", seam);
    weft_result r = seam_side_length(pattern, s->a, s->n_a, a, error);
    return r < 0 ? r : seam_side_length(pattern, s->b, s->n_b, b, error);
}

weft_result weft_pattern_edge_points(const weft_pattern *pattern, int32_t panel, int32_t edge, weft_vec2 *out,
                                     int32_t *n, weft_error *error)
{
    const weft_panel *p = weft_pattern_panel(pattern, panel);
    if (!p || !n || edge < 0 || edge >= p->n_edges)
        return no_such_panel(error, panel);
    mem m = pattern->mem;
    outline o;
    if (!outline_create(&o, &m, p))
        return error_memory(error);
    int32_t first = o.edge_start[edge], count = o.edge_start[edge + 1] - first;
    weft_result r = WEFT_OK;
    if (out && *n < count)
        r = error_set(error, WEFT_ERROR_RANGE, edge, "room for %d points, but the edge has %d", *n, count);
    else if (out)
        memcpy(out, o.points + first, (size_t)count * sizeof *out);
    *n = count;
    outline_destroy(&o);
    return r;
}
