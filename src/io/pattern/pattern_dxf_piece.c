/* SPDX-License-Identifier: MIT */
/* A piece of a DXF pattern as a panel. The sew line is the outline where there is one (fabric outside of it is seam
 * allowance), else the boundary. A piece with a mirror line is half of a panel: the other half is added. Edges go from
 * turn point to turn point, or from corner to corner where there are none; they are called by their numbers. */
#include "base/array.h"
#include "io/heap.h"
#include "io/params.h"
#include "io/pattern/pattern_dxf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct loop_list {
    weft_vec2 *points;
    size_t n;
    int64_t room;
    bool *starts; /* an edge starts here */
    size_t n_starts;
    int64_t room_starts;
    int32_t *sizes;
    size_t n_loops;
    int64_t room_loops;
} loop_list;

typedef struct maker {
    const dxf_piece *piece;
    double scale;
    const char *file;
    weft_error *error;
    loop_list loops;
    weft_curve *curves;
    weft_edge *edges;
    size_t n_edges;
    int64_t room_edges;
    char *names;
    weft_line *lines;
    size_t n_lines;
    int64_t room_lines;
    weft_notch *notches;
    size_t n_notches;
    int64_t room_notches;
    weft_vec2 *marks; /* points of lines */
    size_t n_marks;
} maker;

static weft_result piece_fault(const maker *m, int32_t line, const char *what)
{
    return fault(m->error, WEFT_ERROR_FORMAT, "%s:%d: piece '%.100s': %s", m->file, line, m->piece->name, what);
}

static weft_vec2 shape_point(const maker *m, const dxf_shape *s, int32_t i)
{
    weft_vec2 p = m->piece->points[s->first + i];
    return (weft_vec2){p.u * m->scale, p.v * m->scale};
}

static double points_apart(weft_vec2 a, weft_vec2 b)
{
    return hypot(a.u - b.u, a.v - b.v);
}

static double turned_area(const weft_vec2 *p, int32_t n)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        weft_vec2 a = p[i], b = p[(i + 1) % n];
        sum += (a.u - p[0].u) * (b.v - p[0].v) - (a.v - p[0].v) * (b.u - p[0].u);
    }
    return sum;
}

