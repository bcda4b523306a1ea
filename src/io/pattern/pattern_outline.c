/* SPDX-License-Identifier: MIT */
/* panel-outline/1: a JSON object with "panels" and "stitches". Lengths are metres, outlines counter-clockwise polygons
 * seen from the outside, edges ranges of their points. Beside what the format began with we read, and write, per panel
 * "cutouts" (clockwise polygons, whose edges follow those of the outline, "first" counting on), "lines" with a "kind"
 * (fold, elastic, mark), points and a value, and "elastic" of an edge. */
#include "io/pattern/pattern_tree.h"

#include <math.h>
#include <string.h>

/* A panel while it is read; all in the arena. */
typedef struct outline_panel {
    weft_panel panel;
    weft_curve *curves;
    int32_t *loop_sizes;
    weft_edge *edges;
} outline_panel;

static int32_t count_outline_points(const tree_node *outline, const tree_node *cutouts)
{
    int64_t n = outline->n;
    for (int32_t i = 0; cutouts && i < cutouts->n; i++)
        n += cutouts->items[i]->n;
    return n > INT32_MAX ? INT32_MAX : (int32_t)n;
}

static weft_result outline_read_loop(pattern_reader *r, const tree_node *list, outline_panel *p)
{
    weft_vec2 *points = NULL;
    char shown[TREE_SHOWN];
    if (list->kind != TREE_LIST || list->n < 3)
        return pattern_fault(r, list, "found %s, expected a list of at least 3 points", tree_show(list, shown));
    weft_result result = pattern_points(r, list, &points);
    for (int32_t i = 0; result == WEFT_OK && i < list->n; i++)
        p->curves[p->panel.n_curves++] = (weft_curve){.kind = WEFT_CURVE_LINE, .from = points[i]};
    if (result == WEFT_OK)
        p->loop_sizes[p->panel.n_loops++] = list->n;
    return result;
}

static weft_result outline_read_loops(pattern_reader *r, const tree_node *node, outline_panel *p)
{
    const tree_node *outline = NULL, *cutouts = NULL;
    weft_result result = pattern_need(r, node, "outline", TREE_LIST, &outline);
    if (result == WEFT_OK && tree_find(node, "cutouts"))
        result = pattern_need(r, node, "cutouts", TREE_LIST, &cutouts);
    if (result < 0)
        return result;
    p->curves = scene_arena_make(&r->arena, (size_t)count_outline_points(outline, cutouts), sizeof *p->curves);
    p->loop_sizes = scene_arena_make(&r->arena, 1 + (size_t)(cutouts ? cutouts->n : 0), sizeof *p->loop_sizes);
    if (!p->curves || !p->loop_sizes)
        return pattern_memory(r);
    result = outline_read_loop(r, outline, p);
    for (int32_t i = 0; result == WEFT_OK && cutouts && i < cutouts->n; i++)
        result = outline_read_loop(r, cutouts->items[i], p);
    p->panel.curves = p->curves;
    p->panel.loop_sizes = p->loop_sizes;
    return result;
}

static weft_result optional_number(const pattern_reader *r, const tree_node *map, const char *key, double *out)
{
    const tree_node *n = tree_find(map, key);
    return n ? pattern_number(r, n, out) : WEFT_OK;
}

static weft_result outline_read_edge(pattern_reader *r, const tree_node *node, weft_edge *out)
{
    const tree_node *first = NULL, *segments = NULL;
    *out = (weft_edge){.elastic = 1};
    weft_result result = pattern_text(r, node, "name", &out->name);
    result = result < 0 ? result : pattern_need(r, node, "first", TREE_SCALAR, &first);
    result = result < 0 ? result : pattern_integer(r, first, &out->first);
    result = result < 0 ? result : pattern_need(r, node, "segments", TREE_SCALAR, &segments);
    result = result < 0 ? result : pattern_integer(r, segments, &out->n);
    return result < 0 ? result : optional_number(r, node, "elastic", &out->elastic);
}

static weft_result outline_read_edges(pattern_reader *r, const tree_node *node, outline_panel *p)
{
    const tree_node *list = NULL;
    weft_result result = pattern_need(r, node, "edges", TREE_LIST, &list);
    if (result < 0)
        return result;
    p->edges = scene_arena_make(&r->arena, (size_t)list->n, sizeof *p->edges);
    if (!p->edges)
        return pattern_memory(r);
    for (int32_t i = 0; result == WEFT_OK && i < list->n; i++)
        result = outline_read_edge(r, list->items[i], &p->edges[i]);
    p->panel.n_edges = list->n;
    p->panel.edges = p->edges;
    return result;
}

