/* SPDX-License-Identifier: MIT */
/* What is told of worn garments in lines for people. */
#include "wear.h"

#include <stdio.h>

static void add_part_names(page *out, const weft_pattern *p, const weft_seam_part *parts, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        const weft_panel *panel = weft_pattern_panel(p, parts[i].panel);
        page_add(out, "%s%s.%s", i > 0 ? " + " : "", panel->name, panel->edges[parts[i].edge].name);
    }
}

void wear_seam_name(page *out, const weft_pattern *p, int32_t seam)
{
    const weft_seam *s = weft_pattern_seam(p, seam);
    add_part_names(out, p, s->a, s->n_a);
    page_add(out, " — ");
    add_part_names(out, p, s->b, s->n_b);
}

static void tell_open_seams(const wear_garment *g)
{
    for (int32_t k = 0; k < g->figures.n_seams; k++) {
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

static void tell_garment(const wear_garment *g)
{
    const wear_figures *f = &g->figures;
    printf("%s\n", g->name);
    printf("  nodes            %d, %d triangles\n", f->n_nodes, f->n_triangles);
    printf("  seams            %d of %d shut, widest gap %.3f mm, %.3f mm when pulling ended\n", f->n_welded,
           f->n_seams, 1e3 * f->widest_gap, 1e3 * f->widest_pulled);
    printf("  stretch          %.1f %% at most, 99 %% of sides below %.1f %%\n", 100 * f->stretch, 100 * f->stretch_99);
    if (f->rib > -1)
        printf("  of ribs          %.1f %%\n", 100 * f->rib);
    printf("  from the body    %.1f mm in the mean, %.1f to %.1f mm\n", 1e3 * f->ease, 1e3 * f->ease_least,
           1e3 * f->ease_most);
    printf("  folds            %.0f %% of the area, triangles there of %.1f mm\n", 100 * f->folded, 1e3 * f->fold_size);
    printf("  time             %.1f s sewing, %.1f s settling, %d steps\n", f->seconds_sew, f->seconds_settle,
           f->n_steps);
    tell_open_seams(g);
}

void wear_tell(const wear *w, const wear_audit *audit)
{
    for (int32_t i = 0; i < w->n_garments; i++)
        tell_garment(&w->garments[i]);
    printf("intersections      %lld of cloth with cloth, %lld with the body, exactly\n", (long long)audit->n_cloth,
           (long long)audit->n_body);
}
