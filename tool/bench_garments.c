/* SPDX-License-Identifier: MIT */
/* Garments from flat panels to settled: one table. Without files the project's own form and drafts; with files the
 * first is a body, the others are patterns. */
#include "bench.h"
#include "disk.h"
#include "say.h"
#include "wear_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct garment_bench {
    const bench_options *o;
    wear_def def;
    int32_t n, n_good;
} garment_bench;

static void print_head(void)
{
    printf("%-24s %7s %6s %10s %6s %6s %8s %8s %8s %8s\n", "garment", "nodes", "seams", "widest gap", "cloth", "body",
           "stretch", "99 % of", "ease", "time");
    printf("%-24s %7s %6s %10s %6s %6s %8s %8s %8s %8s\n", "", "", "shut", "mm", "inter-", "sect.", "%", "sides, %",
           "mm", "s");
}

static void print_row(garment_bench *b, const wear *w, const wear_audit *audit)
{
    const wear_garment *g = &w->garments[w->n_garments - 1];
    const wear_figures *f = &g->figures;
    char seams[24];
    snprintf(seams, sizeof seams, "%d/%d", f->n_welded, f->n_seams);
    printf("%-24.24s %7d %6s %10.3f %6lld %6lld %8.1f %8.1f %8.1f %8.1f\n", g->name, f->n_nodes, seams,
           1e3 * f->widest_gap, (long long)audit->n_cloth, (long long)audit->n_body, 100 * f->stretch,
           100 * f->stretch_99, 1e3 * f->ease, f->seconds_sew + f->seconds_settle);
    fflush(stdout);
    b->n++;
    b->n_good += audit->n_cloth + audit->n_body == 0 && f->widest_gap <= WEAR_WIDEST_GAP;
}

static weft_result draw(const garment_bench *b, const wear *w, weft_error *error)
{
    if (!b->o->folder)
        return WEFT_OK;
    page name = {0};
    page_add(&name, "%s.png", w->garments[w->n_garments - 1].name);
    char *path = disk_join(b->o->folder, page_text(&name));
    weft_result r = disk_make_folder(b->o->folder, error);
    r = r < 0 ? r : wear_picture(w, path, false, error);
    free(path);
    page_free(&name);
    return r;
}

/* `pattern` is taken over; NULL: read from the path. One that fails is told, and the next goes on. */
static void sew_one(garment_bench *b, const char *path, weft_pattern *pattern)
{
    wear w = {0};
    weft_error error;
    wear_audit audit = {0};
    weft_result r = wear_begin(&w, &b->def, &error);
    if (r < 0)
        weft_pattern_destroy(pattern);
    r = r < 0 ? r : wear_add(&w, path, pattern, &error);
    r = r < 0 ? r : wear_sew(&w, &error);
    r = r < 0 ? r : wear_measure(&w, 0, &error);
    r = r < 0 ? r : wear_check(&w, &audit, &error);
    if (r >= 0)
        print_row(b, &w, &audit);
    r = r < 0 ? r : draw(b, &w, &error);
    if (r < 0) {
        b->n++;
        say_warning("%s", error.text);
    }
    wear_end(&w);
}

static int bench_own(garment_bench *b)
{
    weft_form_def def = weft_form_def_default();
    def.n_triangles = b->o->quick ? 6000 : 26000;
    weft_form *form = NULL;
    weft_error error;
    weft_result r = weft_form_create(&def, &form, &error);
    if (r < 0)
        return say_wrong("%s", error.text);
    const weft_form_data *body = weft_form_get(form);
    b->def.form = body;
    b->def.body = "form";
    for (int32_t i = 0; i < weft_draft_count(); i++) {
        weft_pattern *pattern = NULL;
        if (b->o->only && strcmp(b->o->only, weft_draft_name(i)) != 0)
            continue;
        if (weft_draft(weft_draft_name(i), &def.measures, &pattern, &error) < 0)
            say_warning("%s", error.text);
        else
            sew_one(b, weft_draft_name(i), pattern);
    }
    weft_form_destroy(form);
    return EXIT_FINE;
}

int bench_garments(const bench_options *o)
{
    garment_bench b = {.o = o, .def = wear_def_default()};
    weft_fabric fabric = weft_fabric_default();
    weft_error error;
    if (weft_fabric_find("cotton", &fabric, &error) < 0)
        return say_wrong("%s", error.text);
    b.def.fabric = &fabric;
    b.def.n_threads = o->n_threads;
    b.def.size = o->quick ? 0.03 : 0.02;
    int code = EXIT_FINE;
    print_head();
    if (o->n_files == 0)
        code = bench_own(&b);
    else if (o->n_files == 1)
        code = say_wrong("'weft bench garments' wants a body and patterns, found '%s' alone", o->files[0]);
    else
        b.def.body = o->files[0];
    for (int32_t i = 1; i < o->n_files; i++)
        sew_one(&b, o->files[i], NULL);
    if (code != EXIT_FINE)
        return code;
    printf("\n%d of %d garments: seams shut within 1 mm, no intersections by the exact audit\n", b.n_good, b.n);
    return b.n_good == b.n ? EXIT_FINE : EXIT_NO;
}