static weft_result outline_read_notches(pattern_reader *r, const tree_node *node, outline_panel *p)
{
    const tree_node *list = tree_find(node, "notches");
    if (!list)
        return WEFT_OK;
    weft_result result = pattern_need(r, node, "notches", TREE_LIST, &list);
    if (result < 0)
        return result;
    weft_notch *notches = scene_arena_make(&r->arena, (size_t)list->n, sizeof *notches);
    if (!notches)
        return pattern_memory(r);
    for (int32_t i = 0; result == WEFT_OK && i < list->n; i++) {
        const tree_node *at = NULL;
        result = pattern_text(r, list->items[i], "name", &notches[i].name);
        result = result < 0 ? result : pattern_need(r, list->items[i], "at", TREE_LIST, &at);
        result = result < 0 ? result : pattern_point(r, at, &notches[i].at);
    }
    p->panel.n_notches = list->n;
    p->panel.notches = notches;
    return result;
}

static weft_result outline_read_line(pattern_reader *r, const tree_node *node, weft_line *out)
{
    const char *kind = NULL;
    const tree_node *points = NULL;
    weft_vec2 *list = NULL;
    weft_result result = pattern_text(r, node, "name", &out->name);
    result = result < 0 ? result : pattern_text(r, node, "kind", &kind);
    result = result < 0 ? result : pattern_need(r, node, "points", TREE_LIST, &points);
    result = result < 0 ? result : pattern_points(r, points, &list);
    if (result < 0)
        return result;
    static const char *const kinds[] = {"mark", "fold", "elastic"};
    out->kind = WEFT_LINE_MARK;
    while (out->kind <= WEFT_LINE_ELASTIC && strcmp(kinds[out->kind], kind) != 0)
        out->kind = (weft_line_kind)(out->kind + 1);
    if (out->kind > WEFT_LINE_ELASTIC)
        return pattern_fault(r, node, "kind is '%.40s', expected mark, fold or elastic", kind);
    out->points = list;
    out->n_points = points->n;
    out->value = out->kind == WEFT_LINE_ELASTIC ? 1 : 0;
    return optional_number(r, node, "value", &out->value);
}

static weft_result outline_read_lines(pattern_reader *r, const tree_node *node, outline_panel *p)
{
    const tree_node *list = NULL;
    if (!tree_find(node, "lines"))
        return WEFT_OK;
    weft_result result = pattern_need(r, node, "lines", TREE_LIST, &list);
    if (result < 0)
        return result;
    weft_line *lines = scene_arena_make(&r->arena, (size_t)list->n, sizeof *lines);
    if (!lines)
        return pattern_memory(r);
    for (int32_t i = 0; result == WEFT_OK && i < list->n; i++)
        result = outline_read_line(r, list->items[i], &lines[i]);
    p->panel.n_lines = list->n;
    p->panel.lines = lines;
    return result;
}

static weft_result outline_read_grain(pattern_reader *r, const tree_node *node, outline_panel *p)
{
    const tree_node *list = NULL;
    weft_vec2 *ends = NULL;
    if (!tree_find(node, "grainline"))
        return WEFT_OK;
    weft_result result = pattern_need(r, node, "grainline", TREE_LIST, &list);
    if (result == WEFT_OK && list->n != 2)
        result = pattern_fault(r, list, "found a list of %d, expected the two ends of the grain line", list->n);
    result = result < 0 ? result : pattern_points(r, list, &ends);
    if (result == WEFT_OK)
        p->panel.grain = (weft_vec2){ends[1].u - ends[0].u, ends[1].v - ends[0].v};
    return result;
}

/* ---- placements -------------------------------------------------------------------------------------------------- */

static weft_result outline_read_vec3(pattern_reader *r, const tree_node *map, const char *key, weft_vec3 *out)
{
    const tree_node *n = NULL;
    double x[3] = {0};
    weft_result result = pattern_need(r, map, key, TREE_LIST, &n);
    result = result < 0 ? result : pattern_numbers(r, n, x, 3);
    *out = (weft_vec3){x[0], x[1], x[2]};
    return result;
}