static void reverse_points(weft_vec2 *p, int32_t n)
{
    for (int32_t i = 0, j = n - 1; i < j; i++, j--) {
        weft_vec2 swap = p[i];
        p[i] = p[j];
        p[j] = swap;
    }
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static weft_vec2 mirrored_point(weft_vec2 p, weft_vec2 a, weft_vec2 b)
{
    double x = b.u - a.u, y = b.v - a.v, t = ((p.u - a.u) * x + (p.v - a.v) * y) / (x * x + y * y);
    return (weft_vec2){2 * (a.u + t * x) - p.u, 2 * (a.v + t * y) - p.v};
}

static int32_t nearest_point(const weft_vec2 *p, int32_t n, weft_vec2 q)
{
    int32_t best = 0;
    for (int32_t i = 1; i < n; i++)
        if (points_apart(p[i], q) < points_apart(p[best], q))
            best = i;
    return best;
}

/* The half outline without the part along the mirror line, then the same mirrored and backwards. */
static weft_result unfold_outline(maker *m, const dxf_shape *mirror, int32_t start, int32_t n)
{
    weft_vec2 a = shape_point(m, mirror, 0), b = shape_point(m, mirror, mirror->n - 1);
    weft_vec2 *p = m->loops.points + start;
    int32_t i = nearest_point(p, n, a), j = nearest_point(p, n, b);
    if (i == j || points_apart(p[i], a) > DXF_MIRROR_NEAR || points_apart(p[j], b) > DXF_MIRROR_NEAR)
        return piece_fault(m, mirror->line, "its mirror line (layer 6) does not join two points of its outline");
    /* One way from i to j runs along the line; the other is the half. */
    bool straight = true;
    for (int32_t k = i; k != j; k = (k + 1) % n)
        straight = straight && points_apart(p[k], mirrored_point(p[k], a, b)) < DXF_MIRROR_ALONG;
    int32_t from = straight ? j : i, to = straight ? i : j, count = (to - from + n) % n + 1;
    weft_vec2 *half = heap_array((size_t)count, sizeof *half);
    if (!half)
        return fault_memory(m->error);
    for (int32_t k = 0; k < count; k++)
        half[k] = p[(from + k) % n];
    m->loops.n = (size_t)start;
    weft_result r = WEFT_OK;
    for (int32_t k = 0; r == WEFT_OK && k < count; k++)
        if (!ARRAY_PUSH(NULL, m->loops.points, m->loops.n, m->loops.room, half[k]))
            r = fault_memory(m->error);
    for (int32_t k = count - 2; r == WEFT_OK && k > 0; k--)
        if (!ARRAY_PUSH(NULL, m->loops.points, m->loops.n, m->loops.room, mirrored_point(half[k], a, b)))
            r = fault_memory(m->error);
    free(half);
    return r;
}

static const dxf_shape *find_shape(const maker *m, int32_t layer)
{
    for (size_t i = 0; i < m->piece->n_shapes; i++)
        if (m->piece->shapes[i].layer == layer && !m->piece->shapes[i].is_point)
            return &m->piece->shapes[i];
    return NULL;
}

static weft_result piece_add_loop(maker *m, const dxf_shape *s, bool is_rim)
{
    loop_list *l = &m->loops;
    size_t start = l->n;
    for (int32_t i = 0; i < s->n; i++) {
        weft_vec2 p = shape_point(m, s, i);
        if (l->n > start && points_apart(p, l->points[l->n - 1]) < DXF_SAME_POINT)
            continue;
        if (!ARRAY_PUSH(NULL, l->points, l->n, l->room, p))
            return fault_memory(m->error);
    }
    while (l->n > start + 1 && points_apart(l->points[start], l->points[l->n - 1]) < DXF_SAME_POINT)
        l->n--;
    const dxf_shape *mirror = is_rim ? find_shape(m, DXF_MIRROR) : NULL;
    weft_result r = WEFT_OK;
    if (mirror && mirror->n >= 2 && l->n >= start + 3)
        r = unfold_outline(m, mirror, (int32_t)start, (int32_t)(l->n - start));
    int32_t n = (int32_t)(l->n - start);
    if (r == WEFT_OK && n < 3)
        r = piece_fault(m, s->line,
                        is_rim ? "its outline has fewer than 3 points" : "a cut-out has fewer than 3 points");
    if (r < 0)
        return r;
    if ((turned_area(l->points + start, n) < 0) == is_rim)
        reverse_points(l->points + start, n);
    return ARRAY_PUSH(NULL, l->sizes, l->n_loops, l->room_loops, n) ? WEFT_OK : fault_memory(m->error);
}

static weft_result piece_make_loops(maker *m)
{
    const dxf_shape *rim = find_shape(m, DXF_SEW);
    rim = rim && rim->n >= 3 ? rim : find_shape(m, DXF_BOUNDARY);
    if (!rim)
        return piece_fault(m, m->piece->line, "it has no outline");
    weft_result r = piece_add_loop(m, rim, true);
    for (size_t i = 0; r == WEFT_OK && i < m->piece->n_shapes; i++)
        if (m->piece->shapes[i].layer == DXF_CUTOUT && !m->piece->shapes[i].is_point)
            r = piece_add_loop(m, &m->piece->shapes[i], false);
    return r;
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static bool is_turn_point(const maker *m, weft_vec2 p)
{
    const dxf_shape *mirror = find_shape(m, DXF_MIRROR);
    for (size_t i = 0; i < m->piece->n_shapes; i++) {
        const dxf_shape *s = &m->piece->shapes[i];
        if (s->layer != DXF_TURN || !s->is_point)
            continue;
        weft_vec2 q = shape_point(m, s, 0);
        if (points_apart(p, q) < DXF_TURN_NEAR)
            return true;
        if (mirror && mirror->n >= 2 &&
            points_apart(p, mirrored_point(q, shape_point(m, mirror, 0), shape_point(m, mirror, mirror->n - 1))) <
                DXF_TURN_NEAR)
            return true;
    }
    return false;
}

static bool is_corner(weft_vec2 before, weft_vec2 at, weft_vec2 after)
{
    double ax = at.u - before.u, ay = at.v - before.v, bx = after.u - at.u, by = after.v - at.v;
    return fabs(atan2(ax * by - ay * bx, ax * bx + ay * by)) > DXF_SHARP;
}

/* Marks where edges start; the loop is turned so that one starts at its first point. */
static weft_result mark_starts(maker *m, weft_vec2 *p, int32_t n, bool by_points)
{
    int32_t first = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < n; i++) {
            bool start = by_points ? is_turn_point(m, p[i]) : is_corner(p[(i + n - 1) % n], p[i], p[(i + 1) % n]);
            if (pass == 0 && start) {
                first = i;
                break;
            }
            if (pass == 1 &&
                !ARRAY_PUSH(NULL, m->loops.starts, m->loops.n_starts, m->loops.room_starts, start || i == 0))
                return fault_memory(m->error);
        }
        if (pass == 0 && first > 0) {
            reverse_points(p, first);
            reverse_points(p + first, n - first);
            reverse_points(p, n);
        }
    }
    return WEFT_OK;
}

