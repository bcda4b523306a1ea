/* SPDX-License-Identifier: MIT */
/* The list of drafts, and what they draw with: paths of named edges, seams by the names of panels and edges, bands. */
#include "garment/draft.h"

#include "garment/form.h"

#include <string.h>

typedef struct draft_kind {
    const char *name, *about;
    weft_result (*make)(weft_pattern *pattern, const weft_measures *m, weft_error *error);
} draft_kind;

static const draft_kind kinds[] = {
    {"tshirt", "front, back and two short set-in sleeves", draft_tshirt},
    {"skirt", "front and back with two darts each, waistband", draft_skirt},
    {"trousers", "two fronts, two backs with a dart each, waistband", draft_trousers},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

int32_t weft_draft_count(void)
{
    return N_KINDS;
}

const char *weft_draft_name(int32_t draft)
{
    return draft >= 0 && draft < N_KINDS ? kinds[draft].name : NULL;
}

const char *weft_draft_about(int32_t draft)
{
    return draft >= 0 && draft < N_KINDS ? kinds[draft].about : NULL;
}

weft_result weft_draft(const char *name, const weft_measures *measures, weft_pattern **out, weft_error *error)
{
    if (!name || !measures || !out)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "name, measures or out is NULL");
    *out = NULL;
    weft_result r = form_check_measures(measures, error);
    for (int i = 0; r == WEFT_OK && i < N_KINDS; i++) {
        if (strcmp(kinds[i].name, name) != 0)
            continue;
        weft_pattern *p = NULL;
        r = weft_pattern_create(NULL, NULL, &p, error);
        r = r < 0 ? r : kinds[i].make(p, measures, error);
        r = r < 0 ? r : weft_pattern_check(p, 1.2, error);
        if (r < 0)
            weft_pattern_destroy(p);
        else
            *out = p;
        return r;
    }
    return r < 0 ? r : error_set(error, WEFT_ERROR_NOT_FOUND, -1, "there is no draft '%.60s'", name);
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

void draft_begin(draft_path *p, vec2 start)
{
    *p = (draft_path){.at = start};
}

void draft_edge(draft_path *p, const char *name)
{
    p->edges[p->n_edges++] = (weft_edge){name, p->n_curves, 0, 1};
}

static void draft_add_curve(draft_path *p, weft_curve c, vec2 to)
{
    c.from = p->at;
    p->curves[p->n_curves++] = c;
    p->edges[p->n_edges - 1].n++;
    p->at = to;
}

void draft_line(draft_path *p, vec2 to)
{
    draft_add_curve(p, (weft_curve){.kind = WEFT_CURVE_LINE}, to);
}

void draft_cubic(draft_path *p, vec2 c0, vec2 c1, vec2 to)
{
    draft_add_curve(p, (weft_curve){.kind = WEFT_CURVE_CUBIC, .control = {c0, c1}}, to);
}

static vec2 mirror_point(vec2 a)
{
    return v2(-a.u, a.v);
}

void draft_mirror(draft_path *p)
{
    draft_path old = *p;
    int32_t n = old.n_curves;
    for (int32_t i = 0; i < n; i++) {
        weft_curve c = old.curves[n - 1 - i];
        vec2 to = old.curves[(n - i) % n].from; /* where it ended is where it begins now */
        p->curves[i] = (weft_curve){.kind = c.kind,
                                    .from = mirror_point(to),
                                    .control = {mirror_point(c.control[1]), mirror_point(c.control[0])}};
    }
    for (int32_t i = 0; i < old.n_edges; i++) {
        weft_edge e = old.edges[old.n_edges - 1 - i];
        p->edges[i] = (weft_edge){e.name, n - e.first - e.n, e.n, e.elastic};
    }
    for (int32_t i = 0; i < old.n_notches; i++)
        p->notches[i].at = mirror_point(old.notches[i].at);
}

double draft_length(const draft_path *p, const char *edge)
{
    double sum = 0;
    for (int32_t e = 0; e < p->n_edges; e++)
        for (int32_t i = p->edges[e].first;
             strcmp(p->edges[e].name, edge) == 0 && i < p->edges[e].first + p->edges[e].n; i++) {
            vec2 to = i + 1 < p->n_curves ? p->curves[i + 1].from : p->at, last = p->curves[i].from;
            int32_t n = curve_chords(&p->curves[i], to, 1e-6);
            for (int32_t k = 1; k <= n; k++) {
                vec2 x = curve_at(&p->curves[i], to, (double)k / n);
                sum += v2_distance(x, last);
                last = x;
            }
        }
    return sum;
}

/* ---- panels and seams -------------------------------------------------------------------------------------------- */

weft_result draft_add_panel(weft_pattern *pattern, const char *name, const char *label, const draft_path *p,
                            weft_error *error)
{
    weft_panel panel = weft_panel_default();
    panel.name = name;
    panel.label = label;
    panel.n_loops = 1;
    panel.loop_sizes = &p->n_curves;
    panel.n_curves = p->n_curves;
    panel.curves = p->curves;
    panel.n_edges = p->n_edges;
    panel.edges = p->edges;
    panel.n_notches = p->n_notches;
    panel.notches = p->notches;
    return weft_pattern_add_panel(pattern, &panel, NULL, error);
}

weft_seam_part draft_part(const weft_pattern *pattern, const char *panel, const char *edge)
{
    int32_t i = weft_pattern_find_panel(pattern, panel);
    return (weft_seam_part){i, weft_pattern_find_edge(pattern, i, edge), 0, 1};
}

weft_result draft_add_seam(weft_pattern *pattern, weft_seam_kind kind, weft_seam_part a, weft_seam_part b,
                           weft_error *error)
{
    weft_seam s = weft_seam_default();
    s.kind = kind;
    s.a = &a;
    s.b = &b;
    s.n_a = s.n_b = 1;
    return weft_pattern_add_seam(pattern, &s, NULL, error);
}

weft_result draft_add_band(weft_pattern *pattern, const weft_seam_part *parts, int32_t n, double height,
                           weft_error *error)
{
    double length = 0;
    for (int32_t i = 0; i < n; i++)
        length += (parts[i].to - parts[i].from) * weft_pattern_edge_length(pattern, parts[i].panel, parts[i].edge);
    draft_path p;
    draft_begin(&p, v2(0, 0));
    draft_edge(&p, "sewn");
    draft_line(&p, v2(length, 0));
    draft_edge(&p, "end_b");
    draft_line(&p, v2(length, height));
    draft_edge(&p, "top");
    draft_line(&p, v2(0, height));
    draft_edge(&p, "end_a");
    draft_line(&p, v2(0, 0));
    weft_result r = draft_add_panel(pattern, "waistband", "waist", &p, error);
    if (r < 0)
        return r;
    weft_seam_part sewn = draft_part(pattern, "waistband", "sewn");
    weft_seam s = weft_seam_default();
    s.a = &sewn;
    s.n_a = 1;
    s.b = parts;
    s.n_b = n;
    r = weft_pattern_add_seam(pattern, &s, NULL, error);
    return r < 0 ? r
                 : draft_add_seam(pattern, WEFT_SEAM_PLAIN, draft_part(pattern, "waistband", "end_a"),
                                  draft_part(pattern, "waistband", "end_b"), error);
}
