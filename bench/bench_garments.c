/* SPDX-License-Identifier: MIT */
/* Measures garments from flat panels to settled: seams, intersections by the exact audit, stretch, ease and time, one
 * row each. Beside it: an adaptive mesh and a uniform one of the same garment. Without files the project's own form and
 * drafts; with files the first is a body, the others are patterns. Provot's figures 7 to 9 (1997) show garments on a
 * mannequin without interpenetration; these rows are ours beside them. */
#include "bench.h"
#include "disk.h"
#include "say.h"
#include "wear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct garment_bench {
    const bench_options *o;
    wear_def def;
    int32_t n, n_good, n_taut;
    const weft_measures *measures; /* of our own form and drafts; NULL: patterns are files */
} garment_bench;

/* Panels but bands are to be stretched by no more. */
static const double most_stretch = 0.08;

static void print_head(void)
{
    printf("%-24s %6s %7s %6s %9s %9s %6s %6s %8s %8s %8s %8s\n", "garment", "body", "nodes", "seams", "gap when",
           "gap at", "cloth", "body", "stretch", "99 % of", "ease", "time");
    printf("%-24s %6s %7s %6s %9s %9s %6s %6s %8s %8s %8s %8s\n", "", "times", "", "shut", "pulled mm", "last mm",
           "inter-", "sect.", "%", "sides, %", "mm", "s");
}

