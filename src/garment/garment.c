/* SPDX-License-Identifier: MIT */
/* Divides the outlines, meshes panel after panel, and finds which nodes the seams join. */
#include "garment/garment.h"

#include "base/array.h"
#include "garment/divide.h"
#include "garment/panel_mesh.h"
#include "garment/params.h"
#include "garment/place.h"

#include <string.h>

weft_garment_def weft_garment_def_default(void)
{
    return (weft_garment_def){.struct_size = sizeof(weft_garment_def), .size = 0.02, .seam_ratio = 2, .turn = 0.6};
}

static weft_result garment_check_def(const weft_garment_def *def, weft_error *error)
{
    if (def->struct_size != sizeof *def)
        return error_set(error, WEFT_ERROR_STRUCT_SIZE, -1, "weft_garment_def: struct_size is %zu, expected %zu",
                         def->struct_size, sizeof *def);
    if (!(def->size >= 5e-4 && def->size <= 1))
        return error_set(error, WEFT_ERROR_RANGE, -1, "size is %g m, expected [0.0005, 1]", def->size);
    if (!(def->turn >= 0.05 && def->turn <= 3))
        return error_set(error, WEFT_ERROR_RANGE, -1, "turn is %g, expected [0.05, 3]", def->turn);
    return WEFT_OK;
}

/* ---- one panel --------------------------------------------------------------------------------------------------- */

/* What a panel's mesh is made from, in the frame of its grain. */
typedef struct panel_work {
    weft_garment *g;
    const division *d;
    int32_t panel;
    vec2 warp; /* unit */
    vec2 *rim, *line_points;
    int32_t *loop_start, *line_start, *line_number;
    double *s;
    int32_t n_rim, n_line_points, n_lines, most_s, n_panel_lines;
    int64_t room_rim, room_line_points;
} panel_work;

static vec2 to_grain(vec2 warp, vec2 p)
{
    return (vec2){v2_dot(warp, p), v2_cross(warp, p)};
}

static vec2 from_grain(vec2 warp, vec2 p)
{
    return (vec2){warp.u * p.u - warp.v * p.v, warp.v * p.u + warp.u * p.v};
}

static bool rim_add_edge(panel_work *w, int32_t edge)
{
    const cut_edge *e = &w->d->edges[edge];
    bool good = true;
    division_nodes(w->d, edge, w->s);
    for (int32_t i = 0; good && i + 1 < e->n_nodes; i++) {
        vec2 p = to_grain(w->warp, outline_at(&w->d->outlines[w->panel], e->edge, w->s[i]));
        good = ARRAY_PUSH(&w->g->mem, w->rim, w->n_rim, w->room_rim, p);
    }
    return good;
}

static bool make_rim(panel_work *w)
{
    const outline *o = &w->d->outlines[w->panel];
    int32_t first = w->d->first_edge[w->panel];
    for (int32_t e = 0; e < o->n_edges; e++)
        w->most_s = w->d->edges[first + e].n_nodes > w->most_s ? w->d->edges[first + e].n_nodes : w->most_s;
    bool good = MEM_MAKE(&w->g->mem, w->s, w->most_s) && MEM_MAKE(&w->g->mem, w->loop_start, (int64_t)o->n_loops + 1);
    for (int32_t loop = 0; good && loop < o->n_loops; loop++) {
        w->loop_start[loop] = w->n_rim;
        for (int32_t e = o->loop_start[loop]; good && e < o->loop_start[loop + 1]; e++)
            good = rim_add_edge(w, first + e);
    }
    if (good)
        w->loop_start[o->n_loops] = w->n_rim;
    return good;
}

/* An end of a line that is on the outline becomes the node there. */
static vec2 at_rim(const panel_work *w, vec2 p)
{
    double best = OUTLINE_NODE_NEAR;
    vec2 found = p;
    for (int32_t i = 0; i < w->n_rim; i++)
        if (v2_distance(w->rim[i], p) < best) {
            best = v2_distance(w->rim[i], p);
            found = w->rim[i];
        }
    return found;
}

static bool add_line_segment(panel_work *w, vec2 a, vec2 b)
{
    int32_t n = (int32_t)max_of(1, floor(v2_distance(a, b) / w->d->size + 0.5));
    bool good = true;
    for (int32_t i = 1; good && i <= n; i++) {
        vec2 p = i == n ? b : v2_madd(a, (double)i / n, v2_sub(b, a));
        good = ARRAY_PUSH(&w->g->mem, w->line_points, w->n_line_points, w->room_line_points, p);
    }
    return good;
}