static weft_result piece_make_edges(maker *m)
{
    bool by_points = false;
    for (size_t i = 0; i < m->piece->n_shapes; i++)
        by_points = by_points || (m->piece->shapes[i].layer == DXF_TURN && m->piece->shapes[i].is_point);
    weft_result r = WEFT_OK;
    size_t at = 0;
    for (size_t k = 0; r == WEFT_OK && k < m->loops.n_loops; k++) {
        r = mark_starts(m, m->loops.points + at, m->loops.sizes[k], by_points && k == 0);
        at += (size_t)m->loops.sizes[k];
    }
    m->curves = heap_array(m->loops.n, sizeof *m->curves);
    m->names = heap_array(m->loops.n, 12);
    if (!m->curves || !m->names)
        return fault_memory(m->error);
    for (size_t i = 0; r == WEFT_OK && i < m->loops.n; i++) {
        m->curves[i] = (weft_curve){.kind = WEFT_CURVE_LINE, .from = m->loops.points[i]};
        if (m->loops.starts[i]) {
            char *name = m->names + 12 * m->n_edges;
            snprintf(name, 12, "%d", (int)(m->n_edges % 100000));
            if (!ARRAY_PUSH(NULL, m->edges, m->n_edges, m->room_edges, ((weft_edge){name, (int32_t)i, 0, 1})))
                r = fault_memory(m->error);
        }
        if (r == WEFT_OK)
            m->edges[m->n_edges - 1].n++;
    }
    return r;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static weft_result piece_make_marks(maker *m)
{
    m->marks = heap_array(m->piece->n_points, sizeof *m->marks);
    if (!m->marks)
        return fault_memory(m->error);
    for (size_t i = 0; i < m->piece->n_shapes; i++) {
        const dxf_shape *s = &m->piece->shapes[i];
        weft_vec2 *points = m->marks + m->n_marks;
        for (int32_t k = 0; k < s->n; k++)
            points[k] = shape_point(m, s, k);
        m->n_marks += (size_t)s->n;
        bool good = true;
        if (s->layer == DXF_INTERNAL && s->n >= 2)
            good = ARRAY_PUSH(NULL, m->lines, m->n_lines, m->room_lines,
                              ((weft_line){WEFT_LINE_MARK, "internal", s->n, points, 0}));
        else if (s->layer == DXF_DRILL && s->is_point)
            continue;
        else if (s->layer == DXF_NOTCH && s->n >= 1)
            good = ARRAY_PUSH(NULL, m->notches, m->n_notches, m->room_notches, ((weft_notch){"notch", points[0]}));
        if (!good)
            return fault_memory(m->error);
    }
    return WEFT_OK;
}

/* Notches are drawn on the boundary: where the sew line is the outline they go to the nearest point of it, and those
 * that have none within 3 cm are left out. */
static void move_notches(maker *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->n_notches; i++) {
        weft_vec2 p = m->notches[i].at, best = p;
        double least = DXF_NOTCH_NEAR;
        for (int32_t k = 0, n = m->loops.sizes[0]; k < n; k++) {
            weft_vec2 a = m->loops.points[k], b = m->loops.points[(k + 1) % n];
            double x = b.u - a.u, y = b.v - a.v, t = ((p.u - a.u) * x + (p.v - a.v) * y) / (x * x + y * y);
            t = t > 0 ? t < 1 ? t : 1 : 0;
            weft_vec2 q = {a.u + t * x, a.v + t * y};
            if (points_apart(p, q) < least) {
                least = points_apart(p, q);
                best = q;
            }
        }
        if (least < DXF_NOTCH_NEAR)
            m->notches[kept++] = (weft_notch){m->notches[i].name, best};
    }
    m->n_notches = kept;
}