static weft_result need_number(pattern_reader *r, const tree_node *map, const char *key, double *out)
{
    const tree_node *n = NULL;
    weft_result result = pattern_need(r, map, key, TREE_SCALAR, &n);
    return result < 0 ? result : pattern_number(r, n, out);
}

static void set_identity(double m[9])
{
    for (int i = 0; i < 9; i++)
        m[i] = i % 4 == 0;
}

static weft_result outline_read_flat(pattern_reader *r, const tree_node *node, weft_placement *out)
{
    const tree_node *rows = NULL;
    weft_result result = pattern_need(r, node, "rotation_rows", TREE_LIST, &rows);
    if (result == WEFT_OK && rows->n != 3)
        result = pattern_fault(r, rows, "found a list of %d, expected three rows", rows->n);
    for (int i = 0; result == WEFT_OK && i < 3; i++)
        result = pattern_numbers(r, rows->items[i], out->rotation + 3 * i, 3);
    return result < 0 ? result : outline_read_vec3(r, node, "translation", &out->translation);
}

/* The whole width of the panel goes once round. */
static weft_result outline_read_cylinder(pattern_reader *r, const tree_node *node, const outline_panel *p,
                                         weft_placement *out)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int32_t i = 0; i < p->panel.n_curves; i++) {
        low = fmin(low, p->curves[i].from.u);
        high = fmax(high, p->curves[i].from.u);
    }
    set_identity(out->rotation);
    out->rate = high > low ? 6.283185307179586 / (high - low) : 0;
    return need_number(r, node, "radius", &out->radius);
}

static weft_result outline_read_on_body(pattern_reader *r, const tree_node *node, weft_placement *out)
{
    weft_vec3 axis = {0, 1, 0};
    weft_result result = outline_read_vec3(r, node, "origin", &out->translation);
    if (result == WEFT_OK && tree_find(node, "axis"))
        result = outline_read_vec3(r, node, "axis", &axis);
    if (result == WEFT_OK && (axis.x != 0 || axis.y <= 0 || axis.z != 0))
        result = pattern_fault(r, tree_find(node, "axis"), "the axis of a cylinder is [0, 1, 0]");
    return result < 0 ? result : need_number(r, node, "theta0_rad", &out->angle);
}

static weft_result outline_read_cone(pattern_reader *r, const tree_node *node, weft_placement *out)
{
    const tree_node *centre = NULL;
    set_identity(out->rotation);
    weft_result result = pattern_need(r, node, "centre_local", TREE_LIST, &centre);
    result = result < 0 ? result : pattern_point(r, centre, &out->centre);
    result = result < 0 ? result : need_number(r, node, "phi0_rad", &out->angle);
    result = result < 0 ? result : need_number(r, node, "k", &out->k);
    result = result < 0 ? result : need_number(r, node, "rho0", &out->rho);
    return result < 0 ? result : outline_read_vec3(r, node, "origin", &out->translation);
}

static weft_result outline_read_placement(pattern_reader *r, const tree_node *panel, outline_panel *p)
{
    const tree_node *node = NULL;
    const char *kind = NULL;
    weft_placement *out = &p->panel.placement;
    if (!tree_find(panel, "placement"))
        return WEFT_OK;
    weft_result result = pattern_need(r, panel, "placement", TREE_MAP, &node);
    result = result < 0 ? result : pattern_text(r, node, "kind", &kind);
    if (result < 0)
        return result;
    if (strcmp(kind, "flat") == 0) {
        out->kind = WEFT_PLACEMENT_FLAT;
        return outline_read_flat(r, node, out);
    }
    if (strcmp(kind, "cone") == 0) {
        out->kind = WEFT_PLACEMENT_CONE;
        return outline_read_cone(r, node, out);
    }
    bool on_arm = strcmp(kind, "cylinder-on-arm") == 0;
    if (!on_arm && strcmp(kind, "cylinder") != 0)
        return pattern_fault(
            r, node, "the kind of placement is '%.40s', expected flat, cylinder, cylinder-on-arm or cone", kind);
    out->kind = WEFT_PLACEMENT_CYLINDER;
    result = outline_read_cylinder(r, node, p, out);
    if (result == WEFT_OK)
        result = on_arm ? pattern_text(r, node, "joint", &out->joint) : outline_read_on_body(r, node, out);
    return result;
}

/* ---- panels and stitches ----------------------------------------------------------------------------------------- */

