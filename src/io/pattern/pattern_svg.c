/* SPDX-License-Identifier: MIT */
/* A drawing of a pattern: panels in rows, each in its true size (one unit is a millimetre), v up. */
#include "io/file.h"
#include "io/heap.h"
#include "io/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/io/pattern.h>

typedef struct sheet {
    const weft_pattern *pattern;
    const weft_garment_data *mesh; /* or NULL */
    weft_vec2 *shift;              /* per panel: where its drawing's origin is, mm, v up */
    double width, height;          /* mm */
    int32_t **edge_seam;           /* per panel and edge: the seam, -1 */
    text out;
} sheet;

weft_svg_def weft_svg_def_default(void)
{
    return (weft_svg_def){.struct_size = sizeof(weft_svg_def), .width = 1600};
}

static void add_escaped(text *t, const char *s)
{
    for (; *s; s++) {
        if (*s == '<')
            text_add(t, "&lt;");
        else if (*s == '&')
            text_add(t, "&amp;");
        else if ((unsigned char)*s >= ' ')
            text_add_bytes(t, s, 1);
    }
}

static double svg_x(const sheet *s, int32_t panel, double u)
{
    return 1e3 * u + s->shift[panel].u;
}

static double svg_y(const sheet *s, int32_t panel, double v)
{
    return s->height - (1e3 * v + s->shift[panel].v);
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

/* Rows of about the width that makes the sheet 4 : 3. */
static weft_result lay_out_panels(sheet *s, weft_error *error)
{
    const double gap = 60;
    int32_t n = weft_pattern_panel_count(s->pattern);
    double area = 0, widest = 0;
    weft_panel_info info;
    for (int32_t i = 0; i < n; i++) {
        weft_result r = weft_pattern_panel_info(s->pattern, i, &info, error);
        if (r < 0)
            return r;
        double w = 1e3 * (info.high.u - info.low.u) + gap, h = 1e3 * (info.high.v - info.low.v) + gap;
        area += w * h;
        widest = fmax(widest, w);
    }
    double most = fmax(1.1 * sqrt(area * 4 / 3), widest + gap), x = gap, y = gap, row = 0;
    for (int32_t i = 0; i < n; i++) {
        weft_pattern_panel_info(s->pattern, i, &info, NULL);
        double w = 1e3 * (info.high.u - info.low.u), h = 1e3 * (info.high.v - info.low.v);
        if (x > gap && x + w + gap > most) {
            x = gap;
            y += row + gap;
            row = 0;
        }
        s->shift[i] = (weft_vec2){x - 1e3 * info.low.u, y - 1e3 * info.low.v};
        x += w + gap;
        s->width = fmax(s->width, x);
        row = fmax(row, h);
    }
    s->height = y + row + gap;
    return WEFT_OK;
}

static weft_result find_seams(sheet *s, weft_error *error)
{
    int32_t n = weft_pattern_panel_count(s->pattern);
    for (int32_t i = 0; i < n; i++) {
        int32_t edges = weft_pattern_panel(s->pattern, i)->n_edges;
        s->edge_seam[i] = heap_array((size_t)edges, sizeof **s->edge_seam);
        if (!s->edge_seam[i])
            return fault_memory(error);
        for (int32_t e = 0; e < edges; e++)
            s->edge_seam[i][e] = -1;
    }
    for (int32_t k = 0; k < weft_pattern_seam_count(s->pattern); k++) {
        const weft_seam *seam = weft_pattern_seam(s->pattern, k);
        for (int32_t i = 0; i < seam->n_a + seam->n_b; i++) {
            const weft_seam_part *p = i < seam->n_a ? &seam->a[i] : &seam->b[i - seam->n_a];
            s->edge_seam[p->panel][p->edge] = k;
        }
    }
    return WEFT_OK;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static void draw_faces(sheet *s, int32_t panel)
{
    const weft_garment_data *m = s->mesh;
    const weft_garment_panel *p = &m->panels[panel];
    for (int kind = 3; kind <= 4; kind++) {
        text_add(&s->out, "<path fill=\"%s\" stroke=\"#8a8f98\" stroke-width=\"0.35\" d=\"",
                 kind == 3 ? "#fdf1dc" : "#e3edf7");
        const int32_t *v =
            kind == 3 ? m->triangles + 3 * (int64_t)p->first_triangle : m->quads + 4 * (int64_t)p->first_quad;
        int32_t n = kind == 3 ? p->n_triangles : p->n_quads;
        for (int32_t i = 0; i < n; i++) {
            for (int k = 0; k < kind; k++) {
                weft_vec2 q = m->drawn[v[(int64_t)kind * i + k]];
                text_add(&s->out, "%s%.2f %.2f", k ? "L" : "M", svg_x(s, panel, q.u), svg_y(s, panel, q.v));
            }
            text_add(&s->out, "Z");
        }
        text_add(&s->out, "\"/>\n");
    }
}

/* Colours far apart on the wheel, seam after seam. */
static void add_color(sheet *s, int32_t seam)
{
    if (seam < 0)
        text_add(&s->out, "#333");
    else
        text_add(&s->out, "hsl(%d,80%%,38%%)", (int)(seam * 137L % 360));
}

static weft_result draw_edge(sheet *s, int32_t panel, int32_t e, weft_error *error)
{
    int32_t n = 0, seam = s->edge_seam[panel][e];
    weft_result r = weft_pattern_edge_points(s->pattern, panel, e, NULL, &n, error);
    weft_vec2 *p = r < 0 ? NULL : heap_array((size_t)n, sizeof *p);
    if (r == WEFT_OK && !p)
        return fault_memory(error);
    r = r < 0 ? r : weft_pattern_edge_points(s->pattern, panel, e, p, &n, error);
    if (r < 0) {
        free(p);
        return r;
    }
    text_add(&s->out, "<path fill=\"none\" stroke=\"");
    add_color(s, seam);
    text_add(&s->out, "\" stroke-width=\"%s\" d=\"", seam < 0 ? "1.2" : "2.4");
    for (int32_t i = 0; i < n; i++)
        text_add(&s->out, "%s%.3f %.3f", i ? "L" : "M", svg_x(s, panel, p[i].u), svg_y(s, panel, p[i].v));
    text_add(&s->out, "\"/>\n");
    /* Its name beside the middle, outside: to the right of the direction. */
    weft_vec2 a = p[n / 2 > 0 ? n / 2 - 1 : 0], b = p[n / 2];
    double x = b.u - a.u, y = b.v - a.v, length = hypot(x, y);
    weft_vec2 at = {0.5 * (a.u + b.u) + (length > 0 ? 0.012 * y / length : 0),
                    0.5 * (a.v + b.v) - (length > 0 ? 0.012 * x / length : 0)};
    text_add(&s->out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"", svg_x(s, panel, at.u), svg_y(s, panel, at.v) + 3);
    add_color(s, seam);
    text_add(&s->out, "\">");
    add_escaped(&s->out, weft_pattern_panel(s->pattern, panel)->edges[e].name);
    text_add(&s->out, " %.0f</text>\n", 1e3 * weft_pattern_edge_length(s->pattern, panel, e));
    free(p);
    return WEFT_OK;
}

static void draw_marks(sheet *s, int32_t panel, const weft_panel_info *info)
{
    const weft_panel *p = weft_pattern_panel(s->pattern, panel);
    static const char *const style[] = {"#999\" stroke-dasharray=\"2 3", "#06c\" stroke-dasharray=\"8 4", "#c06"};
    for (int32_t i = 0; i < p->n_lines; i++) {
        text_add(&s->out, "<path fill=\"none\" stroke-width=\"1.5\" stroke=\"%s\" d=\"", style[p->lines[i].kind]);
        for (int32_t k = 0; k < p->lines[i].n_points; k++)
            text_add(&s->out, "%s%.2f %.2f", k ? "L" : "M", svg_x(s, panel, p->lines[i].points[k].u),
                     svg_y(s, panel, p->lines[i].points[k].v));
        text_add(&s->out, "\"/>\n");
    }
    for (int32_t i = 0; i < p->n_notches; i++)
        text_add(&s->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4\" fill=\"none\" stroke=\"#c00\"/>\n",
                 svg_x(s, panel, p->notches[i].at.u), svg_y(s, panel, p->notches[i].at.v));
    /* An arrow along the grain, in the middle. */
    double l = hypot(p->grain.u, p->grain.v), gu = p->grain.u / l, gv = p->grain.v / l;
    double reach = 0.25 * (fabs(gu) * (info->high.u - info->low.u) + fabs(gv) * (info->high.v - info->low.v));
    double cu = 0.5 * (info->low.u + info->high.u), cv = 0.5 * (info->low.v + info->high.v);
    text_add(&s->out,
             "<path stroke=\"#000\" stroke-width=\"1\" marker-end=\"url(#tip)\" d=\"M%.2f %.2fL%.2f %.2f\"/>\n",
             svg_x(s, panel, cu - reach * gu), svg_y(s, panel, cv - reach * gv), svg_x(s, panel, cu + reach * gu),
             svg_y(s, panel, cv + reach * gv));
    text_add(&s->out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">", svg_x(s, panel, cu) + 6, svg_y(s, panel, cv));
    add_escaped(&s->out, p->name);
    text_add(&s->out, "</text>\n");
}

static weft_result draw_pattern(sheet *s, double width, weft_error *error)
{
    text_add(&s->out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.1f %.1f\">\n"
             "<style>text{font:9px sans-serif;text-anchor:middle}.name{font-size:18px;text-anchor:start}</style>\n"
             "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
             "orient=\"auto\"><path d=\"M0 0L8 4L0 8Z\"/></marker></defs>\n"
             "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
             width, width * s->height / s->width, s->width, s->height);
    weft_result r = WEFT_OK;
    for (int32_t i = 0; r == WEFT_OK && i < weft_pattern_panel_count(s->pattern); i++) {
        weft_panel_info info;
        r = weft_pattern_panel_info(s->pattern, i, &info, error);
        if (r == WEFT_OK && s->mesh)
            draw_faces(s, i);
        for (int32_t e = 0; r == WEFT_OK && e < weft_pattern_panel(s->pattern, i)->n_edges; e++)
            r = draw_edge(s, i, e, error);
        if (r == WEFT_OK)
            draw_marks(s, i, &info);
    }
    text_add(&s->out, "</svg>\n");
    return r == WEFT_OK && s->out.failed ? fault_memory(error) : r;
}

weft_result weft_pattern_write_svg(const char *path, const weft_pattern *pattern, const weft_svg_def *def,
                                   weft_error *error)
{
    if (!path || !pattern || !def)
        return fault(error, WEFT_ERROR_ARGUMENT, "path, pattern or def is NULL");
    if (def->struct_size != sizeof *def || !(def->width >= 100 && def->width <= 20000))
        return fault(error, WEFT_ERROR_RANGE, "weft_svg_def: struct_size or width is wrong");
    int32_t n = weft_pattern_panel_count(pattern);
    sheet s = {.pattern = pattern, .mesh = weft_garment_get(def->garment)};
    if (s.mesh && s.mesh->n_panels != n)
        return fault(error, WEFT_ERROR_ARGUMENT, "the garment was not made from this pattern");
    s.shift = heap_array((size_t)n, sizeof *s.shift);
    s.edge_seam = heap_array((size_t)n, sizeof *s.edge_seam);
    weft_result r = s.shift && s.edge_seam ? lay_out_panels(&s, error) : fault_memory(error);
    r = r < 0 ? r : find_seams(&s, error);
    r = r < 0 ? r : draw_pattern(&s, def->width, error);
    r = r < 0 ? r : file_write(path, s.out.bytes, s.out.n, def->force, error);
    for (int32_t i = 0; s.edge_seam && i < n; i++)
        free(s.edge_seam[i]);
    free(s.edge_seam);
    free(s.shift);
    text_free(&s.out);
    return r;
}
