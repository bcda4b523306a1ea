/* SPDX-License-Identifier: MIT */
/* The specification of GarmentCode and of the older Garment-Pattern-Generator: "pattern" with "panels" by name, each
 * of vertices and edges with curvature in the edge's own frame, and "stitches" of two edges.
 *
 * The outside of a panel follows its loop by the right-hand rule: one that runs clockwise is drawn from the inside,
 * and is turned round here without moving in space. Euler angles are turned in the order x, y, z about fixed axes, as
 * the reader of the older project does. Edges are called by their numbers. Grain is the panel's y. */
#include "io/pattern/pattern_tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct code_panel {
    weft_panel panel;
    weft_vec2 *vertices;
    int32_t n_vertices;
    weft_curve *curves;
    weft_edge *edges;
    int32_t *ends; /* two vertices an edge */
} code_panel;

typedef struct code_file {
    double scale; /* metres a unit */
    bool is_absolute;
} code_file;

/* A point given along (1, 0) → (to − from) and to the left of it. */
static weft_vec2 along_edge(weft_vec2 from, weft_vec2 to, weft_vec2 c)
{
    double x = to.u - from.u, y = to.v - from.v;
    return (weft_vec2){from.u + c.u * x - c.v * y, from.v + c.u * y + c.v * x};
}

static weft_result code_read_control(pattern_reader *r, const code_file *f, const tree_node *node, weft_vec2 from,
                                     weft_vec2 to, weft_vec2 *out)
{
    weft_vec2 c;
    weft_result result = pattern_point(r, node, &c);
    *out = f->is_absolute ? (weft_vec2){c.u * f->scale, c.v * f->scale} : along_edge(from, to, c);
    return result;
}

static bool flag_is_set(const tree_node *n)
{
    return n->kind == TREE_SCALAR && strcmp(n->text, "0") != 0 && strcmp(n->text, "false") != 0;
}

/* SVG's flags in a frame with y up: a set sweep flag turns to the left. */
static weft_result code_read_circle(pattern_reader *r, const code_file *f, const tree_node *params, weft_curve *out)
{
    if (params->n != 3)
        return pattern_fault(r, params, "a circle has %d parameters, expected radius, large_arc, right", params->n);
    out->kind = WEFT_CURVE_ARC;
    weft_result result = pattern_number(r, params->items[0], &out->radius);
    out->radius *= f->scale;
    out->is_large = flag_is_set(params->items[1]);
    out->is_left = flag_is_set(params->items[2]);
    return result;
}

static weft_result code_read_curvature(pattern_reader *r, const code_file *f, const tree_node *node, weft_vec2 to,
                                       weft_curve *out)
{
    if (node->kind == TREE_LIST) { /* older files: the control point alone */
        out->kind = WEFT_CURVE_QUADRATIC;
        return code_read_control(r, f, node, out->from, to, &out->control[0]);
    }
    const char *type = NULL;
    const tree_node *params = NULL;
    weft_result result = pattern_text(r, node, "type", &type);
    result = result < 0 ? result : pattern_need(r, node, "params", TREE_LIST, &params);
    if (result < 0)
        return result;
    if (strcmp(type, "circle") == 0)
        return code_read_circle(r, f, params, out);
    bool cubic = strcmp(type, "cubic") == 0;
    if (!cubic && strcmp(type, "quadratic") != 0)
        return pattern_fault(r, node, "the type of a curve is '%.40s', expected quadratic, cubic or circle", type);
    if (params->n != 1 + cubic)
        return pattern_fault(r, params, "a %s curve has %d control points, expected %d", type, params->n, 1 + cubic);
    out->kind = cubic ? WEFT_CURVE_CUBIC : WEFT_CURVE_QUADRATIC;
    for (int i = 0; result == WEFT_OK && i <= cubic; i++)
        result = code_read_control(r, f, params->items[i], out->from, to, &out->control[i]);
    return result;
}

static weft_result code_read_ends(pattern_reader *r, const tree_node *edge, const code_panel *p, int32_t out[2])
{
    const tree_node *ends = NULL;
    weft_result result = pattern_need(r, edge, "endpoints", TREE_LIST, &ends);
    if (result == WEFT_OK && ends->n != 2)
        return pattern_fault(r, ends, "found %d endpoints, expected 2", ends->n);
    for (int i = 0; result == WEFT_OK && i < 2; i++) {
        result = pattern_integer(r, ends->items[i], &out[i]);
        if (result == WEFT_OK && (out[i] < 0 || out[i] >= p->n_vertices))
            result = pattern_fault(r, ends, "there is no vertex %d, there are %d", out[i], p->n_vertices);
    }
    return result;
}