static weft_result piece_add_panel(maker *m, weft_pattern *pattern)
{
    weft_panel panel = weft_panel_default();
    char name[300];
    snprintf(name, sizeof name, "%s", m->piece->name[0] ? m->piece->name : "piece");
    for (int copy = 2; weft_pattern_find_panel(pattern, name) >= 0; copy++)
        snprintf(name, sizeof name, "%s %d", m->piece->name[0] ? m->piece->name : "piece", copy);
    panel.name = name;
    panel.n_loops = (int32_t)m->loops.n_loops;
    panel.loop_sizes = m->loops.sizes;
    panel.n_curves = (int32_t)m->loops.n;
    panel.curves = m->curves;
    panel.n_edges = (int32_t)m->n_edges;
    panel.edges = m->edges;
    panel.n_lines = (int32_t)m->n_lines;
    panel.lines = m->lines;
    panel.n_notches = (int32_t)m->n_notches;
    panel.notches = m->notches;
    const dxf_shape *grain = find_shape(m, DXF_GRAIN);
    if (grain && grain->n >= 2) {
        weft_vec2 a = shape_point(m, grain, 0), b = shape_point(m, grain, grain->n - 1);
        if (points_apart(a, b) > 1e-6)
            panel.grain = (weft_vec2){b.u - a.u, b.v - a.v};
    }
    weft_result r = weft_pattern_add_panel(pattern, &panel, NULL, m->error);
    if (r < 0 && r != WEFT_ERROR_MEMORY && m->error) {
        weft_error told = *m->error;
        return fault(m->error, r, "%s:%d: %s", m->file, m->piece->line, told.text);
    }
    return r;
}

weft_result dxf_piece_add(weft_pattern *pattern, const dxf_piece *piece, double scale, const char *name,
                          weft_error *error)
{
    maker m = {.piece = piece, .scale = scale, .file = name, .error = error};
    weft_result r = piece_make_loops(&m);
    r = r < 0 ? r : piece_make_edges(&m);
    r = r < 0 ? r : piece_make_marks(&m);
    if (r == WEFT_OK) {
        move_notches(&m);
        r = piece_add_panel(&m, pattern);
    }
    free(m.loops.points);
    free(m.loops.starts);
    free(m.loops.sizes);
    free(m.curves);
    free(m.edges);
    free(m.names);
    free(m.lines);
    free(m.notches);
    free(m.marks);
    return r;
}
