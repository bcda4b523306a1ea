/* SPDX-License-Identifier: MIT */
/* What worn garments have to tell: the record that sew.html shows. The words are in the template. */
#include "report/sew_report.h"

#include "disk.h"
#include "report/report.h"

#include <stdlib.h>

/* "shirt, skirt" */
static void set_name(record *to, const wear *w)
{
    page name = {0};
    for (int32_t i = 0; i < w->n_garments; i++)
        page_add(&name, "%s%s", i > 0 ? ", " : "", w->garments[i].name);
    record_move(to, "name", &name);
}

static void set_audit(record *to, const wear_audit *audit)
{
    record_set_flag(to, "intersects", audit->n_cloth + audit->n_body != 0);
    record_set(to, "cloth_pairs", "%lld", (long long)audit->n_cloth);
    record_set(to, "body_pairs", "%lld", (long long)audit->n_body);
}

static void set_picture(record *to, const char *name, const char *folder, const char *file)
{
    char *path = disk_join(folder, file);
    page png = {0};
    weft_error ignored;
    bool is_there = disk_exists(path) && disk_read(path, &png, &ignored) >= 0;
    report_set_picture(to, name, is_there ? &png : NULL);
    page_free(&png);
    free(path);
}

/* A class of the style. */
static void set_verdict(record *to, const char *name, bool is_bad)
{
    record_set(to, name, "%s", is_bad ? "bad" : "good");
}

static void set_figures(record *to, const wear_figures *f)
{
    record_set(to, "nodes", "%d", f->n_nodes);
    record_set(to, "triangles", "%d", f->n_triangles);
    record_set(to, "shut", "%d", f->n_welded);
    record_set(to, "seams", "%d", f->n_seams);
    record_set(to, "gap", "%.3f", 1e3 * f->widest_gap);
    record_set(to, "pulled_gap", "%.3f", 1e3 * f->widest_pulled);
    set_verdict(to, "seams_are", f->widest_gap > WEAR_WIDEST_GAP);
    record_set(to, "most_stretch", "%.1f", 100 * f->stretch);
    record_set(to, "stretch_99", "%.1f", 100 * f->stretch_99);
    record_set_empty(to, "rib_stretch");
    if (f->rib > -1)
        record_set(to, "rib_stretch", "%.1f", 100 * f->rib);
    record_set(to, "ease", "%.1f", 1e3 * f->ease);
    record_set(to, "least_ease", "%.1f", 1e3 * f->ease_least);
    record_set(to, "most_ease", "%.1f", 1e3 * f->ease_most);
    set_verdict(to, "ease_is", f->ease_least < 0);
    record_set(to, "sewing", "%.1f", f->seconds_sew);
    record_set(to, "settling", "%.1f", f->seconds_settle);
    record_set(to, "steps", "%d", f->n_steps);
}

static void add_seam(record *to, const wear_garment *g, int32_t i)
{
    weft_sew_seam s;
    weft_error ignored;
    if (weft_sew_get_seam(g->sew, i, &s, &ignored) < 0)
        return;
    page name = {0};
    wear_seam_name(&name, g->pattern, i);
    record *seam = record_add(to, "seam");
    record_move(seam, "seam_name", &name);
    record_set(seam, "side_a", "%.1f", 1e3 * s.length_a);
    record_set(seam, "side_b", "%.1f", 1e3 * s.length_b);
    record_set(seam, "gathered", "%+.1f", s.length_b > 0 ? 100 * (s.length_a / s.length_b - 1) : 0);
    record_set(seam, "pulled_gap", "%.3f", 1e3 * s.gap_pulled);
    record_set(seam, "gap", "%.3f", 1e3 * s.gap);
    record_set_flag(seam, "is_shut", s.welded);
}

static void add_garment(record *to, const wear_garment *g)
{
    record *garment = record_add(to, "garment");
    record_set(garment, "garment_name", "%s", g->name);
    set_figures(garment, &g->figures);
    record_set_list(garment, "seam");
    for (int32_t i = 0; i < g->figures.n_seams; i++)
        add_seam(garment, g, i);
}

static weft_result make_page(const wear *w, const wear_audit *audit, const char *folder, page *html,
                             clip_summary *summary, weft_error *error)
{
    record *to = record_new();
    set_name(to, w);
    set_audit(to, audit);
    warnings_set(&w->warnings, to);
    set_picture(to, "drape", folder, "drape.png");
    set_picture(to, "stretch", folder, "stretch.png");
    set_picture(to, "placed", folder, "placed.png");
    record_set_list(to, "garment");
    for (int32_t i = 0; i < w->n_garments; i++)
        add_garment(to, &w->garments[i]);
    weft_result r = report_set_clip(to, w->clip, (size_t)(1e6 * w->def.player_mb), summary, error);
    r = r < 0 ? r : report_fill("sew", to, html, error);
    record_free(to);
    return r;
}

weft_result sew_report_write(const wear *w, const wear_audit *audit, const char *folder, clip_summary *summary,
                             weft_error *error)
{
    page html = {0};
    char *path = disk_join(folder, "report.html");
    weft_result r = make_page(w, audit, folder, &html, summary, error);
    r = r < 0 ? r : disk_write(path, html.bytes, html.n, true, error);
    free(path);
    page_free(&html);
    return r;
}