static void print_row(garment_bench *b, const wear *w, const wear_audit *audit)
{
    const wear_garment *g = &w->garments[w->n_garments - 1];
    const wear_figures *f = &g->figures;
    char seams[24];
    snprintf(seams, sizeof seams, "%d/%d", f->n_welded, f->n_seams);
    printf("%-24.24s %6.2f %7d %6s %9.3f %9.3f %6lld %6lld %8.1f %8.1f %8.1f %8.1f\n", g->name, w->def.body_scale,
           f->n_nodes, seams, 1e3 * f->widest_pulled, 1e3 * f->widest_gap, (long long)audit->n_cloth,
           (long long)audit->n_body, 100 * f->stretch, 100 * f->stretch_99, 1e3 * f->ease,
           f->seconds_sew + f->seconds_settle);
    fflush(stdout);
    bool good = audit->n_cloth + audit->n_body == 0 && f->widest_gap <= WEAR_WIDEST_GAP;
    b->n++;
    b->n_good += good;
    b->n_taut += good && f->stretch > most_stretch;
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

/* `pattern` is taken over; NULL: read from the path. */
static weft_result place_one(wear *w, const wear_def *def, const char *path, weft_pattern *pattern, weft_error *error)
{
    weft_result r = wear_begin(w, def, error);
    if (r < 0)
        weft_pattern_destroy(pattern);
    return r < 0 ? r : wear_add(w, path, pattern, error);
}

/* A garment that is too small is put on a body that is smaller by as much, which moves the heights it is measured at:
 * so more than once. Patterns are read again, the files' own. */
static weft_result place_fitting(wear *w, wear_def *def, const char *path, weft_error *error)
{
    enum { ROUNDS = 4 };
    const double ease = 0.02; /* of woven cloth, at the least: to go round is not yet to fit at crotch and armholes */
    weft_result r = WEFT_OK;
    def->body_scale = 1;
    for (int round = 0; round < ROUNDS; round++) {
        r = place_one(w, def, path, NULL, error);
        double ratio = r < 0 ? 1 : wear_girth_ratio(w, 0);
        if (ratio >= 1 || round == ROUNDS - 1)
            break;
        wear_end(w);
        def->body_scale *= fmax(0.5, ratio - ease);
    }
    return r;
}

static weft_result sew_and_measure(wear *w, wear_audit *audit, weft_error *error)
{
    weft_result r = wear_sew(w, error);
    r = r < 0 ? r : wear_measure(w, 0, error);
    return r < 0 ? r : wear_check(w, audit, error);
}

/* One that fails is told, and the next goes on. */
static void sew_one(garment_bench *b, const char *path, weft_pattern *pattern)
{
    wear w = {0};
    weft_error error;
    wear_audit audit = {0};
    wear_def def = b->def;
    weft_result r = pattern ? place_one(&w, &def, path, pattern, &error) : place_fitting(&w, &def, path, &error);
    r = r < 0 ? r : sew_and_measure(&w, &audit, &error);
    if (r >= 0)
        print_row(b, &w, &audit);
    r = r < 0 ? r : draw(b, &w, &error);
    if (r < 0) {
        b->n++;
        say_warning("%s", error.text);
    }
    wear_end(&w);
}

/* ---- adaptive beside uniform ------------------------------------------------------------------------------------- */

static void print_adapted(const wear *w, const wear_audit *audit, const char *mesh, double seconds)
{
    const wear_figures *f = &w->garments[0].figures;
    printf("%-24.24s %-22s %7d %10.1f %9.0f %8.1f %8.1f %8.1f %8.1f %6lld\n", w->garments[0].name, mesh, f->n_nodes,
           1e3 * f->fold_size, 100 * f->folded, 100 * f->stretch, f->seconds_sew, f->seconds_settle, seconds,
           (long long)audit->n_cloth + audit->n_body);
    fflush(stdout);
}

static double busy_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static weft_result sew_adapted(const garment_bench *b, const char *path, double size, int32_t levels, double *seconds,
                               weft_error *error)
{
    wear w = {0};
    wear_audit audit = {0};
    wear_def def = b->def;
    weft_pattern *pattern = NULL;
    char mesh[40];
    def.size = size;
    def.adapt = levels;
    snprintf(mesh, sizeof mesh, levels > 0 ? "%.0f mm, splits once" : "%.0f mm", 1e3 * size);
    weft_result r = b->measures ? weft_draft(path, b->measures, &pattern, error) : WEFT_OK;
    r = r < 0 ? r : place_one(&w, &def, path, pattern, error);
    double from = busy_seconds();
    r = r < 0 ? r : sew_and_measure(&w, &audit, error);
    *seconds = busy_seconds() - from;
    if (r >= 0)
        print_adapted(&w, &audit, mesh, *seconds);
    wear_end(&w);
    return r;
}

/* A garment cut at half of a size, and at the size with elements that split once. */
static void compare_adapted(const garment_bench *b, const char *path)
{
    double size = b->o->quick ? 0.048 : 0.032, uniform = 0, adapted = 0;
    weft_error error;
    printf("\n%-24s %-22s %7s %10s %9s %8s %8s %8s %8s %6s\n", "adaptive beside uniform", "mesh", "nodes", "triangles",
           "of the", "stretch", "sewing", "settling", "CPU", "inter-");
    printf("%-24s %-22s %7s %10s %9s %8s %8s %8s %8s %6s\n", "", "", "", "in folds", "area, %", "%", "s", "s", "s",
           "sect.");
    weft_result r = sew_adapted(b, path, 0.5 * size, 0, &uniform, &error);
    r = r < 0 ? r : sew_adapted(b, path, size, 1, &adapted, &error);
    if (r < 0)
        say_warning("%s", error.text);
    else
        printf("%.2f of the uniform mesh's time\n", adapted / uniform);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* --only: the comparison alone ("adapt"), all garments without it ("table"), or one garment by its name. */
static bool is_wanted(const garment_bench *b, const char *name)
{
    const char *only = b->o->only;
    return !only || strcmp(only, name) == 0 || (strcmp(only, "table") == 0 && strcmp(name, "adapt") != 0);
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
    b->def.form = weft_form_get(form);
    b->def.body = "form";
    b->measures = &def.measures;
    for (int32_t i = 0; i < weft_draft_count(); i++) {
        weft_pattern *pattern = NULL;
        if (!is_wanted(b, weft_draft_name(i)))
            continue;
        if (weft_draft(weft_draft_name(i), b->measures, &pattern, &error) < 0)
            say_warning("%s", error.text);
        else
            sew_one(b, weft_draft_name(i), pattern);
    }
    if (is_wanted(b, "adapt"))
        compare_adapted(b, weft_draft_name(0));
    b->def.form = NULL;
    b->measures = NULL;
    weft_form_destroy(form);
    return EXIT_FINE;
}

static int bench_files(garment_bench *b)
{
    const bench_options *o = b->o;
    if (o->n_files == 1)
        return say_wrong("'weft-bench garments' wants a body and patterns, found '%s' alone", o->files[0]);
    b->def.body = o->files[0];
    for (int32_t i = 1; i < o->n_files; i++) {
        char *name = wear_name_of(o->files[i]);
        if (name && is_wanted(b, name))
            sew_one(b, o->files[i], NULL);
        free(name);
    }
    if (is_wanted(b, "adapt"))
        compare_adapted(b, o->files[o->n_files - 1]);
    return EXIT_FINE;
}

int bench_garments(const bench_options *o)
{
    garment_bench b = {.o = o, .def = wear_def_default()};
    weft_fabric fabric = weft_fabric_default(), rib = fabric;
    weft_error error;
    if (weft_fabric_find("cotton", &fabric, &error) < 0 || weft_fabric_find("rib", &rib, &error) < 0)
        return say_wrong("%s", error.text);
    b.def.fabric = &fabric;
    b.def.rib = &rib;
    b.def.n_threads = o->n_threads;
    b.def.size = o->quick ? 0.03 : 0.02;
    bool table = !o->only || strcmp(o->only, "adapt") != 0;
    if (table)
        print_head();
    int code = o->n_files == 0 ? bench_own(&b) : bench_files(&b);
    if (code != EXIT_FINE || !table)
        return code;
    printf("\n%d of %d garments: seams shut within 1 mm, no intersections by the exact audit; %d of them stretched by "
           "more "
           "than %.0f %%\n",
           b.n_good, b.n, b.n_taut, 100 * most_stretch);
    return b.n_good == b.n ? EXIT_FINE : EXIT_NO;
}
