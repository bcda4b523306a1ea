/* SPDX-License-Identifier: MIT */
/* What is told of a worn garment: lines for people, and report.html, one file that needs no other. */
#include "wear_report.h"

#include "disk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "body{margin:0;background:#f7f7f5;color:#1c1d1f;font:16px/1.5 system-ui,sans-serif}main{max-width:1180px;margin:0 "
    "auto;padding:28px 20px 60px}h2{font-size:20px;margin:36px 0 12px}img{max-width:100%;border:1px solid #e2e2de;"
    "border-radius:8px}table{border-collapse:collapse;background:#fff;border:1px solid #e2e2de}td,th{padding:6px 14px;"
    "border-top:1px solid #e2e2de;text-align:left;font-variant-numeric:tabular-nums}th{font-weight:400;color:#63666b}"
    ".bad{color:#b3261e;font-weight:600}.lead{color:#63666b}\n"
    "@media(prefers-color-scheme:dark){body{background:#151617;color:#e8e8e6}table{background:#1d1f21}table,td,th,img"
    "{border-color:#34373a}th,.lead{color:#a0a3a8}}\n";

static void add_row(page *html, const char *name, const char *text, bool bad)
{
    page_add(html, "<tr><th>%s</th><td%s>%s</td></tr>\n", name, bad ? " class=\"bad\"" : "", text);
}

static void add_figures(page *html, const wear_garment *g)
{
    const wear_figures *f = &g->figures;
    char text[200];
    page_add(html, "<table>\n");
    snprintf(text, sizeof text, "%d, %d triangles", f->n_nodes, f->n_triangles);
    add_row(html, "nodes", text, false);
    snprintf(text, sizeof text, "%d of %d shut, widest gap %.3f mm, %.3f mm when pulling ended", f->n_welded,
             f->n_seams, 1e3 * f->widest_gap, 1e3 * f->widest_pulled);
    add_row(html, "seams", text, f->widest_gap > WEAR_WIDEST_GAP);
    snprintf(text, sizeof text, "%.1f %% at most, 99 %% of all sides below %.1f %%", 100 * f->stretch,
             100 * f->stretch_99);
    add_row(html, "stretch", text, false);
    if (f->rib > -1) {
        snprintf(text, sizeof text, "%.1f %% at most", 100 * f->rib);
        add_row(html, "stretch of ribs", text, false);
    }
    snprintf(text, sizeof text, "%.1f mm in the mean, %.1f to %.1f mm", 1e3 * f->ease, 1e3 * f->ease_least,
             1e3 * f->ease_most);
    add_row(html, "distance from the body", text, f->ease_least < 0);
    snprintf(text, sizeof text, "%.1f s sewing, %.1f s settling, %d steps", f->seconds_sew, f->seconds_settle,
             f->n_steps);
    add_row(html, "computed in", text, false);
    page_add(html, "</table>\n");
}

static void add_seams(page *html, const wear_garment *g)
{
    page_add(html, "<h2>Seams</h2>\n<table><tr><th>seam</th><th>side a</th><th>side b</th><th>gathered</th>"
                   "<th>pulled to</th><th>gap</th><th></th></tr>\n");
    for (int32_t i = 0; i < g->figures.n_seams; i++) {
        weft_sew_seam s;
        weft_error error;
        if (weft_sew_get_seam(g->sew, i, &s, &error) < 0)
            continue;
        page_add(html, "<tr><td>");
        wear_seam_name(html, g->pattern, i);
        page_add(html,
                 "</td><td>%.1f mm</td><td>%.1f mm</td><td>%+.1f %%</td><td>%.3f mm</td><td>%.3f "
                 "mm</td><td%s>%s</td></tr>\n",
                 1e3 * s.length_a, 1e3 * s.length_b, s.length_b > 0 ? 100 * (s.length_a / s.length_b - 1) : 0,
                 1e3 * s.gap_pulled, 1e3 * s.gap, s.welded ? "" : " class=\"bad\"", s.welded ? "shut" : "open");
    }
    page_add(html, "</table>\n");
}

static void add_part_names(page *out, const weft_pattern *p, const weft_seam_part *parts, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        const weft_panel *panel = weft_pattern_panel(p, parts[i].panel);
        page_add(out, "%s", i > 0 ? " + " : "");
        page_add_html(out, panel->name);
        page_add(out, ".");
        page_add_html(out, panel->edges[parts[i].edge].name);
    }
}

