/* SPDX-License-Identifier: MIT */
#include "disk.h"
#include "marks.h"
#include "say.h"
#include "untangle.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char examples[] =
    "  weft untangle shirt.obj -o clean.obj                        moves the vertices that have to, as little as it "
    "can\n"
    "  weft untangle shirt.obj -o clean.obj --collider body.obj    out of a body, too; it stands still\n"
    "  weft untangle shirt.obj -o clean.obj --collider limbs.yaml  out of a scene's colliders: capsules, boxes, "
    "meshes\n"
    "  weft untangle suit.obj -o clean.obj --layers shirt,coat     groups of the file, the inner first\n"
    "  weft untangle suit.obj -o clean.obj --side lining=in        others belong behind the group's faces\n"
    "  weft untangle shirt.obj -o clean.obj --method contours      quick, and does not keep lengths\n"
    "  weft untangle shirt.obj -o clean.obj --report repair.html   a page with a 3D player of before and after\n"
    "  weft untangle shirt.obj -o clean.obj --frames out/repair    how it went, as a run: weft view out/repair\n";

static const char notes[] =
    "The mesh is taken for cloth: its own lengths and angles are what it keeps. Rigid groups go by contours, and so "
    "does\n"
    "all with --method contours, which shortens the lines of intersection and smooths, and may distort.\n"
    "Vertices keep their order, and so does all else in an OBJ file: only numbers of moved vertices change. A side is\n"
    "out (where faces look; colliders have this), in, found (the smaller part is the intruder; others have this) or\n"
    "plain. --picture shows before and after. Exit code 0: clean by the exact audit, and the same cloth; 1: not so "
    "(the\n"
    "best that was found is written, and what is wrong with it is told), 2: an error.\n";

typedef struct options {
    const char *in, *out, *layers, *picture, *report, *frames, *method;
    args_list colliders, sides, rigid;
    bool keep_shape, force, json, quiet;
    double gap;
    int32_t threads, iterations;
} options;

typedef struct job {
    const options *o;
    weft_mesh mesh;
    subject s;
    int32_t *face;
    weft_scene *scene; /* of colliders; NULL: none */
    untangle_parts parts;
    weft_vec3 *before;
    uint8_t *blame[2];
    subject_clip clip; /* of the report */
    untangle_frames frames;
    weft_untangle_report report;
} job;

static const char *short_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_mesh_name(const char *path)
{
    return disk_ending_is(path, "obj") || disk_ending_is(path, "ply") || disk_ending_is(path, "stl");
}

static int check_options_given(const options *o)
{
    if (!o->out)
        return say_wrong("where to? give -o OUT");
    if (!is_mesh_name(o->out))
        return say_wrong("%s: a mesh is .obj, .ply or .stl", o->out);
    if (o->method && strcmp(o->method, "cloth") != 0 && strcmp(o->method, "contours") != 0)
        return say_wrong("--method is cloth or contours, not '%s'", o->method);
    if (!o->force && disk_exists(o->out))
        return say_wrong("%s exists already; replace it with --force", o->out);
    if (o->picture && !o->force && disk_exists(o->picture))
        return say_wrong("%s exists already; replace it with --force", o->picture);
    if (o->report && !o->force && disk_exists(o->report))
        return say_wrong("%s exists already; replace it with --force", o->report);
    return EXIT_FINE;
}

