/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "disk.h"
#include "facts.h"
#include "pattern_body.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/io/pattern.h>

static const char examples[] =
    "  weft pattern shirt.json                          panels, areas, seams with the lengths of both sides\n"
    "  weft pattern shirt.json --size 10 -o shirt.svg   cut into a mesh with edges of 10 mm, and drawn\n"
    "  weft pattern shirt.json --body body.obj -o placed.png    put round a body: front, left, back\n"
    "  weft pattern shirt.json --body body.obj -o placed.obj    the same as a mesh, with material coordinates\n"
    "  weft pattern shirt.dxf -o shirt.json             as panel-outline/1\n";

typedef struct pattern_options {
    const char *out, *body, *landmarks;
    double size, ratio, clearance;
    bool json, force, no_mesh, ignore_hints;
} pattern_options;

/* What was made of a pattern. */
typedef struct pattern_work {
    const char *path;
    const pattern_options *o;
    const weft_pattern *pattern;
    weft_garment *garment;
    weft_body *body;
    weft_mesh skin;
    weft_panel_fit *fits;
} pattern_work;

static weft_result refuse(weft_error *error, weft_result code, const char *path, const char *what)
{
    *error = (weft_error){.code = code, .element = -1};
    snprintf(error->text, sizeof error->text, "%.250s: %.200s", path, what);
    return code;
}

/* In front of what the core says stands the file. */
static weft_result in_file(const pattern_work *w, weft_result r, weft_error *error)
{
    weft_error told = *error;
    return r < 0 ? refuse(error, r, w->path, told.text) : r;
}

static weft_result write_out(const pattern_work *w, weft_error *error)
{
    const char *path = w->o->out;
    weft_svg_def svg = weft_svg_def_default();
    svg.garment = w->garment;
    svg.force = w->o->force;
    if (!path)
        return WEFT_OK;
    if (disk_exists(path) && !w->o->force)
        return refuse(error, WEFT_ERROR_EXISTS, path, "exists");
    if (disk_make_parent(path, error) < 0)
        return WEFT_ERROR_FILE;
    if (disk_ending_is(path, "json"))
        return weft_pattern_write(path, w->pattern, true, error);
    if (disk_ending_is(path, "svg"))
        return weft_pattern_write_svg(path, w->pattern, &svg, error);
    if (w->garment && (disk_ending_is(path, "obj") || disk_ending_is(path, "ply")))
        return pattern_mesh_write(path, w->pattern, w->garment, error);
    if (w->body && disk_ending_is(path, "png"))
        return pattern_body_picture(path, &w->skin, w->garment, error);
    return refuse(error, WEFT_ERROR_FORMAT, path,
                  "expected a name that ends with .svg, .json, .obj or .ply, or with --body .png");
}

static weft_result fit(pattern_work *w, weft_error *error)
{
    weft_fit_def def = weft_fit_def_default();
    def.clearance = 1e-3 * w->o->clearance;
    def.ignore_hints = w->o->ignore_hints;
    weft_result r = pattern_body_read(w->o->body, w->o->landmarks, &w->body, &w->skin, error);
    if (r < 0)
        return r;
    w->fits = calloc((size_t)weft_pattern_panel_count(w->pattern), sizeof *w->fits);
    if (!w->fits)
        return refuse(error, WEFT_ERROR_MEMORY, w->path, "out of memory");
    return in_file(w, weft_garment_fit(w->garment, w->pattern, w->body, &def, w->fits, error), error);
}

static weft_result work(pattern_work *w, weft_error *error)
{
    const pattern_options *o = w->o;
    weft_garment_def def = weft_garment_def_default();
    def.size = 1e-3 * o->size;
    def.seam_ratio = o->ratio;
    weft_result r = o->no_mesh ? weft_pattern_check(w->pattern, o->ratio, error)
                               : weft_garment_create(w->pattern, &def, &w->garment, error);
    r = in_file(w, r, error);
    if (r == WEFT_OK && o->body)
        r = fit(w, error);
    return r < 0 ? r : write_out(w, error);
}

static int tell(pattern_work *w)
{
    weft_error error;
    const pattern_options *o = w->o;
    weft_result r = work(w, &error);
    if (r == WEFT_ERROR_EXISTS)
        return say_wrong("%s exists already; replace it with --force", o->out);
    if (r < 0)
        return say_wrong("%s", error.text);
    facts f = facts_begin(o->json);
    facts_add_pattern(&f, w->pattern, w->garment);
    if (w->fits)
        facts_add_fit(&f, w->pattern, w->fits);
    facts_print(&f);
    if (o->out && !o->json)
        printf("wrote %s\n", o->out);
    return EXIT_FINE;
}

int verb_pattern(int argc, char **argv)
{
    pattern_options o = {.size = 20, .ratio = 2, .clearance = 5};
    const args_option options[] = {
        {"out", 'o', ARGS_TEXT, &o.out, "PATH",
         "a drawing (.svg), the pattern (.json), the mesh (.obj, .ply), a picture (.png)", 0, 0},
        {"size", 0, ARGS_NUMBER, &o.size, "MM", "length of the mesh's edges; 20", 0.5, 1000},
        {"ratio", 0, ARGS_NUMBER, &o.ratio, "R", "most that the sides of a seam may differ in length; 2", 1, 1000},
        {"body", 0, ARGS_TEXT, &o.body, "MESH", "a closed body to put the panels round", 0, 0},
        {"landmarks", 0, ARGS_TEXT, &o.landmarks, "FILE", "its landmarks; found from the mesh", 0, 0},
        {"clearance", 0, ARGS_NUMBER, &o.clearance, "MM", "least distance of panels from the body; 5", 0, 500},
        {"ignore-hints", 0, ARGS_FLAG, &o.ignore_hints, NULL, "place panels by their names, whatever the pattern says",
         0, 0},
        {"no-mesh", 0, ARGS_FLAG, &o.no_mesh, NULL, "outlines only", 0, 0},
        {"json", 0, ARGS_FLAG, &o.json, NULL, "one JSON object", 0, 0},
        {"force", 0, ARGS_FLAG, &o.force, NULL, "replace what exists", 0, 0},
    };
    const args_spec spec = {
        .verb = "pattern",
        .usage = "FILE [options]",
        .about = "Reads a sewing pattern (panel-outline/1, GarmentCode, DXF), checks it, cuts it into a\n"
                 "mesh, puts it round a body and draws it.",
        .examples = examples,
        .options = options,
        .n_options = sizeof options / sizeof *options,
        .least_words = 1,
        .most_words = 1,
        .words_shown = "a pattern file"};
    args_words words;
    int code;
    if (!args_begin(&spec, argc, argv, &words, &code))
        return code;
    if (o.body && o.no_mesh)
        return say_wrong("'--body' needs a mesh: leave '--no-mesh' out");
    weft_pattern *p = NULL;
    weft_error error;
    if (weft_pattern_read(words.items[0], &p, &error) < 0)
        return say_wrong("%s", error.text);
    pattern_work w = {.path = words.items[0], .o = &o, .pattern = p};
    code = tell(&w);
    if (w.body)
        weft_mesh_free(&w.skin);
    free(w.fits);
    weft_body_destroy(w.body);
    weft_garment_destroy(w.garment);
    weft_pattern_destroy(p);
    return code;
}