static weft_result code_read_edge(pattern_reader *r, const code_file *f, const tree_node *node, code_panel *p,
                                  int32_t i)
{
    char name[16];
    int32_t *ends = p->ends + 2 * (int64_t)i;
    weft_result result = code_read_ends(r, node, p, ends);
    if (result < 0)
        return result;
    if (i > 0 && ends[0] != ends[-1])
        return pattern_fault(r, node, "edge %d begins at vertex %d, but the one before it ends at %d", i, ends[0],
                             ends[-1]);
    snprintf(name, sizeof name, "%d", i);
    char *kept = scene_arena_text(&r->arena, name, strlen(name));
    if (!kept)
        return pattern_memory(r);
    p->edges[i] = (weft_edge){kept, i, 1, 1};
    p->curves[i] = (weft_curve){.kind = WEFT_CURVE_LINE, .from = p->vertices[ends[0]]};
    const tree_node *curvature = node->kind == TREE_MAP ? tree_find(node, "curvature") : NULL;
    if (curvature && !tree_is_null(curvature))
        result = code_read_curvature(r, f, curvature, p->vertices[ends[1]], &p->curves[i]);
    return result;
}

static weft_result code_read_vertices(pattern_reader *r, const code_file *f, const tree_node *node, code_panel *p)
{
    const tree_node *list = NULL;
    weft_result result = pattern_need(r, node, "vertices", TREE_LIST, &list);
    result = result < 0 ? result : pattern_points(r, list, &p->vertices);
    p->n_vertices = result == WEFT_OK ? list->n : 0;
    for (int32_t i = 0; i < p->n_vertices; i++)
        p->vertices[i] = (weft_vec2){p->vertices[i].u * f->scale, p->vertices[i].v * f->scale};
    return result;
}

static weft_result code_read_edges(pattern_reader *r, const code_file *f, const tree_node *node, code_panel *p)
{
    const tree_node *list = NULL;
    weft_result result = pattern_need(r, node, "edges", TREE_LIST, &list);
    if (result < 0)
        return result;
    if (list->n < 2)
        return pattern_fault(r, list, "found %d edges, expected at least 2", list->n);
    size_t n = (size_t)list->n;
    p->curves = scene_arena_make(&r->arena, n, sizeof *p->curves);
    p->edges = scene_arena_make(&r->arena, n, sizeof *p->edges);
    p->ends = scene_arena_make(&r->arena, 2 * n, sizeof *p->ends);
    int32_t *loop = scene_arena_make(&r->arena, 1, sizeof *loop);
    if (!p->curves || !p->edges || !p->ends || !loop)
        return pattern_memory(r);
    for (int32_t i = 0; result == WEFT_OK && i < list->n; i++)
        result = code_read_edge(r, f, list->items[i], p, i);
    if (result == WEFT_OK && p->ends[0] != p->ends[2 * n - 1])
        result = pattern_fault(r, list, "the last edge ends at vertex %d, but the first begins at %d",
                               p->ends[2 * n - 1], p->ends[0]);
    *loop = list->n;
    p->panel.n_loops = 1;
    p->panel.loop_sizes = loop;
    p->panel.n_curves = p->panel.n_edges = list->n;
    p->panel.curves = p->curves;
    p->panel.edges = p->edges;
    return result;
}

/* Sine and cosine of degrees, exact for the quarter turns that files are full of. */
static void turn_of(double degrees, double *s, double *c)
{
    double quarter = degrees / 90;
    if (quarter == floor(quarter) && fabs(quarter) < 1e6) {
        static const double sines[4] = {0, 1, 0, -1};
        int k = (int)(quarter - 4 * floor(quarter / 4));
        *s = sines[k];
        *c = sines[(k + 1) % 4];
        return;
    }
    *s = sin(degrees * 0.017453292519943295);
    *c = cos(degrees * 0.017453292519943295);
}

static void rotation_of(const double degrees[3], double out[9])
{
    double sx, cx, sy, cy, sz, cz;
    turn_of(degrees[0], &sx, &cx);
    turn_of(degrees[1], &sy, &cy);
    turn_of(degrees[2], &sz, &cz);
    const double m[9] = {cz * cy,
                         cz * sy * sx - sz * cx,
                         cz * sy * cx + sz * sx,
                         sz * cy,
                         sz * sy * sx + cz * cx,
                         sz * sy * cx - cz * sx,
                         -sy,
                         cy * sx,
                         cy * cx};
    memcpy(out, m, sizeof m);
}

static weft_result code_read_placement(pattern_reader *r, const code_file *f, const tree_node *node, code_panel *p)
{
    const tree_node *translation = NULL, *rotation = NULL;
    double t[3] = {0}, degrees[3] = {0};
    weft_placement *out = &p->panel.placement;
    if (!tree_find(node, "translation"))
        return WEFT_OK;
    weft_result result = pattern_need(r, node, "translation", TREE_LIST, &translation);
    result = result < 0 ? result : pattern_numbers(r, translation, t, 3);
    if (result == WEFT_OK && tree_find(node, "rotation"))
        result = pattern_need(r, node, "rotation", TREE_LIST, &rotation);
    if (result == WEFT_OK && rotation)
        result = pattern_numbers(r, rotation, degrees, 3);
    out->kind = WEFT_PLACEMENT_FLAT;
    out->translation = (weft_vec3){t[0] * f->scale, t[1] * f->scale, t[2] * f->scale};
    rotation_of(degrees, out->rotation);
    return result;
}