static bool read_options(int argc, char **argv, options *o, int *code)
{
    const args_option list[] = {
        {"out", 'o', ARGS_TEXT, &o->out, "OUT", "the mesh to be written", 0, 0},
        {"collider", 0, ARGS_LIST, &o->colliders, "FILE", "a mesh that stands still, or a scene's colliders; repeated",
         0, 0},
        {"side", 0, ARGS_LIST, &o->sides, "[NAME=]SIDE", "out, in, found or plain, of a group or collider, or all", 0,
         0},
        {"layers", 0, ARGS_TEXT, &o->layers, "A,B,...", "groups worn over each other, the inner first", 0, 0},
        {"rigid", 0, ARGS_LIST, &o->rigid, "NAME", "a group that moves as a whole; again and again", 0, 0},
        {"method", 0, ARGS_TEXT, &o->method, "NAME", "cloth (keeps lengths and angles) or contours; cloth", 0, 0},
        {"keep-shape", 0, ARGS_FLAG, &o->keep_shape, NULL, "contours: smooth no farther than two rings round them", 0,
         0},
        {"gap", 0, ARGS_NUMBER, &o->gap, "D", "m, to be left between surfaces; 0.02 of the mean edge", 0, 1},
        {"iterations", 0, ARGS_INT, &o->iterations, "N", "at most; 1500", 1, 100000},
        {"picture", 0, ARGS_TEXT, &o->picture, "PATH", "a picture of before and after, PNG", 0, 0},
        {"report", 0, ARGS_TEXT, &o->report, "PATH", "a page with a 3D player of before and after, HTML", 0, 0},
        {"frames", 0, ARGS_TEXT, &o->frames, "DIR", "keep the course of the repair as a run: weft view DIR", 0, 0},
        {"json", 0, ARGS_FLAG, &o->json, NULL, "one JSON object", 0, 0},
        {"threads", 't', ARGS_INT, &o->threads, "N", "0: one a core; the result is the same", 0, 256},
        {"force", 0, ARGS_FLAG, &o->force, NULL, "replace OUT, the picture and the report", 0, 0},
        {"quiet", 'q', ARGS_FLAG, &o->quiet, NULL, "only the exit code, and errors", 0, 0},
    };
    const args_spec spec = {.verb = "untangle",
                            .usage = "IN -o OUT [options]",
                            .about = "Moves the vertices of a mesh until it no longer goes through itself or others.",
                            .examples = examples,
                            .notes = notes,
                            .options = list,
                            .n_options = sizeof list / sizeof *list,
                            .least_words = 1,
                            .most_words = 1,
                            .words_shown = "a mesh"};
    args_words words;
    if (!args_begin(&spec, argc, argv, &words, code))
        return false;
    o->in = words.items[0];
    *code = check_options_given(o);
    return *code == EXIT_FINE;
}

/* ---- work -------------------------------------------------------------------------------------------------------- */

static weft_result no_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
    return WEFT_ERROR_MEMORY;
}

static weft_result read_meshes(job *j, weft_error *error)
{
    weft_result r = weft_mesh_read(j->o->in, &j->mesh, error);
    if (r >= 0)
        r = subject_add_mesh(&j->s, short_name(j->o->in), false, &j->mesh, &j->face, error);
    if (r >= 0)
        r = untangle_add_colliders(&j->s, &j->o->colliders, &j->scene, error);
    if (r >= 0)
        r = untangle_parts_make(&j->parts, &j->s, &j->mesh, j->face, &j->o->sides, &j->o->rigid, j->o->layers, error);
    if (r < 0)
        return r;
    size_t n = (size_t)j->s.n_nodes + 1;
    j->before = calloc(n, sizeof *j->before);
    for (int i = 0; i < 2; i++)
        j->blame[i] = calloc((size_t)j->s.n_triangles + 1, 1);
    if (!j->before || !j->blame[0] || !j->blame[1])
        return no_memory(error);
    if (j->s.n_nodes > 0)
        memcpy(j->before, j->s.x, (size_t)j->s.n_nodes * sizeof *j->before);
    return WEFT_OK;
}

static weft_result judge(job *j, int when, weft_audit_found *found, weft_error *error)
{
    weft_result r = subject_judge(&j->s, 0, j->o->threads, found, error);
    if (r >= 0)
        marks_blame(&j->s, found, j->blame[when]);
    if (r >= 0 && j->o->report && !untangle_note(&j->clip, &j->s, j->scene, found, when))
        r = no_memory(error);
    return r;
}

