/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "disk.h"
#include "facts.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>
#include <string.h>
#include <weft/io/pattern.h>

static const char examples[] =
    "  weft pattern shirt.json                       panels, areas, seams with the lengths of both sides\n"
    "  weft pattern shirt.json --size 10 -o shirt.svg   cut into a mesh with edges of 10 mm, and drawn\n"
    "  weft pattern shirt.dxf -o shirt.json          as panel-outline/1\n";

typedef struct pattern_options {
    const char *out;
    double size, ratio;
    bool json, force, no_mesh;
} pattern_options;

static int wrong_in_file(const char *path, const weft_error *error)
{
    return say_wrong("%s: %s", path, error->text);
}

static weft_result write_out(const char *path, const weft_pattern *p, const weft_garment *g, bool force,
                             weft_error *error)
{
    weft_svg_def svg = weft_svg_def_default();
    svg.garment = g;
    svg.force = force;
    if (disk_make_parent(path, error) < 0)
        return WEFT_ERROR_FILE;
    if (disk_ending_is(path, "json"))
        return weft_pattern_write(path, p, force, error);
    if (disk_ending_is(path, "svg"))
        return weft_pattern_write_svg(path, p, &svg, error);
    *error = (weft_error){.code = WEFT_ERROR_FORMAT, .element = -1};
    snprintf(error->text, sizeof error->text, "%.300s: expected a name that ends with .svg or .json", path);
    return WEFT_ERROR_FORMAT;
}

static int tell(const char *path, const pattern_options *o, const weft_pattern *p)
{
    weft_error error;
    weft_garment *g = NULL;
    weft_garment_def def = weft_garment_def_default();
    def.size = 1e-3 * o->size;
    def.seam_ratio = o->ratio;
    weft_result r = o->no_mesh ? weft_pattern_check(p, o->ratio, &error) : weft_garment_create(p, &def, &g, &error);
    if (r < 0)
        return wrong_in_file(path, &error);
    facts f = facts_begin(o->json);
    facts_add_pattern(&f, p, g);
    r = o->out ? write_out(o->out, p, g, o->force, &error) : WEFT_OK;
    weft_garment_destroy(g);
    if (r < 0) {
        page_free(&f.text);
        return r == WEFT_ERROR_EXISTS ? say_wrong("%s exists already; replace it with --force", o->out)
                                      : say_wrong("%s", error.text);
    }
    facts_print(&f);
    if (o->out && !o->json)
        printf("wrote %s\n", o->out);
    return EXIT_FINE;
}

int verb_pattern(int argc, char **argv)
{
    pattern_options o = {.size = 20, .ratio = 2};
    const args_option options[] = {
        {"out", 'o', ARGS_TEXT, &o.out, "PATH", "a drawing (.svg), or the pattern as panel-outline/1 (.json)", 0, 0},
        {"size", 0, ARGS_NUMBER, &o.size, "MM", "length of the mesh's edges; 20", 0.5, 1000},
        {"ratio", 0, ARGS_NUMBER, &o.ratio, "R", "most that the sides of a seam may differ in length; 2", 1, 1000},
        {"no-mesh", 0, ARGS_FLAG, &o.no_mesh, NULL, "outlines only", 0, 0},
        {"json", 0, ARGS_FLAG, &o.json, NULL, "one JSON object", 0, 0},
        {"force", 0, ARGS_FLAG, &o.force, NULL, "replace what exists", 0, 0},
    };
    const args_spec spec = {.verb = "pattern",
                            .usage = "FILE [options]",
                            .about =
                                "Reads a sewing pattern (panel-outline/1, GarmentCode, DXF), checks it, cuts it into a "
                                "mesh and draws it.",
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
    weft_pattern *p = NULL;
    weft_error error;
    if (weft_pattern_read(words.items[0], &p, &error) < 0)
        return say_wrong("%s", error.text);
    code = tell(words.items[0], &o, p);
    weft_pattern_destroy(p);
    return code;
}