void wear_seam_name(page *out, const weft_pattern *p, int32_t seam)
{
    const weft_seam *s = weft_pattern_seam(p, seam);
    add_part_names(out, p, s->a, s->n_a);
    page_add(out, " — ");
    add_part_names(out, p, s->b, s->n_b);
}

static void add_picture(page *html, const char *folder, const char *name, const char *text)
{
    char *path = disk_join(folder, name);
    page png = {0};
    weft_error error;
    if (disk_exists(path) && disk_read(path, &png, &error) >= 0) {
        page_add(html, "<h2>%s</h2>\n<img alt=\"%s\" src=\"data:image/png;base64,", text, text);
        page_add_base64(html, png.bytes, png.n);
        page_add(html, "\">\n");
    }
    page_free(&png);
    free(path);
}

weft_result wear_report_write(const wear *w, const wear_audit *audit, const char *folder, weft_error *error)
{
    page html = {0};
    page_add(&html, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    for (int32_t i = 0; i < w->n_garments; i++) {
        page_add(&html, "%s", i > 0 ? ", " : "");
        page_add_html(&html, w->garments[i].name);
    }
    page_add(&html, " – Weft</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>Sewn</h1>\n<p class=\"lead\">",
             style);
    if (audit->n_cloth + audit->n_body == 0)
        page_add(&html, "Nothing goes through anything, by the exact audit.</p>\n");
    else
        page_add(
            &html,
            "<span class=\"bad\">%lld pairs of the cloth's triangles intersect, and %lld of cloth and body</span>, "
            "by the exact audit.</p>\n",
            (long long)audit->n_cloth, (long long)audit->n_body);
    add_picture(&html, folder, "drape.png", "Worn");
    add_picture(&html, folder, "stretch.png", "Stretch");
    add_picture(&html, folder, "placed.png", "Before sewing");
    for (int32_t i = 0; i < w->n_garments; i++) {
        page_add(&html, "<h2>");
        page_add_html(&html, w->garments[i].name);
        page_add(&html, "</h2>\n");
        add_figures(&html, &w->garments[i]);
        add_seams(&html, &w->garments[i]);
    }
    page_add(&html, "<p class=\"lead\">Weft %s</p>\n</main></body></html>\n", weft_version());
    char *path = disk_join(folder, "report.html");
    weft_result r = WEFT_OK;
    if (html.failed) {
        *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
        r = WEFT_ERROR_MEMORY;
    } else
        r = disk_write(path, html.bytes, html.n, true, error);
    free(path);
    page_free(&html);
    return r;
}

void wear_tell(const wear *w, const wear_audit *audit)
{
    for (int32_t i = 0; i < w->n_garments; i++) {
        const wear_garment *g = &w->garments[i];
        const wear_figures *f = &g->figures;
        printf("%s\n", g->name);
        printf("  nodes            %d, %d triangles\n", f->n_nodes, f->n_triangles);
        printf("  seams            %d of %d shut, widest gap %.3f mm, %.3f mm when pulling ended\n", f->n_welded,
               f->n_seams, 1e3 * f->widest_gap, 1e3 * f->widest_pulled);
        printf("  stretch          %.1f %% at most, 99 %% of sides below %.1f %%\n", 100 * f->stretch,
               100 * f->stretch_99);
        if (f->rib > -1)
            printf("  of ribs          %.1f %%\n", 100 * f->rib);
        printf("  from the body    %.1f mm in the mean, %.1f to %.1f mm\n", 1e3 * f->ease, 1e3 * f->ease_least,
               1e3 * f->ease_most);
        printf("  folds            %.0f %% of the area, triangles there of %.1f mm\n", 100 * f->folded,
               1e3 * f->fold_size);
        printf("  time             %.1f s sewing, %.1f s settling, %d steps\n", f->seconds_sew, f->seconds_settle,
               f->n_steps);
        for (int32_t k = 0; k < f->n_seams; k++) {
            weft_sew_seam s;
            weft_error error;
            page name = {0};
            if (weft_sew_get_seam(g->sew, k, &s, &error) < 0 || s.welded || s.n_pairs == 0)
                continue;
            wear_seam_name(&name, g->pattern, k);
            printf("  open             %s: %.1f mm\n", page_text(&name), 1e3 * s.gap);
            page_free(&name);
        }
    }
    printf("intersections      %lld of cloth with cloth, %lld with the body, exactly\n", (long long)audit->n_cloth,
           (long long)audit->n_body);
}