static weft_result untangle(job *j, weft_error *error)
{
    weft_untangle_def d = weft_untangle_def_default();
    bool contours = j->o->keep_shape || (j->o->method && strcmp(j->o->method, "contours") == 0);
    d.method = contours ? WEFT_UNTANGLE_CONTOURS : WEFT_UNTANGLE_CLOTH;
    d.n_nodes = j->s.n_nodes;
    d.positions = j->before;
    d.n_triangles = j->s.n_triangles;
    d.triangles = j->s.triangles;
    d.objects = j->parts.objects;
    d.n_objects = j->parts.n_objects;
    d.object_is_collider = j->parts.is_collider;
    d.object_is_rigid = j->parts.is_rigid;
    d.object_side = j->parts.sides;
    d.layers = j->parts.layers;
    d.n_layers = j->parts.n_layers;
    d.colliders = j->s.solids;
    d.n_colliders = j->s.n_solids;
    d.keep_shape = j->o->keep_shape;
    d.gap = j->o->gap;
    d.max_iterations = j->o->iterations;
    d.n_threads = j->o->threads;
    d.watch = j->o->frames ? untangle_frames_add : NULL;
    d.watch_user = &j->frames;
    return weft_untangle(&d, j->s.x, &j->report, error);
}

/* The input, what the repair shows of itself, and what comes out. */
static weft_result untangle_and_keep(job *j, weft_error *error)
{
    if (!j->o->frames)
        return untangle(j, error);
    weft_result r = untangle_frames_begin(&j->frames, j->o->frames, j->o->force, j->o->in, &j->o->colliders, &j->s,
                                          &j->mesh, error);
    untangle_frames_add(&j->frames, 0, j->before);
    r = r < 0 ? r : untangle(j, error);
    untangle_frames_add(&j->frames, 0, j->s.x);
    return r < 0 ? r : untangle_frames_end(&j->frames, error);
}