static weft_result outline_read_panel(pattern_reader *r, const tree_node *node)
{
    outline_panel p = {.panel = weft_panel_default()};
    weft_result result = pattern_text(r, node, "name", &p.panel.name);
    result = result < 0 ? result : outline_read_loops(r, node, &p);
    result = result < 0 ? result : outline_read_edges(r, node, &p);
    result = result < 0 ? result : outline_read_notches(r, node, &p);
    result = result < 0 ? result : outline_read_lines(r, node, &p);
    result = result < 0 ? result : outline_read_grain(r, node, &p);
    result = result < 0 ? result : outline_read_placement(r, node, &p);
    const tree_node *label = tree_find(node, "part");
    p.panel.label = label && label->kind == TREE_SCALAR ? label->text : NULL;
    if (result < 0)
        return result;
    return pattern_pass_on(r, node, weft_pattern_add_panel(r->pattern, &p.panel, NULL, r->error));
}

static weft_result outline_read_part(pattern_reader *r, const tree_node *node, weft_seam_part *out)
{
    const char *panel = NULL, *edge = NULL;
    *out = (weft_seam_part){.from = 0, .to = 1};
    weft_result result = pattern_text(r, node, "panel", &panel);
    result = result < 0 ? result : pattern_text(r, node, "edge", &edge);
    result = result < 0 ? result : optional_number(r, node, "from", &out->from);
    result = result < 0 ? result : optional_number(r, node, "to", &out->to);
    if (result < 0)
        return result;
    out->panel = weft_pattern_find_panel(r->pattern, panel);
    if (out->panel < 0)
        return pattern_fault(r, node, "there is no panel '%.80s'", panel);
    out->edge = weft_pattern_find_edge(r->pattern, out->panel, edge);
    if (out->edge < 0)
        return pattern_fault(r, node, "panel '%.80s' has no edge '%.80s'", panel, edge);
    return WEFT_OK;
}

static weft_result outline_read_side(pattern_reader *r, const tree_node *stitch, const char *key,
                                     const weft_seam_part **out, int32_t *n)
{
    const tree_node *list = NULL;
    weft_result result = pattern_need(r, stitch, key, TREE_LIST, &list);
    if (result < 0)
        return result;
    weft_seam_part *parts = scene_arena_make(&r->arena, (size_t)list->n, sizeof *parts);
    if (!parts)
        return pattern_memory(r);
    for (int32_t i = 0; result == WEFT_OK && i < list->n; i++)
        result = outline_read_part(r, list->items[i], &parts[i]);
    *out = parts;
    *n = list->n;
    return result;
}

static weft_result outline_read_stitch(pattern_reader *r, const tree_node *node)
{
    weft_seam seam = weft_seam_default();
    weft_result result = outline_read_side(r, node, "a", &seam.a, &seam.n_a);
    result = result < 0 ? result : outline_read_side(r, node, "b", &seam.b, &seam.n_b);
    if (result < 0)
        return result;
    const tree_node *reversed = tree_find(node, "reversed"), *kind = tree_find(node, "kind"),
                    *name = tree_find(node, "name");
    seam.same_direction = reversed && reversed->kind == TREE_SCALAR && strcmp(reversed->text, "false") == 0;
    seam.kind = kind && kind->kind == TREE_SCALAR && strcmp(kind->text, "dart") == 0 ? WEFT_SEAM_DART : WEFT_SEAM_PLAIN;
    seam.name = name && name->kind == TREE_SCALAR ? name->text : NULL;
    return pattern_pass_on(r, node, weft_pattern_add_seam(r->pattern, &seam, NULL, r->error));
}

weft_result pattern_outline_read(pattern_reader *r, const tree_node *root)
{
    const tree_node *panels = NULL, *stitches = NULL, *units = tree_find(root, "units");
    if (units && (units->kind != TREE_SCALAR || strcmp(units->text, "m") != 0))
        return pattern_fault(r, units, "units are expected to be \"m\"");
    weft_result result = pattern_need(r, root, "panels", TREE_LIST, &panels);
    for (int32_t i = 0; result == WEFT_OK && i < panels->n; i++)
        result = outline_read_panel(r, panels->items[i]);
    if (result == WEFT_OK && tree_find(root, "stitches"))
        result = pattern_need(r, root, "stitches", TREE_LIST, &stitches);
    for (int32_t i = 0; result == WEFT_OK && stitches && i < stitches->n; i++)
        result = outline_read_stitch(r, stitches->items[i]);
    return result;
}
