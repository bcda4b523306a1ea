/* SPDX-License-Identifier: MIT */
/* Patterns: panels with areas, seams with the lengths of both sides, and the mesh if there is one. */
#include "facts.h"

#include <math.h>
#include <stdio.h>
#include <weft/io/pattern.h>

static const double degrees = 57.29577951308232;

static void add_quality(facts *f, const weft_mesh_quality *q)
{
    facts_number(f, "least_angle", "least angle", q->least_angle * degrees, "degrees");
    facts_number(f, "largest_aspect", "largest aspect", q->largest_aspect, "");
    facts_number(f, "shortest", "shortest side", 1e3 * q->shortest, "mm");
    facts_number(f, "longest", "longest side", 1e3 * q->longest, "mm");
    facts_number(f, "quad_share", "quads' share", 100 * q->quad_share, "% of the area");
}

static void add_panel(facts *f, const weft_pattern *p, const weft_garment_data *mesh, int32_t i)
{
    static const char *const placements[] = {"none", "flat", "cylinder", "cone"};
    const weft_panel *panel = weft_pattern_panel(p, i);
    weft_panel_info info;
    if (weft_pattern_panel_info(p, i, &info, NULL) < 0)
        return;
    char text[120];
    facts_open_item(f, "panel", panel->name);
    facts_number(f, "area", "area", info.area, "m²");
    snprintf(text, sizeof text, "%.0f × %.0f mm", 1e3 * (info.high.u - info.low.u), 1e3 * (info.high.v - info.low.v));
    facts_text(f, "size", "size", text);
    facts_number(f, "edges", "edges", panel->n_edges, "");
    if (panel->n_loops > 1 || f->json)
        facts_number(f, "cutouts", "cut-outs", panel->n_loops - 1, "");
    if (panel->n_notches > 0 || f->json)
        facts_number(f, "notches", "notches", panel->n_notches, "");
    if (panel->n_lines > 0 || f->json)
        facts_number(f, "lines", "lines", panel->n_lines, "");
    facts_text(f, "placement", "placement", placements[panel->placement.kind]);
    if (mesh) {
        const weft_garment_panel *m = &mesh->panels[i];
        facts_number(f, "nodes", "nodes", m->n_nodes, "");
        facts_number(f, "triangles", "triangles", m->n_triangles, "");
        facts_number(f, "quads", "quads", m->n_quads, "");
        add_quality(f, &m->quality);
    }
    facts_close_item(f);
}

static void side_name(const weft_pattern *p, const weft_seam_part *parts, int32_t n, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (int32_t i = 0; i < n && used < room; i++) {
        const weft_panel *panel = weft_pattern_panel(p, parts[i].panel);
        used += (size_t)snprintf(out + used, room - used, "%s%s.%s", i ? " + " : "", panel->name,
                                 panel->edges[parts[i].edge].name);
    }
}

static void add_seam(facts *f, const weft_pattern *p, int32_t i)
{
    const weft_seam *s = weft_pattern_seam(p, i);
    double a = 0, b = 0;
    char from[400], to[400], name[16], text[400];
    if (weft_pattern_seam_lengths(p, i, &a, &b, NULL) < 0)
        return;
    side_name(p, s->a, s->n_a, from, sizeof from);
    side_name(p, s->b, s->n_b, to, sizeof to);
    snprintf(name, sizeof name, "%d", i);
    if (f->json) {
        facts_open_item(f, "seam", name);
        facts_text(f, "a", "a", from);
        facts_text(f, "b", "b", to);
        facts_number(f, "length_a", "length of a", a, "m");
        facts_number(f, "length_b", "length of b", b, "m");
        facts_bool(f, "dart", "dart", s->kind == WEFT_SEAM_DART);
        facts_close_item(f);
        return;
    }
    double more = 100 * (a / b - 1);
    snprintf(text, sizeof text, "%7.1f %7.1f mm %+6.2f %%  %.120s — %.180s%s", 1e3 * a, 1e3 * b,
             fabs(more) < 0.005 ? 0 : more, from, to, s->kind == WEFT_SEAM_DART ? " (dart)" : "");
    facts_text(f, "seam", i == 0 ? "seams" : "", text);
}

void facts_add_pattern(facts *f, const weft_pattern *p, const weft_garment *garment)
{
    const weft_garment_data *mesh = weft_garment_get(garment);
    double area = 0;
    weft_panel_info info;
    for (int32_t i = 0; i < weft_pattern_panel_count(p); i++)
        if (weft_pattern_panel_info(p, i, &info, NULL) == WEFT_OK)
            area += info.area;
    facts_text(f, "kind", "kind", "pattern");
    facts_number(f, "area", "area", area, "m²");
    if (mesh) {
        facts_number(f, "nodes", "nodes", mesh->n_nodes, "");
        facts_number(f, "triangles", "triangles", mesh->n_triangles, "");
        facts_number(f, "quads", "quads", mesh->n_quads, "");
        facts_number(f, "seam_pairs", "sewn node pairs", mesh->n_pairs, "");
        add_quality(f, &mesh->quality);
    }
    facts_open_list(f, "panels");
    for (int32_t i = 0; i < weft_pattern_panel_count(p); i++)
        add_panel(f, p, mesh, i);
    facts_close_list(f);
    facts_open_list(f, "seams");
    for (int32_t i = 0; i < weft_pattern_seam_count(p); i++)
        add_seam(f, p, i);
    facts_close_list(f);
}

weft_result facts_of_pattern(facts *f, const char *path, weft_error *error)
{
    weft_pattern *p = NULL;
    weft_result r = weft_pattern_read(path, &p, error);
    if (r == WEFT_OK)
        facts_add_pattern(f, p, NULL);
    weft_pattern_destroy(p);
    return r;
}