static weft_result make_picture(job *j, weft_error *error)
{
    if (!j->o->picture)
        return WEFT_OK;
    char captions[2][64];
    snprintf(captions[0], sizeof captions[0], "before: %lld pairs", (long long)j->report.pairs_before);
    snprintf(captions[1], sizeof captions[1], "after: %lld pairs", (long long)j->report.pairs_after);
    const char *const texts[2] = {captions[0], captions[1]};
    const weft_vec3 *const x[2] = {j->before, j->s.x};
    weft_result r = disk_make_parent(j->o->picture, error);
    return r < 0 ? r : untangle_picture(&j->s, j->scene, x, j->blame, texts, j->o->threads, j->o->picture, error);
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

static const char *const verdict_names[] = {"repaired", "distorted", "tangled", "not repairable"};
static const char *const strategy_names[] = {"sides", "plain", "averaged", "smoothed", "touching"};

static void tell_json(const job *j)
{
    const weft_untangle_report *r = &j->report;
    page p = {0};
    page_add(&p, "{\"file\":");
    page_add_json(&p, j->o->in);
    page_add(&p, ",\"out\":");
    page_add_json(&p, j->o->out);
    if (j->o->picture) {
        page_add(&p, ",\"picture\":");
        page_add_json(&p, j->o->picture);
    }
    if (j->o->report) {
        page_add(&p, ",\"report\":");
        page_add_json(&p, j->o->report);
    }
    page_add(&p, ",\"pairs_before\":%lld,\"pairs_after\":%lld,\"contours_before\":%d,\"contours_after\":%d",
             (long long)r->pairs_before, (long long)r->pairs_after, r->contours_before, r->contours_after);
    page_add(&p, ",\"closed\":%d,\"border\":%d,\"loop\":%d,\"branch\":%d,\"undecided\":%d,\"iterations\":%d",
             r->n_closed, r->n_border, r->n_loop, r->n_branch, r->n_undecided, r->n_iterations);
    for (int i = 0; i < WEFT_UNTANGLE_STRATEGIES; i++)
        page_add(&p, ",\"%s\":%d", strategy_names[i], r->iterations[i]);
    page_add(&p, ",\"inside_before\":%lld,\"inside_after\":%lld", (long long)r->inside_before,
             (long long)r->inside_after);
    page_add(&p, ",\"verdict\":\"%s\",\"method\":\"%s\"", verdict_names[r->verdict],
             r->method == WEFT_UNTANGLE_CLOTH ? "cloth" : "contours");
    if (r->method == WEFT_UNTANGLE_CLOTH)
        page_add(&p, ",\"area\":%.6f,\"edges\":[%.6f,%.6f,%.6f,%.6f],\"angles\":%.6f", r->area, r->edge[0], r->edge[1],
                 r->edge[2], r->edge[3], r->angles);
    page_add(&p, ",\"switched\":%d,\"moved\":%d,\"mean_move\":", r->n_switched, r->n_moved);
    page_add_number(&p, r->mean_move);
    page_add(&p, ",\"max_move\":");
    page_add_number(&p, r->max_move);
    page_add(&p, "}");
    puts(page_text(&p));
    page_free(&p);
}

static void tell_left(const weft_audit_found *f)
{
    enum { MOST = 20 };
    for (int32_t i = 0; i < f->n_contours && i < MOST; i++) {
        const weft_audit_contour *c = &f->contours[i];
        printf("  left: %d pairs, %.4g m, about (%.4g, %.4g, %.4g)%s\n", c->n_pairs, c->length, c->centre.x,
               c->centre.y, c->centre.z, c->collider ? ", with a collider" : "");
    }
    if (f->n_contours > MOST)
        printf("  and %d more\n", f->n_contours - MOST);
}

static void tell(const job *j, const weft_audit_found *left)
{
    const weft_untangle_report *r = &j->report;
    printf("before: %lld intersecting pairs, %d contours, %.4g m (%d closed, %d from border to border, %d at a vertex "
           "of both sheets, %d branching; %d cut nothing off)\n",
           (long long)r->pairs_before, r->contours_before, r->length_before, r->n_closed, r->n_border, r->n_loop,
           r->n_branch, r->n_undecided);
    printf("after:  %lld intersecting pairs, %d contours, %.4g m\n", (long long)r->pairs_after, r->contours_after,
           r->length_after);
    if (r->inside_before > 0 || r->inside_after > 0)
        printf("vertices inside colliders: %lld before, %lld after\n", (long long)r->inside_before,
               (long long)r->inside_after);
    printf("%d iterations", r->n_iterations);
    for (int i = 0; i < WEFT_UNTANGLE_STRATEGIES; i++)
        if (r->iterations[i] > 0)
            printf(", %s %d", strategy_names[i], r->iterations[i]);
    printf("; %d of %d vertices moved, by %.3g m in the mean, at most %.3g m\n", r->n_moved, j->s.objects[0].n_nodes,
           r->mean_move, r->max_move);
    if (r->method == WEFT_UNTANGLE_CLOTH)
        printf(
            "%s: area %.3f of what it was; edges %.3f to %.3f of their length, 90 %% of them %.3f to %.3f; %.1f %% of "
            "angles within 20 degrees\n",
            verdict_names[r->verdict], r->area, r->edge[0], r->edge[3], r->edge[1], r->edge[2], 100 * r->angles);
    if (r->n_switched > 0)
        printf("progress stalled %d times, and what was done was changed\n", r->n_switched);
    tell_left(left);
    printf("wrote %s%s%s\n", j->o->out, j->o->picture ? " and " : "", j->o->picture ? j->o->picture : "");
    if (j->o->report)
        printf("wrote %s\n", j->o->report);
    if (j->o->frames)
        printf("wrote %s, %d frames: weft view %s\n", j->o->frames, j->frames.n, j->o->frames);
}

static weft_result work(job *j, weft_audit_found *left, weft_error *error)
{
    weft_audit_found found;
    weft_result r = read_meshes(j, error);
    r = r < 0 ? r : judge(j, 0, &found, error);
    r = r < 0 ? r : untangle_and_keep(j, error);
    r = r < 0 ? r : judge(j, 1, left, error);
    r = r < 0 ? r : untangle_write(j->o->in, j->o->out, &j->mesh, j->s.x, j->o->force, error);
    r = r < 0 ? r : make_picture(j, error);
    if (r >= 0 && j->o->report)
        r = untangle_report_write(short_name(j->o->in), &j->report, &j->clip, j->o->report, error);
    return r;
}

static void warn_of_faces(const job *j)
{
    int32_t n = untangle_count_doubles(&j->s), n_flat = untangle_count_flat(&j->s);
    if (j->report.pairs_after == 0)
        return;
    if (n > 0)
        say_warning("%d faces are there twice, at the same three places: they lie in each other wherever they go; take "
                    "them out first",
                    n);
    if (n_flat > 0)
        say_warning("%d faces have no area, and are no cloth: they go where other faces take their corners", n_flat);
}

static void warn_of_colliders(const weft_untangle_report *r)
{
    if (r->inside_after > 0 && r->inside_after == r->inside_before)
        say_warning(
            "%lld vertices are inside of colliders, and stay there: cloth that is wholly inside meets no surface "
            "that could tell where it came in. If it belongs there, say so (--side COLLIDER=in); else move it "
            "out first",
            (long long)r->inside_after);
    if (r->n_non_manifold_edges > 0 || r->n_flipped_edges > 0)
        say_warning(
            "colliders have %d edges of three faces or more and %d whose faces disagree about the outside: what is "
            "next to them may end on either side",
            r->n_non_manifold_edges, r->n_flipped_edges);
    if (r->n_open_edges > 0)
        say_warning(
            "colliders are open (%d border edges): only what is near the front or back of a face can be told to be "
            "behind it",
            r->n_open_edges);
}

static int run_untangle_verb(const options *o)
{
    job j = {.o = o, .frames.folder.lock = -1};
    weft_error error;
    weft_audit_found left = {0};
    int code = EXIT_FINE;
    if (work(&j, &left, &error) < 0)
        code = say_wrong("%s%s%s", strstr(error.text, o->in) ? "" : o->in, strstr(error.text, o->in) ? "" : ": ",
                         error.text);
    else {
        if (o->json)
            tell_json(&j);
        else if (!o->quiet)
            tell(&j, &left);
        warn_of_colliders(&j.report);
        warn_of_faces(&j);
        code = j.report.verdict != WEFT_UNTANGLE_REPAIRED ? EXIT_NO : EXIT_FINE;
    }
    untangle_parts_free(&j.parts);
    subject_free(&j.s);
    weft_scene_free(j.scene);
    weft_mesh_free(&j.mesh);
    free(j.face);
    free(j.before);
    free(j.blame[0]);
    free(j.blame[1]);
    clip_free(j.clip.c);
    subject_clip_free(&j.clip);
    untangle_frames_free(&j.frames);
    return code;
}

int verb_untangle(int argc, char **argv)
{
    options o = {.iterations = 1500};
    int code = EXIT_WRONG;
    o.colliders.items = calloc((size_t)argc + 1, sizeof *o.colliders.items);
    o.sides.items = calloc((size_t)argc + 1, sizeof *o.sides.items);
    o.rigid.items = calloc((size_t)argc + 1, sizeof *o.rigid.items);
    if (!o.colliders.items || !o.sides.items || !o.rigid.items)
        code = say_wrong("out of memory");
    else if (read_options(argc, argv, &o, &code))
        code = run_untangle_verb(&o);
    free(o.colliders.items);
    free(o.sides.items);
    free(o.rigid.items);
    return code;
}
