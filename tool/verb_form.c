/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "disk.h"
#include "pattern_body.h"
#include "say.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/form.h>
#include <weft/io/body.h>

static const char examples[] =
    "  weft form -o body.obj                            a dress form, and body_landmarks.json beside it\n"
    "  weft form --chest 104 --waist 90 --hips 106 --height 182 -o big.obj\n"
    "  weft form --draft tshirt -o tshirt.json          a pattern to the same measures\n"
    "  weft pattern tshirt.json --body body.obj -o placed.png    the one put round the other\n";

typedef struct form_options {
    const char *out, *draft;
    weft_form_def def;
    double cm[8]; /* in the order of names */
    bool json, force;
} form_options;

static weft_result refuse(weft_error *error, weft_result code, const char *path, const char *what)
{
    *error = (weft_error){.code = code, .element = -1};
    snprintf(error->text, sizeof error->text, "%.250s: %.200s", path, what);
    return code;
}

/* "body.obj" → "body_landmarks.json" */
static char *landmarks_path(const char *path)
{
    size_t n = strlen(path) - strlen(disk_ending(path)) - 1;
    char *out = malloc(n + 32);
    if (out)
        snprintf(out, n + 32, "%.*s_landmarks.json", (int)n, path);
    return out;
}

static weft_mesh mesh_of(const weft_form_data *d)
{
    weft_mesh m = {.n_nodes = d->n_vertices,
                   .positions = (weft_vec3 *)d->vertices,
                   .n_faces = d->n_triangles,
                   .corners = (int32_t *)d->triangles};
    m.face_start = malloc(((size_t)d->n_triangles + 1) * sizeof *m.face_start);
    for (int32_t i = 0; m.face_start && i <= d->n_triangles; i++)
        m.face_start[i] = 3 * i;
    return m;
}

static weft_result write_body(const form_options *o, const weft_form_data *d, weft_error *error)
{
    bool obj = disk_ending_is(o->out, "obj"), ply = disk_ending_is(o->out, "ply"), png = disk_ending_is(o->out, "png");
    if (!obj && !ply && !png)
        return refuse(error, WEFT_ERROR_FORMAT, o->out, "expected a name that ends with .obj, .ply or .png");
    char *beside = landmarks_path(o->out);
    weft_mesh m = mesh_of(d);
    weft_result r = m.face_start && beside ? WEFT_OK : refuse(error, WEFT_ERROR_MEMORY, o->out, "out of memory");
    if (r == WEFT_OK && !png && !o->force && disk_exists(beside))
        r = refuse(error, WEFT_ERROR_EXISTS, beside, "exists already; replace it with --force");
    if (r == WEFT_OK && png)
        r = pattern_body_picture(o->out, &m, NULL, error);
    else if (r == WEFT_OK)
        r = weft_mesh_write(o->out, ply ? WEFT_MESH_PLY : WEFT_MESH_OBJ, &m, error);
    if (r == WEFT_OK && !png)
        r = weft_landmarks_write(beside, d->landmarks, true, error);
    free(m.face_start);
    free(beside);
    return r;
}

static void tell_body(const form_options *o, const weft_form_data *d)
{
    facts f = facts_begin(o->json);
    const weft_landmarks *m = d->landmarks;
    facts_text(&f, "kind", "kind", "dress form");
    facts_number(&f, "vertices", "vertices", d->n_vertices, "");
    facts_number(&f, "triangles", "triangles", d->n_triangles, "");
    facts_number(&f, "chest", "chest", 100 * m->bust.girth, "cm");
    facts_number(&f, "waist", "waist", 100 * m->waist.girth, "cm");
    facts_number(&f, "hips", "hips", 100 * m->hip.girth, "cm");
    facts_number(&f, "neck", "neck", 100 * m->neck.girth, "cm");
    facts_number(&f, "crotch", "crotch", 100 * m->crotch, "cm above the floor");
    facts_box box = facts_box_none();
    facts_box_add(&box, d->vertices, d->n_vertices);
    facts_bounds(&f, &box);
    facts_print(&f);
}

static weft_result make_body(const form_options *o, weft_error *error)
{
    weft_form *form = NULL;
    weft_result r = weft_form_create(&o->def, &form, error);
    if (r == WEFT_OK && o->out)
        r = write_body(o, weft_form_get(form), error);
    if (r == WEFT_OK)
        tell_body(o, weft_form_get(form));
    weft_form_destroy(form);
    return r;
}