static bool add_panel_line(panel_work *w, const weft_line *line)
{
    vec2 last = at_rim(w, to_grain(w->warp, line->points[0]));
    bool good = ARRAY_PUSH(&w->g->mem, w->line_points, w->n_line_points, w->room_line_points, last);
    for (int32_t i = 1; good && i < line->n_points; i++) {
        vec2 p = to_grain(w->warp, line->points[i]);
        bool is_last = i + 1 == line->n_points;
        p = is_last ? at_rim(w, p) : p;
        if (!is_last && v2_distance(p, last) < LINE_NEAREST * w->d->size)
            continue; /* points of a digitised line, nearer than the mesh can follow */
        if (v2_distance(p, last) > 0)
            good = add_line_segment(w, last, p);
        last = p;
    }
    return good;
}

static bool make_lines(panel_work *w)
{
    const weft_panel *p = &w->d->pattern->panels[w->panel];
    w->n_panel_lines = p->n_lines;
    bool good = MEM_MAKE(&w->g->mem, w->line_start, (int64_t)p->n_lines + 1) &&
                MEM_MAKE(&w->g->mem, w->line_number, (int64_t)p->n_lines + 1);
    for (int32_t i = 0; good && i < p->n_lines; i++) {
        if (p->lines[i].kind == WEFT_LINE_MARK)
            continue;
        w->line_number[w->n_lines] = i;
        w->line_start[w->n_lines++] = w->n_line_points;
        good = add_panel_line(w, &p->lines[i]);
    }
    if (good)
        w->line_start[w->n_lines] = w->n_line_points;
    return good;
}

static bool append_mesh(panel_work *w, const panel_mesh *p)
{
    weft_garment *g = w->g;
    weft_garment_panel *out = &g->panels[w->panel];
    int32_t first = g->n_nodes;
    out->first_node = first;
    out->n_nodes = p->n_nodes;
    out->first_triangle = g->n_triangle_indices / 3;
    out->n_triangles = p->n_triangles;
    out->first_quad = g->n_quad_indices / 4;
    out->n_quads = p->n_quads;
    bool good = true;
    for (int32_t i = 0; good && i < p->n_nodes; i++) {
        int32_t n = g->n_nodes;
        good = ARRAY_PUSH(&g->mem, g->drawn, n, g->room_drawn, from_grain(w->warp, p->nodes[i])) &&
               ARRAY_PUSH(&g->mem, g->uv, g->n_nodes, g->room_uv, p->nodes[i]);
    }
    for (int32_t i = 0; good && i < 3 * p->n_triangles; i++)
        good = ARRAY_PUSH(&g->mem, g->triangles, g->n_triangle_indices, g->room_triangles, first + p->triangles[i]);
    for (int32_t i = 0; good && i < 4 * p->n_quads; i++)
        good = ARRAY_PUSH(&g->mem, g->quads, g->n_quad_indices, g->room_quads, first + p->quads[i]);
    for (int32_t i = 0; good && i < w->n_lines; i++) {
        int32_t n = w->line_start[i + 1] - w->line_start[i];
        weft_garment_line line = {w->panel, w->line_number[i], g->n_line_nodes, n};
        good = ARRAY_PUSH(&g->mem, g->lines, g->n_lines, g->room_lines, line);
        for (int32_t k = w->line_start[i]; good && k < w->line_start[i + 1]; k++)
            good = ARRAY_PUSH(&g->mem, g->line_nodes, g->n_line_nodes, g->room_line_nodes, first + p->line_nodes[k]);
    }
    return good;
}

static double panel_mesh_area(const panel_mesh *p)
{
    double sum = 0;
    for (int32_t i = 0; i < p->n_triangles; i++) {
        const int32_t *v = p->triangles + 3 * (int64_t)i;
        sum += 0.5 * v2_cross(v2_sub(p->nodes[v[1]], p->nodes[v[0]]), v2_sub(p->nodes[v[2]], p->nodes[v[0]]));
    }
    for (int32_t i = 0; i < p->n_quads; i++) {
        const int32_t *v = p->quads + 4 * (int64_t)i;
        sum += 0.5 * v2_cross(v2_sub(p->nodes[v[2]], p->nodes[v[0]]), v2_sub(p->nodes[v[3]], p->nodes[v[1]]));
    }
    return sum;
}

static weft_result mesh_panel(panel_work *w, weft_error *error)
{
    if (!make_rim(w) || !make_lines(w))
        return error_memory(error);
    const weft_panel *p = &w->d->pattern->panels[w->panel];
    panel_input in = {.name = p->name,
                      .size = w->d->size,
                      .n_loops = p->n_loops,
                      .n_rim = w->n_rim,
                      .loop_start = w->loop_start,
                      .rim = w->rim,
                      .n_lines = w->n_lines,
                      .n_line_points = w->n_line_points,
                      .line_start = w->line_start,
                      .line_points = w->line_points};
    panel_mesh mesh;
    weft_result r = panel_mesh_create(&mesh, &w->g->mem, &in, error);
    if (r < 0)
        return r;
    weft_garment_panel *out = &w->g->panels[w->panel];
    out->quality = mesh_quality(mesh.nodes, mesh.triangles, mesh.n_triangles, mesh.quads, mesh.n_quads);
    out->area = panel_mesh_area(&mesh);
    if (!append_mesh(w, &mesh))
        r = error_memory(error);
    panel_mesh_destroy(&mesh);
    return r;
}