static weft_result code_read_panel(pattern_reader *r, const code_file *f, const tree_node *key, const tree_node *node)
{
    code_panel p = {.panel = weft_panel_default()};
    if (node->kind != TREE_MAP)
        return pattern_fault(r, node, "panel '%.80s' is no object", key->text);
    p.panel.name = key->text;
    weft_result result = code_read_vertices(r, f, node, &p);
    result = result < 0 ? result : code_read_edges(r, f, node, &p);
    result = result < 0 ? result : code_read_placement(r, f, node, &p);
    if (result < 0)
        return result;
    const tree_node *label = tree_find(node, "label");
    p.panel.label = label && label->kind == TREE_SCALAR ? label->text : NULL;
    if (weft_curves_turn(p.curves, p.panel.n_curves) < 0)
        weft_panel_turn(&p.panel, p.curves, NULL, 0, NULL);
    return pattern_pass_on(r, node, weft_pattern_add_panel(r->pattern, &p.panel, NULL, r->error));
}

static weft_result code_read_side(pattern_reader *r, const tree_node *node, weft_seam_part *out)
{
    const char *panel = NULL;
    const tree_node *edge = NULL;
    *out = (weft_seam_part){.from = 0, .to = 1};
    weft_result result = pattern_text(r, node, "panel", &panel);
    result = result < 0 ? result : pattern_need(r, node, "edge", TREE_SCALAR, &edge);
    result = result < 0 ? result : pattern_integer(r, edge, &out->edge);
    if (result < 0)
        return result;
    out->panel = weft_pattern_find_panel(r->pattern, panel);
    if (out->panel < 0)
        return pattern_fault(r, node, "there is no panel '%.80s'", panel);
    return WEFT_OK;
}

static weft_result code_read_stitch(pattern_reader *r, const tree_node *node)
{
    char shown[TREE_SHOWN];
    if (node->kind != TREE_LIST || node->n < 2 || node->n > 3)
        return pattern_fault(r, node, "found %s, expected a stitch of two edges", tree_show(node, shown));
    weft_seam_part a, b;
    weft_result result = code_read_side(r, node->items[0], &a);
    result = result < 0 ? result : code_read_side(r, node->items[1], &b);
    if (result < 0)
        return result;
    weft_seam seam = weft_seam_default();
    seam.a = &a;
    seam.b = &b;
    seam.n_a = seam.n_b = 1;
    seam.kind = a.panel == b.panel ? WEFT_SEAM_DART : WEFT_SEAM_PLAIN;
    seam.same_direction =
        node->n == 3 && node->items[2]->kind == TREE_SCALAR && strcmp(node->items[2]->text, "right_wrong") == 0;
    return pattern_pass_on(r, node, weft_pattern_add_seam(r->pattern, &seam, NULL, r->error));
}

static weft_result code_read_properties(pattern_reader *r, const tree_node *root, code_file *f)
{
    const tree_node *properties = NULL, *units = NULL;
    double a_metre = 100;
    *f = (code_file){.scale = 0.01};
    if (!tree_find(root, "properties"))
        return WEFT_OK;
    weft_result result = pattern_need(r, root, "properties", TREE_MAP, &properties);
    if (result < 0)
        return result;
    const tree_node *coordinates = tree_find(properties, "curvature_coords");
    f->is_absolute = coordinates && coordinates->kind == TREE_SCALAR && strcmp(coordinates->text, "absolute") == 0;
    units = tree_find(properties, "units_in_meter");
    result = units ? pattern_number(r, units, &a_metre) : WEFT_OK;
    if (result == WEFT_OK && !(a_metre > 0))
        result = pattern_fault(r, units, "units_in_meter is %g, expected more than 0", a_metre);
    f->scale = 1 / a_metre;
    return result;
}

weft_result pattern_garmentcode_read(pattern_reader *r, const tree_node *root)
{
    const tree_node *pattern = NULL, *panels = NULL, *stitches = NULL;
    code_file f;
    weft_result result = code_read_properties(r, root, &f);
    result = result < 0 ? result : pattern_need(r, root, "pattern", TREE_MAP, &pattern);
    result = result < 0 ? result : pattern_need(r, pattern, "panels", TREE_MAP, &panels);
    for (int32_t i = 0; result == WEFT_OK && i < panels->n; i++)
        result = code_read_panel(r, &f, panels->keys[i], panels->items[i]);
    if (result == WEFT_OK && tree_find(pattern, "stitches"))
        result = pattern_need(r, pattern, "stitches", TREE_LIST, &stitches);
    for (int32_t i = 0; result == WEFT_OK && stitches && i < stitches->n; i++)
        result = code_read_stitch(r, stitches->items[i]);
    return result;
}