static weft_result make_pattern(const form_options *o, weft_error *error)
{
    weft_pattern *p = NULL;
    weft_svg_def svg = weft_svg_def_default();
    svg.force = true;
    weft_result r = weft_draft(o->draft, &o->def.measures, &p, error);
    if (r == WEFT_OK && o->out && disk_ending_is(o->out, "svg"))
        r = weft_pattern_write_svg(o->out, p, &svg, error);
    else if (r == WEFT_OK && o->out && disk_ending_is(o->out, "json"))
        r = weft_pattern_write(o->out, p, true, error);
    else if (r == WEFT_OK && o->out)
        r = refuse(error, WEFT_ERROR_FORMAT, o->out, "a pattern is expected to end with .json or .svg");
    if (r == WEFT_OK) {
        facts f = facts_begin(o->json);
        facts_add_pattern(&f, p, NULL);
        facts_print(&f);
    }
    weft_pattern_destroy(p);
    return r;
}

static int make(const form_options *o)
{
    weft_error error;
    if (o->out && disk_exists(o->out) && !o->force)
        return say_wrong("%s exists already; replace it with --force", o->out);
    if (o->out && disk_make_parent(o->out, &error) < 0)
        return say_wrong("%s", error.text);
    weft_result r = o->draft ? make_pattern(o, &error) : make_body(o, &error);
    if (r < 0)
        return say_wrong("%s", error.text);
    if (o->out && !o->json)
        printf("wrote %s\n", o->out);
    return EXIT_FINE;
}

static void take_measures(form_options *o)
{
    weft_measures *m = &o->def.measures;
    double *const to[8] = {&m->height, &m->chest, &m->waist, &m->hips, &m->neck, &m->shoulder, &m->arm, &m->inseam};
    for (int i = 0; i < 8; i++)
        *to[i] = 0.01 * o->cm[i];
}

int verb_form(int argc, char **argv)
{
    form_options o = {.def = weft_form_def_default(), .cm = {168, 92, 75, 100, 35, 39, 57, 78}};
    const args_option options[] = {
        {"out", 'o', ARGS_TEXT, &o.out, "PATH", "the form (.obj, .ply), a picture of it (.png), a draft (.json, .svg)",
         0, 0},
        {"height", 0, ARGS_NUMBER, &o.cm[0], "CM", "of the whole person; 168", 80, 250},
        {"chest", 0, ARGS_NUMBER, &o.cm[1], "CM", "girth; 92", 40, 200},
        {"waist", 0, ARGS_NUMBER, &o.cm[2], "CM", "girth; 75", 35, 200},
        {"hips", 0, ARGS_NUMBER, &o.cm[3], "CM", "girth; 100", 40, 220},
        {"neck", 0, ARGS_NUMBER, &o.cm[4], "CM", "girth; 35", 20, 70},
        {"shoulder", 0, ARGS_NUMBER, &o.cm[5], "CM", "from shoulder point to shoulder point; 39", 20, 70},
        {"arm", 0, ARGS_NUMBER, &o.cm[6], "CM", "from shoulder to wrist; 57", 20, 100},
        {"inseam", 0, ARGS_NUMBER, &o.cm[7], "CM", "from the crotch to the floor; 78", 30, 130},
        {"arm-angle", 0, ARGS_NUMBER, &o.def.arm_angle, "DEG", "of the arms below the horizontal; 45", 0, 70},
        {"triangles", 0, ARGS_INT, &o.def.n_triangles, "N", "about so many; 26000", 2000, 1000000},
        {"draft", 0, ARGS_TEXT, &o.draft, "tshirt|skirt|trousers", "a pattern to the measures in place of the form", 0,
         0},
        {"json", 0, ARGS_FLAG, &o.json, NULL, "one JSON object", 0, 0},
        {"force", 0, ARGS_FLAG, &o.force, NULL, "replace what exists", 0, 0},
    };
    const args_spec spec = {.verb = "form",
                            .usage = "-o PATH [measures]",
                            .about = "Makes a dress form to measure, or drafts a pattern for it.",
                            .examples = examples,
                            .options = options,
                            .n_options = sizeof options / sizeof *options};
    args_words words;
    int code;
    if (!args_begin(&spec, argc, argv, &words, &code))
        return code;
    take_measures(&o);
    return make(&o);
}