static weft_result garment_add_panel(weft_garment *g, const division *d, int32_t panel, weft_error *error)
{
    vec2 grain = d->pattern->panels[panel].grain;
    double length = v2_len(grain);
    panel_work w = {.g = g, .d = d, .panel = panel, .warp = {grain.u / length, grain.v / length}};
    g->panels[panel].first_edge = d->first_edge[panel];
    g->panels[panel].n_edges = d->first_edge[panel + 1] - d->first_edge[panel];
    weft_result r = mesh_panel(&w, error);
    if (r < 0 && error)
        error->element = panel;
    mem *m = &g->mem;
    MEM_FREE(m, w.rim, w.room_rim);
    MEM_FREE(m, w.line_points, w.room_line_points);
    MEM_FREE(m, w.s, w.most_s);
    MEM_FREE(m, w.loop_start, (int64_t)d->pattern->panels[panel].n_loops + 1);
    MEM_FREE(m, w.line_start, (int64_t)w.n_panel_lines + 1);
    MEM_FREE(m, w.line_number, (int64_t)w.n_panel_lines + 1);
    return r;
}

/* ---- what seams join --------------------------------------------------------------------------------------------- */

/* Nodes of the rim stand in the order of the loops: an edge ends where the next of its loop begins. */
static bool list_edge_nodes(weft_garment *g, const division *d)
{
    mem *m = &g->mem;
    g->n_edges = d->n_edges;
    for (int32_t e = 0; e < d->n_edges; e++)
        g->n_edge_nodes += d->edges[e].n_nodes;
    if (!MEM_MAKE(m, g->edge_start, (int64_t)d->n_edges + 1) || !MEM_MAKE(m, g->edge_nodes, g->n_edge_nodes))
        return false;
    int32_t n = 0;
    for (int32_t panel = 0; panel < g->n_panels; panel++) {
        const outline *o = &d->outlines[panel];
        int32_t node = g->panels[panel].first_node;
        for (int32_t loop = 0; loop < o->n_loops; loop++) {
            int32_t first = node;
            for (int32_t e = o->loop_start[loop]; e < o->loop_start[loop + 1]; e++) {
                const cut_edge *cut = &d->edges[d->first_edge[panel] + e];
                g->edge_start[d->first_edge[panel] + e] = n;
                for (int32_t i = 0; i + 1 < cut->n_nodes; i++)
                    g->edge_nodes[n++] = node++;
                g->edge_nodes[n++] = e + 1 < o->loop_start[loop + 1] ? node : first;
            }
        }
    }
    g->edge_start[d->n_edges] = n;
    return true;
}

/* The first node of a piece, as an index into edge_nodes. */
static int32_t piece_first_node(const weft_garment *g, const division *d, int32_t piece)
{
    int32_t edge = d->piece_edge[piece], at = g->edge_start[edge];
    for (int32_t k = d->edges[edge].first_piece; k < piece; k++)
        at += division_count(d, k);
    return at;
}

/* last is the pair before it. */
static bool add_seam_pair(weft_garment *g, weft_seam_pair pair, weft_seam_pair *last)
{
    if (pair.a == pair.b || (last->seam == pair.seam && last->a == pair.a && last->b == pair.b))
        return true; /* the tip of a dart is one node; a piece begins where the one before it ended */
    *last = pair;
    return ARRAY_PUSH(&g->mem, g->pairs, g->n_pairs, g->room_pairs, pair);
}

static bool list_seam_pairs(weft_garment *g, const division *d)
{
    bool good = true;
    weft_seam_pair last = {-1, -1, -1};
    for (int32_t i = 0; good && i < d->n_pairs; i++) {
        const piece_pair *p = &d->pairs[i];
        int32_t n = division_count(d, p->a), a = piece_first_node(g, d, p->a), b = piece_first_node(g, d, p->b);
        for (int32_t k = 0; good && k <= n; k++) {
            weft_seam_pair pair = {g->edge_nodes[a + k], g->edge_nodes[p->turned ? b + n - k : b + k], p->seam};
            good = add_seam_pair(g, pair, &last);
        }
    }
    return good;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool list_faces(weft_garment *g)
{
    int32_t n_triangles = g->n_triangle_indices / 3;
    g->n_faces = n_triangles + g->n_quad_indices / 4;
    if (!MEM_MAKE(&g->mem, g->face_panel, g->n_faces))
        return false;
    for (int32_t p = 0; p < g->n_panels; p++) {
        for (int32_t i = 0; i < g->panels[p].n_triangles; i++)
            g->face_panel[g->panels[p].first_triangle + i] = p;
        for (int32_t i = 0; i < g->panels[p].n_quads; i++)
            g->face_panel[n_triangles + g->panels[p].first_quad + i] = p;
    }
    return true;
}

static void set_garment_data(weft_garment *g)
{
    weft_garment_data *d = &g->data;
    *d = (weft_garment_data){.n_nodes = g->n_nodes,
                             .uv = g->uv,
                             .drawn = g->drawn,
                             .positions = g->positions,
                             .n_triangles = g->n_triangle_indices / 3,
                             .n_quads = g->n_quad_indices / 4,
                             .triangles = g->triangles,
                             .quads = g->quads,
                             .face_panel = g->face_panel,
                             .n_panels = g->n_panels,
                             .panels = g->panels,
                             .n_edges = g->n_edges,
                             .edge_start = g->edge_start,
                             .edge_nodes = g->edge_nodes,
                             .n_pairs = g->n_pairs,
                             .pairs = g->pairs,
                             .n_lines = g->n_lines,
                             .lines = g->lines,
                             .line_nodes = g->line_nodes};
    double area = 0;
    d->quality = g->panels[0].quality;
    for (int32_t i = 0; i < g->n_panels; i++) {
        d->quality = mesh_quality_join(d->quality, area, g->panels[i].quality, g->panels[i].area);
        area += g->panels[i].area;
    }
}

static weft_result garment_build(weft_garment *g, const weft_pattern *pattern, const weft_garment_def *def,
                                 weft_error *error)
{
    division d;
    weft_result r = division_create(&d, &g->mem, pattern, def, error);
    if (r < 0)
        return r;
    g->n_panels = pattern->n_panels;
    if (!MEM_MAKE(&g->mem, g->panels, g->n_panels))
        r = error_memory(error);
    for (int32_t i = 0; r == WEFT_OK && i < pattern->n_panels; i++)
        r = garment_add_panel(g, &d, i, error);
    if (r == WEFT_OK && !(list_edge_nodes(g, &d) && list_seam_pairs(g, &d) && list_faces(g) &&
                          MEM_MAKE(&g->mem, g->positions, g->n_nodes)))
        r = error_memory(error);
    division_destroy(&d);
    return r;
}

weft_result weft_garment_create(const weft_pattern *pattern, const weft_garment_def *def, weft_garment **out,
                                weft_error *error)
{
    if (!pattern || !def || !out)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "pattern, def or out is NULL");
    *out = NULL;
    weft_result r = garment_check_def(def, error);
    r = r < 0 ? r : weft_pattern_check(pattern, def->seam_ratio, error);
    if (r < 0)
        return r;
    mem m = pattern->mem;
    mem_init(&m, pattern->mem.fn, pattern->mem.user);
    weft_garment *g = mem_array(&m, 1, sizeof *g);
    if (!g)
        return error_memory(error);
    g->mem = m;
    r = garment_build(g, pattern, def, error);
    if (r < 0) {
        weft_garment_destroy(g);
        return r;
    }
    for (int32_t i = 0; i < g->n_panels; i++)
        garment_place(g, i, &pattern->panels[i].placement);
    set_garment_data(g);
    *out = g;
    return WEFT_OK;
}

void weft_garment_destroy(weft_garment *g)
{
    if (!g)
        return;
    mem m = g->mem;
    MEM_FREE(&m, g->uv, g->room_uv);
    MEM_FREE(&m, g->drawn, g->room_drawn);
    MEM_FREE(&m, g->positions, g->n_nodes);
    MEM_FREE(&m, g->triangles, g->room_triangles);
    MEM_FREE(&m, g->quads, g->room_quads);
    MEM_FREE(&m, g->face_panel, g->n_faces);
    MEM_FREE(&m, g->panels, g->n_panels);
    MEM_FREE(&m, g->edge_start, (int64_t)g->n_edges + 1);
    MEM_FREE(&m, g->edge_nodes, g->n_edge_nodes);
    MEM_FREE(&m, g->pairs, g->room_pairs);
    MEM_FREE(&m, g->lines, g->room_lines);
    MEM_FREE(&m, g->line_nodes, g->room_line_nodes);
    mem_free(&m, g, 1, sizeof *g);
}

const weft_garment_data *weft_garment_get(const weft_garment *garment)
{
    return garment ? &garment->data : NULL;
}
